"""Correction of noun tags by the article and the adjectives before them.

A small tagger mistakes the gender and number of a noun that it has seldom seen, but the words
before it are evidence: no noun after *das* is feminine. Entry: ``correct_noun_tags``.
"""

from __future__ import annotations

import re

from prism_core.language.sentence import PROPER_NOUNS, Sentence, Token, penn_tag
from prism_core.languages import Language

_MOST_ADJECTIVES = 4
"""Adjectives between article and noun that are skipped."""


def correct_noun_tags(sentence: Sentence, language: Language) -> Sentence:
    """Return ``sentence`` with noun tags that ``Grammar.noun_slots`` allows after their article.

    Of the allowed tags the first that fits the form of the word is taken, preferring one of the
    same number. Names, and nouns without an article before them, stay as they are.
    """
    if not language.grammar.noun_slots:
        return sentence
    tokens = list(sentence.tokens)
    for position, token in enumerate(tokens):
        if position and penn_tag(token.tag) in ("NN", "NNS") and token.tag not in PROPER_NOUNS:
            tokens[position] = token._replace(tag=_correct_tag(tokens, position, language))
    return Sentence(tuple(tokens))


def _correct_tag(tokens: list[Token], position: int, language: Language) -> str:
    token, before = tokens[position], position - 1
    while before > max(0, position - _MOST_ADJECTIVES) and tokens[before].tag.startswith("JJ-"):
        before -= 1
    article, slots = tokens[before].text.lower(), language.grammar.noun_slots
    between = tokens[position - 1].tag if before < position - 1 else ""
    allowed = slots.get(f"{article} {between}") or slots.get(article, ())
    if not allowed or token.tag in allowed or token.tag.startswith("NN-A"):
        return token.tag
    forms = language.frames.forms
    fitting = [tag for tag in allowed if re.fullmatch(forms.get(tag, ".*"), token.text.lower())]
    alike = [tag for tag in fitting if penn_tag(tag) == penn_tag(token.tag)]
    return next(iter(alike or fitting), token.tag)
