"""Pieces written alike in every language: references, enumerators, times, measures, formulas.

Examples are *704(a)(7)*, *(iv)*, *7 a.m.*, *5 mg/kg*, *p < 0.05*. No translator must take their
letters for words. Each is one identifier, and its surrogate depends on the label alone: a plain
number, or a time in the afternoon, which translators leave as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.identifiers.shape_tables import read_patterns
from prism_core.languages import Language
from prism_core.record import Kind

_CLEAR_DIGITS = "23456789"
"""Digits of surrogates: 0 and 1 are mistaken for letters."""


class PieceDetector(Detector):
    """Detector of whole pieces; brackets around an enumerator and the mark after it are kept."""

    order = 70
    surrogates: ClassVar = {
        "CLOCK": lambda _text, _longer, rng: f"{rng.randrange(13, 24)}:{rng.randrange(11, 60)}",
        "PIECE": lambda _text, _longer, rng: "".join(rng.choices(_CLEAR_DIGITS, k=3)),
    }
    blind = frozenset(surrogates)

    def __init__(self, language: Language) -> None:
        given = {"SECTIONS": language.numbers.sections, "CLOCK": language.numbers.clock}
        self._patterns = read_patterns("pieces", given)

    def may_find(self, text: str, *, has_digits: bool = True) -> bool:
        """Return True if ``text`` has a digit, a bracket or an operator, or begins as items do."""
        if has_digits or ")" in text or self._patterns["first"].match(text):
            return True
        return self._patterns["operator"].search(text) is not None

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the pieces of ``text``; the longest of overlapping ones is to be kept."""
        for match in self._patterns["clock"].finditer(text):  # less the sentence's own full stop
            ends = match.group().endswith(".") and not re.search(r"\w", text[match.end() :])
            yield _make_detection(match.start(), match.end() - ends, "CLOCK")
        names = ["measure", "section"]
        names += ["reference"] if ")" in text else []
        names += ["sum"] if self._patterns["operator"].search(text) else []
        for name in names:
            for match in self._patterns[name].finditer(text):
                if any(map(str.isalpha, match.group())):
                    yield _make_detection(*match.span())
        if first := self._patterns["first"].match(text):
            yield _make_detection(*first.span(1))
        if ")" not in text:
            return
        for match in self._patterns["bracketed"].finditer(text):  # *(a)*, then *a)*
            yield _make_detection(match.start() + 1, match.end() - 1)
        depth = done = 0
        for match in self._patterns["listed"].finditer(text):
            before = text[done : match.start()]
            depth, done = max(0, depth + before.count("(") - before.count(")")), match.start()
            if depth == 0:
                yield _make_detection(match.start(), match.end() - 1)


def _make_detection(start: int, end: int, label: str = "PIECE") -> Detection:
    return Detection(start, end, label, Strength.SHAPED, (Span(start, end, label, Kind.CODE),))


DETECTOR = PieceDetector
