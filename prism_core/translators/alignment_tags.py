"""Words of a text marked for a translator, and what the marks in its answer tell.

A provider that keeps markup in its place is sent the text with numbered tags around its words, and
where they stand in the answer tells which characters stand for which word. Which words are marked
depends on the text that is sent and on its language alone (``words_to_mark``): all content words
alike, whether they were replaced or kept. So whoever reads the text could put the same marks into
it, and marks show a provider nothing.

A language model is told the words by number instead (``number_words``), and answers with its own.

No mark is trusted. A link is kept only where it is to one place that no other link claims
(``keep_consistent``); an answer whose text itself may have suffered is None, and is to be asked
for again without marks.

Entry: ``tag_texts`` -> the provider -> ``read_texts`` -> ``read_tags`` -> ``keep_consistent``.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from prism_core.alignment import Alignment, Match, Span, Translation, is_inside_word
from prism_core.errors import BadAnswer
from prism_core.languages import load_language, source_languages

_WORD = re.compile(
    r"""(?<![^\s("'“„‘«¿¡\[—–])(?<!\w')[^\W\d_]{2,}(?:-[^\W\d_]+)*"""
    r"""(?=(?:['’]s)?[.,;:!?…)"'”’»\]—–]*(?:\s|\Z))"""
)
"""A word between blanks or punctuation: no part of a number, an address or an abbreviation."""


def words_to_mark(text: str, source: str) -> list[Span]:
    """The places of the words of ``text`` (x_pub, in the language ``source``) that are marked.

    They are all words of two letters and more but function words; of a possessive (*the ship's*)
    the word alone.
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
    """How a provider wants words marked: ``<element attribute=number>word</element>``.

    With ``strict`` the answer is XML, where an ampersand that begins no entity is a fault; else it
    is HTML. ``quote`` stands around the number.
    """

    element: str
    attribute: str
    quote: str = '"'
    strict: bool = False

    def around(self, number: int, word: str) -> str:
        """``word``, which is escaped, in its tag."""
        start = f"<{self.element} {self.attribute}={self.quote}{number}{self.quote}>"
        return f"{start}{word}</{self.element}>"

    @property
    def size(self) -> int:
        """The characters that it adds to a word, with a number of two digits."""
        return len(self.around(10, ""))

    @cached_property
    def opening(self) -> re.Pattern[str]:
        """A tag that opens, with its number; the slash of an empty element is its second group."""
        return re.compile(
            rf"<\s*{self.element}\s+{self.attribute}\s*=\s*[\"']?\s*(\d{{1,6}})\s*[\"']?\s*(/?)\s*>",
            re.IGNORECASE,
        )

    @cached_property
    def closing(self) -> re.Pattern[str]:
        """A tag that closes."""
        return re.compile(rf"<\s*/\s*{self.element}\s*>", re.IGNORECASE)


def tag_texts(texts: Sequence[str], source: str, tag: Tag) -> list[str]:
    """``texts`` with all ``words_to_mark`` in numbered tags."""
    return [tag_words(text, words_to_mark(text, source), tag) for text in texts]


def read_texts(
    texts: Sequence[str], answers: Sequence[str], source: str, tag: Tag
) -> list[Translation | None]:
    """What ``answers`` to ``tag_texts(texts, source, tag)`` say; see ``read_tags``.

    Raises ``BadAnswer`` when they are not one for each text.
    """
    if len(answers) != len(texts):
        raise BadAnswer(f"{len(answers)} answers came for {len(texts)} texts.")
    return [
        read_tags(text, words_to_mark(text, source), answer, tag)
        for text, answer in zip(texts, answers, strict=True)
    ]


def tag_words(text: str, words: Sequence[Span], tag: Tag) -> str:
    """``text``, escaped, with a numbered ``tag`` around each of ``words``, which are in order."""
    pieces: list[str] = []
    done = 0
    for number, (start, end) in enumerate(words, start=1):
        pieces += _escape(text[done:start]), tag.around(number, _escape(text[start:end]))
        done = end
    return "".join(pieces) + _escape(text[done:])


def _escape(text: str) -> str:
    return html.escape(text, quote=False)


_PIECES = re.compile(r"<[^<>]*>|[^<>]+|[<>]")
_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})


def read_tags(text: str, words: Sequence[Span], answer: str, tag: Tag) -> Translation | None:
    """What ``answer`` to ``tag_words(text, words, tag)`` says, without its tags.

    Doubled, empty, nested and invented tags, and those that are missing, cost their links; of the
    blanks on both sides of a tag one is left. None where the text cannot be trusted either: there
    is a tag that was not sent or is not closed, an ampersand that is none in XML, a tag within a
    word or between a comma and a word (a blank may be lost there), or a double blank, or one before
    a full stop or comma, that was not sent.
    """
    plain, opened = "", list[tuple[int, int]]()
    found, borders = list[tuple[int, Span]](), set[int]()
    for piece in _PIECES.findall(answer):
        if piece[0] not in "<>":
            shown = _unescape(piece, tag)
            if shown is None:
                return None
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
    if opened or stray or any(map(partial(_lacks_blank, plain), borders)):
        return None
    links = [Match(words[n - 1], span) for n, span in found if 1 <= n <= len(words)]
    return Translation(plain, keep_consistent(words, plain, links))


_STRAY = re.compile(r"  | [.,](?!\w)")
_BEFORE_BLANKS = frozenset(",.;:!?…)]»”%")


def _lacks_blank(text: str, border: int) -> bool:
    """Whether there is no blank at the ``border`` of a tag where there should be one."""
    runs_on = text[border - 1 : border] in _BEFORE_BLANKS and text[border : border + 1].isalpha()
    return is_inside_word(text, border) or (border > 0 and runs_on)


def _unescape(piece: str, tag: Tag) -> str | None:
    """``piece`` with its entities resolved, each once; None where XML has none such."""
    if tag.strict:
        rest = _ENTITY.sub(lambda m: "" if m[1][0] == "#" or m[1] in _OF_XML else "&", piece)
        if "&" in rest:
            return None
    return _ENTITY.sub(lambda match: html.unescape(match.group()), piece)


def number_words(text: str, source: str) -> list[str]:
    """All ``words_to_mark`` of ``text``, each with its number."""
    words = words_to_mark(text, source)
    return [f"{n}={text[slice(*word)]}" for n, word in enumerate(words, start=1)]


def link_words(words: Sequence[Span], answer: str, told: object) -> Translation:
    """``answer``, with what the model ``told`` of the numbered ``words`` of the text.

    What is not in the form asked for, and words that do not stand in the answer or stand there
    more than once, say nothing.
    """
    links = []
    for claim in told if isinstance(told, list) else []:
        number, _, shown = claim.partition("=") if isinstance(claim, str) else ("", "", "")
        place = _only_place(shown.strip(), answer)
        if place and re.fullmatch("[0-9]{1,4}", number.strip()):
            index = int(number) - 1
            links += [Match(words[index], place)] if 0 <= index < len(words) else []
    return Translation(answer, keep_consistent(words, answer, links))


def _only_place(shown: str, text: str) -> Span | None:
    """Where the whole words ``shown`` stand in ``text``; None where they do not, or twice."""
    spans = [match.span() for match in re.finditer(re.escape(shown), text)] if shown else []
    whole = [span for span in spans if not any(is_inside_word(text, place) for place in span)]
    return whole[0] if len(whole) == 1 else None


def keep_consistent(words: Iterable[Span], answer: str, links: Iterable[Match]) -> Alignment:
    """Those of ``links`` that may be true, each without white space and marks at its ends.

    They are to one of the marked ``words``, and to one place in ``answer`` that holds something, is
    inside it and is claimed by no other word. Several places of one word count as one where there
    is nothing but blanks between them.
    """
    known = frozenset(words)
    places: dict[Span, list[Span]] = defaultdict(list)
    for source, (start, end) in links:
        if source in known:
            places[source].append((start, end))
    claimed = [
        Match(source, span)
        for source, spans in places.items()
        if (span := _one_place(answer, spans)) is not None
    ]
    ordered = sorted(claimed, key=lambda match: match.target)
    overlapping = {
        match
        for one in ordered
        for match in ordered
        if match != one and match.target[0] < one.target[1] and one.target[0] < match.target[1]
    }
    return tuple(match for match in ordered if match not in overlapping)


def _one_place(answer: str, spans: Sequence[Span]) -> Span | None:
    """``spans`` as one, without what is no letter or digit at its ends; None if that is none."""
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
