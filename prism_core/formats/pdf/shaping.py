"""Shape text of scripts that join or run from the right into glyphs; break East Asian lines.

A glyph that stands for no letter alone (a form of one, a ligature) gets a code of its own in the
font, and the PDF records the letters it stands for.

Entry: ``DrawnFont.shape`` for one run of a line that ``needs_shaping``; ``cut_word``.
"""

from __future__ import annotations

import re
import subprocess
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, Final, cast

import uharfbuzz
from reportlab.pdfbase.ttfonts import ShapeData, ShapedStr, TTFont

_FROM_RIGHT: Final = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_OWN_CODES: Final = 0xF0000
"""First code of the private use area that Unicode leaves to everybody."""
_UNSEEN: Final = "\u200b"
"""Text of a glyph whose letters another glyph already stands for."""
_CODE: Final = re.compile("<(F[0-9A-F]{4})>")
_WIDE: Final = re.compile(
    "[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u3190-\u31ff\u3200-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
_ASIAN: Final = re.compile(f"{_WIDE.pattern}|[\u1100-\u11ff\uac00-\ud7af]")
_NOT_FIRST: Final = frozenset(
    "、。，．・：；？！）］｝〉》」』】〕〗〙〟’”｣､｡･゛゜ーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ"
    "ㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ々〻ゝゞヽヾ‐゠–〜～…‥‼⁇⁈⁉％‰℃°′″,.)]}!?:;%>»›"
)
"""Characters that begin no line (kinsoku)."""
_NOT_LAST: Final = frozenset("（［｛〈《「『【〔〖〘〝‘“｢([{<«‹￥＄￡¥$£€")
"""Characters that end no line."""
SAMPLES: Final = {
    "ja": "日本語かカ、。",
    "ko": "한국어",
    "yue": "中國們的，。",
    "zh": "中国们的，。",
}
"""Letters that a font has for Japanese, Korean, and Chinese as written in Taiwan and in China."""
_PLACE: Any = ShapeData
_PLACED: Any = ShapedStr
_LIST_FONTS: Final = ("fc-list", "-f", "%{file}\\n")


def needs_shaping(text: str) -> bool:
    """Return True if ``text`` has letters that run from the right."""
    return _FROM_RIGHT.search(text) is not None


def is_asian(text: str) -> bool:
    """Return True if ``text`` has letters or stops of Chinese, Japanese or Korean."""
    return _ASIAN.search(text) is not None


def cut_word(word: str) -> list[str]:
    """Cut ``word`` beside each East Asian letter where a line may break (kinsoku)."""
    if not _WIDE.search(word):
        return [word]
    cuts = [
        index
        for index, (before, after) in enumerate(pairwise(word), 1)
        if (_WIDE.match(before) or _WIDE.match(after))
        and after not in _NOT_FIRST
        and before not in _NOT_LAST
        and not after.isspace()
        and not unicodedata.combining(after)
    ]
    return [word[start:end] for start, end in pairwise([0, *cuts, len(word)])]


@cache
def list_fonts(sample: str) -> tuple[str, ...]:
    """List the installed fonts (TrueType, usual weight) that have the letters of ``sample``."""
    letters = " ".join(f"{ord(char):x}" for char in sample)
    pattern = f":charset={letters}:fontformat=TrueType:weight=80"
    try:
        listed = subprocess.run(  # noqa: S603 (a fixed program and pattern)
            [*_LIST_FONTS, pattern], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(sorted(set(listed.stdout.splitlines())))


def list_asian_fonts() -> list[str]:
    """List the East Asian fonts of this machine, those for most languages first."""
    found = Counter(file for sample in SAMPLES.values() for file in list_fonts(sample))
    return sorted(found, key=lambda file: (-found[file], file))


class DrawnFont(TTFont):
    """Font of a PDF whose glyphs may stand for letters in other forms than their own."""

    def __init__(self, name: str, file: str) -> None:
        super().__init__(name, file)
        self._codes: dict[tuple[int, str], int] = {}
        self._tables = cast(Any, self.face)
        self._width_of = cache(lambda char: self._tables.getCharWidth(ord(char)))
        self.letters = frozenset[int](self._tables.charToGlyph)
        """Code points that it has glyphs for."""
        blob = uharfbuzz.Blob(self._tables._ttf_data)
        self.shape = lru_cache(maxsize=1 << 12)(self._shape)
        self._shaper: Any = uharfbuzz.Font(uharfbuzz.Face(blob))

    def stringWidth(self, text: str, size: float, encoding: str = "utf8") -> float:  # noqa: ARG002, N802 (reportlab's names)
        """Return the width of ``text`` in points: reportlab's result, in a third of the time."""
        return 0.001 * size * float(sum(map(self._width_of, text)))

    def measure_shaped(self, text: str) -> float:
        """Return the width of ``text``, set from the right, in font sizes."""
        shaped: Any = self.shape(text, True)
        return float(sum(glyph.x_advance for glyph in shaped.__shapeData__)) / 1000

    def _shape(self, text: str, from_right: bool) -> str:
        """Shape one run of a line into glyphs from left to right (cached as ``shape``)."""
        buffer = uharfbuzz.Buffer()
        buffer.cluster_level = uharfbuzz.BufferClusterLevel.MONOTONE_CHARACTERS
        buffer.add_str(text)
        buffer.direction = "rtl" if from_right else "ltr"
        buffer.guess_segment_properties()
        uharfbuzz.shape(self._shaper, buffer, {})
        starts = sorted({info.cluster for info in buffer.glyph_infos})
        letters_of_cluster = {
            start: text[start:end] for start, end in pairwise([*starts, len(text)])
        }
        codes, positions, tables = [], [], self._tables
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            letters, glyph = letters_of_cluster.get(info.cluster, ""), info.codepoint
            letters_of_cluster[info.cluster] = _UNSEEN  # the first glyph of several stands for all
            if len(letters) == 1 and tables.charToGlyph.get(ord(letters)) == glyph:
                code = ord(letters)
            elif (
                len(letters) == 1 and unicodedata.mirrored(letters) and glyph in tables.glyphToChar
            ):
                code = int(tables.glyphToChar[glyph][0])
            elif (code := self._codes.get((glyph, letters), 0)) == 0:  # a code of its own
                code = self._codes[glyph, letters] = _OWN_CODES + len(self._codes)
                tables.charToGlyph[code] = glyph
                tables.charWidths[code] = tables._pdfScale(self._shaper.get_glyph_h_advance(glyph))
            codes.append(code)
            moved = (position.x_advance, position.y_advance, position.x_offset, position.y_offset)
            scaled = map(tables._pdfScale, moved)
            positions.append(_PLACE(info.cluster, *scaled, tables.getCharWidth(code)))
        shaped: str = _PLACED("".join(map(chr, codes)), positions)
        return shaped

    def addObjects(self, doc: Any) -> None:  # noqa: N802 (reportlab's name)
        """Write the font into ``doc``, with the letters that its glyphs stand for."""
        letters_of_code = {code: letters for (_, letters), code in self._codes.items()}

        def spell(code: re.Match[str]) -> str:
            return f"<{letters_of_code[int(code[1], 16)].encode('utf-16-be').hex().upper()}>"

        super().addObjects(doc)
        prefix = "toUnicodeCMap:"
        for name, stream in doc.idToObject.items():
            if name.startswith(prefix) and self.face.name.decode("latin-1") in name:
                stream.content = _CODE.sub(spell, stream.content)
