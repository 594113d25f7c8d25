"""Stage 2: documents into sentences, and what they call people and things onto the deny list.

Entry: ``read`` -> ``run_ahead`` (``_parse``, each in a child process) -> ``_reading``: ``survey``
the languages -> ``lay_out`` in sentences -> ``judge`` by the policy -> ids.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from prism_core.cipher import Cipher
from prism_core.errors import DocumentError, DocumentFailure, InternalFault, PrismError
from prism_core.file_names import SpokenName, find_words
from prism_core.files import CHANGED, open_regular
from prism_core.formats import (
    Document,
    FormatOptions,
    Segment,
    notices,
    read_held,
)
from prism_core.language import (
    NO_LANGUAGE,
    UNDETERMINED,
    Sentence,
    letters_surely_in,
    main_language,
    other_languages,
    split_clauses,
)
from prism_core.languages import load_language
from prism_core.settings import Job, Treatment
from prism_core.stages.folders import Folders, content_hash
from prism_core.stages.judging import Refused, judge
from prism_core.stages.run import Counted, Run, stage
from prism_core.stages.segmentation import lay_out, lines_of, replace_ids
from prism_core.state import Chunk, DocumentStatus, Reading, StoredDocument

_WORTHWHILE = 200
"""Letters of running text: with more, a document is translated whatever is beside them."""
Item = TypeVar("Item")
Result = TypeVar("Result")


@stage("read", in_workers=True)
def read(run: Run, chunk: Chunk) -> Counted:
    """Read the documents of ``chunk`` that are not read yet, each in a child process.

    A document that cannot be read becomes ``failed``, with its class, and the next one is read.
    """
    store = run.store
    documents = sentences = 0
    found = [d for d in store.documents.fetch(chunk) if d.status is DocumentStatus.FOUND]
    parse = partial(_parse, run)
    for document, parsing in run_ahead(parse, found, run.documents_ahead):
        try:
            reading = _reading(run, document, parsing.result())
            store.add_reading(run.job.run_id, document.id, reading)
        except Refused as error:
            store.documents.set_failed(document.id, error, error.treatment)
        except DocumentError as error:
            store.documents.set_failed(document.id, error)
        except PrismError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever it provokes, the others are still read)
            store.documents.set_failed(document.id, faulty(error))
        else:
            documents += 1
            sentences += len(reading.sentences)
    return Counted(documents=documents, sentences=sentences)


def faulty(error: Exception) -> DocumentError:
    """A fault of PRISM that this document brought out, as data of its row."""
    return DocumentError(DocumentFailure.CRASHED, str(InternalFault.of(error)))


def _parse(run: Run, stored: StoredDocument) -> Document:
    root = Folders(run.job).root
    document = run.sandbox.call(read_held, root, stored.path, format_options(run.job))
    with open_regular(root, stored.path) as source:
        check_unchanged(source, stored, run.store.cipher)
    if not any(segment.text.strip() for segment in document.segments):
        raise DocumentError(DocumentFailure.EMPTY)
    return document


def check_unchanged(source: int, stored: StoredDocument, cipher: Cipher) -> None:
    """Raise ``DocumentError`` unless the open file holds what was found: its layout would not fit.

    One that cannot be read any more counts as changed.
    """
    with suppress(OSError):
        is_same_size = os.fstat(source).st_size == stored.bytes
        if is_same_size and content_hash(source, cipher) == stored.content:
            return
    raise DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)


def _reading(run: Run, stored: StoredDocument, document: Document) -> Reading:
    job = run.job
    segments, name = document.segments, spoken_name(job, stored.path)
    if name is not None:  # the last segment, which the document's format never sees
        segments = (*segments, Segment(name.text, "filename"))
    found = survey(segments, job)
    layout, by_text = lay_out(segments, run.model, found.copied, partial(cut_sentence, run))
    policy = job.settings.policy_for(Path(stored.path).as_posix(), document.format)
    judgement = judge(run, policy, by_text.values())
    encoder, context = run.encoder(judgement.treatment), _context(run, judgement.treatment)
    glossary = encoder.dictionary.glossary
    ids = {
        text: run.store.sentences.id_of(text, json.dumps([context, terms]) if terms else context)
        for text in by_text
        for terms in [glossary.held_by(text)]
    }
    layout = replace_ids(layout, ids)
    sentences = {ids[text]: sentence for text, sentence in by_text.items()}
    return Reading(
        format=document.format,
        notices=(*document.notices, *found.notices),
        layout=layout,
        sentences=sentences,
        identifiers=frozenset(
            form for sentence in sentences.values() for form in encoder.identifiers(sentence)
        ),
        treatment=judgement.treatment,
        privacy_score=judgement.privacy_score,
    )


def cut_sentence(run: Run, sentence: Sentence) -> Sequence[Sentence]:
    """The parts of ``sentence`` that are sent apart, if the settings ask for any: its clauses.

    It stays whole where the encoder could not protect them as well.
    """
    if not run.job.settings.mixing.split_clauses:
        return (sentence,)
    parts = split_clauses(sentence, load_language(run.job.source))
    return parts if len(parts) == 1 or run.encoder().may_cut(sentence, parts) else (sentence,)


def spoken_name(job: Job, path: str) -> SpokenName | None:
    """The words in the name of the document at ``path``, if they are to be translated."""
    return find_words(path) if job.settings.documents.file_names == "translate" else None


def format_options(job: Job) -> FormatOptions:
    """What the settings say about documents, as formats see it."""
    documents = job.settings.documents
    return FormatOptions(
        source=job.source,
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
    job = run.job
    mechanism = job.under(treatment).settings.mechanism.model_dump_json()
    version = run.encoder(treatment).version
    decides = [job.source, job.target, version, mechanism, str(run.model_version)]
    return json.dumps([*decides, treatment] if treatment else decides)


@dataclass(frozen=True, slots=True)
class Survey:
    """The lines of a document that are copied, since nothing of them is to be translated."""

    copied: AbstractSet[str] = frozenset()
    notices: tuple[str, ...] = ()


def survey(segments: Sequence[Segment], job: Job) -> Survey:
    """Find what is in the target language, or in none or another one that we translate.

    Raises ``DocumentError`` when most letters are in other languages than source and target, and
    hardly any running text in the source.
    """
    if not job.settings.language.identify:
        return Survey()
    lines = list(lines_of(segments))
    languages = other_languages(lines, job.source)
    letters: Counter[str] = Counter()
    said = list(lines_of([one for one in segments if one.kind != "property"])) or lines
    for line in said:  # a title or a keyword does not decide for the pages
        letters[languages.get(line, job.source)] += sum(map(str.isalpha, line))
    ours = (job.source, job.target, NO_LANGUAGE)
    others = {language: n for language, n in letters.items() if language not in ours}
    mostly = sum(others.values()) * 2 > letters.total()
    if mostly and letters_surely_in(job.source, lines) < _WORTHWHILE:
        language = main_language(others, letters.total()) or UNDETERMINED
        known = "" if language == UNDETERMINED else f" ({language})"
        raise DocumentError(
            DocumentFailure.OTHER_LANGUAGE,
            f"Most of it is in another language{known}; nothing of it was sent. Translate it from "
            "that language, or set language.identify to false.",
        )
    found = Counter(languages[line] for line in lines if line in languages)
    in_target = found.pop(job.target, 0)
    return Survey(
        languages.keys(),
        notices({"lines-in-target-language": in_target, "lines-in-other-language": found.total()}),
    )


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
