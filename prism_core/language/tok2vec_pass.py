"""Faster evaluation of spaCy's tok2vec: words into vectors in a third of the time.

Entry: ``replace_tok2vec``, once for a pipeline. ``_Tok2VecPass`` computes the same as spaCy up to
the last digits of a float: ``MultiHashEmbed``, then ``MaxoutWindowEncoder``. It is faster because
it embeds a word that recurs in a batch once, takes the maximum of the pieces without recording
which it was (``_Layer``), and keeps nothing for training. Each column is a word, so that one
operation on a feature covers many words.

Matrix products are NumPy's: ``use_openblas`` once for a pipeline, then ``use_one_thread`` around
each use of it. ``remove_unread`` and ``skip_plain_words`` save work before the words are vectors.
"""

from __future__ import annotations

import ctypes
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IS_SPACE, LANG, LOWER, NORM, PREFIX, SHAPE, SUFFIX
from spacy.language import Language as Pipeline
from spacy.pipeline import Tok2Vec
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from thinc.api import Model, NumpyOps

_NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)
"""Names of the functions in NumPy's wheels, and in builds of distributions."""


class _Threads(NamedTuple):
    """Functions that read and set the number of threads of OpenBLAS in this process."""

    read: Callable[[], int]
    write: Callable[[int], None]


class _ActiveUsers:
    """Number of callers that use one thread now; the last one restores the number before."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start over, as a child process must whose parent was forked during use."""
        self.lock = threading.Lock()
        self.count = 0
        self.threads_before = 1


_ACTIVE = _ActiveUsers()


@cache
def _openblas_threads() -> _Threads | None:
    """Return the thread functions of NumPy's OpenBLAS; None with any other library."""
    try:  # a library is looked through with all that it was linked to
        library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
    except (AttributeError, OSError):
        return None
    for name in _NAMES:
        if hasattr(library, name.format("set")):
            os.register_at_fork(after_in_child=_ACTIVE.reset)
            return _Threads(
                getattr(library, name.format("get")), getattr(library, name.format("set"))
            )
    return None


def use_openblas(pipeline: Pipeline) -> bool:
    """Make all NumPy models of ``pipeline`` use OpenBLAS; return False if there is none."""
    if _openblas_threads() is None:
        return False
    for _, component in pipeline.pipeline:
        model = getattr(component, "model", None)
        for node in model.walk() if isinstance(model, Model) else ():
            if type(node.ops) is NumpyOps:
                node.ops = NumpyOps(use_blis=False)
    return True


@contextmanager
def use_one_thread() -> Iterator[None]:
    """Limit OpenBLAS to one thread while the block lasts.

    The products of a sentence are too small to be parallelized: more threads only take more
    processor time. Several callers may be inside at the same time. A process forked meanwhile stays
    on one thread.
    """
    threads = _openblas_threads()
    if threads is None:
        yield
        return
    with _ACTIVE.lock:
        if not _ACTIVE.count:
            _ACTIVE.threads_before = threads.read()
            threads.write(1)
        _ACTIVE.count += 1
    try:
        yield
    finally:
        with _ACTIVE.lock:
            _ACTIVE.count -= 1
            if not _ACTIVE.count:
                threads.write(_ACTIVE.threads_before)


Floats = NDArray[np.float32]
Layers = Model[Any, Any]

_BLOCK_COLUMNS = 512
"""Columns processed at a time, or a longer document: as many as stay in a processor's cache."""
_MAXOUT = "maxout>>layernorm>>dropout"
_RESIDUAL = rf"residual\(expand_window>>{_MAXOUT}\)"
_EMBEDDING = "ints-getitem>>hashembed"
_SHAPE = re.compile(
    rf"extract_features>>list2ragged>>with_array\({_EMBEDDING}(\|{_EMBEDDING})+\)"
    rf">>with_array\({_MAXOUT}\)>>ragged2list>>with_array\({_RESIDUAL}(>>{_RESIDUAL})+\)"
)
"""Name in thinc of the layers of the only architecture that is supported."""
_CLOSE = 1e-3
"""Largest accepted difference of a feature from spaCy's. Its variance is 1; 1e-5 is typical."""


_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""Any odd number: with 64 random bits per attribute, two words hardly ever collide."""


def replace_tok2vec(pipeline: Pipeline, probe: str) -> bool:
    """Replace each tok2vec of the known architecture in ``pipeline``; return True if there was one.

    Any other stays spaCy's, and so does one whose vectors of the words of ``probe`` differ here: a
    release of spaCy may change the meaning of the same layers.
    """
    used = False
    for _, component in pipeline.pipeline:
        if not isinstance(component, Tok2Vec):
            continue
        model = component.model  # of words embedded by hashes, and windows of one on each side
        if (
            _SHAPE.fullmatch(model.name) is None
            or any(node.attrs["window_size"] != 1 for node in _nodes(model, "expand_window"))
            or any(node.get_dim("nP") < 2 for node in _nodes(model, "maxout"))
        ):
            continue
        forward = _Tok2VecPass(model)
        docs = [pipeline.make_doc(text) for text in (probe, probe.split()[0], probe)]
        pairs = zip(forward(docs), model.predict(docs), strict=True)
        if all(
            np.allclose(own_vectors, spacy_vectors, atol=_CLOSE)
            for own_vectors, spacy_vectors in pairs
        ):
            component.model = Model(
                "prism_tok2vec",
                lambda model, docs, **_: (model.attrs["forward"](docs), None),
                dims={"nO": forward.width},
                attrs={"forward": forward},
            )
            used = True
    return used


class _Layer(NamedTuple):
    """A maxout layer and its normalization, with the pieces one after another."""

    weights: Floats
    """Shape ``(pieces * width, inputs)``."""
    bias: Floats
    """Shape ``(pieces, width, 1)``."""
    scale: Floats
    """Shape ``(width, 1)``, as has ``shift``."""
    shift: Floats

    @classmethod
    def read(cls, maxout: Layers, normalization: Layers) -> _Layer:
        """Read the layer from two layers of thinc, whose pieces are interleaved."""
        weights, bias = read_floats(maxout, "W"), read_floats(maxout, "b")
        inputs = weights.shape[2]
        return cls(
            np.ascontiguousarray(weights.transpose(1, 0, 2)).reshape(-1, inputs),
            np.ascontiguousarray(bias.T)[:, :, None],
            read_floats(normalization, "G")[:, None],
            read_floats(normalization, "b")[:, None],
        )

    def __call__(self, inputs: Floats) -> Floats:
        """Compute ``(width, columns)`` from ``(inputs, columns)``."""
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


class _Tok2VecPass:
    """Forward pass of one tok2vec; it keeps no state between calls."""

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
        """Return a row of features for each word of each of ``docs``."""
        every = np.concatenate(
            [doc.to_array(self._attributes).reshape(len(doc), -1) for doc in docs if len(doc)]
        )
        keys = every[:, 0]
        for hashes in every.T[1:]:
            keys = keys * _MIXER + hashes
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        words = every[first]  # each word once
        if not np.array_equal(words[places], every):  # two words have the same key
            words, places = every, np.arange(len(every))
        columns = [
            self._ops.gather_add(
                table, self._ops.hash(np.ascontiguousarray(hashes), seed) % len(table)
            )
            for (table, seed), hashes in zip(self._tables, words.T, strict=True)
        ]
        embedded = self._mixing(np.concatenate(columns, axis=1).T)  # ``(width, words)``
        found: list[Floats] = []
        block: list[int] = []
        done = 0
        for number, doc in enumerate(docs, start=1):
            block.append(len(doc))
            if sum(block) >= _BLOCK_COLUMNS or number == len(docs):
                end = done + sum(block)
                found += self._encode(embedded[:, places[done:end]], block)
                done, block = end, []
        return found

    def _encode(self, embedded: Floats, lengths: Sequence[int]) -> Iterator[Floats]:
        """Return rows of documents of these ``lengths``, kept apart by a zero column a window."""
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


def _read_layers(model: Layers) -> list[_Layer]:
    return list(map(_Layer.read, _nodes(model, "maxout"), _nodes(model, "layernorm")))


def _nodes(model: Layers, name: str) -> list[Layers]:
    """Return the layers within ``model`` that thinc names ``name``, in order."""
    return [node for node in model.walk() if node.name == name]


def read_floats(layer: Layers, name: str) -> Floats:
    """Read a parameter of a layer of thinc."""
    return np.asarray(layer.get_param(name))


LEMMA_COMPONENTS = ("morphologizer", "trainable_lemmatizer")
"""Components of the shipped pipelines that a model without lemmas does not even load."""
_LEMMAS = {"token.lemma", "token.morph", "token.pos"}
"""Annotations of the components that a model without lemmas can drop."""
_LEARNED = {"tok2vec", "tagger", "morphologizer", "trainable_lemmatizer", "senter", "parser", "ner"}
_READ_BY_LEARNED = {LOWER, NORM, PREFIX, SUFFIX, SHAPE, IS_SPACE, LANG}
"""Lexical attributes that learned components, or the tokenizer, may read."""
Affix = TypeVar("Affix")


def remove_unread(nlp: Pipeline, *, lemmas: bool) -> None:
    """Remove unread components and lexical attributes from ``nlp``.

    Without ``lemmas`` their components are removed. New words lose the attributes that no component
    reads, which saves a third of their cost.
    """
    for name in nlp.pipe_names:
        assigned = set(nlp.get_pipe_meta(name).assigns)
        if not lemmas and assigned and assigned <= _LEMMAS:
            nlp.remove_pipe(name)
    factories = {nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    if factories <= _LEARNED:
        getters = nlp.vocab.lex_attr_getters  # type: ignore[attr-defined] # missing in the stubs
        for attribute in getters.keys() - _READ_BY_LEARNED:
            del getters[attribute]


def skip_plain_words(nlp: Pipeline) -> None:
    """Make a shipped pipeline's tokenizer skip words of ASCII letters only.

    Its last pattern alone is 12,000 characters long, and never matches there. The special cases are
    put aside meanwhile: with each changed pattern the tokenizer would read all of them anew.
    """
    tokenizer = cast(Tokenizer, nlp.tokenizer)
    rules, tokenizer.rules = tokenizer.rules, {}
    tokenizer.prefix_search = _skip_if_plain(tokenizer.prefix_search, None)
    tokenizer.suffix_search = _skip_if_plain(tokenizer.suffix_search, None)
    tokenizer.url_match = _skip_if_plain(tokenizer.url_match, None)
    tokenizer.infix_finditer = _skip_if_plain(tokenizer.infix_finditer, ())
    tokenizer.rules = rules


def _skip_if_plain(find: Callable[[str], Affix], nothing: Affix) -> Callable[[str], Affix]:
    return lambda text: nothing if text.isalpha() and text.isascii() else find(text)
