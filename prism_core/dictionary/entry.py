"""Words of a dictionary: an entry, its target forms, and their features.

``target_tokens`` is the one tokenizer of the target side that the builder and the decoder share.

Entry: ``Entry``, whose ``forms`` are ``Forms``; ``inflect`` chooses the form for a place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, overload
from unicodedata import combining, normalize


class Form(NamedTuple):
    """A target form of a source word; a tuple, since a dictionary has many.

    ``text`` is in lower case unless the target language writes it otherwise, and may be a phrase.
    ``score`` is p(w, s, v) = Pr[v in R_w] / Pr[v in R] (eq. 14). ``features`` names the frames the
    form was read from (``she``, ``they`` …): two words of one tag inflect alike where they share a
    feature. Forms seen in running text alone have none.
    """

    text: str
    score: float
    features: tuple[str, ...] = ()


class Forms(Sequence[Form]):
    """L(w, s), a column each: code that runs for every word of an archive reads one of them."""

    __slots__ = ("features", "scores", "texts")

    def __init__(
        self,
        texts: tuple[str, ...],
        scores: tuple[float, ...],
        features: tuple[tuple[str, ...], ...],
    ) -> None:
        self.texts = texts
        self.scores = scores
        self.features = features

    @classmethod
    def from_forms(cls, forms: Iterable[Form]) -> Forms:
        """Return ``forms`` as columns."""
        rows = tuple(forms)
        return cls(*(tuple(form[i] for form in rows) for i in range(3)))  # type: ignore[arg-type]

    def features_of(self, text: str) -> tuple[str, ...]:
        """Return the features of the form ``text``."""
        return self.features[self.texts.index(text)]

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Form: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Form]: ...
    def __getitem__(self, index: int | slice) -> Form | Sequence[Form]:
        if isinstance(index, slice):
            return tuple(self)[index]
        return Form(self.texts[index], self.scores[index], self.features[index])

    def __iter__(self) -> Iterator[Form]:
        return map(Form, self.texts, self.scores, self.features)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))


WordKey = tuple[str, str]
"""Word, and its tag."""

PART_SEPARATOR, FRAME_SEPARATOR = " | ", " / "
"""Separators of the parts of an agreement class, and of the frames of behaviour in its second."""
SLOT = "_"
"""Place of a word's form within the text around it, as a frame shows it."""


class _Fields(NamedTuple):
    word: str
    tag: str
    forms: Forms
    agreement: str
    confidence: float
    calls: float
    translator: str
    method: str
    built: str
    calibrated: float
    others: tuple[Entry, ...]
    sureness: float


class Entry(_Fields):
    """A source word under one tag.

    ``forms`` is L(w, s) in decreasing score. ``confidence``, in [0, 1], is the share of running
    sentences in which the word could stand in for another, or another for it, without a trace (the
    probability that decoding gives what the translator would have written). ``agreement`` is the
    class g: what the translator wrote around the word. It is a path of parts from the coarsest to
    the finest, joined by ``" | "``; an empty one means that the class is not known. ``calls`` is
    the cost of the entry.

    ``translator`` names the translator that the words come from, ``method`` how they were found
    (``frames``, ``corpus``, ``glossary`` …) and ``built`` the day (ISO 8601). A file may have one
    entry of a word and tag for each translator; a loaded dictionary has one in all, with the rows
    of the ``others``. ``sureness``, in [0, 1], is the probability that the translator in use writes
    one of the forms: it decides what may be drawn, as the confidence decides what is hidden. It
    follows from all rows of the word (``find_sureness``); an entry by itself is as sure as it is
    confident. ``calibrated``, in [0, 1], is the same in all rows of a word: the probability that
    decoding finds it in what a neural translator writes (``building.calibration``); 0 if unknown.
    """

    __slots__ = ()

    def __new__(
        cls,
        word: str,
        tag: str,
        forms: Iterable[Form],
        agreement: str,
        confidence: float,
        calls: float,
        translator: str = "",
        method: str = "",
        built: str = "",
        others: tuple[Entry, ...] = (),
        sureness: float | None = None,
        calibrated: float = 0.0,
    ) -> Entry:
        """Make an entry; ``forms`` are kept as columns."""
        columns = forms if isinstance(forms, Forms) else Forms.from_forms(forms)
        evidence = (confidence, calls, translator, method, built, calibrated)
        sureness = confidence if sureness is None else sureness
        return cls._make((word, tag, columns, agreement, *evidence, others, sureness))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how to make the entry in another process: ``__new__`` has another order."""
        return Entry._make, (tuple(self),)

    def replace_forms(self, forms: Iterable[Form]) -> Entry:
        """Return the entry with other ``forms``."""
        return self._replace(forms=Forms.from_forms(forms))

    def replace_agreement(self, agreement: str) -> Entry:
        """Return the entry in another class, in a quarter of the time of ``_replace``."""
        return Entry._make((*self[:_AGREEMENT], agreement, *self[_AGREEMENT + 1 :]))

    def replace_sureness(self, sureness: float) -> Entry:
        """Return the entry with another sureness, in a quarter of the time of ``_replace``."""
        return Entry._make((*self[:-1], sureness))

    @property
    def rows(self) -> tuple[Entry, ...]:
        """This entry, then those of the other translators for the same word and tag."""
        return (self, *self.others)

    @property
    def key(self) -> WordKey:
        """Word and tag, which several translators may have entries of."""
        return self.word, self.tag

    @property
    def is_phrase(self) -> bool:
        """True if the word is several tokens: *ice cream*, *follow-up*."""
        return " " in self.word or "-" in self.word

    @property
    def score(self) -> float:
        """c(w, s) = max_v p(w, s, v), eq. 15."""
        return self.forms.scores[0]

    @property
    def longest_first(self) -> Sequence[str]:
        """Texts as decoding searches them: a phrase before a word that is part of it."""
        texts = self.forms.texts
        if " " not in "".join(texts):
            return texts
        return sorted(texts, key=lambda text: -len(text.split()))

    @property
    def agreement_parts(self) -> tuple[str, ...]:
        """Parts of the agreement class, coarsest first; none when it is not known."""
        return tuple(self.agreement.split(PART_SEPARATOR)) if self.agreement else ()

    def inflect(
        self, found: str, features: tuple[str, ...] = (), find_kin: FindKin | None = None
    ) -> str:
        """Return the form that replaces ``found``, a form of another word with ``features``.

        The best form shares most of the features, and differs in none that both state; of several
        the one that ends most like ``found``. A form that only other translators wrote is taken
        where it fits better than any of the entry's own. Where all differ from ``features``, the
        forms of the entries that ``find_kin`` finds count too: the plural of a singular. A month
        goes as dates have it, even where ``found`` is the form of *March* as a walk.
        """
        features = _AS_IN_DATES if self.tag == "MONTH" else features
        text, fit = self._find_best_form(found, features, self._frame_weight(self))
        may_change = find_kin is not None and self.tag.startswith("NN")
        is_other_number = may_change and not self._has_agreeing(features)
        if features and (fit < _FRAME // 2 or is_other_number):
            rows: Iterable[Entry] = self._select_rows_in_number(features)
            if find_kin is not None and not self._has_agreeing(features):
                rows = (*rows, *(row for kin in find_kin(self) for row in kin.rows))
            is_asked = self.method in ASKED_IN_FRAMES
            better = [
                (
                    other_fit,
                    is_asked and row.translator == self.translator,
                    common_start(other, self.forms.texts[0]),
                    other,
                )
                for row in rows
                for other, other_fit in [
                    row._find_best_form(found, features, self._frame_weight(row))
                ]
                if other_fit > fit
            ]
            if better:
                return max(better)[-1]
        return text

    def _frame_weight(self, row: Entry) -> int:
        """Return the weight of a shared frame of ``row``: large if its category was asked for."""
        is_asked = row.method in ASKED_IN_FRAMES and row.translator == self.translator
        return _FRAME if is_asked else 1

    def _has_agreeing(self, features: tuple[str, ...]) -> bool:
        """Return True if a form of any row differs in none of ``features``.

        A form that was seen only in other frames of the same translator does not agree. Nor does a
        noun whose number another translator's line does not state (``_select_rows_in_number``).
        """
        frames = {feature for feature in features if "=" not in feature}
        is_asked = bool(frames) and self.method in ASKED_IN_FRAMES
        rows = (self, *self._select_rows_in_number(features))
        return any(
            not differing(self._add_number(text, form_features), features)
            and not (is_asked and frames.isdisjoint(form_features))
            for row in rows
            for text, form_features in zip(row.forms.texts, row.forms.features, strict=True)
        )

    def _add_number(self, text: str, features: tuple[str, ...]) -> tuple[str, ...]:
        """Return the features of ``text``; a noun's number too, if other rows state but one."""
        has_number = any(feature.startswith("Number=") for feature in features)
        if has_number or not self.tag.startswith("NN"):
            return features
        numbers = {
            feature
            for row in self.others
            if text in row.forms.texts
            for feature in row.forms.features_of(text)
            if feature.startswith("Number=")
        }
        return (*features, *numbers) if len(numbers) == 1 else features

    def _select_rows_in_number(self, features: tuple[str, ...]) -> Sequence[Entry]:
        """Return the rows of others; of a noun that was asked for, with the forms of one number.

        Only forms that are known to have the number in ``features`` are kept. A word beside a noun
        in the lines of others (*para* for *in order*) is no form of it.
        """
        number = next((feature for feature in features if feature.startswith("Number=")), "")
        if not (number and self.tag.startswith("NN") and self.method in ASKED_IN_FRAMES):
            return self.others
        own = (
            (row, [form for form in row.forms if number in form.features]) for row in self.others
        )
        return [row.replace_forms(forms) for row, forms in own if forms]

    def _find_best_form(self, found: str, features: tuple[str, ...], frame: int) -> tuple[str, int]:
        """Return the own form that goes where ``found`` stood, and how well it fits."""
        places, fit = _find_fitting(self.forms.features, features, frame)
        texts = [self.forms.texts[place] for place in places]
        if len(texts) == 1:
            return texts[0], fit
        end = without_accents(found)[::-1]
        return max(texts, key=lambda text: common_start(without_accents(text)[::-1], end)), fit


_AGREEMENT = Entry._fields.index("agreement")
ASKED_IN_FRAMES = frozenset({"packed", "frames", "extend"})
"""Methods by which a translator was asked for each word in frames."""
_FRAME = 100
"""Weight of a frame that was asked: more than all categories."""

_AS_IN_DATES = ("month",)
"""Feature of the form of a month that the frame of dates was read from."""

FindKin = Callable[[Entry], Iterable[Entry]]
"""Function that finds the entries of other inflections of the same word."""


@lru_cache(maxsize=20_000)
def _find_fitting(
    rows: tuple[tuple[str, ...], ...], others: tuple[str, ...], frame: int
) -> tuple[tuple[int, ...], int]:
    """Return the places of the features in ``rows`` that fit ``others`` best, and how well.

    Shared features count, a frame as ``frame`` of them, less twice the differing categories.
    """
    fits = []
    for features in rows:
        shared = frozenset(features).intersection(others)
        frames = sum("=" not in feature for feature in shared)
        differences = len(differing(features, others))
        fits.append(len(shared) + (frame - 1) * frames - 2 * differences)
    most = max(fits)
    return tuple(place for place, fit in enumerate(fits) if fit == most), most


@lru_cache(maxsize=20_000)
def differing(features: tuple[str, ...], others: tuple[str, ...]) -> frozenset[str]:
    """Return the categories (``Number``) of which two forms have different values."""
    known = dict(feature.split("=") for feature in features if "=" in feature)
    stated = (feature.partition("=") for feature in others)
    return frozenset(name for name, _, value in stated if value and known.get(name, value) != value)


def common_start(text: Sequence[str], other: Sequence[str]) -> int:
    """Return how many letters two forms have in common at their start, or words two texts."""
    for at, (letter, of_other) in enumerate(zip(text, other, strict=False)):
        if letter != of_other:
            return at
    return min(len(text), len(other))


_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")


def target_tokens(text: str) -> list[str]:
    """Return the words and punctuation marks of ``text``, in lower case."""
    return _TOKEN.findall(text.lower())


def target_spans(text: str) -> list[tuple[str, int, int]]:
    """Return each word of ``text`` in lower case, with its ``(start, end)``."""
    return [(m[0].lower(), *m.span()) for m in _TOKEN.finditer(text)]


def without_accents(text: str) -> str:
    """Return ``text`` without everything that is written above or below a letter."""
    if text.isascii():
        return text
    plain = normalize("NFD", text)
    return plain.translate(dict.fromkeys(map(ord, filter(combining, {*plain}))))
