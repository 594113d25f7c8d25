"""The control words of RTF that matter to its text; all others are passed over."""

from __future__ import annotations

from typing import Final


def _set(words: str) -> frozenset[bytes]:
    return frozenset(word.encode("ascii") for word in words.split())


FLOWS: Final = {
    b"header": "header", b"headerl": "header", b"headerr": "header", b"headerf": "header",
    b"footer": "footer", b"footerl": "footer", b"footerr": "footer", b"footerf": "footer",
    b"footnote": "footnote", b"annotation": "comment",
    b"shptxt": "textbox", b"dptxbxtext": "textbox",
}  # fmt: skip
"""Destinations that hold paragraphs of their own, and the kind of these."""

PROPERTIES: Final = _set("title subject keywords doccomm")
"""Destinations of ``info`` that are in words; the others are names, dates and numbers."""

CONTAINERS: Final = _set("field shp shpgrp shpinst shprslt do object info")
"""Destinations that hold no text of their own, but destinations that do."""

SHOWN: Final = _set("fldrslt result")
"""What a field or an object shows: text of the paragraph around it."""

KEPT: Final = _set(
    "colortbl stylesheet pict objdata fldinst listtable listoverridetable listtext pntext rsidtbl"
    " generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl"
    " bkmkstart bkmkend template nonshppict xe tc tcn rxe txe upr ftnsep ftnsepc ftncn aftnsep"
    " aftnsepc aftncn nonesttables pn pntxta pntxtb mmath"
)
"""Destinations that stay as they are; and so do all marked ``\\*`` that are in no list here."""

OBJECTS: Final = _set("pict shp shpgrp do object field footnote annotation shppict")
"""Groups that a reader sees something of: text moves around them."""

SHOWN_FIELDS: Final = _set("chdate chdpl chdpa chtime chpgn chftn sectnum page column softpage")
"""Words that show something computed, or break the page."""

CHARACTERS: Final = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": "\u2003", b"enspace": "\u2002",
    b"qmspace": "\u2005", b"zwj": "\u200d", b"zwnj": "\u200c", b"zwbo": "", b"zwnbo": "",
}  # fmt: skip
SYMBOLS: Final = {
    b"~": "\u00a0", b"_": "\u2011", b"-": "", b"{": "{", b"}": "}", b"\\": "\\",
}  # fmt: skip
"""Control words and symbols that stand for a character."""

BREAKS: Final = {b"tab": "\t", b"line": "\n", b"lbr": "\n"}
SAME_AS: Final = {b"\t": b"tab", b"\r": b"par", b"\n": b"par"}
"""Symbols that do what a word does."""
PARAGRAPH_ENDS: Final = _set("par sect cell nestcell row nestrow")

LOOKS: Final = _set(
    "b i strike striked scaps caps outl shad embo impr sub super cf cb highlight chcbpat fs revised"
)
"""Character properties that a reader sees; 0 turns each off."""
SIDEWAYS: Final = _set("sub super nosupersub")
HIDING: Final = _set("v deleted")


def is_underline(word: bytes) -> bool:
    """Whether ``word`` begins or ends a line under the text; there are many."""
    return word.startswith(b"ul") and word != b"ulc"


def key(word: bytes) -> bytes:
    """What ``word`` is about: the same for all lines under the text."""
    return b"ul" if is_underline(word) else word
