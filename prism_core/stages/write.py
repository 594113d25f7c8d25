"""Stage 6: rebuild documents with their translations, each put in place in one step.

Entry: ``write`` -> ``_write``: ``_join`` the sentences -> ``write_output_document`` in a child
process -> ``check_unchanged`` -> ``_put`` in place, under another name if that one was taken in the
meantime. At the end ``copy_untranslated`` copies the other documents unchanged, on request.
``classify_for_review`` says why a person should look at a sentence, ``find_notes`` what the
document says about it.
"""

from __future__ import annotations

import re
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from prism_core import decoding, drafts
from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.files import CHANGED, open_regular
from prism_core.formats import (
    Document,
    PackedTranslations,
    Segment,
    run_on_document,
    write_output_document,
)
from prism_core.identifiers import defined_terms
from prism_core.languages import load_language
from prism_core.processes import release_free_memory
from prism_core.record import TO_LOOK_AT, Kind, Reason
from prism_core.report import COPIED, REASONS
from prism_core.settings import AUTO, Stay
from prism_core.stages.chunks import StageResult
from prism_core.stages.decode import ADDED
from prism_core.stages.naming import RENAMED, name_again
from prism_core.stages.read import (
    check_unchanged,
    find_spoken_name,
    format_options,
    record_failure,
    run_ahead,
    take_parsed,
)
from prism_core.stages.run import Run, stage
from prism_core.stages.segmentation import join_segment
from prism_core.state import (
    LOCAL_BETTER,
    Chunk,
    DocumentStatus,
    SentenceStatus,
    StoredDocument,
    StoredSentence,
)
from prism_core.storage import OpenDocument, content_hash, unwritable
from prism_core.translation_memory import WORD_ALONE

_ATTEMPTS = 5
_SEGMENTS_AT_ONCE = 500
_LONGER_THAN_READING = 4
"""Factor of the time limit for writing. Writing reads the document once more and checks the output;
a document that was read in time has been sent, and must not be lost for lack of time."""
_LEFT = frozenset(
    "blocks-unchanged texts-too-long page-unchanged unreadable-pages scan-pages message".split()
)
"""Notices of texts that are not in the translation: their document is translated in part."""
_Texts = Mapping[str, tuple[str, Translation | None]]
_NO_PLACE = "Its place in the output folder is taken again and again; use a folder of its own."


@stage("write", in_workers=True)
def write(run: Run, chunk: Chunk) -> StageResult:
    """Write the documents of ``chunk`` whose sentences are all settled.

    A sentence without a translation stays in the source language, and is counted. A sentence that
    still waits for an answer holds its document back for a later call or the next run; ``again`` in
    the result counts such documents. A document without a name waits for its name.
    """
    store = run.store
    read = [d for d in store.documents.fetch(chunk) if d.status is DocumentStatus.READ]
    waiting = store.sentences.documents_with(chunk)
    failed = store.sentences.documents_with(chunk, [SentenceStatus.FAILED])
    settled = [document for document in read if document.output and document.id not in waiting]
    written = 0

    def write_one(document: StoredDocument) -> None:
        _write(run, document, retry=document.id in failed)

    for document, writing in run_ahead(write_one, settled, run.documents_ahead):
        with record_failure(run, document.id):
            writing.result()
            written += 1
    return StageResult(documents=written, again=sum(document.id in waiting for document in read))


def _write(run: Run, stored: StoredDocument, *, retry: bool) -> None:
    """Rebuild a document, put it in its place and store that it is there."""
    job, store, archive = run.job, run.store, run.folders.archive
    segments, translations, left = _join(run, stored)
    reading = tuple(notice for notice in stored.notices if notice != RENAMED)
    parsed = take_parsed(run, stored.id)
    document = Document(Path(stored.path), stored.format, tuple(segments), reading, parsed)
    output = stored.output or stored.path
    with (
        run.folders.partial_path(stored.id, output) as partial,
        archive.open(stored.path) as source,
    ):
        check_unchanged(source, stored, store.cipher)
        notices = run_on_document(
            run.sandbox.with_time_for_size(stored.bytes, _LONGER_THAN_READING),
            stored.bytes,
            write_output_document,
            source.folder,
            replace(document, path=Path(source.path)),
            translations,
            partial,
            format_options(job, job.under(run.pair_of(stored)).source),
            _describe_translation(run, stored) if job.settings.documents.mark_translation else "",
        )
        if not archive.is_as_opened(stored.path, source, stored.content, store.cipher):
            raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)
        with open_regular(partial.parent, partial.name) as made:
            content = content_hash(made, store.cipher)
        stored = _put(run, stored, partial, content, source)
    notices = tuple(dict.fromkeys([*stored.notices, *notices]))
    for notice in notices:
        name, _, count = notice.partition(":")
        left += (int(count) if count.isdecimal() else 1) if name in _LEFT else 0
    output = stored.output or stored.path
    store.add_writing(stored.id, output, content, notices, left, retry=retry)


def _describe_translation(run: Run, stored: StoredDocument) -> str:
    """Return the notice that a machine translated the document, for its properties (ASCII).

    It is the same under another key: outputs of two runs of one day are alike.
    """
    job, day = run.job, time.gmtime(run.store.runs.start_of(run.job.run_id))
    here = [job.settings.local_translator] if job.settings.translates_here else []
    engines = dict.fromkeys(asked.name for asked in (*job.settings.translators, *here) if asked)
    reviewed = run.store.sentences.count_reviewed(stored.id)
    review = f"{reviewed} of {stored.sentences} sentences reviewed" if reviewed else "not reviewed"
    return (
        f"Machine translation ({' or '.join(engines)}, by PRISM) into {job.target} of "
        f"{time.strftime('%Y-%m-%d', day)}, {review}"
    )


def _put(
    run: Run, stored: StoredDocument, partial: Path, content: str, source: OpenDocument
) -> StoredDocument:
    """Put a finished document in its place, and remove PRISM's file at a former place.

    ``content`` is the keyed hash of ``partial``, ``source`` the open document. A file that appeared
    at the place since the document was named is not touched: the document gets another name, and is
    returned with it.
    """
    store, folders = run.store, run.folders
    refused: set[str] = set()
    for _ in range(_ATTEMPTS):
        name = stored.output or stored.path
        own_outputs = store.outputs.of_document(stored.id)
        ours = {content, *(output.content for output in own_outputs if output.content)}
        try:
            store.check_held()
            folders.output.put(partial, name, source, folders.archive, ours, store.cipher)
        except FileExistsError:
            refused.add(name)
            stored = name_again(run, stored, refused)
            continue
        for output in own_outputs:  # what PRISM wrote under an earlier name of the document
            if not folders.output.is_same(output.path, name):
                folders.output.remove(output.path, {output.content}, store.cipher)
        return stored
    raise DocumentError(DocumentFailure.UNREBUILDABLE, _NO_PLACE)


@stage("copy")
def copy_untranslated(run: Run) -> StageResult:
    """Copy documents that are in the target language already; on request also the failed ones.

    With ``documents.copy_untranslated`` all documents that failed or hold nothing to translate are
    copied. They are copied byte by byte, with times and modes, and replace whatever PRISM wrote for
    them before. A file that may not be read (a link, a file of another owner) is not copied.
    """
    copied = 0
    copies_all = run.job.settings.documents.copy_untranslated
    if not copies_all and run.job.source != AUTO:
        return StageResult()
    for document in run.store.documents.of_run(run.job.run_id):
        in_target = document.failure == DocumentFailure.IN_TARGET
        if document.status is DocumentStatus.FAILED and (copies_all or in_target):
            with suppress(DocumentError):  # the reason for its failure is already reported
                _copy(run, document)
                copied += 1
    return StageResult(documents=copied)


def _copy(run: Run, stored: StoredDocument) -> None:
    """Copy a document and store that it is there.

    Raises ``DocumentError`` where it may not be read or changes in the meantime, and
    ``OutputError``.
    """
    folders, cipher = run.folders, run.store.cipher
    with folders.archive.open(stored.path) as source:
        try:
            content = source.content(cipher)
        except OSError:
            raise DocumentError(DocumentFailure.RESTRICTED) from None
        stored = name_again(run, stored)
        output = stored.output or stored.path
        if not folders.output.is_one_of(output, {content}, cipher):
            with folders.partial_path(stored.id, output) as partial:
                try:
                    with (
                        open(source.descriptor, "rb", closefd=False) as whole,
                        partial.open("w+b") as copy,
                    ):
                        whole.seek(0)
                        shutil.copyfileobj(whole, copy)
                        copy.flush()
                        copied = content_hash(copy.fileno(), cipher)
                    if copied != content:
                        raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)
                    stored = _put(run, stored, partial, content, source)
                except OSError as error:
                    raise unwritable(error) from None
    in_target = stored.failure == DocumentFailure.IN_TARGET
    notices = stored.notices if in_target else [*stored.notices, COPIED]
    run.store.add_copy(stored.id, stored.output or output, content, notices)


def read_texts(run: Run, document: StoredDocument) -> _Texts:
    """Return the source and the translation of each sentence of ``document`` as written, by id.

    Terms that the document defines in its main language are translated alike.
    """
    texts = run.store.sentences.texts(document.id)
    return {**texts, **_texts_with_terms(run, document, texts)}


def _texts_with_terms(run: Run, document: StoredDocument, texts: _Texts | None = None) -> _Texts:
    """Return the entries of ``read_texts`` that hold a term which the document defines.

    ``texts`` are all texts of the document, where they are in memory.
    """
    stored, pair = run.store.sentences, run.pair_of(document)

    def sources() -> Iterator[tuple[str, str]]:
        if texts is None:
            return stored.source_texts(document.id)
        return ((row_id, source) for row_id, (source, _) in texts.items())

    terms = defined_terms((s for _, s in sources()), load_language(run.job.under(pair).source))
    if not terms:
        return {}
    ids = [row_id for row_id, source in sources() if any(term in source for term in terms)]
    texts = texts or stored.texts(document.id, ids)
    dictionary = run.encoder(pair).dictionary
    return decoding.unify_terms({row_id: texts[row_id] for row_id in ids}, terms, dictionary)


def _join(run: Run, stored: StoredDocument) -> tuple[list[Segment], PackedTranslations, int]:
    """Return a document's segments, their translations, and the number of untranslated sentences.

    Some hundred sentences are in memory at a time. The words of its name come last, and are left
    out.
    """
    layout = run.store.documents.layout(stored.id)
    is_small = stored.sentences <= _SEGMENTS_AT_ONCE
    known = run.store.sentences.texts(stored.id) if is_small else None
    with_terms = _texts_with_terms(run, stored, known)
    notes = find_notes(run, stored.id)
    count = stored.segments - (find_spoken_name(run.job, stored.path) is not None)
    segments, left = list[Segment](), 0

    def join() -> Iterator[Translation]:
        nonlocal left
        while batch := list(islice(layout, _SEGMENTS_AT_ONCE)):
            ids = [place.sentence for segment in batch for place in segment.places()]
            texts = {**(known or run.store.sentences.texts(stored.id, set(ids))), **with_terms}
            left += sum(texts[row_id][1] is None for row_id in ids)
            for segment in batch[: count - len(segments)]:
                source, translation = join_segment(segment, texts, notes)
                segments.append(Segment(source, segment.kind))
                yield translation

    translations = PackedTranslations(join())
    if len(segments) > _SEGMENTS_AT_ONCE:  # the child process must not share that memory
        release_free_memory()
    return segments, translations, left


def classify_for_review(sentence: StoredSentence) -> tuple[Reason, str]:
    """Return why a person should look at a sentence, and details: a class or a count."""
    if not sentence.status.is_translated:
        return Reason.WITHHELD, sentence.reason
    if sentence.status is SentenceStatus.REVIEWED:
        return Reason.TRANSLATED, SentenceStatus.REVIEWED
    if sentence.status is SentenceStatus.LOCAL and not sentence.unsure:
        is_usual = sentence.reason in [*Stay, LOCAL_BETTER]
        return (Reason.TRANSLATED, "") if is_usual else (Reason.LOCAL, sentence.reason)
    if sentence.untranslated:
        return Reason.UNTRANSLATED, f"words {sentence.untranslated}"
    if sentence.unsure or sentence.reason.startswith(ADDED):
        return Reason.UNSURE, sentence.reason
    return Reason.TRANSLATED, ""


def count_to_look_at(run: Run) -> Counter[str]:
    """Count the sentences that a person should look at, each in its first document, by its id.

    These are the sentences that a review of the run exports, of the documents that it wrote or
    found unchanged. Words of a file's name are none of them.
    """
    counts, counted = Counter[str](), set[str]()
    names = run.job.settings.documents.file_names == "translate"
    for document, found in groupby(run.store.sentences.doubted(run.job.run_id), itemgetter(0)):
        layout = run.store.documents.layout(document) if names else ()
        texts = (segment for segment in layout if segment.kind != "filename")
        shown = {place.sentence for segment in texts for place in segment.places()}
        to_look_at = {
            sentence.id
            for _, sentence in found
            if (not names or sentence.id in shown)
            and classify_for_review(sentence)[0] in TO_LOOK_AT
        }
        counts[document] = len(to_look_at - counted)
        counted |= to_look_at
    return counts


def find_notes(run: Run, document: str) -> Mapping[str, str]:
    """Return what ``document`` is to say about its sentences, by id; empty unless configured."""
    if not run.job.settings.documents.mark_untranslated:
        return {}
    stored = run.store.sentences.of_document(document, encodings=False)
    left = [row_id for row_id, sentence in stored.items() if sentence.untranslated]
    stored |= run.store.sentences.of_document(document, left)
    texts = run.store.sentences.texts(document, left)
    notes = {
        row_id: _describe_for_reader(sentence, *texts.get(row_id, ())[1:])
        for row_id, sentence in stored.items()
    }
    return {row_id: note for row_id, note in notes.items() if note}


def _describe_for_reader(sentence: StoredSentence, translation: Translation | None = None) -> str:
    """Return in words what ``classify_for_review`` found; empty if there is nothing to check."""
    reason, detail = classify_for_review(sentence)
    if reason is Reason.WITHHELD:
        why = REASONS.get(detail)
        return f"Not translated. {why}" if why else f"Not translated: {detail.replace('-', ' ')}."
    if reason is Reason.LOCAL:
        return "Translated by the model on this machine, not by the translator."
    if reason is Reason.UNTRANSLATED:
        named = ", ".join(find_words_left(sentence, translation.text if translation else ""))
        return f"Words left in the source language: {named or sentence.untranslated}."
    if reason is Reason.UNSURE:
        if detail.startswith(ADDED):
            return "Unsure. Something may have been added."
        if WORD_ALONE in detail:
            return (
                "Unsure. The word has several meanings, and nothing beside it says which is meant."
            )
        if any(change in detail for change in drafts.Change):
            return "Unsure. A negation, must, may or need not, left or right may be wrong."
        return "Unsure. A word may be wrong."
    return ""


def find_words_left(sentence: StoredSentence, translation: str) -> list[str]:
    """Return the words that no dictionary knows and ``translation`` still has, in lower case."""
    record = sentence.encoded.record if sentence.encoded and sentence.untranslated else ()
    written = re.findall(r"\w+", translation.lower())
    unknown = (r.word.lower() for r in record if r.kind is Kind.UNKNOWN)
    return [word for word in dict.fromkeys(unknown) if word.isalpha() and word in written]
