"""A text that a program sends, as a page of HTML: its tags and placeholders are elements of it.

The lines of a text become paragraphs. A pair of tags becomes an element around its words, and any
other tag an object between words. A placeholder, and an element that is not to be translated,
stands for a word: it becomes a code (``X71``), which translators copy, and which is encoded as any
code is. Text that is HTML itself stays as it is.

Entry: ``TaggedText.read`` -> ``page``, which is translated -> ``restore``.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

_START, _END = '<meta charset="utf-8">\n<div>', "</div>"
_XML = r"<!--.*?-->|<[/!?]?[^\W\d][^<>]*>"
_HOLLOW = r"<[\w:.-]+(?:\s[^<>]*)?></[\w:.-]+>"
_PLACEHOLDER = r"%(?:\(\w+\)|\d+\$)?[sdif@](?!\w)|\$?\{\{?[\w.:!-]*\}\}?"
_OMEGAT = r"</?[A-Za-z]{1,3}\d+/?>"
_FIRST = 71
"""Number of the first code: a low one is more often translated, as that of a section."""
_NAME = re.compile(r"</?([\w:.-]+)")


@dataclass(slots=True)
class TaggedText:
    """A text as a ``page``; ``markup`` is ``xml``, ``html`` or nothing.

    Without markup, only placeholders and the numbered tags of OmegaT are kept.
    """

    markup: str
    page: str = ""
    _code: str = "X"
    _stands_for: dict[str, str] = field(default_factory=dict)
    """Tags and placeholders by the elements and the codes of the page."""

    @classmethod
    def read(cls, text: str, markup: str = "", opaque: Sequence[str] = ()) -> Self:
        """Read ``text``; nothing within the elements ``opaque`` is translated."""
        made, body = cls(markup), text
        if markup != "html":
            whole = (rf"<{re.escape(name)}\b[^<>]*>.*?</{re.escape(name)}>" for name in opaque)
            words = re.compile("|".join([*whole, _HOLLOW]) if markup else _PLACEHOLDER)
            tags = re.compile(f"({words.pattern}|{_XML if markup else _OMEGAT})")
            while re.search(rf"{made._code}\d", text):
                made._code += "X"
            lines = (made._read_line(tags.split(line), words) for line in text.split("\n"))
            body = "\n".join(f"<p>{line}</p>" for line in lines)
        made.page = f"{_START}{body}{_END}"
        return made

    def _read_line(self, parts: list[str], words: re.Pattern[str]) -> str:
        """Return a line as HTML; ``parts`` are its texts and, at odd indices, its tags."""
        end_of = _pair_tags(["" if words.fullmatch(tag) else tag for tag in parts[1::2]])
        ends = set(end_of.values())
        for index, tag in enumerate(parts[1::2]):
            number = _FIRST + len(self._stands_for)
            if words.fullmatch(tag):
                element = f"{self._code}{number}"
            elif index in ends:
                element = "</span>"
            else:
                element = f'<{"span" if index in end_of else "img"} id="p{number}">'
            if element != "</span>":
                self._stands_for[element] = tag
            if index in end_of:
                self._stands_for[f"/{element}"] = parts[1::2][end_of[index]]
            parts[2 * index + 1] = element
        parts[::2] = [
            html.escape(html.unescape(text) if self.markup else text, quote=False)
            for text in parts[::2]
        ]
        return "".join(parts)

    def restore(self, page: str) -> str | None:
        """Return the translation in ``page``; None unless each tag is in it once, and nested."""
        body = page[page.find(_START) + len(_START) : page.rfind(_END)]
        if self.markup == "html":
            is_whole = _count_tags(f"{_START}{body}{_END}") == _count_tags(self.page)
            return body if is_whole else None
        elements = re.compile(rf'(<(?:span|img) id="p\d+">|</span>|{self._code}\d+)')
        found = Counter(element for element in elements.findall(body) if element != "</span>")
        lines = re.findall(r"<p>(.*?)</p>", body, re.DOTALL)
        expected = Counter(element for element in self._stands_for if element[0] != "/")
        if found != expected or len(lines) != self.page.count("<p>"):
            return None
        return self._restore_parts(elements.split("\n".join(lines)))

    def _restore_parts(self, parts: list[str]) -> str | None:
        opened = list[str]()
        for index, element in enumerate(parts):
            if index % 2 == 0:
                plain = html.unescape(element)
                parts[index] = html.escape(plain, quote=False) if self.markup else plain
            elif element == "</span>" and not opened:
                return None
            else:
                if element.startswith("<span"):
                    opened.append(f"/{element}")
                name = opened.pop() if element == "</span>" else element
                parts[index] = self._stands_for[name]
        return None if opened else "".join(parts)


def _pair_tags(tags: Sequence[str]) -> dict[int, int]:
    """Return the index of the end tag of each start tag that has one, properly nested."""
    pairs, opened = dict[int, int](), list[tuple[int, str]]()
    for index, tag in enumerate(tags):
        name = _NAME.match(tag)
        if name is None or tag.endswith("/>"):
            continue
        if not tag.startswith("</"):
            opened.append((index, name[1]))
        elif any(other == name[1] for _, other in opened):
            while opened[-1][1] != name[1]:
                opened.pop()
            pairs[opened.pop()[0]] = index
    return pairs


def _count_tags(text: str) -> Counter[str]:
    return Counter(re.findall(r"</?[A-Za-z][\w:.-]*", text))
