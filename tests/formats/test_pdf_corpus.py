"""Real PDFs of many makers: rebuilt without a word of the source, or classed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import format_for
from tests.formats.aligned import wrap
from tests.formats.pdf_samples import read_back, words
from tests.shared_data import shared

REBUILT = [
    "pdf.js__issue7403",
    "pdf.js__paragraph_and_link",
    "pdfplumber__2023-06-20-PV",
    "pdfplumber__cupertino_usd_4-6-16",
    "pdfplumber__issue-192-example",
    "pdfplumber__san-jose-pd-firearm-sample",
    "sample-files__crazyones-pdfa",
    "sample-files__libreoffice-form",
    "tika__testPDF_rotated",
    "tika__testOptionalHyphen",
]
CLASSED = {
    "pdf.js__xfa_issue14315": DocumentFailure.UNSUPPORTED,
    "pdf.js__issue15590": DocumentFailure.CORRUPT,
    "pdfplumber__pr-138-example": DocumentFailure.RESTRICTED,
    "pikepdf__congress-gray": DocumentFailure.SCAN,
    "sample-files__libreoffice-writer-password": DocumentFailure.ENCRYPTED,
    "tika__testPDF_jsActionOnPage": DocumentFailure.EMPTY,
}


def corpus(name: str) -> Path:
    return shared(f"documents/pdf/{name}.pdf")


@pytest.mark.parametrize("name", REBUILT)
def test_no_source_word_survives_on_a_rebuilt_page(name: str, tmp_path: Path) -> None:
    document = format_for("pdf").read(corpus(name))
    source = [segment.text for segment in document.segments]
    # as long as the source: what has no room stays, which another test is about
    translations = [re.sub(r"[^\W\d_]+", lambda match: match[0][::-1], text) for text in source]
    notices = format_for("pdf").write(document, wrap(translations), tmp_path / "out.pdf")
    assert not [notice for notice in notices if "unchanged" in notice]
    shown = set(words(" ".join(read_back(tmp_path / "out.pdf"))))
    old = {word for word in words(" ".join(source)) if word.isalpha() and len(word) > 2}
    assert not old & shown - set(words(" ".join(translations)))


@pytest.mark.parametrize("name", CLASSED)
def test_what_cannot_be_handled_has_its_class(name: str) -> None:
    with pytest.raises(DocumentError) as caught:
        format_for("pdf").read(corpus(name))
    assert caught.value.failure is CLASSED[name]
