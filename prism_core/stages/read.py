"""Stage 2: read documents as sentences, and add the identifiers in them to the deny list.

Entry: ``read`` -> ``run_ahead`` (``_parse``, each in a child process) -> ``_make_reading``:
``_survey`` the languages -> ``lay_out`` in sentences -> ``choose_treatment`` by the policy -> ids
-> ``_store_readings``.

``keep_parsed`` keeps the parsed form of a document until ``take_parsed``, when the translation is
written: one file for each such document, sealed under the data key of the run, beside the
translations in progress. If it is missing or damaged, the document is parsed again; only time
depends on it.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from prism_core.cipher import Cipher
from prism_core.errors import DocumentError, DocumentFailure, InternalFault, PrismError, WrongKey
from prism_core.file_names import SpokenName, find_words
from prism_core.files import CHANGED
from prism_core.formats import (
    Document,
    FormatOptions,
    Segment,
    read_input_document,
    run_on_document,
)
from prism_core.language import Sentence, split_clauses
from prism_core.languages import load_language
from prism_core.settings import AUTO, NO_POLICY, Job, MechanismSettings, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.gate import decide_document
from prism_core.stages.policy_budget import Refused, choose_treatment
from prism_core.stages.run import Run, stage
from prism_core.stages.segmentation import keep_whole, lay_out, replace_ids
from prism_core.stages.surveying import Survey, survey, survey_mixed
from prism_core.state import Chunk, DocumentStatus, PackedSentences, Reading, StoredDocument
from prism_core.storage import OpenDocument

_MOST = 20
_ENOUGH = 500
"""Most documents that are stored together, and the number of sentences that triggers storing."""
_Input = TypeVar("_Input")
Result = TypeVar("Result")


@stage("read", in_workers=True)
def read(run: Run, chunk: Chunk) -> StageResult:
    """Read the documents of ``chunk`` that are not read yet, each in a child process.

    A document that cannot be read becomes ``failed``, with its class, and the next one is read.
    """
    store = run.store
    waiting: dict[str, Reading] = {}
    counted = StageResult()
    found = [d for d in store.documents.fetch(chunk) if d.status is DocumentStatus.FOUND]
    parse = partial(_parse, run)
    for document, parsing in run_ahead(parse, found, run.documents_ahead):
        with record_failure(run, document.id):
            waiting[document.id] = _make_reading(run, document, parsing.result())
        if len(waiting) >= _MOST or sum(len(r.sentences) for r in waiting.values()) >= _ENOUGH:
            counted = _store_readings(run, waiting, counted)
            waiting = {}
    return _store_readings(run, waiting, counted)


def _store_readings(run: Run, readings: Mapping[str, Reading], counted: StageResult) -> StageResult:
    """Store ``readings`` together, or one by one if that fails; return ``counted`` plus them.

    If the process is killed before, the documents are read again: nothing of them was sent.
    """
    try:
        run.store.add_readings(run.job.run_id, readings)
    except PrismError:
        raise
    except Exception as error:  # noqa: BLE001 (the other documents are still stored)
        for document, reading in readings.items():
            if len(readings) > 1:
                counted = _store_readings(run, {document: reading}, counted)
            else:
                run.store.documents.set_failed(document, _crashed_document(error))
        return counted
    more = sum(len(reading.sentences) for reading in readings.values())
    return StageResult(counted.documents + len(readings), counted.sentences + more)


def _crashed_document(error: Exception) -> DocumentError:
    """Return the error of a document that revealed a fault of PRISM, as data of its row."""
    return DocumentError(DocumentFailure.CRASHED, str(InternalFault.from_exception(error)))


@contextmanager
def record_failure(run: Run, document: str) -> Iterator[None]:
    """Record an error of the block as that of ``document``, unless it is not of one document."""
    try:
        yield
    except DocumentError as error:
        refused = (error.treatment, error.gate) if isinstance(error, Refused) else ()
        run.store.documents.set_failed(document, error, *refused)
    except PrismError:
        raise
    except Exception as error:  # noqa: BLE001 (the other documents are still handled)
        run.store.documents.set_failed(document, _crashed_document(error))


def _parse(run: Run, stored: StoredDocument, language: str = "") -> Document:
    """Return the document as its format reads it, in ``language`` if that was identified."""
    options = format_options(run.job, language or run.job.under(run.first_pair).source)
    sandbox = run.sandbox.with_time_for_size(stored.bytes)
    with run.folders.archive.open(stored.path) as source:
        document = run_on_document(
            sandbox, stored.bytes, read_input_document, source.folder, source.path, options
        )
        with run.folders.archive.reopen(stored.path, source) as read_from:
            check_unchanged(read_from, stored, run.store.cipher)
    if not any(segment.text.strip() for segment in document.segments):
        raise DocumentError(DocumentFailure.EMPTY)
    return document


def check_unchanged(source: OpenDocument, stored: StoredDocument, cipher: Cipher) -> None:
    """Raise ``DocumentError`` unless ``source`` has the content that was found.

    The layout of another content would not fit. A file that can no longer be read counts as
    changed.
    """
    with suppress(OSError):
        is_same_size = os.fstat(source.descriptor).st_size == stored.bytes
        if is_same_size and source.content(cipher) == stored.content:
            return
    raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)


def _make_reading(run: Run, stored: StoredDocument, document: Document) -> Reading:
    """Lay out a parsed document in sentences, choose its treatment and collect its identifiers."""
    job = run.job
    policy = job.settings.policy_for(Path(stored.path).as_posix(), document.format)
    mechanism = (policy and policy.mechanism) or job.settings.mechanism
    segments, found = _survey(run, stored, document, mechanism)
    first = job.under(run.first_pair).source
    if found.source not in ("", first):  # lines and skipped parts may depend on the language
        document = _parse(run, stored, found.source)
        segments, found = _survey(run, stored, document, mechanism)
    layout, by_source = lay_out(
        segments,
        lambda line: found.sources.get(line, found.source),
        run.model,
        found.copied,
        partial(cut_sentence, run) if job.settings.sends_clauses else keep_whole,
        apart=mechanism.bounds_epsilon,
    )
    pairs = {source: _pair_of(run, source) for source in by_source}
    by_pair = {pairs[source]: texts for source, texts in by_source.items()}
    groups = {pair: texts.values() for pair, texts in by_pair.items()}
    judgement = decide_document(run, choose_treatment(run, policy, groups), groups)
    ids: dict[str, str] = {}
    identifiers: set[str] = set()
    sentences = PackedSentences()
    for pair, texts in by_pair.items():
        treatment = judgement.treatment.in_source(pair.source)
        encoder, context = run.encoder(treatment), _encoding_context(run, treatment)
        if encoder.bounds_epsilon:  # each occurrence is encoded and sent by itself
            context = json.dumps([context, stored.id])
        for name, sentence in texts.items():
            terms = encoder.dictionary.glossary.list_terms_in(sentence.text)
            within = json.dumps([context, terms]) if terms else context
            ids[name] = run.store.sentences.id_of(name, within)
            looked_at = encoder.look(sentence)
            identifiers.update(encoder.identifiers(looked_at))
            sentences.take(ids[name], texts.packed[name], looked_at)
    keep_parsed(run, stored.id, document.parsed)
    return Reading(
        format=document.format,
        notices=(*document.notices, *found.notices),
        layout=replace_ids(layout, ids),
        sentences=sentences,
        identifiers=frozenset(identifiers),
        treatment=judgement.treatment,
        privacy_score=judgement.privacy_score,
        gate=judgement.gate,
        source=found.source,
        sources={
            ids[name]: source
            for source, texts in by_source.items()
            for name in texts
            if source != found.source
        },
    )


def _survey(
    run: Run, stored: StoredDocument, document: Document, mechanism: MechanismSettings
) -> tuple[Sequence[Segment], Survey]:
    """Return the segments of ``document``, with the words of its name, and its languages.

    Where ``mechanism`` bounds ε, all text counts as in the language of the settings: the language
    of a line follows from its words, and so would the decision to send it.
    """
    job, segments, name = run.job, document.segments, find_spoken_name(run.job, stored.path)
    if name is not None:  # the last segment, which the document's format never gets
        segments = (*segments, Segment(name.text, "filename"))
    if job.source == AUTO:
        return segments, survey_mixed(segments, job, run.sources)
    if mechanism.bounds_epsilon:
        return segments, Survey(job.source)
    return segments, survey(segments, job)


def cut_sentence(run: Run, sentence: Sentence, source: str = "") -> Sequence[Sentence]:
    """Return the clauses of ``sentence``, which are sent apart.

    It stays whole where the encoder could not protect the parts as well. ``source`` is its
    language, where that differs from the settings.
    """
    pair = _pair_of(run, source or run.job.source)
    parts = split_clauses(sentence, load_language(run.job.under(pair).source))
    return parts if len(parts) == 1 or run.encoder(pair).may_cut(sentence, parts) else (sentence,)


def _pair_of(run: Run, source: str) -> Treatment:
    """Return the treatment that names the pair from ``source``; ``NO_POLICY`` if settings do."""
    return NO_POLICY if source == run.job.source else NO_POLICY.in_source(source)


def find_spoken_name(job: Job, path: str) -> SpokenName | None:
    """Return the words in the name of the document at ``path``, if they are to be translated."""
    return find_words(path) if job.settings.documents.file_names == "translate" else None


def format_options(job: Job, source: str) -> FormatOptions:
    """Return the settings about documents as formats take them, for a document in ``source``."""
    documents = job.settings.documents
    return FormatOptions(
        source=source,
        target=job.target,
        pdf_output=documents.pdf_output,
        ocr=documents.ocr,
        tracked_changes=documents.tracked_changes,
        attachment_names=documents.attachment_names,
        csv_columns=documents.csv_columns,
        most_sentences=job.settings.limits.document_sentences,
    )


def _encoding_context(run: Run, treatment: Treatment) -> str:
    """Return what decides how a sentence is encoded under ``treatment``: see ``Sentences.id_of``.

    The same text under two treatments is two sentences, because different translators may see it.
    So is a text before and after a change of the user's glossary, if it holds a term that changed.
    """
    job, policy = run.job.under(treatment), treatment.in_source("")
    mechanism = job.settings.mechanism.model_dump_json()
    version = run.encoder(treatment).version
    decides = [job.source, job.target, version, mechanism, str(run.model_version(job.source))]
    return json.dumps([*decides, policy] if policy else decides)


def run_ahead(
    function: Callable[[_Input], Result], items: Iterable[_Input], most: int
) -> Iterator[tuple[_Input, Future[Result]]]:
    """Call ``function`` on each item in a few threads; yield each item with its future, in order.

    The threads wait for child processes, so they keep the other cores busy. At most ``most`` items
    are in progress, so memory does not grow with ``items``. An exception waits in its item's
    future.
    """
    with ThreadPoolExecutor(most, thread_name_prefix="prism-documents") as pool:
        under_way: deque[tuple[_Input, Future[Result]]] = deque()
        for item in items:
            under_way.append((item, pool.submit(function, item)))
            if len(under_way) >= most:
                yield under_way.popleft()
        yield from under_way


def keep_parsed(run: Run, document: str, parsed: bytes) -> None:
    """Keep the ``parsed`` form of ``document`` until it is written; a dry run writes nothing."""
    if not parsed or run.job.temporary_state is not None:
        return
    folders = run.folders
    sealed = run.store.documents.seal_parsed(document, parsed)
    path = folders.parsed_path(document)
    try:
        folders.make_partial()
        path.write_bytes(sealed)
    except (OSError, PrismError):  # no space left; the writer reports it if that persists
        with suppress(OSError):
            path.unlink(missing_ok=True)


def take_parsed(run: Run, document: str) -> bytes:
    """Return the file of ``keep_parsed`` and delete it; empty if there is none."""
    path = run.folders.parsed_path(document)
    with suppress(OSError, WrongKey):
        sealed = path.read_bytes()
        path.unlink()
        return run.store.documents.open_parsed(document, sealed)
    return b""
