"""A folder of the file system as a storage location.

Entry: ``FolderLocation``; ``list`` walks it, ``open`` holds one document; ``put`` calls
``output_path``, then ``put_in_place`` (times, mode, access list; then one rename).
"""

from __future__ import annotations

import errno
import os
import tempfile
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from prism_core.errors import DocumentError, DocumentFailure, OutputError
from prism_core.file_names import LONGEST
from prism_core.files import CHANGED, open_regular
from prism_core.storage.base import FoundFile, OpenDocument, StorageLocation, content_hash

if TYPE_CHECKING:  # settings know addresses, and load no cryptography for them
    from prism_core.cipher import Cipher

_LINK = "A link is not followed; put the file itself into the input folder."
_SPECIAL = "It is no regular file; take it out of the input folder."
_NO_SUCH_NAME = "The output folder cannot hold its name or path; shorten or rename it."
_NAME_ERRORS = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ})
_NO_HARD_LINKS = frozenset(
    {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES}
)
_ACCESS_LIST = "system.posix_acl_access"
_FORBIDDEN = "It may not be read; check its permissions and run again."


class FolderLocation:
    """Storage location in a folder; ``path`` is the folder, or one document in its folder.

    Documents that are stored here are first built in the subfolder ``partial``.
    """

    at_once = 1

    def __init__(self, path: Path, partial: str, *, receives: bool) -> None:
        self.path = path
        self._partial = partial
        self._receives = receives

    @property
    def is_archive(self) -> bool:
        """True for a folder of documents, False for a single document."""
        return self._receives or self.path.is_dir()

    @property
    def exists(self) -> bool:
        """True if the path exists."""
        return self.path.exists()

    @property
    def root(self) -> Path:
        """Folder that names are relative to."""
        return self.path if self.is_archive else self.path.parent

    @cached_property
    def longest(self) -> int:
        """Most bytes that the file system allows for a name, 255 where it does not say."""
        with suppress(OSError, ValueError):
            return min(os.pathconf(self.path, "PC_NAME_MAX"), LONGEST)
        return LONGEST

    @cached_property
    def folds(self) -> bool:
        """True if several spellings are one name, by a temporary file. Raises ``OutputError``."""
        name = unicodedata.normalize("NFC", "prism-é-")
        try:
            folder = self.make_partial()
            with tempfile.NamedTemporaryFile(prefix=name, dir=folder) as probe:
                path = Path(probe.name)
                other = unicodedata.normalize("NFD", name)
                names = (path.name.swapcase(), path.name.replace(name, other))
                return any((folder / spelling).exists() for spelling in names)
        except OSError as error:
            raise unwritable(error) from None

    def list(self) -> Iterator[FoundFile]:
        """List every entry that is not a folder, folder by folder, each sorted by name.

        Links are listed but never followed, not even to folders: they may lead anywhere. A folder
        that cannot be listed is reported too, with its error.
        """
        if not self.is_archive:
            yield FoundFile(self.path.name)
            return
        waiting = [""]
        while waiting:
            folder = waiting.pop()
            try:
                with os.scandir(self.root / folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                gone = isinstance(error, FileNotFoundError | NotADirectoryError)
                refusal = (
                    DocumentError(DocumentFailure.UNREBUILDABLE, CHANGED)
                    if gone
                    else DocumentError(DocumentFailure.RESTRICTED, _FORBIDDEN)
                )
                yield FoundFile(folder or ".", refusal, is_folder=True)
                continue
            folders = []
            for entry in entries:
                path = os.path.join(folder, entry.name)  # noqa: PTH118 (relative, as bytes on disk)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                else:
                    advice = _LINK if entry.is_symlink() else _SPECIAL
                    is_file = entry.is_file(follow_symlinks=False)
                    unsupported = DocumentError(DocumentFailure.UNSUPPORTED, advice)
                    yield FoundFile(path, None if is_file else unsupported)
            waiting.extend(reversed(folders))

    @contextmanager
    def open(self, name: str) -> Iterator[OpenDocument]:
        """Open the file itself; see ``open_regular``."""
        with open_regular(self.root, name) as descriptor:
            yield OpenDocument(descriptor, self.root, name)

    def reopen(
        self,
        name: str,
        opened: OpenDocument,  # noqa: ARG002 (another file may have the path by now)
    ) -> AbstractContextManager[OpenDocument]:
        """Open the file that has this path now."""
        return self.open(name)

    def is_as_opened(
        self,
        name: str,
        opened: OpenDocument,  # noqa: ARG002 (what it holds now says more)
        content: str,
        cipher: Cipher,
    ) -> bool:
        """Read the file again and compare its keyed hash."""
        return self.is_one_of(name, {content}, cipher)

    def is_gone(self, name: str) -> bool:
        """Return True if the path does not exist; False on any other error."""
        try:
            (self.root / name).lstat()
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False
        return False

    def has_folder(self, name: str) -> bool:
        """Return True if ``name`` is a folder."""
        return (self.root / name).is_dir()

    def holds(self, name: str) -> bool:
        """Return True if anything has this path, a broken link included."""
        return os.path.lexists(self.root / name)

    def holds_document(self, name: str) -> bool:
        """Return True if ``name`` is a file."""
        return (self.root / name).is_file()

    def is_one_of(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Return True if ``name`` is a regular file with one of the keyed hashes ``contents``."""
        return is_file_with(self.root / name, contents, cipher)

    def is_same(self, name: str, other: str) -> bool:
        """Return True if the file system knows one file by both names."""
        with suppress(OSError):
            return (self.root / name).samefile(self.root / other)
        return False

    def put(
        self,
        made: Path,
        name: str,
        source: OpenDocument,
        archive: StorageLocation,
        ours: AbstractSet[str],
        cipher: Cipher,
    ) -> None:
        """Move ``made`` to ``name`` with the times and permissions of its source."""
        final = self.output_path(name, archive)
        put_in_place(made, source.descriptor, final, replace=is_file_with(final, ours, cipher))

    def remove(self, name: str, contents: AbstractSet[str], cipher: Cipher) -> bool:
        """Remove the file if its keyed hash is in ``contents``; return False if it stays."""
        if not self.is_one_of(name, contents, cipher):
            return False
        try:
            (self.root / name).unlink()
        except OSError:
            return False
        return True

    def remove_empty_folders(self, name: str) -> None:
        """Remove the folders above ``name`` that have become empty."""
        with suppress(OSError):  # the first that is not empty
            for folder in (self.root / name).parents:
                if folder == self.root:
                    break
                folder.rmdir()

    def folder_status(self, name: str) -> os.stat_result | None:
        """Return the status of the folder ``name``, or None if it cannot be read."""
        with suppress(OSError):
            return (self.root / name).stat()
        return None

    def output_path(self, name: str, archive: StorageLocation) -> Path:
        """Return the path to write ``name`` to, and make its folder with its mode in ``archive``.

        Raises ``OutputError`` when the folder cannot be made, or a link in it leads out of it;
        ``DocumentError`` when the file system has no such names.
        """
        path = self.root / name
        try:
            self._make_folders(Path(name).parent, archive)
            inside = path.parent.resolve().is_relative_to(self.root.resolve())
        except OSError as error:
            raise unwritable(error) from None
        if not inside:
            raise OutputError(
                "a link in the output folder leads out of it; remove it, or choose an empty folder"
            )
        return path

    def _make_folders(self, relative: Path, archive: StorageLocation) -> None:
        """Make the folder ``relative`` and those above it; existing ones stay as they are.

        A new folder is readable for the readers of its source, and writable for its owner.
        """
        self.root.mkdir(parents=True, exist_ok=True)
        for folder in reversed([relative, *relative.parents][:-1]):
            try:
                (self.root / folder).mkdir(mode=0o700)
            except FileExistsError:
                if not (self.root / folder).is_dir():
                    raise
                continue
            status = archive.folder_status(str(folder))  # the source may have another name
            if status is not None:
                with suppress(OSError):
                    (self.root / folder).chmod((status.st_mode & 0o777) | 0o700)

    def make_partial(self) -> Path:
        """Make the folder where documents are built first. Raises ``OutputError``."""
        folder = self.root / self._partial
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise unwritable(error) from None
        return folder


def put_in_place(partial: Path, source: int, final: Path, *, replace: bool) -> None:
    """Rename a finished file to its final path, with the times and permissions of its source.

    ``source`` is a descriptor of the source, which may have been removed meanwhile. When this
    returns, the file is on disk under its name; if anything fails before, an existing file stays.
    With ``replace``, an existing file is replaced; otherwise the function raises
    ``FileExistsError``. Raises ``OutputError``, or ``DocumentError`` for a name that the file
    system cannot hold.
    """
    try:
        with partial.open("rb+") as file:
            _copy_status(source, file.fileno())
            os.fsync(file.fileno())
        if replace:
            partial.replace(final)
        else:
            _move_if_absent(partial, final)
        descriptor = os.open(final.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except FileExistsError:
        raise
    except OSError as error:
        raise unwritable(error) from None


def _move_if_absent(partial: Path, final: Path) -> None:
    """Give ``partial`` the name ``final`` unless anything has it; the kernel decides."""
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
    """Copy the times, the mode and the access list of ``source``, and nothing else.

    Where the list cannot be kept, the group gets no permission: its bits in the mode are those of
    the list's mask, and may grant more than the group itself had.
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
    """Return True if ``path`` is a regular file with one of the keyed hashes ``contents``."""
    try:
        with open_regular(path.parent, path.name) as file:
            return content_hash(file, cipher) in contents
    except (DocumentError, OSError):
        return False


def unwritable(error: OSError) -> OutputError | DocumentError:
    """Map a failure to write to an error of the run, or of the document if its name is at fault."""
    if error.errno in _NAME_ERRORS:
        return DocumentError(DocumentFailure.UNREBUILDABLE, _NO_SUCH_NAME)
    return OutputError(
        f"the output folder cannot be written: {error.strerror}. Make room or check its "
        "permissions, then run again; nothing is lost."
    )
