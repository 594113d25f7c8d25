"""Word classes: which tokens a mechanism may touch, their dictionary entry and letter case.

Entry: ``WordClasses.classify_all`` for a sentence, ``classify`` for a token; ``in_case_of`` writes
a substitute in the case of the word.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

from prism_core.dictionary import Dictionary, Entry, Glossary
from prism_core.language import PROPER_NOUNS, Sentence, Token, penn_tag
from prism_core.languages import Language, read_telling, telling_part

NOUNS = ("NN", "NNS")
_NOUN_OR_ADJECTIVE = ("NN", "JJ")
_NOMINAL = (*_NOUN_OR_ADJECTIVE, "JJR", "JJS", "RB")
_SURELY = 0.5
"""Least confidence of a sense that a word is taken for, before its other senses are looked at."""
_DETERMINERS = ("DT", "PDT", "PRP$", "POS")
"""Tags of determiners. After one of these, *next week* is a noun and no adverb."""
_MOST_REMEMBERED = 8192
"""Most words under a tag whose classes are kept; in fresh text 9 of 10 tokens find theirs."""
_TEXT_AND_TAG = attrgetter("text", "tag")
_Phrases = Mapping[tuple[str, str], Sequence[list[str]]]
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True, eq=False)
class WordClass:
    """Class of a token: its entry, which may be that of ``length`` tokens.

    Without an entry it is ``GRAMMAR`` or ``UNKNOWN``. ``hides_as`` is the tag that it hides under,
    where that is not its entry's.
    """

    entry: Entry | None = None
    length: int = 1
    hides_as: str = ""


GRAMMAR = WordClass()
"""Class of punctuation, white space and function words, which are kept."""
UNKNOWN = WordClass()
"""Class of a content word that the dictionary does not have."""


def classify(token: Token, dictionary: Dictionary) -> WordClass:
    """Return the class of ``token``. Only the fixed list of function words makes a word grammar.

    A word whose tag the dictionary lacks takes its most confident other sense, first of those that
    are surely of the same part of speech; a participle is taken as a past tense. A word that is
    tagged as a proper noun (*the Roof*) counts as a noun, and is a verb if it is nothing else.
    """
    parts = _LETTERS.findall(token.text)
    is_kept = dictionary.language.is_function_word
    if all(map(is_kept, parts)) or is_kept(token.text):
        return GRAMMAR
    if not _has_plain_case(token.text):
        return UNKNOWN
    entry = dictionary.find(token.text, token.tag)
    if entry is None:
        part = penn_tag(token.tag)
        is_name = part in PROPER_NOUNS
        fitting = NOUNS if is_name or part in NOUNS else (part,)
        entry = min(
            dictionary.senses(token.text),
            key=lambda sense: (
                penn_tag(sense.tag) not in fitting or sense.confidence < _SURELY,
                is_name and sense.tag.startswith("VB"),
            ),
            default=None,
        )
    return WordClass(entry) if entry else UNKNOWN


class WordClasses:
    """Classes of the tokens of whole sentences.

    Several tokens are one word where the dictionary has them as a phrase with a confidence of at
    least ``phrases_from``; of a phrase below it each token is a word by itself. Terms of the user's
    glossary are one word too and go before phrases, and the language's function phrases are
    grammar, unless ``phrases_from`` is infinite. Public words are looked up once: a word of the
    dictionary, a function word or a single character under a tag. No other word of a text is
    remembered.
    """

    def __init__(self, dictionary: Dictionary, *, phrases_from: float = math.inf) -> None:
        self._dictionary = dictionary
        self._is_kept = dictionary.language.is_function_word
        self._telling = read_telling(dictionary.language.telling)
        self._phrases_from = phrases_from
        self._joins = phrases_from < math.inf
        self._grammar = frozenset(_list_function_phrases(dictionary.language))
        self._phrases, self.pairs = dictionary.keep(
            "phrases",
            self._index_phrases,
            repr((phrases_from, sorted(self._grammar))),
            (Path(__file__),),
        )
        self._public: dict[tuple[str, str], WordClass] = {}

    def _index_phrases(self) -> tuple[_Phrases, frozenset[tuple[str, str]]]:
        """Return the words of each phrase by its first two, the longest first, and their pairs.

        Pairs of adjacent words in phrases are not words by themselves, side by side.
        """
        known = (
            entry.word
            for entry in self._dictionary
            if entry.is_phrase and entry.confidence >= self._phrases_from
        )
        grammar = self._grammar if self._joins else ()
        found: dict[tuple[str, str], set[tuple[str, ...]]] = defaultdict(set)
        for phrase in (*grammar, *known):
            first, *words = phrase.replace("-", " - ").split()
            if words:
                found[first, words[0]].add((first, *words))
        pairs = frozenset(
            pair for of_first in found.values() for words in of_first for pair in pairwise(words)
        )
        return {
            pair: sorted(map(list, each), key=lambda words: (-len(words), words))
            for pair, each in found.items()
        }, pairs

    def classify_all(self, sentence: Sentence, identifiers: frozenset[int]) -> dict[int, WordClass]:
        """Return the class of every token of ``sentence`` outside ``identifiers``, by position."""
        tokens = sentence.tokens
        known = map(self._public.get, map(_TEXT_AND_TAG, tokens))
        words = {
            position: word or self._classify(tokens[position])
            for position, word in enumerate(known)
            if position not in identifiers
        }
        for position, word in words.items() if self._joins else ():
            if word.entry and (placed := self._hide_by_place(tokens, position)):
                words[position] = placed
        glossary = self._dictionary.glossary if self._joins else Glossary()
        terms = list(glossary.find(sentence, identifiers))
        taken = identifiers.union(*(range(at, at + length) for at, length, _ in terms))
        for position, length, phrase in (*terms, *self._find_phrases_in(sentence, taken)):
            inside = range(position, position + length)
            if phrase is None:
                words.update(dict.fromkeys(inside, GRAMMAR))
                continue
            words[position] = WordClass(phrase, length)
            for at in inside[1:]:
                del words[at]
        return dict(sorted(words.items())) if terms else words

    def _find_phrases_in(
        self, sentence: Sentence, identifiers: frozenset[int]
    ) -> Iterator[tuple[int, int, Entry | None]]:
        """Yield the position, length and entry of tokens outside ``identifiers`` that are one word.

        No token is in two of them. A phrase that is grammar as a whole has no entry. The longest
        phrase that begins at a token wins, and the first before those it overlaps.
        """
        lower = list(map(str.lower, sentence.words))
        free = 0
        for position, phrases in enumerate(map(self._phrases.get, pairwise(lower))):
            if phrases is None or position < free:
                continue
            for words in phrases:
                after = position + len(words)
                inside = range(position, after)
                if lower[position:after] != words or not identifiers.isdisjoint(inside):
                    continue
                is_grammar = self._is_grammar(sentence, position, words, identifiers)
                phrase = None if is_grammar else self._find_phrase_at(sentence, position, words)
                if phrase is not None or is_grammar:
                    yield position, len(words), phrase
                    free = after
                    break

    def _is_grammar(
        self,
        sentence: Sentence,
        position: int,
        words: Sequence[str],
        identifiers: frozenset[int],
    ) -> bool:
        """Return True if the phrase ``words`` at ``position`` is grammar as a whole.

        After a determiner it is a noun. It is a name, or has one, if a content word of it is one of
        an identifier (*Luz … a la luz de*) or has a capital behind its first word (*a Costa de*).
        In capitals a phrase of content words is one before an identifier.
        """
        is_noun = position > 0 and sentence.tokens[position - 1].tag in _DETERMINERS
        if is_noun or _write_phrase(words) not in self._grammar:
            return False
        after, content = position + len(words), [word for word in words if not self._is_kept(word)]
        if not list_lower_words(sentence, identifiers).isdisjoint(content):
            return False
        texts = sentence.words[position:after]
        if all(map(str.isupper, texts)):
            return after not in identifiers or len(content) < len(words)
        return not any(text[:1].isupper() and not self._is_kept(text) for text in texts[1:])

    def _classify(self, token: Token) -> WordClass:
        word = classify(token, self._dictionary)
        is_public = word.entry is not None or len(token.text) == 1 or self._is_kept(token.text)
        if is_public and len(self._public) < _MOST_REMEMBERED:
            self._public[token.text, token.tag] = word
        return word

    def _hide_by_place(self, tokens: Sequence[Token], position: int) -> WordClass | None:
        """Return a telling word as the part of speech that its place asks for; None for any other.

        It is an adjective where it may be one, unless it stands between an article and a mark,
        function word or verb, as is sent; else a noun. The tagger's choice does not count: of two
        such words in one place the tag would reveal which it was.
        """
        token, language = tokens[position], self._dictionary.language
        word = token.text.lower()
        if token.tag not in _NOMINAL or (word, telling_part(token.tag)) not in self._telling:
            return None
        is_noun = (word, "b") in self._telling or (word, "a") not in self._telling
        if not is_noun and (word, "n") in self._telling:
            before = tokens[position - 1].text.lower() if position else ""
            after = tokens[position + 1] if position + 1 < len(tokens) else Token("", "", "")
            ends = not any(map(str.isalnum, after.text)) or language.is_function_word(after.text)
            is_noun = (ends or after.tag[:2] == "VB") and before in language.words.before_noun
        tag = "NN" if is_noun else "JJ"
        senses = {entry.tag: entry for entry in self._dictionary.senses(word)}
        known = [senses[noun_tag] for noun_tag in _NOUN_OR_ADJECTIVE if noun_tag in senses]
        if not known or (token.tag not in _NOUN_OR_ADJECTIVE and "JJ" not in senses):
            return None  # an adverb
        if tag in senses:
            return WordClass(senses[tag])
        return WordClass(known[0], hides_as=tag) if tag in self._dictionary.by_tag else None

    def _find_phrase_at(
        self, sentence: Sentence, position: int, words: Sequence[str]
    ) -> Entry | None:
        """Return the entry of ``words``, found at ``position``, if they are a phrase there."""
        after = position + len(words)
        first, *others = sentence.tokens[position:after]
        text = "".join(token.text + token.whitespace for token in (first, *others)).strip().lower()
        parts = [token.text for token in others if token.text != "-"]
        is_written_as_one = (
            text == _write_phrase(words)
            and _has_plain_case(first.text)
            and (
                all(map(str.islower, parts))
                or (  # *Business Day*
                    first.text[0].isupper()
                    and all(part[0].isupper() for part in parts)
                    and all(in_case_of(part.lower(), first.text) == part for part in parts)
                )
            )
        )
        if not is_written_as_one:
            return None
        before, behind = sentence.tokens[:position][-1:], sentence.tokens[after : after + 1]
        phrase = self._dictionary.find(text, first.tag) or self._dictionary.phrase(text)
        if phrase is None or phrase.confidence < self._phrases_from:
            return None
        if "-" in words:
            return phrase
        if penn_tag(phrase.tag) in NOUNS:
            return phrase if any(token.tag[:2] == "NN" for token in (first, *others)) else None
        if phrase.tag.startswith("VB"):
            is_own = phrase.tag == first.tag or {phrase.tag, first.tag} == {"VB", "VBP"}
            return phrase if is_own else None
        is_determined = bool(before) and before[0].tag in _DETERMINERS
        is_within_noun = bool(behind) and penn_tag(behind[0].tag) in NOUNS
        return None if is_determined or is_within_noun else phrase


def _list_function_phrases(language: Language) -> Iterator[str]:
    """Yield the phrases that are grammar, also with a contraction as last word (*debido al*)."""
    for phrase in language.words.function_phrases:
        yield phrase
        *start, last = phrase.split()
        for contracted, (preposition, _) in language.words.contracted.items():
            if preposition == last:
                yield " ".join((*start, contracted))


def list_lower_words(sentence: Sentence, positions: Iterable[int]) -> set[str]:
    """List the words at ``positions`` in lower case."""
    return {sentence.tokens[position].text.lower() for position in positions}


def _write_phrase(words: Sequence[str]) -> str:
    """Join the tokens of a phrase as the dictionary has it: no blanks beside a hyphen."""
    return " ".join(words).replace(" - ", "-")


def in_case_of(word: str, pattern: str) -> str:
    """Write ``word`` in the case of ``pattern``: capitals, a capital first letter, or as it is."""
    if pattern.islower():
        return word
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    return capitalise(word) if pattern[:1].isupper() else word


def capitalise(text: str) -> str:
    """Write ``text`` with a capital first letter; the others stay as they are."""
    return text[:1].upper() + text[1:]


def own_case(word: str, language: Language) -> str:
    """Return ``word`` as a pattern for ``in_case_of``; the pronoun *I* is a capital everywhere."""
    return word.lower() if word in language.words.always_capital else word


def _has_plain_case(word: str) -> bool:
    """Return True if ``word`` can be restored from its lower-case form and its place's case."""
    return word.islower() or word.isupper() or word == word[:1].upper() + word[1:].lower()
