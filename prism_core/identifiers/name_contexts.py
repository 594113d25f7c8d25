"""Contexts that make any word a name: after a title or a label, or next to a name.

Entry: ``NameContexts.find_expected`` before the names of a sentence are known, ``find_adjacent``
after; ``follows_title`` for the leak check, which has words alone.

*Do*, *Her* and *To* are surnames too. The tests here read the position and the capital of a word;
no list separates names from function words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prism_core.identifiers.name_words import (
    is_eponym,
    lacks_verb,
    name_words,
    names_that_are_words,
    stands_out,
)
from prism_core.identifiers.sentence_initial_names import SentenceInitialNames
from prism_core.identifiers.standalone_names import FormFieldNames, StandaloneNames
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
_MAKES_NOUN = ("DT", "PDT", "PRP$", "JJ", "CD", "NN")
"""Tags of words that turn a function word into a noun: *das Aus*, *el porqué*."""
_NO_NOUNS = ("PRP", "WP", "IN", "CC")
_LINKS = frozenset("-‐‑–'’\"”»“")


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def follows_title(words: Sequence[str], index: int, language: Language) -> bool:
    """Return True if the word at ``index`` follows a title that only a name follows.

    ``words`` may include full stops. A function word in small letters is grammar after *the dr* or
    *MR*, and so is one that joins two titles: *Mr and Mrs*.
    """
    title = index - 1
    while title >= 0 and (words[title] == "." or words[title].isspace()):
        title -= 1
    titles = language.words.sure_titles
    is_double = title > 0 and words[title].lower() in language.words.honorifics - titles
    if is_double and words[index][:1].isupper() and words[title - 1].lower().rstrip(".") in titles:
        title -= 1  # *Mr Justice More*
    if title < 0 or words[title].lower().rstrip(".") not in titles:
        return False
    word, after = words[index], words[index + 1] if index + 1 < len(words) else ""
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
    is_noun = words[title].isupper() or (
        title and words[title - 1].lower() in language.words.before_noun
    )
    return after not in titles and not (is_noun and word.islower())


def is_lone_title(word: str, language: Language) -> bool:
    """Return True for a title of one letter (*M.*), which may also be an initial."""
    return word[1:] == "." and word.lower() in language.words.titles


def is_odd_subject(tokens: Tokens, index: int, language: Language) -> bool:
    """Return True if a verb or adjective begins a sentence as if it were the subject.

    A verb in the past or third person follows, perhaps after *not* and clitics.
    """
    if "".join(word.text for word in tokens[:index]).strip(_OPENING):
        return False
    if not penn_tag(tokens[index].tag).startswith(_NO_SUBJECTS):
        return False
    clitics = language.words.clitics
    after = (word for word in tokens[index + 1 : index + 4] if word.text.strip())
    verb = next((word.tag for word in after if word.tag != "RB" and word.text not in clitics), "")
    return verb.startswith(("VBD", "VBZ", "POS")) or (verb.startswith("VBP") and "3" in verb)


def is_headline(tokens: Tokens, language: Language) -> bool:
    """Return True if all words but function words, verbs not among these, have a capital."""
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
        self._words, self._shared = language.words, name_words()
        self._cues = self._words.sure_titles | self._words.name_fields | self._words.name_labels
        self._titles = read_words(language.role_words) | self._words.honorifics
        self._forms = FormFieldNames(language)
        self._lone = StandaloneNames(language, self._may_be_name)
        self._first = SentenceInitialNames(language, self._may_be_name)
        self._also_words = names_that_are_words(language)
        self._grammar_names = self._words.capital_in_names & self._also_words
        self._words_and_names = self._words.function_words & self._also_words

    def find_expected(self, tokens: Tokens, words: Sequence[str]) -> set[int]:
        """Return the positions where a title, a label or the sentence requires a name."""
        lower, before_names = [word.lower().rstrip(".") for word in words], self._words.before_names
        found = self._forms.find(words, lower)
        letters = [word for word in words if word.isalpha()]
        if len(letters) > 1 and all(
            word.isupper() and self._language.is_function_word(word) for word in letters
        ):  # *HAYA MAS*
            surnames = self._words.capital_in_names
            found |= {i for i, word in enumerate(words) if word.lower() in surnames}
        found |= self._lone.find(tokens, lower) | self._first.find(tokens)
        found |= {
            index
            for index, word in enumerate(words)
            if not word.islower()
            and self._language.is_function_word(word)
            and self._stands_where_grammar_cannot(words, index)
        }
        found |= {
            index
            for index, word in enumerate(lower)
            if (word in self._words_and_names and lacks_verb(tokens, index, before_names))
            or (is_eponym(tokens, index) and self._may_be_name(words[index]))
        }
        has_title = not self._words.honorifics.isdisjoint(lower)
        found |= {
            index
            for index, word in enumerate(words)
            if index
            and word.istitle()
            and (
                self._stands_among_small_words(tokens, index)
                or self._opens_name(tokens, index)
                or (has_title and self._follows_capitalised_title(tokens, index))
            )
        }
        if self._cues.isdisjoint(lower):
            return found
        return found | {
            index
            for index, word in enumerate(words)
            if index and word[:1].isalpha() and self._is_expected(tokens, words, index)
        }

    def _follows_capitalised_title(self, tokens: Tokens, index: int) -> bool:
        """Return True for a capitalised function word after a title: *Judge You agreed*."""
        word, title = tokens[index].text, tokens[index - 1].text.rstrip(".")
        if not (title.istitle() and title.lower() in self._words.honorifics and word.istitle()):
            return False
        is_last = not any(_is_word(token.text) for token in tokens[index + 1 :])
        leads_on = penn_tag(tokens[index].tag) in _LEADS_ON and not is_last  # *Captain And Crew*
        leads_on &= not self._words.nouns_have_capitals  # *Die Zeugin Diese ging*
        return (
            self._may_be_name(word)
            and (word.lower() in self._words.capital_in_names or not leads_on)
            and not is_headline(tokens, self._language)
        )

    def _stands_among_small_words(self, tokens: Tokens, index: int) -> bool:
        """Return True for a capitalised function word among small words: *spoke to To today*."""
        text, before = tokens[index].text, tokens[index - 1]
        if len(text) < 2 or not text.istitle():
            return False
        after = tokens[index + 1] if index + 1 < len(tokens) else Token(".", "", ".")
        is_article = text.lower() in self._words.before_noun
        if text.lower() in self._words.may_have_capital and not (
            is_article and after.tag.startswith(_VERBS)  # *Ho and The are*
        ):
            return False
        is_led = (
            before.text == ","
            or before.text.lower() in self._titles
            or (
                (before.text.islower() or (index == 1 and before.tag.startswith("VB")))
                and before.text.isalpha()
                and not penn_tag(before.tag).startswith(_MAKES_NOUN)  # *mit Mehr*
                and before.text not in self._words.before_noun
            )
            or (
                self._words.bare_subject_is_name
                and before.text.islower()
                and before.tag.startswith("NN")
                and tokens[index].tag.startswith(_NO_NOUNS)
            )  # *le mineur Qui a*, but *l'an Deux*
        )
        return (
            is_led
            and (after.text.islower() or not _is_word(after.text))
            and after.text not in _LINKS
            and self._may_be_name(text)
            and stands_out(tokens, index)
        )

    def _opens_name(self, tokens: Tokens, index: int) -> bool:
        """Return True if a capitalised function word begins a name: *lives in Los Altos*."""
        text, before = tokens[index].text, tokens[index - 1].text
        after = tokens[index + 1].text if index + 1 < len(tokens) else ""
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
            and after[:1].isupper()  # *near The Old Rectory*
            and len(after) > 1
            and (tokens[index].tag == "DT" or text.lower() not in self._words.may_have_capital)
            and self._may_be_name(text)
            and stands_out(tokens, index)
        )

    def _stands_where_grammar_cannot(self, words: Sequence[str], index: int) -> bool:
        """Return True for a capitalised function word where no function word can stand."""
        word, after = words[index], words[index + 1] if index + 1 < len(words) else ""
        before = words[index - 1] if index else ""
        is_behind_title = before.lower() in self._words.honorifics and not after[:1].isupper()
        if word.istitle() and word.lower() in self._words_and_names and is_behind_title:
            return True  # *die Zeugin Frau sagte*, *der Zeuge Morgen sagte*
        if not self._may_be_name(word):
            return False
        if (  # only marks, a preposition before or an opponent after are adjacent: *Will v. Do*
            word.lower() in self._grammar_names
            and (not _is_word(after) or after.lower().rstrip(".") in self._shared.opponents)
            and (
                not _is_word(before)
                or before[-1] == "."
                or before.lower() in self._words.before_names
            )
        ):
            return True
        if is_lone_title(word, self._language):  # *M. M. Petit*, but *M. Petit*
            return word in (before, after)
        if after.lower().rstrip(".") in self._shared.sure_legal_forms and (
            after[0].isupper() or after == "plc"
        ):
            return word.lower() not in self._words.before_noun  # *Today Ltd*
        above = [text for text in words[:index] if text.strip() or "\n" in text][-2:]  # *Yours,*
        is_last = not any(map(_is_word, words[index + 1 :]))
        return is_last and len(above) == 2 and above[0] == "," and not above[1].strip()

    def find_adjacent(self, tokens: Tokens, names: set[int]) -> Iterator[int]:
        """Yield the capitalised function words next to ``names`` (positions)."""
        found = set(self._find_adjacent_words(tokens, names))
        yield from found
        yield from self._first.find_before_names(tokens, names | found)

    def _find_adjacent_words(self, tokens: Tokens, names: set[int]) -> Iterator[int]:
        near = {index for name in names for index in (name - 1, name + 1)} - names
        yield from self._lone.find_in_lists(tokens, names)
        ends = {*range(len(tokens))} - names
        for name in names:
            if name + 2 in ends and self._are_hyphenated(tokens, name, name + 2):
                yield name + 2  # *Holm-Will*
            text = tokens[name - 2].text if name - 2 in ends else ""
            is_capital = text.istitle() and text.lower() not in self._words.may_have_capital
            if is_capital and self._are_hyphenated(tokens, name - 2, name - 2):
                yield name - 2  # *Down-Holm*
        titles = self._also_words & self._words.honorifics
        for index in near.intersection(range(len(tokens))):
            text, follows = tokens[index].text, index - 1 in names
            after = "".join(token.text for token in tokens[index + 1 : index + 2])
            is_title = text.istitle() and text.lower() in titles and not after[:1].isupper()
            if is_lone_title(text, self._language) and (
                not follows or tokens[index - 1].text[1:] == "."
            ):
                if follows:  # *J. M. Petit*, but *M. Petit*
                    yield index
            elif (follows and is_title) or (  # *Hans Herr kam*
                self._may_be_name(text)
                and (stands_out(tokens, index) or (follows and self._may_be_surname(tokens, index)))
            ):
                yield index

    def _are_hyphenated(self, tokens: Tokens, first: int, word: int) -> bool:
        """Return True if a hyphen without blanks follows ``first``, and ``word`` may be a name."""
        left, hyphen = tokens[first : first + 2]
        text = tokens[word].text
        return (
            hyphen.text == "-"
            and not (left.whitespace or hyphen.whitespace or text.islower())
            and self._may_be_name(text)
        )

    def _may_be_surname(self, tokens: Tokens, index: int) -> bool:
        """Return True if the word after a name may be its next word: *Artur Mas*."""
        text = tokens[index].text
        is_reliable = self._words.bare_subject_is_name or self._words.nouns_have_capitals
        if text.istitle() and is_reliable:
            return True  # no headline gives grammar a capital there
        if text.istitle():
            is_known = text.lower() in self._words.capital_in_names
            is_sure = text.lower() in self._also_words or not is_headline(tokens, self._language)
            is_sure |= not any(_is_word(token.text) for token in tokens[index + 1 :])
            return is_known and (is_sure or penn_tag(tokens[index].tag) in _NO_GRAMMAR)
        after = penn_tag(tokens[index + 1].tag) if index + 1 < len(tokens) else ""
        is_known = text.lower() in self._words.capital_in_names or text.lower() in self._also_words
        is_modal = tokens[index].tag == "MD"
        leads_verb = penn_tag(tokens[index].tag).startswith(_VERBS) or not is_reliable
        no_name = _AFTER_AUXILIARY[: 1 if is_modal else None] if leads_verb else ()
        return text.isupper() and is_known and after not in no_name  # no *ANNA MAY SIGN*

    def _is_expected(self, tokens: Tokens, words: Sequence[str], index: int) -> bool:
        if follows_title(words, index, self._language):
            return True
        label_index = index - 1
        stops = (*_STOPS, ",") if words[index].lower() in self._grammar_names else _STOPS
        while label_index > 0 and (words[label_index] in stops or words[label_index].isspace()):
            label_index -= 1
        label = words[label_index].lower()
        if (
            label in self._words.greetings
            and label_index == index - 1
            and tokens[index].tag == "MD"
        ):
            return True  # *hi will can you come*
        if label in self._words.name_fields and ":" in words[label_index + 1 : index]:
            return True
        word = words[index]
        if label not in self._words.name_labels or not self._may_be_name(word):
            return False
        is_last = index + 1 == len(words) or not words[index + 1][:1].isalpha()
        if is_last and label not in self._words.name_fields:
            return word.lower() not in self._words.salutations
        is_reliable = word.istitle() and self._words.bare_subject_is_name
        return label_index == index - 1 and (is_reliable or stands_out(tokens, index))

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
