"""The language model: texts in, sentences of tagged tokens out, and every byte accounted for."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import spacy
from spacy.attrs import ENT_TYPE, IDX, LEMMA, LENGTH, MORPH, SENT_START, TAG
from spacy.language import Language
from spacy.strings import StringStore
from spacy.tokens import Doc

from prism_core.errors import ConfigurationError
from prism_core.language.boundaries import Guess, mend
from prism_core.language.pieces import Piece, cut
from prism_core.language.sentence import Sentence, Token
from prism_core.resources import shipped_model

# What the pipelines that can be installed call the three classes of names.
_ENTITIES = {
    "PER": "PER",
    "PERSON": "PER",
    "ORG": "ORG",
    "NORP": "ORG",
    "LOC": "LOC",
    "GPE": "LOC",
    "FAC": "LOC",
}
_QUOTE_TAGS = {"“": "``", "”": "''"}
_COLUMNS = [IDX, LENGTH, TAG, LEMMA, MORPH, ENT_TYPE, SENT_START]
_PROBE = "This is a first sentence. Here is another one."

# One memory zone: long enough to spread the cost of clearing what spaCy kept, short enough for a
# thread that waits its turn, or to fork, to wait about a second.
_ZONE_CHARACTERS = 60_000
_ZONE_TEXTS = 1_000


@dataclass(frozen=True)
class ModelVersion:
    """Which model annotated; ``digest`` is the SHA-256 of its files, in hexadecimal."""

    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.digest[:12]})"


class _Row(NamedTuple):
    """What the pipeline says of one token; offsets are those of the view it was given."""

    start: int
    end: int
    tag: str
    lemma: str
    morph: str
    entity: str
    begins: bool


class LanguageModel:
    """A spaCy pipeline behind plain data.

    Whatever the text, the sentences of it joined give it back, byte for byte; after a newline, a
    tab or another control that ends a line stands a sentence boundary. Nothing of a text stays in
    memory once its sentences are given back. One model may be used by several threads, one at a
    time, and by child processes forked while it is loaded; pickled, it is loaded again by name.
    """

    def __init__(self, nlp: Language, name: str | None = None) -> None:
        self._nlp = nlp
        self._name = name
        self._lock = threading.Lock()
        self.version = _version_of(nlp)
        # A child must not inherit a lock that is held or a vocabulary in the middle of a batch.
        os.register_at_fork(
            before=self._lock.acquire,
            after_in_parent=self._lock.release,
            after_in_child=self._lock.release,
        )

    @classmethod
    def load(cls, name: str | None = None) -> LanguageModel:
        """Load the shipped pipeline, or the spaCy pipeline installed or stored as ``name``.

        Raises ConfigurationError when there is none or it lacks tags or sentence boundaries.
        """
        try:
            nlp = spacy.load(shipped_model() if name is None else name)
        except (OSError, ValueError, ImportError):
            raise ConfigurationError(_missing(name)) from None
        probe = nlp(_PROBE)
        for annotation, wanted in (("TAG", "part-of-speech tags"), ("SENT_START", "sentences")):
            if not probe.has_annotation(annotation):
                raise ConfigurationError(
                    f"The spaCy pipeline {name or 'en_prism'!r} gives no {wanted}; name one with a "
                    "tagger and a senter or parser, or none for the one that comes with PRISM."
                )
        for word in nlp.meta.get("frequent_words", ()):
            nlp.make_doc(word)  # outside a memory zone the tokenizer keeps what it has read
        return cls(nlp, name)

    def sentences(self, text: str) -> tuple[Sentence, ...]:
        """The sentences of one paragraph."""
        return self._annotate([text])[0]

    def retag(self, sentence: Sentence) -> Sentence:
        """The same tokens, annotated anew from nothing but their surfaces and white space."""
        shown = [token for token in sentence.tokens if token.text.strip()]
        rows = iter(self._rows_of_words(shown))
        return Sentence(
            tuple(
                _annotated(token.text, token.whitespace, next(rows))
                if token.text.strip()
                else token
                for token in sentence.tokens
            )
        )

    def _rows_of_words(self, tokens: Sequence[Token]) -> list[_Row]:
        if not tokens:
            return []
        spaces = [token.whitespace != "" for token in tokens]
        with self._lock, self._nlp.memory_zone():
            doc = Doc(self._nlp.vocab, words=[token.text for token in tokens], spaces=spaces)
            return _copy(self._nlp(doc), _Strings(doc.vocab.strings))

    def annotate(self, texts: Iterable[str]) -> Iterator[tuple[Sentence, ...]]:
        """The sentences of each text, one paragraph each, in order; read ahead by a batch."""
        for batch in _batches(texts):
            yield from self._annotate(batch)

    def __reduce__(self) -> tuple[object, ...]:
        return LanguageModel.load, (self._name,)

    def _annotate(self, texts: Sequence[str]) -> list[tuple[Sentence, ...]]:
        pieces = [list(cut(text)) for text in texts]
        rows = self._rows([piece.view for of_text in pieces for piece in of_text])
        return [
            tuple(sentence for piece in of_text for sentence in _sentences(text, piece, next(rows)))
            for text, of_text in zip(texts, pieces, strict=True)
        ]

    def _rows(self, views: Sequence[str]) -> Iterator[list[_Row]]:
        """The pipeline's annotation of each view, copied out of spaCy's memory."""
        for batch in _batches(views):
            with self._lock, self._nlp.memory_zone():
                strings = _Strings(self._nlp.vocab.strings)
                copied = [_copy(doc, strings) for doc in self._nlp.pipe(batch)]
            yield from copied


class _Strings(dict[int, str]):
    """What spaCy's hashes stand for, looked up once each; as short-lived as a memory zone."""

    def __init__(self, store: StringStore) -> None:
        super().__init__()
        self._store = store

    def __missing__(self, key: int) -> str:
        self[key] = self._store[key]
        return self[key]


def _copy(doc: Doc, strings: _Strings) -> list[_Row]:
    return [
        _Row(
            start,
            start + length,
            strings[tag],
            strings[lemma],
            strings[morph].strip("_"),
            _ENTITIES.get(strings[entity], ""),
            begins == 1,
        )
        for start, length, tag, lemma, morph, entity, begins in doc.to_array(_COLUMNS).tolist()
    ]


def _sentences(text: str, piece: Piece, rows: Sequence[_Row]) -> Iterator[Sentence]:
    """Tile the characters of ``piece`` with tokens; each sentence keeps the blanks after it."""
    starts = [*piece.offsets([row.start for row in rows]), piece.end]
    lasts = piece.offsets([row.end - 1 for row in rows])
    beginnings = _beginnings(piece, rows)
    tokens = _blank(text[piece.start : starts[0]])
    for index, row in enumerate(rows):
        if index and beginnings[index]:
            yield Sentence(tuple(tokens))
            tokens = []
        end = lasts[index] + 1
        tokens += _token(row, text[starts[index] : end], text[end : starts[index + 1]])
    yield Sentence(tuple(tokens))


def _beginnings(piece: Piece, rows: Sequence[_Row]) -> list[bool]:
    if not any(row.begins for row in rows[1:]):
        return [index == 0 for index in range(len(rows))]
    ends = [0, *(row.end for row in rows)]
    return mend(
        [
            Guess(piece.view[row.start : row.end], row.start > end, row.begins)
            for row, end in zip(rows, ends, strict=False)
        ]
    )


def _token(row: _Row, word: str, gap: str) -> list[Token]:
    """The token, and one of white space for what of ``gap`` is more than a single blank."""
    whitespace = " " if gap[:1] == " " else ""
    return [_annotated(word, whitespace, row), *_blank(gap[len(whitespace) :])]


def _annotated(word: str, whitespace: str, row: _Row) -> Token:
    return Token(word, whitespace, _tag(row.tag, word), _lemma(row, word), row.morph, row.entity)


def _blank(gap: str) -> list[Token]:
    return [Token(gap, "", "_SP", gap)] if gap else []


def _tag(tag: str, word: str) -> str:
    """The tag, with the side of a quotation mark that the view does not show."""
    return _QUOTE_TAGS.get(word, tag)


def _lemma(row: _Row, word: str) -> str:
    """The lemma; a name keeps its capitals."""
    return word if row.tag == "NNP" and row.lemma == word.lower() else row.lemma


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        batch.append(text)
        characters += len(text)
        if characters >= _ZONE_CHARACTERS or len(batch) >= _ZONE_TEXTS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _version_of(nlp: Language) -> ModelVersion:
    digest = hashlib.sha256()
    for path in sorted(Path(nlp.path).rglob("*")):
        if path.is_file() and path.suffix != ".md":
            digest.update(path.relative_to(nlp.path).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    meta = nlp.meta
    return ModelVersion(f"{meta['lang']}_{meta['name']}", str(meta["version"]), digest.hexdigest())


def _missing(name: str | None) -> str:
    if name is None:
        return (
            "The language model that comes with PRISM is missing or damaged; install PRISM again."
        )
    return (
        f"There is no spaCy pipeline {name!r}: install it (python -m spacy download NAME), give "
        "the path of its folder, or name none to use the one that comes with PRISM."
    )
