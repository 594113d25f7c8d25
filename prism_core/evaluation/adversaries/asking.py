"""Attacks on what is asked for: by ``dictionary extend``, and again after words were lost.

Which of the words that ``dictionary extend`` asks for are the archive's? The adversary has what was
asked, all public sources and the groups that follow from them, and archives of his own, of the same
kind, for which he knows what would be asked and why. He ranks the words by how probable each is. A
finding is how many of the first are right, down to the place where half of the archive's have been
named; chance is their share among all that was asked.

A translator drops words from its answers, to be sent other encodings of the sentences. What differs
between two encodings of a sentence is a substitute, and what it left out and is still the same was
kept. It is taken to know which requests are of one sentence, and never to be stopped.

Entry: ``attack_asked_words`` -> ``ask_for`` archives -> ``_Sight`` at words -> ``_train``;
``observe_asking``, which plays the translator against an encoder, then ``attack_by_asking``.
"""

from __future__ import annotations

import math
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.building import (
    HiddenWords,
    PublicWords,
    WordCandidate,
    read_shipped_word_list,
    read_words_by_meaning,
)
from prism_core.decoding import STRONG, AnsweredDraw, SearchStrategy
from prism_core.dictionary import Dictionary
from prism_core.evaluation.adversaries.base import AskedSentence, Case, Public, Words
from prism_core.evaluation.adversaries.traffic import Observer, tokens_sent
from prism_core.evaluation.findings import Finding, share
from prism_core.language import Sentence
from prism_core.record import Encoded, Kind
from prism_core.recovery import redraw_allowance
from prism_core.settings import DecodingSettings

LeaveOut = Callable[[Words, Sequence[int], Collection[int]], set[int]]
"""Places to drop, by the sent tokens, those of content words, and guessed substitutes.
"""
_EVERY = 5


LEFT_OUT: Mapping[str, LeaveOut] = {
    "capitals": lambda tokens, *_: {p for p, word in enumerate(tokens) if word[0].isupper()},
    "fifth": lambda _, content, __: set(content[::_EVERY]),
    # All words that may have been kept, and one that was not, to be asked for it.
    "suspects": lambda _, content, guessed: {*content} - {*guessed} | {*sorted(guessed)[:1]},
}
"""Choices of dropped places, by the name of the attack."""
SIZE = 10
"""Words of a group, as by default."""
TRAINED_ON = 4
"""Number of archives that the adversary builds from documents of his own."""
_ENDING = 3
_STEPS = 15
_RIDGE = 3.0

Array = NDArray[np.float64]


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
            _Sight([other for other in known if other is not one], places, remembers).rows(one)
            for one in known
        ]
        score = _train(np.vstack([seen for seen, _ in rows]), np.hstack([own for _, own in rows]))
        seen, own = _Sight(known, places, remembers).rows(archive)
        scores = score(seen)  # equal ones in no order
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

    def _numbers(self, one: WordCandidate) -> list[float]:
        word, place = one.word, self._places.get(one.word, len(self._places))
        is_own = word in self._times  # it does not count as its own neighbour
        at = bisect(self._near, place)
        others = [*self._near[max(0, at - 1 - is_own) : at - is_own], *self._near[at : at + 1]]
        distance = min((abs(place - other) for other in others), default=len(self._places))
        return [
            math.log1p(one.count),
            math.log1p(one.count) ** 2,
            len(word),
            place / len(self._places),
            math.log1p(distance),
            self._endings[word[-_ENDING:]] - is_own,
            *(one.tag == tag for tag in ("NN", "NNS", "JJ", "RB", "VB")),
            self._times[word] if self._remembers else 0,
            is_own and self._remembers,
        ]


def _train(seen: Array, own: Array) -> Callable[[Array], Array]:
    """Fit a logistic regression with a ridge penalty, by Newton's method."""
    mean, spread = seen.mean(axis=0), seen.std(axis=0) + 1e-9

    def scaled(rows: Array) -> Array:
        return np.hstack([(rows - mean) / spread, np.ones((len(rows), 1))])

    rows = scaled(seen)
    ridge = _RIDGE * np.eye(rows.shape[1])
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (likely - own) + ridge @ weights
        weights -= np.linalg.solve((rows.T * (likely * (1 - likely))) @ rows + ridge, slope)
    return lambda asked: scaled(asked) @ weights


def observe_asking(seen: Observer, sentences: Sequence[Sentence]) -> Iterator[AskedSentence]:
    """Yield what ``seen`` sends of ``sentences`` to a translator that drops words of its answers.

    It gives back everything else as the dictionary has it, and is sent as much as a run may send.
    """
    encoder = seen.encoder
    for way, leave_out in LEFT_OUT.items():
        firsts = [
            (sentence, encoded) for sentence in sentences if (encoded := seen.encode(sentence))
        ]
        room = redraw_allowance(len(firsts), DecodingSettings().redraws)
        for sentence, encoded in firsts:
            cut = encoder.cut(sentence, seen.deny_list)
            shown = [tokens_sent(encoder.fit(cut, encoded), encoded)]
            words = tuple(text for _, text in shown[0])
            is_kept = encoder.dictionary.language.is_function_word
            content = [p for p, text in enumerate(words) if text.isalpha() and not is_kept(text)]
            left = leave_out(words, content, {place for _, place in seen.guess([words])})
            draws: list[AnsweredDraw] = []
            while True:
                draws.append(AnsweredDraw(encoded, _answer(encoder.dictionary, cut, encoded, left)))
                is_last = len(draws) == encoder.most_draws
                strategies = frozenset(SearchStrategy) if is_last else STRONG
                if is_last or not room or not encoder.decode_draws(draws, strategies)[1].unrestored:
                    break
                encoded = encoder.encode_again(sentence, draws, seen.deny_list, seen.rng)
                if encoded.withheld:
                    break
                room -= 1
                shown.append(tokens_sent(encoder.fit(cut, encoded), encoded))
            replaced = {replacement.position for replacement in draws[0].encoded.record}
            kept = {place for place in content if shown[0][place][0] not in replaced}
            later = [dict(tokens) for tokens in shown]  # one may replace several tokens as one
            sent = tuple(tuple(encoding.get(at, "") for at, _ in shown[0]) for encoding in later)
            yield AskedSentence(way, sent, frozenset(content), frozenset(left), frozenset(kept))


def _answer(
    dictionary: Dictionary, cut: Sentence, encoded: Encoded, left_out: Collection[int]
) -> str:
    """Return the answer: every substitute translated by the dictionary, kept words as they are."""
    forms = {replacement.position: replacement.substitute for replacement in encoded.record}
    for replacement in encoded.record:
        entry = dictionary.find(replacement.substitute, replacement.drawn_as)
        if replacement.kind is Kind.NAME:
            forms[replacement.position] = dictionary.translate_surrogate(replacement.substitute)
        elif entry and entry.forms.texts:
            forms[replacement.position] = entry.forms.texts[0]
    return " ".join(
        forms.get(position, text)
        for place, (position, text) in enumerate(tokens_sent(cut, encoded))
        if place not in left_out
    )


def attack_by_asking(case: Case, rng: Random) -> Iterator[Finding]:  # noqa: ARG001 (breaks no ties)
    """Guess which sentences are sent again and which words were kept, for each choice of places.

    ``kept-alike`` takes all for kept that are the same in every encoding, ``kept-left-out`` those
    that were left out and are the same; ``kept-found`` is how many kept words that finds, where a
    blind guess finds none.
    """
    for way in LEFT_OUT:
        asked = [asked_sentence for asked_sentence in case.asked if asked_sentence.way == way]
        again = [asked_sentence for asked_sentence in asked if len(asked_sentence.sent) > 1]
        yield share(f"asked-again@{way}", len(again), 0.0, len(asked))
        words, kept = (
            sum(len(asked_sentence.content) for asked_sentence in again),
            sum(len(one.kept) for one in again),
        )
        alike = [(asked_sentence, asked_sentence.alike) for asked_sentence in again]
        left = [
            (asked_sentence, asked_sentence.alike & asked_sentence.left_out)
            for asked_sentence in again
        ]
        for attack, named in (("kept-alike", alike), ("kept-left-out", left)):
            hits = sum(len(places & asked_sentence.kept) for asked_sentence, places in named)
            n = sum(len(places) for _, places in named)
            yield share(f"{attack}@{way}", hits, kept / max(words, 1), n)
        found = sum(len(places & asked_sentence.kept) for asked_sentence, places in left)
        yield share(
            f"kept-found@{way}",
            found,
            0.0,
            sum(len(asked_sentence.kept) for asked_sentence in asked),
        )
