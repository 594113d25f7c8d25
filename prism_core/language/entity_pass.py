"""Names found by spaCy's entity recognizer without its loop over states.

Entry: ``replace_recognizer``, once for a pipeline, then ``EntityPass.annotate``. The recognizer decides word
by word whether a name begins, goes on or ends. Outside a name a decision depends on the word alone,
so all are taken at once (``_decide_outside``); then all names that may begin grow together, a word
in each step (``_grow``); and those are kept that do not begin within another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IS_SPACE, SENT_START
from spacy.language import Language as Pipeline
from spacy.pipeline import EntityRecognizer
from spacy.tokens import Doc, Span

from prism_core.language.tok2vec_pass import Floats, Layers, read_floats

Places = NDArray[np.intp]
Flags = NDArray[np.bool_]

_SHAPE = "tok2vec-listener>>list2array>>linear"
"""How thinc names the layers that give each word its vector."""
_FEATURES = 3
"""The word; where a name is open, its first word; there, the word before."""
_TRIAL_WORDS = 300


def replace_recognizer(pipeline: Pipeline, probe: str) -> EntityPass | None:
    """What finds the names that the last component of ``pipeline`` finds, which is taken out; None,
    and all stays as it is, where that is no recognizer of the known architecture.

    Both must find the same, of words of ``probe`` with random vectors that are taken for names of
    all kinds: a release of spaCy may come to decide by other rules.
    """
    name, component = pipeline.pipeline[-1] if pipeline.pipeline else ("", None)
    others = (pipeline.get_pipe_meta(other).assigns for other in pipeline.pipe_names[:-1])
    if not isinstance(component, EntityRecognizer) or any("doc.ents" in one for one in others):
        return None
    moves = [component.moves.get_class_name(place) for place in range(component.moves.n_moves)]
    if not _is_known(component, moves):
        return None
    entities = EntityPass(component.model, moves)
    words = [token.text for token in pipeline.make_doc(probe)]
    words = (words * _TRIAL_WORDS)[:_TRIAL_WORDS]
    starts: list[bool | int | None] = [place % 5 == 0 for place in range(len(words))]
    ours, theirs = (Doc(pipeline.vocab, words, sent_starts=starts) for _ in "ab")
    size = (len(words), component.model.get_ref("tok2vec").layers[-1].get_dim("nI"))
    ours.tensor = theirs.tensor = np.random.default_rng(1).normal(size=size).astype(np.float32)
    entities.annotate([ours])
    component(theirs)
    if [token.ent_type for token in ours] != [token.ent_type for token in theirs]:
        return None
    pipeline.remove_pipe(name)
    return entities


def _is_known(component: EntityRecognizer, moves: Sequence[str]) -> bool:
    """Whether it decides once for each word, by the features that are computed here; and of the
    two moves within a name, the one that goes on stands first, as it is taken where both are equal.
    """
    model = component.model
    lower = model.get_ref("lower")
    return (
        model.get_ref("tok2vec").name == _SHAPE
        and model.attrs["has_upper"]
        and not model.attrs["unseen_classes"]
        and component.cfg["beam_width"] == 1
        and lower.get_dim("nF") == _FEATURES
        and lower.get_dim("nP") > 1
        and all(
            f"I-{label}" in moves and moves.index(f"I-{label}") < moves.index(f"L-{label}")
            for label in component.labels
        )
    )


class _Words(NamedTuple):
    """The words of a batch, one after the other."""

    vectors: Floats
    """``(words, hidden)``."""
    blank: Flags
    last: Flags
    """Of a sentence or a text: no name goes on behind it."""


class EntityPass:
    """The decisions of one recognizer; it keeps nothing of what it was given."""

    def __init__(self, model: Layers, moves: Sequence[str]) -> None:
        lower, upper = model.get_ref("lower"), model.get_ref("upper")
        linear = model.get_ref("tok2vec").layers[-1]
        self._linear = read_floats(linear, "W").T, read_floats(linear, "b")
        weights, pad = read_floats(lower, "W"), read_floats(lower, "pad")[0]
        hidden = weights.shape[-1]
        self._pieces = weights.shape[2]
        self._first, self._opening, self._before = (
            np.ascontiguousarray(of_feature.swapaxes(0, 1)).reshape(-1, hidden).T
            for of_feature in weights
        )
        _, *self._absent = (of_feature.T.reshape(-1) for of_feature in pad)
        self._bias = read_floats(lower, "b").T.reshape(-1)
        self._upper = read_floats(upper, "W").T, read_floats(upper, "b")
        self._labels = [move.partition("-")[2] for move in moves]
        self._begins, self._single = (
            np.array([move[0] == kind and move != "U-" for move in moves]) for kind in "BU"
        )
        self._outside = np.array([move == "O" for move in moves])
        self._inside, self._last = (
            np.array([moves.index(kind + label) if label else 0 for label in self._labels])
            for kind in ("I-", "L-")
        )

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Set the names of ``docs``, which have vectors, sentences and no names yet."""
        docs = [doc for doc in docs if len(doc)]
        if not docs:
            return
        flags = np.concatenate([doc.to_array([SENT_START, IS_SPACE]) for doc in docs])
        last = np.append(flags[1:, 0] == 1, True)
        ends = list(accumulate(map(len, docs)))
        last[np.array(ends) - 1] = True
        weights, bias = self._linear
        vectors = np.concatenate([doc.tensor for doc in docs]) @ weights + bias
        names = self._find(_Words(vectors, flags[:, 1] == 1, last))
        start, coming = 0, next(names, None)
        for doc, end in zip(docs, ends, strict=True):
            spans: list[Span] = []
            while coming is not None and coming[0] < end:
                first, behind, label = coming
                spans.append(Span(doc, first - start, behind - start, label=label))
                coming = next(names, None)
            doc.set_ents(spans)
            start = end

    def _find(self, words: _Words) -> Iterator[tuple[int, int, str]]:
        """The first word of each name, the place behind its last, and its label, in order."""
        moves = self._decide_outside(words)
        behind = np.where(self._single[moves], np.arange(1, len(moves) + 1), 0)
        begins = np.flatnonzero(self._begins[moves])
        behind[begins] = self._grow(words, begins, moves[begins])
        done = 0
        for first in np.flatnonzero(behind).tolist():
            if first >= done:  # else it is within the name before
                done = int(behind[first])
                yield first, done, self._labels[moves[first]]

    def _decide_outside(self, words: _Words) -> Places:
        """The move at each word while no name is open."""
        opening, before = self._absent
        pieces = words.vectors @ self._first
        for addend in (opening, before, self._bias):  # in the order in which spaCy adds
            pieces += addend
        scores = self._score(pieces)
        scores[:, ~(self._begins | self._single | self._outside)] = -np.inf
        scores[np.ix_(words.last, self._begins)] = -np.inf
        scores[np.ix_(words.blank, ~self._outside)] = -np.inf
        moves: Places = scores.argmax(axis=1)
        return moves

    def _grow(self, words: _Words, firsts: Places, moves: Places) -> Places:
        """Where the names end that begin with the words ``firsts`` by ``moves``."""
        behind = np.zeros(len(firsts), np.intp)
        grown = np.arange(len(firsts))
        opening = words.vectors[firsts] @ self._opening
        place = firsts + 1
        while len(grown):
            pieces = words.vectors[place] @ self._first
            pieces += opening[grown]
            pieces += words.vectors[place - 1] @ self._before
            pieces += self._bias
            scores = self._score(pieces)
            rows, of_move = np.arange(len(grown)), moves[grown]
            goes_on = scores[rows, self._inside[of_move]] >= scores[rows, self._last[of_move]]
            goes_on &= ~words.last[place]
            behind[grown[~goes_on]] = place[~goes_on] + 1
            grown, place = grown[goes_on], place[goes_on] + 1
        return behind

    def _score(self, pieces: Floats) -> Floats:
        """``(words, moves)`` of ``(words, pieces * hidden)``."""
        hidden = pieces.reshape(len(pieces), self._pieces, -1).max(axis=1)
        weights, bias = self._upper
        scores: Floats = hidden @ weights + bias
        return scores
