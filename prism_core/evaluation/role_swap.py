"""One sentence with its roles swapped, and what follows from many of them for each word.

entry: ``swap`` encodes a sentence and decodes its real translation with the inverted record
(``swap_roles``); ``FoundRates`` tells of any replacement how likely its substitute comes back, and
``FormCategories`` whether a restored form is of another category than the one that stood there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from statistics import fmean
from typing import NamedTuple

from prism_core.decoding import STRONG, Decoded, Way
from prism_core.dictionary import (
    Dictionary,
    Group,
    Groups,
    MeasuredRates,
    Rate,
    differing,
    target_tokens,
)
from prism_core.encoding import Encoder
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded, Kind, Replacement

_SIGHTINGS = 2.0
"""A word's rate is drawn to that of its group as by so many sightings."""
_WORDS = 5
"""The rate of a group is drawn to that of all as by so many words."""
_ENDING = "Ending="
_OF_NOUN_CLASS = re.compile(r"[sp]\d+")
"""The frames of an adjective beside a noun of each class, in the singular and in the plural."""
_GENDERLESS = "noun"
"""The frame of any noun; others, ``class0`` and so on, tell its gender too."""


class SwappedPlace(NamedTuple):
    """A replacement with its roles swapped; ``shown`` stood in the translation, None if nothing.

    ``inserted`` was put there for it, which was found in ``way``. ``agrees``: it is a noun with
    which everything beside it agrees, as its own number has it, whatever its gender is.
    """

    replacement: Replacement
    shown: str | None
    inserted: str = ""
    way: Way | None = None
    agrees: bool = False

    @property
    def is_counted(self) -> bool:
        """Names and codes mostly stay as they are, and unknown words cannot be looked for."""
        return self.replacement.kind in (Kind.WORD, Kind.NUMBER)


class Swapped(NamedTuple):
    """A sentence: its places, and whether all that count were found, also by the weak ways."""

    places: tuple[SwappedPlace, ...]
    all_found: bool
    all_found_weakly: bool

    @property
    def counted(self) -> list[SwappedPlace]:
        """The ordinary words and numbers."""
        return [place for place in self.places if place.is_counted]


def swap_roles(encoded: Encoded, source: str) -> Encoded:
    """``encoded`` as if ``source`` had been sent for it: words and substitutes change places."""
    record = tuple(
        replacement._replace(word=replacement.substitute, substitute=replacement.word, surface=None)
        for replacement in encoded.record
    )
    return replace(encoded, text=source, record=record)


def swap(encoder: Encoder, sentence: Sentence, translation: str, rng: Random) -> Swapped | None:
    """``sentence`` as x_pub and ``translation`` as y_pub; None where nothing would be sent."""
    encoded = encoder.encode(sentence, DenyList(), rng)
    if encoded.withheld:
        return None
    swapped = swap_roles(encoded, sentence.text.strip())
    found = _decode(encoder, swapped, translation, weakly=False)
    weakly = _decode(encoder, swapped, translation, weakly=True)
    places = tuple(
        SwappedPlace(
            replacement,
            found.shown.get(replacement.position),
            found.text[slice(*found.places.get(replacement.position, (0, 0)))],
            found.ways.get(replacement.position),
            _agrees(found, replacement, encoder.dictionary),
        )
        for replacement in swapped.record
    )
    wanted = {place.replacement.position for place in places if place.is_counted}
    return Swapped(places, wanted <= found.places.keys(), wanted <= weakly.places.keys())


def _decode(encoder: Encoder, swapped: Encoded, translation: str, *, weakly: bool) -> Decoded:
    """Undo ``swapped``; ``weakly`` also by elimination."""
    ways = [way for way in Way if weakly or way in STRONG]
    return encoder.decode(swapped, translation, ways=ways)


def _agrees(found: Decoded, replacement: Replacement, dictionary: Dictionary) -> bool:
    """Whether a noun stands for a noun of its number, and the article and adjectives right beside
    it are those of its own gender: *un monopolio* for *una orden*."""
    span, tag = found.places.get(replacement.position), replacement.drawn_as or replacement.tag
    if span is None or not tag.startswith("NN") or not dictionary.companions:
        return False
    word, find = found.text[slice(*span)], dictionary.form_index.features
    own, theirs = find(word, tag), find(found.shown[replacement.position], tag)
    if not (_GENDERLESS in own and _GENDERLESS in theirs) or "Number" in differing(own, theirs):
        return False
    before = target_tokens(found.text[: span[0]])[-1:]
    for article in filter(dictionary.companions.__contains__, before):
        if dictionary.companion(article, target_tokens(word)[0], own) != article:
            return False
    is_told = any(one.startswith("Gender=") for one in own)
    beside = [find(one, "JJ") for one in (*before, *target_tokens(found.text[span[1] :])[:1])]
    return not any(
        differing(of_one, own) or (of_one and not is_told)
        for one in beside
        for of_one in [tuple(feature for feature in one if "=" in feature)]
    )


class FoundRates:
    """How often each word that may be drawn comes back, by what was seen of it and of its like.

    Alike are words of one of the ``Groups`` of a dictionary. The rate of a group is the mean over
    its words, each counted once, not as often as text has it; the rate of a word is drawn to
    it the more, the less often the word was seen.
    """

    def __init__(self, places: Iterable[SwappedPlace], dictionary: Dictionary) -> None:
        self._groups = Groups(dictionary)
        self._seen: Counter[tuple[Group, str]] = Counter()
        self._found: Counter[tuple[Group, str]] = Counter()
        for place in places:
            if (group := self._groups.of(place.replacement)) is not None:
                drawn = group, place.replacement.substitute.lower()
                self._seen[drawn] += 1
                self._found[drawn] += place.shown is not None
        by_group: dict[Group, list[float]] = defaultdict(list)
        by_family: dict[str, list[float]] = defaultdict(list)
        for drawn, seen in self._seen.items():
            group, rate = drawn[0], self._found[drawn] / seen
            by_group[group].append(rate)
            by_family[group[0]].append(rate)
        self._words = {group: len(rates) for group, rates in by_group.items()}
        self._by_family = {family: fmean(rates) for family, rates in by_family.items()}
        self.by_group: Mapping[Group, float] = {
            group: (sum(rates) + _WORDS * self._by_family[group[0]]) / (len(rates) + _WORDS)
            for group, rates in by_group.items()
        }

    def measured(self, corpora: Iterable[str]) -> MeasuredRates:
        """The rates of the groups, as a dictionary may state them."""
        rates = {group: Rate(rate, self._words[group]) for group, rate in self.by_group.items()}
        return MeasuredRates(tuple(corpora), rates)

    def of(self, replacement: Replacement) -> float:
        """The probability that the substitute of ``replacement`` comes back, in [0, 1].

        What was never seen comes back as the others of its family: words, names, numbers and
        codes; without these it is taken to come back always.
        """
        unlisted = ("name" if replacement.kind is Kind.NAME else "word",)  # such as an initial
        group = self._groups.of(replacement) or unlisted
        mean = self.by_group.get(group, self._by_family.get(group[0], 1.0))
        drawn = group, replacement.substitute.lower()
        return (self._found[drawn] + _SIGHTINGS * mean) / (self._seen[drawn] + _SIGHTINGS)


class FormCategories:
    """The categories (number, gender, person, tense) of target forms, from every row there is.

    A category is a tag with a frame in which the form was seen; participles are as adjectives. What
    endings say (``Number=Sing``) does not count, as forms are chosen by it, but where nothing else
    tells: of participles gender and number, of adjectives that an ending alone tells the case of,
    that ending, and of other adjectives whether they are the same in both genders.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._known: dict[str, set[tuple[str, str]]] = defaultdict(set)
        genderless: set[tuple[str, str, str]] = set()
        for entry in dictionary:
            for row in entry.rows:
                tag = row.tag.replace("VBN", "JJ")
                for text, features in zip(row.forms.texts, row.forms.features, strict=True):
                    frames = [feature for feature in features if "=" not in feature]
                    if _is_declined(tag, features):
                        frames = [one for one in features if one.startswith(_ENDING)]
                    elif tag == "JJ" and _is_genderless(features):
                        genderless |= {(text.lower(), tag, frame) for frame in frames}
                    self._known[text.lower()].update((tag, frame) for frame in frames)
                    if agreeing := _agreeing_of_participle(features):
                        self._known[text.lower()].add(("JJ", agreeing))
        all_known = set().union(*self._known.values())
        gendered = {(tag, feature) for tag, feature in all_known if feature.startswith("class")}
        of_adjectives = {known for known in all_known if _OF_NOUN_CLASS.fullmatch(known[1])}
        for text, tag, frame in genderless:
            if _OF_NOUN_CLASS.fullmatch(frame):
                number = frame[0]
                self._known[text] |= {
                    known for known in of_adjectives if known[0] == tag and known[1][0] == number
                }
        for categories in self._known.values():
            for one in [known for known in categories if known[1] == _GENDERLESS]:
                of_tag = {known for known in gendered if known[0] == one[0]}
                if of_tag:
                    categories.discard(one)
                    categories |= of_tag & categories or of_tag  # of either gender

    def differ(self, form: str, other: str) -> bool | None:
        """Whether two forms have no category in common; None where that of one is not known."""
        own, others = (self._known.get(text.lower()) for text in (form, other))
        return own.isdisjoint(others) if own and others else None


def _is_declined(tag: str, features: Iterable[str]) -> bool:
    return tag == "JJ" and any(one.startswith(_ENDING) for one in features)


def _is_genderless(features: Iterable[str]) -> bool:
    told = {one.partition("=")[0] for one in features if "=" in one}
    return "Number" in told and "Gender" not in told and "VerbForm" not in told


def _agreeing_of_participle(features: Sequence[str]) -> str:
    """Gender and number of a past participle, where both are told; else nothing."""
    told = sorted(one for one in features if one.startswith(("Gender=", "Number=")))
    return " ".join(told) if len(told) > 1 and "VerbForm=Part" in features else ""
