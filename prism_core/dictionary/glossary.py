"""The user's own terms: the texts to look for in a sentence, and their translations.

The terms are private like the archive: nothing of them is kept outside the user's file.

Entry: ``Glossary.find`` yields the places of terms, ``entry_of`` the entry of one; ``term_entries``
makes a glossary of the terms that ``glossary_files`` read.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from prism_core.dictionary.entry import Entry
from prism_core.language import Sentence

GLOSSARY = "glossary"
"""Translator name of the user's own terms, which win over everything."""

TAG_OF_KIND = {"noun": "NN", "verb": "VB", "adjective": "JJ", "adverb": "RB"}
_PLAIN = str.maketrans("’‘\u00a0\u202f‐‑", "''  --")
"""Signs that are written in several ways."""
_RUN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A row as it was read.

    ``targets`` are the translations, the preferred one first; ``kind`` is a Penn tag, or empty.
    """

    row: int
    source: str
    targets: tuple[str, ...]
    kind: str = ""


class Spelling(NamedTuple):
    """A term as written in one inflection; a capital in it requires a capital in the text."""

    text: str
    entry: Entry

    def fits(self, written: str) -> bool:
        """Return True if ``written``, in plain signs, is this spelling."""
        own = self.text
        return len(own) == len(written) and all(
            letter == shown or (letter.islower() and letter == shown.lower())
            for letter, shown in zip(own, written, strict=True)
        )


class Glossary:
    """Terms as entries of their own, which win over a dictionary's and are never drawn.

    The words that a dictionary draws from are therefore the same with and without a glossary.
    ``size`` is the number of terms.
    """

    def __init__(
        self,
        spellings: Iterable[Spelling] = (),
        size: int = 0,
        find_word: Callable[[str, str], Entry | None] = lambda _word, _tag: None,
    ) -> None:
        """Make a glossary; ``find_word`` returns a dictionary's own entry of a word and tag."""
        self.size = size
        self._find_word = find_word
        self._spellings: dict[str, list[Spelling]] = defaultdict(list)
        for spelling in sorted(spellings, key=lambda spelling: -len(spelling.text)):
            self._spellings[_lookup_key(spelling.text)].append(spelling)

    def __bool__(self) -> bool:
        return bool(self._spellings)

    def find(
        self, sentence: Sentence, blocked: AbstractSet[int] = frozenset()
    ) -> Iterator[tuple[int, int, Entry]]:
        """Yield the position, length and entry of tokens outside ``blocked`` that are a term.

        No token is in two of them. The longest term that begins at a token wins, and the first
        before those it overlaps.
        """
        starts = {_lookup_key(word) for word in sentence.words} if self._spellings else ()
        if self._spellings.keys().isdisjoint(starts):
            return
        text = plain(sentence.text)
        places = list(sentence.offsets())
        ends = {end: index + 1 for index, (_, end) in enumerate(places)}
        free = 0
        for position, (begin, _) in enumerate(places):
            if position < free:
                continue
            for spelling in self._spellings.get(_lookup_key(sentence.words[position]), ()):
                stop = begin + len(spelling.text)
                after = ends.get(stop, 0)
                if not spelling.fits(text[begin:stop]) or not after:
                    continue
                if blocked and not blocked.isdisjoint(range(position, after)):
                    continue
                entry = self._choose(text[begin:stop], sentence.tokens[position].tag)
                if entry is not None:
                    yield position, after - position, entry
                    free = after
                    break

    def _choose(self, written: str, tag: str) -> Entry | None:
        """Return the entry of a term as ``written``, whose first token has ``tag``.

        A single word that the dictionary knows under ``tag``, of another kind, is not the term. Nor
        is a verb in an inflection that is not known of the term.
        """
        kind = tag.replace("NNP", "NN")
        entries = [spelling.entry for spelling in self._match_spellings(written)]
        ranked = sorted(entries, key=lambda entry: (entry.tag != kind, entry.tag[:2] != kind[:2]))
        chosen = ranked[0]
        if chosen.tag == kind or (chosen.tag, kind) == ("VB", "VBP"):
            return chosen
        is_verb = chosen.tag.startswith("VB")
        is_other = written.isalnum() and self._find_word(written, tag) is not None
        is_alike = chosen.tag[:2] == kind[:2]
        return None if is_verb or (is_other and not is_alike) else chosen

    def list_terms_in(self, text: str) -> list[tuple[str, str, str]]:
        """Return every term that ``text`` may hold, inflected, with its tag and its translation."""
        text = plain(text)
        runs = [match for match in _RUN.finditer(text) if match[0].lower() in self._spellings]
        return [
            (spelling.text, spelling.entry.tag, spelling.entry.forms.texts[0])
            for run in runs
            for spelling in self._spellings[run[0].lower()]
            if spelling.fits(text[run.start() : run.start() + len(spelling.text)])
        ]

    def _match_spellings(self, written: str) -> Iterator[Spelling]:
        spellings = self._spellings.get(_lookup_key(written), ())
        return (spelling for spelling in spellings if spelling.fits(written))

    def entry_of(self, written: str, tag: str) -> Entry | None:
        """Return the entry of the term that a text has as ``written``, with ``tag``; else None."""
        if not self._spellings:
            return None
        spelt = self._match_spellings(plain(written))
        return next((spelling.entry for spelling in spelt if spelling.entry.tag == tag), None)


def plain(text: str) -> str:
    """Return ``text`` with one sign for each that is written in several ways."""
    return text.translate(_PLAIN)


def _lookup_key(text: str) -> str:
    """Return the first letters and digits of ``text``, by which a term is looked up."""
    lower = text.lower()
    run = None if lower.isalnum() else _RUN.search(lower)
    return run[0] if run else lower
