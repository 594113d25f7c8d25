"""The words of a dictionary: an entry, its target forms, and what they agree with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, overload

from prism_core.dictionary.tokens import without_accents


class Form(NamedTuple):
    """One target form of a source word; a tuple, since a dictionary has many.

    ``text`` is in lower case unless the target language writes it otherwise, and may be a phrase.
    ``score`` is p(w, s, v) = Pr[v in R_w] / Pr[v in R] (eq. 14). ``features`` names the frames the
    form was read off (``she``, ``they`` …): two words of one tag inflect alike where they share a
    feature. Forms seen in running text alone have none.
    """

    text: str
    score: float
    features: tuple[str, ...] = ()


class FormColumns(NamedTuple):
    """The forms of all entries of a file: text, score and features of each, one after another."""

    texts: list[str]
    scores: list[float]
    features: list[tuple[str, ...]]


class StoredForms(Sequence[Form]):
    """Forms ``[start, end)`` of a file's columns; made when they are first asked for.

    Most entries of a dictionary are in no text that is translated.
    """

    __slots__ = ("_columns", "_end", "_made", "_start", "_texts")

    def __init__(self, columns: FormColumns, start: int, end: int) -> None:
        self._columns = columns
        self._start = start
        self._end = end
        self._made: tuple[Form, ...] | None = None
        self._texts: tuple[str, ...] | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each form."""
        if self._texts is None:
            self._texts = tuple(self._columns.texts[self._start : self._end])
        return self._texts

    def __len__(self) -> int:
        return self._end - self._start

    @overload
    def __getitem__(self, index: int) -> Form: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Form]: ...
    def __getitem__(self, index: int | slice) -> Form | Sequence[Form]:
        return self.made()[index]

    def __iter__(self) -> Iterator[Form]:
        return iter(self.made())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.made() == tuple(other)

    def __hash__(self) -> int:
        return hash(self.made())

    @property
    def features(self) -> Sequence[tuple[str, ...]]:
        """The features of each form."""
        return self._columns.features[self._start : self._end]

    def made(self) -> tuple[Form, ...]:
        """All of them, as a tuple."""
        if self._made is None:
            columns = (column[self._start : self._end] for column in self._columns)
            self._made = tuple(map(Form._make, zip(*columns, strict=True)))
        return self._made


@dataclass(frozen=True, slots=True)
class Entry:
    """A source word under one tag.

    ``forms`` is L(w, s) in decreasing score. ``confidence``, in [0, 1], is the share of running
    sentences in which the word could stand in for another, or another for it, without a trace (the
    probability that decoding gives what the translator would have written), ``agreement`` the class
    g: what the translator wrote around the word.
    It is a path of parts from the coarsest to the finest, joined by ``" | "``; an empty one means
    that the class is not known. ``calls`` is what the entry cost.

    ``translator`` is the one whose words these are, ``method`` how they were found (``frames``,
    ``corpus``, ``paper``, ``glossary`` …) and ``built`` the day (ISO 8601). A file may have one
    entry of a word and tag for each translator; a loaded dictionary has one in all, with those of
    the ``others``: what these translators write is looked for last, and never put in.
    """

    word: str
    tag: str
    forms: Sequence[Form]
    agreement: str
    confidence: float
    calls: float
    translator: str = ""
    method: str = ""
    built: str = ""
    others: tuple[Entry, ...] = ()

    @property
    def score(self) -> float:
        """c(w, s) = max_v p(w, s, v), eq. 15."""
        return self.forms[0].score

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of each form."""
        if isinstance(self.forms, StoredForms):
            return self.forms.texts
        return tuple(form.text for form in self.forms)

    @property
    def features(self) -> Sequence[tuple[str, ...]]:
        """The features of each form."""
        if isinstance(self.forms, StoredForms):
            return self.forms.features
        return [form.features for form in self.forms]

    def features_of(self, text: str) -> tuple[str, ...]:
        """The features of the form ``text``."""
        return self.features[self.texts.index(text)]

    @property
    def longest_first(self) -> Sequence[str]:
        """The texts as decoding searches them: a phrase before a word that is part of it."""
        texts = self.texts
        if " " not in "".join(texts):
            return texts
        return sorted(texts, key=lambda text: -len(text.split()))

    @property
    def agreement_parts(self) -> tuple[str, ...]:
        """The parts of the agreement class, coarsest first; none when it is not known."""
        return tuple(self.agreement.split(" | ")) if self.agreement else ()

    def inflect(self, found: str, features: tuple[str, ...] = ()) -> str:
        """The form that goes where ``found``, a form of another word with ``features``, stood.

        It shares most of these; where several do, or none does, it ends most like ``found``: a form
        that running text alone has shown is labelled by no frame.
        """
        texts = self.texts
        if len(texts) == 1:
            return texts[0]
        shared = [_shared(one, features) for one in self.features]
        most = max(shared)
        if shared.count(most) == 1:
            return texts[shared.index(most)]
        alike = [text for text, count in zip(texts, shared, strict=True) if count == most]
        return max(alike, key=lambda text: _common_end(text, found))


@lru_cache(maxsize=10_000)
def _shared(features: tuple[str, ...], others: tuple[str, ...]) -> int:
    """How many features two forms share; few different lists of features occur."""
    return len(frozenset(features).intersection(others))


def _common_end(text: str, other: str) -> int:
    """How many letters two forms have in common at their end, accents aside."""
    first, second = reversed(without_accents(text)), reversed(without_accents(other))
    length = 0
    for one, another in zip(first, second, strict=False):
        if one != another:
            break
        length += 1
    return length
