"""Stage 7: write the report of a run, and count for the command that waits for it.

Entry: ``report`` -> the rows of ``report_rows``, and ``run_facts``, what is known without counting:
the encoders and the translators. ``Summary.from_run`` is for the command.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from prism_core import drafts, encoding
from prism_core.language import ModelVersion
from prism_core.margins import find_lead
from prism_core.report import (
    STAGES,
    ReportFolder,
    Row,
    RunFacts,
    RunReport,
    Signer,
    WrittenReport,
)
from prism_core.settings import AUTO, Job
from prism_core.stages.chunks import StageResult
from prism_core.stages.encoders import EncoderFacts
from prism_core.stages.report_rows import document_rows, redact_free_text, request_rows
from prism_core.stages.run import Run, stage
from prism_core.stages.sending import list_translators
from prism_core.stages.translate_here import describe_models
from prism_core.state import DocumentStatus, SentenceStatus, UserKey


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in numbers. Sentences are counted once each, however often they occur.

    ``sentences_from_memory`` of the translated ones come from the user's own translation memory, or
    are one word of grammar. ``documents_partly`` of the written and unchanged ones hold text in the
    source language.
    ``documents`` are those of the input, of which ``documents_empty`` hold no text. Not among them
    are ``documents_gone``, which existed before, ``documents_renamed``, now under another name, and
    ``documents_pruned``, of which nothing is left.
    """

    run_id: str
    documents: int
    documents_written: int
    documents_partly: int
    documents_unchanged: int
    documents_empty: int
    documents_failed: int
    documents_gone: int
    documents_renamed: int
    documents_pruned: int
    sentences: int
    sentences_translated: int
    sentences_from_memory: int
    sentences_withheld: int
    requests: int
    characters: int
    seconds: float

    @classmethod
    def from_run(cls, run: Run) -> Summary:
        """Count the run as the store knows it now."""
        store, run_id = run.store, run.job.run_id
        documents = store.documents.count(run_id)
        sentences = store.sentences.count(run_id)
        requests, _, characters = store.requests.sent([run_id])
        empty = store.documents.count_empty(run_id)
        return cls(
            run_id=run_id,
            documents=sum(n for status, n in documents.items() if not status.is_absent),
            documents_written=documents.get(DocumentStatus.WRITTEN, 0),
            documents_partly=store.documents.count_partly(run_id),
            documents_unchanged=documents.get(DocumentStatus.UNCHANGED, 0),
            documents_empty=empty,
            documents_failed=documents.get(DocumentStatus.FAILED, 0) - empty,
            documents_gone=documents.get(DocumentStatus.GONE, 0),
            documents_renamed=documents.get(DocumentStatus.RENAMED, 0),
            documents_pruned=documents.get(DocumentStatus.PRUNED, 0),
            sentences=sum(sentences.values()),
            sentences_translated=sum(n for status, n in sentences.items() if status.is_translated),
            sentences_from_memory=sentences.get(SentenceStatus.RECALLED, 0),
            sentences_withheld=sentences.get(SentenceStatus.WITHHELD, 0),
            requests=requests,
            characters=characters,
            seconds=time.time() - store.runs.start_of(run_id),
        )


_LONGEST_REASON = 500
FEWEST_DOCUMENTS = 10
FEWEST_SENTENCES = 100
"""Fewest sentences, and documents, that hide each other when mixed. With fewer, the content of a
text tells which document it belongs to: among ten court cases the most similar text is of the same
case in 40 of 100 (docs/strength.md)."""


def list_cautions(run: Run) -> tuple[str, ...]:
    """List what makes this run weaker than its settings suggest, without any text or name."""
    found, settings = Summary.from_run(run), run.job.settings
    if settings.stays:
        return ()
    unsent = found.documents_unchanged + found.documents_failed + found.documents_empty
    sent = found.documents - unsent
    sentences = found.sentences - found.sentences_from_memory
    mixed = min(sent, settings.limits.wave_documents)
    small: tuple[str, ...] = ()
    if mixed == 1 and sentences:
        small = ("mixing cannot hide a single document: all that is sent together is of it",)
    elif sentences and (mixed < FEWEST_DOCUMENTS or sentences < FEWEST_SENTENCES):
        small = (
            f"mixing hides little: {sentences:,} sentences of {mixed:,} documents are sent "
            "together, and which belong to one of them can be guessed",
        )
    return (*small, *settings.shown, *settings.shortcomings)


def list_unwritten(job: Job) -> Iterator[str]:
    """Name the translators whose answers are paid for and not written, as a plan says it."""
    here = job.settings.local_translator
    can_draft = drafts.find_drafting_model(here, job.source, job.target) is not None
    if job.settings.stays or not can_draft or job.settings.on_withheld != "local":
        return
    for asked in job.settings.translators:
        if not find_lead(job.source, job.target, asked.name):
            yield (
                f"the answers of {asked.name} are not written where the model on this machine can "
                'translate, since no lead over it was measured; on_withheld = "leave" writes them'
            )


@stage("report")
def report(run: Run) -> StageResult:
    """Write the report of the run to ``job.report_folder``. Raises ``OutputError``.

    A report that an earlier call wrote for the same run stays as it is. The report is signed with
    the key of the state. The store remembers it, so that its removal is noticed.
    """
    facts = run_facts(run, run.store.runs.start_of(run.job.run_id), list_cautions(run))
    written = _write(run, facts, document_rows(run), request_rows(run))
    return StageResult(documents=written.summary.totals.documents)


def report_proof(run: Run, proved: RunReport, proof: bytes) -> Path:
    """Report the run of ``proved`` again, with ``proof`` in its chain; return the folder.

    Raises ``OutputError``.
    """
    return _write(run, proved.facts, proved.rows, proof=proof).folder


def _write(
    run: Run, facts: RunFacts, *rows: Iterable[Row], proof: bytes | None = None
) -> WrittenReport:
    """Write a report that is signed with the key of the state, which remembers it."""
    job = run.job
    written = ReportFolder(job.report_folder, job.settings.report.readable_by).write(
        facts,
        *rows,
        signer=Signer(UserKey(job.settings.key).load()),
        remembered=run.last_report(),
        proof=proof,
    )
    kept = {"folder": job.report_from_output, "link": asdict(written.link)}
    run.store.keep("last_report", json.dumps(kept).encode())
    return written


def run_facts(run: Run, started: float, cautions: tuple[str, ...]) -> RunFacts:
    """Return the facts of the run that are known without counting."""
    job, settings = run.job, run.job.settings
    encoders = _encoder_facts(run)
    pairs = {source: run.model_version(source) for source in encoders}
    source, encoder = next(iter(encoders.items()))
    model = pairs[source]
    first, *others = list_translators(run, run.first_pair)
    digest = settings.digest()
    to, price = first.to, first.translator.price
    spent: dict[str, Any] = {f"seconds_{name}": round(run.seconds[name], 3) for name in STAGES}
    return RunFacts(
        run_id=job.run_id,
        started_at=datetime.fromtimestamp(started, UTC),
        finished_at=datetime.now(UTC),
        tool_version=version("prism-translate"),
        settings_digest=digest,
        dictionary_digest=encoder.dictionary_digest,
        dictionary_entries=encoder.dictionary_entries,
        language_model=redact_free_text(_name(model)),
        source=job.source,
        pairs=tuple(
            f"{source}-{job.target}: model={redact_free_text(_name(model))} "
            f"dictionary={encoders[source].dictionary_digest} "
            f"entries={encoders[source].dictionary_entries}"
            for source, model in pairs.items()
        ),
        target=job.target,
        provider=to.provider,
        provider_model=settings.translator.asked_model,
        endpoint_host=to.endpoint,
        sees="clear" if settings.in_clear else "encoded",
        assessment=settings.assessment(digest),
        send=settings.send,
        stays=settings.stays,
        margins=tuple(map(str, settings.margins)),
        other_translators=tuple(f"{asked.to.provider}@{asked.to.endpoint}" for asked in others),
        routing=settings.mixing.routing,
        decoys=run.store.decoys.count(job.run_id),
        strength=settings.strength,
        cautions=cautions,
        purpose=settings.report.purpose,
        retention=settings.report.retention,
        region=settings.report.region,
        mechanism=encoder.mechanism,
        guarantee=encoder.guarantee,
        vocabulary=encoder.vocabulary,
        **asdict(settings.mechanism.figures()),
        surrogates=settings.identifiers.consistency,
        epsilon_word=encoder.epsilon_word,
        local_models=tuple(describe_models(job)),
        policies=tuple(policy.describe(settings.mechanism) for policy in settings.policies),
        stopped=None if run.stopped is None else str(run.stopped)[:_LONGEST_REASON],
        currency=price.currency if price else None,
        **spent,
    )


def _encoder_facts(run: Run) -> dict[str, EncoderFacts]:
    """Return the facts of the run's encoders, by source language.

    Where the source is open, only languages that occur in the run have an entry, or any one if none
    does.
    """
    pairs = run.pairs
    if run.job.source == AUTO:
        found = run.store.sentences.sources(run.job.run_id)
        pairs = tuple(pair for pair in pairs if pair.source in found) or pairs[:1]
    if pairs:
        return {run.job.under(pair).source: run.encoder_facts(pair) for pair in pairs}
    # Nothing may be translated from it; the report says how it would be encoded.
    settings = run.job.under(run.first_pair).settings
    accepting = settings.language.model_copy(update={"experimental": True})
    encoder = encoding.load_encoder(settings.model_copy(update={"language": accepting}))
    return {settings.source: EncoderFacts.from_encoder(encoder)}


def _name(model: ModelVersion) -> str:
    return f"{model.name}-{model.version}-{model.digest[:12]}"
