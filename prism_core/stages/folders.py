"""Where documents come from and go to, and what may never be read or overwritten.

Entry: ``Folders(job)``; ``check`` and ``found_files`` for the input; for a document
``partial_path`` -> ``output_path`` -> ``put_in_place`` (times, mode, access list; then one rename).
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from prism_core.cipher import Cipher
from prism_core.errors import ConfigurationError, DocumentError, DocumentFailure, OutputError
from prism_core.files import CHANGED, open_regular
from prism_core.settings import Job
from prism_core.state import StatePlace

PARTIAL = ".prism-partial"
"""The folder, in the output folder, of what is being written."""
_LINK = "A link is not followed; put the file itself into the input folder."
_SPECIAL = "It is no regular file; take it out of the input folder."
_NO_SUCH_NAME = "The output folder cannot hold its name or path; shorten or rename it."
_NAME_ERRORS = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ})
_NO_HARD_LINKS = frozenset(
    {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}
)
_ACCESS_LIST = "system.posix_acl_access"
_LONGEST_SUFFIX = 20
_BLOCK = 1 << 20
_FORBIDDEN = "It may not be read; check its permissions and run again."


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A path relative to the input folder; ``error`` is set for what is not to be opened."""

    path: str
    error: DocumentError | None = None


@dataclass(frozen=True, slots=True)
class Folders:
    """Input and output folder of ``job``; paths of documents are relative to either."""

    job: Job

    def check(self) -> None:
        """Raise ``ConfigurationError`` unless output can never become input, or overwrite it.

        Nor may its state be kept elsewhere than the settings say.
        """
        if not self.job.input.exists():
            raise ConfigurationError(f"input {self.job.input} does not exist")
        root, output = self.root.resolve(), self.job.output.resolve()
        if self.job.output.exists() and not self.job.output.is_dir():
            raise ConfigurationError(f"output {self.job.output} is not a folder")
        if _is_within(output, root) and self.job.input.is_dir():
            raise ConfigurationError(
                f"output {self.job.output} lies within input {self.job.input}; the translations "
                "would be translated next time. Name an output folder outside of it."
            )
        if _is_within(root, output):
            raise ConfigurationError(
                f"input {self.job.input} lies within output {self.job.output}; documents could be "
                "overwritten. Name an output folder of its own."
            )
        StatePlace.of(self.job).check_not_elsewhere()

    @property
    def root(self) -> Path:
        """The folder that the paths of documents are relative to."""
        return self.job.input if self.job.input.is_dir() else self.job.input.parent

    def found_files(self) -> Iterator[FoundFile]:
        """Every entry below the input that is not a folder, folder by folder, each sorted by name.

        Links are named but never followed, not even to folders: they may lead anywhere. A folder
        that may not be listed is named too, with its error.
        """
        root = self.root
        if not self.job.input.is_dir():
            yield FoundFile(self.job.input.name)
            return
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(root / folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                gone = isinstance(error, FileNotFoundError | NotADirectoryError)
                refusal = (
                    DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)
                    if gone
                    else DocumentError(DocumentFailure.RESTRICTED, _FORBIDDEN)
                )
                yield FoundFile(folder or ".", refusal)
                continue
            folders = []
            for entry in entries:
                path = os.path.join(folder, entry.name)  # noqa: PTH118 (relative, as bytes on disk)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                elif self._is_document(path):
                    advice = _LINK if entry.is_symlink() else _SPECIAL
                    is_file = entry.is_file(follow_symlinks=False)
                    unsupported = DocumentError(DocumentFailure.UNSUPPORTED, advice)
                    yield FoundFile(path, None if is_file else unsupported)
            waiting.extend(reversed(folders))

    def _is_document(self, path: str) -> bool:
        """Whether the settings say that the file at ``path`` is one."""
        asked = self.job.settings.documents
        name, folded = os.path.basename(path).casefold(), path.casefold()  # noqa: PTH119 (as above)

        def fits(patterns: Iterable[str]) -> bool:
            return any(
                fnmatchcase(folded if "/" in pattern else name, pattern.casefold())
                for pattern in patterns
            )

        return fits(asked.include) and not fits(asked.exclude)

    def output_path(self, relative: str) -> Path:
        """Where the translation of a document goes; its folder is made, with its source's mode.

        Raises ``OutputError`` when the folder cannot be made, or a link in the output folder leads
        out of it; ``DocumentError`` when the file system of the output has no such names.
        """
        path = self.job.output / relative
        try:
            self._make_folders(Path(relative).parent)
            inside = path.parent.resolve().is_relative_to(self.job.output.resolve())
        except OSError as error:
            raise unwritable(error) from None
        if not inside:
            raise OutputError(
                "a link in the output folder leads out of it; remove it, or choose an empty folder"
            )
        return path

    def _make_folders(self, relative: Path) -> None:
        """The folder ``relative`` in the output and those above it; what is there stays as it is.

        A new one may be read by whoever may read its source; its owner may write to it.
        """
        self.job.output.mkdir(parents=True, exist_ok=True)
        for folder in reversed([relative, *relative.parents][:-1]):
            try:
                (self.job.output / folder).mkdir(mode=0o700)
            except FileExistsError:
                if not (self.job.output / folder).is_dir():
                    raise
                continue
            with suppress(OSError):  # the source has another name, or is gone
                mode = (self.root / folder).stat().st_mode
                (self.job.output / folder).chmod((mode & 0o777) | 0o700)

    def set_times(self, outputs: Iterable[str]) -> None:
        """Give the folders of ``outputs``, and those above them, the times of their sources.

        For the end of a run: each file that is put into a folder changes them. What cannot be
        changed stays.
        """
        folders = {parent for output in outputs for parent in Path(output).parents}
        for folder in folders - {Path()}:
            with suppress(OSError):
                status = (self.root / folder).stat()
                if (self.job.output / folder).is_dir() and not (
                    self.job.output / folder
                ).is_symlink():
                    os.utime(self.job.output / folder, ns=(status.st_atime_ns, status.st_mtime_ns))

    def make_partial(self) -> Path:
        """The folder, within the output folder, where documents are made before they are moved.

        Each holder of a shard has its own: one that lost it may still be writing.
        """
        folder = self.job.output / PARTIAL
        if self.job.shard is not None:
            folder /= self.job.shard.holder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(error) from None
        return folder

    def partial_path(self, document: str, final: Path) -> Path:
        """Where the output of ``document`` is made before it is moved to ``final``."""
        suffix = final.suffix if len(final.suffix) <= _LONGEST_SUFFIX else ""
        return self.make_partial() / (document + suffix)

    def parsed_path(self, document: str) -> Path:
        """Where ``document`` waits for its writer as its format parsed it, sealed."""
        return self.job.output / PARTIAL / f"parsed-{document}"

    def remove_partial(self) -> None:
        """Remove what a run was writing, or had read for it, and the folder for it; a shard removes
        what is its own, and keeps what it read for whoever writes."""
        own = self.job.shard.holder if self.job.shard else ""
        shutil.rmtree(self.job.output / PARTIAL / own, ignore_errors=True)


def _is_within(path: Path, folder: Path) -> bool:
    """Whether ``path`` is ``folder`` or lies in it, however either is spelled."""
    chain = (path, *path.parents)
    if folder in chain:
        return True
    there = [candidate for candidate in chain if candidate.exists()]
    return folder.exists() and any(candidate.samefile(folder) for candidate in there)


def put_in_place(partial: Path, source: int, final: Path, *, replace: bool) -> None:
    """Move a finished file to its place in one step, with the times and permissions of its source.

    ``source`` is a descriptor of that, which may have been removed meanwhile. When this returns,
    the file is on disk under its name; if anything fails before, what was there stays. ``replace``:
    what is there may go; otherwise raises ``FileExistsError`` when anything is. Raises
    ``OutputError``, or ``DocumentError`` for a name that cannot be.
    """
    try:
        with partial.open("rb+") as file:
            _copy_status(source, file.fileno())
            os.fsync(file.fileno())
        if replace:
            partial.replace(final)
        else:
            _move_to_free_place(partial, final)
        descriptor = os.open(final.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except FileExistsError:
        raise
    except OSError as error:
        raise unwritable(error) from None


def _move_to_free_place(partial: Path, final: Path) -> None:
    """Give ``partial`` the name ``final`` unless anything has it: the kernel decides."""
    try:
        os.link(partial, final, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if os.path.lexists(final):
            raise FileExistsError from None
        partial.replace(final)
    else:
        partial.unlink()


def _copy_status(source: int, output: int) -> None:
    """The times, the mode and the access list of ``source``, but nothing else about it.

    Where the list cannot be kept, the group gets nothing: its bits in the mode are those of the
    list's mask, and may be more than the group itself had.
    """
    status = os.fstat(source)
    mode, entries = status.st_mode & 0o777, None
    with suppress(OSError, AttributeError):  # none there, or none on this system
        entries = os.getxattr(source, _ACCESS_LIST)
    if entries is not None:
        try:
            os.setxattr(output, _ACCESS_LIST, entries)
        except OSError:
            mode &= ~0o070
    os.fchmod(output, mode)
    os.utime(output, ns=(status.st_atime_ns, status.st_mtime_ns))


def is_file_with(path: Path, contents: AbstractSet[str], cipher: Cipher) -> bool:
    """Whether ``path`` is a regular file whose keyed hash is one of ``contents``."""
    try:
        with open_regular(path.parent, path.name) as file:
            return content_hash(file, cipher) in contents
    except (DocumentError, OSError):
        return False


def content_hash(file: int, cipher: Cipher) -> str:
    """The keyed hash of what the open ``file`` holds now; raises ``OSError``."""
    running = cipher.keyed_hash("content")
    place, size = 0, os.fstat(file).st_size
    while place < size and (block := os.pread(file, min(_BLOCK, size - place), place)):
        running.update(block)
        place += len(block)
    return running.hexdigest()


def unwritable(error: OSError) -> OutputError | DocumentError:
    """What a failure to write ends: the run, or the document whose name is at fault."""
    if error.errno in _NAME_ERRORS:
        return DocumentError(DocumentFailure.UNREBUILDABLE, _NO_SUCH_NAME)
    return OutputError(
        f"the output folder cannot be written: {error.strerror}. Make room or check its "
        "permissions, then run again; nothing is lost."
    )
