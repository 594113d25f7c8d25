"""What the builder of a dictionary asks of a language: frames for its words, and its grammar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BeforeValidator

from prism_core.languages.enclitics import Enclitics
from prism_core.languages.fields import STRICT, Pattern, WordSet, WordTuple


@dataclass(frozen=True, slots=True)
class Frame:
    """``text`` with ``{}`` where a word goes; ``feature`` names the slot it shows."""

    __pydantic_config__ = STRICT

    feature: str
    text: str


def _make_frames(value: object) -> object:
    """Make a frame of each text of a table, by its feature."""
    if not isinstance(value, dict):
        return value
    return [Frame(feature, text) for feature, text in value.items()]


FrameTuple = Annotated[tuple[Frame, ...], BeforeValidator(_make_frames)]


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Frames:
    """Sentences and words that a dictionary's builder asks a translator about."""

    __pydantic_config__ = STRICT

    of_tags: Mapping[str, FrameTuple]
    """Every open tag and its frames; a tag without frames has no entries."""
    behaviour: Mapping[str, FrameTuple]
    """Frames whose residue shows what a word does to what stands near it; no form is read off
    them."""
    name: Frame
    """Shows how a translator writes a name."""
    name_contexts: WordTuple
    alike: tuple[tuple[str, str], ...]
    """Two contexts of a name that say the same, and must be translated alike."""
    numerals: WordTuple
    """Number words that the builder asks about."""
    forms: Mapping[str, Pattern] = field(default_factory=dict)
    """By tag, the pattern that words of it have: any other was mistaken for one by the tagger."""
    lent: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By tag another that its words fit too where they have a pattern: a plural in -n or -s is the
    same in the dative."""
    tags_by_ending: Mapping[str, tuple[str, ...]]
    """Endings, and the tags that a word with one may have; the first that fits counts."""
    of_time: WordSet
    """Words that begin a phrase of time: *every day*."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Grammar:
    """Words that tell in what slot of its frames a verb stands in running text."""

    __pydantic_config__ = STRICT

    persons: Mapping[str, Pattern]
    """Subjects, with the person of the frames that they stand for."""
    subjects: Mapping[str, tuple[str, ...]]
    """The subjects of frames (what their names end in), with number and person (``Person=1``)."""
    modals: Mapping[str, Pattern]
    """What stands before an infinitive, with the frame that it stands for."""
    be: WordSet
    have: WordSet
    relative: WordSet
    """Words between a subject and its verb."""
    outside_phrases: WordSet
    """Function words that are part of no phrase: they go with a clause, a noun, or a degree."""
    noun_phrases: Pattern = "[njg]{1,2}n"
    """Pattern of phrases that are a noun: a letter for each noun, adjective (``j``), participle
    (``g``), preposition (``p``) and word of ``Words.of`` (``o``)."""
    head_first: bool = False
    """Whether the first noun of such a phrase is what its number is told by, else the last word."""
    genders: Mapping[str, Pattern] = field(default_factory=dict)
    """What stands before nouns of one gender, with how the tags of these nouns end: ``F``."""
    any_gender: Pattern = "(?!)"
    """Pattern of one of these, a blank and a noun that may be of another gender: *el agua*."""
    noun_slots: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What stands before a noun, alone or with a blank and the tag of the adjective between, and
    the tags that the noun may have there."""
    verb_with_pronouns: Pattern = "(?!)"
    """Pattern of a verb and the pronouns that are written to it, the verb as a group, where it is
    written as by itself: *hacerlo*, but not *haciéndolo*."""
    enclitics: Enclitics = field(default_factory=Enclitics)
    """Those that get an accent by it."""
