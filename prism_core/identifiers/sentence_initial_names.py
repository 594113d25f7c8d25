"""Function words that are names because none begins a sentence or a line like that.

Entry: ``SentenceInitialNames.find`` before the names of a sentence are known, ``find_before_names``
after.

The capital of a first word is no evidence, so the words after it have to be: a verb after a
preposition (*Over phoned*), an initial after a comma (*Still, A.*), nothing at all (*Such*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from prism_core.identifiers.name_words import BEGINS_ANEW, get_cell, name_words
from prism_core.language import Token, penn_tag
from prism_core.languages import Language, read_words

Tokens = Sequence[Token]
_BEGINS_ANEW = BEGINS_ANEW.union("„«¿¡*|")
_ENDS = frozenset(".!?;,")
_SETS_APART = frozenset(";,|")
_MOST_IN_CLOSING = 4
_OLDEST = 120


class SentenceInitialNames:
    """Finder of names at a beginning; ``may_be_name`` tests a function word."""

    def __init__(self, language: Language, may_be_name: Callable[[str], bool]) -> None:
        self._words, self._may_be_name = language.words, may_be_name
        self._shared = name_words()
        self._roles = read_words(language.role_words)
        self._titles = self._roles | self._words.honorifics
        self._joins = language.boundaries.clause_first
        self._small = self._shared.particles | self._words.of | self._words.before_noun
        self._closings = self._words.greetings | self._words.closings

    def find(self, tokens: Tokens) -> set[int]:
        """Return the positions of first words that stand as only names do, and of signatures."""
        grammar = self._find_capitalised_grammar(tokens)
        first = self._select_first(tokens, grammar)
        found = {position for position in first if self._stands_as_name(tokens, position)}
        found.update(self._find_signature(tokens))
        found.update(
            position
            for position in grammar
            if position and tokens[position].text.istitle()
            if self._is_subject(tokens, position)
            or self._follows_role(tokens, position)
            or self._ends_cell(tokens, position)
        )
        return found

    def _find_capitalised_grammar(self, tokens: Tokens) -> list[int]:
        """Return the positions of capitalised function words: one or two in most sentences."""
        return [
            position
            for position, token in enumerate(tokens)
            if (token.text.istitle() or token.text.isupper()) and self._may_be_name(token.text)
        ]

    def find_before_names(self, tokens: Tokens, names: set[int]) -> Iterator[int]:
        """Yield first words directly before ``names`` (positions) that no name can follow."""
        if not names or any(token.text == "?" for token in tokens):
            return
        for position in self._select_first(tokens, self._find_capitalised_grammar(tokens)):
            is_free = tokens[position].text.lower() in self._words.before_no_name
            is_joined = [token.tag for token in tokens[position + 1 : position + 2]] == ["CC"]
            is_value = position > 0 and tokens[position - 1].text == ":"
            after = [token.text for token in tokens[position + 1 : position + 4]]
            is_surname_first = (  # a field has only the word and a name: *To: Over, Sheila*
                is_value
                and after[:1] == [","]
                and position + 2 in names
                and (len(after) < 3 or not after[2][-1:].isalnum())
            )
            if (
                (is_free and position + 1 in names)
                or (is_joined and position + 2 in names)  # *Mas y Pilar*
                or (position + 1 in names and self._fills_cell(tokens, position))
                or is_surname_first
            ):
                yield position
            if is_value:  # two or more particles between a label and a name: *De los Santos*
                end = position
                while end < len(tokens) and tokens[end].text.lower() in self._small:
                    end += 1
                yield from range(position, end) if position + 1 < end and end in names else ()

    def _select_first(self, tokens: Tokens, grammar: Iterable[int]) -> Iterator[int]:
        """Yield the positions in ``grammar`` that begin a sentence, a line, or a set-off part."""
        for position in grammar:
            before = tokens[position - 1].text.strip() if position else ""
            is_first = not before or before[-1] in _BEGINS_ANEW
            if is_first and len(tokens[position].text) > 1:
                yield position

    def _stands_as_name(self, tokens: Tokens, position: int) -> bool:
        after = [token for token in tokens[position + 1 :] if token.text.strip()]
        word, texts = tokens[position].text.lower(), [token.text for token in after[:5]]
        if texts[:1] == [","] and _is_age([token.text for token in after[1:6]]):
            return True
        is_item = texts[:1] != [] and texts[0] in _SETS_APART  # *1. Might; 2. Must*
        if not any(
            any(map(str.isalpha if is_item else str.isalnum, token.text))
            for token in (*tokens[:position], *after)
        ):
            is_label = word in self._words.alone and not (
                is_item and word in self._words.before_phrase
            )
            return not is_label and word not in self._words.salutations
        if len(texts) > 1 and texts[0] == "," and self._is_set_apart(texts[1:]):
            return True
        if texts and texts[0] in self._shared.judges and tokens[position].text.istitle():
            return True  # *More J: I agree*
        if (
            len(texts) > 1
            and texts[0] in self._shared.ands
            and texts[1].lower().rstrip(".") in self._shared.relatives
        ):
            return True
        form = texts[0].replace(".", "") if texts else ""
        is_firm = form.isupper() and form.lower() in self._shared.legal_forms_in_capitals
        if is_firm and word in self._words.capital_in_names:
            return tokens[position].text.istitle()
        return self._is_subject(tokens, position)

    def _fills_cell(self, tokens: Tokens, position: int) -> bool:
        """Return True if the word and the next one fill a cell: *Then Ho*.

        A sentence does not count (*Then Ho left.*). Both have capitals, and the first is no article
        or preposition (*Vor Holm*).
        """
        word = tokens[position].text.lower()
        return (
            bool(_get_pair(tokens, position))
            and word not in self._words.before_noun | self._words.of
            and (word not in self._words.before_phrase or word not in self._words.alone)
            and penn_tag(tokens[position].tag) not in ("DT", "TO")
        )

    def _ends_cell(self, tokens: Tokens, position: int) -> bool:
        """Return True if the word ends a cell of two capitalised words: *Keusch Vor*.

        The first is no function word. Languages whose titles capitalise function words are
        excluded.
        """
        if not (self._words.bare_subject_is_name or self._words.nouns_have_capitals):
            return False
        first, second = _get_pair(tokens, position) or ("", "")
        is_last = second == tokens[position].text
        return is_last and first.lower() not in self._words.function_words

    def _is_subject(self, tokens: Tokens, position: int) -> bool:
        """Return True if a finite verb follows that cannot follow such a function word.

        After a conjunction the verb must not be a function word: *So told him*, but *Nor was he
        there*.
        """
        near = (token for token in tokens[position + 1 : position + 3] if token.text.strip())
        verb = next(
            (
                token
                for token in near
                if token.text.lower() not in self._shared.between_subject_and_verb
            ),
            None,
        )
        if verb is None or tokens[position].tag == "MD":
            return False
        word = tokens[position].text.lower()
        if word in self._words.before_negation and verb is tokens[position + 1]:
            is_inverted = (
                "".join(token.text for token in tokens[position + 2 : position + 3])[:1] == "-"
            )
            return _is_finite(verb) and not is_inverted  # *Jamais a signé*, but *Encore faut-il*
        if self._words.nouns_have_capitals and _lacks_subject(tokens, position):
            return verb.text not in self._words.function_words or verb.text in self._shared.have
        if not _is_finite(verb):
            return (
                _is_followed_by_participle_only(tokens, position)
                and word in self._words.before_phrase
            )
        is_copula = verb.text.lower() in self._words.function_words
        if word in self._joins | self._words.before_copula:
            known = self._words.before_phrase | self._words.before_copula
            return word in known and not is_copula
        return word in self._words.before_phrase

    def _is_set_apart(self, after: Sequence[str]) -> bool:
        """Return True if an initial follows a comma, or the party somebody speaks for.

        *Being, for the appellant* is an example of the latter.
        """
        is_initial = after[0].rstrip(".").isupper() and len(after[0].rstrip(".")) == 1
        if is_initial and after[0] != "I":
            return after[1:2] in ([], ["."]) or after[0][-1] == "."
        return after[0] in self._shared.speaking_for and not self._roles.isdisjoint(
            map(str.lower, after[1:3])
        )

    def _follows_role(self, tokens: Tokens, position: int) -> bool:
        """Return True if marks set the word off after a role: *Der Zeuge, Andere, sagte ja*."""
        near = "".join(token.text for token in tokens[position - 1 : position + 2 : 2])
        if position < 2 or near not in (",,", "()"):
            return False
        before, word = tokens[position - 2], tokens[position].text.lower()
        is_apposed = near == "()" and before.text.islower() and before.tag.startswith("NN")
        return before.text.lower() in self._titles or (
            is_apposed and word not in self._words.alone  # *my wife (Whereas) left*
        )

    def _find_signature(self, tokens: Tokens) -> Iterator[int]:
        """Yield the last word of a closing formula, after its comma: *thanks, an*."""
        first = next((token for token in tokens if any(map(str.isalnum, token.text))), None)
        if first is None or first.text.lower() not in self._closings:
            return
        words = [
            position for position, token in enumerate(tokens) if any(map(str.isalnum, token.text))
        ]
        if not 1 < len(words) <= _MOST_IN_CLOSING or tokens[words[-1] - 1].text != ",":
            return
        last = tokens[words[-1]].text.lower()
        if last not in self._words.salutations and self._may_be_name(last):
            yield words[-1]


def _get_pair(tokens: Tokens, position: int) -> list[str]:
    """Return the two capitalised words of a cell that has no others; else none."""
    texts = [token.text for token in get_cell(tokens, position, 2)]
    return texts if len(texts) == 2 and all(map(str.istitle, texts)) else []


def _is_followed_by_participle_only(tokens: Tokens, position: int) -> bool:
    """Return True if only a participle and adverbs follow a preposition, article or the like.

    *Over signed.* and *My phoned twice.* qualify, *Without signed consent* does not.
    """
    after = [token for token in tokens[position + 1 :] if token.text.strip()]
    rest = [token for token in after[1:] if token.tag != "RB"]
    return (
        bool(after)
        and penn_tag(after[0].tag) == "VBN"
        and penn_tag(tokens[position].tag) in ("IN", "RP", "DT", "PRP$")
        and (not rest or rest[0].text in _ENDS)
    )


def _lacks_subject(tokens: Tokens, position: int) -> bool:
    """Return True if a clause has only an adverb, a verb and perhaps a participle.

    *Nie hat unterschrieben* qualifies, *Hinzu kommt, dass* does not.
    """
    if tokens[position].tag != "RB" or not _is_finite(tokens[position + 1]):
        return False
    for index, token in enumerate(tokens[position + 2 :], position + 2):
        if token.text in _ENDS:
            after = "".join(token.text for token in tokens[index + 1 : index + 2])
            return token.text != "," or after[:1].isupper()
        if penn_tag(token.tag) not in ("VBN", "RB", "RP"):
            return False
    return True


def _is_age(after: Sequence[str]) -> bool:
    """Return True if an age follows the comma: *71,*, *de 71 años,*, *aged 71,*."""
    rest = list(after[1:] if after[:1] and after[0].lower() in name_words().before_age else after)
    if not rest or not rest[0].isdecimal() or not 0 < int(rest[0]) <= _OLDEST:
        return False
    rest = rest[1:]
    while rest and rest[0].lower() in name_words().ages:
        rest = rest[1:]
    return bool(rest) and rest[0] in ",()"


def _is_finite(token: Token) -> bool:
    """Return True for a finite verb of a statement: in the past, or of a third person."""
    tag = penn_tag(token.tag)
    return tag in ("VBD", "VBZ") or (tag == "VBP" and "3" in token.tag)
