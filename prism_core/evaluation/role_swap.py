"""Sentences with their roles swapped: sightings of words in a translator's real output.

Entry: ``swap`` encodes a sentence and decodes its real translation with the inverted record
(``swap_roles``); ``read_back`` decodes once more, back to the sentence. ``fit_rates`` fits recovery
rates to the places of many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import NamedTuple

from prism_core.decoding import STRONG, Decoded, Way
from prism_core.dictionary import Dictionary, agreement_of, differing, target_tokens
from prism_core.encoding import Encoder
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded, Kind, Replacement
from prism_core.recovery import FittedRates

_ADJECTIVES = ("JJ", "VBN")
_GENDERLESS = "noun"
"""The frame of any noun; others, ``class0`` and so on, tell its gender too."""


_FIRST_SEND = frozenset(Way) - {Way.ELIMINATION}
_LOOKED_FOR = (Kind.WORD, Kind.NUMBER, Kind.KEPT)


class SwappedPlace(NamedTuple):
    """A replacement with its roles swapped.

    ``shown`` is what stood in the translation, None if nothing was found; it was found in ``way``,
    and ``inserted`` was put in its place. ``agrees``: it is a noun with which everything beside it
    agrees, in its own number and whatever its gender, or an adjective that agrees with the noun
    beside it.
    """

    replacement: Replacement
    shown: str | None
    inserted: str = ""
    way: Way | None = None
    agrees: bool = False

    @property
    def is_counted(self) -> bool:
        """True for ordinary words and numbers.

        Names and codes mostly stay as they are, and unknown words cannot be looked for.
        """
        return self.replacement.kind in (Kind.WORD, Kind.NUMBER)


class Swapped(NamedTuple):
    """A sentence: its places, and whether all that count were found, also by the weak ways."""

    places: tuple[SwappedPlace, ...]
    all_found: bool
    all_found_weakly: bool

    @property
    def counted(self) -> list[SwappedPlace]:
        """Places of the ordinary words and numbers."""
        return [place for place in self.places if place.is_counted]


def swap_roles(encoded: Encoded, source: str) -> Encoded:
    """Return ``encoded`` as if ``source`` had been sent: words and substitutes change places."""
    record = tuple(
        replacement._replace(word=replacement.substitute, substitute=replacement.word, surface=None)
        for replacement in encoded.record
    )
    return replace(encoded, text=source, record=record)


def swap(encoder: Encoder, sentence: Sentence, translation: str, rng: Random) -> Swapped | None:
    """Decode ``translation`` as the answer to ``sentence``; None where nothing would be sent."""
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


def read_back(encoder: Encoder, encoded: Encoded, source: str, answer: str) -> str | None:
    """Return what a run would make of ``source`` at best, by two decodings; None if not restored.

    The first puts the drawn words into ``answer``, the translation of ``source`` itself; the second
    puts the own words back. Names stay, and so do stand-ins: their translations are not known.
    """
    record = (replacement for replacement in encoded.record if replacement.kind in _LOOKED_FOR)
    shown = replace(encoded, record=tuple(record))
    there = encoder.decode(swap_roles(shown, source), answer, ways=_FIRST_SEND)
    if there.unrestored:
        return None
    return encoder.decode(shown, there.text, ways=_FIRST_SEND).text


def _decode(encoder: Encoder, swapped: Encoded, translation: str, *, weakly: bool) -> Decoded:
    """Undo ``swapped``; ``weakly`` also by elimination."""
    ways = [way for way in Way if weakly or way in STRONG]
    return encoder.decode(swapped, translation, ways=ways)


def _agrees(found: Decoded, replacement: Replacement, dictionary: Dictionary) -> bool:
    """Return True if the inserted word agrees in gender and number with what stands beside it.

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
        return len(own) > 1 and own in (agreement_of(find(other, "NN")) for other in beside)
    if not tag.startswith("NN"):
        return False
    own, theirs = find(word, tag), find(shown, tag)
    if not (_GENDERLESS in own and _GENDERLESS in theirs) or "Number" in differing(own, theirs):
        return False
    for article in filter(dictionary.companions.__contains__, before):
        if dictionary.companion(article, target_tokens(word)[0], own) != article:
            return False
    is_told = any(feature.startswith("Gender=") for feature in own)
    return not any(
        differing(features, own) or (features and not is_told)
        for features in (
            tuple(feature for feature in find(other, "JJ") if "=" in feature) for other in beside
        )
    )


def fit_rates(swapped: Iterable[Swapped], dictionary: Dictionary) -> FittedRates:
    """Fit recovery rates to all places of ``swapped``."""
    sightings = (
        (place.replacement, place.shown is not None)
        for sentence in swapped
        for place in sentence.places
    )
    return FittedRates(sightings, dictionary)
