"""Puts translations into a message: the edits of all its places, made together and checked.

entry: `Survey.rebuild`; then `_rewrites` (each `Site` gives edits) -> `_names` of files ->
`_languages` -> a check that the parts are the same.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Edit,
    FormatOptions,
    Segment,
    apply_edits,
    changed_parts,
)
from prism_core.formats.mail.bodies import name_edits, newline_of
from prism_core.formats.mail.parts import Part, take_apart


@dataclass(frozen=True, slots=True)
class Renaming:
    """The file in ``part`` is to be called ``name``."""

    part: Part
    name: str


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The edits that put translations into a message, and notices of what did not work.

    ``outline`` are the types that take the place of the part, where it becomes another one.
    """

    edits: tuple[Edit, ...]
    notices: tuple[str, ...] = ()
    renaming: Renaming | None = None
    outline: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site(ABC):
    """A place of ``message``, in ``part``: what it says, and how to make it say something else."""

    message: bytes
    part: Part
    segments: tuple[Segment, ...]

    @abstractmethod
    def rewrite(self, translations: Sequence[Translation]) -> Rewrite:
        """Put ``translations``, one for each segment and not all equal to it, in their place."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All sites of a message, in its order, and notices of the parts that have none."""

    message: bytes
    root: Part
    sites: tuple[Site, ...]
    notices: tuple[str, ...]
    options: FormatOptions = DEFAULT_OPTIONS

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The texts of all sites."""
        return tuple(segment for site in self.sites for segment in site.segments)

    def rebuild(self, translations: Sequence[Translation]) -> tuple[bytes, tuple[str, ...]]:
        """The message with ``translations`` in place of its segments, and notices.

        Raises ``DocumentError`` (unrebuildable) if the parts are not the same after: a translated
        line could look like a boundary between them.
        """
        rewrites = list(self._rewrites(translations))
        edits = [edit for _, rewrite in rewrites for edit in rewrite.edits]
        edits += self._names([r.renaming for _, r in rewrites if r.renaming])
        if not edits:
            return self.message, tuple(n for _, rewrite in rewrites for n in rewrite.notices)
        edits += self._languages([site.part for site, rewrite in rewrites if rewrite.edits])
        rebuilt = apply_edits(self.message, edits)
        changed = [(site.part, rewrite.outline) for site, rewrite in rewrites if rewrite.outline]
        if take_apart(rebuilt).outline() != _expected_outline(self.root, changed):
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        return rebuilt, tuple(n for _, rewrite in rewrites for n in rewrite.notices)

    def _rewrites(self, translations: Sequence[Translation]) -> Iterator[tuple[Site, Rewrite]]:
        """What each site makes of its translations, unless they are what it said before."""
        for site, given in changed_parts(self.sites, translations):
            yield site, site.rewrite(given)

    def _names(self, renamings: Sequence[Renaming]) -> Iterator[Edit]:
        """Call files by new names, never two of them by the same."""
        used = Counter(part.content.name.casefold() for part in self.root.walk())
        newline = newline_of(self.message)
        for part, name in _merge_renamings(renamings):
            own = name.casefold() == part.content.name.casefold()
            if name and used[name.casefold()] == int(own):
                used[name.casefold()] = 1
                yield from name_edits(self.message, part, name, newline)

    def _languages(self, changed: Sequence[Part]) -> Iterator[Edit]:
        """Where a header names the language of a part that changed, name the target."""
        if not self.options.target:
            return
        for part in self.root.walk():
            field = part.field("content-language")
            if field and any(part.start <= each.start < part.end for each in changed):
                value = self.message[field.value : field.end]
                named = value.strip().decode("latin-1").lower()
                if named.partition("-")[0] == self.options.source or not self.options.source:
                    kept = len(value) - len(value.lstrip()), len(value.rstrip())
                    start, end = (field.value + offset for offset in kept)
                    yield Edit(start, end, self.options.target.encode("ascii", "ignore"))


def _expected_outline(
    part: Part, changed: Sequence[tuple[Part, tuple[str, ...]]]
) -> tuple[str, ...]:
    """The types below ``part`` once some parts are others."""
    for each, outline in changed:
        if each is part:
            return outline
    inner = (name for below in part.parts for name in _expected_outline(below, changed))
    return (part.content.media_type, *inner)


def _merge_renamings(renamings: Sequence[Renaming]) -> list[tuple[Part, str]]:
    """One name for each part: the words of its translation, the suffix of what it became."""
    merged: dict[int, tuple[Part, str]] = {}
    for renaming in renamings:
        name = renaming.name
        before = merged.get(id(renaming.part))
        if before:
            name = replace_suffix(name, _suffix(before[1]))
        merged[id(renaming.part)] = renaming.part, name
    return list(merged.values())


def first_failure(notices: Iterable[str]) -> DocumentFailure | None:
    """The class of the first part or message that could not be read; None when all could."""
    for notice in notices:
        kind, _, failure = notice.partition(":")
        if kind in ("message", "attachment"):
            return DocumentFailure(failure.partition(":")[0])
    return None


def replace_suffix(name: str, suffix: str) -> str:
    """``name`` with ``suffix`` in place of its own; a file without a name gets none."""
    return name.removesuffix(_suffix(name)) + suffix if name else ""


def _suffix(name: str) -> str:
    match = re.search(r"\.[A-Za-z0-9]{1,8}\Z", name)
    return match[0] if match else ""
