"""A text that a program sends, as a page of HTML: its tags and placeholders are elements of it.

The lines of a text become paragraphs. A pair of tags becomes an element around its words, and any
other tag an object between words. A placeholder, and an element that is not to be translated,
stands for a word: it becomes a code (``X71``), which translators copy, and which is encoded as any
code is. Text that is HTML itself stays as it is.

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
_HOLLOW = r"<(?P<hollow>[\w:.-]+)[^<>]*></(?P=hollow)>"
_PLACEHOLDER = r"%(?:\(\w+\)|\d+\$)?[sdif@](?!\w)|\$?\{\{?[\w.:!-]*\}\}?"
_OMEGAT = r"</?[A-Za-z]{1,3}\d+/?>"
_FIRST = 71
"""Number of the first code: a low one is more often translated, as that of a section."""
_ELEMENT = re.compile(r'<(?:(?P<kind>span|img) id="p(?P<number>\d+)"|(?P<end>/)span)>')
_LINE = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_NAME = re.compile(r"</?([\w:.-]+)")


class TagsLost(PrismError):
    """Error raised when a translation lacks a tag or a placeholder, or has one twice."""


@dataclass(slots=True)
class TaggedText:
    """A text as a ``page``, and the tags that its elements and its codes stand for."""

    markup: Tags
    page: str = ""
    _tags: list[tuple[str, str]] = field(default_factory=list)
    _words: list[str] = field(default_factory=list)
    _code: str = "X"

    @classmethod
    def read(cls, text: str, markup: Tags = "", opaque: Sequence[str] = ()) -> Self:
        """Read ``text``; nothing within the elements ``opaque`` is translated."""
        made = cls(markup)
        if markup == "html":
            body = text
        else:
            whole = [rf"<{re.escape(name)}\b[^<>]*>.*?</{re.escape(name)}>" for name in opaque]
            words = "|".join([*whole, _HOLLOW] if markup else [_PLACEHOLDER])
            tags = re.compile(f"(?P<word>{words})|{_XML if markup else _OMEGAT}")
            while re.search(rf"{made._code}\d", text):
                made._code += "X"
            lines = (made._read_line(line, tags) for line in text.split("\n"))
            body = "\n".join(f"<p>{line}</p>" for line in lines)
        made.page = f"{_START}{body}{_END}"
        return made

    def _read_line(self, line: str, tags: re.Pattern[str]) -> str:
        """Return ``line`` as HTML, with an element or a code for each tag."""
        found = list(tags.finditer(line))
        end_of = _pair_tags([match[0] if match["word"] is None else "" for match in found])
        ends = set(end_of.values())
        parts, position = list[str](), 0
        for index, match in enumerate(found):
            parts.append(self._escape(line[position : match.start()]))
            position = match.end()
            if match["word"] is not None:
                parts.append(f"{self._code}{_FIRST + len(self._words)}")
                self._words.append(match[0])
            elif index in ends:
                parts.append("</span>")
            else:
                kind, end = ("span", end_of[index]) if index in end_of else ("img", None)
                parts.append(f'<{kind} id="p{len(self._tags)}">')
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
        seen = Counter(match["number"] for match in _ELEMENT.finditer(body) if match["number"])
        codes = Counter(re.findall(rf"{self._code}(\d+)", body))
        expected = Counter(map(str, range(len(self._tags))))
        expected_codes = Counter(str(_FIRST + number) for number in range(len(self._words)))
        if len(lines) != self.page.count("<p>") or (seen, codes) != (expected, expected_codes):
            raise TagsLost("a tag or a placeholder of the text was lost")
        return "\n".join(map(self._restore_line, lines))

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
        """Return ``text`` with its placeholders, escaped where the program escapes its own."""
        plain = html.unescape(text)
        escaped = html.escape(plain, quote=False) if self.markup else plain
        return re.sub(
            rf"{self._code}(\d+)", lambda code: self._words[int(code[1]) - _FIRST], escaped
        )


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
