"""Names: entities, proper nouns, capitals that no ordinary word explains, and the user's own list.

Entry: ``NameDetector.find``; ``_is_name`` asks each word with a capital, ``spread`` adds
the words that belong to a name.

The entity recogniser alone misses names; the union of what is below is what protects. An unknown
capitalised word is a name until shown otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable

from prism_core.dictionary import Dictionary
from prism_core.identifiers.base import Identifier
from prism_core.identifiers.lists import ListedTerms
from prism_core.identifiers.name_places import BEGINS_ANEW, NamePlaces, stands_out
from prism_core.identifiers.name_words import names_that_are_words, role_words, spread
from prism_core.language import Sentence, Token
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

CLASSES = {
    "NAME": IdentifierClass.NAME,
    "ORGANISATION": IdentifierClass.NAME,
    "PERSON": IdentifierClass.NAME,
    "PLACE": IdentifierClass.GEOGRAPHY,
}
"""The classes that the labels of names are counted in."""
_LABELS = {"PER": "PERSON", "ORG": "ORGANISATION", "LOC": "PLACE"}
_PROPER = ("NNP", "NNPS")


class NameDetector:
    """Finds names, one identifier a token.

    A capitalised word that the dictionary knows as an ordinary word (*Agreement*, *Services*) is
    not a name unless it is an entity of a person or place, follows an honorific, is a name too
    (*Grace*, *Reading*) and no beginning, or stands next to a name: such a word is replaced like
    any other, so nothing of it is sent either way. Nouns of courts and clinics (*Plaintiff*) name
    nobody, and neither does an ordinary word that is a line of its own (*Budget*).
    """

    def __init__(self, dictionary: Dictionary, listed: Iterable[str] = ()) -> None:
        self._dictionary = dictionary
        terms = list(listed)
        self._listed = ListedTerms(terms, dictionary.language) if terms else None
        self._language = dictionary.language
        self._words = self._language.words
        self._roles = role_words(self._language)
        self._also_words = names_that_are_words(self._language)
        self._places = NamePlaces(self._language)

    def find(self, sentence: Sentence) -> list[Identifier]:
        """The names of ``sentence``, in order."""
        tokens, words = sentence.tokens, sentence.words
        places = [i for i, is_lower in enumerate(map(str.islower, words)) if not is_lower]
        places = [i for i in places if len(words[i]) > 1 or words[i].isalpha()]  # no marks
        asked = self._places.asked(tokens, words)
        if not (places or asked or self._listed):
            return []
        listed = self._listed.find(words) if self._listed else set()
        alone = len(places) == 1 and sum(map(str.isalpha, words)) == 1
        dates = {i for i in places if self._is_calendar(tokens, i)}
        others = [i for i in places if i not in dates]
        names = {i for i in others if self._is_name(tokens, i, tokens[i], alone=alone)} | asked
        names = spread(tokens, names | listed, places, self._may_join, self._language)
        beside = set(self._places.beside(tokens, names))
        found = [
            Identifier(i, 1, _LABELS.get(tokens[i].entity, "NAME"), Kind.NAME)
            for i in names - asked - beside
        ]
        found += [Identifier(i, 1, "PERSON", Kind.NAME) for i in asked | beside]
        names |= beside
        found += [Identifier(i, 1, "DATE", Kind.WORD) for i in dates - names]
        return sorted(found)

    def is_listed(self, word: str) -> bool:
        """Whether ``word`` is on the user's list, in any spelling."""
        return self._listed is not None and word in self._listed

    def is_ordinary(self, word: str) -> bool:
        """Whether ``word`` is public: in the dictionary, or a noun of courts and clinics."""
        return self._dictionary.knows(word) or word.lower() in self._roles

    def _is_name(self, tokens: tuple[Token, ...], index: int, token: Token, *, alone: bool) -> bool:
        text, lower = token.text, token.text.lower()
        if not any(map(str.isalpha, text)):
            return False
        if lower in self._words.function_words:  # *Will*, *May*, *An* by tag or entity alone
            tagged = token.tag in _PROPER and text.istitle()
            if (token.entity == "PER" or tagged) and not self._is_honorific(token):
                return True
            return self._fills_in(tokens, index) and text.istitle()
        if self._is_role(token):
            return False
        if self._is_honorific(token):
            return False
        mere_word = alone and self.is_ordinary(text) and lower not in self._also_words
        if token.entity in ("PER", "LOC") and not mere_word:
            return True
        before = [other for other in tokens[max(0, index - 2) : index] if other.text != "."]
        return (
            (bool(before) and self._is_honorific(before[-1]))
            or self._fills_in(tokens, index)
            or self._is_name_within(tokens, index)
            or not self._dictionary.knows(text)
        )

    def _is_role(self, token: Token) -> bool:
        lower = token.text.lower()
        return lower in self._roles and lower not in self._also_words

    def _is_name_within(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Whether the word is a name that is a word too, with a capital that no beginning explains.

        In a line of capitals, or of words that all begin with one, the capital tells nothing.
        """
        text = tokens[index].text
        if text.lower() not in self._also_words or not text.istitle() or index == 0:
            return False
        if tokens[index - 1].text[-1:] in BEGINS_ANEW and tokens[index - 1].text != ".":
            return tokens[index].tag in _PROPER
        return stands_out(tokens, index)

    def _may_join(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Whether the word at ``index`` may be part of the name beside it."""
        token = tokens[index]
        text = token.text
        if text in self._words.saints:
            return True
        grammar = (
            self._language.is_function_word(text)
            or self._is_honorific(token)
            or self._is_role(token)
        )
        plain = text.isalpha() and text[:1].isupper() and not grammar
        return plain and not self._is_calendar(tokens, index)

    def _is_calendar(self, tokens: tuple[Token, ...], index: int) -> bool:
        token = tokens[index]
        if token.text.islower() or self._dictionary.calendar_entry(token.text) is None:
            return False
        beside = tokens[max(0, index - 1) : index] + tokens[index + 1 : index + 2]
        if any(other.text[:1].isdecimal() for other in beside):
            return True
        ambiguous = token.text.lower() in self._language.dates.ambiguous
        return token.entity != "PER" and (not ambiguous or token.tag in _PROPER)

    def _fills_in(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Whether the word stands where a form asks for a name: *Surname: Long*."""
        asks = index > 1 and tokens[index - 1].text == ":"
        return asks and tokens[index - 2].text.lower() in self._words.name_fields

    def _is_honorific(self, token: Token) -> bool:
        return token.text.lower().rstrip(".") in self._words.honorifics
