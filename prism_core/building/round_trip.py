"""Whether a substitution leaves no trace: restored in the translation, it reads as T(S) does.

This is what confidence measures. A word with several meanings, one that the translator takes for
another part of speech, or one that changes its neighbours, leaves a trace, wherever it is put in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prism_core.dictionary.entry import Entry

WINDOW = 2
"""Words to the left and right of a restored one that must be those of T(S)."""


@dataclass(frozen=True, slots=True)
class Swap:
    """In a carrier, ``original`` was replaced by ``substitute``."""

    original: Entry
    substitute: Entry


def traceless(
    swaps: Sequence[Swap], answer: Sequence[str], baseline: Sequence[str]
) -> list[bool | None]:
    """For each of ``swaps``: does ``answer``, restored, read like ``baseline`` around the word?

    None when the substitute is not in ``answer`` at all. Both are tokens of the target.
    """
    tokens: list[tuple[str, int | None]] = [(token, None) for token in answer]
    found = [_restore(index, swap, tokens) for index, swap in enumerate(swaps)]
    text = f" {' '.join(baseline)} "
    return [
        _stands_in(_window(index, tokens), text) if restored else None
        for index, restored in enumerate(found)
    ]


def _restore(index: int, swap: Swap, tokens: list[tuple[str, int | None]]) -> bool:
    """Put the original where the substitute stands in ``tokens``; False where it does not."""
    for text in swap.substitute.longest_first:
        place = _place(text, tokens)
        if place is not None:
            restored = swap.original.inflect(text, swap.substitute.forms.features_of(text)).split()
            tokens[place : place + len(text.split())] = [(word, index) for word in restored]
            return True
    return False


def _place(form: str, tokens: Sequence[tuple[str, int | None]]) -> int | None:
    words = form.lower().split()
    for start in range(len(tokens) - len(words) + 1):
        if all(tokens[start + i] == (word, None) for i, word in enumerate(words)):
            return start
    return None


def _window(index: int, tokens: Sequence[tuple[str, int | None]]) -> str:
    places = [place for place, (_, owner) in enumerate(tokens) if owner == index]
    start, end = max(0, places[0] - WINDOW), places[-1] + 1 + WINDOW
    return " ".join(token for token, _ in tokens[start:end])


def _stands_in(window: str, text: str) -> bool:
    return f" {window} " in text


@dataclass(slots=True)
class Trials:
    """How often a word was tried, found again, and restored without a trace."""

    tried: int = 0
    found: int = 0
    traceless: int = 0

    def add(self, result: bool | None) -> None:
        """Count one result of ``traceless``."""
        self.tried += 1
        self.found += result is not None
        self.traceless += bool(result)

    @property
    def share(self) -> float:
        """The share without a trace, in (0, 1): half a success and half a failure are added."""
        return (self.traceless + 0.5) / (self.tried + 1)


def confidence(as_substitute: Trials, as_original: Trials | None, least: int) -> float:
    """The smaller of both shares; that as an original counts from ``least`` trials on."""
    if as_original is None or as_original.tried < least:
        return as_substitute.share
    return min(as_substitute.share, as_original.share)
