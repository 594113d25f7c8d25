"""Markdown files: prose is replaced where it stands, everything else stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Segment, changed_parts
from prism_core.formats.decoding import Decoded, decode_text
from prism_core.formats.markdown.blocks import (
    Block,
    Blocks,
    Value,
    front_matter_end,
    front_matter_values,
    read_blocks,
    read_outline,
)
from prism_core.formats.notices import notices
from prism_core.formats.reading import read_limited

_MOST_BYTES: Final = 20_000_000


class MarkdownFormat:
    """CommonMark with tables, strikethrough, footnotes and front matter.

    Unchanged translations give the same bytes. Code, formulas, addresses, HTML and definitions of
    links stay; a paragraph that went over several lines is wrapped again at its width.
    """

    name = "md"

    def read(self, path: Path) -> Document:
        """Paragraphs, headings, list items, cells, alternative texts and titles.

        Raises ``DocumentError``: empty, too large, unsupported (binary).
        """
        page = _load(path)
        if not page.segments:
            raise DocumentError(DocumentFailure.EMPTY)
        unplaced = page.blocks.unplaced
        notices = (f"blocks-unchanged:{unplaced}",) if unplaced else ()
        return Document(path, self.name, page.segments, notices)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the translated page. Notices:

        ``formatting-simplified:N`` bold or italic words were written without that,
        ``blocks-unchanged:N`` paragraphs stay in the source language,
        ``encoding-changed:utf-8`` the encoding had to become UTF-8.
        """
        page = _load(document.path)
        if page.segments != document.segments:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        rebuilt = _Rebuilt(page, translations)
        text = rebuilt.text
        if read_outline(text, front_matter_end(text)) != page.blocks.outline:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        content, encoding = page.decoded.encode(text)
        path.write_bytes(content)
        counts = {"formatting-simplified": rebuilt.lost, "blocks-unchanged": rebuilt.unchanged}
        changed = (f"encoding-changed:{encoding}",) if encoding != page.decoded.encoding else ()
        return (*notices(counts), *changed)


@dataclass(frozen=True, slots=True)
class _Page:
    """A file taken apart."""

    decoded: Decoded
    blocks: Blocks
    parts: tuple[Value | Block, ...]

    @property
    def segments(self) -> tuple[Segment, ...]:
        return tuple(segment for part in self.parts for segment in part.segments)


def _load(path: Path) -> _Page:
    decoded = decode_text(read_limited(path, _MOST_BYTES))
    if decoded is None:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    end = front_matter_end(decoded.text)
    blocks = read_blocks(decoded.text, end)
    return _Page(decoded, blocks, (*front_matter_values(decoded.text, end), *blocks.blocks))


class _Rebuilt:
    """A page with other texts; ``lost`` and ``unchanged`` count what did not work."""

    def __init__(self, page: _Page, translations: Sequence[Translation]) -> None:
        self._page = page
        self.lost = self.unchanged = 0
        source, pieces, position = page.decoded.text, list[str](), 0
        for part, given in changed_parts(page.parts, translations):
            if isinstance(part, Value):
                new = part.written(" ".join(given[0].text.split()))
            else:
                new = self._block(part, given)
            pieces += [source[position : part.start], new]
            position = part.end
        self.text = "".join([*pieces, source[position:]])

    def _block(self, block: Block, given: Sequence[Translation]) -> str:
        written = self._page.blocks.reader.write(block.inline, given)
        if written.lost is None:
            self.unchanged += 1
            return self._page.decoded.text[block.start : block.end]
        self.lost += written.lost
        return block.laid_out(written.content)
