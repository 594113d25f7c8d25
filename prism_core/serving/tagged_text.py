"""A text that a program sends, as a page of HTML: its tags and placeholders are elements of it.

The lines of a text become paragraphs. A pair of tags becomes an element around its words, any other
tag and each placeholder an object between words, so that they move with the words and their
characters are never translated. Text that is HTML itself stays as it is.

Entry: ``TaggedText.read`` -> ``page``, which is translated -> ``restore``, which raises
``TagsLost`` unless every tag is back once.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Self

from prism_core.errors import PrismError

Tags = Literal["", "xml", "html"]
"""Markup of a text; without any, only placeholders and the numbered tags of OmegaT are kept."""
_START, _END = '<meta charset="utf-8">\n<div>', "</div>"
_XML = r"<!--.*?-->|<[/!?]?[^\W\d][^<>]*>"
_PLACEHOLDER = (
    r"</?[A-Za-z]{1,3}\d+/?>"  # of OmegaT
    r"|%(?:\(\w+\)|\d+\$)?[sdif@](?!\w)|\$?\{\{?[\w.:!-]*\}\}?"
)
_ELEMENT = re.compile(r'<(?:(?P<kind>span|img) id="p(?P<number>\d+)"|(?P<end>/)span)>')
_LINE = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_NAME = re.compile(r"</?([\w:.-]+)")


class TagsLost(PrismError):
    """Error raised when a translation lacks a tag or a placeholder, or has one twice."""


@dataclass(slots=True)
class TaggedText:
    """A text as a ``page``, and the tags that its elements stand for."""

    markup: Tags
    page: str = ""
    _tags: list[tuple[str, str]] = field(default_factory=list)

    @classmethod
    def read(cls, text: str, markup: Tags = "", opaque: Sequence[str] = ()) -> Self:
        """Read ``text``; nothing within the elements ``opaque`` is translated."""
        made = cls(markup)
        if markup == "html":
            body = text
        else:
            whole = [rf"<({re.escape(name)})\b[^<>]*>.*?</{re.escape(name)}>" for name in opaque]
            pattern = [*whole, _XML] if markup else [_PLACEHOLDER]
            hollow = r"<(?P<hollow>[\w:.-]+)[^<>]*></(?P=hollow)>"
            objects = re.compile("|".join([hollow, *pattern] if markup else pattern))
            lines = (made._read_line(line, objects) for line in text.split("\n"))
            body = "\n".join(f"<p>{line}</p>" for line in lines)
        made.page = f"{_START}{body}{_END}"
        return made

    def _read_line(self, line: str, objects: re.Pattern[str]) -> str:
        """Return ``line`` as HTML, with an element for each tag."""
        found = list(objects.finditer(line))
        ends = _pair_tags([match[0] for match in found])
        parts, position, number_of = list[str](), 0, dict[int, int]()
        for index, match in enumerate(found):
            parts.append(self._escape(line[position : match.start()]))
            position = match.end()
            if index in number_of:
                parts.append("</span>")
                continue
            end = ends.get(index)
            kind = "img" if end is None else "span"
            parts.append(f'<{kind} id="p{len(self._tags)}">')
            if end is not None:
                number_of[end] = len(self._tags)
            self._tags.append((match[0], "" if end is None else found[end][0]))
        return "".join([*parts, self._escape(line[position:])])

    def _escape(self, text: str) -> str:
        return html.escape(html.unescape(text) if self.markup else text, quote=False)

    def restore(self, page: str) -> str:
        """Return the translation in ``page`` with its tags. Raises ``TagsLost``."""
        body = page[page.find(_START) + len(_START) : page.rfind(_END)]
        if self.markup == "html":
            before = self.page[len(_START) : -len(_END)]
            if _count_tags(body) != _count_tags(before):
                raise TagsLost("a tag of the text was lost")
            return body
        lines = _LINE.findall(body)
        restored, missing = "\n".join(map(self._restore_line, lines)), set(range(len(self._tags)))
        seen = [int(match["number"]) for match in _ELEMENT.finditer(body) if match["number"]]
        if len(lines) != self.page.count("<p>") or Counter(seen) != Counter(missing):
            raise TagsLost("a tag or a placeholder of the text was lost")
        return restored

    def _restore_line(self, line: str) -> str:
        parts, position, opened = list[str](), 0, list[int]()
        for match in _ELEMENT.finditer(line):
            parts.append(self._unescape(line[position : match.start()]))
            position = match.end()
            if match["end"]:
                if not opened:
                    raise TagsLost("the tags of the text came back tangled")
                parts.append(self._tags[opened.pop()][1])
            else:
                number = int(match["number"])
                parts.append(self._tags[number][0])
                if match["kind"] == "span":
                    opened.append(number)
        if opened:
            raise TagsLost("the tags of the text came back tangled")
        return "".join([*parts, self._unescape(line[position:])])

    def _unescape(self, text: str) -> str:
        """Return the characters of ``text``, escaped again where the program escapes its own."""
        plain = html.unescape(text)
        return html.escape(plain, quote=False) if self.markup else plain


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
    return Counter(tag.group() for tag in re.finditer(r"</?[A-Za-z][\w:.-]*", text))
