"""Base types of identifier detection: matches, the detector interface, and overlap resolution.

Entry: a ``Detector`` yields each ``Detection`` in a text, and ``resolve`` selects those to keep.
Each becomes a ``Span`` of the text, then an ``Identifier`` of the sentence.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from itertools import chain
from operator import attrgetter
from random import Random
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from prism_core.language import Sentence
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

MAIL_DOMAIN = "@example.org"
WEB_ADDRESS = "https://example.org/"
"""Parts of surrogate addresses: both use a domain reserved for examples (RFC 2606)."""


class Identifier(NamedTuple):
    """Tokens ``[position, position + length)`` of a sentence that name someone or something.

    ``label`` is the class that the report counts (``PERSON``, ``NUMBER``, ``EMAIL`` …). ``kind``
    decides how decoding restores the original from a surrogate.
    """

    position: int
    length: int
    label: str
    kind: Kind

    def text_in(self, sentence: Sentence) -> str:
        """Return the identifier's text in the source of ``sentence``, inner blanks included."""
        if self.length == 1:
            return sentence.tokens[self.position].text
        tokens = sentence.tokens[self.position : self.position + self.length]
        return "".join(token.text + token.whitespace for token in tokens[:-1]) + tokens[-1].text


class Span(NamedTuple):
    """Characters ``[start, end)`` of a text that are an identifier of the class ``label``."""

    start: int
    end: int
    label: str
    kind: Kind


class Strength(IntEnum):
    """Evidence for a match, strongest first; the stronger of two overlapping matches wins.

    ``CHECKED``: its check digits are right, or it is a day of the calendar. ``NAMED``: an adjacent
    word says what it is (*Policy No.*). ``LIKELY``: its one check digit is right, but one in ten or
    twenty of all numbers of its plain form passes that check. ``SHAPED``: it has the form of an
    identifier.
    """

    CHECKED = 0
    NAMED = 1
    LIKELY = 2
    SHAPED = 3


class Detection(NamedTuple):
    """Characters ``[start, end)`` of a text that a detector takes for one identifier.

    Without ``parts`` it is replaced as a whole, as one ``Span`` of the class ``label``. With
    ``parts`` each part is replaced by itself and the rest is not touched: the month of a date is
    translated, its day and year are not.
    """

    start: int
    end: int
    label: str
    strength: Strength
    parts: tuple[Span, ...] = ()


DrawLike = Callable[[str, int, Random], str]
"""Type of ``(text, longer, rng)``: draws a surrogate like ``text``, ``longer`` characters longer.
"""


class Detector(ABC):
    """Base class of detectors that read raw text; a result depends on the text alone.

    ``order``: of two equal detections that of the detector with the lower number is kept.
    ``signs``: patterns of which at least one matches in every text that the detector finds
    something in; None makes it read every text. ``signs_without_digits``: the same for texts
    without a digit, which most texts are; None means ``signs``. ``classes``: the report class of
    each label that ``data/identifiers/classes.toml`` does not have. ``surrogates``: functions that
    draw surrogates for a label, where random digits and letters would not look like the original.
    ``blind``: labels whose surrogates ignore the text and are drawn from all possible values.
    """

    order: int = 100
    signs: tuple[re.Pattern[str], ...] | None = None
    signs_without_digits: tuple[re.Pattern[str], ...] | None = None
    classes: ClassVar[Mapping[str, IdentifierClass]] = MappingProxyType({})
    surrogates: ClassVar[Mapping[str, DrawLike]] = MappingProxyType({})
    blind: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def find(self, text: str) -> Iterable[Detection]:
        """Yield the identifiers of ``text``, in any order; they may overlap."""

    def may_find(self, text: str, *, has_digits: bool = True) -> bool:
        """Return True unless the signs rule out that ``text`` has such an identifier."""
        signs = self.signs if has_digits else self.signs_without_digits
        if signs is None and (signs := self.signs) is None:
            return True
        for sign in signs:  # noqa: SIM110 # a generator takes twice the time, of every text
            if sign.search(text):
                return True
        return False


def kind_of(text: str) -> Kind:
    """Return CODE for an identifier with letters, NUMBER for one without."""
    return Kind.CODE if any(map(str.isalpha, text)) else Kind.NUMBER


def token_positions(identifiers: Iterable[Identifier]) -> frozenset[int]:
    """Return the positions of all tokens that are part of one of ``identifiers``."""
    ranges = [
        range(identifier.position, identifier.position + identifier.length)
        for identifier in identifiers
    ]
    return frozenset(chain.from_iterable(ranges))


def resolve(detections: Iterable[Detection]) -> list[Detection]:
    """Select the detections to keep, in the order of the text; none overlaps another.

    The stronger wins, then the longer, then the one given first. One that an adjacent
    word names is widened to the longest shape around it.
    """
    whole = list(detections)
    shaped = [candidate for candidate in whole if candidate.strength > Strength.NAMED]
    for index, detection in enumerate(whole):
        if detection.strength is Strength.NAMED and not detection.parts:
            around = [
                candidate
                for candidate in shaped
                if candidate.start <= detection.start and detection.end <= candidate.end
            ]
            longest = max(around, key=lambda shape: shape.end - shape.start, default=detection)
            whole[index] = detection._replace(start=longest.start, end=longest.end)
    standing: list[Detection] = []
    for candidate in sorted(
        whole, key=lambda detection: (detection.strength, detection.start - detection.end)
    ):
        index = bisect_left(standing, candidate.start, key=attrgetter("start"))
        after = standing[index : index + 1]
        before = standing[index - 1 : index] if index else []
        if not any(
            candidate.start < other.end and other.start < candidate.end
            for other in [*before, *after]
        ):
            standing.insert(index, candidate)
    return standing
