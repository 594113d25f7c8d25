"""Notices of a document in words, which the page shows instead of ``blocks-shrunk:2``.

Entry: ``say_notice``; for the notices of many documents ``say_notices``. Their full meaning, and
what to do about them, is in ``docs/notices.md``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from prism_core.record import Remark

COPIED: Final = "copied"
PICTURE: Final = "picture"
_WORDS: Final = {
    "annotation-text-untranslated": "stamps, buttons and lists that stay in the source language",
    "attachment": "an attachment could not be translated and is there as it was",
    "attachments-left-out": "attached files of a PDF that are not in the Word file",
    "blocks-overflowing": "paragraphs that run beyond their place",
    "blocks-shrunk": "paragraphs that were set in smaller letters",
    "blocks-unchanged": "paragraphs left in the source language for want of room or a font",
    "breaks-moved": "paragraphs or cells with other tabs or line breaks than before",
    "building-blocks-untranslated": "building blocks that stay in the source language",
    "cells-kept-for-formulas": "cells left in the source language, since formulas look for them",
    COPIED: "not translated, and copied as it is, in the source language",
    "charset-guessed": "the character set of a text is not declared, and was guessed",
    "code-kept": "code or data in a text, which stays as it is",
    "converted-by-libreoffice": "an old format, converted by LibreOffice: see if it looks right",
    "embedded-files-untranslated": "embedded files that stay in the source language",
    "encoding-changed": "the text file is now in UTF-8",
    "encryption-removed": "the PDF was encrypted, and its translation is not",
    "formatting-simplified": "changes of formatting that were given up",
    "formula-texts-untranslated": "texts of formulas that are worked out anew on opening",
    "hidden-texts-untranslated": "hidden texts that stay in the source language",
    "imported-chunks-untranslated": "imported files that stay in the source language",
    "letters-apart": "texts of a PDF read letter by letter, as they stand far apart: look at them",
    "lines-in-other-language": "lines in neither language, or in none, that stay; none was sent",
    "lines-in-target-language": "lines that are in the target language already",
    "links-left-out": "links of a PDF that are not in the Word file",
    "marks-left-out": "places that stayed or are unsure, and could not be marked",
    "message": "messages that could not be translated and are there as they were",
    "ocr-lines-unread": "lines of scanned paragraphs with an unsure word: they stay a picture",
    "ocr-pages": "pages that are pictures with a hidden layer of text",
    "only-pages-readable": "the PDF is damaged or locked: the translation has its pages alone",
    "outlook-item-as-message": "an appointment, task or contact, written as a message",
    "page-marks-left-out": "marks at the edges of pages that are not in the Word file",
    "page-unchanged": "pages left in the source language, since they could not be rebuilt:",
    "pages-read-by-ocr": "scanned pages that were read by text recognition",
    PICTURE: "a picture: text in it is not read",
    "pictures-left-out": "pictures of a PDF that are not in the Word file",
    "pivot-tables-untranslated": "pivot tables in the source language until they are refreshed",
    "properties-left-out": "bookmarks, layers and tips of a PDF that are not in the Word file",
    "renamed": "written under another name than the source has",
    "rich-text-as-plain": "a Rich Text message, written as plain text",
    "scan-pages": "pages that are pictures of text, and stay as they were",
    "sentences:added": "sentences to which the translator added something: look at them",
    "sentences:unsure": "some translated sentences should be looked at",
    "sheet-names-kept": "names of sheets that stay, since formulas use them",
    "signature-void": "the signature of the PDF is no longer valid",
    "signs-lost": "signs left out, since their font does not say what they are",
    "texts-overlapping": "pairs of texts of a PDF that stand over each other: look at them",
    "texts-too-long": "texts left in the source language, since the translation did not fit",
    "unreadable-pages": "pages that could not be read, and stay in the source language",
    "winmail-dat": "a winmail.dat, which may hold text and files, is there as it was",
    "words-unread": "words of a PDF that could not be read, and stay",
    "xfa-removed": "a second form of the PDF (XFA) was left out; the form itself stays",
}
NOTICES: Final = frozenset(_WORDS)
_NOT_COUNTED: Final = ("page-unchanged",)
"""Notices that have pages after the colon, not a number."""


def say_notice(notice: str) -> str:
    """Return ``notice`` in words, with its number before them, or its class or pages after."""
    name, counted = _split_notice(notice)
    words = _find_words(name)
    return f"{counted:,} {words}" if counted else words


def say_notices(notices_by_document: Iterable[Iterable[str]]) -> list[tuple[str, int]]:
    """Return each notice of many documents, with added numbers, and its number of documents."""
    documents, counts = Counter[str](), defaultdict[str, int](int)
    for notices in notices_by_document:
        parts = [_split_notice(notice) for notice in notices]
        documents.update({name for name, _ in parts})
        for name, counted in parts:
            counts[name] += counted
    return [
        (f"{counts[name]:,} {_find_words(name)}" if counts[name] else _find_words(name), count)
        for name, count in documents.most_common()
    ]


def _split_notice(notice: str) -> tuple[str, int]:
    """Return the name of a notice, with its class or pages, and its number or 0."""
    remark = Remark(notice)
    if remark.number is None or notice.startswith(_NOT_COUNTED):
        return notice, 0
    return remark.name, remark.number


def _find_words(name: str) -> str:
    """Return the words for ``name``; a name without words is shown as it is."""
    if name in _WORDS:
        return _WORDS[name]
    known, _, detail = name.partition(":")
    if known not in _WORDS:
        return name.replace("-", " ").replace(":", ": ")
    if known in _NOT_COUNTED:
        return f"{_WORDS[known]} {detail}"
    return _WORDS[known] + f" ({detail.replace('-', ' ')})" * (known != "encoding-changed")
