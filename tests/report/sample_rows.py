"""Rows of an invented run, for the tests of the report."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from prism_core.report.columns import STAGES
from prism_core.report.rows import DocumentRow, IdentifierRow, Outcome, RequestRow, SentenceRow
from prism_core.report.run_rows import RunFacts

RUN = "run-20261120"
NOON = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)

FACTS = RunFacts(
    run_id=RUN,
    started_at=NOON,
    finished_at=NOON,
    tool_version="0.1.0",
    settings_digest="a" * 64,
    dictionary_digest="b" * 64,
    dictionary_entries=3000,
    language_model="prism-en-0.1.0",
    source="en",
    pairs=("en-es: model=prism-en-0.1.0 dictionary=bbbb entries=3000",),
    target="es",
    provider="apertium",
    provider_model="",
    endpoint_host="localhost",
    other_translators=("deepl@api.deepl.com",),
    local_models=(),
    routing="failover",
    decoys=12,
    strength="standard",
    cautions=("mixing hides little",),
    purpose="Rehearsal",
    retention="",
    region="",
    mechanism="prism-star",
    guarantee="Each replaced word is hidden among the words of its pool.",
    threshold=0.7,
    ratio=None,
    minimum_pool=20,
    draws="plausible",
    unknown_words="source",
    surrogates="sentence",
    dates="random",
    epsilon_word=float("inf"),
    policies=(),
    currency=None,
    **{f"seconds_{stage}": 1.5 for stage in STAGES},
)

TRANSLATED = DocumentRow(
    gate="",
    gate_reason="",
    gate_predicted=0,
    gate_too_hopeful=0,
    gate_too_careful=0,
    run_id=RUN,
    document_id="d0001",
    format="docx",
    source="en",
    languages=("en:4",),
    outcome=Outcome.TRANSLATED,
    failure="",
    advice="",
    notices=("attachment:unsupported",),
    bytes=1200,
    segments=3,
    sentences=4,
    sentences_withheld=1,
    sentences_unrestored=0,
    sentences_from_memory=1,
    sentences_reviewed=0,
    sentences_by_local_model=0,
    glossary_terms=0,
    sentences_unsure=1,
    sentences_in_clear=1,
    tokens=50,
    tokens_replaced=20,
    tokens_identifier=5,
    tokens_unknown=2,
    tokens_kept=13,
    kept_marks=4,
    kept_grammar=7,
    kept_words=2,
    tokens_withheld=10,
    words_to_restore=27,
    words_restored=27,
    words_form=24,
    words_alignment=0,
    words_near=2,
    words_joined=0,
    words_pair=0,
    words_association=1,
    words_elimination=0,
    words_untranslated=2,
    pool_smallest=21,
    pool_median=300,
    pool_mean=412.5,
    finished_at=NOON,
)

FAILED = replace(
    TRANSLATED,
    document_id="d0002",
    format="pdf",
    source=None,
    languages=(),
    outcome=Outcome.FAILED,
    failure="encrypted",
    advice="Remove the password and run again.",
    notices=(),
    segments=0,
    sentences=0,
    sentences_withheld=0,
    sentences_from_memory=0,
    sentences_reviewed=0,
    sentences_by_local_model=0,
    glossary_terms=0,
    sentences_unsure=0,
    sentences_in_clear=0,
    tokens=0,
    tokens_replaced=0,
    tokens_identifier=0,
    tokens_unknown=0,
    tokens_kept=0,
    kept_marks=0,
    kept_grammar=0,
    kept_words=0,
    tokens_withheld=0,
    words_to_restore=0,
    words_restored=0,
    words_form=0,
    words_alignment=0,
    words_near=0,
    words_joined=0,
    words_pair=0,
    words_association=0,
    words_elimination=0,
    words_untranslated=0,
    pool_smallest=None,
    pool_median=None,
    pool_mean=None,
)

SENTENCES = tuple(
    SentenceRow(
        run_id=RUN,
        document_id="d0001",
        sentence_id=f"s{ordinal % 3:04}",
        ordinal=ordinal,
        source="en",
        segment_kind="paragraph",
        outcome="withheld" if ordinal == 2 else "translated",
        reason="surviving identifier" if ordinal == 2 else "",
        from_memory=0,
        reviewed=0,
        by_local_model=0,
        unsure=0,
        tokens=12,
        tokens_replaced=5,
        tokens_identifier=1,
        tokens_unknown=1,
        tokens_kept=5,
        kept_marks=1,
        kept_grammar=3,
        kept_words=1,
        pool_smallest=21,
        sends=1,
        words_to_restore=7,
        words_restored=7,
        words_form=6,
        words_alignment=0,
        words_near=1,
        words_joined=0,
        words_pair=0,
        words_association=0,
        words_elimination=0,
        words_untranslated=1,
    )
    for ordinal in range(4)
)

REQUESTS = tuple(
    RequestRow(
        run_id=RUN,
        request_id=str(number),
        provider="apertium",
        endpoint_host="localhost",
        texts=3,
        characters=240,
        attempts=number,
        outcome="answered",
        recorded_at=NOON,
        answered_at=NOON,
    )
    for number in (1, 2)
)

IDENTIFIERS = tuple(
    IdentifierRow(
        run_id=RUN,
        document_id="d0001",
        identifier_class=name,
        detected=detected,
        replaced=detected - 1,
        remaining=0,
    )
    for name, detected in (("name", 3), ("date", 2))
)

DOCUMENTS = (TRANSLATED, FAILED)
