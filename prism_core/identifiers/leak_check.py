"""Leak check of x_pub before it is sent: it must show nothing that must not leave.

Entry: ``LeakCheck.find_leaks``. In each reading of ``disguises``, which alone knows the disguises,
``_find_own`` looks for the sentence's own identifiers, ``_find_denied`` for what the archive
denies, and ``_NeverSent`` for the user's terms.

The check is independent of how x_pub was made: it reads the finished text, in every way that
``disguises`` knows. After one hit the sentence is encoded again, then withheld. The check is told
one thing about the encoding: the positions of the surrogates and substitutes. Denied forms are not
searched there. A draw that knows nothing of the archive reveals nothing about it; a draw that is
rejected because of the archive would.

The counts of the report are made here too: identifiers that were detected, replaced, and still
visible in the text to be sent.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from prism_core.alignment import Span
from prism_core.identifiers.base import MAIL_DOMAIN, WEB_ADDRESS
from prism_core.identifiers.detectors import detector_classes
from prism_core.identifiers.disguises import (
    LONGEST,
    SHORTEST_SQUASHED,
    SpelledNumbers,
    TextReading,
    list_readings,
)
from prism_core.identifiers.lists import DenyList, IsOrdinary
from prism_core.identifiers.normal_form import normal_forms, normalise, squash
from prism_core.languages import Language
from prism_core.record import Encoded, Fate, Replacement
from prism_core.resources import SHIPPED_IDENTIFIERS
from prism_core.settings import IdentifierClass

_WORD = re.compile(r"\w+")

_SHORTEST_ANYWHERE = 5
"""Fewest characters of a term that is also found inside other words; shorter ones match as words.
"""
_SHORTEST_NUMBER = 3
_PIECE = re.compile(r"[^\W_]+")
_DRAWN = f" {'x' * (LONGEST + 1)} "
"""Mask for surrogates and substitutes where the archive's names are searched: a word too long to be
a name, or a part of one."""
_BETWEEN = r"[\W_]*"


@dataclass(frozen=True, slots=True)
class Leaks:
    """Identifiers that a text shows. Secret.

    ``own`` are indexes into the list of the sentence's own identifiers, ``denied`` words that the
    archive denies, and ``never_sent`` tells if a never-send term of the user occurs.
    """

    own: tuple[int, ...] = ()
    denied: tuple[str, ...] = ()
    never_sent: bool = False

    def __bool__(self) -> bool:
        return bool(self.own or self.denied or self.never_sent)


class LeakCheck:
    """Leak check for texts in ``language``; ``never`` are the user's never-send terms."""

    def __init__(self, language: Language, never: Iterable[str] = ()) -> None:
        self._language = language
        self._numbers = SpelledNumbers(language)
        terms = list(never)
        self._never = _NeverSent(terms, self._numbers) if terms else None
        # Grammar that looks like a word once the apostrophe is gone: *don't* is no Don.
        self._contraction = re.compile(language.words.contraction, re.IGNORECASE)

    def shows_never_sent(self, text: str) -> bool:
        """Return True if ``text`` shows a never-send term of the user, in any spelling."""
        never = self._never
        return never is not None and any(map(never.is_in, list_readings(text, self._numbers)))

    def find_leaks(
        self,
        text: str,
        own: Sequence[str],
        deny_list: DenyList,
        is_ordinary: IsOrdinary,
        drawn: Sequence[Span] = (),
        blind: Sequence[str] = (),
    ) -> Leaks:
        """Return the identifiers that ``text`` shows; it may be sent if there are none.

        ``own`` are the identifiers of this sentence, which may occur nowhere in the text. ``blind``
        are those whose surrogates are drawn from all possible values, the original included. They
        and the denied forms must not occur outside ``drawn``, the spans that were drawn without
        knowledge of them. For a text without its record the whole text counts. ``is_ordinary`` is
        True for words that count only with the capital they were denied with (dictionary words and
        function words). The reserved domain of surrogate addresses is public, even if the archive
        contains it.
        """
        ends, starts = [0, *(end for _, end in drawn)], [*(start for start, _ in drawn), len(text)]
        outside = (text[end:start] for end, start in zip(ends, starts, strict=True))
        kept_readings = self._list_readings(_DRAWN.join(outside))
        places = {index for reading in kept_readings for index in self._find_own(reading, blind)}
        if own:
            places.update(
                index
                for reading in self._list_readings(text)
                for index in self._find_own(reading, own)
            )
        denied = (self._find_denied(reading, deny_list, is_ordinary) for reading in kept_readings)
        return Leaks(
            own=tuple(sorted(places)),
            denied=tuple(dict.fromkeys(chain.from_iterable(denied))),
            never_sent=self.shows_never_sent(text),
        )

    def _list_readings(self, text: str) -> list[TextReading]:
        """Return the readings of ``text`` without public domains and contractions."""
        text = text.replace(MAIL_DOMAIN, " ").replace(WEB_ADDRESS, " ")
        if "'" in text or "’" in text:
            text = self._contraction.sub(" ", text)
        return list_readings(text, self._numbers)

    def _find_denied(
        self, reading: TextReading, deny_list: DenyList, is_ordinary: IsOrdinary
    ) -> Iterator[str]:
        """Yield the denied forms in ``reading``, first the words as they stand in it."""
        words, forms = reading.words, reading.forms
        for index in deny_list.find(words, is_ordinary, self._language, forms):
            yield words[index]
        yield from deny_list.find_split_forms(reading.run_together, words, is_ordinary)
        if together := reading.put_together:
            for index in deny_list.find(together, is_ordinary, self._language):
                yield together[index]
        if reading.numbers:
            yield from deny_list.match_numbers(reading.numbers)

    def _find_own(self, reading: TextReading, own: Sequence[str]) -> Iterator[int]:
        """Yield the indexes in ``own`` of identifiers in ``reading``, as words or run together."""
        words = {*reading.forms, *normal_forms(reading.put_together)} if own else set()
        is_kept = self._language.is_function_word
        for index, form in enumerate(own):
            parts = set(normal_forms([part for part in _WORD.findall(form) if not is_kept(part)]))
            short = squash(form)
            if len(short) >= SHORTEST_SQUASHED:
                is_run_together = short in reading.squashed
            else:
                is_run_together = len(short) > 1 and any(short in r for r in reading.run_together)
            if (
                (parts and parts <= words)
                or (form and not short and form in reading.text)
                or is_run_together
                or (not short.isalpha() and reading.shows_number(short))
            ):
                yield index


class _NeverSent:
    """Never-send terms of the user.

    Each counts in any letter case, spacing, punctuation and look, across words.
    """

    def __init__(self, terms: Iterable[str], numbers: SpelledNumbers) -> None:
        spellings: set[str] = set()
        for term in terms:
            pieces = normal_forms(_PIECE.findall(term))
            spellings.add(squash(term))
            if not numbers.words.isdisjoint(pieces):  # in digits too if it spells a number
                digits = "".join(numbers.replace_number_words(pieces))
                least = _SHORTEST_NUMBER if digits.isdigit() else _SHORTEST_ANYWHERE
                spellings |= {digits} if len(digits) >= least else set()
        spellings -= {""}
        self._anywhere = tuple(sorted(s for s in spellings if len(s) >= _SHORTEST_ANYWHERE))
        short = sorted(s for s in spellings if len(s) < _SHORTEST_ANYWHERE)
        self._short = frozenset(short)
        apart = "|".join(_BETWEEN.join(map(re.escape, term)) for term in short)
        self._apart = re.compile(rf"(?<![^\W_])(?:{apart})(?![^\W_])") if short else None

    def is_in(self, reading: TextReading) -> bool:
        """Return True if ``reading`` shows one of the terms."""
        if any(map(reading.squashed.__contains__, self._anywhere)):
            return True
        if self._apart is not None and self._apart.search(normalise(reading.text)):
            return True
        words = set(normal_forms(reading.put_together)) | reading.numbers
        if words and not self._short.isdisjoint(words):
            return True
        runs = {reading.digits_joined, *(word for word in words if len(word) > 4)}
        return any(term in run for run in runs for term in self._anywhere)


def class_of(label: str) -> IdentifierClass:
    """Return the class that a detector's ``label`` counts in; ``OTHER`` for an unknown label."""
    return _read_classes().get(label, IdentifierClass.OTHER)


@cache
def _read_classes() -> Mapping[str, IdentifierClass]:
    """Read the classes of labels; what the data states is not left to a detector."""
    found: dict[str, IdentifierClass] = {}
    for detector in detector_classes():
        found = {**detector.classes, **found}
    stated = tomllib.loads((SHIPPED_IDENTIFIERS / "classes.toml").read_text(encoding="utf-8"))
    for name, labels in stated.items():
        found |= dict.fromkeys(labels.split(), IdentifierClass[name])
    return found


def list_identifiers(encoded: Encoded) -> list[Replacement]:
    """Return the replacements of identifiers, in order; none for a withheld sentence."""
    return [
        replacement
        for replacement in encoded.record
        if encoded.fates[replacement.position] is Fate.IDENTIFIER
    ]


def count_detected(encoded: Encoded) -> Counter[IdentifierClass]:
    """Count the identifiers that were recognised."""
    return Counter(map(class_of, encoded.labels))


def count_replaced(encoded: Encoded) -> Counter[IdentifierClass]:
    """Count the identifiers that have a surrogate in the text that may be sent."""
    pairs = zip(encoded.labels, list_identifiers(encoded), strict=False)  # none when withheld
    return Counter(class_of(label) for label, _ in pairs)


def count_remaining(encoded: Encoded, leaks: Leaks) -> Counter[IdentifierClass]:
    """Count the identifiers that the leak check found in the text to be sent.

    Surrogates never count: they are drawn without knowledge of the archive (see ``LeakCheck``). A
    denied word without a class counts as a name, or as other if it has digits.
    """
    identifiers = list_identifiers(encoded)
    counts = Counter(class_of(encoded.labels[index]) for index in leaks.own)
    accounted = {
        form for index in leaks.own for form in normal_forms(_WORD.findall(identifiers[index].word))
    }
    for word, form in zip(leaks.denied, normal_forms(leaks.denied), strict=True):
        if form not in accounted:
            number = any(map(str.isdigit, word))
            counts[IdentifierClass.OTHER if number else IdentifierClass.NAME] += 1
    if leaks.never_sent and not counts:
        counts[IdentifierClass.OTHER] += 1
    return counts
