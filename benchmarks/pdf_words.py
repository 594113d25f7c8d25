"""The words that a PDF shows or holds anywhere, page by page and place by place.

Runs in the sandbox, for the files are real and some are broken. What stays by design is no finding:
addresses of links, names of persons and programs, names of fields, fonts and colour profiles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pikepdf
import pypdf
import pypdfium2
from pikepdf import Name

from prism_core.formats.pdf.libraries import silence_libraries

_WORD = re.compile(r"[^\W\d_]{4,}")
_BREAK = re.compile("[\ufffe\u00ad]\\s*")
_KEPT = frozenset(
    {
        *("/URI", "/ID", "/Author", "/Creator", "/Producer", "/CreationDate", "/ModDate", "/M"),
        *("/T", "/TM", "/NM", "/DA", "/DR", "/F", "/UF", "/FS", "/CheckSum", "/Registry"),
        *("/Ordering", "/FontFamily", "/CharSet", "/OutputCondition", "/RegistryName", "/Info"),
        *("/OutputConditionIdentifier", "/CIDSystemInfo", "/FontFile", "/FontFile2", "/FontFile3"),
        *("/ToUnicode", "/CIDToGIDMap", "/DestOutputProfile", "/ColorSpace", "/CharProcs", "/Lang"),
        *("/EF", "/AFRelationship", "/Filter", "/URLS", "/SubFilter", "/Extensions", "/Encoding"),
    }
)
_SHOWN = ("/Contents", "/Title", "/V", "/DV", "/TU", "/Subject", "/Keywords", "/Alt", "/ActualText")
_XMP_KEPT = re.compile(
    r"<(dc:creator|pdf:Producer|xmp:CreatorTool|dc:format|xmpMM:\w+)\b.*?</\1>|<\?.*?\?>|<[^>]*>",
    re.DOTALL,
)


def words(text: str) -> set[str]:
    """The words of ``text`` that have four letters or more, in lower case."""
    return {word.casefold() for word in _WORD.findall(_BREAK.sub("", text))}


def survey(path: Path, unpacked: bool) -> dict[str, object]:
    """What a PDF shows: ``pages`` (words by pdfium and pypdf), ``places`` (words by place), and
    ``images`` and ``permitted``. ``unpacked``: everything in it, else what a reader is shown.
    """
    with silence_libraries():
        found: dict[str, object] = {
            "pages": [sorted(page) for page in _pages(path)],
            "permitted": True,
            "places": {},
            "images": 0,
            "attached": 0,
        }
        try:
            with pikepdf.open(path, suppress_warnings=True) as pdf:
                found["permitted"] = not pdf.is_encrypted or pdf.allow.extract
                found["places"] = {k: sorted(v) for k, v in _places(pdf, unpacked).items()}
                found["images"] = sum(map(_is_image, pdf.objects))
                found["attached"] = len(pdf.attachments)
        except (pikepdf.PdfError, ValueError, RuntimeError):
            found["permitted"] = False
        return found


def texts_by_pdfium(path: Path) -> list[str]:
    """The text of each page."""
    with silence_libraries():
        document = pypdfium2.PdfDocument(path)
        return [page.get_textpage().get_text_range() for page in document]


def _pages(path: Path) -> list[set[str]]:
    try:
        pages = [words(text) for text in texts_by_pdfium(path)]
    except pypdfium2.PdfiumError:
        return []
    for number, text in enumerate(_texts_by_pypdf(path)):
        if number < len(pages):
            pages[number] |= words(text)
    return pages


def _texts_by_pypdf(path: Path) -> Iterator[str]:
    try:
        reader = pypdf.PdfReader(path)
        for page in reader.pages:
            yield _quietly(page.extract_text)
    except Exception:  # noqa: BLE001  pypdf meets malformed files with every built-in error
        return


def _quietly(extract: Callable[[], str]) -> str:
    try:
        return extract()
    except Exception:  # noqa: BLE001
        return ""


def _is_image(obj: object) -> bool:
    return isinstance(obj, pikepdf.Stream) and obj.get(Name.Subtype) == Name.Image


def _places(pdf: pikepdf.Pdf, unpacked: bool) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    kept = _kept_streams(pdf)
    for obj in pdf.objects:
        if isinstance(obj, pikepdf.Stream):
            if obj.objgen in kept or _is_image(obj):
                continue
            for place, text in _of_stream(obj):
                if unpacked or place == "/Metadata":
                    found.setdefault(place, set()).update(words(text))
        if isinstance(obj, pikepdf.String):
            continue  # met where it is used, unless what uses it stays by design
        for key, text in _strings(obj, "array"):
            if unpacked or key in _SHOWN:
                found.setdefault(key, set()).update(words(text))
    return {key: value for key, value in found.items() if value}


def _kept_streams(pdf: pikepdf.Pdf) -> set[tuple[int, int]]:
    """Streams that are fonts, colour profiles, attachments: whatever a kept key leads to."""
    kept = set()
    for obj in pdf.objects:
        holder = obj if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream) else None
        for key, value in holder.items() if holder is not None else ():
            values = value.as_list() if isinstance(value, pikepdf.Array) else [value]
            if key in _KEPT or key == "/CharProcs":
                kept |= {one.objgen for one in values if isinstance(one, pikepdf.Stream)}
                if isinstance(value, pikepdf.Dictionary):
                    kept |= {v.objgen for _, v in value.items() if isinstance(v, pikepdf.Stream)}
            kept |= {
                one.objgen
                for one in values
                if isinstance(one, pikepdf.Stream) and (Name.N in one and Name.Alternate in one)
            }
    return kept


def _of_stream(stream: pikepdf.Stream) -> Iterator[tuple[str, str]]:
    kind = stream.get(Name.Type)
    if kind in (Name.ObjStm, Name.XRef, Name.EmbeddedFile, Name.CMap) or Name.N in stream:
        return
    if Name.FunctionType in stream or Name.PatternType in stream or Name.ShadingType in stream:
        return
    try:
        data = stream.read_bytes()
    except pikepdf.PdfError:
        return
    if kind == Name.Metadata:
        yield "/Metadata", _XMP_KEPT.sub(" ", data.decode("utf-8", "replace"))
        return
    try:
        for instruction in pikepdf.parse_content_stream(stream):
            for operand in getattr(instruction, "operands", ()):
                yield from (("content", text) for _, text in _strings(operand, "content"))
    except (pikepdf.PdfError, TypeError, ValueError):
        yield "stream", data.decode("latin-1")


def _strings(obj: object, key: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The strings in ``obj`` with the key that leads to each; other objects are met apart."""
    if depth > 30 or key in _KEPT:
        return
    if isinstance(obj, pikepdf.String):
        yield key, str(obj)
    elif isinstance(obj, pikepdf.Array):
        for item in obj.as_list():
            if isinstance(item, pikepdf.String) or not getattr(item, "is_indirect", False):
                yield from _strings(item, key, depth + 1)
    elif isinstance(obj, pikepdf.Dictionary | pikepdf.Stream):
        for name, value in obj.items():
            if isinstance(value, pikepdf.String) or not getattr(value, "is_indirect", False):
                yield from _strings(value, str(name), depth + 1)
