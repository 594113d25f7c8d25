"""Adapter to the program ``tesseract``, which reads the words of a picture.

The user installs it (Apache-2.0). It gets the picture and returns the words through pipes; no file
is written. It has the limits of the process that starts it, a limit of its own for each picture,
and dies with that process. Reference:
https://tesseract-ocr.github.io/tessdoc/Command-Line-Usage.html.

Entry: `check_tesseract` before a run; `read_words` and `quarter_turns` for a picture.
"""

from __future__ import annotations

import csv
import io
import os
import resource
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from prism_core.errors import ConfigurationError
from prism_core.processes import die_with_parent, libc

if TYPE_CHECKING:
    import numpy as np


_PROGRAM = "tesseract"
_SECONDS = 60
"""Limit of processor time for one picture; a page of print takes two to five seconds."""
_CLOCK_SECONDS = 180.0
_KEPT = ("PATH", "TESSDATA_PREFIX", "LD_LIBRARY_PATH")
_COLUMNS = 12
_WORD_LEVEL = "5"
_LEGACY_ORIENTATION = "osd"
_PAIRS: Final = """
af:afr am:amh ar:ara as:asm az:aze be:bel bg:bul bn:ben bo:bod br:bre bs:bos ca:cat co:cos cs:ces
cy:cym da:dan de:deu dv:div dz:dzo el:ell en:eng eo:epo es:spa et:est eu:eus fa:fas fi:fin fo:fao
fr:fra fy:fry ga:gle gd:gla gl:glg gu:guj he:heb hi:hin hr:hrv ht:hat hu:hun hy:hye id:ind is:isl
it:ita iu:iku ja:jpn jv:jav ka:kat kk:kaz km:khm kn:kan ko:kor ku:kmr ky:kir la:lat lb:ltz lo:lao
lt:lit lv:lav mi:mri mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya nb:nor ne:nep nl:nld no:nor
oc:oci or:ori pa:pan pl:pol ps:pus pt:por qu:que ro:ron ru:rus sa:san sd:snd si:sin sk:slk sl:slv
sq:sqi sr:srp su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha ti:tir tl:fil to:ton tr:tur tt:tat
ug:uig uk:ukr ur:urd uz:uzb vi:vie yi:yid yo:yor zh:chi_sim
"""
TESSERACT_CODES: Final[Mapping[str, str]] = dict(pair.split(":") for pair in _PAIRS.split())
"""Tesseract's code for each ISO 639-1 code for which it has data.

Most codes are of ISO 639-2 or 639-3, some are its own (``chi_sim``). Kurdish data is Kurmanji,
Serbian data Cyrillic, Chinese data simplified. Reference: its page "Languages/Scripts supported".
"""


@dataclass(frozen=True, slots=True)
class OcrWord:
    """Word: ``confidence`` in [0, 100], its box in pixels, and the numbers of block and line."""

    text: str
    confidence: float
    left: int
    top: int
    right: int
    bottom: int
    block: int
    line: tuple[int, int]


def check_tesseract(language: str) -> None:
    """Raise ``ConfigurationError`` unless scans in ``language`` (ISO 639) can be read."""
    if shutil.which(_PROGRAM) is None:
        raise ConfigurationError(
            "OCR is on (documents.ocr, --ocr), but the program tesseract is not installed. "
            f"Install it with: apt-get install {_package(language)}"
        )
    code = tesseract_code(language)
    if code not in (_run_tesseract(["--list-langs"]) or "").splitlines()[1:]:
        raise ConfigurationError(
            f"OCR is on (documents.ocr, --ocr), but tesseract has no data for {language!r} "
            f"({code}). See what is installed with: tesseract --list-langs. "
            f"Install it with: apt-get install {_package(language)}"
        )


def tesseract_code(language: str) -> str:
    """Return tesseract's code of a language; a code of three letters is most often the same."""
    return TESSERACT_CODES.get(language, language)


def read_words(picture: np.ndarray, language: str) -> list[OcrWord]:
    """Return the words of a grey ``picture`` (height, width; uint8), none if tesseract fails."""
    options = ["-l", tesseract_code(language), "--psm", "3", "-c", "tessedit_create_tsv=1"]
    answer = _run_tesseract(["stdin", "stdout", *options, "-c", "debug_file=/dev/null"], picture)
    rows = csv.reader(io.StringIO(answer or ""), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = []
    for row in rows:
        if len(row) == _COLUMNS and row[0] == _WORD_LEVEL and row[-1].strip():
            _, _, block, paragraph, line, _, left, top, width, height = map(int, row[:10])
            box = left, top, left + width, top + height
            words.append(OcrWord(row[11].strip(), float(row[10]), *box, block, (paragraph, line)))
    return words


def quarter_turns(picture: np.ndarray) -> int | None:
    """Return the clockwise quarter turns that make the writing upright; None if unclear."""
    options = ["-l", _LEGACY_ORIENTATION, "--psm", "0", "-c", "debug_file=/dev/null"]
    answer = _run_tesseract(["stdin", "stdout", *options], picture) or ""
    for line in answer.splitlines():
        name, _, value = line.partition(":")
        if name == "Rotate" and value.strip().isdigit():
            return int(value) // 90 % 4
    return None


def _package(language: str) -> str:
    name = tesseract_code(language).replace("_", "-")
    return "tesseract-ocr" if name == "eng" else f"tesseract-ocr tesseract-ocr-{name}"


def _run_tesseract(arguments: Sequence[str], picture: np.ndarray | None = None) -> str | None:
    """Return the output of tesseract; None when it cannot be run or ends with an error."""
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    parent = os.getpid()
    libc()  # loaded before the fork, after which only system calls are allowed

    def bind() -> None:
        die_with_parent(parent)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))

    try:
        done = subprocess.run(  # noqa: S603 (no shell; the arguments are ours)
            [_PROGRAM, *arguments],
            # binary PGM: nothing to compress, and nothing to decode that could go wrong
            input=None
            if picture is None
            else b"P5\n%d %d\n255\n" % picture.shape[::-1] + picture.tobytes(),
            stdin=subprocess.DEVNULL if picture is None else None,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # its messages may quote the document
            env=environment | {"OMP_THREAD_LIMIT": "1", "LC_ALL": "C"},
            preexec_fn=bind,
            timeout=_CLOCK_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")
