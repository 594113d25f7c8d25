"""Training data: sentences with their translations, by document.

It reads TMX, tab-separated text, two files line by line (WMT), and JSON lines or lists, including
those of ClinSpEn and BSD.

Entry: ``read_documents``; then ``encode_documents`` and, for each step, ``batches``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

import torch

from prism_core.errors import ConfigurationError
from prism_core.training.gradients import Batch
from prism_core.training.transformer import PADDING
from prism_core.translation_memory import (
    TranslationUnit,
    is_tmx,
    read_columns,
    read_tmx,
    stripped_lines,
)

Unit = Literal["document", "sentence"]


class SubwordTokeniser(Protocol):
    """Conversion of text to piece numbers, as a model takes them; 0 is padding."""

    def source(self, text: str) -> list[int]:
        """Return the pieces of ``text``, with the end piece."""

    def target(self, text: str) -> list[int]:
        """Return the pieces of a translation, with the begin and end pieces."""


class Pair(NamedTuple):
    """Sentence and its translation, as text."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class PairedDocuments:
    """Pairs of each example, and the number of pairs that were met again."""

    pairs: list[list[Pair]]
    again: int


def read_documents(files: Sequence[Path], source: str, target: str, unit: Unit) -> PairedDocuments:
    """Read the pairs of ``files``, by document or one by one, in the order they are met.

    A pair that is in a document twice counts once; with sentences as the unit, once in all. Raises
    ``ConfigurationError`` for files that cannot be read or have no pair in these languages, and,
    where documents are the unit, for pairs without a document.
    """
    found: dict[str, dict[Pair, None]] = {}
    read = 0
    for file in files:
        before = read
        for item in _units(file, source, target):
            pair = Pair(" ".join(item.source.split()), " ".join(item.target.split()))
            if not (pair.source and pair.target):
                continue
            if unit == "document" and not item.document:
                raise ConfigurationError(
                    f"{file} does not say of every sentence which document it is from, so no "
                    "document can be protected. Name it in the property x-document of TMX, the "
                    "third column, or the field document; or choose the weaker --unit sentence."
                )
            key = item.document if unit == "document" else "\t".join(pair)
            found.setdefault(key, {})[pair] = None
            read += 1
        if read == before:
            raise ConfigurationError(f"{file} holds no translation from {source} to {target}.")
    pairs = [list(document) for document in found.values()]
    return PairedDocuments(pairs, read - sum(map(len, pairs)))


def _units(file: Path, source: str, target: str) -> Iterator[TranslationUnit]:
    if is_tmx(file):
        yield from read_tmx(file, source, target)
    elif file.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        yield from _json_units(file, source, target)
    elif file.suffix == f".{source}" and file.with_suffix(f".{target}").exists():
        yield from _line_by_line(file, file.with_suffix(f".{target}"))
    else:
        yield from read_columns(file)


def _line_by_line(sources: Path, targets: Path) -> Iterator[TranslationUnit]:
    try:
        for source, target in zip(stripped_lines(sources), stripped_lines(targets), strict=True):
            yield TranslationUnit(source, target)
    except ValueError:
        raise ConfigurationError(
            f"{sources} and {targets} differ in their number of lines"
        ) from None


def _json_units(file: Path, source: str, target: str) -> Iterator[TranslationUnit]:
    """Yield the units of JSON objects with ``source`` and ``target``, or language codes.

    The document is ``document`` or ``file_name``. Objects are one a line, or all in a list. They
    may be in a ``translation`` (WMT), or in a ``conversation`` with an ``id``, under names such as
    ``en_sentence`` (BSD). Any other ``id`` may be that of a single sentence, so it names no
    document.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
        lines = text.split("\n") if file.suffix.lower() != ".json" else []
        records = [json.loads(line) for line in lines if line.strip()] or json.loads(text)
        for record in records:
            talk = record.get("conversation")
            document = _first(record, "document", "file_name", *(["id"] if talk else []))
            for entry in talk or [record.get("translation", record)]:
                yield TranslationUnit(
                    _first(entry, "source", source, f"{source}_sentence"),
                    _first(entry, "target", target, f"{target}_sentence"),
                    document=document,
                )
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, AttributeError, TypeError, RecursionError):
        raise ConfigurationError(
            f"{file} is not JSON as it should be: objects, one a line."
        ) from None


def _first(said: dict[str, object], *names: str) -> str:
    return next((str(said[name]) for name in names if said.get(name) is not None), "")


@dataclass(frozen=True, slots=True)
class Example:
    """Example as pieces: for each sentence the ``SubwordTokeniser.source`` and the ``target``."""

    sources: list[list[int]]
    targets: list[list[int]]

    @property
    def size(self) -> int:
        """Number of pieces of the longer side, with padding."""
        return len(self.sources) * self.widest

    @property
    def widest(self) -> int:
        """Maximum number of pieces of a sentence."""
        return max(map(len, [*self.sources, *self.targets]), default=0)


def encode_documents(
    documents: Sequence[Sequence[Pair]],
    vocabulary: SubwordTokeniser,
    longest: int,
    most: int | None,
) -> list[Example]:
    """Encode each document: its first ``most`` sentences, without those over ``longest`` pieces.

    An example with nothing left stays, with no sentence, so that the number of examples tells
    nothing.
    """
    examples = []
    for document in documents:
        encoded = (
            (vocabulary.source(pair.source), vocabulary.target(pair.target))
            for pair in document[:most]
        )
        fitting = [sides for sides in encoded if max(map(len, sides)) <= longest]
        examples.append(
            Example([source for source, _ in fitting], [target for _, target in fitting])
        )
    return examples


def batches(examples: Sequence[Example], most_pieces: int, device: str) -> Iterator[Batch]:
    """Divide ``examples`` without the empty ones into batches of similar size, each example whole.

    A batch has up to ``most_pieces`` pieces, with padding; a larger example is a batch of its own.
    """
    waiting: list[Example] = []
    for example in sorted((e for e in examples if e.sources), key=lambda e: e.size):
        rows = max(len(member.sources) for member in [*waiting, example])
        widest = max(member.widest for member in [*waiting, example])
        if waiting and (len(waiting) + 1) * rows * widest > most_pieces:
            yield _fill(waiting, device)
            waiting = []
        waiting.append(example)
    if waiting:
        yield _fill(waiting, device)


def _fill(examples: Sequence[Example], device: str) -> Batch:
    rows = max(len(example.sources) for example in examples)

    def tensor(sides: list[list[list[int]]]) -> torch.Tensor:
        widest = max(len(text) for side in sides for text in side)
        empty = [PADDING] * widest
        filled = [
            [text + empty[len(text) :] for text in side] + [empty] * (rows - len(side))
            for side in sides
        ]
        return torch.tensor(filled, device=device)

    return Batch(tensor([e.sources for e in examples]), tensor([e.targets for e in examples]))
