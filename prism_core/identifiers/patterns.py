"""Identifiers with a fixed form: addresses, codes and everything that has a digit.

The patterns read the raw text, before tokens: a tokenizer cuts ``853-7906`` and ``01-Feb-02``
apart.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from prism_core.identifiers.base import Span
from prism_core.identifiers.surrogates.format_preserving import mail_address, web_address
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

CLASSES = {
    "CODE": IdentifierClass.OTHER,
    "EMAIL": IdentifierClass.EMAIL,
    "HANDLE": IdentifierClass.NAME,
    "LOGIN": IdentifierClass.OTHER,
    "NUMBER": IdentifierClass.OTHER,
    "PATH": IdentifierClass.OTHER,
    "URL": IdentifierClass.URL,
}
"""Report classes of the labels that these patterns give."""
SURROGATES = {"EMAIL": mail_address, "URL": web_address}
_DIGITS = r"\d²³¹⁰-⁹₀-₉¼-¾⅐-⅞"
_DIGIT = f"[{_DIGITS}]"
# *852B*, *AB*: a run with a digit, or up to five capitals.
_PIECE = rf"(?:[^\W\d_]*{_DIGIT}[^\W_]*|[A-Z]{{1,5}})"
_JOINED = r"(?<![^\W_])[^\W_]+(?:[-_.]+[^\W_]+)+"
"""Words joined by marks: *vp_772db6a*, *scan_04.jpg*, *jane_roe*. A tokenizer cuts them up."""
# *12*, *1,234.50*, *3/4*: digits with single marks between them.
_NUMBER = r"[0-9]+(?:[.,:'’/\-–][0-9]+)*"
# *jane.roe* in *jane.roe@example.org*, and its *example.org*.
_MAILBOX = r"(?:(?<![\w.+%'-])[\w.+%'-]+|[\w.+%'-]{1,256})"
# *{jane,jim.roe}* in *{jane,jim.roe}@example.org*, with or without blanks.
_MAILBOXES = r"[{(\[<][\w.+%'|,;/& -]{1,256}[})\]>]"
_HOST = r"(?:(?<![\w.-])[\w-]+(?:\.[\w-]+)*|[\w-]{1,63}(?:\.[\w-]{1,63}){0,9})"
"""Patterns that begin at the start of a mailbox or host, or else have a bounded length, so that a
long line without an address is read in linear time."""
_DOMAINS = "com|org|net|edu|gov|info|io|eu|uk|de|fr|es|int|mil"


class _Group(NamedTuple):
    """Labels and patterns in the order they are searched; every match contains the sign."""

    sign: re.Pattern[str]
    shapes: tuple[tuple[str, re.Pattern[str]], ...]


def _make_group(sign: str, *shapes: tuple[str, str]) -> _Group:
    return _Group(
        re.compile(sign), tuple((label, re.compile(pattern)) for label, pattern in shapes)
    )


_WITHOUT_DIGITS = (
    _make_group("@", ("EMAIL", rf"(?:{_MAILBOXES}|{_MAILBOX})@[\w-]+(?:\.[\w-]+)*")),
    _make_group(
        r"://|(?i:mailto:|www\.)",
        ("URL", r"(?i:(?:https?|ftp|file)://|mailto:|www\.)[^\s<>\"]*[\w/=&%]"),
    ),
    _make_group(rf"\.(?:{_DOMAINS})\b", ("URL", rf"\b{_HOST}\.(?:{_DOMAINS})\b(?:/\S*)?")),
    _make_group(r"[\\/]", ("PATH", r"(?:[A-Za-z]:)?(?:[\\/][\w.$~-]+){2,}")),
    _make_group(r"[^\W_]_+[^\W_]", ("CODE", _JOINED), ("LOGIN", _JOINED)),
    _make_group("[@#]", ("HANDLE", r"(?<![\w])[@#]\w+")),
)


@cache
def _build_groups(ordinal: str) -> tuple[_Group, ...]:
    alone = rf"(?<!\w)(?<!\w[-_/.]){_NUMBER}{ordinal}?(?![^\W_]|[-_/.][A-Z0-9])"
    code = rf"(?<![\w]){_PIECE}(?:[-_/.:]{_PIECE})*(?<=[\w²³¹⁰-⁹₀-₉])(?![^\W_])"
    rest = ("NUMBER", _NUMBER), ("CODE", rf"{_DIGIT}+|\d+")
    return (*_WITHOUT_DIGITS, _make_group(_DIGIT, ("NUMBER", alone), ("CODE", code), *rest))


_LISTED = re.compile(rf"{_MAILBOXES}@")
_LONGEST = 256
_WANTS_DIGIT = {"CODE", "NUMBER"}
_SIGN = re.compile(rf"[@#_/\\:.{_DIGITS}](?:(?<!\.)|(?=\w))")
"""Pattern that matches in the sign of every shape, to skip texts without any in one pass."""


@cache
def _lone_number_pattern(ordinal: str) -> re.Pattern[str]:
    """Compile the pattern of a number with nothing but marks around it, the most frequent case."""
    return re.compile(rf"[(\[\"'‘“$£€]*({_NUMBER}{ordinal}?)[)\]\"'’”%.,:;?!]*")


def find_spans(text: str, ordinal: str) -> list[Span]:
    """Return every span of a known form, in order; of two that overlap the earlier pattern wins.

    No character of ``text`` with a digit stays outside a span. ``ordinal`` is the pattern of an
    ordinal's ending in the language of ``text``.
    """
    spans: list[Span] = []
    last = 0
    for sign in _SIGN.finditer(text):
        if sign.start() >= last:  # a stretch between blanks; only mailboxes in brackets hold some
            first, last = text.rfind(" ", 0, sign.start()) + 1, text.find(" ", sign.end())
            last = len(text) if last < 0 else last
            for listed in _LISTED.finditer(text, max(first - _LONGEST, 0), last):
                if listed.end() > first > listed.start():
                    first = text.rfind(" ", 0, listed.start()) + 1
                    spans = [span for span in spans if span.end <= first]
            if lone := _lone_number_pattern(ordinal).fullmatch(text, first, last):
                spans.append(Span(*lone.span(1), "NUMBER", Kind.NUMBER))
            else:
                spans += _spans_between(text, first, last, ordinal)
    return spans


def _spans_between(text: str, start: int, end: int, ordinal: str) -> list[Span]:
    taken: list[Span] = []
    covered = bytearray(end - start)
    for sign, shapes in _build_groups(ordinal):
        if not sign.search(text, start, end):
            continue
        for label, pattern in shapes:
            for match in pattern.finditer(text, start, end):
                first, last = match.span()
                if any(covered[first - start : last - start]):
                    continue
                if not sign.search(text, first, last):
                    continue
                if label not in _WANTS_DIGIT or any(map(str.isnumeric, match.group())):
                    kind = Kind.NUMBER if label == "NUMBER" else Kind.CODE
                    taken.append(Span(first, last, label, kind))
                    covered[first - start : last - start] = b"\1" * (last - first)
    return sorted(taken)
