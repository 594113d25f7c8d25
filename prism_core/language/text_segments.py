"""Segmentation of a text into the units that a tagger gets, with a plain view of each.

A tagger works best on one well-typed paragraph, but archives contain runs of blanks, typographic
quotes, control characters and lines without end. So a segment records its position in the text, and
its ``view`` is what the tagger sees. Every character of the view that is not a blank stands for
exactly one character of the text.

Entry: ``split_segments``; ``lowercase_headline`` changes the view of a headline.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from prism_core.languages import Language, read_words

# What ends a line, a cell or a page is a sentence boundary whatever a tagger thinks of it.
_HARD_BREAK = re.compile(
    r"[^\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]*[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]*"
)
_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_SENTENCE_STARTS = ("", *".!?")
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f]['\"\u2019\u201d)\\]]*\\s+")

# Longer segments cost a tagger memory out of proportion; longer runs without a blank are no words.
_LONGEST_SEGMENT = 8_000
_LONGEST_RUN = 1_000
_OVERLONG = re.compile(rf"\S{{{_LONGEST_RUN + 1}}}")

# Typographic apostrophes and quotation marks.
_STRAIGHT_QUOTES = dict.fromkeys(
    map(ord, "\u2018\u2019\u201a\u201b\u02bc\uff07"), "'"
) | dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\uff02"), '"')
_UNSAFE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Segment:
    """Characters ``[start, end)`` of a text, with the starts of its stretches without padding."""

    start: int
    end: int
    view: str
    _view_starts: tuple[int, ...]
    _text_starts: tuple[int, ...]

    def offset(self, position: int) -> int:
        """Return the position in the text of the view's ``position``, which is no blank."""
        stretch = bisect_right(self._view_starts, position) - 1
        return self._text_starts[stretch] + position - self._view_starts[stretch]

    def offsets(self, positions: Sequence[int]) -> list[int]:
        """Return ``offset`` of each of several positions."""
        if len(self._text_starts) == 1:
            first = self._text_starts[0]
            return [first + position for position in positions]
        return [self.offset(position) for position in positions]


def split_segments(text: str) -> Iterator[Segment]:
    """Yield the segments of ``text``, without gaps; each includes the white space after it."""
    for match in _HARD_BREAK.finditer(text):
        start = match.start()
        while start < match.end():
            end = _segment_end(text, start, match.end())
            yield _segment(text, start, end)
            start = end


def use_plain_characters(text: str) -> str:
    """Return ``text``, of the same length, with straight quotes and without unsafe characters."""
    return _UNSAFE.sub("\ufffd", text.translate(_STRAIGHT_QUOTES))


def lowercase_headline(view: str, language: Language) -> str:
    """Return ``view`` with a headline's words in lower case where they are hardly ever a name.

    A tagger mistakes *General Provisions* and *PAIN WELL CONTROLLED* for names and nouns, because
    capitals carry no information there. The first word of a sentence keeps its capital. Words
    beside a possible name stay as they are, and so does an address.
    """
    words = (match[0] for match in _LETTERS.finditer(view))
    if not all(language.is_function_word(word) for word in words if word.islower()):
        return view
    if re.search(rf"\b(?:{language.places.streets})\b", view):
        return view
    known, roles = read_words(language.plain), read_words(language.role_words)
    also_names = read_words(language.names_that_are_words)
    is_one_word = " " not in view

    def names_nobody(word: str) -> bool:
        lower = word.lower()
        is_name = word.istitle() and lower in also_names  # *Memo to Will*
        is_grammar = language.is_function_word(word) and not is_name
        return is_grammar or lower in known or lower in roles

    def write(match: re.Match[str]) -> str:
        if not all(map(names_nobody, match[0].split(" "))):
            return match[0]  # *Municipality of Port Harcourt*
        begins = not is_one_word and view[: match.start()].rstrip()[-1:] in _SENTENCE_STARTS
        return match[0].capitalize() if begins else match[0].lower()

    return _RUN.sub(write, view)


def _segment_end(text: str, start: int, limit: int) -> int:
    """Return the end of the segment that begins at ``start``: ``limit``, or earlier if far."""
    if overlong := _OVERLONG.search(text, start, min(limit, start + _LONGEST_SEGMENT)):
        return overlong.start() if overlong.start() > start else start + _LONGEST_RUN
    if limit - start <= _LONGEST_SEGMENT:
        return limit
    window_end = start + _LONGEST_SEGMENT
    ends = [match.end() for match in _SENTENCE_END.finditer(text, start, window_end)]
    if ends:
        return ends[-1]
    blank = max(text.rfind(" ", start, window_end), text.rfind("\u00a0", start, window_end))
    return blank + 1 if blank > start else window_end


def _segment(text: str, start: int, end: int) -> Segment:
    core = text[start:end].strip()
    view = " ".join(core.split())
    if len(view) == len(core) > 0:  # a single blank between any two words
        first = text.index(core, start)
        return Segment(start, end, use_plain_characters(view), (0,), (first,))
    text_starts = [match.start() for match in _WORD.finditer(text, start, end)]
    lengths = [len(word) + 1 for word in core.split()]
    return Segment(
        start,
        end,
        use_plain_characters(view),
        tuple(accumulate(lengths, initial=0)),
        tuple(text_starts),
    )
