"""Faster evaluation of spaCy's entity recognizer, without its loop over states.

Entry: ``replace_recognizer``, once for a pipeline, then ``EntityPass.annotate``. The recognizer
decides for each word whether a name begins, continues or ends. Outside a name the decision depends
on the word alone, so all words are decided at once (``_find_names``). Then all candidate names are
extended together, one word a step, and those that begin within another are dropped.
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

Positions = NDArray[np.intp]
Flags = NDArray[np.bool_]

_SHAPE = "tok2vec-listener>>list2array>>linear"
"""Name in thinc of the layers that give each word its vector."""
_FEATURES = 3
"""Number of features: the word; within a name, its first word; within a name, the previous word."""
_TRIAL_WORDS = 300


def replace_recognizer(pipeline: Pipeline, probe: str) -> EntityPass | None:
    """Remove the recognizer at the end of ``pipeline`` and return a faster equivalent.

    Returns None, and leaves the pipeline as it is, if the last component is no recognizer of the
    known architecture, or the two disagree on words of ``probe`` with random vectors that yield
    names of all kinds: a release of spaCy may decide by other rules.
    """
    name, component = pipeline.pipeline[-1] if pipeline.pipeline else ("", None)
    others = (pipeline.get_pipe_meta(other).assigns for other in pipeline.pipe_names[:-1])
    if not isinstance(component, EntityRecognizer) or any(
        "doc.ents" in assigned for assigned in others
    ):
        return None
    moves = [component.moves.get_class_name(index) for index in range(component.moves.n_moves)]
    if not _is_known(component, moves):
        return None
    entities = EntityPass(component.model, moves)
    words = [token.text for token in pipeline.make_doc(probe)]
    words = (words * _TRIAL_WORDS)[:_TRIAL_WORDS]
    starts: list[bool | int | None] = [index % 5 == 0 for index in range(len(words))]
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
    """Return True if the recognizer decides once a word, by the features computed here.

    Of the two moves within a name, the one that continues it must come first, as it is taken where
    both score equally.
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


class _WordBatch(NamedTuple):
    """Words of a batch, concatenated."""

    vectors: Floats
    """Shape ``(words, hidden)``."""
    blank: Flags
    """True for white space."""
    last: Flags
    """True for the last word of a sentence or a text, where every name ends."""


class EntityPass:
    """Decisions of one recognizer; it keeps no state between calls."""

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
        """Set the entities of ``docs``, which have vectors and sentences but no entities yet."""
        docs = [doc for doc in docs if len(doc)]
        if not docs:
            return
        flags = np.concatenate([doc.to_array([SENT_START, IS_SPACE]) for doc in docs])
        last = np.append(flags[1:, 0] == 1, True)
        ends = list(accumulate(map(len, docs)))
        last[np.array(ends) - 1] = True
        weights, bias = self._linear
        vectors = np.concatenate([doc.tensor for doc in docs]) @ weights + bias
        names = self._find_names(_WordBatch(vectors, flags[:, 1] == 1, last))
        start, following = 0, next(names, None)
        for doc, end in zip(docs, ends, strict=True):
            spans: list[Span] = []
            while following is not None and following[0] < end:
                first, end_of_name, label = following
                spans.append(Span(doc, first - start, end_of_name - start, label=label))
                following = next(names, None)
            doc.set_ents(spans)
            start = end

    def _find_names(self, words: _WordBatch) -> Iterator[tuple[int, int, str]]:
        """Yield the first word of each name, the position after its last, and its label."""
        activations = words.vectors @ self._first
        for addend in (*self._absent, self._bias):  # in the order in which spaCy adds
            activations += addend
        scores = self._score(activations)  # at each word while no name is open
        scores[:, ~(self._begins | self._single | self._outside)] = -np.inf
        scores[np.ix_(words.last, self._begins)] = -np.inf
        scores[np.ix_(words.blank, ~self._outside)] = -np.inf
        moves: Positions = scores.argmax(axis=1)
        ends = np.where(self._single[moves], np.arange(1, len(moves) + 1), 0)
        begins = np.flatnonzero(self._begins[moves])
        growing, position = np.arange(len(begins)), begins + 1
        opening = words.vectors[begins] @ self._opening
        while len(growing):  # all names together, one word a step
            activations = words.vectors[position] @ self._first
            activations += opening[growing]
            activations += words.vectors[position - 1] @ self._before
            activations += self._bias
            scores, rows = self._score(activations), np.arange(len(growing))
            of_move = moves[begins[growing]]
            goes_on = scores[rows, self._inside[of_move]] >= scores[rows, self._last[of_move]]
            goes_on &= ~words.last[position]
            ends[begins[growing[~goes_on]]] = position[~goes_on] + 1
            growing, position = growing[goes_on], position[goes_on] + 1
        done = 0
        for first in np.flatnonzero(ends).tolist():
            if first >= done:  # else it is within the name before
                done = int(ends[first])
                yield first, done, self._labels[moves[first]]

    def _score(self, pieces: Floats) -> Floats:
        """Compute scores ``(words, moves)`` from activations ``(words, pieces * hidden)``."""
        hidden = pieces.reshape(len(pieces), self._pieces, -1).max(axis=1)
        weights, bias = self._upper
        scores: Floats = hidden @ weights + bias
        return scores
