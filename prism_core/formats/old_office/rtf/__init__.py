"""Rich Text Format: RTF files of word processors.

Entry: ``RtfFormat`` -> ``RtfTexts``: the paragraphs (``line``), and the control words of language
and direction that change with the target.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Final

from prism_core.formats.base import (
    Edit,
    FormatOptions,
    apply_edits,
    language_tag,
    read_limited,
    script_of,
    turns_round,
)
from prism_core.formats.old_office.rich_text import (
    LANGUAGES,
    encode_text,
    language_of,
    locale_of,
    word_set,
)
from prism_core.formats.old_office.rtf.line import Chunk, RtfParagraph, read_paragraphs
from prism_core.formats.packages import Parts
from prism_core.formats.text_units import Comment, DocumentTexts, LocatedUnit, UnitFormat
from prism_core.formats.untranslated_marks import COMMENTS, marks_of

__all__ = ["RtfFormat"]

_TURNED: Final = {
    b"pard": b"\\pard\\rtlpar\\qr", b"ltrpar": b"\\rtlpar", b"ql": b"\\qr", b"qr": b"\\ql",
    b"trowd": b"\\trowd\\rtlrow", b"ltrrow": b"\\rtlrow",
}  # fmt: skip
"""Control words for the direction of paragraphs and rows, and their right-to-left replacements."""
_TWINS: Final = word_set("b i f fs")
"""Formatting that is repeated, with an ``a`` prefix, for letters of complex scripts."""
_CHANGING: Final = LANGUAGES | _TWINS | _TURNED.keys()
"""Control words that change with the target."""
_COMMENT: Final = (
    b"{\\*\\atnid P}{\\*\\atnauthor %s}\\chatn{\\*\\annotation\\pard\\plain{\\chatn}%%s}"
    % COMMENTS.encode()
)


class RtfFormat(UnitFormat):
    r"""RTF files: reads all text; every byte that is no translated text stays.

    Letters beyond ASCII in a translation are written as ``\u``. Deleted text of tracked changes,
    hidden text, instructions of fields, numbers of lists and signs of symbol fonts stay.
    """

    name = "rtf"

    @contextmanager
    def open(self, path: Path) -> Iterator[DocumentTexts]:
        """Open the file and yield its paragraphs in order. Raises ``DocumentError``."""
        yield RtfTexts(read_limited(path), self._options)


class RtfTexts(DocumentTexts):
    """Paragraphs of an RTF file, with the control words of language and direction."""

    def __init__(self, content: bytes, options: FormatOptions) -> None:
        self._paragraphs, self._words = read_paragraphs(content, _CHANGING, options)
        self._edits: list[Edit] = []

        def save(to: Path, _changed: Parts) -> None:
            edits = chain(self._edits, *(paragraph.edits for paragraph in self._paragraphs))
            to.write_bytes(apply_edits(content, edits))

        super().__init__(save, [LocatedUnit(p, p.kind) for p in self._paragraphs], {})

    def can_comment(self, item: LocatedUnit) -> bool:
        """Return True for text outside notes, headers and boxes."""
        return item.kind in ("paragraph", "heading", "cell")

    def comment(self, comments: Sequence[Comment], _changed: Parts) -> int:
        """Add comments, each at the end of its paragraph; see ``DocumentTexts``."""
        for item, _, translation in comments:
            paragraph = item.unit
            assert isinstance(paragraph, RtfParagraph)  # noqa: S101 (there are no others)
            chunks = [chunk for chunk in reversed(paragraph.line) if isinstance(chunk, Chunk)]
            last = next((chunk for chunk in chunks if not chunk.owner), chunks[0])
            for mark in marks_of(translation):
                text = encode_text(mark.comment_on(translation, quoted=True), last.fallback)
                self._edits.append(Edit(last.end, last.end, _COMMENT % text))
        return 0

    def name_language(self, units: Collection[LocatedUnit], options: FormatOptions) -> Parts:
        """Name the target language; text that stays names the source in a group of its own."""
        for word in self._words:  # of the direction and the letters of the target
            content = b""
            if turns_round(options) and word.value in _TURNED:
                content = _TURNED[word.value]
            elif script_of(options.target) == "complex" and word.value in _TWINS:
                number = b"" if word.number is None else b"%d" % word.number
                content = b"\\%s%s\\a%s%s" % (word.value, number, word.value, number)
            if content:
                blank = b"" if word.ends_open else b" "
                self._edits.append(Edit(word.start, word.end, content + blank))
        target = locale_of(language_tag(options.target))
        languages = [word for word in self._words if word.value in LANGUAGES]
        named = [word for word in languages if language_of(word.number) == options.source]
        if not target or not named:
            return {}
        new = {id(item.unit) for item in units}
        for token in named:
            renamed = b"\\%s%d%s" % (token.value, target, b"" if token.ends_open else b" ")
            self._edits.append(Edit(token.start, token.end, renamed))
        source = b"{\\lang%d " % (named[0].number or 0)
        left = (p for p in self._paragraphs if id(p) not in new)
        for item in (item for paragraph in left for item in paragraph.line):
            if isinstance(item, Chunk) and language_of(item.language) in ("", options.source):
                self._edits += Edit(item.start, item.start, source), Edit(item.end, item.end, b"}")
        return {}
