"""Identifiers recognised by their form, whatever the language of a text.

Entry: ``ShapeDetector.find``, over the rows of ``data/identifiers/shapes.toml``, and names of files
with pictures. Forms that many things share are recognised by the words before them (``labels``).

Every alternative of a sign begins with a digit, except for pictures. So one expression finds the
signs of all rows, and stops at digits alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from prism_core.identifiers.base import Detection, Detector, Strength
from prism_core.identifiers.format_preserving import iban_like, ip_address_like
from prism_core.identifiers.shape_tables import Shape, read_table
from prism_core.languages import Language

_PICTURES = (
    "jpe?g|png|gif|bmp|tiff?|hei[cf]|webp|avif|dcm|cr[23]|nef|arw|dng|raf|orf|rw2|svg|JPE?G|PNG|GIF|"
    "BMP|TIFF?|HEI[CF]|WEBP|DCM|CR[23]|NEF|ARW|DNG|RAF|ORF|RW2"
)
_AROUND = r"(?<![\w@+])(?<!\w[-./])(?:{PATTERN})(?![\w@]|[-/]\w)"
_PICTURE = Shape(
    "PHOTO",
    re.compile(
        r"(?<![\w.-])(?:(?:(?i:screenshot|screen shot|whatsapp image|photo|image|"
        r"bildschirmfoto) "
        r"\d{4}-\d\d-\d\d (?:at |um )?\d{1,2}(?:\.\d\d){1,2}(?: [AP]M)?(?: \(\d{1,2}\))?|"
        rf"(?:(?i:scan|img|image|photo|picture|screenshot|page|foto|bild) (?=\d+\.))?[\w-]+"
        rf"(?:\.[\w-]+)*)\.(?:{_PICTURES})(?!\w))"
    ),
    Strength.CHECKED,  # the ending says enough
    str.isprintable,
    re.compile(rf"\.(?<=[\w)]\.)(?:{_PICTURES})"),
)


@cache
def read_shapes() -> tuple[Shape, ...]:
    """Return the rows; of two equal matches of one strength the earlier row's is kept."""
    return (_PICTURE, *read_table("shapes", _AROUND, Strength.SHAPED).shapes)


class ShapeDetector(Detector):
    """Detector that applies every row of the table whose sign the text has."""

    order = 10
    surrogates: ClassVar = {"IBAN": iban_like, "IP": ip_address_like}

    def __init__(self, _language: Language | None = None) -> None:
        """Accept and ignore the language: states and makers define the forms."""
        signs = dict.fromkeys(shape.sign for shape in read_shapes() if shape.sign)
        picture, *at_digits = self._signs = tuple(signs)
        self.signs = (re.compile("|".join(sign.pattern for sign in at_digits)), picture)
        self.signs_without_digits = (picture,)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the shapes of ``text``; matches of one row do not overlap."""
        present = {sign for sign in self._signs if sign.search(text)}
        for shape in read_shapes():
            if shape.sign in present:
                yield from shape.find(text)


DETECTOR = ShapeDetector
