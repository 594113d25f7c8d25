"""One sentence with its roles swapped, and what follows from many of them for each word.

entry: ``swap`` encodes a sentence and decodes its real translation with the inverted record
(``swap_roles``); ``FoundRates`` tells of any replacement how likely its substitute comes back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
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
    agreement_of,
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
_ADJECTIVES = ("JJ", "VBN")
_GENDERLESS = "noun"
"""The frame of any noun; others, ``class0`` and so on, tell its gender too."""


class SwappedPlace(NamedTuple):
    """A replacement with its roles swapped; ``shown`` stood in the translation, None if nothing.

    ``inserted`` was put there for it, which was found in ``way``. ``agrees``: it is a noun with
    which everything beside it agrees, as its own number has it, whatever its gender is, or an
    adjective that agrees with the noun beside it.
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
    """Whether what was put in fits what stands right beside it, as its own gender and number are.

    A noun for a noun of its number, with an article and adjectives of its gender (*un monopolio*
    for *una orden*), or an adjective with its noun.
    """
    span, tag = found.places.get(replacement.position), replacement.drawn_as or replacement.tag
    if span is None or not dictionary.companions:
        return False
    shown = found.shown[replacement.position]
    word, find = found.text[slice(*span)], dictionary.form_index.features
    before = target_tokens(found.text[: span[0]])[-1:]
    beside = (*before, *target_tokens(found.text[span[1] :])[:1])
    if tag.startswith(_ADJECTIVES):
        own = agreement_of(find(word, "JJ"))
        return len(own) > 1 and own in (agreement_of(find(one, "NN")) for one in beside)
    if not tag.startswith("NN"):
        return False
    own, theirs = find(word, tag), find(shown, tag)
    if not (_GENDERLESS in own and _GENDERLESS in theirs) or "Number" in differing(own, theirs):
        return False
    for article in filter(dictionary.companions.__contains__, before):
        if dictionary.companion(article, target_tokens(word)[0], own) != article:
            return False
    is_told = any(one.startswith("Gender=") for one in own)
    return not any(
        differing(of_one, own) or (of_one and not is_told)
        for of_one in (
            tuple(feature for feature in find(one, "JJ") if "=" in feature) for one in beside
        )
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
