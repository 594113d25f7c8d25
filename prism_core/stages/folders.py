"""The input and output of a job: which files are documents, and which paths are refused.

Entry: ``Folders(job)``; ``check`` and ``found_files`` for the input. Documents are read from and
written to a ``StorageLocation``: ``archive`` and ``output``.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
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
"""Name of the folder, in the output folder, that holds files being written."""
_LONGEST_SUFFIX = 20


class Folders:
    """The input and output of ``job``, each a folder or a prefix of a bucket; safe for any thread.

    Paths of documents are relative to either. Each process has its own instance and closes it.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self._scratch = Scratch()

    @cached_property
    def archive(self) -> StorageLocation:
        """The storage location that documents are read from."""
        return open_location(self.job.input, self._scratch, PARTIAL, receives=False)

    @cached_property
    def output(self) -> StorageLocation:
        """The storage location that translations are written to."""
        # each holder of a shard has its own: a holder that lost the shard may still be writing
        partial = f"{PARTIAL}/{self.job.shard.holder}" if self.job.shard else PARTIAL
        return open_location(self.job.output, self._scratch, partial, receives=True)

    def check(self) -> None:
        """Raise ``ConfigurationError`` unless output can never become input, or overwrite it.

        The state must also be where the settings say.
        """
        archive, output = self.job.input, self.job.output
        if not self.archive.exists:
            problem = "does not exist" if isinstance(archive, Path) else "holds no object"
            raise ConfigurationError(f"input {archive} {problem}")
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
            ObjectStore(report).holds_any()  # fails before anything is sent
        StatePlace.of(self.job).check_not_elsewhere()

    def found_files(self) -> Iterator[FoundFile]:
        """Yield the files of the input that the settings count as documents; see ``list``.

        A file counts when it has not changed for as long as the job asks. Its change time is set
        by the system alone: a copy that keeps other times has a new one.
        """
        documents, folder = self.job.settings.documents, self.job.input

        def fits(path: str, patterns: Iterable[str]) -> bool:
            name, folded = os.path.basename(path).casefold(), path.casefold()  # noqa: PTH119 (as bytes on disk)
            return any(
                fnmatchcase(folded if "/" in pattern else name, pattern.casefold())
                for pattern in patterns
            )

        for found in self.archive.list():
            is_document = not self.archive.is_archive or (
                fits(found.path, documents.include) and not fits(found.path, documents.exclude)
            )
            is_still = True
            if is_document and self.job.still and isinstance(folder, Path):
                is_still = False
                with suppress(OSError):
                    age = time.time() - (folder / found.path).lstat().st_ctime
                    is_still = age >= self.job.still
            if found.is_folder or (is_document and is_still):
                yield found

    @property
    def _partial(self) -> Path:
        """The folder for a run's own files: in the output folder, or in the state folder."""
        output = self.job.output
        return output / PARTIAL if isinstance(output, Path) else self.job.state_folder / PARTIAL

    @contextmanager
    def partial_path(self, document: str, name: str) -> Iterator[Path]:
        """Yield the path where the output of ``document`` is made before it is put under ``name``.

        A file that is left there is removed with the block.
        """
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
        """Return the path of the sealed file that keeps the parsed ``document`` for its writer."""
        return self._partial / f"parsed-{document}"

    def make_partial(self) -> None:
        """Make the folder of ``parsed_path``.

        Raises ``OutputError``, ``StateError`` or ``OSError``.
        """
        if not isinstance(self.job.output, Path):
            make_private(self.job.state_folder)
        self._partial.mkdir(mode=0o700, parents=True, exist_ok=True)

    def remove_partial(self) -> None:
        """Remove the files that a run was writing or had parsed, and their folder.

        A shard removes its own files, and keeps the parsed documents for the shard that writes
        them. Files on their way to or from a bucket that a killed process left are removed, too.
        """
        own_folder = self.job.shard.holder if self.job.shard else ""
        shutil.rmtree(self._partial / own_folder, ignore_errors=True)
        if isinstance(self.job.input, ObjectAddress) or isinstance(self.job.output, ObjectAddress):
            self.close()
            remove_leftovers()

    def close(self) -> None:
        """Remove the private folder of this process."""
        self._scratch.close()


def _is_within(inner: Path | ObjectAddress, outer: Path | ObjectAddress) -> bool:
    """Return True if ``place`` is ``other`` or lies in it, however either is spelled."""
    if isinstance(inner, ObjectAddress):
        return isinstance(outer, ObjectAddress) and inner.is_within(outer)
    if isinstance(outer, ObjectAddress):
        return False
    path, folder = inner.resolve(), outer.resolve()
    chain = (path, *path.parents)
    if folder in chain:
        return True
    existing = [candidate for candidate in chain if candidate.exists()]
    return folder.exists() and any(candidate.samefile(folder) for candidate in existing)
