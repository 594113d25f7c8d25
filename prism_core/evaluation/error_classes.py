"""Errors of a decoded translation, word by word, counted by rules.

y_pri is compared with T(x_pri): what T makes of the sentence itself is taken for right, so its own
mistakes do not count, and a fair paraphrase of it does. No rule knows a language. How far they are
to be trusted is measured with planted errors (``benchmarks/planted.py``), and read by eye in
docs/evaluation.md.

Entry: ``errors_of``, for one sentence; ``classes_of`` aligns both translations, ``_error`` names
what is wrong with a pair of words. ``count_untranslated`` counts apart what is left in the source.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from prism_core.dictionary import common_start, without_accents
from prism_core.evaluation.surviving import LANGUAGE, GoldNames
from prism_core.privacy_score import words

_TOKEN = re.compile(r"\w+(?:[-'’.,:/]\w+)*")
_SHORT = 4
"""Letters up to which two words share a stem if half of their letters are alike: el, la."""
_STEM = 0.6
"""Share of the longer word that two words of one stem share at the start; at least three letters.
"""


class ErrorClass(StrEnum):
    """Class of an error of a word."""

    AGREEMENT = "agreement"
    """Right word in another form: gender, number, tense, article."""
    UNTRANSLATED = "untranslated"
    """Word of the source language that T translates."""
    LOST = "lost"
    """Missing word."""
    DUPLICATED = "duplicated"
    """Word that is repeated once too often."""
    ADDED = "added"
    """Extra word that is no repetition."""
    NAME = "name"
    """Name that is missing or different."""
    NUMBER = "number"
    """Number that is missing or different."""
    CASE = "case"
    """Right word with another letter case."""
    ORDER = "order"
    """Right word in another place."""
    OTHER_WORD = "other-word"
    """Other word: a synonym, or a wrong one."""


ERRORS = tuple(f"error_{error.value}" for error in ErrorClass)
"""Columns of a tally."""


def errors_of(private: str, text: str, direct: str, names: GoldNames) -> Counter[str]:
    """Count errors of ``text`` (y_pri of ``private``) against ``direct``, by ``ERRORS``."""
    if text == direct:
        return Counter()
    found = classes_of(private, text, direct, names)
    return Counter({f"error_{error.value}": count for error, count in found.items()})


def classes_of(private: str, text: str, direct: str, names: GoldNames) -> Counter[ErrorClass]:
    """Count the same errors by class."""
    right, got = _TOKEN.findall(direct), _TOKEN.findall(text)
    source = _Source(
        names=frozenset(name.casefold() for name in names.within(private)),
        content=frozenset(w for w in words(private) if is_content(w)) - set(words(direct)),
    )
    matcher = SequenceMatcher(
        None, [w.casefold() for w in right], [w.casefold() for w in got], autojunk=False
    )
    pairs = [
        pair
        for _, i1, i2, j1, j2 in matcher.get_opcodes()
        for pair in _pair(right[i1:i2], got[j1:j2])
    ]
    lost = Counter(
        wanted.casefold() for wanted, other in pairs if other is None and wanted is not None
    )
    added = Counter(
        other.casefold() for wanted, other in pairs if wanted is None and other is not None
    )
    moved = lost & added
    present = Counter(map(str.casefold, right))
    errors: Counter[ErrorClass] = Counter({ErrorClass.ORDER: moved.total()})
    for wanted, other in _drop_moved(moved, pairs):
        error = _error(wanted, other, source, present)
        if error is not None:
            errors[error] += 1
    return +errors


Pair = tuple[str | None, str | None]
"""Word of T(x_pri) and the word of y_pri that stands for it; None where there is none."""


def _drop_moved(moved: Counter[str], pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Drop from ``pairs`` the words that are only in another place: each on both sides."""
    lost, added = moved.copy(), moved.copy()
    for wanted, other in pairs:
        left, word = (lost, wanted) if other is None else (added, other)
        if (wanted is None or other is None) and word is not None and left[word.casefold()] > 0:
            left[word.casefold()] -= 1
        else:
            yield wanted, other


@dataclass(frozen=True, slots=True)
class _Source:
    """Source side of the rules: its names, and its words that T translates."""

    names: frozenset[str]
    content: frozenset[str]


def _error(
    right: str | None, got: str | None, source: _Source, present: Counter[str]
) -> ErrorClass | None:
    """Name the error where ``got`` stands for ``right``; None if there is none."""
    if right == got or (got is not None and got.casefold() in source.names):
        return None  # a name as the source has it is right, whatever T makes of it
    if got is not None and right is not None and right.casefold() == got.casefold():
        return ErrorClass.CASE
    wanted = right or ""
    if wanted.casefold() in source.names:
        return ErrorClass.NAME
    if any(c.isdigit() for c in wanted):
        return ErrorClass.NUMBER
    if got is None:
        return ErrorClass.LOST
    if got.lower() in source.content:
        return ErrorClass.UNTRANSLATED
    if right is None:
        if any(c.isdigit() for c in got):
            return ErrorClass.NUMBER
        return ErrorClass.DUPLICATED if present[got.casefold()] else ErrorClass.ADDED
    return ErrorClass.AGREEMENT if _share_stem(right, got) else ErrorClass.OTHER_WORD


def _pair(right: Sequence[str], got: Sequence[str]) -> Iterator[Pair]:
    """Pair the words of a stretch that differs: words of one stem together, the others in order."""
    if len(right) == len(got):
        yield from zip(right, got, strict=True)
        return
    left = list(got)
    waiting: list[str] = []
    for word in right:
        partner = next((other for other in left if _share_stem(word, other)), None)
        if partner is None:
            waiting.append(word)
        else:
            left.remove(partner)
            yield word, partner
    common = min(len(waiting), len(left))
    yield from zip(waiting[:common], left[:common], strict=True)
    yield from ((word, None) for word in waiting[common:])
    yield from ((None, word) for word in left[common:])


def _share_stem(word: str, other: str) -> bool:
    """Return True if two words may be forms of one."""
    first, second = without_accents(word.casefold()), without_accents(other.casefold())
    longest = max(len(first), len(second))
    if longest <= _SHORT:
        return SequenceMatcher(None, first, second, autojunk=False).ratio() >= 0.5
    return common_start(first, second) >= max(3, _STEM * longest)


def count_untranslated(
    sentences: Iterable[tuple[str, str, str]], names: Iterable[str] = ()
) -> tuple[int, int]:
    """Count the content words of ``sentences``, and those left in the source language.

    ``sentences`` are triples of private source, translation (y_pri) and direct translation
    (T(x_pri)). A content word of the source is any word but function words, ``names``, single
    letters and what has a digit; it is untranslated when the translation has it and the direct
    translation has it not. So words that both languages write alike do not count, nor does what T
    itself leaves as it was.
    """
    own = {name.lower() for name in names}
    content = left = 0
    for private, translation, direct in sentences:
        wanted = {word for word in words(private) if is_content(word)} - own
        content += len(wanted)
        left += len(wanted & set(words(translation)) - set(words(direct)))
    return content, left


def is_content(word: str) -> bool:
    """Return True if a lower-case ``word`` of the source is a content word."""
    return len(word) > 1 and word.isalpha() and not LANGUAGE.is_function_word(word)
