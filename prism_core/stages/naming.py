"""Name each document in the output folder, between decoding and writing.

Names are given one after another, in the order of the documents' ids, and stored before anything is
written under them. So they do not depend on which worker is faster, nor on when a run was killed.

Entry: ``name_outputs`` -> ``_Naming.give_names`` -> ``_make_plain_path`` -> ``_fit_path`` ->
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
from prism_core.stages.read import find_spoken_name, format_options
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
"""Number of documents whose names are stored together."""
RENAMED = Remark("renamed")
"""Notice of a document whose name was taken, too long or reserved by PRISM."""


@stage("name outputs")
def name_outputs(run: Run, wave: Wave, *, early: bool = False) -> StageResult:
    """Give every document of ``wave`` that can be written its name in the output folder.

    With ``early``, documents that are not translated yet get one too, where names depend on nothing
    but paths. The name is never that of a foreign file or of another document's translation: see
    ``docs/formats.md``.
    """
    store, naming = run.store, _Naming(run)
    named = 0
    if early and run.job.settings.documents.file_names != "keep":
        return StageResult()
    for chunk in wave:
        waiting = set[str]() if early else store.sentences.documents_with(chunk)
        found = store.documents.fetch(chunk)
        read = [d for d in found if d.status is DocumentStatus.READ and d.id not in waiting]
        naming.give_names(read)
        named += len(read)
    return StageResult(documents=named)


def name_again(
    run: Run, document: StoredDocument, refused: AbstractSet[str] = frozenset()
) -> StoredDocument:
    """Return ``document`` with a name not in ``refused``, which became taken after naming."""
    _Naming(run).give_names([document], refused)
    return run.store.documents.fetch([document.id])[0]


class _Naming:
    """Rules for the names in one output folder."""

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
        """Store names for ``documents`` that are not in ``refused``, and the notices about them.

        Names are given one after another; some are stored together.
        """
        waiting = list(documents)
        while waiting:
            claims = list(self._make_claims(waiting[:_AT_ONCE], refused))
            taken = self._store.add_names(claims, folds=self._folds)
            # another worker took the name a moment ago: the next round sees it
            again = [document for document in waiting[: len(claims)] if document.id in taken]
            waiting = [*again, *waiting[len(claims) :]]

    def _make_claims(
        self, documents: Sequence[StoredDocument], refused: AbstractSet[str]
    ) -> Iterator[Claim]:
        """Yield the name that each of ``documents`` is to have, given the names before it.

        Ends after a document that releases another name, because later documents may want that
        name.
        """
        plain_paths = {document.id: self._make_plain_path(document) for document in documents}
        wanted = {row_id: self._fit_path(path) for row_id, path in plain_paths.items()}
        outputs_of = self._store.outputs.of_documents(wanted)
        self._holders = self._store.outputs.holders(wanted.values(), folds=self._folds)
        self._given = set[str]()
        for document in documents:
            own_outputs = outputs_of.get(document.id, [])
            # a name under which nothing was written yet is usable: the writer checks
            kept = [
                name
                for name in own_outputs
                if name.path not in refused
                and (
                    not (name.content and self._output.holds(name.path))
                    or self._output.is_one_of(name.path, {name.content}, self._store.cipher)
                )
            ]
            path = self._choose_path(document, wanted[document.id], kept)
            other_notices = [notice for notice in document.notices if notice != RENAMED]
            notices = (
                [*other_notices, RENAMED] if path != plain_paths[document.id] else other_notices
            )
            released = [name.path for name in own_outputs if name not in kept]
            self._given.add(self._fold(path))
            yield Claim(document.id, path, wanted[document.id], notices, released)
            if released:
                return

    def _fold(self, path: str) -> str:
        """Return a key that is equal for names which are one name in the output folder."""
        return fold_name(path) if self._folds else path

    def _make_plain_path(self, document: StoredDocument) -> str:
        """Return the path that the document would have in the output if it were free.

        The words of its name are translated if they can be.
        """
        path, name = document.path, find_spoken_name(self._job, document.path)
        if document.status is DocumentStatus.FAILED:  # it will be copied
            return path
        if name is not None:
            *_, segment = self._store.documents.layout(document.id)
            sentences = {place.sentence for place in segment.places()}
            texts = self._store.sentences.texts(document.id, sentences)
            if all(translation is not None for _, translation in texts.values()):
                _, translated = join_segment(segment, texts)
                capitals = self._job.target in _CAPITAL_NOUNS
                path = rename(path, name, translated.text, self._longest, capital_nouns=capitals)
        options = format_options(self._job, document.source)
        return path + output_suffix(document.format, options)

    def _fit_path(self, path: str) -> str:
        """Return ``path`` with its name cut to the available length and out of PRISM's folders."""
        folder, slash, name = path.rpartition("/")
        path = folder + slash + fit_name(name, self._longest)
        first, slash, rest = path.partition("/")
        if first.casefold() in self._reserved:
            first = number_name(first, 2)
        return first + slash + rest

    def _choose_path(
        self, document: StoredDocument, wanted: str, own_outputs: list[OutputName]
    ) -> str:
        """Return the name that was given before for the same reason, else the first free one."""
        wanted_id = self._store.outputs.id_of(wanted)
        for output in own_outputs:
            if output.wanted == wanted_id:
                return output.path
        paths = {output.path for output in own_outputs}
        for number in count(1):
            candidate = number_name(wanted, number, self._longest)
            if self._is_free(document, candidate, paths):
                break
        return candidate

    def _is_free(self, document: StoredDocument, path: str, own_paths: set[str]) -> bool:
        """Return True if no document of this run, no output and no other file has ``path``."""
        if path != document.path and self._store.documents.paths_of(self._job.run_id, [path]):
            return False
        if path != document.path and self._archive.has_folder(path):
            return False
        if path not in self._holders:
            self._holders |= self._store.outputs.holders([path], folds=self._folds)
        if self._holders[path] - {document.id} or self._fold(path) in self._given:
            return False
        if path in own_paths or not self._output.holds(path):
            return True
        # perhaps another spelling of one of its own names
        return any(self._output.is_same(path, other) for other in own_paths)
