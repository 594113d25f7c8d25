"""Grammatical categories of forms, to see if a restored form differs from the expected one.

Entry: ``FormCategories``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from prism_core.dictionary import AGREEING, Dictionary, agreement_of
from prism_core.languages import Language

_GENDERLESS = "noun"
"""Frame of any noun; others (``class0`` …) tell its gender too."""
_ENDING = "Ending="
_OF_NOUN_CLASS = re.compile(r"[sp]\d+")
"""Pattern of frames of an adjective beside a noun of each class, singular and plural."""
_FINITE = ("Mood=", "Number=", "Person=", "Tense=")
_Category = tuple[str, str]


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
        self._plurals_agree = _have_gender(dictionary.target_language)
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


def _have_gender(language: Language | None) -> bool:
    """Return True if plurals of ``language`` have a gender, or nothing is known of it."""
    tags = language.frames.of_tags if language else {}
    return "NN-F" not in tags or "NNS-F" in tags


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
