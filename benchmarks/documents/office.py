"""Office files: a walk over their XML; Rich Text and the files of the 1990s through LibreOffice.

entry: `conversions` says what LibreOffice is to convert, then `check` compares.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from lxml import etree

from benchmarks.documents.findings import Finding
from benchmarks.documents.job import Translated
from benchmarks.documents.poppler import read_pages
from benchmarks.documents.seen import Seen, compare, refused
from benchmarks.documents.words import WORD
from benchmarks.packages import paragraphs_of, roots, walk

Conversions = Mapping[tuple[Path, str], Path | None]
"""What LibreOffice made of a file, by its path and what it was to become."""
_FORMS: Final = {"rtf": "docx", "doc": "docx", "xls": "xlsx", "ppt": "pptx"}
FORMATS: Final = ("docx", "xlsx", "pptx", "odt", *_FORMS)
SUFFIXES: Final = ("docx", "docm", "dotx", "xlsx", "xlsm", "pptx", "odt", "ott", "ods", "odp")
_RICH: Final = re.compile(rb"\\(footnote|field|pict|row|header|footer|annotation)\b")
_ENGLISH: Final = re.compile(rb"\\deflang(?:1033|2057)\b")
_MODELS: Final = re.compile(r"/(?:slideLayout|\w+Master)s/|stylesWithEffects|/glossary/")
"""Parts that no page shows."""
_MARKS: Final = ("{*}lang", "{*}text-properties")


def conversions(row: Translated, pages: bool) -> Iterator[tuple[Path, str]]:
    """What is to be converted for ``row``."""
    name = _format(row)
    if row.written is None or pages:
        yield row.source, "pdf"
    if row.written is not None:
        if pages:
            yield row.written, "pdf"
        for path in (row.source, row.written):
            if (kind := path.suffix.lower()[1:]) in _FORMS and name in _FORMS:
                yield path, _FORMS[kind]


def check(row: Translated, made: Conversions) -> Iterator[Finding]:
    """All that is found of one office file."""
    if row.written is None:
        pdf = made.get((row.source, "pdf"))
        words = [word.text for page in read_pages(pdf) for word in page.legible] if pdf else []
        yield from refused(row, Seen((" ".join(words),)), _in_package(row.source))
        return
    before, after = (_read(path, made) for path in (row.source, row.written))
    if before and after:
        yield from compare(row, before, after)
    yield from _pages(row, made)


def _format(row: Translated) -> str:
    return row.format or row.source.suffix.lower()[1:]


def _read(path: Path, made: Conversions) -> Seen | None:
    form = _FORMS.get(path.suffix.lower()[1:])
    zipped = made.get((path, form)) if form else path
    if zipped is None or not zipfile.is_zipfile(zipped):
        return None
    walked = walk(zipped)
    texts = tuple(
        " ".join(words)
        for member, root in roots(zipped)
        if not _MODELS.search(member)
        for words in paragraphs_of(root)
    )
    looks = tuple(map(frozenset, walked.looks))
    counted, named = walked.anchors, tuple(_named(zipped))
    if path.suffix.lower() == ".rtf":
        content = path.read_bytes()
        counted = Counter(word.decode() for word in _RICH.findall(content))
        named = tuple((code, text) for code, text in named if text)  # LibreOffice adds its own
        named += (("en", ""),) * len(_ENGLISH.findall(content))
    elif not _is_converted(path):
        with zipfile.ZipFile(zipped) as archive:
            counted += Counter(archive.namelist())
    return Seen(texts, counted, named, looks, exact=True)


def _in_package(path: Path) -> Seen | None:
    """The texts of a package, part by part; None where it is none, or spoilt."""
    try:
        return Seen(tuple(" ".join(t) for _, root in roots(path) for t in paragraphs_of(root)))
    except (zipfile.BadZipFile, zlib.error, etree.LxmlError, OSError, RuntimeError):
        return None


def _is_converted(path: Path) -> bool:
    """Whether LibreOffice converts it to be read here, or did when it was translated."""
    return any(suffix[1:] in _FORMS for suffix in map(str.lower, path.suffixes))


def _named(path: Path) -> Iterator[tuple[str, str]]:
    """The languages that runs with words name, with their paragraphs, and those of all text."""
    for member, root in roots(path):
        if _MODELS.search(member):
            continue
        for element in root.iter("{*}rPrDefault", "{*}default-style"):
            yield from ((_language(mark), "") for mark in element.iter(*_MARKS))
        styles = {
            str(style.get(name)): _language(mark)
            for style in root.iter("{*}style")
            for mark in style.iter("{*}text-properties")
            for name in style.attrib
            if str(name).endswith("}name")
        }
        around = root.iter("{*}p", "{*}h", "{*}si")
        for paragraph, words in zip(around, paragraphs_of(root), strict=True):
            for run in paragraph.iter("{*}r", "{*}span"):
                own = next(run.iterancestors("{*}p", "{*}h", "{*}si"), None) is paragraph
                said = run.itertext("{*}t", "{*}span")
                if own and WORD.search("".join(map(str, said))):
                    style = next((str(v) for k, v in run.items() if k.endswith("style-name")), "")
                    codes = [_language(mark) for mark in run.iterfind("{*}rPr")]
                    codes += [_language(mark) for mark in run.iterfind("{*}rPr/{*}lang")]
                    yield from ((code, " ".join(words)) for code in [*codes, styles.get(style, "")])


def _language(mark: etree._Element) -> str:
    """The language (ISO 639) that ``mark`` names; empty for none."""
    names = {str(name).rpartition("}")[2]: str(value) for name, value in mark.items()}
    named = names.get("language") or names.get("lang") or ""
    named = names.get("val", "") if str(mark.tag).endswith("}lang") else named
    return named.partition("-")[0].lower()


def _pages(row: Translated, made: Conversions) -> Iterator[Finding]:
    """Pages that LibreOffice sets, and their words; of slides, one by one."""
    paths = [path and made.get((path, "pdf")) for path in (row.source, row.written)]
    if not all(paths):
        return
    before, after = ([len(page.legible) for page in read_pages(p)] for p in paths if p)
    yield Finding(row.name, "pages more or less", abs(len(before) - len(after)), of=len(before))
    slides = _format(row) in ("pptx", "ppt")
    pairs = zip(before, after, strict=False) if slides else [(sum(before), sum(after))]
    lost = sum(new < old / 2 for old, new in pairs)
    yield Finding(row.name, "pages lost", lost, of=len(before))
