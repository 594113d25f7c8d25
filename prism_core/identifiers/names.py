"""Names: entities, proper nouns, unexplained capitals, and the user's own list.

Entry: ``NameDetector.find``; ``_is_name`` tests each word with a capital, ``extend_names`` adds the
words that belong to a name.

The entity recogniser alone misses names; the union of all tests below is what protects. An unknown
capitalised word counts as a name until a test excludes it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Set
from functools import partial

from prism_core.dictionary import Dictionary
from prism_core.identifiers.base import Identifier
from prism_core.identifiers.lists import ListedTerms
from prism_core.identifiers.name_contexts import (
    NameContexts,
    fills_form_field,
    is_headline,
    is_inside_person_name,
    is_odd_subject,
)
from prism_core.identifiers.name_words import (
    BEGINS_ANEW,
    extend_names,
    is_label_or_abbreviation,
    is_no_auxiliary,
    names_that_are_words,
    stands_out,
)
from prism_core.language import PROPER_NOUNS, Sentence, Token
from prism_core.languages import read_words
from prism_core.record import Kind

_LABELS = {"PER": "PERSON", "ORG": "ORGANISATION", "LOC": "PLACE"}
_DETERMINERS = ("DT", "PRP$")
_ABSENT = (Token("", "", ""),) * 2
_SHORTEST = 4
"""Fewest letters of each part of a compound."""


class NameDetector:
    """Detector of names, one identifier for each token.

    A capitalised word that the dictionary knows as an ordinary word (*Agreement*, *Services*) is a
    name only if it is an entity of a person or place, follows an honorific, is a name too (*Grace*,
    *Reading*) and not at a beginning, or stands next to a name. Any other such word is replaced as
    a word, so it is not sent either way. Nouns of courts and clinics (*Plaintiff*) identify nobody.
    Neither does an ordinary word on a line of its own (*Budget*), nor a word that is hardly ever a
    name (*Kitchen*, *Daughter*) where its capital is no evidence, even if the entity recogniser
    marks it. Peoples, faiths and languages (*Polish*) are names everywhere.
    """

    def __init__(self, dictionary: Dictionary, listed: Iterable[str] = ()) -> None:
        self._dictionary = dictionary
        terms = list(listed)
        self._listed = ListedTerms(terms, dictionary.language) if terms else None
        self._language = dictionary.language
        self._words = self._language.words
        self._roles = read_words(self._language.role_words)
        self._also_words = names_that_are_words(self._language)
        self._plain = read_words(self._language.plain)
        self._peoples = read_words(peoples) if (peoples := self._language.peoples) else frozenset()
        self._contexts = NameContexts(self._language)
        dates = self._language.dates
        calendar = (*dates.months, *dates.weekdays) if dates.small_months else ()
        self._small_calendar = frozenset(calendar)

    def find(self, sentence: Sentence) -> list[Identifier]:
        """Return the names of ``sentence``, in order."""
        tokens, words = sentence.tokens, sentence.words
        places = [i for i, is_lower in enumerate(map(str.islower, words)) if not is_lower]
        places = [i for i in places if len(words[i]) > 1 or words[i].isalpha()]  # no marks
        small = [i for i, word in enumerate(words) if word in self._small_calendar]
        expected = self._contexts.find_expected(tokens, words)
        if not (places or small or expected or self._listed):
            return []
        listed = self._listed.find(words) if self._listed else set()
        alone = len(places) == 1 and sum(map(str.isalpha, words)) == 1
        dates = {i for i in (*places, *small) if self._is_calendar(tokens, i)}
        others = [i for i in places if i not in dates]
        plain = {i for i in others if self._is_plain_word(tokens, i)}
        peoples = {i for i in others if words[i].lower() in self._peoples}
        names = {i for i in others if self._is_name(tokens, i, i in plain, alone=alone)}
        names |= expected | peoples
        codes = {i for i in names if any(map(str.isdigit, words[i]))}  # *Sections 18.06(D)*
        names = extend_names(
            tokens, names - codes | listed, places, plain, self._may_join, self._language
        )
        names |= codes
        adjacent = set(self._contexts.find_adjacent(tokens, names))
        found = [
            Identifier(i, 1, _LABELS.get(tokens[i].entity, "NAME"), Kind.NAME)
            for i in names - expected - adjacent
        ]
        found += [Identifier(i, 1, "PERSON", Kind.NAME) for i in expected | adjacent]
        names |= adjacent
        found += [Identifier(i, 1, "DATE", Kind.WORD) for i in dates - names]
        return sorted(found)

    def find_known_grammar_names(self, sentence: Sentence, known: Container[str]) -> list[int]:
        """Return the positions of function words that are ``known`` as names and are names here.

        Such a word has a capital where other words have none (*as Haya left*), or comes first,
        before a verb whose subject it cannot be (*Haya no vino*).
        """
        tokens = sentence.tokens
        return [
            position
            for position, token in enumerate(tokens)
            if token.text.istitle()
            and self._language.is_function_word(token.text)
            and token.text not in self._words.always_capital
            and not self._is_honorific(token)
            and token.text in known
            and (
                (
                    stands_out(tokens, position)
                    and any(
                        other.text.islower()
                        and other.text.isalpha()
                        and not self._language.is_function_word(other.text)
                        for other in tokens
                    )
                )
                or is_odd_subject(tokens, position, self._language)
            )
        ]

    def is_listed(self, word: str) -> bool:
        """Return True if ``word`` is on the user's list, in any spelling."""
        return self._listed is not None and word in self._listed

    def is_ordinary(self, word: str) -> bool:
        """Return True if ``word`` is public: in the dictionary, a role, or hardly ever a name."""
        return self._dictionary.knows(word) or self._names_nobody(word)

    def _is_plain_word(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if a word that is hardly ever a name has a capital that is no evidence here.

        Its capital is no evidence at a beginning, in a headline, or after an article.
        """
        text = tokens[index].text
        if self._words.nouns_have_capitals:
            return self._is_plain_noun(tokens[index])
        if text.lower() not in self._plain:
            return False
        if len(text) > 1 and text.isupper() and any(token.text.islower() for token in tokens):
            return False  # *the CARE trial*
        if is_headline(tokens, self._language):
            return True
        before = tokens[index - 1] if index else None
        near = [token.entity for token in (before, *tokens[index + 1 : index + 2]) if token]
        entity = tokens[index].entity
        if entity in ("LOC", "ORG") and entity in near:
            return tokens[index].tag not in PROPER_NOUNS  # *Taco Bell*, but *Viral Infection*
        if before is None or before.text == "." or not stands_out(tokens, index):
            return True
        after = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if entity == "LOC" and after in self._words.of:
            return False  # *the Strait of Zorgle*
        return before.tag in _DETERMINERS and before.text.lower() in self._words.before_noun

    def _is_plain_noun(self, token: Token) -> bool:
        """Return True if a noun, or the last part of a compound, is hardly ever a name."""
        lower = token.text.lower()
        if lower in self._plain or token.entity or token.tag in PROPER_NOUNS:
            return lower in self._plain
        ends = (lower[start:] for start in range(_SHORTEST, len(lower) - _SHORTEST))
        return any(end in self._plain for end in ends)  # *Krankenhausleitung*

    def _is_name(self, tokens: tuple[Token, ...], index: int, plain: bool, *, alone: bool) -> bool:
        token = tokens[index]
        text, lower = token.text, token.text.lower()
        if not any(map(str.isalpha, text)):
            return False
        if lower in self._words.function_words:
            return self._is_name_not_grammar(tokens, index)
        if self._is_role(token) or self._is_honorific(token):
            return False
        mere_word = alone and self.is_ordinary(text) and lower not in self._also_words
        if token.entity in ("PER", "LOC") and not (mere_word or plain):
            return True
        before = [other for other in tokens[max(0, index - 2) : index] if other.text != "."]
        first, mark, last = [other.text for other in (*tokens[index : index + 3], *_ABSENT)][:3]
        is_surname_first = (  # *Baker, Rose* at the beginning of a line or field
            (index == 0 or tokens[index - 1].text == ":")
            and mark == ","
            and (first[:1].isupper() and first.lower() in self._also_words)
            and (last[:1].isupper() and last.lower() in self._also_words)
        )
        return (
            (bool(before) and self._is_honorific(before[-1]))
            or fills_form_field(tokens, index, self._language)
            or self._is_name_within(tokens, index)
            or is_surname_first
            or self._is_bare_subject(tokens, index)
            or self._are_names_together(tokens, index)
            or not (plain or self._dictionary.knows(text))
        )

    def _is_name_not_grammar(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if tag, entity or context make a function word (*Will*, *May*) a name."""
        token, text, lower = tokens[index], tokens[index].text, tokens[index].text.lower()
        if is_label_or_abbreviation(tokens, index, self._language):
            return True
        tagged = token.tag in PROPER_NOUNS and text.istitle()
        if self._words.bare_subject_is_name:  # *Salvo que*, *el Estado*
            begins_name = index > 0 or "".join(word.text for word in tokens[1:2]).istitle()
            tagged = tagged and begins_name and not self._is_role(token)
        is_known = token.entity != "" or lower in self._also_words
        has_capital_after = any(word.text[:1].isupper() for word in tokens[index + 1 : index + 2])
        if not is_known and has_capital_after and self._is_plain_word(tokens, index + 1):
            return False  # *Past Medical History*
        if (token.entity == "PER" or tagged) and not self._is_honorific(token):
            return True
        if lower in self._also_words and is_no_auxiliary(
            tokens,
            index,
            self._language,
            lambda verb: self._dictionary.find(verb, "VB") is not None,
        ):
            return True
        if lower in self._words.capital_in_names and stands_out(tokens, index):
            return True
        return fills_form_field(tokens, index, self._language) and text.istitle()

    def _is_role(self, token: Token) -> bool:
        lower = token.text.lower()
        return lower in self._roles and lower not in self._also_words

    def _is_name_within(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if a name that is also a word has a capital that no beginning explains.

        In a line of capitals, or of words that all begin with one, the capital is no evidence.
        """
        text = tokens[index].text
        if text.lower() not in self._also_words or not text.istitle() or index == 0:
            return False
        if self._words.nouns_have_capitals:
            return tokens[index].tag in PROPER_NOUNS
        before = tokens[index - 1].text
        ends_term = (  # *the Purchase Price*, but *mi hija Estrella*
            index > 1
            and not tokens[index].entity
            and not (self._words.bare_subject_is_name and before.islower())
            and tokens[index - 2].text.lower() in self._words.before_noun
            and self._names_nothing(before)
        )
        if ends_term or self._is_common(tokens, index):
            return False
        if before[-1:] in BEGINS_ANEW and before != ".":
            return tokens[index].tag in PROPER_NOUNS
        return stands_out(tokens, index)

    def _is_common(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if a word that is a name elsewhere is a common noun here.

        In a headline its tag decides, or the word before it. Elsewhere it is a noun in *our Head
        Office*, in *Head of Sales*, or alone in a sentence that capitalises other nouns too (*the
        Roof before Winter*).
        """
        after = [token.text for token in tokens[index + 1 : index + 3]]
        if self._words.bare_subject_is_name and tokens[index - 1].text in self._words.of:
            return False  # *notario de Cuenca*
        if tokens[index].entity or not self._dictionary.knows(tokens[index].text):
            return False
        if after and after[0] in self._words.of:
            return len(after) > 1 and self._names_nobody(after[1])
        if is_headline(tokens, self._language):  # *Governing Law*, *Evening and Spring Term*
            follows_word = self._names_nothing(tokens[index - 1].text)
            return follows_word or tokens[index].tag not in PROPER_NOUNS
        if after and after[0][:1].isupper():
            is_determined = tokens[index - 1].text.lower() in self._words.before_noun
            return is_determined and self._names_nobody(after[0])
        return after[:1] != ["&"] and any(
            self._names_nobody(token.text)
            and not token.entity
            and stands_out(tokens, position)
            and not (self._words.bare_subject_is_name and token.text.isupper())  # *con DNI*
            for position, token in enumerate(tokens)
        )

    def _names_nobody(self, text: str) -> bool:
        return text.lower() in self._plain or text.lower() in self._roles

    def _names_nothing(self, text: str) -> bool:
        """Return True if the word is hardly ever a name, and no role in a court or clinic."""
        return text.lower() in self._plain and text.lower() not in self._roles

    def retag_ordinary_words(self, sentence: Sentence, names: Set[int]) -> Sentence:
        """Retag words that are hardly ever names as the nouns or adjectives that they are.

        Words at the positions ``names`` keep their tags. The others also lose their entity label.
        """
        tokens = sentence.tokens
        named = [i for i, token in enumerate(tokens) if token.entity or token.tag in PROPER_NOUNS]
        nobody = [i for i in named if i not in names and self._names_nobody(tokens[i].text)]
        if not nobody:
            return sentence
        retagged = list(tokens)
        for position in nobody:
            word, _, tag, *_ = tokens[position]
            if tag in PROPER_NOUNS:  # that of a noun, or of an adjective before one
                nouns = ("NN", "NNS") if tag == "NNP" else ("NNS", "NN")
                senses = map(partial(self._dictionary.find, word), (*nouns, "JJ"))
                known = [sense for sense in senses if sense is not None]
                if any(token.tag.startswith("NN") for token in tokens[position + 1 : position + 2]):
                    known.sort(key=lambda sense: -sense.confidence)
                tag = known[0].tag if known else nouns[0]
            retagged[position] = tokens[position]._replace(tag=tag, entity="")
        return Sentence(tuple(retagged))

    def _is_bare_subject(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if a name that is also a word begins a sentence as no bare noun can.

        A noun without its article precedes neither a verb nor *y* and a capital.
        """
        if not self._words.bare_subject_is_name or not tokens[index].text.istitle():
            return False
        before = "".join(token.text for token in tokens[:index]).strip()
        is_first = not before or before[-1] in BEGINS_ANEW
        if not is_first or tokens[index].text.lower() not in self._also_words:
            return False
        after, second = (*tokens[index + 1 : index + 3], *_ABSENT)[:2]
        if after.tag == "CC":
            return second.text.istitle()
        return after.tag.startswith(("VBD", "VBZ", "VBP")) or (
            after.tag.startswith(("PRP", "RB")) and second.tag.startswith(("VBD", "VBZ", "VBP"))
        )

    def _are_names_together(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if the word and a neighbour are both capitalised names and also words."""
        if not self._words.bare_subject_is_name:
            return False
        beside = (*tokens[max(0, index - 1) : index], *tokens[index + 1 : index + 2])
        return tokens[index].text.lower() in self._also_words and any(
            other.text.lower() in self._also_words
            and other.text[:1].isupper()
            and other.text.isupper() == tokens[index].text.isupper()  # *DOLORES REYES*
            for other in beside
        )

    def _may_join(self, tokens: tuple[Token, ...], index: int) -> bool:
        """Return True if the word at ``index`` may be part of an adjacent name."""
        token = tokens[index]
        text = token.text
        if text in self._words.saints:
            return True
        is_surname = self._words.bare_subject_is_name and is_inside_person_name(tokens, index)
        is_kind = (self._is_honorific(token) or self._is_role(token)) and not is_surname
        grammar = is_kind or self._language.is_function_word(text)
        plain = text.isalpha() and text[:1].isupper() and not grammar
        if self._words.nouns_have_capitals and self._is_plain_noun(token):
            return False  # *US-Präsident*
        return plain and not self._is_calendar(tokens, index)

    def _is_calendar(self, tokens: tuple[Token, ...], index: int) -> bool:
        token = tokens[index]
        is_small = token.text.islower() and token.text not in self._small_calendar
        entry = None if is_small else self._dictionary.calendar_entry(token.text)
        if entry is None:
            return False
        if entry.tag != "MONTH":  # but *Wednesday Addams*
            return [other.entity for other in tokens[index : index + 2]] != ["PER", "PER"]
        if index and self._is_honorific(tokens[index - 1]):
            return False  # *Richter Mai*
        beside = tokens[max(0, index - 1) : index] + tokens[index + 1 : index + 2]
        if any(other.text[:1].isdecimal() for other in beside):
            return True
        ambiguous = token.text.lower() in self._language.dates.ambiguous
        return token.entity != "PER" and (not ambiguous or token.tag in PROPER_NOUNS)

    def _is_honorific(self, token: Token) -> bool:
        return token.text.lower().rstrip(".") in self._words.honorifics
