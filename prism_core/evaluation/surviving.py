"""Names and numbers that are still to be read in what was sent.

What counts as a name is found here without any of the detectors that protect: it must be possible
to catch those at a miss.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass

from prism_core.dictionary import Dictionary
from prism_core.languages import load_language

LANGUAGE = load_language("en")
"""Language of the archives that the laboratory has."""

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"(?:[^\W\d_]+-)?[^\W_]*\d[^\W_]*(?:[.,:/–-]\d+)*")
_RUNS_ON = re.compile(rf"(?:[\w,;'’)]|\b(?i:{'|'.join(sorted(LANGUAGE.words.titles))})\.)\s*$")
"""Text before a word that does not begin a sentence, a quotation or a heading."""


def listed_names(dictionary: Dictionary) -> frozenset[str]:
    """Return the words of the names in the public lists of ``dictionary``."""
    return frozenset(
        word for names in dictionary.names.values() for word in " ".join(names).split()
    )


@dataclass(frozen=True)
class GoldNames:
    """The names of an archive, each as it is written; ``ordinary`` are those that are words too.

    A name is a word of two letters or more with a capital and a small letter that does not begin a
    sentence or quotation, is no title, and either is no ordinary word (no public text and no
    sentence of the archive writes it small) or stands in a public list of names. What is a name
    once is one wherever it has its capital; one that is also an ordinary word (*Brown*, *Will*)
    not at the beginning of a sentence.
    """

    rare: frozenset[str]
    ordinary: frozenset[str]

    @classmethod
    def of(
        cls, archive: Iterable[str], public_words: Container[str], listed: Container[str]
    ) -> GoldNames:
        """Find the names of ``archive``, a text a sentence.

        ``public_words`` are words that public text writes small, ``listed`` the names of public
        lists as they are written.
        """
        sentences = list(archive)
        small = {w for text in sentences for w in _WORD.findall(text) if w.islower()}
        capitals = {
            word for text in sentences for word, begins in _capital_words(text) if not begins
        }
        words = {
            w
            for w in capitals
            if LANGUAGE.is_function_word(w) or w.lower() in public_words or w.lower() in small
        }
        return cls(
            rare=frozenset(capitals - words),
            ordinary=frozenset(w for w in words if w in listed),
        )

    def within(self, text: str) -> set[str]:
        """Return the names in a sentence."""
        return {
            word
            for word, begins in _capital_words(text)
            if word in self.rare or (word in self.ordinary and not begins)
        }

    def visible(self, name: str, text: str) -> bool:
        """Return True if ``text`` shows ``name``: in any case, an ordinary word with a capital."""
        if name in self.ordinary:
            return name in _WORD.findall(text)
        return name.lower() in _WORD.findall(text.lower())


def _capital_words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield capitalised words of ``text`` that may be names, and if each begins a sentence."""
    for match in _WORD.finditer(text):
        word = match.group()
        written_as_name = word[0].isupper() and any(c.islower() for c in word)
        if written_as_name and len(word) > 1 and word.lower() not in LANGUAGE.words.titles:
            yield word, _RUNS_ON.search(text, 0, match.start()) is None


@dataclass(frozen=True, slots=True)
class Surviving:
    """Names and numbers of private sentences, and how many of them are to be read in x_pub."""

    names: int
    numbers: int
    names_visible: int
    numbers_visible: int

    @property
    def share(self) -> float:
        """Visible share of all names and numbers; 0 where there are none."""
        total = self.names + self.numbers
        return (self.names_visible + self.numbers_visible) / total if total else 0.0


def surviving_identifiers(pairs: Iterable[tuple[str, str]], gold: GoldNames) -> Surviving:
    """Count over ``(private sentence, everything that was sent of it)``.

    A number is a run of digits with the signs inside it and the letters it hangs on (``1,234.5``,
    ``12/03``, ``COVID-19``), and is visible where the same stands; each counts once a sentence.
    """
    counts = [0, 0, 0, 0]
    for private, sent in pairs:
        names = gold.within(private)
        numbers, sent_numbers = set(_NUMBER.findall(private)), set(_NUMBER.findall(sent))
        visible = sum(gold.visible(name, sent) for name in names)
        found = (len(names), len(numbers), visible, len(numbers & sent_numbers))
        counts = [count + more for count, more in zip(counts, found, strict=True)]
    return Surviving(*counts)
