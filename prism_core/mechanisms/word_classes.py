"""Which tokens a mechanism may touch, which dictionary entry a token has, and its letter case.

entry: ``WordClasses.of_all`` for a sentence, ``classify`` for a token; ``in_case_of`` writes a
substitute in the case of the word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from operator import attrgetter

from prism_core.dictionary import Dictionary, Entry
from prism_core.language import Sentence, Token
from prism_core.languages import Language

NOUNS = ("NN", "NNS")
_DETERMINERS = ("DT", "PDT", "PRP$", "POS")
"""After one of these, *next week* is a noun and no adverb."""
_TEXT_AND_TAG = attrgetter("text", "tag")
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


GRAMMAR = Word(WordClass.GRAMMAR)
UNKNOWN = Word(WordClass.UNKNOWN)
"""The only words of these two classes."""


def classify(token: Token, dictionary: Dictionary) -> Word:
    """The class of ``token``. Only the fixed list of function words makes a word grammar.

    A word whose tag the dictionary lacks takes its most confident other sense: a heading's
    *Agreement* is tagged as a proper noun, a participle as a past tense.
    """
    parts = _LETTERS.findall(token.text)
    is_kept = dictionary.language.is_function_word
    if all(map(is_kept, parts)) or is_kept(token.text):
        return GRAMMAR
    if not _has_plain_case(token.text):
        return UNKNOWN
    entry = dictionary.find(token.text, token.tag)
    if entry is None:
        senses = dictionary.senses(token.text)
        entry = senses[0] if senses else None
    return Word(WordClass.ENTRY, entry) if entry else UNKNOWN


class WordClasses:
    """The classes of the tokens of whole sentences.

    Two tokens are one word where the dictionary has them as a phrase with a confidence of at least
    ``phrases_from``. What is public is looked up once: a word of the dictionary, a function word or
    a single character under a tag. No other word of a text is remembered.
    """

    def __init__(self, dictionary: Dictionary, *, phrases_from: float = math.inf) -> None:
        self._dictionary = dictionary
        self._is_kept = dictionary.language.is_function_word
        self._phrases_from = phrases_from
        self._phrase_starts = frozenset(
            entry.word.split()[0]
            for entry in dictionary
            if " " in entry.word and entry.confidence >= phrases_from
        )
        self._public: dict[tuple[str, str], Word] = {}

    def of_all(self, sentence: Sentence, identifiers: frozenset[int]) -> dict[int, Word]:
        """The class of every token of ``sentence`` outside ``identifiers``, by position."""
        tokens = sentence.tokens
        known = map(self._public.get, map(_TEXT_AND_TAG, tokens))
        words = {
            position: word or self._of(tokens[position])
            for position, word in enumerate(known)
            if position not in identifiers
        }
        for position, phrase in self._phrases(sentence, identifiers):
            words[position] = Word(WordClass.ENTRY, phrase, length=2)
            del words[position + 1]
        return words

    def _phrases(
        self, sentence: Sentence, identifiers: frozenset[int]
    ) -> Iterator[tuple[int, Entry]]:
        """Where two tokens outside ``identifiers`` are one word, and which; none is in two."""
        lower = list(map(str.lower, sentence.words))
        if self._phrase_starts.isdisjoint(lower):
            return
        inside = -1
        for position in [i for i, word in enumerate(lower) if word in self._phrase_starts]:
            if position not in identifiers and position != inside:
                phrase = self._phrase_at(sentence, position, identifiers)
                if phrase:
                    yield position, phrase
                    inside = position + 1

    def _of(self, token: Token) -> Word:
        word = classify(token, self._dictionary)
        if word.entry is not None or len(token.text) == 1 or self._is_kept(token.text):
            self._public[token.text, token.tag] = word
        return word

    def _phrase_at(
        self, sentence: Sentence, position: int, identifiers: frozenset[int]
    ) -> Entry | None:
        if position + 1 == len(sentence.tokens) or position + 1 in identifiers:
            return None
        first, second = sentence.tokens[position : position + 2]
        if first.whitespace != " " or not second.text.islower() or not _has_plain_case(first.text):
            return None
        phrase = self._dictionary.phrase(first.text, second.text)
        if phrase is None or phrase.confidence < self._phrases_from:
            return None
        determined = position > 0 and sentence.tokens[position - 1].tag in _DETERMINERS
        return None if determined and phrase.tag not in NOUNS else phrase


def in_case_of(word: str, pattern: str) -> str:
    """``word`` in the case of ``pattern``: capitals, a capital first letter, or as it is."""
    if pattern.islower():
        return word
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    if pattern[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


def own_case(word: str, language: Language) -> str:
    """``word`` as a pattern for ``in_case_of``; the pronoun *I* is a capital everywhere."""
    return word.lower() if word in language.words.always_capital else word


def _has_plain_case(word: str) -> bool:
    """Whether ``word`` can be restored from its lower-case form and the case of its place."""
    return word.islower() or word.isupper() or word == word[:1].upper() + word[1:].lower()


def follows_article(sentence: Sentence, position: int, language: Language) -> bool:
    """Whether the token before is an article whose form hangs on the next word: *a* or *an*."""
    before = sentence.tokens[position - 1].text if position else ""
    return before.lower() in language.words.indefinite_articles
