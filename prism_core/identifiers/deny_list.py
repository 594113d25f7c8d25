"""The archive's deny list: what was an identifier anywhere in it is one everywhere in it."""

from __future__ import annotations

from collections.abc import Iterable, Set

from prism_core.identifiers.normal_form import normalise


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

    def among(self, normal_forms: Iterable[str]) -> Set[str]:
        """Those of ``normal_forms`` whose words may be denied; no other word is."""
        return self._normal.intersection(normal_forms)

    def covers(self, form: str, *, ordinary: bool) -> bool:
        """Whether ``form`` is denied; an ordinary word only with the capital it was seen with."""
        if ordinary:
            return not form.islower() and form in self._written
        return form in self
