"""Words of grammar that are names since no sentence stands around them: sides of a case, what a
form asks for, lists of names.

Entry: ``StandaloneNames.find`` before the names of a sentence are known, ``listed`` after.

Where a word has a whole side, field or item for itself it has no grammar there: *Next v. Smith*,
*Witness: Next*, *Smith, Next, Jones*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prism_core.identifiers.name_words import PARTICLES, names_that_are_words
from prism_core.language import Token
from prism_core.languages import Language, read_words

Tokens = Sequence[Token]
MayBeName = Callable[[str], bool]
_AGAINST = frozenset("v vs c ./".split())
"""What stands between the sides of a case and nowhere else, without a full stop."""
_ALSO_PREPOSITIONS = frozenset("versus gegen contra contre".split())
"""What may stand in a sentence too: only where everything else has a capital."""
_BETWEEN_SIDES = _AGAINST | _ALSO_PREPOSITIONS
_BETWEEN = frozenset(",;/&•*-–—")
_DETERMINES = ("DT", "PDT", "JJ", "PRP", "CD")
_MOST_DIGITS = 2
"""Of the number of an item."""


class StandaloneNames:
    """Of ``language``; ``may_be_name`` says of a word whether it is grammar that may be a name."""

    def __init__(self, language: Language, may_be_name: MayBeName) -> None:
        words = language.words
        self._words, self._may_be_name = words, may_be_name
        self._is_function_word = language.is_function_word
        self._also_words = names_that_are_words(language)
        self._titles = words.honorifics & self._also_words
        fields = words.name_fields | words.person_fields | words.list_labels
        self._fields = fields | read_words(language.role_words)
        self._sure = words.capital_in_names | self._titles

    def find(self, tokens: Tokens, lower: Sequence[str]) -> set[int]:
        """The places of sides of a case, and of what fills in a field by itself; ``lower`` are the
        words of ``tokens`` in small letters, without full stops."""
        found = set[int]()
        if not _BETWEEN_SIDES.isdisjoint(lower):
            found.update(self._find_case_sides(tokens))
        if ":" in lower:
            found.update(self._find_field_values(tokens))
        return found

    def find_in_lists(self, tokens: Tokens, names: set[int]) -> set[int]:
        """The places of words in a list that has nothing but names: ``names`` are those known.

        A greeting before one name is none (*Hello, Mary*), nor is what an exclamation ends.
        """
        between = {name + 2 for name in names}.intersection(name - 2 for name in names)
        found = {position for position in between if self._is_enumerated(tokens, position)}
        return found | self._find_in_bare_list(tokens, names)

    def _is_enumerated(self, tokens: Tokens, position: int) -> bool:
        """Whether commas or conjunctions stand on both sides: *Süß, Frei und Berg*."""
        near = (tokens[position - 1], tokens[position + 1])
        are_apart = all(token.text == "," or token.tag == "CC" for token in near)
        is_both = (
            tokens[position].text.istitle() and tokens[position].text.lower() in self._also_words
        )
        return are_apart and (is_both or self._may_stand_alone(tokens[position]))

    def _find_in_bare_list(self, tokens: Tokens, names: set[int]) -> set[int]:
        items = self._split_items(tokens)
        if len(items) < 2:
            return set()
        if not any(names.issuperset(item) for item in items):
            return self._find_in_list_of_grammar(tokens, items)
        ends = tokens[items[-1][-1] + 1 :]
        if any(token.text in "!?" for token in ends if token.text.strip()):
            return set()
        alone = [item[0] for item in items if len(item) == 1 and item[0] not in names]
        found = {
            position
            for position in alone
            if self._may_stand_alone(tokens[position])
            or (self._is_title(tokens, position - 1) and self._may_be_name(tokens[position].text))
        }
        if len(items) == 2 and items[0][0] in found:
            first = tokens[items[0][0]].text.lower()
            if first not in self._sure or first in self._words.greetings:
                found.discard(items[0][0])
        return found

    def _find_in_list_of_grammar(self, tokens: Tokens, items: Sequence[Sequence[int]]) -> set[int]:
        """The items of a list that is nothing but words of grammar, each with a capital, and of
        more than one item: *Mehr, Ohne und Spät*, but not *Yes, No*."""
        words = [tokens[item[0]] for item in items]
        are_alone = all(len(item) == 1 for item in items)
        if not are_alone or any(token.text.lower() in self._words.alone for token in words):
            return set()
        places = {
            item[0]
            for item, token in zip(items, words, strict=True)
            if token.text.istitle() and self._may_be_name(token.text)
        }
        return places if places - {items[0][0]} else set()

    def _may_stand_alone(self, token: Token) -> bool:
        lower = token.text.lower()
        if not token.text[:1].isupper():
            return False
        if lower in self._titles:
            return True
        if lower in self._also_words and token.text.istitle():
            return self._may_be_name(token.text)
        answers = lower in self._words.salutations or token.tag.startswith(_DETERMINES)
        return self._may_be_name(token.text) and (lower in self._sure or not answers)

    def _is_small_name(self, token: Token) -> bool:
        """Whether it is grammar in small letters that is a name too: *cc: will, joy*."""
        return token.text in self._also_words and self._may_be_name(token.text)

    def _split_items(self, tokens: Tokens) -> list[list[int]]:
        """The items of a line that is a list, behind a label or not; none where it is no list: a
        word in small letters stands in it that is neither a conjunction nor part of a name."""
        items: list[list[int]] = [[]]
        first = (
            max((index for index, token in enumerate(tokens) if token.text == ":"), default=-1) + 1
        )
        for position, token in enumerate(tokens[first:], first):
            text = token.text
            if text in _BETWEEN or (token.tag == "CC" and not text.istitle()):
                items.append([])
            elif text.isdecimal() and len(text) <= _MOST_DIGITS and not items[-1]:
                continue  # *1. Might; 2. Must*
            elif any(map(str.isalpha, text)):
                is_name = text[:1].isupper() or text in PARTICLES
                if not (is_name or text in self._also_words):
                    return []
                items[-1].append(position)
            elif text.strip(" \t\n.!?)(") or any(map(str.isdigit, text)):
                return []
        parts = (self._drop_titles(tokens, item) for item in items)
        return [item for item in parts if item]

    def _drop_titles(self, tokens: Tokens, item: list[int]) -> list[int]:
        """``item`` without what somebody is: *Vorsitzender Richter Recht*."""
        of_titles = [
            index for index, position in enumerate(item[:-1]) if self._is_title(tokens, position)
        ]
        return item[of_titles[-1] + 1 :] if of_titles else item

    def _is_title(self, tokens: Tokens, position: int) -> bool:
        return position >= 0 and tokens[position].text.lower().rstrip(".") in self._words.honorifics

    def _find_field_values(self, tokens: Tokens) -> Iterator[int]:
        colon = max(index for index, token in enumerate(tokens) if token.text == ":")
        labels = {token.text.lower() for token in tokens[max(0, colon - 3) : colon]}
        labels |= {label.removesuffix("s") for label in labels}
        items = self._split_items(tokens)
        lists = len(items) > 1 and not self._words.list_labels.isdisjoint(labels)
        content = tokens[colon:-1] if lists else tokens[colon:]  # *Witness: Never.* answers
        if self._fields.isdisjoint(labels) or any(token.text in ".!?" for token in content):
            return
        for item in items:
            token = tokens[item[0]]
            if lists and len(item) == 1 and token.text.istitle() and self._may_be_name(token.text):
                yield item[0]  # *Present: Much, Any and Few*
            elif len(item) == 1 and (self._may_stand_alone(token) or self._is_small_name(token)):
                yield item[0]

    def _find_case_sides(self, tokens: Tokens) -> Iterator[int]:
        for position, token in enumerate(tokens[1:-1], 1):
            against = token.text.lower().rstrip(".")
            if against not in _BETWEEN_SIDES:
                continue
            if against in _ALSO_PREPOSITIONS and not _is_bare(tokens, position):
                continue
            after = position + 1 + (tokens[position + 1].text == ".")
            if after == len(tokens) or not tokens[after].text[:1].isupper():
                continue
            sides = ((position - 1, position - 2), (after, after + 1))
            if all(self._is_side(tokens, *side) for side in sides[:1]):
                yield position - 1
            if tokens[position - 1].text[:1].isupper() and self._is_side(tokens, *sides[1]):
                yield after

    def _is_side(self, tokens: Tokens, position: int, beyond: int) -> bool:
        """Whether the word is a side by itself: no other with a capital stands ``beyond`` it."""
        text = tokens[position].text
        may = self._may_be_name(text) or text.lower() in self._titles
        if not (text[:1].isupper() and may):
            return False
        other = tokens[beyond].text if 0 <= beyond < len(tokens) else ""
        return not other[:1].isupper() or self._is_function_word(other)


def _is_bare(tokens: Tokens, position: int) -> bool:
    """Whether all words but that at ``place`` have a capital."""
    rest = [
        token.text
        for index, token in enumerate(tokens)
        if index != position and token.text[:1].isalpha()
    ]
    return all(text[:1].isupper() for text in rest)
