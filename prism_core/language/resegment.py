"""Splitting and joining of tokens: given spans become whole tokens, run-together words one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from itertools import compress, count, pairwise
from operator import attrgetter, not_

from prism_core.language.sentence import Sentence, Token
from prism_core.languages import Language

_PARTS = re.compile(r"[^\W\d_]+|\s+|.", re.DOTALL)


def cut_at(sentence: Sentence, borders: Iterable[int]) -> Sentence:
    """Split the tokens of ``sentence`` at character offsets ``borders``; its text stays the same.

    A part that is a word keeps the token's tag; parts are split into letters and marks.
    """
    offsets = sentence.offsets()
    starts = [start for start, _ in offsets]
    cuts: dict[int, list[int]] = defaultdict(list)
    for border in sorted(set(borders)):
        index = bisect_right(starts, border) - 1
        if index >= 0 and starts[index] < border < offsets[index][1]:
            cuts[index].append(border)
    tokens: list[Token] = []
    done = 0
    for index, within in cuts.items():
        start, end = offsets[index]
        tokens += sentence.tokens[done:index]
        tokens += _split_token(sentence.tokens[index], [start, *within, end])
        done = index + 1
    return Sentence((*tokens, *sentence.tokens[done:]))


def join_letters(sentence: Sentence, language: Language) -> Sentence:
    """Join tokens that run into each other letter to letter (*it*, *s* in a misspelt *its*).

    A substitute for one part would be glued to the other, and the decoder could not find it. Parts
    that are all function words (*can*, *not*) stay apart, and so do clitics (*n't*). Phrases
    abbreviated to letters (*z. B.*) become one token too.
    """
    sentence = _join_abbreviations(sentence, language.words.abbreviations)
    tokens = sentence.tokens
    gaps = map(attrgetter("whitespace"), tokens[:-1])
    glued = compress(count(), map(not_, gaps))
    if not any(_is_run_together(tokens[i], tokens[i + 1], language) for i in glued):
        return sentence
    joined: list[Token] = []
    for token in sentence.tokens:
        if joined and _is_run_together(joined[-1], token, language):
            before = joined.pop()
            text = before.text + token.text
            token = before._replace(text=text, whitespace=token.whitespace, lemma=text.lower())
        joined.append(token)
    return Sentence(tuple(joined))


def _join_abbreviations(sentence: Sentence, pattern: str) -> Sentence:
    text = sentence.text if pattern else ""
    found = [span.span() for span in re.finditer(pattern, text)] if "." in text else []
    if not found:
        return sentence
    joined: list[Token] = []
    inside = -1
    for token, (start, end) in zip(sentence.tokens, sentence.offsets(), strict=True):
        within = next(
            (number for number, span in enumerate(found) if span[0] <= start and end <= span[1]), -1
        )
        if within >= 0 and within == inside:
            before = joined.pop()
            whole = before.text + before.whitespace + token.text
            token = token._replace(text=whole, tag="RB", lemma=whole.lower(), entity="")
        joined.append(token)
        inside = within
    return Sentence(tuple(joined))


def _is_run_together(before: Token, token: Token, language: Language) -> bool:
    if before.whitespace or not (before.text[-1:].isalpha() and token.text[:1].isalpha()):
        return False
    if token.text.lower() in language.words.clitics:
        return False
    return not (language.is_function_word(before.text) and language.is_function_word(token.text))


def _split_token(token: Token, borders: list[int]) -> list[Token]:
    start = borders[0]
    parts: list[str] = []
    for left, right in pairwise(borders):
        part = token.text[left - start : right - start]
        parts.extend([part] if any(c.isnumeric() for c in part) else _PARTS.findall(part))
    pieces = [token._replace(text=part, whitespace="", lemma=part.lower()) for part in parts]
    pieces[-1] = pieces[-1]._replace(whitespace=token.whitespace)
    return pieces
