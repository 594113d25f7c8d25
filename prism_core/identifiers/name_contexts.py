"""Contexts that make any word a name: after a title or a label, or next to a name.

Entry: ``NameContexts.find_expected`` before the names of a sentence are known, ``find_adjacent``
after; ``follows_title`` for the leak check, which has words alone.

*Do*, *Her* and *To* are surnames too. The tests here read the position and the capital of a word;
no list separates names from function words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prism_core.identifiers.auxiliaries import lacks_verb
from prism_core.identifiers.form_fields import FormFieldNames
from prism_core.identifiers.name_words import names_that_are_words, stands_out
from prism_core.identifiers.sentence_initial_names import SentenceInitialNames
from prism_core.identifiers.standalone_names import StandaloneNames
from prism_core.language import PROPER_NOUNS, Token, penn_tag
from prism_core.languages import Language, read_words

Tokens = tuple[Token, ...]
_STOPS = (".", ":")
_VERBS = ("VB", "MD")
_NO_SUBJECTS = (*_VERBS, "JJ", "NNP")
_OPENING = " \t\n\"'“‘«¿¡([-–—•>"
_AFTER_AUXILIARY = ("VB", "VBN", "VBG")
_NO_GRAMMAR = ("DT", "PDT", "JJ", "JJR", "RB", "RBR", "PRP$", "NN", "NNP")
"""Tags of function words that headlines seldom have after a name: *Peter Both Appeal*."""
_LEADS_ON = ("IN", "TO", "CC", "DT")
_FIRMS = frozenset("ltd inc corp llc llp plc gmbh kgaa ohg sarl".split())
"""Legal forms that end company names and nothing else."""
_MAKES_NOUN = ("DT", "PDT", "PRP$", "JJ", "CD", "NN")
"""Tags of words that turn a function word into a noun: *das Aus*, *el porqué*."""
_NO_NOUNS = ("PRP", "WP", "IN", "CC")
_LINKS = frozenset("-‐‑–'’\"”»“")
_AGAINST = frozenset("v vs gegen contra".split())


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def follows_title(words: Sequence[str], position: int, language: Language) -> bool:
    """Return True if the word at ``position`` follows a title that only a name follows.

    ``words`` may include full stops. A function word in small letters is grammar after *the dr* or
    *MR*, and so is one that joins two titles: *Mr and Mrs*.
    """
    title_position = position - 1
    while title_position >= 0 and (words[title_position] == "." or words[title_position].isspace()):
        title_position -= 1
    titles = language.words.sure_titles
    is_double = (
        title_position > 0 and words[title_position].lower() in language.words.honorifics - titles
    )
    if (
        is_double
        and words[position][:1].isupper()
        and words[title_position - 1].lower().rstrip(".") in titles
    ):
        title_position -= 1  # *Mr Justice More*
    if title_position < 0 or words[title_position].lower().rstrip(".") not in titles:
        return False
    word, after = words[position], words[position + 1] if position + 1 < len(words) else ""
    is_honorific = word.lower().rstrip(".") in language.words.honorifics
    if is_honorific and after[:1].isupper():
        return False  # *Prof. Dr. Holm*, *Mr Justice Holm*
    if is_honorific and word.lower().rstrip(".") in titles:
        return word.lower() in names_that_are_words(language)  # *Frau Herr*
    if is_honorific or not language.is_function_word(word):
        return True
    if word.islower() and any(word in row for row in language.words.agreeing):
        return False  # *Monsieur le président*
    after = after.lower().rstrip(".")
    is_noun = words[title_position].isupper() or (
        title_position and words[title_position - 1].lower() in language.words.before_noun
    )
    return after not in titles and not (is_noun and word.islower())


def is_lone_title(word: str, language: Language) -> bool:
    """Return True if ``word`` is a title of one letter, which may be an initial: *M.*"""
    return word[1:] == "." and word.lower() in language.words.titles


def is_odd_subject(tokens: Tokens, index: int, language: Language) -> bool:
    """Return True if a word that cannot be a subject begins a sentence as its subject.

    It is tagged as a verb or an adjective, and a verb in the past or third person follows, perhaps
    after *not* and clitics.
    """
    if "".join(token.text for token in tokens[:index]).strip(_OPENING):
        return False
    if not penn_tag(tokens[index].tag).startswith(_NO_SUBJECTS):
        return False
    clitics = language.words.clitics
    after = (token for token in tokens[index + 1 : index + 4] if token.text.strip())
    verb = next(
        (token.tag for token in after if token.tag != "RB" and token.text not in clitics), ""
    )
    return verb.startswith(("VBD", "VBZ", "POS")) or (verb.startswith("VBP") and "3" in verb)


def is_headline(tokens: Tokens, language: Language) -> bool:
    """Return True if all words but function words have a capital, which is then no evidence.

    Auxiliaries in small letters exclude a headline.
    """
    small = (token for token in tokens if token.text.islower() and token.text.isalpha())
    return all(
        language.is_function_word(token.text) and not token.tag.startswith(_VERBS)
        for token in small
    )


def fills_form_field(tokens: Tokens, index: int, language: Language) -> bool:
    """Return True if the word stands where a form expects a name: *Surname: Long*."""
    asks = index > 1 and tokens[index - 1].text == ":"
    return asks and tokens[index - 2].text.lower() in language.words.name_fields


def is_inside_person_name(tokens: Tokens, index: int) -> bool:
    """Return True if the word and both neighbours are a person's name: *Ana Notario Barba*."""
    near = tokens[max(0, index - 1) : index + 2]
    return len(near) == 3 and all(
        token.text.istitle() and (token.entity == "PER" or token.tag in PROPER_NOUNS)
        for token in near
    )


class NameContexts:
    """Contexts of names in ``language``, whatever the word is."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._words = language.words
        self._expecting = (
            self._words.sure_titles | self._words.name_fields | self._words.name_labels
        )
        self._titles = read_words(language.role_words) | self._words.honorifics
        self._forms = FormFieldNames(language)
        self._lone = StandaloneNames(language, self._may_be_name)
        self._first = SentenceInitialNames(language, self._may_be_name)
        self._also_words = names_that_are_words(language)
        self._grammar_names = self._words.capital_in_names & self._also_words
        self._words_and_names = self._words.function_words & self._also_words

    def find_expected(self, tokens: Tokens, words: Sequence[str]) -> set[int]:
        """Return the positions where a title, a label or the sentence requires a name."""
        lower = [word.lower().rstrip(".") for word in words]
        found = self._forms.find(words, lower) | self._find_in_bare_capitals(words)
        found |= self._lone.find(tokens, lower) | self._first.find(tokens)
        found |= {
            position
            for position, word in enumerate(words)
            if not word.islower() and self._stands_where_grammar_cannot(words, position)
        }
        found |= {
            position
            for position, word in enumerate(lower)
            if word in self._words_and_names
            and lacks_verb(tokens, position, self._words.before_names)
        }
        has_title = not self._words.honorifics.isdisjoint(lower)
        found |= {
            position
            for position in range(1, len(tokens))
            if self._stands_among_small_words(tokens, position)
            or self._opens_name(tokens, position)
            or (has_title and self._follows_capitalised_title(tokens, position))
        }
        if self._expecting.isdisjoint(lower):
            return found
        return found | {
            position
            for position, word in enumerate(words)
            if position and word[:1].isalpha() and self._is_expected(tokens, words, position)
        }

    def _follows_capitalised_title(self, tokens: Tokens, position: int) -> bool:
        """Return True for a capitalised function word after a title: *Judge You agreed*.

        Other words have no capital, and the word does not continue the title (*Captain And Crew*).
        """
        word, title = tokens[position].text, tokens[position - 1].text.rstrip(".")
        if not (title.istitle() and title.lower() in self._words.honorifics and word.istitle()):
            return False
        is_last = not any(_is_word(token.text) for token in tokens[position + 1 :])
        leads_on = penn_tag(tokens[position].tag) in _LEADS_ON and not is_last
        leads_on &= not self._words.nouns_have_capitals  # *Die Zeugin Diese ging*
        return (
            self._may_be_name(word)
            and (word.lower() in self._words.capital_in_names or not leads_on)
            and not is_headline(tokens, self._language)
        )

    def _stands_among_small_words(self, tokens: Tokens, position: int) -> bool:
        """Return True if a capitalised function word stands between small words or commas.

        No article or adjective may make a noun of it: *spoke to To today*, *mit Mehr*.
        """
        text, before = tokens[position].text, tokens[position - 1]
        if len(text) < 2 or not text.istitle():
            return False
        after = tokens[position + 1] if position + 1 < len(tokens) else Token(".", "", ".")
        is_article = text.lower() in self._words.before_noun
        if text.lower() in self._words.may_have_capital and not (
            is_article and after.tag.startswith(_VERBS)  # *Ho and The are*
        ):
            return False
        is_led = (
            before.text == ","
            or before.text.lower() in self._titles
            or (
                (before.text.islower() or (position == 1 and before.tag.startswith("VB")))
                and before.text.isalpha()
                and not penn_tag(before.tag).startswith(_MAKES_NOUN)
                and before.text not in self._words.before_noun
            )
            or (
                self._words.bare_subject_is_name
                and before.text.islower()
                and before.tag.startswith("NN")
                and tokens[position].tag.startswith(_NO_NOUNS)
            )  # *le mineur Qui a*, but *l'an Deux*
        )
        return (
            is_led
            and (after.text.islower() or not _is_word(after.text))
            and after.text not in _LINKS
            and self._may_be_name(text)
            and stands_out(tokens, position)
        )

    def _opens_name(self, tokens: Tokens, position: int) -> bool:
        """Return True if a capitalised function word stands between a small and a capitalised word.

        The next word may be any: *lives in Los Altos*, *near The Old Rectory*.
        """
        text, before = tokens[position].text, tokens[position - 1].text
        after = tokens[position + 1].text if position + 1 < len(tokens) else ""
        has_titles = not (self._words.bare_subject_is_name or self._words.nouns_have_capitals)
        if (
            has_titles
            and text.lower() not in self._words.before_noun & self._words.may_have_capital
        ):
            return False  # *a lecture No Place to Hide*
        return (
            text.istitle()
            and len(text) > 1
            and before.islower()
            and before.isalpha()
            and after[:1].isupper()
            and len(after) > 1
            and (tokens[position].tag == "DT" or text.lower() not in self._words.may_have_capital)
            and self._may_be_name(text)
            and stands_out(tokens, position)
        )

    def _stands_where_grammar_cannot(self, words: Sequence[str], position: int) -> bool:
        r"""Return True if a capitalised function word stands where no function word can.

        It stands before a legal form (*Today Ltd*), alone on the line after a comma
        (*Yours,\nNext*), or alone between marks (*Will v. Do*).
        """
        word, after = words[position], words[position + 1] if position + 1 < len(words) else ""
        before = words[position - 1] if position else ""
        is_behind_title = before.lower() in self._words.honorifics and not after[:1].isupper()
        if word.istitle() and word.lower() in self._words_and_names and is_behind_title:
            return True  # *die Zeugin Frau sagte*, *der Zeuge Morgen sagte*
        if not self._may_be_name(word):
            return False
        if word.lower() in self._grammar_names and self._is_alone(words, position):
            return True
        if is_lone_title(word, self._language):  # *M. M. Petit*, but *M. Petit*
            return word in (before, after)
        if after.lower().rstrip(".") in _FIRMS and (after[0].isupper() or after == "plc"):
            return word.lower() not in self._words.before_noun
        previous_words = [
            previous for previous in words[:position] if previous.strip() or "\n" in previous
        ][-2:]
        is_last = not any(map(_is_word, words[position + 1 :]))
        return (
            is_last
            and len(previous_words) == 2
            and previous_words[0] == ","
            and not previous_words[1].strip()
        )

    def _is_alone(self, words: Sequence[str], position: int) -> bool:
        """Return True if only marks, a preposition before or an opponent after are adjacent."""
        before = words[position - 1].lower() if position else ""
        after = words[position + 1].lower() if position + 1 < len(words) else ""
        if _is_word(after) and after.rstrip(".") not in _AGAINST:
            return False
        return not _is_word(before) or before[-1] == "." or before in self._words.before_names

    def _find_in_bare_capitals(self, words: Sequence[str]) -> set[int]:
        """Return the positions of surnames in a line of capitalised function words: *HAYA MAS*."""
        if not next(filter(str.isalpha, words), "").isupper():
            return set()
        letters = [word for word in words if word.isalpha()]
        is_bare = len(letters) > 1 and all(
            word.isupper() and self._language.is_function_word(word) for word in letters
        )
        surnames = self._words.capital_in_names
        return {i for i, word in enumerate(words) if is_bare and word.lower() in surnames}

    def find_adjacent(self, tokens: Tokens, names: set[int]) -> Iterator[int]:
        """Yield the capitalised function words next to ``names`` (positions)."""
        found = set(self._find_adjacent_words(tokens, names))
        yield from found
        yield from self._first.find_before_names(tokens, names | found)

    def _find_adjacent_words(self, tokens: Tokens, names: set[int]) -> Iterator[int]:
        near = {position for name in names for position in (name - 1, name + 1)} - names
        yield from self._lone.find_in_lists(tokens, names)
        yield from (
            position
            for position in {candidate for name in names for candidate in (name - 2, name + 2)}
            if 0 <= position < len(tokens)
            and (
                self._is_second_half_of_hyphenated_name(tokens, position, names)
                or self._is_first_half_of_hyphenated_name(tokens, position, names)
            )
        )
        for position in near.intersection(range(len(tokens))):
            text, follows = tokens[position].text, position - 1 in names
            if is_lone_title(text, self._language) and (
                not follows or tokens[position - 1].text[1:] == "."
            ):
                if follows:  # *J. M. Petit*, but *M. Petit*
                    yield position
            elif (follows and self._is_title_as_name(tokens, position)) or (
                self._may_be_name(text)
                and (
                    stands_out(tokens, position)
                    or (follows and self._may_be_surname(tokens, position))
                )
            ):
                yield position

    def _is_second_half_of_hyphenated_name(
        self, tokens: Tokens, position: int, names: set[int]
    ) -> bool:
        """Return True if the word is the second half of a hyphenated name: *Holm-Will*."""
        text, hyphen = tokens[position].text, tokens[position - 1]
        return (
            position > 1
            and hyphen.text == "-"
            and position - 2 in names
            and position not in names
            and not (hyphen.whitespace or tokens[position - 2].whitespace or text.islower())
            and self._may_be_name(text)
        )

    def _is_first_half_of_hyphenated_name(
        self, tokens: Tokens, position: int, names: set[int]
    ) -> bool:
        """Return True if the word is the first half of a hyphenated name: *Down-Holm*."""
        word, hyphen = (
            tokens[position],
            tokens[position + 1] if position + 1 < len(tokens) else None,
        )
        return (
            hyphen is not None
            and hyphen.text == "-"
            and position not in names
            and position + 2 in names
            and not (word.whitespace or hyphen.whitespace)
            and word.text.istitle()
            and word.text.lower() not in self._words.may_have_capital
            and self._may_be_name(word.text)
        )

    def _is_title_as_name(self, tokens: Tokens, position: int) -> bool:
        """Return True if a title after a name is a name too, with no name after it: *Hans Herr
        kam*.
        """
        text, after = tokens[position].text, tokens[position + 1 : position + 2]
        is_both = text.istitle() and text.lower() in self._also_words & self._words.honorifics
        return is_both and not (after and after[0].text[:1].isupper())

    def _may_be_surname(self, tokens: Tokens, position: int) -> bool:
        """Return True if a word after a name may be the next name: *Artur Mas*, *ANNA MAY SIGNED*.

        An infinitive after it excludes that: *ANNA MAY SIGN*.
        """
        text = tokens[position].text
        is_reliable = self._words.bare_subject_is_name or self._words.nouns_have_capitals
        if text.istitle() and is_reliable:
            return True  # no headline gives grammar a capital there
        if text.istitle():
            is_known = text.lower() in self._words.capital_in_names
            is_sure = text.lower() in self._also_words or not is_headline(tokens, self._language)
            is_sure |= not any(_is_word(token.text) for token in tokens[position + 1 :])
            return is_known and (is_sure or penn_tag(tokens[position].tag) in _NO_GRAMMAR)
        after = penn_tag(tokens[position + 1].tag) if position + 1 < len(tokens) else ""
        is_known = text.lower() in self._words.capital_in_names or text.lower() in self._also_words
        is_modal = tokens[position].tag == "MD"
        leads_verb = penn_tag(tokens[position].tag).startswith(_VERBS) or not is_reliable
        no_name = _AFTER_AUXILIARY[: 1 if is_modal else None] if leads_verb else ()
        return text.isupper() and is_known and after not in no_name

    def _is_expected(self, tokens: Tokens, words: Sequence[str], position: int) -> bool:
        if follows_title(words, position, self._language):
            return True
        label_position = position - 1
        stops = (*_STOPS, ",") if words[position].lower() in self._grammar_names else _STOPS
        while label_position > 0 and (
            words[label_position] in stops or words[label_position].isspace()
        ):
            label_position -= 1
        label = words[label_position].lower()
        if (
            label in self._words.greetings
            and label_position == position - 1
            and tokens[position].tag == "MD"
        ):
            return True  # *hi will can you come*
        if label in self._words.name_fields and ":" in words[label_position + 1 : position]:
            return True
        word = words[position]
        if label not in self._words.name_labels or not self._may_be_name(word):
            return False
        is_last = position + 1 == len(words) or not words[position + 1][:1].isalpha()
        if is_last and label not in self._words.name_fields:
            return word.lower() not in self._words.salutations
        is_reliable = word.istitle() and self._words.bare_subject_is_name
        return label_position == position - 1 and (is_reliable or stands_out(tokens, position))

    def _may_be_name(self, word: str) -> bool:
        """Return True for a function word that may be a name: not a title, and not *I*."""
        return (
            self._language.is_function_word(word)
            and word[:1].isalpha()
            and (
                word.lower().rstrip(".") not in self._words.honorifics
                or is_lone_title(word, self._language)
            )
            and word not in self._words.always_capital
        )
