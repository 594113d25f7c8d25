"""Deny list of the archive: an identifier found in one sentence is one in all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from prism_core.identifiers.name_contexts import follows_title, is_lone_title
from prism_core.identifiers.normal_form import normal_forms, normalise, squash
from prism_core.languages import Language

IsOrdinary = Callable[[str], bool]
"""Function that is True for words that count only with the capital they were denied with."""

SHORTEST_RUN_TOGETHER = 4
"""Fewest characters of a form that is also recognised without its hyphens and stops."""


_QUOTES = "“”"


def quote_term(term: str) -> str:
    """Quote ``term`` so that ``DenyList.add`` takes it for a term that the archive defines."""
    return term.join(_QUOTES)


class DenyList:
    """Set of denied forms, each kept in normal form and as it was written.

    It is secret, since it holds the archive's names. A form in quotes (see ``quote_term``) is
    denied nowhere: it is one of ``terms``, which the archive defines, stored as their words, and
    its capitals are no evidence of a name. ``term_sizes`` are the lengths of terms in words.
    """

    def __init__(self) -> None:
        self._written: set[str] = set()
        self._normal: set[str] = set()
        self._numbers: set[str] = set()
        self.terms: set[tuple[str, ...]] = set()
        self.term_sizes: set[int] = set()

    def add(self, form: str) -> None:
        """Add a form; adding it again changes nothing."""
        self._written.add(form)
        if form[:1] == _QUOTES[0]:
            term = tuple(form.strip(_QUOTES).split())
            self.terms.add(term)
            self.term_sizes.add(len(term))
            return
        self._normal.add(normalise(form))
        together = squash(form)
        if len(together) >= SHORTEST_RUN_TOGETHER:
            self._normal.add(together)
            if not together.isalpha():
                self._numbers.add(together)

    def __contains__(self, form: object) -> bool:
        return isinstance(form, str) and normalise(form) in self._normal

    def __iter__(self) -> Iterator[str]:
        """Iterate over the forms as they were added."""
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)

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
        return [
            index
            for index, (form, word) in enumerate(zip(forms, words, strict=True))
            if form in near
            and (
                self._counts_anywhere(word, is_ordinary, language)
                or follows_title(words, index, language)
                or (
                    not names.isdisjoint((index - 1, index + 1 - 2 * is_lone_title(word, language)))
                    and not (word.islower() and language.is_function_word(word))
                )
            )
        ]

    def _counts_anywhere(self, word: str, is_ordinary: IsOrdinary, language: Language) -> bool:
        """Return True if ``word``, whose form is denied, counts in any context."""
        if language.is_function_word(word):
            return False
        return (word in self._written and not word.islower()) or not is_ordinary(word)

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
            if not self._normal.isdisjoint(runs)
            for index, joined in enumerate(runs)
            if joined in self._normal and not all(map(is_ordinary, words[index : index + size]))
        )
