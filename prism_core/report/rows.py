"""Rows of the report: the place where the columns of its growing tables are named and described.

No column holds text of a document, a substitute, a mapping, an offset, a seed, a key, a file name
or a provider's own words. Text columns therefore carry a pattern, checked when they are written.
``None`` means *not evaluated*, never zero.

Entry: ``DocumentRow``, ``SentenceRow``, ``IdentifierRow``, ``RequestRow``; those of a run are in
``run_rows``.
"""

# ruff: noqa: RUF009 - column() is dataclasses.field with a description

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from prism_core.report.columns import FREE, ID, REASON, Outcome, column, shared_column

SCHEMA_VERSION = "8"
"""Version of the tables below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document of the archive."""

    run_id: str = shared_column("run_id")
    document_id: str = column(
        "Keyed id of the document; `prism audit names` lists the files.", pattern=ID
    )
    format: str = column(
        "Format by content: docx, xlsx, pdf, eml, txt …; empty when none was recognised."
    )
    source: str | None = column(
        "Language of most of its translated text, ISO 639; null: none is translated.",
        optional=True,
    )
    languages: tuple[str, ...] = column(
        "Number of its sentences, repeats included, translated from each language: es:120."
    )
    outcome: str = column(f"{', '.join(Outcome)}.")
    failure: str = column("Class of the failure; empty when there is none.")
    advice: str = column("Advice to the user about the failure.", pattern=FREE)
    notices: tuple[str, ...] = column("Remarks of reader and writer: attachment:unsupported, …")
    bytes: int = column("Size of the source file.", unit="bytes")
    segments: int = column("Paragraphs, cells, headers, subject lines …", unit="segments")
    sentences: int = shared_column("sentences")
    sentences_withheld: int = shared_column("sentences_withheld")
    sentences_unrestored: int = shared_column("sentences_unrestored")
    sentences_from_memory: int = shared_column("sentences_from_memory")
    sentences_reviewed: int = shared_column("sentences_reviewed")
    sentences_by_local_model: int = shared_column("sentences_by_local_model")
    glossary_terms: int = column(
        "Terms of the user's glossary that were sent hidden as one, repeats included.",
        unit="terms",
    )
    reviewers: str | None = column(
        "Reviewers of its sentences, as named in the imports; null: no review.",
        pattern=FREE,
        optional=True,
    )
    sentences_unsure: int = shared_column("sentences_unsure")
    sentences_to_look_at: int = shared_column("sentences_to_look_at")
    sentences_in_clear: int = shared_column("sentences_in_clear")
    tokens: int = shared_column("tokens")
    tokens_replaced: int = shared_column("tokens_replaced")
    tokens_identifier: int = shared_column("tokens_identifier")
    tokens_unknown: int = shared_column("tokens_unknown")
    tokens_kept: int = shared_column("tokens_kept")
    kept_marks: int = shared_column("kept_marks")
    kept_grammar: int = shared_column("kept_grammar")
    kept_words: int = shared_column("kept_words")
    tokens_withheld: int = shared_column("tokens_withheld")
    identifiers_detected: int | None = shared_column("identifiers_detected")
    identifiers_replaced: int | None = shared_column("identifiers_replaced")
    identifiers_remaining: int | None = shared_column("identifiers_remaining")
    words_to_restore: int = shared_column("words_to_restore")
    words_restored: int = shared_column("words_restored")
    words_form: int = shared_column("words_form")
    words_order: int = shared_column("words_order")
    words_alignment: int = shared_column("words_alignment")
    words_near: int = shared_column("words_near")
    words_joined: int = shared_column("words_joined")
    words_pair: int = shared_column("words_pair")
    words_association: int = shared_column("words_association")
    words_elimination: int = shared_column("words_elimination")
    words_untranslated: int = shared_column("words_untranslated")
    pool_smallest: int | None = shared_column("pool_smallest")
    pool_median: float | None = column("Median of the same.", unit="words", optional=True)
    pool_mean: float | None = column("Mean of the same.", unit="words", optional=True)
    class_bits_mean: float | None = column(
        "Information of a pool about its word beyond the part of speech: log2 of the number of "
        "words of that part of speech over those in the pool, mean over the words replaced.",
        unit="bits",
        optional=True,
    )
    epsilon_word: float | None = column(
        "Differential privacy loss per word; infinity when the mechanism bounds none.",
        unit="nats",
        optional=True,
    )
    epsilon_distance: str | None = column(
        "Distance between words, per unit of which ε holds; null: ε bounds the loss of any word.",
        optional=True,
    )
    unchanged_share: float | None = column(
        "Share of the words sent for it, without punctuation, that were sent unchanged.",
        unit="share",
        optional=True,
    )
    epsilon_document: float | None = column(
        "Privacy loss of all words of the document together and all their sends.",
        unit="nats",
        optional=True,
    )
    privacy_score: float | None = column(
        "PPS: 1 less the accuracy of the offline adversary on questions made from the document, "
        "estimated before anything was sent.",
        unit="share",
        optional=True,
    )
    gate: str = column(
        "Decision of the gate: send, withhold, local, other-translator, weaken or strengthen; "
        "empty: the gate was off, or did not check the document."
    )
    gate_reason: str = column(
        "Reason for not just sending: restored or loss (too little, too much expected), or reason "
        "for no prediction: translator, mechanism, too-few-sentences, unlike-what-was-seen."
    )
    gate_restored: float | None = column(
        "Predicted before sending: the share of the sentences to be sent that is restored.",
        unit="share",
        optional=True,
    )
    gate_loss: float | None = column(
        "Predicted before sending: the loss in chrF, at least 0.", unit="points", optional=True
    )
    sent_restored: float | None = column(
        "Share of its different sentences sent that was restored; null: none was sent.",
        unit="share",
        optional=True,
    )
    gate_predicted: int = column(
        "1 when a prediction can be compared with the result, else 0.", unit="documents"
    )
    gate_too_hopeful: int = column(
        "1: fewer were restored than predicted, by more than chance explains.", unit="documents"
    )
    gate_too_careful: int = column(
        "1: more were restored than predicted, by more than chance explains.", unit="documents"
    )
    treatment: str | None = column(
        "Policy of the document, with +n for n steps more strength than the policy asks for (the "
        "last tried, if nothing of it was sent), +here if all of it stays here; then the change by "
        "the gate (.asks-n, .weaker-n, .stronger-n); null: none, or unread.",
        optional=True,
    )
    finished_at: datetime = column("Time when its outcome was settled (UTC).", unit="UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRow:
    """A sentence of a document, without its text."""

    run_id: str = shared_column("run_id")
    document_id: str = column("The document.", pattern=ID)
    sentence_id: str = column(
        "Keyed id; equal sentences have equal ids, unless ε is finite.", pattern=ID
    )
    ordinal: int = column("Place among the document's sentences, from 0.")
    source: str = column("Language of the sentence, ISO 639.")
    segment_kind: str = column("paragraph, heading, cell, header, footnote, subject …")
    outcome: str = column("translated, withheld, unrestored, failed or nothing-to-translate.")
    reason: str = column(
        "Reason why it was withheld, failed or not restored, or what was added; else empty.",
        pattern=REASON,
    )
    from_memory: int = column(
        "1 when it is translated from the user's memory, or one word of grammar, else 0.",
        unit="sentences",
    )
    reviewed: int = column("1 when a person gave or confirmed it, else 0.", unit="sentences")
    by_local_model: int = column("1: the model on this machine translated it.", unit="sentences")
    unsure: int = column(
        "1 when a word was found in a less reliable way, so check it; else 0.", unit="sentences"
    )
    tokens: int = shared_column("tokens")
    tokens_replaced: int = shared_column("tokens_replaced")
    tokens_identifier: int = shared_column("tokens_identifier")
    tokens_unknown: int = shared_column("tokens_unknown")
    tokens_kept: int = shared_column("tokens_kept")
    kept_marks: int = shared_column("kept_marks")
    kept_grammar: int = shared_column("kept_grammar")
    kept_words: int = shared_column("kept_words")
    pool_smallest: int | None = shared_column("pool_smallest")
    sends: int = column("Different encodings of it ever sent; 0 when none.", unit="sends")
    words_to_restore: int = shared_column("words_to_restore")
    words_restored: int = shared_column("words_restored")
    words_form: int = shared_column("words_form")
    words_order: int = shared_column("words_order")
    words_alignment: int = shared_column("words_alignment")
    words_near: int = shared_column("words_near")
    words_joined: int = shared_column("words_joined")
    words_pair: int = shared_column("words_pair")
    words_association: int = shared_column("words_association")
    words_elimination: int = shared_column("words_elimination")
    words_untranslated: int = shared_column("words_untranslated")
    epsilon: float | None = column(
        "Privacy loss of all its words and sends together; infinity when unbounded.",
        unit="nats",
        optional=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierRow:
    """The identifiers of one class in one document; there is no row if there are none."""

    run_id: str = shared_column("run_id")
    document_id: str = column("The document.", pattern=ID)
    identifier_class: str = column("One of the 18 classes of the Safe Harbor rule.")
    detected: int = column("Recognised, repeats included.", unit="identifiers")
    replaced: int = column("Of these, sent as a surrogate.", unit="identifiers")
    remaining: int = column("Found in the sent text by an independent check.", unit="identifiers")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRow:
    """A request to a translator, in counts."""

    run_id: str = shared_column("run_id")
    request_id: str = column("Its number in the state store.", pattern=r"[0-9A-Za-z_-]{1,64}")
    provider: str = shared_column("provider")
    endpoint_host: str = shared_column("endpoint_host")
    texts: int = column("Texts in the request.", unit="texts")
    characters: int = column("Characters of these texts.", unit="characters")
    attempts: int = column(
        "1, or 2 when some of its texts had been sent before unchanged.", unit="sends"
    )
    outcome: str = column("answered, rejected, failed or unanswered.")
    failure: str | None = column("Class of its failure; null if none is known.", optional=True)
    recorded_at: datetime = column("Time of its record, before it was sent (UTC).", unit="UTC")
    answered_at: datetime | None = column(
        "Time when its answer was stored (UTC).", unit="UTC", optional=True
    )
    cost: float | None = column(
        "Cost by the stated price and estimated tokens; 0 without an answer.",
        unit="currency",
        optional=True,
    )
    cost_unanswered: float | None = column(
        "The same, where no answer came but the provider may have worked on it; else 0.",
        unit="currency",
        optional=True,
    )


Row = DocumentRow | SentenceRow | IdentifierRow | RequestRow
"""A row of a table that grows with the archive."""
