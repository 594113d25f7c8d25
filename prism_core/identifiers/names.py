"""Names: entities, proper nouns, capitals that no ordinary word explains, and the user's own list.

The entity recogniser alone misses names; the union of what is below is what protects. An unknown
capitalised word is a name until shown otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prism_core.dictionary.dictionary import Dictionary
from prism_core.identifiers.base import Identifier
from prism_core.identifiers.normal_form import normalise
from prism_core.language.function_words import TITLES, is_function_word
from prism_core.language.sentence import Sentence, Token
from prism_core.mechanisms.base import Kind

_LABELS = {"PER": "PERSON", "ORG": "ORGANISATION", "LOC": "PLACE"}
_HONORIFICS = TITLES | frozenset(
    "lady lord judge justice captain sergeant officer nurse st rev".split()
)
_PROPER = ("NNP", "NNPS")


class NameDetector:
    """Finds names, one identifier a token.

    A capitalised word that the dictionary knows as an ordinary word (*Agreement*, *Services*) is
    not a name unless it is an entity of a person or place, follows an honorific, or stands next
    to a name: such a word is replaced like any other, so nothing of it is sent either way.
    """

    def __init__(self, dictionary: Dictionary, listed: Iterable[str] = ()) -> None:
        self._dictionary = dictionary
        self._listed = frozenset(normalise(word) for term in listed for word in term.split())

    def find(self, sentence: Sentence) -> list[Identifier]:
        """The names of ``sentence``, in order."""
        tokens = sentence.tokens
        places = self._places(sentence.words)
        names = {i for i in places if self._is_name(tokens, i, tokens[i])}
        names = self._spread(tokens, names, places)
        found = []
        for i in places:
            if i in names:
                label = _LABELS.get(tokens[i].entity, "NAME")
                found.append(Identifier(i, 1, label, Kind.NAME))
            elif self._is_calendar(tokens, i):
                found.append(Identifier(i, 1, "DATE", Kind.WORD))
        return found

    def _places(self, words: Sequence[str]) -> list[int]:
        """Where names may stand: not at marks nor, without a list, at lower case."""
        if not self._listed:
            written = enumerate(map(str.islower, words))
            places: Sequence[int] = [i for i, is_lower in written if not is_lower]
        else:
            places = range(len(words))
        return [i for i in places if len(words[i]) > 1 or words[i].isalpha()]

    def is_listed(self, word: str) -> bool:
        """Whether ``word`` is on the user's list, in any spelling."""
        return bool(self._listed) and normalise(word) in self._listed

    def _is_name(self, tokens: tuple[Token, ...], index: int, token: Token) -> bool:
        if token.text.islower():
            return self.is_listed(token.text)
        if not any(c.isalpha() for c in token.text):
            return False
        if self.is_listed(token.text):
            return True
        if self._is_calendar(tokens, index):
            return False
        if is_function_word(token.text):
            return _is_named_like_grammar(token)
        if token.entity in ("PER", "LOC") or _follows_honorific(tokens, index):
            return not _is_honorific(token)
        return not self._is_ordinary(token)

    def _is_ordinary(self, token: Token) -> bool:
        return self._dictionary.knows(token.text) or _is_honorific(token)

    def _spread(
        self, tokens: tuple[Token, ...], names: set[int], places: Sequence[int]
    ) -> set[int]:
        """A capital right after a name is part of it; one right before it, if it is tagged so.

        *Grant* in *Olivia Grant* is a name whatever its tag; a sentence may begin with any word.
        """
        if not names:
            return names
        spread = set(names)
        for i in places:
            if i - 1 in spread and self._is_capital_word(tokens, i):
                spread.add(i)
        for i in reversed(places):
            named = tokens[i].tag in _PROPER or tokens[i].entity != ""
            if i + 1 in spread and named and self._is_capital_word(tokens, i):
                spread.add(i)
        return spread

    def _is_capital_word(self, tokens: tuple[Token, ...], index: int) -> bool:
        text = tokens[index].text
        grammar = is_function_word(text) or _is_honorific(tokens[index])
        plain = text.isalpha() and text[:1].isupper() and not grammar
        return plain and not self._is_calendar(tokens, index)

    def _is_calendar(self, tokens: tuple[Token, ...], index: int) -> bool:
        token = tokens[index]
        if token.text.islower() or self._dictionary.calendar_entry(token.text) is None:
            return False
        ambiguous = token.text.lower() in ("may", "march")
        proper = token.tag in _PROPER or _stands_beside_number(tokens, index)
        return token.entity != "PER" and (proper or not ambiguous)


def _stands_beside_number(tokens: tuple[Token, ...], index: int) -> bool:
    beside = tokens[max(0, index - 1) : index] + tokens[index + 1 : index + 2]
    return any(token.text[:1].isdecimal() for token in beside)


def _is_named_like_grammar(token: Token) -> bool:
    """*Will*, *May*, *An*: function words that are names too, told by tag or entity alone."""
    if _is_honorific(token):
        return False
    return token.entity == "PER" or (token.tag in _PROPER and token.text.istitle())


def _follows_honorific(tokens: tuple[Token, ...], index: int) -> bool:
    before = [token for token in tokens[max(0, index - 2) : index] if token.text != "."]
    return bool(before) and _is_honorific(before[-1])


def _is_honorific(token: Token) -> bool:
    return token.text.lower().rstrip(".") in _HONORIFICS
