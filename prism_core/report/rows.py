"""Rows of the report: the columns of its tables; ``columns.toml`` says what each means.

No column holds text of a document, a substitute, a mapping, an offset, a seed, a key, a file name
or a provider's own words. Text columns therefore have a pattern, checked when they are written.
``None`` means *not evaluated*, never zero.

Entry: ``DocumentRow``, ``SentenceRow``, ``IdentifierRow``, ``RequestRow`` of tables that grow with
the archive; ``RunFacts`` and ``RunSeal`` of a run as a whole; ``Outcome`` lists the outcomes of a
document. ``describe`` gives the meaning of a column. A new one is added here and in
``columns.toml``, filled in by ``stages.report_rows``, and raises ``SCHEMA_VERSION``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """Meaning of a column, the unit of its numbers, and the pattern of its texts."""

    meaning: str
    unit: str = ""
    pattern: str = "WORD"


@cache
def describe(row_type: type, name: str) -> Column:
    """Return the description of the column ``name`` of ``row_type``.

    Raises ``KeyError`` for a column that ``columns.toml`` does not have.
    """
    tables = read_toml("columns.toml")
    own = tables[row_type.__name__]
    stated = own[name] if name in own else tables["shared"][name]
    row = {"meaning": stated} if isinstance(stated, str) else stated
    pattern = row.get("pattern", "WORD")
    return Column(**row | {"pattern": tables["patterns"].get(pattern, pattern)})


@cache
def read_toml(name: str) -> dict[str, Any]:
    """Return the tables of the file ``name`` of this package."""
    return tomllib.loads((files("prism_core.report") / name).read_text(encoding="utf-8"))


STAGES = ("ingest", "read", "recall", "encode", "translate", "decode", "write")
"""Stages whose time is reported; the column of each is ``seconds_`` and its name."""
NOT_REACHED = "not-reached"
"""Failure class of a document that a stopped run did not reach."""


class Outcome(StrEnum):
    """Outcome of a document."""

    TRANSLATED = "translated"
    PARTLY = "partly-translated"
    """Written, now or by an earlier run, with some text in the source language."""
    UNCHANGED = "unchanged"
    """Not read again, because nothing changed since an earlier run translated all of it."""
    EMPTY = "nothing-to-translate"
    """The document holds no text; nothing was written for it."""
    IN_TARGET = "in-target-language"
    """The document is in the target language already: it was copied unchanged, and not sent."""
    FAILED = "failed"
    GONE = "gone"
    """Its file is no longer in the input; its translation stays."""
    RENAMED = "renamed"
    """The same, and the input has its content under another name."""
    PRUNED = "pruned"
    """Its file is no longer in the input, and everything PRISM made and kept of it was
    destroyed."""


ABSENT = (Outcome.GONE, Outcome.RENAMED, Outcome.PRUNED)
"""Outcomes of documents of earlier runs that are no longer in the input, or under another name."""


SCHEMA_VERSION = "10"
"""Version of the tables below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document of the archive."""

    run_id: str
    document_id: str
    format: str
    source: str | None = None
    languages: tuple[str, ...]
    outcome: str
    failure: str
    advice: str
    notices: tuple[str, ...]
    bytes: int
    segments: int
    sentences: int
    sentences_withheld: int
    sentences_unrestored: int
    sentences_from_memory: int
    sentences_reviewed: int
    sentences_by_local_model: int
    glossary_terms: int
    reviewers: str | None = None
    sentences_unsure: int
    sentences_to_look_at: int
    places_to_look_at: int
    quality: float | None = None
    sentences_in_clear: int
    tokens: int
    tokens_replaced: int
    tokens_identifier: int
    tokens_unknown: int
    tokens_kept: int
    kept_marks: int
    kept_grammar: int
    kept_words: int
    tokens_withheld: int
    identifiers_detected: int | None = None
    identifiers_replaced: int | None = None
    identifiers_remaining: int | None = None
    words_to_restore: int
    words_restored: int
    words_form: int
    words_order: int
    words_alignment: int
    words_near: int
    words_joined: int
    words_pair: int
    words_association: int
    words_elimination: int
    words_untranslated: int
    pool_smallest: int | None = None
    pool_median: float | None = None
    pool_mean: float | None = None
    class_bits_mean: float | None = None
    epsilon_word: float | None = None
    epsilon_distance: str | None = None
    unchanged_share: float | None = None
    epsilon_document: float | None = None
    privacy_score: float | None = None
    gate: str
    gate_reason: str
    gate_restored: float | None = None
    gate_loss: float | None = None
    sent_restored: float | None = None
    gate_predicted: int
    gate_too_hopeful: int
    gate_too_careful: int
    treatment: str | None = None
    finished_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRow:
    """A sentence of a document, without its text."""

    run_id: str
    document_id: str
    sentence_id: str
    ordinal: int
    source: str
    segment_kind: str
    outcome: str
    reason: str
    from_memory: int
    reviewed: int
    by_local_model: int
    unsure: int
    quality: float | None = None
    tokens: int
    tokens_replaced: int
    tokens_identifier: int
    tokens_unknown: int
    tokens_kept: int
    kept_marks: int
    kept_grammar: int
    kept_words: int
    pool_smallest: int | None = None
    sends: int
    words_to_restore: int
    words_restored: int
    words_form: int
    words_order: int
    words_alignment: int
    words_near: int
    words_joined: int
    words_pair: int
    words_association: int
    words_elimination: int
    words_untranslated: int
    epsilon: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierRow:
    """The identifiers of one class in one document; there is no row if there are none."""

    run_id: str
    document_id: str
    identifier_class: str
    detected: int
    replaced: int
    remaining: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRow:
    """A request to a translator, in counts."""

    run_id: str
    request_id: str
    provider: str
    endpoint_host: str
    texts: int
    characters: int
    attempts: int
    outcome: str
    failure: str | None = None
    recorded_at: datetime
    answered_at: datetime | None = None
    cost: float | None = None
    cost_unanswered: float | None = None


Row = DocumentRow | SentenceRow | IdentifierRow | RequestRow
"""A row of a table that grows with the archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts known about a run without counting: people, times, settings, recipients."""

    run_id: str
    started_at: datetime
    finished_at: datetime
    tool_version: str
    settings_digest: str
    dictionary_digest: str
    dictionary_entries: int
    language_model: str
    source: str
    pairs: tuple[str, ...]
    target: str
    provider: str
    provider_model: str
    endpoint_host: str
    sees: str
    assessment: str
    send: str
    margins: tuple[str, ...]
    other_translators: tuple[str, ...]
    local_models: tuple[str, ...]
    routing: str
    decoys: int
    strength: str
    cautions: tuple[str, ...]
    purpose: str
    retention: str
    region: str
    mechanism: str
    guarantee: str
    threshold: float | None = None
    ratio: float | None = None
    replace_probability: float | None = None
    table_probability: float | None = None
    stays: str | None = None
    vocabulary: int | None = None
    draw_from: float | None = None
    minimum_pool: int
    hidden_words: str
    unknown_words: str
    draws: str
    epsilon: float | None = None
    distance: str | None = None
    vectors: str | None = None
    rank_decay: float | None = None
    cutoff: float | None = None
    surrogates: str
    epsilon_word: float | None = None
    policies: tuple[str, ...]
    stopped: str | None = None
    currency: str | None = None
    seconds_ingest: float
    seconds_read: float
    seconds_recall: float
    seconds_encode: float
    seconds_translate: float
    seconds_decode: float
    seconds_write: float

    @property
    def seconds_by_stage(self) -> dict[str, float]:
        """Seconds of work in each stage."""
        return {stage: getattr(self, f"seconds_{stage}") for stage in STAGES}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSeal:
    """Hashes that bind the tables of a run to each other, and the run to the one before it."""

    report: int
    sequence: int
    previous_run: str | None = None
    previous_head: str
    documents_rows: int
    documents_chain_head: str
    sentences_rows: int
    sentences_chain_head: str
    identifiers_rows: int
    identifiers_chain_head: str
    requests_rows: int
    requests_chain_head: str
    signature_key: str | None = None
    page_hash: str
    proof_hash: str | None = None
    run_head: str
    signature: str | None = None
