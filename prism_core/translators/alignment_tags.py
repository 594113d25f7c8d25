"""Tags wrap words of a text, and the alignment that the tags of its answer give.

A provider that keeps markup in its place is sent the text with numbered tags wrap its words;
their position in the answer tells which characters stand for which word. The choice of the words
depends on the text that is sent and on its language alone (``words_to_mark``): all content words
alike, whether they were replaced or kept. Anybody who reads the text could put the same marks into
it, so that marks tell a provider nothing.

No mark is trusted. A link is kept only where it is to one place that no other link claims
(``keep_consistent``). An answer whose text itself may have suffered is None, and is to be requested
again without marks.

Entry: ``tag_texts`` -> the provider -> ``read_texts`` -> ``read_tags`` -> ``keep_consistent``.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from prism_core.alignment import Alignment, Match, Span, Translation, is_inside_word
from prism_core.errors import BadAnswer
from prism_core.languages import load_language, source_languages

_WORD = re.compile(
    r"""(?<![^\s("'“„‘«¿¡\[—–])(?<!\w')[^\W\d_]{2,}(?:-[^\W\d_]+)*"""
    r"""(?=(?:['’]s)?[.,;:!?…)"'”’»\]—–]*(?:\s|\Z))"""
)
"""Word between blanks or punctuation: no part of a number, an address or an abbreviation."""


def words_to_mark(text: str, source: str) -> list[Span]:
    """Return the spans of the words of ``text`` (x_pub, in the language ``source``) to mark.

    They are all words of two letters and more except function words. Of a possessive (*the ship's*)
    the word alone is marked.
    """
    unmarked = _function_words(source)
    spans = (match.span() for match in _WORD.finditer(text))
    return [span for span in spans if text[slice(*span)].lower() not in unmarked]


@cache
def _function_words(source: str) -> frozenset[str]:
    if source not in source_languages():
        return frozenset()
    return load_language(source).words.function_words


@dataclass(frozen=True)
class Tag:
    """Tag as a provider takes it: ``<element attribute=number>word</element>``.

    With ``strict`` the answer is XML, where an ampersand that begins no entity is an error; else it
    is HTML. ``quote`` surrounds the number.
    """

    element: str
    attribute: str
    quote: str = '"'
    strict: bool = False

    def wrap(self, number: int, word: str) -> str:
        """Return ``word``, which is escaped, in its tag."""
        start = f"<{self.element} {self.attribute}={self.quote}{number}{self.quote}>"
        return f"{start}{word}</{self.element}>"

    @property
    def size(self) -> int:
        """Number of characters that the tag adds to a word, with a number of two digits."""
        return len(self.wrap(10, ""))

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """Pattern of an opening tag: its number, then the slash of an empty element."""
        return re.compile(
            rf"<\s*{self.element}\s+{self.attribute}\s*=\s*[\"']?\s*(\d{{1,6}})\s*[\"']?\s*(/?)\s*>",
            re.IGNORECASE,
        )

    @cached_property
    def closing(self) -> re.Pattern[str]:
        """Pattern of a closing tag."""
        return re.compile(rf"<\s*/\s*{self.element}\s*>", re.IGNORECASE)


def tag_texts(texts: Sequence[str], source: str, tag: Tag) -> list[str]:
    """Wrap all ``words_to_mark`` of ``texts`` in numbered tags."""
    return [tag_words(text, words_to_mark(text, source), tag) for text in texts]


def read_texts(
    texts: Sequence[str], answers: Sequence[str], source: str, tag: Tag
) -> list[Translation | None]:
    """Read ``answers`` to tagged ``texts``; see ``read_tags``. Raises ``BadAnswer``."""
    if len(answers) != len(texts):
        raise BadAnswer(f"{len(answers)} answers came for {len(texts)} texts.")
    return [
        read_tags(text, words_to_mark(text, source), answer, tag)
        for text, answer in zip(texts, answers, strict=True)
    ]


def tag_words(text: str, words: Sequence[Span], tag: Tag) -> str:
    """Escape ``text`` and wrap each of ``words``, which are in order, in a numbered ``tag``."""
    pieces: list[str] = []
    done = 0
    for number, (start, end) in enumerate(words, start=1):
        pieces += _escape(text[done:start]), tag.wrap(number, _escape(text[start:end]))
        done = end
    return "".join(pieces) + _escape(text[done:])


def _escape(text: str) -> str:
    return html.escape(text, quote=False)


_PIECES = re.compile(r"<[^<>]*>|[^<>]+|[<>]")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})


def read_tags(text: str, words: Sequence[Span], answer: str, tag: Tag) -> Translation | None:
    """Parse ``answer`` to ``tag_words(text, words, tag)`` into a translation without its tags.

    Doubled, empty, nested, invented and missing tags cost their links. Of the blanks on both sides
    of a tag one is kept. Returns None where the text cannot be trusted either:

    - a tag that was not sent or is not closed
    - an ampersand that begins no entity in XML
    - a tag within a word, or between a comma and a word (a blank may be lost there)
    - a double blank, or a blank before a full stop or comma, that was not sent
    """
    plain, opened = "", list[tuple[int, int]]()
    found, borders = list[tuple[int, Span]](), set[int]()
    for piece in _PIECES.findall(answer):
        if piece[0] not in "<>":
            rest = _ENTITY.sub(lambda m: "" if m[1][0] == "#" or m[1] in _OF_XML else "&", piece)
            if tag.strict and "&" in rest:
                return None
            shown = _ENTITY.sub(lambda match: html.unescape(match.group()), piece)
            doubled = shown[:1] == " " == plain[-1:] and len(plain) in borders
            plain += shown[doubled:]
            continue
        borders.add(len(plain))
        if (opening := tag.opening.fullmatch(piece)) is not None:
            if not opening[2]:
                opened.append((int(opening[1]), len(plain)))
        elif opened and tag.closing.fullmatch(piece):
            number, start = opened.pop()
            found.append((number, (start, len(plain))))
        else:
            return None
    stray = _STRAY.search(plain) and not _STRAY.search(text)
    lacks_blank = any(
        is_inside_word(plain, border)
        or (plain[border - 1 : border] in _BEFORE_BLANKS and plain[border : border + 1].isalpha())
        for border in borders
        if border > 0
    )
    if opened or stray or lacks_blank:
        return None
    links = [Match(words[n - 1], span) for n, span in found if 1 <= n <= len(words)]
    return Translation(plain, keep_consistent(words, plain, links))


_STRAY = re.compile(r"  | [.,](?!\w)")
_BEFORE_BLANKS = frozenset(",.;:!?…)]»”%")


def keep_consistent(words: Iterable[Span], answer: str, links: Iterable[Match]) -> Alignment:
    """Return those of ``links`` that may be true, without white space and marks at their ends.

    A link is kept if it is from one of the marked ``words`` to one place in ``answer`` that is not
    blank, is inside the answer and is claimed by no other word. Several places of one word count as
    one if only blanks are between them.
    """
    known = frozenset(words)
    places: dict[Span, list[Span]] = defaultdict(list)
    for source, (start, end) in links:
        if source in known:
            places[source].append((start, end))
    claimed = [
        Match(source, span)
        for source, spans in places.items()
        if (span := _merge_spans(answer, spans)) is not None
    ]
    ordered = sorted(claimed, key=lambda match: match.target)
    overlapping = {
        match
        for other in ordered
        for match in ordered
        if match != other
        and match.target[0] < other.target[1]
        and other.target[0] < match.target[1]
    }
    return tuple(match for match in ordered if match not in overlapping)


def _merge_spans(answer: str, spans: Sequence[Span]) -> Span | None:
    """Merge ``spans`` into one that begins and ends with a letter or digit; None if impossible."""
    ordered = sorted(set(spans))
    start, end = ordered[0]
    for first, last in ordered[1:]:
        if first < end or answer[end:first].strip():
            return None
        end = last
    if not 0 <= start < end <= len(answer):
        return None
    shown = answer[start:end]
    signs = [place for place, sign in enumerate(shown, start) if sign.isalnum()]
    return (signs[0], signs[-1] + 1) if signs else None
