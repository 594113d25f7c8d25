"""Names that no sentence surrounds: in form fields, letters, lists and the titles of cases.

``StandaloneNames`` finds function words that are sides of a case, values of form fields, or items
in lists of names: *Next v. Smith*, *Witness: Next*, *Smith, Next, Jones*. A word that fills a whole
side, field or item has no grammatical function there. ``FormFieldNames`` finds ordinary words, also
in small letters, after the label of a field or a greeting: *Médico: Ana Notario Barba*, *apellidos:
de la cruz bueno*, *Atentamente, Rosa Blanco*.

Entry: ``find`` of both before the names of a sentence are known, ``find_in_lists`` after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from prism_core.identifiers.name_words import name_words, names_that_are_words
from prism_core.language import Token
from prism_core.languages import Language, read_words

Tokens = Sequence[Token]
MayBeName = Callable[[str], bool]
_BETWEEN = frozenset(",;/&•*-–—")
_DETERMINES = ("DT", "PDT", "JJ", "PRP", "CD")
_MOST_DIGITS = 2
"""Most digits of an item's number."""


class StandaloneNames:
    """Finder of names that stand alone; ``may_be_name`` tests a function word."""

    def __init__(self, language: Language, may_be_name: MayBeName) -> None:
        words = language.words
        self._words, self._may_be_name = words, may_be_name
        self._also_prepositions = name_words().also_prepositions
        self._between_sides = name_words().against | self._also_prepositions
        self._is_function_word = language.is_function_word
        self._also_words = names_that_are_words(language)
        self._titles = words.honorifics & self._also_words
        fields = words.name_fields | words.person_fields | words.list_labels | words.honorifics
        self._fields = fields | read_words(language.role_words)
        self._sure = words.capital_in_names | self._titles

    def find(self, tokens: Tokens, lower: Sequence[str]) -> set[int]:
        """Return the positions of sides of a case and of words that fill a field.

        ``lower`` are the words of ``tokens`` in small letters, without full stops.
        """
        found = set[int]()
        if not self._between_sides.isdisjoint(lower):
            found.update(self._find_case_sides(tokens))
        if ":" in lower:
            found.update(self._find_field_values(tokens))
        return found

    def find_in_lists(self, tokens: Tokens, names: set[int]) -> set[int]:
        """Return the positions of words in a list that otherwise has only names, ``names``.

        A greeting before one name does not count (*Hello, Mary*), nor a list that ends in an
        exclamation mark.
        """
        found = set[int]()
        for position in {name + 2 for name in names}.intersection(name - 2 for name in names):
            token, near = tokens[position], (tokens[position - 1], tokens[position + 1])
            if all(mark.text == "," or mark.tag == "CC" for mark in near) and (
                (token.text.istitle() and token.text.lower() in self._also_words)
                or self._may_stand_alone(token)
            ):
                found.add(position)  # *Süß, Frei und Berg*
        return found | self._find_in_bare_list(tokens, names)

    def _find_in_bare_list(self, tokens: Tokens, names: set[int]) -> set[int]:
        items = self._split_items(tokens)
        if len(items) < 2:
            return set()
        words = [tokens[item[0]] for item in items]
        if not any(names.issuperset(item) for item in items):  # *Mehr, Ohne und Spät*
            are_alone = all(len(item) == 1 for item in items)
            if not are_alone or any(token.text.lower() in self._words.alone for token in words):
                return set()  # an answer: *Yes, No*
            places = {
                item[0]
                for item, token in zip(items, words, strict=True)
                if token.text.istitle() and self._may_be_name(token.text)
            }
            return places if places - {items[0][0]} else set()
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

    def _split_items(self, tokens: Tokens) -> list[list[int]]:
        """Split a line that is a list, with a label or not, into items; return none for others.

        A word in small letters that is neither a conjunction nor part of a name excludes a list,
        unless it stands in brackets: *Witness: Down (mother)*.
        """
        items: list[list[int]] = [[]]
        depth = 0
        first = (
            max((index for index, token in enumerate(tokens) if token.text == ":"), default=-1) + 1
        )
        for position, token in enumerate(tokens[first:], first):
            text = token.text
            depth += (text == "(") - (text == ")")
            if depth > 0:
                continue
            if text in _BETWEEN or (token.tag == "CC" and not text.istitle()):
                items.append([])
            elif text.isdecimal() and len(text) <= _MOST_DIGITS and not items[-1]:
                continue  # *1. Might; 2. Must*
            elif any(map(str.isalpha, text)):
                is_name = text[:1].isupper() or text in name_words().particles
                if not (is_name or text in self._also_words):
                    return []
                items[-1].append(position)
            elif text.strip(" \t\n.!?)(") or any(map(str.isdigit, text)):
                return []
        for item in items:  # *Vorsitzender Richter Recht*
            titles = [i for i, position in enumerate(item[:-1]) if self._is_title(tokens, position)]
            del item[: titles[-1] + 1 if titles else 0]
        return [item for item in items if item]

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
            elif len(item) == 1 and (
                self._may_stand_alone(token)
                or (token.text in self._also_words and self._may_be_name(token.text))
            ):
                yield item[0]  # *cc: will, joy*

    def _find_case_sides(self, tokens: Tokens) -> Iterator[int]:
        for position, token in enumerate(tokens[1:-1], 1):
            against = token.text.lower().rstrip(".")
            if against not in self._between_sides:
                continue
            others = (*tokens[:position], *tokens[position + 1 :])
            if against in self._also_prepositions and any(
                word.text[:1].isalpha() and not word.text[:1].isupper() for word in others
            ):
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
        """Return True if the word is a side: no other capitalised word stands ``beyond`` it."""
        text = tokens[position].text
        may = self._may_be_name(text) or text.lower() in self._titles
        if not (text[:1].isupper() and may):
            return False
        other = tokens[beyond].text if 0 <= beyond < len(tokens) else ""
        return not other[:1].isupper() or self._is_function_word(other)


_MOST_WORDS = 7
_MOST_IN_SMALL = 4
"""Most words of a name in small letters, particles aside; more of them are a sentence."""
_MOST_OF_LABEL = 4
# *Dra.*, *Barba*, *Jean-Luc*, *O'Hara*.
_MAY_BE_NAME = re.compile(r"[^\W\d_]{1,3}\.|[^\W\d_]+(?:[-'’.][^\W\d_]+)*")
_MAY_STAND_BETWEEN = frozenset(".,:")


class FormFieldNames:
    """Finder of names in form fields; it finds nothing in a language that lists no fields."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._name_fields, self._person_fields = words.name_fields, words.person_fields
        self._greetings, self._honorifics = words.greetings, words.honorifics
        last = {field.split()[-1] for field in words.person_fields}
        self._labels = frozenset(last | words.name_fields | words.greetings if last else ())
        nobody = (language.plain, language.role_words) if last else ()
        self._nobody = [read_words(words) for words in nobody]
        self._also_words = names_that_are_words(language) if last else frozenset()

    def find(self, words: Sequence[str], lower: Sequence[str]) -> set[int]:
        """Return the positions of names in ``words``.

        ``lower`` are the words in small letters, without full stops.
        """
        if self._labels.isdisjoint(lower):
            return set()
        labels = [position for position, word in enumerate(lower) if word in self._labels]
        return {index for label in labels for index in self._find_names(words, lower, label)}

    def _find_names(self, words: Sequence[str], lower: Sequence[str], label: int) -> Iterator[int]:
        is_for_names = lower[label] in self._name_fields
        if is_for_names and ":" in words[label + 1 : label + 1 + _MOST_OF_LABEL]:
            label = words.index(":", label) - 1  # *nombre del paciente:*
        first = label + 1
        while first < len(words) and (words[first] in _MAY_STAND_BETWEEN or words[first].isspace()):
            first += 1
        greets = lower[label] in self._greetings
        run = _find_run(words, lower, first, is_field=not greets)
        run = [index for index in run if lower[index] not in self._honorifics] or [
            index
            for index in run
            if lower[index] in self._also_words  # *Kläger: Herr*
        ]
        if greets:  # a word that is a name too, or neither a role nor a plain word
            yield from (
                index
                for index in run
                if words[index].istitle()
                and (
                    lower[index] in self._also_words
                    or not any(lower[index] in nobody for nobody in self._nobody)
                )
            )
        if not run or ":" not in words[label + 1 : first]:
            return
        phrases = {lower[label], " ".join(lower[max(0, label - 1) : label + 1])}
        if is_for_names or not phrases.isdisjoint(self._person_fields):
            yield from takewhile(lambda index: not words[index].islower(), run)
        ends = not "".join(words[run[-1] + 1 :])[:1].isalnum()
        is_small = (
            ends and len(run) <= _MOST_IN_SMALL and all(words[index].islower() for index in run)
        )
        if is_for_names and is_small:
            yield from run


def _find_run(
    words: Sequence[str], lower: Sequence[str], first: int, *, is_field: bool
) -> Sequence[int]:
    """Return the positions from ``first`` on that may be one name, particles aside.

    In a field the label of the next field is left out.
    """
    last = first
    while last < min(len(words), first + _MOST_WORDS) and _MAY_BE_NAME.fullmatch(words[last]):
        last += 1
    if is_field and last < len(words) and words[last] == ":":
        last -= 1
        while last > first and lower[last - 1] in name_words().particles:
            last -= 2
    return [index for index in range(first, last) if lower[index] not in name_words().particles]
