"""What detectors find, what a detector is, and which of several matches stands.

Entry: a ``Detector`` gives each ``Match`` of a text, ``resolve`` says which of them stand;
each becomes a ``Span`` of the text, then an ``Identifier`` of the sentence.
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
"""What surrogate addresses end or begin with: a domain reserved for examples (RFC 2606)."""


class Identifier(NamedTuple):
    """Tokens ``[position, position + length)`` of a sentence name someone or something.

    ``label`` is the class the report counts (``PERSON``, ``NUMBER``, ``EMAIL`` …), ``kind`` how a
    surrogate of it is undone.
    """

    position: int
    length: int
    label: str
    kind: Kind

    def text_in(self, sentence: Sentence) -> str:
        """Its text as the source of ``sentence`` has it, inner white space included."""
        if self.length == 1:
            return sentence.tokens[self.position].text
        tokens = sentence.tokens[self.position : self.position + self.length]
        return "".join(token.text + token.whitespace for token in tokens[:-1]) + tokens[-1].text


class Span(NamedTuple):
    """Characters ``[start, end)`` of a text are an identifier of the class ``label``."""

    start: int
    end: int
    label: str
    kind: Kind


class Strength(IntEnum):
    """What speaks for a match, the strongest first: of two that overlap the stronger wins.

    ``CHECKED``: its check digits are right, or it is a day of the calendar. ``NAMED``: a word
    beside it says what it is (*Policy No.*). ``LIKELY``: its one check digit is right, but so is
    that of one in ten or twenty of all numbers of its plain form. ``SHAPED``: it looks like one.
    """

    CHECKED = 0
    NAMED = 1
    LIKELY = 2
    SHAPED = 3


class Match(NamedTuple):
    """A detector takes ``[start, end)`` of a text for one identifier.

    It is replaced as a whole, as one ``Span`` of the class ``label``; if ``parts`` are given, each
    of these is replaced by itself and the rest of it is not touched: the month of a date is
    translated, its day and year are not.
    """

    start: int
    end: int
    label: str
    strength: Strength
    parts: tuple[Span, ...] = ()


DrawLike = Callable[[str, int, Random], str]
"""``(text, longer, rng)``: a surrogate like ``text``, or like one of ``longer`` more characters."""


class Detector(ABC):
    """Reads a text alone: what it finds may depend on nothing else. To be subclassed.

    ``order``: of two matches alike that of the detector with the lower number stands.
    ``signs``: every text in which it finds something has a match of one of these; None when it is
    to be asked about every text. ``signs_without_digits``: the same for texts that have no digit,
    as most have none; None for ``signs``. ``classes`` are those that its labels are counted in;
    ``surrogates`` draw what stands for identifiers of a label, where digits and letters by chance
    would not look like it; ``blind`` are the labels for which these read nothing of the text, and
    are drawn from all there are.
    """

    order: ClassVar[int] = 100
    signs: tuple[re.Pattern[str], ...] | None = None
    signs_without_digits: tuple[re.Pattern[str], ...] | None = None
    classes: ClassVar[Mapping[str, IdentifierClass]] = MappingProxyType({})
    surrogates: ClassVar[Mapping[str, DrawLike]] = MappingProxyType({})
    blind: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def find(self, text: str) -> Iterable[Match]:
        """The identifiers of ``text``, in any order; they may overlap."""

    def may_find(self, text: str, *, has_digits: bool = True) -> bool:
        """Whether ``text`` has one of the signs; without one there is nothing to find."""
        signs = self.signs if has_digits else self.signs_without_digits
        if signs is None and (signs := self.signs) is None:
            return True
        for sign in signs:  # noqa: SIM110 # a generator takes twice the time, of every text
            if sign.search(text):
                return True
        return False


def kind_of(text: str) -> Kind:
    """How a surrogate of an identifier with digits is undone: letters in it make it a code."""
    return Kind.CODE if any(map(str.isalpha, text)) else Kind.NUMBER


def token_positions(identifiers: Iterable[Identifier]) -> frozenset[int]:
    """The places of all tokens that are part of one of ``identifiers``."""
    ranges = [
        range(identifier.position, identifier.position + identifier.length)
        for identifier in identifiers
    ]
    return frozenset(chain.from_iterable(ranges))


def resolve(matches: Iterable[Match]) -> list[Match]:
    """Those of ``matches`` that stand, in the order of the text, none overlapping another.

    The stronger wins, then the longer, then the one that was given first. A word beside a shape
    names all of it.
    """
    found = list(matches)
    shaped = [candidate for candidate in found if candidate.strength > Strength.NAMED]
    whole = [_widen_to_shape(candidate, shaped) for candidate in found]
    standing: list[Match] = []
    for candidate in sorted(whole, key=lambda match: (match.strength, match.start - match.end)):
        index = bisect_left(standing, candidate.start, key=attrgetter("start"))
        after = standing[index : index + 1]
        before = standing[index - 1 : index] if index else []
        if not any(
            candidate.start < other.end and other.start < candidate.end
            for other in [*before, *after]
        ):
            standing.insert(index, candidate)
    return standing


def _widen_to_shape(match: Match, shaped: Iterable[Match]) -> Match:
    """``match``, or if a word names it, as much as the longest shape it is a part of."""
    if match.strength is not Strength.NAMED or match.parts:
        return match
    around = [
        candidate
        for candidate in shaped
        if candidate.start <= match.start and match.end <= candidate.end
    ]
    if not around:
        return match
    longest = max(around, key=lambda candidate: candidate.end - candidate.start)
    return match._replace(start=longest.start, end=longest.end)
