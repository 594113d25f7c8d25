"""Long sentences in parts that can be translated each by itself.

Entry: ``split_clauses``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from prism_core.language.sentence import Sentence, Token, penn_tag
from prism_core.languages import Language

FEWEST = 4
"""Words of a part: a translator makes little of fewer."""
_OPENING = dict(zip("([{“«", ")]}”»", strict=True)) | {'"': '"'}
_SUBJECT = frozenset(("PRP", "DT", "EX"))
_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_LEADS_ON = frozenset(("IN", "CC", "TO", "DT"))
"""Tags of words that no part ends with."""


def split_clauses(sentence: Sentence, language: Language) -> list[Sentence]:
    """``sentence`` cut at its clauses; the texts of the parts, joined, are its text.

    After ``;``, after a comma before a subject or a word that begins a clause (``clause_first``:
    *and*, *which*), and before *that* or *when* (``clause_within``), where a finite verb follows
    before the next mark. Never within quotes or brackets, nor before a capital or a number: what
    stands first in a sentence is taken for a name less easily. Each part has ``FEWEST`` words.
    """
    parts: list[Sentence] = []
    start = 0
    for border in _borders(sentence.tokens, language):
        left, right = sentence.tokens[start:border], sentence.tokens[border:]
        if min(_words(left), _words(right)) < FEWEST:
            continue
        if left[-1].text == ";" or _has_verb(right):
            parts.append(Sentence(left))
            start = border
    return [*parts, Sentence(sentence.tokens[start:])]


def _borders(tokens: Sequence[Token], language: Language) -> Iterator[int]:
    """The places at which a clause may begin, from the first on."""
    first_words, within = language.boundaries.clause_first, language.boundaries.clause_within
    closing: list[str] = []
    for place, (token, after) in enumerate(pairwise(tokens), start=1):
        if closing and token.text == closing[-1]:
            closing.pop()
        elif token.text in _OPENING:
            closing.append(_OPENING[token.text])
        if closing or not token.whitespace or not after.text[0].islower():
            continue
        if token.text == ",":
            begins = after.text in first_words or after.tag in _SUBJECT
        else:
            begins = after.text in within and token.text.isalnum() and token.tag not in _LEADS_ON
        if begins or token.text == ";":
            yield place


def _words(tokens: Sequence[Token]) -> int:
    return sum(any(map(str.isalpha, token.text)) for token in tokens)


def _has_verb(tokens: Sequence[Token]) -> bool:
    """Whether there is a finite verb before the next mark."""
    for token in tokens:
        if token.text in (",", ";"):
            return False
        if penn_tag(token.tag) in _FINITE:
            return True
    return False
