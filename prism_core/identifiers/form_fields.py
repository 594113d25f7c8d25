"""Names in form fields and letters: the words after a field label or a greeting.

*Médico: Ana Notario Barba*, *apellidos: de la cruz bueno*, *Atentamente, Rosa Blanco*: the label
identifies names that are ordinary words, also in small letters.

Entry: ``FormFieldNames.find``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from prism_core.identifiers.name_words import PARTICLES, names_that_are_words
from prism_core.languages import Language, read_words

_MOST_WORDS = 7
_MOST_IN_SMALL = 4
"""Most words of a name in small letters, particles aside; more of them are a sentence."""
_MOST_OF_LABEL = 4
# *Dra.*, *Barba*, *Jean-Luc*, *O'Hara*.
_MAY_BE_NAME = re.compile(r"[^\W\d_]{1,3}\.|[^\W\d_]+(?:[-'’.][^\W\d_]+)*")
_MAY_STAND_BETWEEN = frozenset(".,:")


class FormFieldNames:
    """Finder of names in form fields; it finds nothing in a language that lists no fields."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._name_fields, self._person_fields = words.name_fields, words.person_fields
        self._greetings, self._honorifics = words.greetings, words.honorifics
        last = {field.split()[-1] for field in words.person_fields}
        self._labels = frozenset(last | words.name_fields | words.greetings if last else ())
        nobody = (language.plain, language.role_words) if last else ()
        self._nobody = [read_words(words) for words in nobody]
        self._also_words = names_that_are_words(language) if last else frozenset()

    def find(self, words: Sequence[str], lower: Sequence[str]) -> set[int]:
        """Return the positions of names in ``words``.

        ``lower`` are the words in small letters, without full stops.
        """
        if self._labels.isdisjoint(lower):
            return set()
        labels = [position for position, word in enumerate(lower) if word in self._labels]
        return {index for label in labels for index in self._find_names(words, lower, label)}

    def _find_names(self, words: Sequence[str], lower: Sequence[str], label: int) -> Iterator[int]:
        is_for_names = lower[label] in self._name_fields
        if is_for_names and ":" in words[label + 1 : label + 1 + _MOST_OF_LABEL]:
            label = words.index(":", label) - 1  # *nombre del paciente:*
        first = label + 1
        while first < len(words) and (words[first] in _MAY_STAND_BETWEEN or words[first].isspace()):
            first += 1
        greets = lower[label] in self._greetings
        run = _find_run(words, lower, first, is_field=not greets)
        run = [index for index in run if lower[index] not in self._honorifics] or [
            index
            for index in run
            if lower[index] in self._also_words  # *Kläger: Herr*
        ]
        if greets:
            yield from (
                index for index in run if words[index].istitle() and self._may_be_met(lower[index])
            )
        if not run or ":" not in words[label + 1 : first]:
            return
        phrases = {lower[label], " ".join(lower[max(0, label - 1) : label + 1])}
        if is_for_names or not phrases.isdisjoint(self._person_fields):
            yield from takewhile(lambda index: not words[index].islower(), run)
        ends = not "".join(words[run[-1] + 1 :])[:1].isalnum()
        is_small = (
            ends and len(run) <= _MOST_IN_SMALL and all(words[index].islower() for index in run)
        )
        if is_for_names and is_small:
            yield from run

    def _may_be_met(self, word: str) -> bool:
        """Return True for a word that is a name too, or neither a role nor a plain word."""
        return word in self._also_words or not any(word in words for words in self._nobody)


def _find_run(
    words: Sequence[str], lower: Sequence[str], first: int, *, is_field: bool
) -> Sequence[int]:
    """Return the positions from ``first`` on that may be one name, particles aside.

    In a field the label of the next field is left out.
    """
    last = first
    while last < min(len(words), first + _MOST_WORDS) and _MAY_BE_NAME.fullmatch(words[last]):
        last += 1
    if is_field and last < len(words) and words[last] == ":":
        last -= 1
        while last > first and lower[last - 1] in PARTICLES:
            last -= 2
    return [index for index in range(first, last) if lower[index] not in PARTICLES]
