"""Lists of terms: the user's (always replaced, or never sent), and the archive's deny list.

Entry: ``ListedTerms`` for the user's names; ``DenyList``, by which an identifier that was found in
one sentence is one in all of them; ``defined_terms`` for capitals that a document defines, and that
name nobody.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import NoReturn

from prism_core.errors import ConfigurationError
from prism_core.identifiers.name_contexts import follows_title, is_lone_title
from prism_core.identifiers.normal_form import normal_forms, normalise, squash
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
        spellings = [s for term in terms for s in {term, term.lower().translate(_SPELT)}]
        for spelt in spellings:
            words = _WORD.findall(spelt)
            forms = normal_forms(words)
            if len(words) > 1:
                self._whole[forms[0]].append(forms)
            elif words and language.is_function_word(words[0]):
                self._with_capital.add(forms[0])
            for word in {*words, *spelt.split()}:
                if not language.is_function_word(word) and any(map(str.isalnum, word)):
                    self._words.add(normalise(word))

    def __contains__(self, word: object) -> bool:
        """Return True if ``word`` by itself is a term or a word of one."""
        if not isinstance(word, str):
            return False
        form = normalise(word)
        if form in self._words or (form in self._with_capital and not word.islower()):
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
        for index, form in enumerate(normal_forms(words)) if self._whole else ():
            for term in self._whole.get(form, ()):
                taken, at = list[int](), index
                while len(taken) < len(term) and at < len(words):  # marks aside
                    parts = normal_forms(_WORD.findall(words[at]))
                    if parts and parts != term[len(taken) : len(taken) + len(parts)]:
                        break
                    taken += [at] * len(parts)
                    at += 1
                if len(taken) == len(term):
                    found.update(taken)
        return found


IsOrdinary = Callable[[str], bool]
"""Function that is True for words that count only with the capital they were denied with."""

SHORTEST_RUN_TOGETHER = 4
"""Fewest characters of a form that is also recognised without its hyphens and stops."""
_QUOTES = "“”"


def quote_term(term: str) -> str:
    """Quote ``term`` so that ``DenyList.add`` takes it for a term that the archive defines."""
    return term.join(_QUOTES)


class _HashedTexts:
    """Set of texts of which only 64-bit hashes are kept, in some 20 bytes each, not 90.

    A text that was not added is taken for one that was once in 10^13 questions to a million texts;
    it is then hidden without need. The hashes are Python's own, under a random key of the process.
    ``_filter`` is zero where no hash can be, which rules out most words of a text.
    """

    def __init__(self) -> None:
        self._slots, self._filter = array("q", bytes(64)), bytearray(16)
        self._used = 0

    def add(self, text: str) -> None:
        """Add a text; adding it again changes nothing."""
        self._insert(hash(text) | 1)
        if 4 * self._used > 3 * len(self._slots):
            before, self._slots = self._slots, array("q", bytes(16 * len(self._slots)))
            self._filter, self._used = bytearray(2 * len(self._slots)), 0
            for hashed in filter(None, before):
                self._insert(hashed)

    def _insert(self, hashed: int) -> None:
        place = self._find(hashed)
        self._used += not self._slots[place]
        self._slots[place] = hashed
        self._filter[hashed >> 1 & len(self._filter) - 1] = 1

    def _find(self, hashed: int) -> int:
        """Return the slot that holds ``hashed``, which is odd, else the one to put it into."""
        slots, mask = self._slots, len(self._slots) - 1
        place = hashed >> 1 & mask
        while (held := slots[place]) and held != hashed:
            place = place + 1 & mask
        return place

    def intersection(self, texts: Iterable[str]) -> set[str]:
        """Return those of ``texts`` that were added."""
        may_hold, mask = self._filter, len(self._filter) - 1
        near = [text for text in texts if may_hold[hash(text) >> 1 & mask]]
        return {text for text in near if self._slots[self._find(hash(text) | 1)]}

    def __contains__(self, text: str) -> bool:
        return bool(self.intersection((text,)))

    def __len__(self) -> int:
        return self._used

    def __reduce__(self) -> NoReturn:
        """Refuse to be sent to another process, whose hashes differ: it would deny nothing."""
        raise TypeError("a deny list is made anew in each process")


class DenyList:
    """Set of denied forms, each in normal form and as it was written, as hashes.

    It is secret, since it knows the archive's names. A form in quotes (see ``quote_term``) is
    denied nowhere: it is one of ``terms``, which the archive defines, stored as their words, and
    its capitals are no evidence of a name. ``term_sizes`` are the lengths of terms in words.
    """

    def __init__(self) -> None:
        self._written, self._normal, self._numbers = (_HashedTexts() for _ in range(3))
        self.terms: set[tuple[str, ...]] = set()
        self.term_sizes: set[int] = set()

    def add(self, form: str) -> None:
        """Add a form; adding it again changes nothing."""
        if form[:1] == _QUOTES[0]:
            term = tuple(form.strip(_QUOTES).split())
            self.terms.add(term)
            self.term_sizes.add(len(term))
            return
        self._written.add(form)
        self._normal.add(normalise(form))
        together = squash(form)
        if len(together) >= SHORTEST_RUN_TOGETHER:
            self._normal.add(together)
            if not together.isalpha():
                self._numbers.add(together)

    def __contains__(self, form: object) -> bool:
        return isinstance(form, str) and normalise(form) in self._normal

    def __len__(self) -> int:
        return len(self._written) + len(self.terms)

    def defines(self, words: Sequence[str]) -> bool:
        """Return True if ``words`` are a defined term, or its plural."""
        *before, last = words
        return any(
            (*before, last.removesuffix(ending)) in self.terms
            for ending in ("", "s", "es")
            if last.endswith(ending)
        )

    def match_numbers(self, numbers: Iterable[str]) -> set[str]:
        """Return those of the squashed ``numbers`` that are denied."""
        return self._numbers.intersection(numbers)

    def find(
        self,
        words: Sequence[str],
        is_ordinary: IsOrdinary,
        language: Language,
        forms: Sequence[str] = (),
        names: Set[int] = frozenset(),
    ) -> list[int]:
        """Return the indexes of denied words.

        After a title every known word counts, in any case. A word next to one of ``names``
        (positions) counts too, unless it is a function word in small letters or, before a name, a
        title like *M.*; elsewhere no function word counts. ``forms`` are the normal forms of
        ``words``, if already known.
        """
        forms = forms or normal_forms(words)
        near = self._normal.intersection(forms)
        if not near:
            return []
        is_grammar = language.is_function_word
        return [
            index
            for index, (form, word) in enumerate(zip(forms, words, strict=True))
            if form in near
            and (
                (
                    not is_grammar(word)
                    and ((word in self._written and not word.islower()) or not is_ordinary(word))
                )
                or follows_title(words, index, language)
                or (
                    not names.isdisjoint((index - 1, index + 1 - 2 * is_lone_title(word, language)))
                    and not (word.islower() and is_grammar(word))
                )
            )
        ]

    def find_split_forms(
        self,
        run_together: tuple[Sequence[str], Sequence[str]],
        words: Sequence[str],
        is_ordinary: IsOrdinary,
    ) -> Iterator[str]:
        """Yield denied forms that are split into two or three of ``words``, not all ordinary.

        ``run_together`` are the normal forms of every two, and every three, words written as one.
        Ordinary words stand next to each other by chance (*her man*).
        """
        return (
            joined
            for size, runs in enumerate(run_together, start=2)
            if (denied := self._normal.intersection(runs))
            for index, joined in enumerate(runs)
            if joined in denied and not all(map(is_ordinary, words[index : index + size]))
        )


_CAPITAL = r"[^\W\d_a-z][\w’'&-]*"
_TERM = rf"({_CAPITAL}(?: (?:[a-z]{{1,3}} )?{_CAPITAL}){{0,5}})"
_QUOTED = re.compile(rf"[“„«\"'‘](?:[a-z]+ )?{_TERM}[”“»\"'’]")
_BEGINS = re.compile(rf"(?:[A-Z][a-z]{{0,2}} )?{_TERM}")
_IN_BRACKETS = re.compile(r"\([^()]*$")
_LONGEST = 60


def defined_terms(texts: Iterable[str], language: Language) -> frozenset[str]:
    """Return the terms that ``texts`` define, as written, without quotes and article.

    Each word of a term begins with a capital, except short ones within it. The term is in quotes,
    and its meaning follows (*“Goods” means …*), or a naming phrase precedes it (*hereinafter the
    “Buyer”*), or it is in brackets (*the “Buyer”*); or a text begins with the term and its meaning.
    """
    means = re.compile(rf" (?:{language.words.means})\b")
    called = re.compile(rf"\b(?:{language.words.called})(?: [a-z]+)? $")
    found = set[str]()
    for text in texts:
        for match in _QUOTED.finditer(text):
            before = text[max(0, match.start() - _LONGEST) : match.start()]
            if (
                means.match(text, match.end())
                or called.search(before)
                or _IN_BRACKETS.search(before)
            ):
                found.add(match[1])
        begins = _BEGINS.match(text)
        if begins and means.match(text, begins.end()):
            found.add(begins[1])
    return frozenset(found)
