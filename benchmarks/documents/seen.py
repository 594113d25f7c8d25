"""What a reader that shares no code with PRISM saw of a document, and what a translation did to it.

entry: `compare`, of a document before and after; `refused`, of one that was not translated.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated
from benchmarks.documents.words import WORD, in_english, of_english

_FEW: Final = 3
"""Words that a refused file may have."""
_RIGHTLY: Final = ("encrypted", "signed", "other-language", "over-budget", "withheld-by-policy")
"""Why a file is refused whoever reads it."""
_SENTENCE: Final = re.compile(r"(?<=[.!?;:])\s+|\n+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_OF_LOOKS: Final = (
    *("formatting-simplified", "breaks-moved", "renamed", "encoding-changed"),
    *("converted-by-libreoffice", "sentences"),
)
"""Notices that tell of no text that stays."""


@dataclass(frozen=True)
class Seen:
    """``texts``: paragraphs, cells, bodies in order; ``counted``: what is to be there as often.

    ``named``: a language (ISO 639) that is named and the text it is named of, empty for what holds
    of all text. ``looks``: those of the letters of each paragraph. ``exact``: the texts before and
    after are those of the same places.
    """

    texts: tuple[str, ...]
    counted: Counter[str] = field(default_factory=Counter)
    named: tuple[tuple[str, str], ...] = ()
    looks: tuple[frozenset[str], ...] = ()
    exact: bool = False

    @property
    def words(self) -> int:
        """How many words there are in all."""
        return sum(len(WORD.findall(text)) for text in self.texts)


def refused(row: Translated, *readers: Seen | None) -> Iterator[Finding]:
    """A refused file (but ``_RIGHTLY``) in which other readers find more than a few words."""
    readers = () if row.failure in _RIGHTLY else readers
    reading = sum(seen is not None and seen.words > _FEW for seen in readers)
    if reading:
        yield Finding(row.name, f"refused ({row.failure or row.outcome}) with text", 1)
    yield Finding(row.name, "refused although two programs read it", int(reading > 1), of=1)


def compare(row: Translated, before: Seen, after: Seen) -> Iterator[Finding]:
    """All that is found of a document that was written."""
    told = row.outcome == "partly-translated" or any(
        notice.partition(":")[0] not in _OF_LOOKS for notice in row.notices
    )
    yield Finding(row.name, "texts lost", _lost(before, after), told, of=len(before.texts))
    sentences = set(_sentences(before.texts))
    left = sentences.intersection(_sentences(after.texts))
    yield Finding(row.name, "sentences unchanged", len(left), told, of=len(sentences))
    numbers = [Counter(map(_digits, _numbers(seen.texts))) for seen in (before, after)]
    yield Finding(row.name, "numbers lost", (numbers[0] - numbers[1]).total(), told)
    gone = before.counted - after.counted
    yield Finding(row.name, "parts lost", gone.total(), told, of=before.counted.total())
    yield Finding(row.name, "parts added", (after.counted - before.counted).total(), told)
    several = [(a, b) for a, b in zip(before.looks, after.looks, strict=False) if len(a) > 1]
    looks = sum(len(a - b) for a, b in several)
    simpler = row.tells("formatting-simplified")
    yield Finding(row.name, "looks lost", looks, simpler, of=sum(len(a) for a, _ in several))
    changed = set(after.texts) - set(before.texts)
    english = sum(code == "en" and (text in changed or not text) for code, text in after.named)
    yield Finding(row.name, "named as English", english if changed else 0, told)
    english = sum(of_english(text) for text in changed)
    words = sum(len(WORD.findall(text)) for text in changed)
    yield Finding(row.name, "words in the source language", english, told, of=words)


def _lost(before: Seen, after: Seen) -> int:
    """Texts with words that have none in their place; of files without places, all or none."""
    if before.exact and len(before.texts) == len(after.texts):
        pairs = zip(before.texts, after.texts, strict=True)
        return sum(bool(WORD.search(a)) and not WORD.search(b) for a, b in pairs)
    if before.exact:
        return abs(sum(map(_says, before.texts)) - sum(map(_says, after.texts)))
    return int(after.words < before.words / 2)


def _says(text: str) -> bool:
    return WORD.search(text) is not None


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    """Those in English that are more than a name or a label."""
    for text in texts:
        for sentence in _SENTENCE.split(text):
            said = " ".join(sentence.split())
            if in_english(said):
                yield said


def _numbers(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _NUMBER.findall(text)


def _digits(number: str) -> str:
    """``number`` without the marks that languages write differently."""
    return re.sub(r"\D", "", number)
