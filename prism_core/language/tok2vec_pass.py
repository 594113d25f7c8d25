"""Words into vectors, as spaCy's tok2vec does it, in a third of the time.

Entry: ``replace_tok2vec``, once for a pipeline. ``_Forward`` computes what spaCy computes, but for the
last digits of a float: ``MultiHashEmbed``, then ``MaxoutWindowEncoder``. It is faster by what it
leaves out: a word that comes again in a batch is embedded once (``_distinct``), the largest of the
pieces is taken without saying which it was (``_Layer``), and nothing is kept for training. A column
stands for a word, so that what is done to a feature is done to many words at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language as Pipeline
from spacy.pipeline import Tok2Vec
from spacy.tokens import Doc
from thinc.api import Model, NumpyOps

Floats = NDArray[np.float32]
Hashes = NDArray[np.uint64]
Layers = Model[Any, Any]

_BLOCK = 512
"""Columns that are worked on at a time: as many as stay in the cache of a processor."""
_MAXOUT = "maxout>>layernorm>>dropout"
_RESIDUAL = rf"residual\(expand_window>>{_MAXOUT}\)"
_EMBEDDING = "ints-getitem>>hashembed"
_SHAPE = re.compile(
    rf"extract_features>>list2ragged>>with_array\({_EMBEDDING}(\|{_EMBEDDING})+\)"
    rf">>with_array\({_MAXOUT}\)>>ragged2list>>with_array\({_RESIDUAL}(>>{_RESIDUAL})+\)"
)
"""How thinc names the layers of the one architecture that is known here."""
_CLOSE = 1e-3
"""The most that a feature may differ from spaCy's; its variance is 1, and 1e-5 is what is met."""


_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""Any odd number: 64 random bits each, the attributes of two words hardly ever mix into one."""


def replace_tok2vec(pipeline: Pipeline, probe: str) -> bool:
    """Have each tok2vec of ``pipeline`` computed here that is of the known architecture; whether
    there was one. Any other stays spaCy's.

    So does one that gives other vectors here of ``probe``, some words: a release of spaCy may come
    to mean something else by the same layers.
    """
    used = False
    for _, component in pipeline.pipeline:
        if not isinstance(component, Tok2Vec) or not _is_known(component.model):
            continue
        forward = _Forward(component.model)
        docs = [pipeline.make_doc(text) for text in (probe, probe.split()[0], probe)]
        pairs = zip(forward(docs), component.model.predict(docs), strict=True)
        if all(np.allclose(ours, theirs, atol=_CLOSE) for ours, theirs in pairs):
            component.model = Model(
                "prism_tok2vec", _predict, dims={"nO": forward.width}, attrs={"forward": forward}
            )
            used = True
    return used


def _is_known(model: Layers) -> bool:
    """Whether it is embedded by hashes, and encoded by windows of one word to either side."""
    return (
        _SHAPE.fullmatch(model.name) is not None
        and all(node.attrs["window_size"] == 1 for node in _nodes(model, "expand_window"))
        and all(node.get_dim("nP") > 1 for node in _nodes(model, "maxout"))
    )


class _Layer(NamedTuple):
    """A maxout and the normalization behind it; its pieces lie one behind the other."""

    weights: Floats
    """``(pieces * width, inputs)``."""
    bias: Floats
    """``(pieces, width, 1)``."""
    scale: Floats
    """``(width, 1)``, as is ``shift``."""
    shift: Floats

    @classmethod
    def read(cls, maxout: Layers, normalization: Layers) -> _Layer:
        """The layer of two of thinc, whose pieces lie beside each other."""
        weights, bias = read_floats(maxout, "W"), read_floats(maxout, "b")
        inputs = weights.shape[2]
        return cls(
            np.ascontiguousarray(weights.transpose(1, 0, 2)).reshape(-1, inputs),
            np.ascontiguousarray(bias.T)[:, :, None],
            read_floats(normalization, "G")[:, None],
            read_floats(normalization, "b")[:, None],
        )

    def __call__(self, inputs: Floats) -> Floats:
        """``(width, columns)`` of ``(inputs, columns)``."""
        pieces = (self.weights @ inputs).reshape(*self.bias.shape[:2], -1)
        pieces += self.bias
        best: Floats = pieces[0]
        for piece in pieces[1:]:
            np.maximum(best, piece, out=best)
        best -= best.mean(axis=0)
        variance = np.multiply(best, best, out=pieces[1]).mean(axis=0)
        best *= 1 / np.sqrt(variance + np.float32(1e-8))
        best *= self.scale
        best += self.shift
        return best


class _Forward:
    """The pass of one tok2vec; it keeps nothing of what it was given."""

    def __init__(self, model: Layers) -> None:
        embedding, encoding = model.get_ref("embed"), model.get_ref("encode")
        (self._mixing,) = _read_layers(embedding)
        self._windows = _read_layers(encoding)
        (self._attributes,) = (
            node.attrs["columns"] for node in _nodes(embedding, "extract_features")
        )
        self._tables = [
            (node.get_param("E"), node.attrs["seed"]) for node in _nodes(embedding, "hashembed")
        ]
        self.width = len(self._mixing.scale)
        self._ops = NumpyOps()

    def __call__(self, docs: Sequence[Doc]) -> list[Floats]:
        """A row of features for each word of each of ``docs``."""
        words, places = _distinct(
            np.concatenate(
                [doc.to_array(self._attributes).reshape(len(doc), -1) for doc in docs if len(doc)]
            )
        )
        embedded = self._embed(words)
        found: list[Floats] = []
        done = 0
        for lengths in _blocks(list(map(len, docs))):
            end = done + sum(lengths)
            found += self._encode(embedded[:, places[done:end]], lengths)
            done = end
        return found

    def _embed(self, words: Hashes) -> Floats:
        """``(width, words)`` of the attributes of words, ``(words, attributes)``."""
        columns = [
            self._ops.gather_add(
                table, self._ops.hash(np.ascontiguousarray(hashes), seed) % len(table)
            )
            for (table, seed), hashes in zip(self._tables, words.T, strict=True)
        ]
        return self._mixing(np.concatenate(columns, axis=1).T)

    def _encode(self, embedded: Floats, lengths: Sequence[int]) -> Iterator[Floats]:
        """The rows of documents of so many words; as many columns of zeros stand between two as
        there are windows, so that no word sees into the next document."""
        apart, width = len(self._windows), self.width
        ends = list(accumulate((length + apart for length in lengths), initial=apart))
        spans = [slice(start, start + length) for start, length in zip(ends, lengths, strict=False)]
        vectors = np.zeros((width, ends[-1]), np.float32)
        done = 0
        for span, length in zip(spans, lengths, strict=True):
            vectors[:, span] = embedded[:, done : done + length]
            done += length
        seen = np.zeros((3 * width, ends[-1]), np.float32)  # the word before, itself, the next
        for window in self._windows:
            seen[:width, 1:] = vectors[:, :-1]
            seen[width : 2 * width] = vectors
            seen[2 * width :, :-1] = vectors[:, 1:]
            vectors += window(seen)
        rows = np.ascontiguousarray(vectors.T)
        return (rows[span] for span in spans)


def _predict(
    model: Layers,
    docs: Sequence[Doc],
    is_train: bool,  # noqa: ARG001 (as thinc calls it)
) -> tuple[list[Floats], None]:
    """What thinc calls; there is no way back, for nothing is trained here."""
    forward: _Forward = model.attrs["forward"]
    return forward(docs), None


def _read_layers(model: Layers) -> list[_Layer]:
    return list(map(_Layer.read, _nodes(model, "maxout"), _nodes(model, "layernorm")))


def _nodes(model: Layers, name: str) -> list[Layers]:
    """Those of the layers in ``model`` that thinc names ``name``, in their order."""
    return [node for node in model.walk() if node.name == name]


def read_floats(layer: Layers, name: str) -> Floats:
    """A parameter of a layer of thinc."""
    return np.asarray(layer.get_param(name))


def _distinct(words: Hashes) -> tuple[Hashes, NDArray[np.intp]]:
    """Each of the rows ``words`` once, and the place there of each row."""
    mixed = words[:, 0]
    for hashes in words.T[1:]:
        mixed = mixed * _MIXER + hashes
    _, first, places = np.unique(mixed, return_index=True, return_inverse=True)
    distinct = words[first]
    if np.array_equal(distinct[places], words):
        return distinct, places
    return words, np.arange(len(words))  # two words that mix into one


def _blocks(lengths: Sequence[int]) -> Iterator[list[int]]:
    """``lengths`` in groups of about ``_BLOCK`` in all, or single ones that are longer."""
    block: list[int] = []
    for length in lengths:
        block.append(length)
        if sum(block) >= _BLOCK:
            yield block
            block = []
    if block:
        yield block
