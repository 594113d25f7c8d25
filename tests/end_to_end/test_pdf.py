"""A PDF through the whole job, read back with another library than the one that wrote it."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from tests.end_to_end.conftest import assert_kept, assert_spanish
from tests.end_to_end.job import Workplace

pytestmark = pytest.mark.slow

NAME = "litigation/expert-report.pdf"


def _pages(path: Path) -> list[str]:
    document = pypdfium2.PdfDocument(path)
    try:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    finally:
        document.close()


@pytest.fixture(scope="module")
def source(translated: Workplace) -> list[str]:
    return _pages(translated.input / NAME)


@pytest.fixture(scope="module")
def output(translated: Workplace) -> list[str]:
    return _pages(translated.output / NAME)


def test_the_pages_are_in_spanish(source: list[str], output: list[str]) -> None:
    assert len(output) == len(source) == 2
    # Together, for a page has a few sentences, and one may stay as it was: 1 or 2 in 100 do.
    assert_spanish(" ".join(output))


def test_names_and_numbers_are_on_their_page(source: list[str], output: list[str]) -> None:
    assert_kept(("Ellison", "MRN 4471-0926", "2026-CV-03318"), source[0], output[0])
    assert_kept(("Catherine Muller", "43299", "(614) 555-0179"), source[1], output[1])


def test_page_sizes_stay(translated: Workplace) -> None:
    def sizes(folder: Path) -> list[tuple[float, float]]:
        document = pypdfium2.PdfDocument(folder / NAME)
        try:
            return [page.get_size() for page in document]
        finally:
            document.close()

    assert sizes(translated.output) == sizes(translated.input)


def test_the_report_has_its_row(translated: Workplace) -> None:
    row = translated.rows_by_path()[NAME]
    assert row["outcome"] in ("translated", "partly-translated")
    assert row["format"] == "pdf"
    assert row["sentences"] > 30
