"""A run that stays open and translates what is asked for, as a night translates its archive.

What is asked for is a document in a private folder for as long as it is translated. It goes
through the stages of any run: its sentences are translated on this machine or encoded, checked and
sent, and the ledger has every request. When the desk closes, the report of the run is written.

Entry: ``Desk.open`` -> ``translate`` (of documents), ``translate_texts``, ``preview``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from prism_core.cat.serving.tagged_text import TaggedText
from prism_core.errors import (
    ConfigurationError,
    DocumentFailure,
    PrismError,
    TranslatorError,
    sanitize_errors,
)
from prism_core.files import make_file, make_folder
from prism_core.jobs import Pipeline, Stages
from prism_core.record import TO_LOOK_AT
from prism_core.settings import Job
from prism_core.stages import (
    Folders,
    Run,
    check_run,
    classify_for_review,
    encode,
    ingest,
    keep_formulas_here,
    read,
    recall,
    report,
)
from prism_core.state import DocumentStatus, StatePlace, StoredDocument, StoredSentence
from prism_core.storage import Scratch

Result = TypeVar("Result")


class NotTranslated(PrismError):
    """Error raised for texts that were not translated; the message has the reason, and no text."""


@dataclass(frozen=True, slots=True)
class DeskResult:
    """Result of one document: its translation, or the ``fault`` that it was not made for.

    ``left`` of its sentences stayed in the source language, and ``to_look_at`` of them, others too,
    are for a person to check.
    """

    content: bytes = b""
    fault: str = ""
    left: int = 0
    to_look_at: int = 0


class PreviewedSentence(NamedTuple):
    """A sentence, the text that would leave this machine for it, if any, and its handling."""

    text: str
    sent: str
    handling: str


class Desk:
    """An open run; one request is translated at a time, from any thread."""

    def __init__(self, run: Run, inbox: Path, outbox: Path) -> None:
        self._run, self._inbox, self._outbox = run, inbox, outbox
        self._turn = threading.Lock()
        self._pipeline = Pipeline(run, Stages())

    @classmethod
    @contextmanager
    def open(cls, job: Job) -> Iterator[Self]:
        """Open a desk whose state and report are in ``job.output``; its input is not used.

        Raises ``ConfigurationError``, ``StoreInUse`` and whatever a run raises as it begins.
        """
        if any(settings.answers_by_the_batch for settings in job.settings.translators):
            raise ConfigurationError(
                "a translator that answers within a day cannot serve programs: name another "
                "(--translator)"
            )
        output = job.output
        if not isinstance(output, Path):
            raise ConfigurationError(f"{output} is not a folder of this machine")
        make_folder(output)
        with closing(Scratch()) as scratch:
            inbox = scratch.make_folder()
            job = job.model_copy(update={"input": inbox})
            Folders(job).check()
            with StatePlace.of(job).hold(), Run.open(job) as run:
                if run.store.kept("job") is not None:
                    raise ConfigurationError(
                        f"{output} holds the translations of an archive: name a folder of its own"
                    )
                run.store.runs.begin(job.run_id)
                ingest(run)  # of nothing yet: a translator that cannot work is told of now
                yield cls(run, inbox, output)
                if any(run.store.documents.of_run(job.run_id)):
                    report(run)
                run.store.runs.end(job.run_id, "complete")

    @property
    def job(self) -> Job:
        """The job of the run."""
        return self._run.job

    @property
    def characters_sent(self) -> int:
        """The number of characters that left this machine since the desk was opened."""
        return self._run.store.requests.sent([self.job.run_id])[2]

    def translate_texts(self, texts: Sequence[TaggedText]) -> tuple[list[str], list[int]]:
        """Return the translations of ``texts``, and the indices of those for a person to check.

        Raises ``NotTranslated`` unless all of all texts is translated and their tags are whole.
        """
        names = [f"{sha256(text.page.encode()).hexdigest()}.html" for text in texts]
        files = {name: text.page.encode() for name, text in zip(names, texts, strict=True)}
        made, translations = self.translate(files), list[str]()
        for number, (name, text) in enumerate(zip(names, texts, strict=True), 1):
            fault, restored = made[name].fault, text.restore(made[name].content.decode())
            if made[name].left:
                fault = "a part of it may not be sent"
            if fault or restored is None:
                fault = fault or "a tag or a placeholder was lost"
                raise NotTranslated(f"text {number} of {len(texts)} was not translated: {fault}")
            translations.append(restored)
        return translations, [i for i, name in enumerate(names) if made[name].to_look_at]

    def translate(self, files: Mapping[str, bytes]) -> dict[str, DeskResult]:
        """Translate documents, given by their names; raises what would end any run."""
        return self._take(files, self._translate)

    def preview(self, name: str, content: bytes) -> list[PreviewedSentence]:
        """Encode a document as ``translate`` would, and send nothing. Raises ``NotTranslated``."""
        return self._take({name: content}, self._preview)

    def _take(self, files: Mapping[str, bytes], work: Callable[[dict[str, str]], Result]) -> Result:
        """Do ``work`` with the ids of the documents ``files``, which exist for so long."""
        with self._turn:
            ids = {name: self._run.store.documents.id_of(name) for name in files}
            try:
                for name, content in files.items():
                    make_file(self._inbox / name)  # its translation has the same mode
                    (self._inbox / name).write_bytes(content)
                return sanitize_errors(partial(work, ids))
            finally:
                self._clear(ids)

    def _clear(self, ids: Mapping[str, str]) -> None:
        """Remove the documents and their translations; none of them waits for the next request."""
        for document in self._run.store.documents.fetch(ids.values()):
            if document.status.is_waiting:
                gone = document.id, self.job.run_id, DocumentStatus.GONE
                self._run.store.documents.set_gone(*gone)
            if document.output:
                (self._outbox / document.output).unlink(missing_ok=True)
        for name in ids:
            (self._inbox / name).unlink(missing_ok=True)
        self._run.folders.remove_partial()

    def _read(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Read the documents that are there, and return their waves."""
        run = self._run
        ingest(run)
        for chunk in run.unread_chunks():
            read(run, chunk)
        waves = run.waves()
        recall(run)
        return waves

    def _translate(self, ids: dict[str, str]) -> dict[str, DeskResult]:
        self._run.out_of_service.clear()  # one that failed an hour ago may be back
        waves, stopped = self._read(), ""
        check_run(self._run, waves)
        try:
            self._pipeline.translate(waves)
        except TranslatorError as error:
            stopped = str(error)
        documents = {d.id: d for d in self._run.store.documents.fetch(ids.values())}
        return {name: self._result(name, documents[ids[name]], stopped) for name in ids}

    def _result(self, name: str, document: StoredDocument, stopped: str) -> DeskResult:
        if document.status.is_waiting:
            return DeskResult(fault=stopped or "no answer came back")
        if document.status is DocumentStatus.FAILED:
            failure = DocumentFailure(document.failure)
            if failure.is_nothing:  # nothing is to be translated
                return DeskResult((self._inbox / name).read_bytes())
            return DeskResult(fault=f"{failure.value}: {document.advice}")
        reasons = (classify_for_review(found)[0] for found in self._sentences(document))
        to_look_at = sum(reason in TO_LOOK_AT for reason in reasons)
        content = (self._outbox / str(document.output)).read_bytes()
        return DeskResult(content, "", document.left_in_source, to_look_at)

    def _sentences(self, document: StoredDocument) -> list[StoredSentence]:
        """Return the different sentences of ``document``, in their order."""
        layout = self._run.store.documents.layout(document.id)
        ids = dict.fromkeys(place.sentence for segment in layout for place in segment.places())
        found = self._run.store.sentences.of_document(document.id, ids)
        return [found[row_id] for row_id in ids]

    def _preview(self, ids: dict[str, str]) -> list[PreviewedSentence]:
        run, settings = self._run, self.job.settings
        waves = self._read()
        for wave in waves:
            for chunk in wave:
                encode(run, chunk)
            keep_formulas_here(run, wave)
        (document,) = run.store.documents.fetch(ids.values())
        if document.status is DocumentStatus.FAILED:
            raise NotTranslated(f"it would not be translated: {document.advice}")
        chunks, sentences = [chunk for wave in waves for chunk in wave], self._sentences(document)
        sent = {} if settings.in_clear else dict(run.store.sentences.to_send(chunks))
        texts = run.store.recalled.fetch(found.id for found in sentences)
        is_here = settings.in_clear or settings.stays or settings.translates_here
        here = "translated on this machine" if is_here else "left in the source language"
        return [
            PreviewedSentence(
                texts[found.id][0],
                sent.get(found.id, ""),
                "nothing more is sent" if found.status.is_translated else here,
            )
            for found in sentences
        ]
