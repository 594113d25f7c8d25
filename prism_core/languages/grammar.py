"""Language data of the dictionary builder: frames for words, and grammar.

``Enclitics`` are verbs that take an accent because pronouns are attached to them: *dárselo*. It
takes a word apart (``split``), and writes a verb by itself (``bare``) or before pronouns
(``accent``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator

from prism_core.languages.fields import STRICT, Pattern, WordSet, WordTuple

_UNACCENTED = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
_ACCENTED = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
_NUCLEUS = re.compile(r"(?i)[iuü]*[aeo][iu]?|[iuü]+")
"""Vowels that are spoken as one syllable."""
_STRONG = re.compile("(?i)[aeo]")


@dataclass(frozen=True, eq=False, slots=True)
class Enclitics:
    """Patterns of verbs with attached pronouns; empty for a language without them."""

    __pydantic_config__ = STRICT

    verbs: Mapping[str, Pattern] = field(default_factory=dict)
    """Pattern, by tag, of verbs with the added accent; none of them is a word by itself
    (*haciéndo*)."""
    pronouns: Mapping[str, Pattern] = field(default_factory=dict)
    """Pattern, by the same tags, of the pronouns after such a verb, each in a group: *(se)(lo)*."""
    accented_by_one: str = "(?!)"
    """Pattern of verbs that get the accent with one pronoun already (*haciendo*); all others need
    two."""

    def split(self, word: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the verb's tag and the parts of ``word``; None for any other word."""
        if word.isascii():
            return None
        for tag, verb in self.verbs.items():
            if match := re.fullmatch(f"(?i:({verb})(?:{self.pronouns[tag]}))", word):
                return tag, tuple(filter(None, match.groups()))
        return None

    def bare(self, word: str) -> str:
        """Remove the accent that pronouns give to a verb; return any other word unchanged."""
        if word.isascii() or not any(re.fullmatch(verb, word) for verb in self.verbs.values()):
            return word
        return word.translate(_UNACCENTED)

    def accent(self, verb: str, pronouns: int) -> str:
        """Return ``verb`` as it is spelt before ``pronouns`` attached pronouns."""
        by_one = re.fullmatch(f"(?i:{self.accented_by_one})", verb) is not None
        if pronouns < 2 - by_one or verb.translate(_UNACCENTED) != verb:
            return verb
        nuclei = [nucleus.span() for nucleus in _NUCLEUS.finditer(verb)]
        is_last = not by_one and verb[-1:].lower() == "r"
        for start, end in nuclei[-1:] if is_last else nuclei[-2:-1]:
            strong = _STRONG.search(verb, start, end)
            vowel = strong.start() if strong else end - 1
            return verb[:vowel] + verb[vowel].translate(_ACCENTED) + verb[vowel + 1 :]
        return verb


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence ``text`` with ``{}`` in place of a word; ``feature`` names the form it elicits."""

    __pydantic_config__ = STRICT

    feature: str
    text: str


FrameTuple = Annotated[
    tuple[Frame, ...],
    BeforeValidator(
        lambda value: [Frame(*item) for item in value.items()] if isinstance(value, dict) else value
    ),
]


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Frames:
    """Sentences and words that the dictionary builder has translated."""

    __pydantic_config__ = STRICT

    of_tags: Mapping[str, FrameTuple]
    """Frames of every open tag (*The red {} was there.* for NN); a tag without frames has no
    entries."""
    behaviour: Mapping[str, FrameTuple]
    """Frames that show how a word affects the words around it; no form is taken from them."""
    alone: Frame
    """Frame that names a word outside of any context; it shows which words of another frame's
    answer belong to the word's form."""
    name: Frame
    """Frame that shows how a translator writes a name."""
    name_contexts: WordTuple
    """Sentences with ``{}`` in which a name is translated, to see how often it is kept."""
    alike: tuple[tuple[str, str], ...]
    """Pairs of contexts of a name that mean the same and must be translated alike."""
    numerals: WordTuple
    """Number words that the builder has translated."""
    forms: Mapping[str, Pattern] = field(default_factory=dict)
    """Pattern of the word forms of a tag; the tagger mistook any other word."""
    lent: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Second tag of a tag's words, and the pattern of the words that share it: a German plural in
    -n or -s is also its dative."""
    tags_by_ending: Mapping[str, tuple[str, ...]]
    """Endings, with the tags of a word that has one (*ing*: VBG, NN, JJ); the first that fits
    counts."""
    of_time: WordSet
    """Words that begin an expression of time: *every day*."""
    agreement: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Gender and number of the noun in a frame of adjectives. The gender has any name (*House*):
    what it is called in the target language is not known."""
    preceding: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sentences in which a ``singular`` or ``plural`` noun, ``{}``, stands behind words of grammar
    that may change with it in the target language."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Grammar:
    """Words that show which frame of a verb fits its use in running text."""

    __pydantic_config__ = STRICT

    persons: Mapping[str, Pattern]
    """Subject pronouns, with the person of the frame that they stand for (*he*: ``she``)."""
    subjects: Mapping[str, tuple[str, ...]]
    """Subjects of frames (the end of a frame's name), with number and person (``Person=1``)."""
    modals: Mapping[str, Pattern]
    """Words before an infinitive, with the frame that they stand for (*to*: ``infinitive``)."""
    be: WordSet
    """Forms of *to be*."""
    have: WordSet
    """Forms of *to have*."""
    relative: WordSet
    """Relative pronouns between a subject and its verb (*who*)."""
    outside_phrases: WordSet
    """Function words that belong to no phrase, but to a clause, a noun or a degree (*still*)."""
    noun_phrases: Pattern = "[njg]{1,2}n"
    """Pattern of phrases that are a noun, one letter a word: noun (``n``), adjective (``j``),
    participle (``g``), preposition (``p``), word of ``Words.of`` (``o``)."""
    head_first: bool = False
    """True if the first noun of a phrase has its number (Spanish), False if the last word has."""
    genders: Mapping[str, Pattern] = field(default_factory=dict)
    """Words before nouns of one gender, with the ending of these nouns' tags (*eine*: ``F``)."""
    any_gender: Pattern = "(?!)"
    """Pattern of such a word, a blank and a noun that may have another gender: *el agua*."""
    noun_slots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Articles, alone or with a blank and the tag of an adjective after it, and the tags that the
    noun behind may have (*das*: ``NN-N``)."""
    verb_with_pronouns: Pattern = "(?!)"
    """Pattern of a verb with attached pronouns that keeps its spelling, the verb in a group:
    *hacerlo*, but not *haciéndolo*."""
    enclitics: Enclitics = field(default_factory=Enclitics)
    """Verbs whose spelling changes with attached pronouns."""
