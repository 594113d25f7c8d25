"""Documents of too many texts are refused before they fill the memory; long lines stay quick."""

import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import FormatOptions, Sandbox, SandboxLimits, read_input_document
from prism_core.formats.text import TextRun, fit_translation
from tests.formats.samples import SAMPLES

MANY = 150_000
LITTLE = SandboxLimits(seconds=20, memory_mb=160)
TEXT = "The witness of case {} comes on Monday."


def replaced(folder: Path, name: str, member: str, ending: bytes, texts: Iterable[str]) -> None:
    """Write the sample ``name`` with ``texts`` before the ``ending`` of a member."""
    sample = folder / "sample"
    SAMPLES[name](sample)
    with zipfile.ZipFile(sample) as source, zipfile.ZipFile(folder / name, "w") as target:
        for part in source.infolist():
            content = source.read(part)
            if part.filename == member:
                content = content.replace(ending, "".join(texts).encode() + ending, 1)
            target.writestr(part, content, zipfile.ZIP_DEFLATED, 1)


HUGE = {
    "docx": ("word/document.xml", b"</w:body>", "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"),
    "odt": ("content.xml", b"</office:text>", "<text:p>{}</text:p>"),
    "xlsx": ("xl/sharedStrings.xml", b"</sst>", "<si><t>{}</t></si>"),
}


@pytest.mark.parametrize("name", HUGE)
def test_too_many_texts_are_refused_before_they_fill_the_memory(tmp_path, name):
    member, ending, frame = HUGE[name]
    texts = (frame.format(TEXT.format(number)) for number in range(MANY))
    replaced(tmp_path, name, member, ending, texts)
    options = FormatOptions(source="en", target="es", most_sentences=100_000)
    with pytest.raises(DocumentError) as raised:
        Sandbox(LITTLE).call(read_input_document, tmp_path, name, options)
    assert raised.value.failure is DocumentFailure.TOO_LARGE


@pytest.mark.parametrize("linked", [False, True])
def test_the_time_for_a_paragraph_of_many_runs_grows_with_their_number(linked):
    def seconds(number: int) -> float:
        line = [TextRun(f"w{i}x ", str(i % 2), i * linked) for i in range(number)]
        text = "".join(run.text for run in line).strip()
        start = time.process_time()
        fit_translation(line, Translation(text.swapcase()), movable=True)
        return time.process_time() - start

    assert seconds(160_000) < 7 * seconds(40_000)
