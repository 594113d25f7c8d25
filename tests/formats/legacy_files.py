"""Files of the Office of the 1990s, made by LibreOffice from what the other makers make."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import olefile

from prism_core.processes import forbid_network
from tests.formats import samples

MODERN = {"doc": "docx", "xls": "xlsx", "ppt": "pptx"}
_FILTERS = {"doc": "doc:MS Word 97", "xls": "xls:MS Excel 97", "ppt": "ppt:MS PowerPoint 97"}


def as_legacy(source: Path, kind: str) -> Path:
    """``source`` as ``kind``, beside it."""
    office = shutil.which("soffice")
    assert office, "this test needs LibreOffice (soffice): apt-get install libreoffice-core"
    profile = source.parent / "profile-of-the-maker"
    options = [f"-env:UserInstallation={profile.as_uri()}", "--headless"]
    subprocess.run(
        [office, *options, "--convert-to", _FILTERS[kind], "--outdir", source.parent, source],
        check=True,
        capture_output=True,
        env=os.environ | {"HOME": str(profile), "XDG_CACHE_HOME": str(profile)},
        preexec_fn=forbid_network,  # it would look for what documents link to
    )
    shutil.rmtree(profile)
    made = source.with_suffix(f".{kind}")
    assert made.is_file()
    return made


def sample(folder: Path, kind: str) -> Path:
    """The sample of the modern format as ``kind``."""
    source = folder / f"sample.{MODERN[kind]}"
    samples.SAMPLES[MODERN[kind]](source)
    return as_legacy(source, kind)


def lock_word(path: Path) -> None:
    """Set the mark by which Word says that a password is needed."""
    with olefile.OleFileIO(path, write_mode=True) as compound:
        with compound.openstream("WordDocument") as stream:
            content = bytearray(stream.read())
        content[11] |= 0x01
        compound.write_stream("WordDocument", bytes(content))
