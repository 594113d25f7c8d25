"""DOC, XLS and PPT: converted by LibreOffice, then read and written as DOCX, XLSX and PPTX.

The output is the converted file with its text translated, so it looks as LibreOffice shows the
original. Macros are left out. A file with a password is refused before it is converted.

LibreOffice works on a copy, in a temporary folder that is removed when the conversion ends, with a
new profile that is used once. Macros do not run, links are not followed, and the kernel denies it
the network. The calling process sets the limits of memory and file size.

Entry: `LegacyFormat`; then `open_converted` -> `_convert` -> `_pack_reproducibly`.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final
from uuid import UUID, uuid5

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Formats
from prism_core.formats.detection import is_locked
from prism_core.formats.old_office.supervisor import NOT_ALONE, TIMED_OUT

CONVERTED: Final = "converted-by-libreoffice"
"""Notice of a document that changed its format and was converted by another program."""
SECONDS: Final = 120
"""Limit of processor time and of clock time where the calling process has no limit of its own."""
_PROGRAMS: Final = ("soffice", "libreoffice")
_MISSING: Final = (
    "Install LibreOffice (soffice), which converts it, or save it in a current Office format "
    "(DOCX, XLSX, PPTX), and run again."
)
_NOT_SAFE: Final = (
    "LibreOffice is only run where the kernel (Linux with seccomp) can keep the network from it; "
    "save it in a current Office format (DOCX, XLSX, PPTX) and run again."
)
_REFUSED: Final = "LibreOffice cannot open it; save it in a current Office format and run again."
_FILTERS: Final = {
    "docx": "docx:MS Word 2007 XML",
    "xlsx": "xlsx:Calc MS Excel 2007 XML",
    "pptx": "pptx:Impress MS PowerPoint 2007 XML",
}
_OPTIONS: Final = ("--headless", "--norestore", "--nodefault", "--nologo")
_ENVIRONMENT: Final = ("PATH", "LD_LIBRARY_PATH")
"""Variables that the program needs to start; none of them identifies the user."""
_SETTINGS: Final = {
    "Common/Security/Scripting": {
        "DisableMacrosExecution": "true",
        "MacroSecurityLevel": "3",
        "DisableActiveContent": "true",
        "BlockUntrustedRefererLinks": "true",
    },
    "Common/Misc": {"FirstRun": "false"},
    "Writer/Content/Update": {"Link": "0", "Field": "false", "Chart": "false"},
    "Calc/Content/Update": {"Link": "2"},
    "Calc/Formula/Load": {"OOXMLRecalcMode": "1", "ODFRecalcMode": "1"},
    "Common/Load": {"UserDefinedSettings": "false"},
}
"""Differences from a new profile: nothing runs, nothing is loaded from elsewhere."""
_FIELD_ID: Final = re.compile(rb"""(<a:fld id=")\{[0-9A-Fa-f-]{36}\}""")
_IDS: Final = UUID(int=0)


class LegacyFormat:
    """Format ``name``, one of the three, which is rebuilt as ``into``; see the module."""

    def __init__(self, name: str, into: str, formats: Formats) -> None:
        self.name = name
        self._into = into
        self._formats = formats

    def read(self, path: Path) -> Document:
        """Return the text of ``path`` as converted by LibreOffice. Raises ``DocumentError``."""
        with open_converted(path, self._into) as made:
            document = self._formats.get(self._into).read(made)
        notices = (*document.notices, CONVERTED)
        return replace(document, path=path, format=self.name, notices=notices)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write ``document`` as ``into``; see ``DocumentFormat``. Raises ``DocumentError``."""
        with open_converted(document.path, self._into) as made:
            modern = replace(document, path=made, format=self._into)
            return self._formats.get(self._into).write(modern, translations, path)


DOC: Final = partial(LegacyFormat, "doc", "docx")
PPT: Final = partial(LegacyFormat, "ppt", "pptx")
XLS: Final = partial(LegacyFormat, "xls", "xlsx")


@contextmanager
def open_converted(path: Path, to: str) -> Iterator[Path]:
    """Yield a copy of ``path`` converted to ``to`` (``docx``, ``xlsx``, ``pptx``).

    The copy lasts as long as the block. The same bytes give the same copy. Raises
    ``DocumentError``: encrypted, unsupported when LibreOffice is not installed, timed out, or
    corrupt when LibreOffice cannot convert the file.
    """
    if is_locked(path):
        raise DocumentError(DocumentFailure.ENCRYPTED)
    program = next(filter(None, map(shutil.which, _PROGRAMS)), None)
    if program is None:
        raise DocumentError(DocumentFailure.UNSUPPORTED, _MISSING)
    folder = Path(tempfile.mkdtemp(prefix="prism-office-"))
    try:
        shutil.copyfile(path, folder / "document")
        items = "".join(
            f'<item oor:path="/org.openoffice.Office.{place}">'
            f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
            for place, settings in _SETTINGS.items()
            for name, value in settings.items()
        )
        (folder / "profile" / "user").mkdir(parents=True)
        (folder / "profile" / "user" / "registrymodifications.xcu").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>'
            f'<oor:items xmlns:oor="http://openoffice.org/2001/registry">{items}</oor:items>'
        )
        _convert(program, folder, to)
        made = folder / f"document.{to}"
        if not made.is_file() or made.stat().st_size == 0:
            raise DocumentError(DocumentFailure.CORRUPT, _REFUSED)
        yield _pack_reproducibly(made)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _convert(program: str, folder: Path, to: str) -> None:
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    conversion = ("--convert-to", _FILTERS[to], "--outdir", str(folder), str(folder / "document"))
    office = [program, profile, *_OPTIONS, *conversion]
    cpu = signal.getitimer(signal.ITIMER_PROF)[0] or SECONDS  # time left to this process
    clock = signal.getitimer(signal.ITIMER_REAL)[0] or SECONDS
    kept = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    folders = [part or os.getcwd() for part in sys.path]  # noqa: PTH109 (a plain string)
    supervisor = [sys.executable, "-P", "-m", "prism_core.formats.old_office.supervisor"]
    process = subprocess.Popen(  # noqa: S603 (our own module, no shell)
        [*supervisor, str(math.ceil(cpu)), str(clock), str(folder), *office],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=kept
        | {
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": os.pathsep.join(folders),
            "SAL_USE_VCLPLUGIN": "svp",  # needs no display
        },
        start_new_session=True,
    )
    with process:
        status = process.wait()
    if status == NOT_ALONE:
        raise DocumentError(DocumentFailure.UNSUPPORTED, _NOT_SAFE)
    if status == TIMED_OUT:
        raise DocumentError(DocumentFailure.TIMED_OUT)
    if status != 0:
        raise DocumentError(DocumentFailure.CORRUPT, _REFUSED)


def _pack_reproducibly(made: Path) -> Path:
    """Repack the package with one date for all members and ids that no longer depend on chance."""
    plain = made.with_stem("plain")

    def fix(match: re.Match[bytes]) -> bytes:  # ids of fields from their part and their order
        return match[1] + b"{%s}" % str(uuid5(_IDS, f"{part} {next(numbers)}")).upper().encode()

    try:
        with zipfile.ZipFile(made) as package, zipfile.ZipFile(plain, "w") as copy:
            for member in package.infolist():
                part, numbers = member.filename, count()
                entry = zipfile.ZipInfo(part)
                entry.compress_type = zipfile.ZIP_DEFLATED
                content = package.read(member)
                content = _FIELD_ID.sub(fix, content) if part.endswith(".xml") else content
                copy.writestr(entry, content)
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise DocumentError(DocumentFailure.CORRUPT, _REFUSED) from None
    return plain
