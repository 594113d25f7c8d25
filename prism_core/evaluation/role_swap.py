"""Sentences with their roles swapped: sightings of words in a translator's real output.

Entry: ``swap`` encodes a sentence and decodes its real translation with the inverted record
(``swap_roles``); ``read_back`` decodes once more, back to the sentence. ``fit_rates`` fits recovery
rates to the places of many. ``FormCategories`` tells if a restored form differs in its grammatical
category from the one that stood there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from typing import NamedTuple

from prism_core.decoding import STRONG, Decoded, SearchStrategy
from prism_core.dictionary import AGREEING, Dictionary, agreement_of, differing, target_tokens
from prism_core.encoding import Encoder
from prism_core.evaluation.recovery_fitting import FittedRates
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded, Kind, Replacement

_ENDING = "Ending="
_OF_NOUN_CLASS = re.compile(r"[sp]\d+")
"""Pattern of frames of an adjective beside a noun of each class, singular and plural."""
_FINITE = ("Mood=", "Number=", "Person=", "Tense=")
_Category = tuple[str, str]
_ADJECTIVES = ("JJ", "VBN")
_GENDERLESS = "noun"
"""The frame of any noun; others, ``class0`` and so on, tell its gender too."""


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
    strategy: SearchStrategy | None = None
    agrees: bool = False

    @property
    def is_counted(self) -> bool:
        """True for ordinary words and numbers.

        Names and codes mostly stay as they are, and unknown words cannot be looked for.
        """
        return self.replacement.kind in (Kind.WORD, Kind.NUMBER)


class Swapped(NamedTuple):
    """A sentence: its places, and whether all that count were found, also by weak strategies."""

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
            found.strategies.get(replacement.position),
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
    there = encoder.decode(swap_roles(shown, source), answer, strategies=STRONG)
    if there.unrestored:
        return None
    return encoder.decode(shown, there.text, strategies=STRONG).text


def _decode(encoder: Encoder, swapped: Encoded, translation: str, *, weakly: bool) -> Decoded:
    """Undo ``swapped``; ``weakly`` also by elimination."""
    strategies = frozenset(SearchStrategy) if weakly else STRONG
    return encoder.decode(swapped, translation, strategies=strategies)


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


class FormCategories:
    """Categories of target forms, from every row of the dictionary.

    A category is a tag with a frame in which the form was seen; participles are as adjectives, and
    plurals have no gender where no plural of the language has one. What endings say
    (``Number=Sing``) does not count, as forms are chosen by it, but where nothing else tells: of
    verbs mood, tense, number and person, of participles and adjectives gender and number, of
    adjectives that an ending alone tells the case of, that ending, and of other adjectives whether
    they are the same in both genders.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._known: dict[str, set[_Category]] = defaultdict(set)
        tags = dictionary.target_language.frames.of_tags if dictionary.target_language else {}
        self._plurals_agree = "NN-F" not in tags or "NNS-F" in tags
        self._frames = _meanings_of_frames(dictionary)
        genderless: set[tuple[str, _Category]] = set()
        for entry in dictionary:
            for row in entry.rows:
                tag = row.tag.replace("VBN", "JJ")
                for text, features in zip(row.forms.texts, row.forms.features, strict=True):
                    found = set(self._read(tag, features))
                    self._known[text.lower()] |= found
                    if tag == "JJ" and _is_genderless(features):
                        genderless |= {(text.lower(), category) for category in found}
        self._widen_adjectives(genderless)
        self._widen_nouns()

    def _widen_adjectives(self, genderless: Iterable[tuple[str, _Category]]) -> None:
        """Let adjectives that are the same in both genders stand beside nouns of any class."""
        of_class = {
            category
            for known in self._known.values()
            for category in known
            if _OF_NOUN_CLASS.match(category[1])
        }
        for text, (tag, frame) in genderless:
            if _OF_NOUN_CLASS.match(frame):
                alike = {
                    category
                    for category in of_class
                    if category[0] == tag and category[1][0] == frame[0]
                }
                self._known[text] |= alike

    def _widen_nouns(self) -> None:
        """Let nouns without a known gender have either."""
        all_known = set().union(*self._known.values())
        gendered = {(tag, feature) for tag, feature in all_known if feature.startswith("class")}
        for categories in self._known.values():
            for category in [known for known in categories if known[1] == _GENDERLESS]:
                of_tag = {known for known in gendered if known[0] == category[0]}
                if of_tag:
                    categories.discard(category)
                    categories |= of_tag & categories or of_tag

    def _read(self, tag: str, features: Sequence[str]) -> Iterator[_Category]:
        """Yield the categories of a form; a plural has no gender where no plural has one."""
        is_plural = tag == "NNS" and not self._plurals_agree
        features = [_GENDERLESS] if is_plural else features
        if tag == "JJ" and not any(map(_OF_NOUN_CLASS.match, features)):
            told = set(agreement_of(features))
            is_finite = any(feature.startswith("Person=") for feature in features)
            if any(feature.startswith("Number=") for feature in told) and not is_finite:
                features = [*features, *(f for f, means in self._frames.items() if told <= means)]
        return _categories(tag, features)

    def differ(self, form: str, other: str) -> bool | None:
        """Return True if two forms share no category; None if that of one is unknown."""
        own, others = (self._known.get(text.lower()) for text in (form, other))
        return own.isdisjoint(others) if own and others else None


def _meanings_of_frames(dictionary: Dictionary) -> Mapping[str, set[str]]:
    """Return gender and number of most adjectives in each frame of a class of nouns."""
    seen: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for entry in dictionary.by_tag.get("JJ", ()):
        for features in chain.from_iterable(row.forms.features for row in entry.rows):
            told = agreement_of(features)
            for frame in filter(_OF_NOUN_CLASS.match, features):
                for feature in told:
                    seen[frame][feature.partition("=")[0]][feature] += 1
    return {
        frame: {counts.most_common(1)[0][0] for counts in by_name.values()}
        for frame, by_name in seen.items()
        if len(by_name) == len(AGREEING)
    }


def _categories(tag: str, features: Sequence[str]) -> Iterator[_Category]:
    endings = (
        [feature for feature in features if feature.startswith(_ENDING)] if tag == "JJ" else []
    )
    for feature in endings or [feature for feature in features if "=" not in feature]:
        yield tag, feature
    if tag.startswith("VB") and (verbal := _verbal(features)):
        yield "VB", verbal
    agreeing = sorted(feature for feature in features if feature.startswith(("Gender=", "Number=")))
    if len(agreeing) > 1 and "VerbForm=Part" in features:
        yield "JJ", " ".join(agreeing)


def _verbal(features: Sequence[str]) -> str:
    """Return mood, tense, number and person of a finite form, or infinitive; else empty."""
    if "VerbForm=Inf" in features:
        return "VerbForm=Inf"
    told = sorted(feature for feature in features if feature.startswith(_FINITE))
    return " ".join(told) if len(told) == len(_FINITE) else ""


def _is_genderless(features: Iterable[str]) -> bool:
    told = {feature.partition("=")[0] for feature in features if "=" in feature}
    return "Number" in told and "Gender" not in told and "VerbForm" not in told
