"""The archive's deny list: what was an identifier anywhere in it is one everywhere in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from prism_core.identifiers.name_contexts import follows_title, is_lone_title
from prism_core.identifiers.normal_form import normal_forms, normalise, squash
from prism_core.languages import Language

IsOrdinary = Callable[[str], bool]
"""Tells words that count only with the capital they were denied with."""

SHORTEST_RUN_TOGETHER = 4
"""Letters and digits of a form that is known without its hyphens and stops too."""


_QUOTES = "“”"


def quote_term(term: str) -> str:
    """``term`` as ``DenyList.add`` takes it for one that the archive defines."""
    return term.join(_QUOTES)


class DenyList:
    """A set of forms, each kept in normal form and as it was written.

    Secret: it holds the archive's names. A form in quotes (``in_quotes``) is denied nowhere: it is
    one of ``terms``, which the archive defines, as their words, and whose capitals name nobody.
    ``term_sizes``: how many words one of them has.
    """

    def __init__(self) -> None:
        self._written: set[str] = set()
        self._normal: set[str] = set()
        self._numbers: set[str] = set()
        self.terms: set[tuple[str, ...]] = set()
        self.term_sizes: set[int] = set()

    def add(self, form: str) -> None:
        """Take in one form; adding it again changes nothing."""
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
        """The forms as they were added."""
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)

    def defines(self, words: Sequence[str]) -> bool:
        """Whether ``words`` are one of ``terms``, or more than one of it."""
        *before, last = words
        return any(
            (*before, last.removesuffix(ending)) in self.terms
            for ending in ("", "s", "es")
            if last.endswith(ending)
        )

    def match_numbers(self, numbers: Iterable[str]) -> set[str]:
        """Those of ``numbers`` (squashed) that are a form with digits in it."""
        return self._numbers.intersection(numbers)

    def find(
        self,
        words: Sequence[str],
        is_ordinary: IsOrdinary,
        language: Language,
        forms: Sequence[str] = (),
        names: Set[int] = frozenset(),
    ) -> list[int]:
        """The places of those of ``words`` that are denied.

        After a title every word is that is known, in whatever case, and so is one right beside one
        of ``names`` (places) but a function word in small letters and, before one, a title like
        *M.*; elsewhere no function word is.
        ``forms``: their normal forms, where they are known.
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
                self._counts(word, is_ordinary, language)
                or follows_title(words, index, language)
                or (
                    not names.isdisjoint((index - 1, index + 1 - 2 * is_lone_title(word, language)))
                    and not (word.islower() and language.is_function_word(word))
                )
            )
        ]

    def _counts(self, word: str, is_ordinary: IsOrdinary, language: Language) -> bool:
        """Whether ``word``, whose form is denied, counts wherever it stands."""
        if language.is_function_word(word):
            return False
        return (word in self._written and not word.islower()) or not is_ordinary(word)

    def find_split_forms(
        self,
        run_together: tuple[Sequence[str], Sequence[str]],
        words: Sequence[str],
        is_ordinary: IsOrdinary,
    ) -> Iterator[str]:
        """The denied forms that were cut into two or three of ``words``, not all of them ordinary.

        ``run_together`` are the normal forms of every two, and every three, as one word each.
        Ordinary words stand beside each other by chance (*her man*).
        """
        return (
            joined
            for size, runs in enumerate(run_together, start=2)
            if not self._normal.isdisjoint(runs)
            for index, joined in enumerate(runs)
            if joined in self._normal and not all(map(is_ordinary, words[index : index + size]))
        )
