"""Between decoding and writing: the name of each document in the output folder.

Names are given one after another, in the order of the documents' ids, and stored before anything
is written under them. So they do not depend on which worker is faster, nor on where a run was
killed.

Entry: ``name_outputs`` -> ``_Naming.give_names`` -> ``_translated_path`` -> ``_possible_path`` ->
``_choose_path``, the first that ``_is_free``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import count

from prism_core.file_names import fit_name, fold_name, number_name, rename
from prism_core.formats import output_suffix
from prism_core.record import Remark
from prism_core.stages.chunks import StageResult
from prism_core.stages.folders import PARTIAL
from prism_core.stages.read import format_options, spoken_name
from prism_core.stages.run import Run, Wave, stage
from prism_core.stages.segmentation import join_segment
from prism_core.state import (
    Claim,
    DocumentStatus,
    OutputName,
    StoredDocument,
)

_CAPITAL_NOUNS = frozenset({"de", "lb"})
_AT_ONCE = 20
"""Documents whose names are stored together."""
RENAMED = Remark("renamed")
"""The notice of a document whose name was taken, too long or PRISM's own."""


@stage("name outputs")
def name_outputs(run: Run, wave: Wave, *, early: bool = False) -> StageResult:
    """Give every document of ``wave`` that can be written its name in the output folder; ``early``:
    also one that is not translated yet, where names follow from nothing but paths.

    Nobody else's file is ever there, nor another document's translation: see ``docs/formats.md``.
    """
    store, naming = run.store, _Naming(run)
    named = 0
    if early and run.job.settings.documents.file_names != "keep":
        return StageResult()
    for chunk in wave:
        waiting = set[str]() if early else store.sentences.documents_waiting(chunk)
        found = store.documents.fetch(chunk)
        read = [d for d in found if d.status is DocumentStatus.READ and d.id not in waiting]
        naming.give_names(read)
        named += len(read)
    return StageResult(documents=named)


def name_again(
    run: Run, document: StoredDocument, refused: AbstractSet[str] = frozenset()
) -> StoredDocument:
    """``document`` with a name not in ``refused``: those were free when it was named."""
    _Naming(run).give_names([document], refused)
    return run.store.documents.fetch([document.id])[0]


@stage("keep folder times")
def keep_folder_times(run: Run) -> StageResult:
    """Give the folders in the output the times of their sources, when all is written."""
    documents = run.store.documents.of_run(run.job.run_id)
    outputs = (document.output for document in documents if document.output)
    run.folders.output.keep_folder_times(outputs, run.folders.archive)
    return StageResult()


class _Naming:
    """What the names of one output folder have to heed."""

    def __init__(self, run: Run) -> None:
        job = self._job = run.job
        self._store = run.store
        self._archive, self._output = run.folders.archive, run.folders.output
        self._folds, self._longest = self._output.folds, self._output.longest
        report = job.report_from_output.partition("/")[0]
        firsts = {".prism", PARTIAL, report} - {"", ".", ".."}
        self._reserved = {name.casefold() for name in firsts}
        self._holders: dict[str, set[str]] = {}
        self._given: set[str] = set()

    def give_names(
        self, documents: Sequence[StoredDocument], refused: AbstractSet[str] = frozenset()
    ) -> None:
        """Store the names of ``documents``, which are not in ``refused``, and the notices of them,
        one after another, and some together."""
        waiting = list(documents)
        while waiting:
            claims = list(self._claims(waiting[:_AT_ONCE], refused))
            taken = self._store.add_names(claims, folds=self._folds)
            # another worker took it a moment ago: it is seen now
            again = [document for document in waiting[: len(claims)] if document.id in taken]
            waiting = [*again, *waiting[len(claims) :]]

    def _claims(
        self, documents: Sequence[StoredDocument], refused: AbstractSet[str]
    ) -> Iterator[Claim]:
        """What each of ``documents`` is to be named, those before it taken into account; ends with
        one that another name is taken away from, which others may want."""
        plain = {document.id: self._plain_path(document) for document in documents}
        wanted = {row_id: self._possible_path(path) for row_id, path in plain.items()}
        all_own = self._store.outputs.of_documents(wanted)
        self._holders = self._store.outputs.holders(wanted.values(), folds=self._folds)
        self._given = set[str]()
        for document in documents:
            own = all_own.get(document.id, [])
            kept = [name for name in own if name.path not in refused and self._is_usable(name)]
            path = self._choose_path(document, wanted[document.id], kept)
            remarks = [notice for notice in document.notices if notice != RENAMED]
            notices = [*remarks, RENAMED] if path != plain[document.id] else remarks
            released = [name.path for name in own if name not in kept]
            self._given.add(self._spelt(path))
            yield Claim(document.id, path, wanted[document.id], notices, released)
            if released:
                return

    def _spelt(self, path: str) -> str:
        """The same for names that are one in the output folder."""
        return fold_name(path) if self._folds else path

    def _plain_path(self, document: StoredDocument) -> str:
        """The document's path as it would be named, if nothing stood against it."""
        if document.status is DocumentStatus.FAILED:  # it is to be copied
            return document.path
        options = format_options(self._job, document.source)
        return self._translated_path(document) + output_suffix(document.format, options)

    def _translated_path(self, document: StoredDocument) -> str:
        """The document's path, with the words of its name translated when they are."""
        path = document.path
        name = spoken_name(self._job, path)
        if name is None:
            return path
        *_, segment = self._store.documents.layout(document.id)
        sentences = {place.sentence for place in segment.places()}
        texts = self._store.sentences.texts(document.id, sentences)
        if any(translation is None for _, translation in texts.values()):
            return path
        _, translation = join_segment(segment, texts)
        capitals = self._job.target in _CAPITAL_NOUNS
        return rename(path, name, translation.text, self._longest, capital_nouns=capitals)

    def _possible_path(self, path: str) -> str:
        """``path``, its name no longer than there is room for, out of PRISM's own folders."""
        folder, slash, name = path.rpartition("/")
        path = folder + slash + fit_name(name, self._longest)
        first, slash, rest = path.partition("/")
        if first.casefold() in self._reserved:
            first = number_name(first, 2)
        return first + slash + rest

    def _choose_path(self, document: StoredDocument, wanted: str, own: list[OutputName]) -> str:
        """The name that the document had before for the same reason, else the first free one."""
        wanted_id = self._store.outputs.id_of(wanted)
        for output in own:
            if output.wanted == wanted_id:
                return output.path
        paths = {output.path for output in own}
        for number in count(1):
            candidate = number_name(wanted, number, self._longest)
            if self._is_free(document, candidate, paths):
                break
        return candidate

    def _is_free(self, document: StoredDocument, path: str, own: set[str]) -> bool:
        """Whether ``path`` is nobody's: no document's of this run, no output's, no other file's."""
        if path != document.path and self._store.documents.paths_of(self._job.run_id, [path]):
            return False
        if path != document.path and self._archive.has_folder(path):
            return False
        if path not in self._holders:
            self._holders |= self._store.outputs.holders([path], folds=self._folds)
        if self._holders[path] - {document.id} or self._spelt(path) in self._given:
            return False
        if path in own or not self._output.holds(path):
            return True
        # perhaps another spelling of a name of its own
        return any(self._output.is_same(path, other) for other in own)

    def _is_usable(self, output: OutputName) -> bool:
        """Whether nothing but what PRISM put there is at a name that a document has.

        A name under which nothing was put yet counts, whatever is there: the writer looks.
        """
        if not output.content or not self._output.holds(output.path):
            return True
        return self._output.is_one_of(output.path, {output.content}, self._store.cipher)
