"""A word dictionary in memory: look-up by word and tag, and the words that may be substitutes.

Entry: ``Dictionary``, of the entries that ``preference.for_translator`` picked: ``find`` and
``senses`` of a word, ``by_tag`` of the words that may be substitutes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from prism_core.dictionary.entry import (
    ASKED_IN_FRAMES,
    Entry,
    Forms,
    target_tokens,
    without_accents,
)
from prism_core.dictionary.exonyms import Exonym
from prism_core.dictionary.form_index import FormIndex, agreement_of, index_forms
from prism_core.dictionary.glossary import GLOSSARY, Glossary
from prism_core.dictionary.prepared import Made, PreparedFile, load_or_make
from prism_core.languages import Language, load_language, source_languages

PLACE = "PLACE"
PERSONS = ("GIVEN", "SURNAME")
NAME_TAGS = (*PERSONS, PLACE)
"""Tags of public names for which the dictionary knows what the translator writes."""

LEFT_PREFIX = "LEFT-"
"""Prefix of the tag of public words that the translator does not know and leaves unchanged."""

FUNCTION_TAG = "FUNCTION"
"""Tag of function words, whatever their part of speech: no substitutes, but they can be undone."""
CALENDAR_TAGS = ("MONTH", "WEEKDAY")
"""Tags of PRISM's own for closed sets of proper nouns that translators do translate."""
CLOSED_TAGS = frozenset({FUNCTION_TAG, *CALENDAR_TAGS, "WEEKDAYS"})
"""Tags of closed sets, which are no pools for ordinary words."""

ASSOCIATED = "ASSOCIATED"
"""Tag of a source word's associates: words in its translations beside its forms."""
BEFORE = "BEFORE"
"""Tag of words that stand before target words, with the variants that stand before other words."""

GENITIVE = "Case=Gen"
"""Feature of a form in the genitive: other words stand before it, whatever its gender is."""

MOST_REMEMBERED = 8192
"""Most words that each cache of a dictionary keeps: frequent ones come early, and again."""

DRAWN_FROM = "drawn_from"
"""Provenance field with the least sureness of words that are drawn by default."""
_NO_WORDS = frozenset({*NAME_TAGS, ASSOCIATED, BEFORE})
Names = Mapping[str, Collection[str]]
"""Public names by tag."""
_CONFIDENCE = attrgetter("confidence")


class Dictionary:
    """L for one language pair; immutable after construction.

    ``names`` holds the public names by class, with those that are ``unchanged`` in any translation
    and no words of the dictionary. ``left`` holds by tag the public words that the translator
    leaves unchanged; they are not ordinary words, so no look-up finds them. ``exonyms`` states how
    names that are never drawn are put back. A phrase (*ice cream*) is an entry whose word holds a
    blank. ``is_asked`` is True if the ``translator`` in use was asked for the words of the
    dictionary, each in sentences of its own. ``provenance`` states who built it from what (source
    language, translator, date, text, licence); ``digest`` identifies its content in reports and in
    the state store. ``glossary`` holds the user's terms, which are part of neither.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        provenance: Mapping[str, str],
        digest: str,
        language: Language | None = None,
        *,
        is_asked: bool = True,
        translator: str = "",
        unchanged: Callable[[], Names] = dict,
        exonyms: Mapping[str, Exonym] = MappingProxyType({}),
        prepared: PreparedFile | None = None,
    ) -> None:
        self._language, self._prepared = language, prepared
        self.provenance = MappingProxyType(dict(provenance))
        self.is_asked, self.translator = is_asked, translator
        self.exonyms = exonyms
        self._entries: dict[tuple[str, str], Entry] = {}
        self._name_forms: dict[str, str] = {}
        others: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            if (tag := entry.tag) in _NO_WORDS or tag.startswith(LEFT_PREFIX):
                others[tag].append(entry)
                if tag in NAME_TAGS:
                    self._name_forms[entry.word] = entry.forms[0].text
            else:
                self._entries[entry.word, tag] = entry
        self._senses = _group_senses(self._entries.values())
        self._associates = {entry.word: entry.forms for entry in others[ASSOCIATED]}
        self._companions = {entry.word: entry.forms for entry in others[BEFORE]}
        self._has_elisions = any(
            text.endswith("'") for found in self._companions.values() for text in found.texts
        )
        self._partners: dict[tuple[str, str, tuple[str, ...]], str | None] = {}
        self._phrases: dict[tuple[str, str], Sequence[str]] = {}
        self._answer_words: dict[str, Collection[str]] = {}
        self._lower_forms: dict[str, Sequence[str]] = {}
        own = {tag: [entry.word for entry in others[tag]] for tag in NAME_TAGS}
        names = self.keep("names", lambda: self._list_names(own, unchanged()))
        self.names: Mapping[str, Sequence[str]] = MappingProxyType(names)
        left = [tag for tag in others if tag.startswith(LEFT_PREFIX)]
        self.left = MappingProxyType(
            {tag.removeprefix(LEFT_PREFIX): tuple(others[tag]) for tag in left}
        )
        self.digest, self.glossary = digest, Glossary()

    def _list_names(self, own: Names, unchanged: Names) -> dict[str, tuple[str, ...]]:
        further = {tag: {*filterfalse(self.knows, names)} for tag, names in unchanged.items()}
        return {tag: tuple(sorted(further.get(tag, set()).union(own[tag]))) for tag in own}

    @property
    def draw_from(self) -> float | None:
        """Least sureness of drawn words without settings: 0 for a translator asked for them."""
        stated = "0" if self.is_asked else self.provenance.get(DRAWN_FROM)
        return None if stated is None else float(stated)

    def with_glossary(self, glossary: Glossary) -> Dictionary:
        """Return the same dictionary with ``glossary`` in place of any other."""
        added = copy(self)
        added.glossary = glossary
        return added

    @cached_property
    def language(self) -> Language:
        """Source language: as given, or as the provenance states, or else English.

        Raises ``ConfigurationError`` for a language that PRISM cannot translate from.
        """
        return self._language or load_language(self.provenance.get("source", "en"))

    @cached_property
    def target_language(self) -> Language | None:
        """Target language, if PRISM knows it as a source language."""
        return load_language(self.target) if self.target in source_languages() else None

    @cached_property
    def persons(self) -> frozenset[str]:
        """Public names that persons have."""
        return frozenset(name for tag in PERSONS for name in self.names.get(tag, ()))

    @property
    def target(self) -> str:
        """Code of the target language; empty if the provenance does not state it."""
        return self.provenance.get("target", "")

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def find(self, word: str, tag: str) -> Entry | None:
        """Return the entry of ``word`` (any case) under ``tag``; of a verb also with pronouns."""
        lower = word.lower()
        entry = self._entries.get((lower, tag))
        if entry is None and tag.startswith("VB"):
            entry = self._entries.get((self._strip_pronouns(lower), tag))
        return entry

    def find_original(self, word: str, tag: str) -> Entry | None:
        """Return the entry that puts ``word``, as written, back: the user's term goes first."""
        return self.glossary.entry_of(word, tag) or self.find(word, tag)

    def senses(self, word: str) -> Sequence[Entry]:
        """Return every entry of ``word``, most confident first."""
        lower = word.lower()
        found = self._senses.get(lower)
        return self._senses.get(self._strip_pronouns(lower), ()) if found is None else found

    def knows(self, word: str) -> bool:
        """Return True if ``word`` has an entry under any tag: it is an ordinary, public word."""
        return bool(self.senses(word))

    def is_term(self, word: str) -> bool:
        """Return True if the user's glossary has ``word``."""
        return any(entry.translator == GLOSSARY for entry in self.senses(word))

    def _strip_pronouns(self, word: str) -> str:
        return self.language.grammar.enclitics.bare(word)

    def name_form(self, name: str) -> str:
        """Return a public name as the translator writes it, and any other name unchanged."""
        if len(name) > 1 and name.isupper():
            return self._name_forms.get(name.capitalize(), name).upper()
        return self._name_forms.get(name, name)

    def translate_surrogate(self, surrogate: str) -> str:
        """Return a surrogate, one or several public names, as the translator writes it."""
        return " ".join(map(self.name_form, surrogate.split(" ")))

    def phrase(self, text: str) -> Entry | None:
        """Return the surest entry of words, separated by blanks, that are translated as one."""
        senses = self.senses(text)
        return senses[0] if senses else None

    def association(self, word: str, target: str) -> float:
        """Return Dice's coefficient of a source and a target word (lower case), 0 if not known."""
        found = self._associates.get(word)
        if found is None or target not in found.texts:
            return 0.0
        return found.scores[found.texts.index(target)]

    @property
    def companions(self) -> Mapping[str, Forms]:
        """Words that are known to change with the word that they stand before, in lower case."""
        return self._companions

    def companion(self, before: str, word: str, features: Collection[str]) -> str | None:
        """Return what goes before ``word``, which has ``features``, in place of ``before``.

        ``before`` is in lower case. The word's gender, number and first letter decide where all are
        known, else the letter alone. Returns None where nothing is known.
        """
        key = before, word, tuple(features)
        if key not in self._partners:
            if len(self._partners) >= MOST_REMEMBERED:
                self._partners.clear()
            self._partners[key] = self._find_companion(before, word, features)
        return self._partners[key]

    def _find_companion(self, before: str, word: str, features: Collection[str]) -> str | None:
        found = self._companions.get(before)
        if found is None or not word:
            return None
        if (f"Word={word}",) in found.features:
            return before
        rules: dict[bool, list[tuple[float, str]]] = {True: [], False: []}
        is_genitive = GENITIVE in features
        for text, score, (*required, initial) in found:
            kind, _, letters = initial.partition("=")
            is_of_case = not required or (GENITIVE in required) == is_genitive
            if kind == "Initial" and word[0] in letters and set(required).issubset(features):
                rules[bool(required)] += [(score, text)] * is_of_case
        is_specific = is_genitive or len(agreement_of(features)) > 1
        fitting = rules[is_specific]
        if fitting or not is_specific or self._has_elisions:
            return max(fitting)[1] if fitting else None
        own = {GENITIVE} if is_genitive else {*features} - {GENITIVE}
        conditions = ((text, {*required[:-1]}) for text, _, required in found)
        others = {text for text, required in conditions if required and required <= own}
        return others.pop() if len(others) == 1 else None

    def calendar_entry(self, word: str) -> Entry | None:
        """Return the entry of a month, else a weekday, in the closed set of its own kind."""
        lower = word.lower()
        found = (self._entries.get((lower, tag)) for tag in (*CALENDAR_TAGS, "WEEKDAYS"))
        return next(filter(None, found), None)

    def searched_forms(self, entry: Entry) -> Sequence[str]:
        """Return the texts of ``entry`` as decoding searches them: longest first.

        They include no grammar word (*que*) that lines have beside the word, except as the first of
        its forms. What grammar words are, a translator that was asked for every word tells; lines
        tell it less surely, so for others these are the target language's function words.
        """
        forms = entry.longest_first
        if entry.method in ASKED_IN_FRAMES:
            return forms
        known = None if self.is_asked else self.target_language
        grammar = self.function_forms if known is None else known.words.function_words
        first = entry.forms.texts[0]
        return [form for form in forms if form not in grammar or form == first]

    def lower_forms(self, word: str) -> Sequence[str]:
        """Return the forms of every entry of ``word``, in lower case, each once."""
        known = self._lower_forms.get(word)
        if known is None:
            texts = (text for entry in self.senses(word) for text in entry.forms.texts)
            lower = (text if text.islower() else text.lower() for text in texts)  # few are new
            known = tuple(dict.fromkeys(lower))
            if known and len(self._lower_forms) < MOST_REMEMBERED:
                self._lower_forms[word] = known
        return known

    def answer_words(self, word: str) -> Collection[str]:
        """Return the words of all forms of ``word`` in lower case; a name stands for itself."""
        known = self._answer_words.get(word)
        if known is None:
            rows = [row for entry in self.senses(word) for row in entry.rows]
            found = [text for row in rows for text in row.forms.texts]
            if not found and not word.islower():
                found = [word, self.name_form(word)]
            words = target_tokens(" ".join(found).lower())
            known = frozenset(words) - self.function_forms
            if len(self._answer_words) < MOST_REMEMBERED:
                self._answer_words[word] = known
        return known

    @cached_property
    def function_forms(self) -> frozenset[str]:
        """Words that the translators write for function words or before nouns, in lower case."""
        rows = (row for entry in self if entry.tag == FUNCTION_TAG for row in entry.rows)
        texts = (text for row in rows for text in row.forms.texts)
        return frozenset(" ".join((*texts, *self.companions)).lower().split())

    def keep(
        self,
        name: str,
        make: Callable[[], Made],
        settings: str = "",
        files: Iterable[Path] = (),
        *convert: Callable[[Any], Any],
    ) -> Made:
        """Return ``make()``, which follows from the entries, ``settings`` and ``files``.

        It is kept for later processes, if the dictionary ships with PRISM. It is plain data, or
        ``convert`` makes it plain, and back (``load_or_make``).
        """
        file = self._prepared and self._prepared.derive(name, settings, files)
        made: Made = load_or_make(file, make, *convert)
        return made

    @cached_property
    def target_words(self) -> frozenset[str]:
        """Words of every form except those of names, in lower case and without accents."""
        return self.keep("words", self._list_target_words)

    def _list_target_words(self) -> frozenset[str]:
        texts = {text for entry in self for row in entry.rows for text in row.forms.texts}
        words = {*"\n".join(texts).lower().split()}
        return frozenset(target_tokens(without_accents("\n".join(words))))

    @cached_property
    def form_index(self) -> FormIndex:
        """Index of every form of every ordinary entry, made on first use."""
        entries = [*self]
        return FormIndex(entries, self.keep("forms", lambda: index_forms(entries, CLOSED_TAGS)))

    def phrases_with(self, entry: Entry, form: str) -> Sequence[str]:
        """Return the longer forms that any row of a word has around its ``form``, longest first.

        ``entry`` is the row that has the form. The rest of a longer form holds a content word:
        *cada vez más* around *cada*, not *la casa*. Where the translator was asked for the word,
        its form is whole and the text around it belongs to another word (*miles* in *miles de
        millones*), except the preposition that a noun has as an adjective: *del este*.
        """
        if entry.method in ASKED_IN_FRAMES:
            words = self.target_language and self.target_language.words
            if not words or not entry.tag.startswith("NN"):
                return ()
            as_adjective = self._entries.get((entry.word, "JJ"))
            longer = {f"{preposition} {form}" for preposition in words.contracted}
            return [text for text in (as_adjective or entry).forms.texts if text in longer]
        key = entry.word, form
        if key not in self._phrases:
            rows = [row for other in self.senses(entry.word) for row in other.rows]
            texts = {text for row in rows for text in row.forms.texts if " " in text}
            split = ((text, {*text.lower().split()}) for text in texts)
            around = (
                text
                for text, words in split
                if form in words and not self.function_forms.issuperset(words - {form})
            )
            self._phrases[key] = sorted(around, key=len, reverse=True)
        return self._phrases[key]

    @cached_property
    def by_tag(self) -> Mapping[str, tuple[Entry, ...]]:
        """All entries of each tag, in decreasing score (ties by word, so the order is stable)."""
        groups: dict[str, list[Entry]] = defaultdict(list)
        for entry in self:
            groups[entry.tag].append(entry)
        return {
            tag: tuple(sorted(group, key=lambda entry: (-entry.score, entry.word)))
            for tag, group in groups.items()
        }


def _group_senses(entries: Iterable[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Return the entries of each word, most confident first."""
    senses: dict[str, tuple[Entry, ...]] = {}
    for entry in entries:
        found = senses.get(entry.word)
        if found is None:
            senses[entry.word] = (entry,)
        elif entry.confidence <= found[-1].confidence:
            senses[entry.word] = (*found, entry)
        else:
            ranked = sorted((*found, entry), key=_CONFIDENCE, reverse=True)
            senses[entry.word] = tuple(ranked)
    return senses
