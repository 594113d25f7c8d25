"""Which tokens a mechanism may touch, and which dictionary entry a token has."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import Enum, auto

from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.entry import Entry
from prism_core.language.function_words import is_function_word
from prism_core.language.sentence import Sentence, Token

NOUNS = ("NN", "NNS")
_DETERMINERS = ("DT", "PDT", "PRP$", "POS")
"""After one of these, *next week* is a noun and no adverb."""
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class WordClass(Enum):
    """What a token is to a mechanism that reads the dictionary."""

    GRAMMAR = auto()
    """Punctuation, white space, function words: kept."""
    ENTRY = auto()
    """A word of the dictionary."""
    UNKNOWN = auto()
    """A content word that the dictionary does not have."""


@dataclass(frozen=True, slots=True)
class Word:
    """A token's class, and its entry when it has one, which may be that of ``length`` tokens."""

    kind: WordClass
    entry: Entry | None = None
    length: int = 1


_GRAMMAR = Word(WordClass.GRAMMAR)
_UNKNOWN = Word(WordClass.UNKNOWN)


def classify(token: Token, dictionary: Dictionary) -> Word:
    """The class of ``token``. Only the fixed list of function words makes a word grammar.

    A word whose tag the dictionary lacks takes its most confident other sense: a heading's
    *Agreement* is tagged as a proper noun, a participle as a past tense.
    """
    parts = _LETTERS.findall(token.text)
    if all(is_function_word(part) for part in parts) or is_function_word(token.text):
        return _GRAMMAR
    if not _has_plain_case(token.text):
        return _UNKNOWN
    entry = dictionary.find(token.text, token.tag)
    if entry is None:
        senses = dictionary.senses(token.text)
        entry = senses[0] if senses else None
    return Word(WordClass.ENTRY, entry) if entry else _UNKNOWN


def classify_all(
    sentence: Sentence,
    identifiers: frozenset[int],
    dictionary: Dictionary,
    *,
    phrases_from: float = math.inf,
) -> dict[int, Word]:
    """The class of every token outside ``identifiers``, by position.

    Two tokens are one word where the dictionary has them as a phrase with a confidence of at least
    ``phrases_from``.
    """
    words: dict[int, Word] = {}
    inside = -1
    for position, token in enumerate(sentence.tokens):
        if position in identifiers or position == inside:
            continue
        phrase = _phrase_at(sentence, position, dictionary)
        if phrase and phrase.confidence >= phrases_from and position + 1 not in identifiers:
            words[position] = Word(WordClass.ENTRY, phrase, length=2)
            inside = position + 1
        else:
            words[position] = classify(token, dictionary)
    return words


def _phrase_at(sentence: Sentence, position: int, dictionary: Dictionary) -> Entry | None:
    if position + 1 == len(sentence.tokens):
        return None
    first, second = sentence.tokens[position : position + 2]
    if first.whitespace != " " or not second.text.islower() or not _has_plain_case(first.text):
        return None
    phrase = dictionary.phrase(first.text, second.text)
    is_adverb = phrase is not None and phrase.tag not in NOUNS
    if is_adverb and position and sentence.tokens[position - 1].tag in _DETERMINERS:
        return None
    return phrase


def _has_plain_case(word: str) -> bool:
    """Whether ``word`` can be restored from its lower-case form and the case of its place."""
    return word.islower() or word.isupper() or word == word[:1].upper() + word[1:].lower()


def follows_article(sentence: Sentence, position: int) -> bool:
    """Whether the token before is *a* or *an*."""
    return position > 0 and sentence.tokens[position - 1].text.lower() in ("a", "an")
