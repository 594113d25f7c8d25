"""Stage 7: the report of a run, and the numbers for whoever waits for it."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass

from prism_core.report import ReportFolder, Signer
from prism_core.stages.chunks import Counted
from prism_core.stages.facts import run_facts
from prism_core.stages.rows import document_rows, request_rows
from prism_core.stages.run import Run, stage
from prism_core.state import DocumentStatus, SentenceStatus, UserKey


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in numbers. Sentences are counted once each, however often they occur.

    ``sentences_from_memory`` of the translated ones are from the user's own translation memory, or
    one word of grammar. ``documents_partly`` of the written ones hold sentences that stayed in the
    source language;
    ``documents_left`` wait for the next run, because this one was stopped. ``documents`` are those
    of the input, of which ``documents_empty`` hold no text; beside them ``documents_gone`` were
    there once, ``documents_renamed`` under another name, ``documents_pruned`` of which nothing is
    left any more.
    """

    run_id: str
    documents: int
    documents_written: int
    documents_partly: int
    documents_unchanged: int
    documents_empty: int
    documents_failed: int
    documents_left: int
    documents_gone: int
    documents_renamed: int
    documents_pruned: int
    sentences: int
    sentences_translated: int
    sentences_from_memory: int
    sentences_withheld: int
    sentences_failed: int
    sentences_left: int
    requests: int
    characters: int
    seconds: float

    @classmethod
    def of(cls, run: Run) -> Summary:
        """The run as the store knows it now."""
        store, run_id = run.store, run.job.run_id
        documents = store.documents.count(run_id)
        sentences = store.sentences.count(run_id)
        requests, _, characters = store.requests.sent([run_id])
        failed = (SentenceStatus.FAILED, SentenceStatus.REFUSED)
        empty = store.documents.count_empty(run_id)
        return cls(
            run_id=run_id,
            documents=sum(n for status, n in documents.items() if not status.is_absent),
            documents_written=documents.get(DocumentStatus.WRITTEN, 0),
            documents_partly=store.documents.count_partly(run_id),
            documents_unchanged=documents.get(DocumentStatus.UNCHANGED, 0),
            documents_empty=empty,
            documents_failed=documents.get(DocumentStatus.FAILED, 0) - empty,
            documents_left=sum(n for status, n in documents.items() if status.is_waiting),
            documents_gone=documents.get(DocumentStatus.GONE, 0),
            documents_renamed=documents.get(DocumentStatus.RENAMED, 0),
            documents_pruned=documents.get(DocumentStatus.PRUNED, 0),
            sentences=sum(sentences.values()),
            sentences_translated=sum(n for status, n in sentences.items() if status.is_translated),
            sentences_from_memory=sentences.get(SentenceStatus.RECALLED, 0),
            sentences_withheld=sentences.get(SentenceStatus.WITHHELD, 0),
            sentences_failed=sum(sentences.get(status, 0) for status in failed),
            sentences_left=sum(n for status, n in sentences.items() if status.is_pending),
            requests=requests,
            characters=characters,
            seconds=time.time() - store.runs.start_of(run_id),
        )


FEWEST_DOCUMENTS = 10
FEWEST_SENTENCES = 100
"""Mixed with fewer, a text can be told by its content from those of other documents: among ten
court cases the likest text is of the same case in 40 of 100 (docs/strength.md)."""


def cautions(run: Run) -> tuple[str, ...]:
    """What makes this run weaker than its settings, or their strength, sound; no text, no name."""
    found, settings = Summary.of(run), run.job.settings
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
    return (*small, *settings.shortcomings)


@stage("report")
def report(run: Run) -> Counted:
    """Write the report of the run to ``job.report_folder``. Raises ``OutputError``.

    What an earlier call for the same run wrote stays as it is. The report is signed with the key of
    the state, and the store remembers it, so that it will be missed if it is taken away.
    """
    job, store = run.job, run.store
    facts = run_facts(run, store.runs.start_of(job.run_id), cautions(run))
    written = ReportFolder(job.report_folder, job.settings.report.readable_by).write(
        facts,
        document_rows(run),
        request_rows(run),
        signer=Signer(UserKey(job.settings.key).load()),
        remembered=run.last_report(),
    )
    kept = {"folder": job.report_from_output, "link": asdict(written.link)}
    store.keep("last_report", json.dumps(kept).encode())
    return Counted(documents=written.summary.totals.documents)
