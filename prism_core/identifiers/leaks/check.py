"""The last look before anything is sent: does x_pub show something that may not leave?

Entry: ``LeakCheck.leaks`` and ``shown``; they look for the sentence's own identifiers, what the
archive denies and the user's terms in each of ``readings``, which alone knows the disguises.

Independent of how x_pub was made: it reads the finished text alone, in every way that
``readings`` knows. One hit and the sentence is encoded again, then withheld.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from prism_core.identifiers.base import MAIL_DOMAIN, WEB_ADDRESS
from prism_core.identifiers.leaks.deny_list import DenyList, IsOrdinary
from prism_core.identifiers.leaks.readings import Reader, Reading
from prism_core.identifiers.normal_form import normal_forms, normalise, squash
from prism_core.languages import Language

SHORTEST_SQUASHED = 5
"""Shorter forms are compared as words only: three letters run together occur by chance."""
SHORTEST_SPELLED = 3
"""Digits of a number that counts when it is spelled out: *two* is in every other sentence."""
_WORD = re.compile(r"\w+")
_LOOK_OF_DIGITS = str.maketrans("oil", "011")
_SHORTEST_ANYWHERE = 5
"""Letters and digits of a term that is found inside other words too; shorter ones as words."""
_SHORTEST_NUMBER = 3
_PIECE = re.compile(r"[^\W_]+")
_BETWEEN = r"[\W_]*"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a text shows: places in the list of the sentence's own identifiers, words that the
    archive denies, and whether one of the terms is there that the user never sends. Secret."""

    own: tuple[int, ...] = ()
    denied: tuple[str, ...] = ()
    never_sent: bool = False


class LeakCheck:
    """Looks at texts in ``language``; ``never`` are the user's terms that may not be sent in any
    spelling."""

    def __init__(self, language: Language, never: Iterable[str] = ()) -> None:
        self._language = language
        self._reader = Reader(language)
        self._never = _NeverSent(never, self._reader)
        # Grammar that looks like a word once the apostrophe is gone: *don't* is no Don.
        self._contraction = re.compile(language.words.contraction, re.IGNORECASE)

    def shows_never_sent(self, text: str) -> bool:
        """Whether ``text`` shows one of the user's never-send terms, however it is written."""
        return bool(self._never) and any(map(self._never.is_in, self._reader.readings(text)))

    def leaks(
        self, text: str, own: Sequence[str], deny_list: DenyList, is_ordinary: IsOrdinary
    ) -> bool:
        """Whether ``text`` shows an identifier.

        ``own`` are the identifiers of this very sentence; ``is_ordinary`` tells words that count
        only with the capital they were denied with (dictionary words and function words). The
        reserved domain of surrogate addresses is public, whatever the archive calls its own.
        """
        for reading in self._reader.readings(self._looked_at(text)):
            if self._shows_denied(reading, deny_list, is_ordinary) or self._shows_own(reading, own):
                return True
        return self.shows_never_sent(text)

    def shown(
        self, text: str, own: Sequence[str], deny_list: DenyList, is_ordinary: IsOrdinary
    ) -> Shown:
        """What of all this ``text`` shows; nothing exactly when ``leaks`` says that it does not."""
        all_readings = self._reader.readings(self._looked_at(text))
        denied = (self._denied(one, deny_list, is_ordinary) for one in all_readings)
        return Shown(
            own=tuple(
                place
                for place, form in enumerate(own)
                if any(self._shows_own(reading, [form]) for reading in all_readings)
            ),
            denied=tuple(dict.fromkeys(chain.from_iterable(denied))),
            never_sent=self.shows_never_sent(text),
        )

    def _looked_at(self, text: str) -> str:
        """``text`` without what is public or grammar."""
        for public in (MAIL_DOMAIN, WEB_ADDRESS):
            text = text.replace(public, " ")
        return self._contraction.sub(" ", text) if "'" in text or "’" in text else text

    def _denied(
        self, reading: Reading, deny_list: DenyList, is_ordinary: IsOrdinary
    ) -> Iterator[str]:
        """What ``_shows_denied`` sees."""
        for words in (reading.words, reading.put_together):
            yield from (
                words[place] for place in deny_list.hits(words, is_ordinary, self._language)
            )
        yield from deny_list.split(reading.run_together, reading.words, is_ordinary)
        yield from deny_list.numbers_among(reading.numbers)

    def _shows_denied(self, reading: Reading, deny_list: DenyList, is_ordinary: IsOrdinary) -> bool:
        words = reading.words
        return bool(
            deny_list.hits_of(reading.forms, words, is_ordinary, self._language)
            or any(deny_list.split(reading.run_together, words, is_ordinary))
            or (
                reading.put_together
                and deny_list.hits(reading.put_together, is_ordinary, self._language)
            )
            or (reading.numbers and deny_list.numbers_among(reading.numbers))
        )

    def _shows_own(self, reading: Reading, own: Sequence[str]) -> bool:
        if not own:
            return False
        words = set(reading.forms)
        if reading.put_together:
            words.update(map(normalise, reading.put_together))
        return any(self._shows_form(reading, words, form) for form in own)

    def _shows_form(self, reading: Reading, words: set[str], form: str) -> bool:
        is_kept = self._language.is_function_word
        parts = {normalise(part) for part in _WORD.findall(form) if not is_kept(part)}
        if parts and parts <= words:
            return True
        short = squash(form)
        if len(short) >= SHORTEST_SQUASHED:
            if short in reading.squashed:
                return True
        elif len(short) > 1 and any(short in runs for runs in reading.run_together):
            return True
        return not short.isalpha() and _shows_number(reading, short)


def _shows_number(reading: Reading, number: str) -> bool:
    """``number`` (squashed) in words, in parts, or with letters that look like digits."""
    if sum(map(str.isdigit, number)) < SHORTEST_SPELLED:
        return False
    if number in reading.numbers:
        return True
    if len(number) < SHORTEST_SQUASHED:
        return False
    alike = number.translate(_LOOK_OF_DIGITS)
    return number in reading.digits_joined or bool(
        reading.compounds and alike in reading.squashed.translate(_LOOK_OF_DIGITS)
    )


class _NeverSent:
    """The user's terms that may never be sent.

    Every one counts in any letter case, spacing, punctuation and look, across words.
    """

    def __init__(self, terms: Iterable[str], reader: Reader) -> None:
        spellings = {one for term in terms for one in _spellings(term, reader)}
        self._anywhere = tuple(sorted(s for s in spellings if len(s) >= _SHORTEST_ANYWHERE))
        short = sorted(s for s in spellings if len(s) < _SHORTEST_ANYWHERE)
        self._short = frozenset(short)
        apart = "|".join(_BETWEEN.join(map(re.escape, term)) for term in short)
        self._apart = re.compile(rf"(?<![^\W_])(?:{apart})(?![^\W_])") if short else None

    def __bool__(self) -> bool:
        return bool(self._anywhere or self._short)

    def is_in(self, reading: Reading) -> bool:
        """Whether ``reading`` shows one of the terms."""
        if any(map(reading.squashed.__contains__, self._anywhere)):
            return True
        if self._apart is not None and self._apart.search(normalise(reading.text)):
            return True
        words = set(normal_forms(reading.put_together)) | reading.numbers
        if words and not self._short.isdisjoint(words):
            return True
        together = {reading.digits_joined, *(word for word in words if len(word) > 4)}
        return any(term in one for one in together for term in self._anywhere)


def _spellings(term: str, reader: Reader) -> set[str]:
    """``term`` squashed, and with digits for the numbers that it spells, if it is a number then."""
    pieces = normal_forms(_PIECE.findall(term))
    found = {squash(term)}
    if not reader.numbers.words.isdisjoint(pieces):
        digits = "".join(reader.numbers.in_digits(pieces))
        if len(digits) >= _SHORTEST_ANYWHERE or (
            digits.isdigit() and len(digits) >= _SHORTEST_NUMBER
        ):
            found.add(digits)
    return found - {""}
