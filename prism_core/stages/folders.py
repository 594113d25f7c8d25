"""Input and output of a job: what is a document, and what may never be read or overwritten.

Entry: ``Folders(job)``; ``check`` and ``found_files`` for the input. What a document is read from
and put into is a ``StorageLocation``: ``archive`` and ``output``.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.files import make_private
from prism_core.settings import Job
from prism_core.state import StatePlace
from prism_core.storage import (
    FolderLocation,
    FoundFile,
    ObjectAddress,
    ObjectStore,
    Scratch,
    StorageLocation,
    open_location,
    remove_leftovers,
)

PARTIAL = ".prism-partial"
"""The folder, in the output folder, of what is being written."""
_LONGEST_SUFFIX = 20


class Folders:
    """Input and output of ``job``, each a folder or a part of a bucket; for any thread.

    Paths of documents are relative to either. It is a process's own, and is closed.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self._scratch = Scratch()

    @cached_property
    def archive(self) -> StorageLocation:
        """Where documents are read."""
        return open_location(self.job.input, self._scratch, PARTIAL, receives=False)

    @cached_property
    def output(self) -> StorageLocation:
        """Where their translations are put."""
        # each holder of a shard has its own: one that lost it may still be writing
        partial = f"{PARTIAL}/{self.job.shard.holder}" if self.job.shard else PARTIAL
        return open_location(self.job.output, self._scratch, partial, receives=True)

    def check(self) -> None:
        """Raise ``ConfigurationError`` unless output can never become input, or overwrite it.

        Nor may its state be kept elsewhere than the settings say.
        """
        archive, output = self.job.input, self.job.output
        if not self.archive.exists:
            what = "does not exist" if isinstance(archive, Path) else "holds no object"
            raise ConfigurationError(f"input {archive} {what}")
        if isinstance(output, Path) and output.exists() and not output.is_dir():
            raise ConfigurationError(f"output {output} is not a folder")
        if self.archive.is_archive and _is_within(output, archive):
            raise ConfigurationError(
                f"output {output} lies within input {archive}; the translations "
                "would be translated next time. Name an output folder outside of it."
            )
        if _is_within(archive if self.archive.is_archive else archive.parent, output):
            raise ConfigurationError(
                f"input {archive} lies within output {output}; documents could be "
                "overwritten. Name an output folder of its own."
            )
        self.job.check_state_named()
        report = self.job.report_folder
        if isinstance(report, ObjectAddress) and self.job.temporary_state is None:
            ObjectStore(report).holds_any()  # it is refused before anything is sent
        StatePlace.of(self.job).check_not_elsewhere()

    def found_files(self) -> Iterator[FoundFile]:
        """What the input holds, less what the settings say is no document; see ``list``."""
        whole = self.archive.is_archive
        for found in self.archive.list():
            if found.is_folder or not whole or self._is_document(found.path):
                yield found

    def _is_document(self, path: str) -> bool:
        """Whether the settings say that the file at ``path`` is one."""
        asked = self.job.settings.documents
        name, folded = os.path.basename(path).casefold(), path.casefold()  # noqa: PTH119 (as bytes on disk)

        def fits(patterns: Iterable[str]) -> bool:
            return any(
                fnmatchcase(folded if "/" in pattern else name, pattern.casefold())
                for pattern in patterns
            )

        return fits(asked.include) and not fits(asked.exclude)

    @property
    def _partial(self) -> Path:
        """Where what a run keeps for itself lies: beside the output, or the state of a bucket."""
        output = self.job.output
        return output / PARTIAL if isinstance(output, Path) else self.job.state_folder / PARTIAL

    @contextmanager
    def partial_path(self, document: str, name: str) -> Iterator[Path]:
        """Where the output of ``document`` is made before it is put under ``name``; what is left
        there goes with the block."""
        suffix = Path(name).suffix if len(Path(name).suffix) <= _LONGEST_SUFFIX else ""
        if not isinstance(self.output, FolderLocation):
            with self._scratch.file(document + suffix) as path:
                yield path
            return
        path = self.output.make_partial() / (document + suffix)
        path.unlink(missing_ok=True)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    def parsed_path(self, document: str) -> Path:
        """Where ``document`` waits for its writer as its format parsed it, sealed."""
        return self._partial / f"parsed-{document}"

    def make_partial(self) -> None:
        """Make the folder of ``parsed_path``. Raises ``OutputError``, ``StateError`` or
        ``OSError``."""
        if not isinstance(self.job.output, Path):
            make_private(self.job.state_folder)
        self._partial.mkdir(mode=0o700, parents=True, exist_ok=True)

    def remove_partial(self) -> None:
        """Remove what a run was writing, or had read for it, and the folder for it; a shard removes
        what is its own, and keeps what it read for whoever writes.

        Documents on their way to or from a bucket that a process left which was killed go, too.
        """
        own = self.job.shard.holder if self.job.shard else ""
        shutil.rmtree(self._partial / own, ignore_errors=True)
        if isinstance(self.job.input, ObjectAddress) or isinstance(self.job.output, ObjectAddress):
            self.close()
            remove_leftovers()

    def close(self) -> None:
        """Remove the private folder of this process."""
        self._scratch.close()


def _is_within(place: Path | ObjectAddress, other: Path | ObjectAddress) -> bool:
    """Whether ``place`` is ``other`` or lies in it, however either is spelled."""
    if isinstance(place, ObjectAddress):
        return isinstance(other, ObjectAddress) and place.is_within(other)
    if isinstance(other, ObjectAddress):
        return False
    path, folder = place.resolve(), other.resolve()
    chain = (path, *path.parents)
    if folder in chain:
        return True
    there = [candidate for candidate in chain if candidate.exists()]
    return folder.exists() and any(candidate.samefile(folder) for candidate in there)
