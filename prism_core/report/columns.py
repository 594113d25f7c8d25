"""Descriptions of the report's columns, patterns of their text, and outcomes of a document.

Entry: ``column`` describes one field; ``Outcome`` lists the outcomes.
"""

from __future__ import annotations

from copy import copy
from dataclasses import field
from enum import StrEnum
from typing import Any

ID = r"[0-9A-Za-z_-]{4,64}"
HASH = r"[0-9a-f]{16,64}"
WORD = r"[A-Za-z0-9_.:+-]{0,80}"
REASON = r"[a-z0-9 ,.:;'()-]{0,120}"
POLICY = r"[a-z0-9-]{1,40}: [A-Za-z0-9_.=, +-]{1,1000}"
FREE = r"[^\x00-\x08\x0b-\x1f]{0,500}"


def column(
    description: str,
    *,
    unit: str = "",
    pattern: str = WORD,
    optional: bool = False,
) -> Any:
    """Return a field of a row, with its description for the schema and the documentation."""
    metadata = {"description": description, "unit": unit, "pattern": pattern}
    return field(default=None, metadata=metadata) if optional else field(metadata=metadata)


WAYS = {
    "form": "by a form in the dictionary, or by the pattern of its kind.",
    "order": "by a form that may be another word's as well, in the order of the sentence: unsure.",
    "alignment": "by the translator's own alignment.",
    "near": "by a form close to that of the substitute.",
    "joined": "in the answer to another encoding of the sentence that is otherwise the same.",
    "pair": "where the answers to two encodings differ that differ in one substitute.",
    "association": "as a word of its family, or as a frequent word of its public translations: "
    "unsure.",
    "elimination": "as the only word left between its neighbours: unsure.",
}
"""Ways of finding a substitute in the answer, each with the text of its column."""


STAGES = {
    "ingest": "Finding the documents",
    "read": "Reading them",
    "recall": "Looking up reviews and memories",
    "encode": "Encoding",
    "translate": "Waiting for translators",
    "decode": "Decoding",
    "write": "Writing documents",
}
"""Stages whose time is reported, each with the text of its column."""


def seconds_column(stage: str) -> Any:
    """Make a column for the time that was spent in ``stage``."""
    description = f"{STAGES[stage]}: time of all calls of this run, some of them in parallel."
    return column(description, unit="seconds")


_SHARED: dict[str, Any] = {
    "run_id": column("The run.", pattern=ID),
    "provider": column("Adapter: apertium, openai, fake …"),
    "endpoint_host": column(
        "Host that the texts were sent to.", pattern=r"[A-Za-z0-9.:\[\]_-]{0,253}"
    ),
    "sentences": column("Sentences, repeats included.", unit="sentences"),
    "sentences_withheld": column("Sentences that were not sent.", unit="sentences"),
    "sentences_unrestored": column(
        "Sentences that were sent but left in the source language, because a substitute could not "
        "be restored or no answer passed its checks.",
        unit="sentences",
    ),
    "sentences_from_memory": column(
        "Sentences that the translator did not translate: from the user's memory, or one word of "
        "grammar.",
        unit="sentences",
    ),
    "sentences_reviewed": column(
        "Sentences whose translation a person gave or confirmed.", unit="sentences"
    ),
    "sentences_by_local_model": column(
        "Sentences translated by the model on this machine, not by the translator.",
        unit="sentences",
    ),
    "sentences_unsure": column(
        "Translated sentences to check: a word was found in a less reliable way.",
        unit="sentences",
    ),
    "sentences_to_look_at": column(
        "Different sentences that a person should look at, as `prism review` lists them: of the "
        "documents written now and of unchanged ones. Each counts in the first document with it.",
        unit="sentences",
    ),
    "sentences_in_clear": column(
        "Sentences sent with nothing replaced: most are only function words and punctuation.",
        unit="sentences",
    ),
    "tokens": column("Words, numbers and punctuation, repeats included.", unit="tokens"),
    "tokens_replaced": column("Dictionary words sent as a substitute.", unit="tokens"),
    "tokens_identifier": column("Names, numbers, codes sent as a surrogate.", unit="tokens"),
    "tokens_unknown": column("Words outside the dictionary, sent replaced.", unit="tokens"),
    "tokens_kept": column("Tokens sent in clear: visible to the translator.", unit="tokens"),
    "kept_marks": column("Of these, punctuation and other signs.", unit="tokens"),
    "kept_grammar": column("Of these, function words (*the, of, not*).", unit="tokens"),
    "kept_words": column("Of these, all others: words that carry meaning.", unit="tokens"),
    "tokens_withheld": column("Tokens of sentences that were not sent.", unit="tokens"),
    "identifiers_detected": column(
        "Identifiers recognised; null if the mechanism looks for none.",
        unit="identifiers",
        optional=True,
    ),
    "identifiers_replaced": column(
        "Of these, identifiers sent as a surrogate.", unit="identifiers", optional=True
    ),
    "identifiers_remaining": column(
        "Identifiers that an independent check found in the sent text.",
        unit="identifiers",
        optional=True,
    ),
    "words_to_restore": column("Substitutes and surrogates to undo.", unit="words"),
    "words_restored": column("Of these, restored in the output.", unit="words"),
    **{
        f"words_{way}": column(f"Of the restored, found {how}", unit="words")
        for way, how in WAYS.items()
    },
    "words_untranslated": column("Source words left in the output.", unit="words"),
    "pool_smallest": column(
        "Smallest number of words that a substitute was drawn from.", unit="words", optional=True
    ),
}
"""Columns that several tables have, each described once."""


def shared_column(name: str) -> Any:
    """Make the column ``name`` that several tables have."""
    return copy(_SHARED[name])


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
