"""Where documents come from and go to, and what may never be read or overwritten."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from prism_core.errors import ConfigurationError, DocumentError, DocumentFailure, OutputError
from prism_core.job import Job

_PARTIAL = ".prism-partial"
_LINK = "A link is not followed; put the file itself into the input folder."
_SPECIAL = "It is no regular file; take it out of the input folder."
_FORBIDDEN = "It may not be read; check its permissions and run again."


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A path relative to the input folder; ``error`` is set for what is not to be opened."""

    path: str
    error: DocumentError | None = None


def check_folders(job: Job) -> None:
    """Raise ``ConfigurationError`` unless output can never become input, or overwrite it."""
    if not job.input.exists():
        raise ConfigurationError(f"input {job.input} does not exist")
    root, output = input_root(job).resolve(), job.output.resolve()
    if job.output.exists() and not job.output.is_dir():
        raise ConfigurationError(f"output {job.output} is not a folder")
    if _is_within(output, root) and job.input.is_dir():
        raise ConfigurationError(
            f"output {job.output} lies within input {job.input}; the translations would be "
            "translated next time. Name an output folder outside of it."
        )
    if _is_within(root, output):
        raise ConfigurationError(
            f"input {job.input} lies within output {job.output}; documents could be overwritten. "
            "Name an output folder of its own."
        )


def _is_within(path: Path, folder: Path) -> bool:
    """Whether ``path`` is ``folder`` or lies in it, however either is spelled."""
    chain = (path, *path.parents)
    if folder in chain:
        return True
    there = [candidate for candidate in chain if candidate.exists()]
    return folder.exists() and any(candidate.samefile(folder) for candidate in there)


def input_root(job: Job) -> Path:
    """The folder that the paths of documents are relative to."""
    return job.input if job.input.is_dir() else job.input.parent


def found_files(job: Job) -> Iterator[FoundFile]:
    """Every entry below the input that is not a folder, folder by folder, each sorted by name.

    Links are named but never followed, not even to folders: they may lead anywhere. A folder that
    may not be listed is named too, with its error.
    """
    root = input_root(job)
    if not job.input.is_dir():
        yield FoundFile(job.input.name)
        return
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            yield FoundFile(folder or ".", DocumentError(DocumentFailure.RESTRICTED, _FORBIDDEN))
            continue
        folders = []
        for entry in entries:
            path = os.path.join(folder, entry.name)  # noqa: PTH118 (relative, as bytes on disk)
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
            else:
                yield FoundFile(path, _refusal(entry))
        waiting.extend(reversed(folders))


def _refusal(entry: os.DirEntry[str]) -> DocumentError | None:
    if entry.is_symlink():
        return DocumentError(DocumentFailure.UNSUPPORTED, _LINK)
    if not entry.is_file(follow_symlinks=False):
        return DocumentError(DocumentFailure.UNSUPPORTED, _SPECIAL)
    return None


def output_path(job: Job, relative: str) -> Path:
    """Where the translation of a document goes; its folder is made.

    Raises ``OutputError`` when the folder cannot be made, or a link in the output folder leads
    out of it.
    """
    path = job.output / relative
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        inside = path.parent.resolve().is_relative_to(job.output.resolve())
    except OSError as error:
        raise _unwritable(error) from None
    if not inside:
        raise OutputError(
            "a link in the output folder leads out of it; remove it, or choose an empty folder"
        )
    return path


def partial_path(job: Job, document: str, final: Path) -> Path:
    """Where the output of ``document`` is made before it is moved to ``final``."""
    folder = job.output / _PARTIAL
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(error) from None
    return folder / (document + final.suffix)


def remove_partial(job: Job) -> None:
    """Remove what an interrupted run was writing, and the folder for it."""
    shutil.rmtree(job.output / _PARTIAL, ignore_errors=True)


def put_in_place(partial: Path, source: Path, final: Path) -> None:
    """Move a finished file to its place in one step, with the times and mode of its source.

    When this returns, the file is on disk under its name; if anything fails before, what was there
    stays. Raises ``OutputError``.
    """
    try:
        status = source.stat()
        with partial.open("rb+") as file:
            os.fchmod(file.fileno(), status.st_mode & 0o777)
            os.utime(file.fileno(), ns=(status.st_atime_ns, status.st_mtime_ns))
            os.fsync(file.fileno())
        partial.replace(final)
        descriptor = os.open(final.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _unwritable(error) from None


def _unwritable(error: OSError) -> OutputError:
    return OutputError(
        f"the output folder cannot be written: {error.strerror}. Make room or check its "
        "permissions, then run again; nothing is lost."
    )
