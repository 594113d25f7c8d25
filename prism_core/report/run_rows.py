"""Rows of a run as a whole: one row of facts, and the seal that binds its tables.

As in ``rows``, no column holds text of a document, a mapping, a key or a provider's own words.
Entry: ``RunFacts``, ``RunSeal``.
"""

# ruff: noqa: RUF009 - column() is dataclasses.field with a description

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from prism_core.report.columns import (
    FREE,
    HASH,
    ID,
    POLICY,
    STAGES,
    WORD,
    column,
    seconds_column,
    shared_column,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts known about a run without counting: people, times, settings, recipients."""

    run_id: str = shared_column("run_id")
    started_at: datetime = column("Start (UTC).", unit="UTC")
    finished_at: datetime = column("End (UTC).", unit="UTC")
    tool_version: str = column("Version of PRISM.")
    settings_digest: str = column("SHA-256 of what changes the output.", pattern=ID)
    dictionary_digest: str = column(
        "SHA-256 of the dictionary file, its first digits; of several the first of `pairs`.",
        pattern=ID,
    )
    dictionary_entries: int = column("Entries of that dictionary.", unit="entries")
    language_model: str = column(
        "Name and version of the linguistic pipeline; of several the first of `pairs`."
    )
    source: str = column("Source language, ISO 639, or auto: each document has its own.")
    pairs: tuple[str, ...] = column(
        "Encoder of each source language that occurred: the pair, the model, the dictionary's "
        "digest and entries.",
        pattern=POLICY,
    )
    target: str = column("Target language, ISO 639.")
    provider: str = shared_column("provider")
    provider_model: str = column("Model at the provider; empty when it has none.", pattern=FREE)
    endpoint_host: str = shared_column("endpoint_host")
    sees: str = column(
        "What the translator gets: clear, the text as it is, on this machine; or encoded."
    )
    assessment: str = column(
        "SHA-256 of the decision to send or not: settings, margins, outcome; a plan prints it.",
        pattern=ID,
    )
    send: str = column(
        "Policy of sending where there is a model on this machine: when-better, always or never."
    )
    margins: tuple[str, ...] = column(
        "What sending gains over the model on this machine, as it was measured.", pattern=FREE
    )
    other_translators: tuple[str, ...] = column(
        "Other translators, as adapter@host; `requests.parquet` says which were used.",
        pattern=r"[a-z0-9-]{1,40}@[A-Za-z0-9.:\[\]_-]{0,253}",
    )
    local_models: tuple[str, ...] = column(
        "Models on this machine: purpose, digest, ε, δ and unit by the card.", pattern=POLICY
    )
    routing: str = column(
        "Use of several translators: failover (the next for the rest) or split (a part for each)."
    )
    decoys: int = column("Public sentences sent among those of the archive.", unit="sentences")
    strength: str = column(
        "Strength of the protection: identifiers-only, light, standard, strong or strongest."
    )
    cautions: tuple[str, ...] = column(
        "Warnings: what is sent in clear, and reasons why the run is weaker than that, such as a "
        "small bag or other settings.",
        pattern=FREE,
    )
    purpose: str = column("Purpose of the processing, as the operator states it.", pattern=FREE)
    retention: str = column("Retention at the provider, as the operator states it.", pattern=FREE)
    region: str = column("Region of the provider, as the operator states it.", pattern=FREE)
    mechanism: str = column("Name of the mechanism.")
    guarantee: str = column("Guarantee of the mechanism, in its own words.", pattern=r"[^\x00]*")
    threshold: float | None = column("τ: confidence from which words are replaced.", optional=True)
    ratio: float | None = column(
        "r: share of tokens replaced, if that rule is used.", optional=True
    )
    replace_probability: float | None = column(
        "r: probability that a word is replaced, if chance decides.", optional=True
    )
    table_probability: float | None = column(
        "β: probability that the public table decides on a word's substitute.", optional=True
    )
    stays: str | None = column(
        "Reason why nothing was sent and all was translated on this machine: in-clear (the "
        "translator is on it), not-better (by `margins`) or sending-off.",
        optional=True,
    )
    vocabulary: int | None = column(
        "|V|: number of words that every token may become, if there is such a set.",
        unit="words",
        optional=True,
    )
    draw_from: float | None = column(
        "Sureness from which words are drawn, if it is set.", optional=True
    )
    minimum_pool: int = column("Least number of words to draw from.", unit="words")
    hidden_words: str = column(
        "Content words that are replaced: all (but common words that tell nothing), telling (those "
        "that tell something of a person, and unknown ones) or none; others are sent in clear."
    )
    unknown_words: str = column("Policy for words outside the dictionary.")
    draws: str = column(
        "uniform; plausible: prefers words that occur side by side in public text; noise, ranks or "
        "truncated: prefer near words, in three ways."
    )
    epsilon: float | None = column(
        "ε per unit of `distance`, if near words are drawn more often.",
        unit="nats",
        optional=True,
    )
    distance: str | None = column(
        "Distance between words: euclidean, cosine, mahalanobis.", optional=True
    )
    vectors: str | None = column(
        "File or folder with the points of words; empty: those of a package.",
        pattern=FREE,
        optional=True,
    )
    rank_decay: float | None = column("c: how fast a rank becomes rare.", optional=True)
    cutoff: float | None = column(
        "γ: the largest distance that counts, if it is set.", optional=True
    )
    surrogates: str = column(
        "Scope in which equal identifiers get equal surrogates: sentence, document or archive. A "
        "wider scope lets the translator relate more sentences to each other."
    )
    dates: str = column("Surrogates of dates: random, or shift by a number of days per document.")
    epsilon_word: float | None = column(
        "Privacy loss per word, or per unit of `distance`; infinity when nothing bounds it.",
        unit="nats",
        optional=True,
    )
    policies: tuple[str, ...] = column(
        "Policies of the settings, in the order in which they are tried, each with its "
        "requirements; the columns from `mechanism` on describe documents without a policy.",
        pattern=POLICY,
    )
    stopped: str | None = column(
        "Reason why the run ended early, as it was shown; null if it did not.",
        pattern=FREE,
        optional=True,
    )
    currency: str | None = column("Currency of costs; null if no price is known.", optional=True)
    seconds_ingest: float = seconds_column("ingest")
    seconds_read: float = seconds_column("read")
    seconds_recall: float = seconds_column("recall")
    seconds_encode: float = seconds_column("encode")
    seconds_translate: float = seconds_column("translate")
    seconds_decode: float = seconds_column("decode")
    seconds_write: float = seconds_column("write")

    @property
    def seconds_by_stage(self) -> dict[str, float]:
        """Seconds of work in each stage."""
        return {stage: getattr(self, f"seconds_{stage}") for stage in STAGES}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSeal:
    """Hashes that bind the tables of a run to each other, and the run to the one before it."""

    report: int = column("1, or more when a run that went on was reported again, whole.")
    sequence: int = column("Place among all reports of the folder, from 1.")
    previous_run: str | None = column(
        "The report before it, by the name of its folder after `run=`; null for the first.",
        pattern=WORD,
        optional=True,
    )
    previous_head: str = column("`run_head` of that report; 64 zeros for the first.", pattern=HASH)
    documents_rows: int = column("Rows of documents.parquet.", unit="rows")
    documents_chain_head: str = column("Its last hash.", pattern=HASH)
    sentences_rows: int = column("Rows of sentences.parquet.", unit="rows")
    sentences_chain_head: str = column("Its last hash.", pattern=HASH)
    identifiers_rows: int = column("Rows of identifiers.parquet.", unit="rows")
    identifiers_chain_head: str = column("Its last hash.", pattern=HASH)
    requests_rows: int = column("Rows of requests.parquet.", unit="rows")
    requests_chain_head: str = column("Its last hash.", pattern=HASH)
    signature_key: str | None = column(
        "Id of the key that signed; null without a key.", pattern=HASH, optional=True
    )
    run_head: str = column("SHA-256 over `previous_head` and all columns above.", pattern=HASH)
    signature: str | None = column(
        "HMAC-SHA-256 of `run_head` under that key.", pattern=HASH, optional=True
    )
