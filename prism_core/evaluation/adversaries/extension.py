"""Attack on the words that ``dictionary extend`` asks for: which of them are the archive's?

The adversary has what was asked, all public sources and the groups that follow from them, and
archives of his own, of the same kind, for which he knows what would be asked and why. He ranks the
words by how probable each is. A finding is how many of the first are right, down to the place where
half of the archive's have been named; chance is their share among all that was asked.

Entry: ``attack_asked_words`` -> ``ask_for`` archives -> ``_Sight`` at words -> ``_score``.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import numpy as np

from prism_core.building import (
    HiddenWords,
    PublicWords,
    WordCandidate,
    read_shipped_word_list,
    read_words_by_meaning,
)
from prism_core.evaluation.adversaries.base import Array, Case, Public
from prism_core.evaluation.findings import Finding, share
from prism_core.evaluation.recovery_fitting import fit_logistic

SIZE = 10
"""Words of a group, as by default."""
TRAINED_ON = 4
"""Number of archives that the adversary builds from documents of his own."""
_ENDING = 3
_RIDGE = 3.0


def attack_asked_words(case: Case, rng: Random) -> Iterator[Finding]:
    """Attack by all public facts of a word, and then also by its count in his own archives."""
    public = case.public
    every = (
        WordCandidate(candidate.word, candidate.tag, public.prior.get(candidate.word, 0))
        for candidate in read_shipped_word_list(public.dictionary.language)
    )
    listed = PublicWords(every, public.dictionary, public.names.__contains__, SIZE)
    archive = ask_for(public, listed, (original.words for original in case.originals))
    known = [
        ask_for(public, listed, (words for document in some for words in document))
        for some in (case.outsiders[n::TRAINED_ON] for n in range(TRAINED_ON))
    ]
    yield from rank_asked_words(archive, known, rng)


def ask_for(public: Public, listed: PublicWords, sentences: Iterable[Sequence[str]]) -> HiddenWords:
    """Return the words that would be asked for an archive, were ``listed`` all public words."""
    dictionary = public.dictionary
    own = [
        WordCandidate(word, "", count)
        for word, count in Counter(word for words in sentences for word in words).items()
        if word.islower() and not dictionary.knows(word) and word not in public.names
    ]
    return listed.choose_groups(own)


def rank_asked_words(
    archive: HiddenWords, known: Sequence[HiddenWords], rng: Random
) -> Iterator[Finding]:
    """Attack ``archive`` knowing for which words of ``known`` they were asked."""
    places = {word: place for place, word in enumerate(read_words_by_meaning())}
    for attack, remembers in (("asked-alike", False), ("asked-known", True)):
        if not archive.own or not all(other.own for other in known):
            yield share(attack, 0, 0.0, 0)
            continue
        rows = [
            _Sight([other for other in known if other is not learned], places, remembers).rows(
                learned
            )
            for learned in known
        ]
        seen, own = _Sight(known, places, remembers).rows(archive)
        scores = _score(np.vstack([r for r, _ in rows]), np.hstack([o for _, o in rows]), seen)
        ranked = sorted(range(len(own)), key=lambda at: (-scores[at], rng.random()))
        wanted = math.ceil(own.sum() / 2)
        named = int(np.searchsorted(np.cumsum(own[ranked]), wanted)) + 1
        yield share(attack, wanted, float(own.mean()), named)


class _Sight:
    """Features of a word for an adversary who knows the words of some archives."""

    def __init__(
        self, known: Sequence[HiddenWords], places: dict[str, int], remembers: bool
    ) -> None:
        self._times = Counter(
            word for archive in known for word in {own.word for own in archive.own}
        )
        self._endings = Counter(word[-_ENDING:] for word in self._times)
        self._near = sorted(places.get(word, len(places)) for word in self._times)
        self._places, self._remembers = places, remembers

    def rows(self, archive: HiddenWords) -> tuple[Array, Array]:
        """Return features of each grouped word, alone and in its group, and if it is own."""
        own = {(word.word, word.tag) for word in archive.own}
        found = []
        for group in archive.groups:
            seen = np.array([self._numbers(word) for word in group])
            found.append(np.hstack([seen, seen - seen.mean(axis=0)]))
        members = [word for group in archive.groups for word in group]
        return np.vstack(found), np.array([(word.word, word.tag) in own for word in members], float)

    def _numbers(self, candidate: WordCandidate) -> list[float]:
        word = candidate.word
        place = self._places.get(word, len(self._places))
        is_own = word in self._times  # it does not count as its own neighbour
        at = bisect(self._near, place)
        others = [*self._near[max(0, at - 1 - is_own) : at - is_own], *self._near[at : at + 1]]
        distance = min((abs(place - other) for other in others), default=len(self._places))
        return [
            math.log1p(candidate.count),
            math.log1p(candidate.count) ** 2,
            len(word),
            place / len(self._places),
            math.log1p(distance),
            self._endings[word[-_ENDING:]] - is_own,
            *(candidate.tag == tag for tag in ("NN", "NNS", "JJ", "RB", "VB")),
            self._times[word] if self._remembers else 0,
            is_own and self._remembers,
        ]


def _score(seen: Array, own: Array, asked: Array) -> Array:
    """Return the log-odds of ``asked`` by a logistic regression of ``own`` on the rows ``seen``."""
    mean, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-9
    learned, guessed = (
        np.hstack([(rows - mean) / spread, np.ones((len(rows), 1))]) for rows in (seen, asked)
    )
    return guessed @ fit_logistic(learned, own, np.full(learned.shape[1], _RIDGE))
