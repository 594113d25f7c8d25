"""Data subjects, and the identifiers that a person marked in the documents about them.

Entry: ``read_subjects`` reads the Text Anonymization Benchmark (Pilán et al. 2022).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prism_core.errors import ConfigurationError
from prism_core.evaluation.adversaries.base import Request, Words
from prism_core.evaluation.corpora import PUBLISHED
from prism_core.evaluation.surviving import LANGUAGE

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_KINDS = {
    "DATETIME": "year",
    "LOC": "place",
    "DEM": "nationality or profession",
    "ORG": "organisation",
    "PERSON": "other person",
    "QUANTITY": "amount",
}
"""Kinds of quasi-identifiers by the benchmark's type; codes and the rest have too few values."""

Sent = Sequence[Request]
"""Requests that were sent of one subject, in order."""


@dataclass(frozen=True, slots=True)
class Subject:
    """Data subject and the document about them, a line a paragraph.

    ``direct`` are the forms that name the subject, as words; ``quasi`` the values of each kind that
    describe them. ``country`` is the state that the document is about; empty if nobody said.
    """

    name: str
    lines: tuple[str, ...]
    direct: frozenset[Words] = frozenset()
    quasi: Mapping[str, frozenset[Words]] = field(default_factory=dict)
    country: str = ""

    @property
    def telling(self) -> frozenset[Words]:
        """Words of the subject's names that tell by themselves: no initials."""
        return frozenset(
            (word,)
            for form in self.direct
            for word in form
            if len(word) > 2 and not word.isdigit() and not LANGUAGE.is_function_word(word)
        )

    @property
    def facts(self) -> Words:
        """Words of every identifier, direct or not: what a register or a newspaper may have."""
        values = [*self.direct, *(value for kind in self.quasi.values() for value in kind)]
        return tuple(word for value in sorted(values) for word in value)

    def as_sent(self) -> Sent:
        """Return the document as it would be sent in clear."""
        return [as_request(line) for line in self.lines]


def as_request(text: str, drawn: Sequence[tuple[int, int]] = ()) -> Request:
    """Return ``text`` as the recipient sees it; spans of ``drawn`` words are known to be drawn."""
    tokens = list(_TOKEN.finditer(text))
    guessed = frozenset(
        place
        for place, token in enumerate(tokens)
        if any(start < token.end() and token.start() < end for start, end in drawn)
    )
    return Request(tuple(token.group() for token in tokens), guessed)


def fold_words(text: str) -> Words:
    """Return the words of ``text`` without case, marks and the titles of persons."""
    words = _WORD.findall(text.casefold())
    return tuple(word for word in words if word not in LANGUAGE.words.titles)


def is_published(path: Path) -> bool:
    """Return True if ``path`` is a published file, which anybody may read."""
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() in PUBLISHED


def read_subjects(path: Path) -> list[Subject]:
    """Read the subjects of a file of the benchmark: its own JSON, or a case a line; gzip or not.

    Raises ``ConfigurationError`` for any other file.
    """
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
        cases = json.loads(text) if text[:1] == "[" else map(json.loads, text.splitlines())
        return [_read_case(case) for case in cases]
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, EOFError):
        raise ConfigurationError(
            f"{path} holds no cases of the Text Anonymization Benchmark: give its echr_test.json, "
            "or a case a line with text and entities."
        ) from None


def _read_case(case: Mapping[str, Any]) -> Subject:
    stated = case["metadata"]["provenance"] if "metadata" in case else case["meta"]
    annotators = iter(case.get("annotations", {}).values())
    marked = case["entities"] if "entities" in case else next(annotators)["entity_mentions"]
    direct: set[Words] = set()
    quasi: dict[str, set[Words]] = {}
    for entity in marked:
        text, kind = entity["span_text"], _KINDS.get(entity["entity_type"])
        if entity["identifier_type"] == "DIRECT":
            direct.add(fold_words(text))
        elif entity["identifier_type"] == "QUASI" and kind:
            values = _YEAR.findall(text) if kind == "year" else [text]
            quasi.setdefault(kind, set()).update(map(fold_words, values))
    return Subject(
        str(case["doc_id"] if "doc_id" in case else stated["doc_id"]),
        tuple(line.strip() for line in case["text"].splitlines() if line.strip()),
        frozenset(direct - {()}),
        {kind: frozenset(values - {()}) for kind, values in quasi.items() if values - {()}},
        str(stated.get("countries", "")),
    )
