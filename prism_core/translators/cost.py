"""What requests cost and how long they take: counted the same way before they leave and after.

A cost of tokens is an estimate, and meant to be too high rather than too low: a text counts a
token for three characters, more than prose in Latin letters has, and its answer, where that is
billed too, twice as many. What a model thinks before it answers is billed and cannot be foreseen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from prism_core.translators.base import Limits, Price
from prism_core.translators.batches import Item, packed
from prism_core.translators.pacing import HEADROOM

_CHARACTERS_PER_TOKEN: Final = 3.0
_ANSWER_GROWTH: Final = 2.0
_ASKED_AGAIN: Final = 1.1
"""What is sent in all, to what is sent once: some answers cannot be used, or not be restored."""


@dataclass(frozen=True, slots=True)
class Sent:
    """So many requests, with so many texts and characters (code points) in all."""

    requests: int = 0
    texts: int = 0
    characters: int = 0


NOTHING: Final = Sent()


@dataclass(frozen=True, slots=True)
class Expected:
    """What texts come to with one translator; all but ``cost`` if every answer can be used.

    ``tokens`` are those that a rate limit counts (``Limits.load``). ``too_long`` texts fit into no
    request and are in none of the counts. ``seconds`` is what its stated rates take, None when it
    states none; ``cost`` is in ``currency``, a tenth of it for what is asked again, and None when
    the price is not known.
    """

    texts: int
    too_long: int
    requests: int
    characters: int
    tokens: int
    seconds: float | None
    cost: float | None
    currency: str


def cost(sent: Sent, price: Price, limits: Limits) -> float:
    """What ``sent`` costs in the price's currency; that of the whole is the sum of its parts'."""
    if price.unit != "tokens":
        billed = price.amount + _ANSWER_GROWTH * (price.answers or 0.0)
        return billed * sent.characters / 1e6
    frames = sent.texts * limits.characters_around
    asked = sent.requests * limits.characters_beside + frames + sent.characters
    answered = frames + _ANSWER_GROWTH * sent.characters
    billed = price.amount * asked + (price.answers or 0.0) * answered
    return billed / _CHARACTERS_PER_TOKEN / 1e6


class Forecast:
    """Adds up what a translator of these ``limits`` and this ``price`` would be sent."""

    def __init__(self, limits: Limits, price: Price | None) -> None:
        self._limits = limits
        self._price = price
        self._sent = Sent()
        self._tokens = 0
        self._too_long = 0

    def add(self, items: Iterable[Item]) -> None:
        """Texts that are sent together: no request is shared with those of another call."""
        requests = texts = characters = 0
        for batch in packed(items, self._limits, self._leave_out):
            load = self._limits.load([item.text for item in batch])
            requests, texts = requests + 1, texts + len(batch)
            characters += load.characters
            self._tokens += load.tokens
        before = self._sent
        self._sent = Sent(
            before.requests + requests, before.texts + texts, before.characters + characters
        )

    def expected(self) -> Expected:
        """What it comes to."""
        sent, price = self._sent, self._price
        return Expected(
            texts=sent.texts,
            too_long=self._too_long,
            requests=sent.requests,
            characters=sent.characters,
            tokens=self._tokens,
            seconds=_seconds(sent, self._tokens, self._limits),
            cost=None if price is None else _ASKED_AGAIN * cost(sent, price, self._limits),
            currency="" if price is None else price.currency,
        )

    def _leave_out(self, _item: Item) -> None:
        self._too_long += 1


def _seconds(sent: Sent, tokens: int, limits: Limits) -> float | None:
    rates = (
        (sent.requests, limits.requests_per_minute),
        (sent.characters, limits.characters_per_minute),
        (tokens, limits.tokens_per_minute),
    )
    times = [60.0 * amount / (rate * HEADROOM) for amount, rate in rates if rate]
    return max(times) if times else None
