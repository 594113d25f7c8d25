"""Language data of the dictionary builder: frames for words, and grammar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator

from prism_core.languages.enclitics import Enclitics
from prism_core.languages.fields import STRICT, Pattern, WordSet, WordTuple


@dataclass(frozen=True, slots=True)
class Frame:
    """A sentence ``text`` with ``{}`` in place of a word; ``feature`` names the form it elicits."""

    __pydantic_config__ = STRICT

    feature: str
    text: str


def _make_frames(value: object) -> object:
    """Make a ``Frame`` of each text of a table, by its feature."""
    if not isinstance(value, dict):
        return value
    return [Frame(feature, text) for feature, text in value.items()]


FrameTuple = Annotated[tuple[Frame, ...], BeforeValidator(_make_frames)]


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
