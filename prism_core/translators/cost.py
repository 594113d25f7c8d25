"""Cost and duration of requests, and the stop before a budget is exceeded.

Entry: ``Sent.cost``; the same count before requests leave is a ``CostForecast``, while they leave a
``Budget`` (``Budget.share``).

A cost in tokens is an estimate, meant to be too high rather than too low: a text counts one token
for three characters, more than prose in Latin letters has. Its answer, where that is billed too,
counts twice as many. The reasoning of a model before it answers is billed and cannot be foreseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.errors import BudgetReached, ConfigurationError
from prism_core.settings import Marks, TranslatorSettings
from prism_core.translators.base import Limits, Load, Price, Provider
from prism_core.translators.pacing import seconds_taken
from prism_core.translators.requests import (
    Item,
    Request,
    billed_marks,
    count_marks,
    pack_requests,
)

_CHARACTERS_PER_TOKEN: Final = 3.0
_ANSWER_GROWTH: Final = 2.0
_RETRY_FACTOR: Final = 1.1
"""Ratio of everything that is sent to what is sent once: some answers cannot be used or
restored."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Volume of traffic: requests, and the texts and characters (code points) in them."""

    requests: int = 0
    texts: int = 0
    characters: int = 0

    def cost(self, price: Price, limits: Limits) -> float:
        """Return the cost in the price's currency; costs of parts add up to that of the whole."""
        if price.unit != "tokens":
            billed = price.amount + _ANSWER_GROWTH * (price.answers or 0.0)
            return billed * self.characters / 1e6
        frames = self.texts * limits.characters_around
        asked = self.requests * limits.characters_beside + frames + self.characters
        answered = frames + _ANSWER_GROWTH * self.characters
        billed = price.amount * asked + (price.answers or 0.0) * answered
        return billed / _CHARACTERS_PER_TOKEN / 1e6


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected traffic of texts with one translator; all but ``cost`` if every answer is usable.

    ``tokens`` are those that a rate limit counts (``Limits.load``). ``too_long`` texts fit into no
    request and are in none of the counts. ``seconds`` is the duration at the stated rates, None
    when there are none. ``cost`` is in ``currency``, with a tenth added for retries, and None when
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


class CostForecast:
    """Sum of the traffic that a translator with these ``limits`` and ``price`` would receive.

    ``marks`` says when the translator is sent marks. The number of sentences that will not come
    back without them cannot be foreseen; their cost is within the tenth for retries.
    """

    def __init__(self, limits: Limits, price: Price | None, marks: Marks = "never") -> None:
        self._limits = limits
        self._price = price
        self._marks = marks
        self._sent = Sent()
        self._tokens = 0
        self._too_long = 0

    def add(self, items: Iterable[Item]) -> None:
        """Add texts that are sent together; no request is shared with those of another call."""
        requests = texts = characters = 0
        too_long: list[Item] = []
        asked = (item.marked(self._marks) for item in items)
        for request in pack_requests(asked, self._limits, too_long.append):
            load = self._limits.load([item.text for item in request], count_marks(request))
            requests, texts = requests + 1, texts + len(request)
            characters += _count_characters(request, self._limits, self._price)
            self._tokens += load.tokens
        self._too_long += len(too_long)
        before = self._sent
        self._sent = Sent(
            before.requests + requests, before.texts + texts, before.characters + characters
        )

    def expected(self) -> Expected:
        """Return the expected traffic of all texts added so far."""
        sent, price = self._sent, self._price
        load = Load(sent.characters, self._tokens)
        seconds = seconds_taken(load, self._limits, sent.requests)
        return Expected(
            texts=sent.texts,
            too_long=self._too_long,
            requests=sent.requests,
            characters=sent.characters,
            tokens=self._tokens,
            seconds=max(seconds) if self._limits.is_paced else None,
            cost=None if price is None else _RETRY_FACTOR * sent.cost(price, self._limits),
            currency="" if price is None else price.currency,
        )


@dataclass(slots=True)
class Purse:
    """Amount of money shared by translators: ``spent`` of ``amount`` in ``currency`` is gone."""

    amount: float
    currency: str
    spent: float = 0.0

    @property
    def left(self) -> float:
        """Amount that is not spent."""
        return max(0.0, self.amount - self.spent)


@dataclass(frozen=True, slots=True)
class Budget:
    """Budget of one translator with this ``price`` and ``limits``, drawn from ``purse``.

    Every attempt of a request counts in full, as the provider may bill each, unless it said that it
    would not answer. One thread books.
    """

    purse: Purse
    price: Price
    limits: Limits

    @classmethod
    def of(cls, settings: TranslatorSettings, translator: Provider) -> Budget | None:
        """Return the budget that ``settings`` set for ``translator`` alone; see ``share``."""
        return cls.share(settings.max_cost, [(translator, Sent())])[0]

    @classmethod
    def share(
        cls, amount: float | None, asked: Sequence[tuple[Provider, Sent]]
    ) -> list[Budget | None]:
        """Return the budget of each translator; all share one purse, less earlier traffic.

        All are None for no ``amount``. Raises ``ConfigurationError`` where a price is unknown, or
        not in the currency of the first.
        """
        if amount is None:
            return [None for _ in asked]
        priced = []
        for translator, sent in asked:
            if translator.price is None:
                raise ConfigurationError(
                    f"a budget (translator.max_cost) needs a price, and that of {translator.name} "
                    "is not known here: state it with translator.price_per_million and "
                    "translator.price_unit"
                )
            priced.append((translator, translator.price, sent))
        billed = [price.currency for _, price, _ in priced if price.amount or price.answers]
        purse = Purse(amount, billed[0] if billed else priced[0][1].currency)
        if len(set(billed)) > 1:
            raise ConfigurationError(
                "a budget (translator.max_cost) cannot be shared by translators that are paid in "
                f"{' and '.join(sorted(set(billed)))}: state their prices in one currency"
            )
        purse.spent = sum(sent.cost(price, provider.limits) for provider, price, sent in priced)
        return [cls(purse, price, provider.limits) for provider, price, _ in priced]

    def book(self, request: Request) -> None:
        """Count ``request``, about to leave, or raise ``BudgetReached`` and count nothing."""
        after = self.purse.spent + self._cost(request)
        if after > self.purse.amount:
            purse, currency = self.purse, self.purse.currency
            budget = f"The budget of {_format(purse.amount)} {currency} (translator.max_cost)"
            if not purse.spent:
                raise BudgetReached(
                    f"{budget} is less than a first request costs, about {_format(after)}: "
                    "nothing was sent. Raise it, then run again."
                )
            raise BudgetReached(
                f"{budget} is used up: about {_format(purse.spent)} {currency} are spent, and the "
                f"next request would make that {_format(after)}. What was answered is kept; the "
                "same command goes on, with a budget afresh."
            )
        self.purse.spent = after

    def give_back(self, request: Request) -> None:
        """Return the cost of a request that was refused before the provider worked on it."""
        self.purse.spent = max(0.0, self.purse.spent - self._cost(request))

    def _cost(self, request: Request) -> float:
        sent = Sent(1, len(request), _count_characters(request, self.limits, self.price))
        return sent.cost(self.price, self.limits)


def _count_characters(request: Request, limits: Limits, price: Price | None) -> int:
    """Count the characters of ``request`` that count for its cost."""
    return sum(len(item.text) for item in request) + billed_marks(request, limits, price)


def _format(amount: float) -> str:
    """Format an amount with cents, or three digits below one, so that none shows as zero."""
    return f"{amount:,.2f}" if amount >= 1 else f"{amount:.3g}"
