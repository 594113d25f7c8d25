"""The archive's deny list: what was an identifier anywhere in it is one everywhere in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prism_core.identifiers.normal_form import normal_forms, normalise
from prism_core.language.function_words import is_function_word


class DenyList:
    """A set of forms, each kept in normal form and as it was written.

    Secret: it holds the archive's names.
    """

    def __init__(self) -> None:
        self._written: set[str] = set()
        self._normal: set[str] = set()

    def add(self, form: str) -> None:
        """Take in one form; adding it again changes nothing."""
        self._written.add(form)
        self._normal.add(normalise(form))

    def __contains__(self, form: object) -> bool:
        return isinstance(form, str) and normalise(form) in self._normal

    def __len__(self) -> int:
        return len(self._normal)

    def has_normal(self, form: str) -> bool:
        """Whether a form with the normal form ``form`` was added."""
        return form in self._normal

    def hits(self, words: Sequence[str], is_ordinary: Callable[[str], bool]) -> list[int]:
        """The places of those of ``words`` that are denied; a function word never is.

        ``is_ordinary`` tells words that count only with the capital they were denied with.
        """
        forms = normal_forms(words)
        near = self._normal.intersection(forms)
        if not near:
            return []
        return [
            place
            for place, (form, word) in enumerate(zip(forms, words, strict=True))
            if form in near
            and not is_function_word(word)
            and self.covers(word, ordinary=is_ordinary(word))
        ]

    def covers(self, form: str, *, ordinary: bool) -> bool:
        """Whether ``form`` is denied; an ordinary word only with the capital it was seen with."""
        if ordinary:
            return not form.islower() and form in self._written
        return form in self
