"""Splitting of long sentences into clauses that can be translated independently.

Entry: ``split_clauses``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from prism_core.language.sentence import Sentence, Token, penn_tag
from prism_core.languages import Language

FEWEST = 4
"""Words of a part: translators do badly with fewer."""
_OPENING = dict(zip("([{“«", ")]}”»", strict=True)) | {'"': '"'}
_SUBJECT = frozenset(("PRP", "DT", "EX"))
_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_NEVER_LAST = frozenset(("IN", "CC", "TO", "DT"))
"""Tags of words that end no part."""


def split_clauses(sentence: Sentence, language: Language) -> list[Sentence]:
    """Split ``sentence`` at its clauses; the texts of the parts, joined, are its text.

    It is split after ``;``, after a comma before a subject or a word that begins a clause
    (``clause_first``: *and*, *which*), and before *that* or *when* (``clause_within``), where a
    finite verb follows before the next mark. It is never split within quotes or brackets, nor
    before a capital or a number, because a name is harder to recognise at the start of a sentence.
    Each part has at least ``FEWEST`` words.
    """
    parts: list[Sentence] = []
    start = 0
    for start_of_next in _clause_starts(sentence.tokens, language):
        left, right = sentence.tokens[start:start_of_next], sentence.tokens[start_of_next:]
        if min(_words(left), _words(right)) < FEWEST:
            continue
        if left[-1].text == ";" or _has_verb(right):
            parts.append(Sentence(left))
            start = start_of_next
    return [*parts, Sentence(sentence.tokens[start:])]


def _clause_starts(tokens: Sequence[Token], language: Language) -> Iterator[int]:
    """Yield the positions at which a clause may begin, in order."""
    first_words, within = language.boundaries.clause_first, language.boundaries.clause_within
    closing: list[str] = []
    for position, (token, after) in enumerate(pairwise(tokens), start=1):
        if closing and token.text == closing[-1]:
            closing.pop()
        elif token.text in _OPENING:
            closing.append(_OPENING[token.text])
        if closing or not token.whitespace or not after.text[0].islower():
            continue
        if token.text == ",":
            begins = after.text in first_words or after.tag in _SUBJECT
        else:
            begins = after.text in within and token.text.isalnum() and token.tag not in _NEVER_LAST
        if begins or token.text == ";":
            yield position


def _words(tokens: Sequence[Token]) -> int:
    return sum(any(map(str.isalpha, token.text)) for token in tokens)


def _has_verb(tokens: Sequence[Token]) -> bool:
    """Return True if a finite verb precedes the next mark."""
    for token in tokens:
        if token.text in (",", ";"):
            return False
        if penn_tag(token.tag) in _FINITE:
            return True
    return False
