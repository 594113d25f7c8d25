"""The slots of nouns, held against the article and the adjectives before them.

A small tagger mistakes the gender and number of a noun that it has seldom seen, but the words
before it tell: no noun behind *das* is feminine. Entry: ``correct_noun_tags``.
"""

from __future__ import annotations

import re

from prism_core.language.sentence import PROPER_NOUNS, Sentence, Token, penn_tag
from prism_core.languages import Language

_FARTHEST = 4
"""So many adjectives are passed over."""


def correct_noun_tags(sentence: Sentence, language: Language) -> Sentence:
    """``sentence``, its nouns in slots that ``Grammar.noun_slots`` allows where they stand.

    Of those allowed the first is taken that the form of the word fits, one of the same number
    before others. Names, and nouns that no article stands before, stay as they are.
    """
    if not language.grammar.noun_slots:
        return sentence
    tokens = list(sentence.tokens)
    for place, token in enumerate(tokens):
        if place and penn_tag(token.tag) in ("NN", "NNS") and token.tag not in PROPER_NOUNS:
            tokens[place] = token._replace(tag=_mended(tokens, place, language))
    return Sentence(tuple(tokens))


def _mended(tokens: list[Token], place: int, language: Language) -> str:
    token, at = tokens[place], place - 1
    while at > max(0, place - _FARTHEST) and tokens[at].tag.startswith("JJ-"):
        at -= 1
    article, slots = tokens[at].text.lower(), language.grammar.noun_slots
    between = tokens[place - 1].tag if at < place - 1 else ""
    allowed = slots.get(f"{article} {between}") or slots.get(article, ())
    if not allowed or token.tag in allowed or token.tag.startswith("NN-A"):
        return token.tag
    forms = language.frames.forms
    fitting = [one for one in allowed if re.fullmatch(forms.get(one, ".*"), token.text.lower())]
    alike = [one for one in fitting if penn_tag(one) == penn_tag(token.tag)]
    return next(iter(alike or fitting), token.tag)
