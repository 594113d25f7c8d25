"""Stage 2: documents into sentences, and what they call people and things onto the deny list.

Entry: ``read`` -> ``run_ahead`` (``_parse``, each in a child process) -> ``_reading``: ``_survey``
the languages -> ``lay_out`` in sentences -> ``judge`` by the policy -> ids -> ``_keep``.

``keep_parsed`` keeps what the format parsed until ``take_parsed``, when it is written: a file for
each such document, sealed under the data key of the run, beside the translations that are being
made. Without it, or with one that is damaged, the document is parsed again: nothing depends on it
but time.
"""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
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
)
from prism_core.language import Sentence, split_clauses
from prism_core.languages import load_language
from prism_core.settings import AUTO, NO_POLICY, Job, MechanismSettings, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.gate import decide_document
from prism_core.stages.policy_budget import Refused, judge
from prism_core.stages.run import Run, stage
from prism_core.stages.segmentation import lay_out, replace_ids
from prism_core.stages.surveying import Survey, survey, survey_mixed
from prism_core.state import Chunk, DocumentStatus, PackedSentences, Reading, StoredDocument
from prism_core.storage import OpenDocument

_MOST = 20
_ENOUGH = 500
"""Documents that are stored at a time at most, and sentences of them that are many enough."""
Item = TypeVar("Item")
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
        try:
            waiting[document.id] = _reading(run, document, parsing.result())
        except Refused as error:
            refused = error.treatment, error.prospect
            store.documents.set_failed(document.id, error, *refused)
        except DocumentError as error:
            store.documents.set_failed(document.id, error)
        except PrismError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it provokes, the others are still read)
            store.documents.set_failed(document.id, faulty(error))
        if len(waiting) >= _MOST or sum(len(r.sentences) for r in waiting.values()) >= _ENOUGH:
            counted = _keep(run, waiting, counted)
            waiting = {}
    return _keep(run, waiting, counted)


def _keep(run: Run, readings: Mapping[str, Reading], counted: StageResult) -> StageResult:
    """Store ``readings`` together, and one by one should one of them be faulty; gives ``counted``
    with them. Who is killed before reads them again: nothing of them was sent."""
    try:
        run.store.add_readings(run.job.run_id, readings)
    except PrismError:
        raise
    except Exception as error:  # noqa: BLE001 (as above)
        for document, reading in readings.items():
            if len(readings) > 1:
                counted = _keep(run, {document: reading}, counted)
            else:
                run.store.documents.set_failed(document, faulty(error))
        return counted
    more = sum(len(reading.sentences) for reading in readings.values())
    return StageResult(counted.documents + len(readings), counted.sentences + more)


def faulty(error: Exception) -> DocumentError:
    """A fault of PRISM that this document brought out, as data of its row."""
    return DocumentError(DocumentFailure.CRASHED, str(InternalFault.from_exception(error)))


def _parse(run: Run, stored: StoredDocument, language: str = "") -> Document:
    """The document as its format reads it; ``language``: the one it was found to be in."""
    options = format_options(run.job, language or run.job.under(run.first_pair).source)
    sandbox = run.sandbox.with_time_for_size(stored.bytes)
    with run.folders.archive.open(stored.path) as source:
        document = sandbox.call(read_input_document, source.folder, source.path, options)
        with run.folders.archive.reopen(stored.path, source) as read_from:
            check_unchanged(read_from, stored, run.store.cipher)
    if not any(segment.text.strip() for segment in document.segments):
        raise DocumentError(DocumentFailure.EMPTY)
    return document


def check_unchanged(source: OpenDocument, stored: StoredDocument, cipher: Cipher) -> None:
    """Raise ``DocumentError`` unless ``source`` holds what was found: its layout would not fit.

    One that cannot be read any more counts as changed.
    """
    with suppress(OSError):
        is_same_size = os.fstat(source.descriptor).st_size == stored.bytes
        if is_same_size and source.content(cipher) == stored.content:
            return
    raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)


def _reading(run: Run, stored: StoredDocument, document: Document) -> Reading:
    job = run.job
    policy = job.settings.policy_for(Path(stored.path).as_posix(), document.format)
    mechanism = (policy and policy.mechanism) or job.settings.mechanism
    segments, found = _survey(run, stored, document, mechanism)
    first = job.under(run.first_pair).source
    if found.source not in ("", first):  # what is a line, or is skipped, may be otherwise
        document = _parse(run, stored, found.source)
        segments, found = _survey(run, stored, document, mechanism)
    layout, by_source = lay_out(
        segments,
        lambda line: found.sources.get(line, found.source),
        run.model,
        found.copied,
        partial(cut_sentence, run),
        apart=mechanism.bounds_epsilon,
    )
    pairs = {source: _pair_of(run, source) for source in by_source}
    by_pair = {pairs[source]: texts for source, texts in by_source.items()}
    theirs = {pair: texts.values() for pair, texts in by_pair.items()}
    judgement = decide_document(run, policy, judge(run, policy, theirs), theirs)
    ids: dict[str, str] = {}
    identifiers: set[str] = set()
    sentences = PackedSentences()
    for pair, texts in by_pair.items():
        treatment = judgement.treatment.in_source(pair.source)
        encoder, context = run.encoder(treatment), _context(run, treatment)
        if encoder.bounds_epsilon:  # each occurrence is drawn for, and sent, by itself
            context = json.dumps([context, stored.id])
        for name, sentence in texts.items():
            terms = encoder.dictionary.glossary.held_by(sentence.text)
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
        prospect=judgement.prospect,
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
    """The segments of ``document``, with the words of its name, and which language they are in.

    Where ``mechanism`` bounds ε all is in that of the settings: what a line is in follows from its
    words, and so would whether it is sent.
    """
    job, segments, name = run.job, document.segments, spoken_name(run.job, stored.path)
    if name is not None:  # the last segment, which the document's format never sees
        segments = (*segments, Segment(name.text, "filename"))
    if job.source == AUTO:
        return segments, survey_mixed(segments, job, run.sources)
    if mechanism.bounds_epsilon:
        return segments, Survey(job.source)
    return segments, survey(segments, job)


def cut_sentence(run: Run, sentence: Sentence, source: str = "") -> Sequence[Sentence]:
    """The parts of ``sentence`` that are sent apart, if the settings ask for any: its clauses.

    It stays whole where the encoder could not protect them as well. ``source``: its language,
    where that is not the one of the settings.
    """
    if not run.job.settings.mixing.split_clauses:
        return (sentence,)
    pair = _pair_of(run, source or run.job.source)
    parts = split_clauses(sentence, load_language(run.job.under(pair).source))
    return parts if len(parts) == 1 or run.encoder(pair).may_cut(sentence, parts) else (sentence,)


def _pair_of(run: Run, source: str) -> Treatment:
    """What names the pair from ``source`` in a treatment: nothing where the settings do."""
    return NO_POLICY if source == run.job.source else NO_POLICY.in_source(source)


def spoken_name(job: Job, path: str) -> SpokenName | None:
    """The words in the name of the document at ``path``, if they are to be translated."""
    return find_words(path) if job.settings.documents.file_names == "translate" else None


def format_options(job: Job, source: str) -> FormatOptions:
    """What the settings say about documents, as formats see it, for one in ``source``."""
    documents = job.settings.documents
    return FormatOptions(
        source=source,
        target=job.target,
        pdf_output=documents.pdf_output,
        ocr=documents.ocr,
        attachment_names=documents.attachment_names,
        most_sentences=job.settings.limits.document_sentences,
    )


def _context(run: Run, treatment: Treatment) -> str:
    """What decides how a sentence is encoded under ``treatment``: see ``Sentences.id_of``.

    A sentence that stands under two treatments is two: who may see it may differ. So is one before
    and after a change of the user's glossary, if it holds a term that changed.
    """
    job, policy = run.job.under(treatment), treatment.in_source("")
    mechanism = job.settings.mechanism.model_dump_json()
    version = run.encoder(treatment).version
    decides = [job.source, job.target, version, mechanism, str(run.model_version(job.source))]
    return json.dumps([*decides, policy] if policy else decides)


def run_ahead(
    function: Callable[[Item], Result], items: Iterable[Item], most: int
) -> Iterator[tuple[Item, Future[Result]]]:
    """Call ``function`` on each item in a few threads; gives each item with its future, in order.

    The threads wait for child processes, so they keep the other cores busy. At most ``most``
    items are under way, so memory does not grow with ``items``. An exception waits in its item's
    future.
    """
    with ThreadPoolExecutor(most, thread_name_prefix="prism-documents") as pool:
        under_way: deque[tuple[Item, Future[Result]]] = deque()
        for item in items:
            under_way.append((item, pool.submit(function, item)))
            if len(under_way) >= most:
                yield under_way.popleft()
        yield from under_way


def keep_parsed(run: Run, document: str, parsed: bytes) -> None:
    """Keep what was ``parsed`` of ``document`` until it is written; a rehearsal writes nothing."""
    if not parsed or run.job.temporary_state is not None:
        return
    folders = run.folders
    sealed = run.store.documents.seal_parsed(document, parsed)
    path = folders.parsed_path(document)
    try:
        folders.make_partial()
        path.write_bytes(sealed)
    except (OSError, PrismError):  # no room; who writes the document says so if there is none
        with suppress(OSError):
            path.unlink(missing_ok=True)


def take_parsed(run: Run, document: str) -> bytes:
    """What ``keep_parsed`` kept, which is deleted; empty where there is none."""
    path = run.folders.parsed_path(document)
    with suppress(OSError, WrongKey):
        sealed = path.read_bytes()
        path.unlink()
        return run.store.documents.open_parsed(document, sealed)
    return b""
