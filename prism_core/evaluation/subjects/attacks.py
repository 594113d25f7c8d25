"""Attacks of the recipient on each data subject, beside what chance alone would reach.

The recipient is given what was sent of a subject as one text, which a run does not tell. Entry:
``attack_subjects``; each attack returns a ``Guessed``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean

import numpy as np

from prism_core.dictionary import Dictionary
from prism_core.evaluation.adversaries.base import Array, Request, Words
from prism_core.evaluation.adversaries.linking import Features, Index, Structure, best
from prism_core.evaluation.findings import Finding, share
from prism_core.evaluation.subjects.records import Sent, Subject, fold_words

_K, _B = 1.5, 0.75
"""Saturation and length normalisation of BM25 (Robertson and Zaragoza 2009)."""


@dataclass(frozen=True, slots=True)
class Guessed:
    """Result of an attack: the hit on each subject that it concerns, by the subject's place.

    A hit is 1, 0, or the share of a guess among equals. ``chance`` is the mean hit of a guesser who
    was sent nothing of the subject.
    """

    attack: str
    hits: Mapping[int, float]
    chance: float

    @property
    def finding(self) -> Finding:
        """Share of the subjects that were hit, with its exact interval."""
        return share(self.attack, sum(self.hits.values()), self.chance, len(self.hits))


def attack_subjects(
    subjects: Sequence[Subject], sent: Sequence[Sent], dictionary: Dictionary
) -> Iterator[Guessed]:
    """Yield the result of each attack on ``subjects``, of whom ``sent`` was sent."""
    texts = [fold_words(" ".join(chain(*(each.tokens for each in requests)))) for requests in sent]
    kept = [list(map(_words_kept, requests)) for requests in sent]
    for attack, is_code in (("subject-name", False), ("subject-code", True)):
        forms = [
            [form for form in subject.direct if any(map(str.isdigit, form)) is is_code]
            for subject in subjects
        ]
        yield look_for(attack, forms, texts)
    yield look_for("subject-name-part", [subject.telling for subject in subjects], texts)
    documents = [fold_words(" ".join(subject.lines)) for subject in subjects]
    index = Index(list(map(Counter, documents)))
    rank = _Bm25(documents).rank
    yield link("subject-link-words", [[index.likeness(Counter(chain(*text)))] for text in kept])
    yield link("subject-link-bm25", [[rank(chain(*text))] for text in kept])
    yield link("subject-link-request", [list(map(rank, text)) for text in kept])
    if any(subject.facts for subject in subjects):
        rank = _Bm25([subject.facts for subject in subjects]).rank
        yield link("subject-link-facts", [[rank(text)] for text in texts])
    yield link("subject-link-structure", _rank_by_structure(subjects, sent, dictionary))
    for kind in sorted({kind for subject in subjects for kind in subject.quasi}):
        yield _infer(kind, [subject.quasi.get(kind, frozenset()) for subject in subjects], texts)


def _words_kept(request: Request) -> Words:
    """Return the words that the public rules do not take for substitutes."""
    left = (word for place, word in enumerate(request.tokens) if place not in request.guessed)
    return tuple(chain(*map(fold_words, left)))


def _pad(words: Words) -> str:
    """Join ``words`` so that a form is found in a text where it stands as whole words."""
    return f" {' '.join(words)} "


def look_for(attack: str, forms: Sequence[Collection[Words]], texts: Sequence[Words]) -> Guessed:
    """Look for one of the ``forms`` of each subject in its text; chance: in that of another."""
    lines = list(map(_pad, texts))
    hits, blind = {}, []
    for at, own in enumerate(forms):
        if own:
            shown = [float(any(_pad(form) in line for form in own)) for line in lines]
            hits[at] = shown.pop(at)
            blind += shown
    return Guessed(attack, hits, fmean(blind) if blind else 0.0)


def link(attack: str, ranked: Sequence[Sequence[Array]]) -> Guessed:
    """Take the likeliest of all subjects for each text of a subject; chance: 1 / N.

    A hit is the share of a subject's texts that are linked right.
    """
    everybody = np.arange(len(ranked))
    hits = {
        at: fmean(best(likeness, everybody, at) for likeness in texts)
        for at, texts in enumerate(ranked)
        if texts
    }
    return Guessed(attack, hits, 1 / len(ranked))


class _Bm25:
    """Ranking of ``profiles`` by the words that a text shares with them."""

    def __init__(self, profiles: Sequence[Words]) -> None:
        self._size = len(profiles)
        lengths = np.array([len(profile) for profile in profiles], float)
        room = _K * (1 - _B + _B * lengths / max(lengths.mean(), 1.0))
        often: dict[str, Array] = {}
        for place, profile in enumerate(profiles):
            for word in profile:
                often.setdefault(word, np.zeros(self._size))[place] += 1
        self._scores = {
            word: np.log1p((self._size - (n := (counts > 0).sum()) + 0.5) / (n + 0.5))
            * (counts * (_K + 1) / (counts + room))
            for word, counts in often.items()
        }

    def rank(self, text: Iterable[str]) -> Array:
        """Return the score of each profile; a word of ``text`` counts once."""
        shared = sorted(self._scores.keys() & set(text))
        return np.asarray(sum((self._scores[word] for word in shared), np.zeros(self._size)))


def _rank_by_structure(
    subjects: Sequence[Subject], sent: Sequence[Sent], dictionary: Dictionary
) -> list[list[Array]]:
    """Compare what shows through any substitution, see ``Structure``."""
    structure = Structure(dictionary)

    def describe(requests: Sent) -> Features:
        return sum(map(structure.describe_request, requests), Counter[str]())

    index = Index([describe(subject.as_sent()) for subject in subjects])
    return [[index.likeness(describe(requests))] for requests in sent]


def _infer(kind: str, values: Sequence[frozenset[Words]], texts: Sequence[Words]) -> Guessed:
    """Guess a value of ``kind`` of each subject, of those that anybody has.

    The value is taken that stands in what was sent more often than in what was sent of others. Who
    sees that this fails on all the others takes the commonest value of the others instead. Chance:
    the better of this value and of a value read from what was sent of another subject.
    """
    candidates = sorted({value for own in values for value in own})
    forms, lines = list(map(_pad, candidates)), list(map(_pad, texts))
    often = np.array([[line.count(form) for form in forms] for line in lines], float)
    weights = np.log(len(lines) / np.maximum((often > 0).sum(0), 1)) + 1e-9
    common = Counter(value for own in values for value in own)
    concerned = [at for at, own in enumerate(values) if own]
    seen = [
        candidates[int(counts.argmax())] if counts.any() else None for counts in often * weights
    ]
    blind, read, dealt = {}, {}, []
    for at in concerned:
        others = common - Counter(values[at])
        commonest = min(others, key=lambda value: (-others[value], value), default=())
        blind[at] = float(commonest in values[at])
        right = [float((guess or commonest) in values[at]) for guess in seen]
        read[at] = right.pop(at)
        dealt += right
    gain = sum(read.values()) - sum(blind.values())
    hits = {at: read[at] if gain > read[at] - blind[at] else blind[at] for at in concerned}
    return Guessed(f"subject-infer@{kind}", hits, max(fmean(blind.values()), fmean(dealt)))
