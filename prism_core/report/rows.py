"""What the report says, row by row: the one place where its columns are named and described.

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

from prism_core.report.columns import (
    FREE,
    ID,
    REASON,
    Outcome,
    column,
    found_by,
)

SCHEMA_VERSION = "5"
"""Of the tables below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """One document of the archive."""

    run_id: str = column("The run.", pattern=ID)
    document_id: str = column(
        "Keyed id of the document; `prism audit names` lists the files.", pattern=ID
    )
    format: str = column(
        "Format by content: docx, xlsx, pdf, eml, txt …; empty when none was recognised."
    )
    source: str | None = column(
        "Language that most of what is translated of it is in, ISO 639; null: nothing is.",
        optional=True,
    )
    languages: tuple[str, ...] = column(
        "How many of its sentences, repeats included, are translated from each language: es:120."
    )
    outcome: str = column(f"{', '.join(Outcome)}.")
    failure: str = column("Class of the failure; empty when there is none.")
    advice: str = column("What the user can do about the failure.", pattern=FREE)
    notices: tuple[str, ...] = column("Remarks of reader and writer: attachment:unsupported, …")
    bytes: int = column("Size of the source file.", unit="bytes")
    segments: int = column("Paragraphs, cells, headers, subject lines …", unit="segments")
    sentences: int = column("Sentences, repeats included.", unit="sentences")
    sentences_withheld: int = column("Of these, sentences that were not sent.", unit="sentences")
    sentences_unrestored: int = column(
        "Of these, sentences sent but left in the source language, since a substitute could not be "
        "restored or no answer passed its checks.",
        unit="sentences",
    )
    sentences_from_memory: int = column(
        "Of these, sentences translated here, not by the translator: from the user's memory, or "
        "one word of grammar.",
        unit="sentences",
    )
    sentences_reviewed: int = column(
        "Of these, sentences whose translation a person gave or confirmed.", unit="sentences"
    )
    sentences_by_local_model: int = column(
        "Of these, by the model on this machine, not the translator.", unit="sentences"
    )
    glossary_terms: int = column(
        "Terms of the user's glossary that were sent hidden as one, repeats included.",
        unit="terms",
    )
    reviewers: str | None = column(
        "Who reviewed them, as the imports of their reviews say; null: nobody did.",
        pattern=FREE,
        optional=True,
    )
    sentences_unsure: int = column(
        "Of these, translated sentences to look at: a word was put in by a way that errs more.",
        unit="sentences",
    )
    sentences_in_clear: int = column(
        "Of these, sentences sent in which nothing was replaced: most are grammar and marks alone.",
        unit="sentences",
    )
    tokens: int = column("Words, numbers and punctuation, repeats included.", unit="tokens")
    tokens_replaced: int = column("Dictionary words sent as a substitute.", unit="tokens")
    tokens_identifier: int = column("Names, numbers, codes sent as a surrogate.", unit="tokens")
    tokens_unknown: int = column("Words outside the dictionary, sent replaced.", unit="tokens")
    tokens_kept: int = column("Tokens sent in clear: visible to the translator.", unit="tokens")
    kept_marks: int = column("Of these, punctuation and other signs.", unit="tokens")
    kept_grammar: int = column("Of these, function words (*the, of, not*).", unit="tokens")
    kept_words: int = column("Of these, all others: words that carry meaning.", unit="tokens")
    tokens_withheld: int = column("Tokens of sentences that were not sent.", unit="tokens")
    identifiers_detected: int | None = column(
        "Identifiers recognised; null where the mechanism looks for none.",
        unit="identifiers",
        optional=True,
    )
    identifiers_replaced: int | None = column(
        "Of these, identifiers sent as a surrogate.", unit="identifiers", optional=True
    )
    identifiers_remaining: int | None = column(
        "Identifiers that a check of the sent text alone found in it.",
        unit="identifiers",
        optional=True,
    )
    words_to_restore: int = column("Substitutes and surrogates to undo.", unit="words")
    words_restored: int = column("Of these, restored in the output.", unit="words")
    words_form: int = found_by("form")
    words_alignment: int = found_by("alignment")
    words_near: int = found_by("near")
    words_joined: int = found_by("joined")
    words_pair: int = found_by("pair")
    words_association: int = found_by("association")
    words_elimination: int = found_by("elimination")
    words_untranslated: int = column("Source words put into the output as they are.", unit="words")
    pool_smallest: int | None = column(
        "Smallest number of words a substitute was drawn from.", unit="words", optional=True
    )
    pool_median: float | None = column("Median of the same.", unit="words", optional=True)
    pool_mean: float | None = column("Mean of the same.", unit="words", optional=True)
    class_bits_mean: float | None = column(
        "What a pool tells of its word beyond the part of speech: log2 of the words of that part "
        "of speech over those in the pool, mean over the words replaced.",
        unit="bits",
        optional=True,
    )
    epsilon_word: float | None = column(
        "Differential privacy loss per word; infinity when the mechanism bounds none.",
        unit="nats",
        optional=True,
    )
    epsilon_distance: str | None = column(
        "The distance between words that ε is per unit of; null: it bounds the loss of any word.",
        optional=True,
    )
    unchanged_share: float | None = column(
        "Of the words sent for it, punctuation left out, those that went out as they are.",
        unit="share",
        optional=True,
    )
    epsilon_document: float | None = column(
        "The same for all words of the document together and all their sends.",
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
        "What the gate decided: send, withhold, local, other-translator, weaken or strengthen; "
        "empty: it was off, or the document was not judged."
    )
    gate_reason: str = column(
        "Why not merely sent: restored or loss (too little, too much expected), or why nothing was "
        "predicted: translator, mechanism, too-few-sentences, unlike-what-was-seen."
    )
    gate_restored: float | None = column(
        "Predicted before anything was sent: the share restored of the sentences to be sent.",
        unit="share",
        optional=True,
    )
    gate_loss: float | None = column(
        "Predicted likewise: what is lost in chrF, 0 at least.", unit="points", optional=True
    )
    sent_restored: float | None = column(
        "The share restored of its different sentences that were sent; null: none was.",
        unit="share",
        optional=True,
    )
    gate_predicted: int = column(
        "1 when a prediction can be held against what came back, else 0.", unit="documents"
    )
    gate_too_hopeful: int = column(
        "1: fewer came back than predicted, by more than chance explains.", unit="documents"
    )
    gate_too_careful: int = column("1: more came back, likewise.", unit="documents")
    treatment: str | None = column(
        "The policy it is under, with +n for n steps more strength than that asks for (the last "
        "tried, if nothing of it was sent), +here if all of it stays here; then what "
        "the gate changed (.asks-n, .weaker-n, .stronger-n); null: none, or unread.",
        optional=True,
    )
    finished_at: datetime = column("When its outcome was settled (UTC).", unit="UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRow:
    """One sentence of one document, without its text."""

    run_id: str = column("The run.", pattern=ID)
    document_id: str = column("The document.", pattern=ID)
    sentence_id: str = column(
        "Keyed id; equal sentences have equal ids, unless ε is finite.", pattern=ID
    )
    ordinal: int = column("Place among the document's sentences, from 0.")
    source: str = column("Language that it is translated from, ISO 639.")
    segment_kind: str = column("paragraph, heading, cell, header, footnote, subject …")
    outcome: str = column("translated, withheld, unrestored, failed or nothing-to-translate.")
    reason: str = column(
        "Why it was withheld, failed or not restored, or what the translator added; else empty.",
        pattern=REASON,
    )
    from_memory: int = column(
        "1 when it is translated from the user's memory, or one word of grammar, else 0.",
        unit="sentences",
    )
    reviewed: int = column("1 when a person gave or confirmed it, else 0.", unit="sentences")
    by_local_model: int = column("1: the model on this machine translated it.", unit="sentences")
    unsure: int = column(
        "1 when a word was put in by a way that errs more: look at it; else 0.", unit="sentences"
    )
    tokens: int = column("Words, numbers and punctuation.", unit="tokens")
    tokens_replaced: int = column("Dictionary words sent as a substitute.", unit="tokens")
    tokens_identifier: int = column("Names, numbers, codes sent as a surrogate.", unit="tokens")
    tokens_unknown: int = column("Words outside the dictionary, sent replaced.", unit="tokens")
    tokens_kept: int = column("Tokens sent in clear.", unit="tokens")
    kept_marks: int = column("Of these, punctuation and other signs.", unit="tokens")
    kept_grammar: int = column("Of these, function words (*the, of, not*).", unit="tokens")
    kept_words: int = column("Of these, all others: words that carry meaning.", unit="tokens")
    pool_smallest: int | None = column("Smallest pool drawn from.", unit="words", optional=True)
    sends: int = column("Different encodings of it ever sent; 0 when none.", unit="sends")
    words_to_restore: int = column("Substitutes and surrogates to undo.", unit="words")
    words_restored: int = column("Of these, restored.", unit="words")
    words_form: int = found_by("form")
    words_alignment: int = found_by("alignment")
    words_near: int = found_by("near")
    words_joined: int = found_by("joined")
    words_pair: int = found_by("pair")
    words_association: int = found_by("association")
    words_elimination: int = found_by("elimination")
    words_untranslated: int = column("Source words put into the output as they are.", unit="words")
    epsilon: float | None = column(
        "Privacy loss of all its words and sends together; infinity when unbounded.",
        unit="nats",
        optional=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifierRow:
    """The identifiers of one class in one document; no row where there is none of them."""

    run_id: str = column("The run.", pattern=ID)
    document_id: str = column("The document.", pattern=ID)
    identifier_class: str = column("One of the 18 classes of the Safe Harbor rule.")
    detected: int = column("Recognised, repeats included.", unit="identifiers")
    replaced: int = column("Of these, sent as a surrogate.", unit="identifiers")
    remaining: int = column(
        "Found in what was sent, by a check that reads the sent text alone.", unit="identifiers"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRow:
    """One request to a translator: what it saw, counted."""

    run_id: str = column("The run.", pattern=ID)
    request_id: str = column("Its number in the state store.", pattern=r"[0-9A-Za-z_-]{1,64}")
    provider: str = column("Adapter: apertium, openai, fake …")
    endpoint_host: str = column("Host the texts went to.", pattern=r"[A-Za-z0-9.:\[\]_-]{0,253}")
    texts: int = column("Texts in the request.", unit="texts")
    characters: int = column("Characters of these texts.", unit="characters")
    attempts: int = column(
        "1, or 2 when some of its texts had been sent before as they are.", unit="sends"
    )
    outcome: str = column("answered, rejected, failed or unanswered.")
    recorded_at: datetime = column("When it was recorded, before it was sent (UTC).", unit="UTC")
    answered_at: datetime | None = column("When its answer was stored.", unit="UTC", optional=True)
    cost: float | None = column(
        "By the price stated, tokens as estimated.", unit="currency", optional=True
    )


Row = DocumentRow | SentenceRow | IdentifierRow | RequestRow
"""A row of a table that grows with the archive."""
