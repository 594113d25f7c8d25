"""Negation, modality and sides of a sentence, compared with those of its translation.

*Right* is also *correct* and *left* also *went away*, so a translator that lacks the context loses
a side, which harms a patient.

Words are counted, by what the languages' data list, and no sentence is parsed. A word is *sure*
where it always says its class, and *related* where it may: *unable* may translate *cannot*, so it
accounts for a negation that is missing beside it. What is left is a reason to have a person look.

Entry: ``find_changes`` -> ``PolarityWords.count`` for each class, on both sides.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pydantic import TypeAdapter

from prism_core.alignment import Span
from prism_core.resources import SHIPPED_LANGUAGES

_REACH = 6
"""Largest number of words between a negation and another word of the same one: *no ... nada*."""


class Change(StrEnum):
    """Kind of change between a sentence and its translation, as the report names it."""

    NEGATION = "negation-changed"
    MODALITY = "modality-changed"
    SIDE = "side-changed"


def find_changes(text: str, translation: str, source: str, target: str) -> frozenset[Change]:
    """Compare negations, modal verbs and sides of both; none in a language without data."""
    asking, writing = load_polarity(source), load_polarity(target)
    if asking is None or writing is None:
        return frozenset()
    changes = set()
    asked, written = asking.negations(text), writing.negations(translation)
    if not (asked.explains(written) and written.explains(asked)):
        changes.add(Change.NEGATION)
    counted = {
        Change.MODALITY: (asking.modals(text), writing.modals(translation)),
        Change.SIDE: (asking.sides(text), writing.sides(translation)),
    }
    for change, (theirs, ours) in counted.items():
        pairs = [(theirs[name], ours[name]) for name in theirs]
        if any((a.sure and not b.total) or (b.sure and not a.total) for a, b in pairs):
            changes.add(change)
    return frozenset(changes)


class Count(NamedTuple):
    """Number of sure words of a class, and of related ones, in one text."""

    sure: int
    related: int

    @property
    def total(self) -> int:
        """Number of all of them."""
        return self.sure + self.related

    def explains(self, other: Count) -> bool:
        """Return False if the other side, ``other``, has more sure words than can be."""
        return other.sure <= self.sure + max(0, self.related - other.related)


@dataclass(frozen=True, slots=True)
class PolarityWords:
    """Words of one class in one language, as regular expressions.

    ``words`` are sure, ``related`` ones are not. ``apart`` are phrases with a sure word that say
    something else, ``phrases`` those that are only related. The rest is of negation: ``companions``
    repeat a negation that stands before them and are one by themselves where none does. ``joining``
    words continue one (*nor*). ``particles`` are half a negation, which a companion completes;
    ``leading`` companions may stand before them, and ``alone`` ones without them.
    """

    words: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    joining: tuple[str, ...] = ()
    particles: tuple[str, ...] = ()
    leading: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()

    def count(self, text: str) -> Count:
        """Count the words in ``text``; a repeated negation is a related one."""
        return self._count(_compile(self).finditer(text))

    def count_after(self, text: str, spans: list[Span]) -> Count:
        """Count the words in ``text``, those in ``spans`` as related; add the sure ones there."""
        matches = list(_compile(self).finditer(text))
        sure = [match.span() for match in matches if match.lastgroup == "sure"]
        taken = sum(
            any(start < end_ and start_ < end for start_, end_ in spans) for start, end in sure
        )
        counted = self._count(matches)
        spans += sure
        return Count(counted.sure - taken, counted.related + taken)

    def _count(self, matches: Iterable[re.Match[str]]) -> Count:
        found, repeated = Counter[str | None](), 0
        repeating = re.compile(rf"(?<=\W){_any(self.companions)}(?!\w)", re.IGNORECASE)
        for match in matches:
            found[match.lastgroup] += 1
            if match.lastgroup == "sure" and not self.particles:
                repeated += len(repeating.findall(match[0]))
        sure = found["sure"] or int(found["joining"] > 0)
        return Count(sure, found["related"] + found["phrase"] + repeated)


@cache
def _compile(words: PolarityWords) -> re.Pattern[str]:
    """Return a pattern whose matches are named for what they are; the first alternative wins."""
    plain, companion = _any(words.words), _any(words.companions)
    any_negation = _any((*words.words, *words.companions, *words.particles))
    gap = rf"(?:\s+(?!{any_negation}(?!\w))[^\s.;:!?]+){{0,{_REACH}}}\s+"
    repeated = rf"(?:{gap}{companion}(?!\w))*" if words.companions else ""
    sure = [plain + repeated]
    if words.particles:
        particle, completing = _any(words.particles), _any((*words.companions, *words.words))
        completed = rf"{particle}(?:{gap}{completing}(?!\w))"
        sure = [rf"{_any(words.leading)}{gap}{completed}*", f"{completed}+", *sure]
        sure.append(_any(words.alone))
    elif words.companions:
        sure.append(companion + repeated)
    return re.compile(
        rf"(?<!\w)(?:(?P<apart>{_any(words.apart)})|(?P<phrase>{_any(words.phrases)})"
        rf"|(?P<sure>{'|'.join(sure)})|(?P<joining>{_any(words.joining)})"
        rf"|(?P<related>{_any((*words.related, *words.particles))}))(?:(?<=')|(?!\w))",
        re.IGNORECASE,
    )


def _any(patterns: Sequence[str]) -> str:
    """Return a pattern for any of ``patterns``; one for none never matches."""
    return f"(?:{'|'.join(patterns) or '(?!)'})"


@dataclass(frozen=True)
class Polarity:
    """Words of one language for negation, and for each class of modality and side by its name."""

    negation: PolarityWords
    modality: dict[str, PolarityWords]
    side: dict[str, PolarityWords]

    def negations(self, text: str) -> Count:
        """Count the negations of ``text``."""
        return self.negation.count(self._prepare(text))

    def modals(self, text: str) -> dict[str, Count]:
        """Count the words of each class in ``text``; *must not* is a prohibition alone."""
        prepared, spans = self._prepare(text), list[Span]()
        return {name: words.count_after(prepared, spans) for name, words in self.modality.items()}

    def sides(self, text: str) -> dict[str, Count]:
        """Count the words for each side in ``text``."""
        return {name: words.count(self._prepare(text)) for name, words in self.side.items()}

    def find(self, text: str) -> Iterator[Span]:
        """Yield the places of the words in ``text`` that say a class, in no order."""
        plain = text.replace("’", "'")
        for words in (self.negation, *self.modality.values(), *self.side.values()):
            matches = _compile(words).finditer(plain)
            yield from (match.span() for match in matches if match.lastgroup == "sure")

    def _prepare(self, text: str) -> str:
        """Return ``text`` with one kind of apostrophe, and a blank after elided words."""
        plain = text.replace("’", "'")
        is_elided = any(particle.endswith("'") for particle in self.negation.particles)
        return plain.replace("'", "' ") if is_elided else plain


@cache
def load_polarity(language: str) -> Polarity | None:
    """Load the words of ``language``; None if it has no data."""
    file = SHIPPED_LANGUAGES / "polarity" / f"{language}.toml"
    if not file.exists():
        return None
    return TypeAdapter(Polarity).validate_python(tomllib.loads(file.read_text("utf-8")))
