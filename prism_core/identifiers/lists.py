"""The user's lists: names that are always replaced, and terms that are never sent."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.identifiers.normal_form import normal_forms, normalise
from prism_core.languages import Language

_WORD = re.compile(r"[^\W_]+")
_SPELT = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "ø": "oe", "å": "aa", "æ": "ae"}
)
_SHORTEST_STEM = 3


def read_terms(file: Path | None) -> list[str]:
    """Return the terms of a list, one per line; lines that begin with # are comments.

    None gives the empty list. Raises ``ConfigurationError`` if the file cannot be read or has no
    term: a list that an export left empty would silently protect nobody.
    """
    if file is None:
        return []
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"The list {file} cannot be read; it must be a UTF-8 text file with one term per line."
        ) from None
    terms = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not any(map(str.isalnum, "".join(terms))):
        raise ConfigurationError(
            f"The list {file} contains no term. Write one term per line, or remove the setting."
        )
    return terms


class ListedTerms:
    """Terms of a list: each whole term where its words follow each other, and each of its words.

    Matching ignores case, accents, invisible characters, spelled-out umlauts (*Mueller*), and an
    *s* that grammar adds. A function word within a term (*of* in *Bank of Asia*) counts only as
    part of the whole term. A term that is a function word (*Will*) counts if it has a capital.
    """

    def __init__(self, terms: Iterable[str], language: Language) -> None:
        self._language = language
        self._words: set[str] = set()
        self._with_capital: set[str] = set()
        self._whole: dict[str, list[list[str]]] = defaultdict(list)
        for term in terms:
            for spelt in {term, term.lower().translate(_SPELT)}:
                self._add(_WORD.findall(spelt), spelt.split())

    def _add(self, words: Sequence[str], written: Sequence[str]) -> None:
        forms = normal_forms(words)
        if len(words) > 1:
            self._whole[forms[0]].append(forms)
        elif words and self._language.is_function_word(words[0]):
            self._with_capital.add(forms[0])
        for word in {*words, *written}:
            if not self._language.is_function_word(word) and any(map(str.isalnum, word)):
                self._words.add(normalise(word))

    def __contains__(self, word: object) -> bool:
        """Return True if ``word`` by itself is a term or a word of one."""
        if not isinstance(word, str):
            return False
        form = normalise(word)
        return self._has_form(form) or (form in self._with_capital and not word.islower())

    def _has_form(self, form: str) -> bool:
        if form in self._words:
            return True
        return any(
            form.endswith(ending)
            and len(stem := form.removesuffix(ending)) >= _SHORTEST_STEM
            and stem in self._words
            for ending in self._language.words.name_endings
        )

    def find(self, words: Sequence[str]) -> set[int]:
        """Return the indexes of listed words, alone or as part of a whole term."""
        found = {index for index, word in enumerate(words) if word in self}
        if self._whole:
            for index, form in enumerate(normal_forms(words)):
                for term in self._whole.get(form, ()):
                    found |= _match_term(words, index, term)
        return found


def _match_term(words: Sequence[str], index: int, term: Sequence[str]) -> set[int]:
    """Return the indexes of the words that spell ``term`` from ``index`` on, marks aside."""
    taken: list[int] = []
    while len(taken) < len(term) and index < len(words):
        parts = normal_forms(_WORD.findall(words[index]))
        if parts and parts != list(term[len(taken) : len(taken) + len(parts)]):
            return set()
        taken += [index] * len(parts)
        index += 1
    return set(taken) if len(taken) == len(term) else set()
