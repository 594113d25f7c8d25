"""What a translated PDF must not carry on: stale descriptions, signatures, copies of the source."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

from prism_core.formats.pdf.destinations import unname_destinations

_STALE = (
    Name.Metadata,  # XMP repeats the title; PDF/A and PDF/UA claims in it no longer hold
    Name.PieceInfo,  # private copies of the source kept by the program that made it
    Name.StructTreeRoot,  # tags carry the source's wording and point at removed text
    Name.MarkInfo,
    Name.Lang,
    Name.Perms,  # certification signatures
    Name.DSS,
    Name.SpiderInfo,  # where a captured web page came from
)


_TOLD = frozenset(
    "/Title /Subject /Keywords /Author /Creator /Producer /CreationDate /ModDate /Trapped".split()
)
"""What every program writes about a document; the rest is private, and in the source language."""


def finish(pdf: pikepdf.Pdf, changed: bool, retold: bool) -> None:
    """Remove what no longer holds once text has been replaced.

    ``changed``: on pages; ``retold``: beside them, in titles, bookmarks, notes …
    """
    if changed or retold:
        unname_destinations(pdf)
        _remove_private_facts(pdf)
        _remove_descriptions(pdf)
    if not changed and Name.Metadata in pdf.Root:
        del pdf.Root[Name.Metadata]
    for key in _STALE if changed else ():
        if key in pdf.Root:
            del pdf.Root[key]
    _remove_xfa(pdf)
    _remove_signatures(pdf)


def _remove_private_facts(pdf: pikepdf.Pdf) -> None:
    info = pdf.trailer.get(Name.Info)
    if isinstance(info, pikepdf.Dictionary):
        for key in [str(key) for key in info.keys() if key not in _TOLD]:  # noqa: SIM118
            del info[key]


def _remove_descriptions(pdf: pikepdf.Pdf) -> None:
    """What parts of the document say of themselves in XMP: pictures, pages, profiles of colours."""
    for obj in pdf.objects:
        if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream) and Name.Metadata in obj:
            del obj[Name.Metadata]


def _remove_xfa(pdf: pikepdf.Pdf) -> None:
    """The fields remain; XFA holds their source text a second time."""
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary) and Name.XFA in form:
        del form[Name.XFA]


def _remove_signatures(pdf: pikepdf.Pdf) -> None:
    """A translated copy must not look signed: neither by its data nor by its seal."""
    for obj in pdf.objects:
        is_field = isinstance(obj, pikepdf.Dictionary) and obj.get(Name.FT) == Name.Sig
        if is_field and Name.V in obj:
            for key in (Name.V, Name.AP):
                if key in obj:
                    del obj[key]
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary) and Name.SigFlags in form:
        del form[Name.SigFlags]
