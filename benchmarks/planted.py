"""How far the rules for errors can be trusted: errors of a known class, planted and looked for.

A sentence that T translated gets exactly one error, and the rules are asked what is wrong with it.
That tells how they do on errors that stand alone; in a sentence with several they do worse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random

from prism_core.evaluation.error_classes import ErrorClass, classes_of, is_content
from prism_core.evaluation.surviving import GoldNames
from prism_core.privacy_score import words

_WORD = re.compile(r"[^\W\d_]{4,}")
_NUMBER = re.compile(r"\d+")
_ENDINGS = (("os", "as"), ("as", "os"), ("o", "a"), ("a", "o"), ("ó", "aron"), ("es", "e"))

Planter = Callable[[str, str, GoldNames, Random], str | None]
"""A translation with one error, of its source and itself; None where it has no place for it."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """How the rules did on ``planted`` errors of one class: ``recall`` is the share that they
    named, ``precision`` the share of all they called so that was of this class."""

    planted: int
    recall: float
    precision: float


def reliability(
    pairs: Iterable[tuple[str, str]], names: GoldNames, rng: Random
) -> dict[ErrorClass, Reliability]:
    """Plant every class of error in each of ``pairs`` of source and translation, one at a time."""
    seen: dict[ErrorClass, list[frozenset[ErrorClass]]] = {one: [] for one in PLANTERS}
    for private, direct in pairs:
        for planted, plant in PLANTERS.items():
            text = plant(private, direct, names, rng)
            if text is not None and text != direct:
                seen[planted].append(frozenset(classes_of(private, text, direct, names)))
    called = [one for found in seen.values() for named in found for one in named]
    return {
        one: Reliability(
            planted=len(found),
            recall=sum(one in named for named in found) / max(len(found), 1),
            precision=sum(one in named for named in found) / max(called.count(one), 1),
        )
        for one, found in seen.items()
    }


def _ending(_private: str, direct: str, names: GoldNames, rng: Random) -> str | None:
    def other(word: str) -> str | None:
        return next((word[: -len(a)] + b for a, b in _ENDINGS if word.endswith(a)), None)

    places = [m for m in _plain_words(direct, names) if other(m.group())]
    if not places:
        return None
    place = rng.choice(places)
    return _replaced(direct, place, other(place.group()) or "")


def _source_word(private: str, direct: str, names: GoldNames, rng: Random) -> str | None:
    own = [w for w in words(private) if is_content(w) and w not in words(direct)]
    own = [w for w in own if w not in {name.lower() for name in names.rare | names.ordinary}]
    places = _plain_words(direct, names)
    return _replaced(direct, rng.choice(places), rng.choice(own)) if places and own else None


def _without(_private: str, direct: str, names: GoldNames, rng: Random) -> str | None:
    places = _plain_words(direct, names)
    return _replaced(direct, rng.choice(places), "") if places else None


def _twice(_private: str, direct: str, names: GoldNames, rng: Random) -> str | None:
    places = _plain_words(direct, names)
    if not places:
        return None
    place = rng.choice(places)
    return _replaced(direct, place, f"{place.group()} {place.group()}")


def _other_name(private: str, direct: str, names: GoldNames, rng: Random) -> str | None:
    own = sorted(name for name in names.within(private) if name in direct.split())
    return direct.replace(rng.choice(own), "Wellingham", 1) if own else None


def _other_number(_private: str, direct: str, _names: GoldNames, rng: Random) -> str | None:
    places = list(_NUMBER.finditer(direct))
    if not places:
        return None
    place = rng.choice(places)
    return _replaced(direct, place, str(int(place.group()) + 7))


def _other_case(_private: str, direct: str, names: GoldNames, rng: Random) -> str | None:
    places = [m for m in _plain_words(direct, names) if m.start()]
    if not places:
        return None
    place = rng.choice(places)
    return _replaced(direct, place, place.group().swapcase())


def _elsewhere(_private: str, direct: str, _names: GoldNames, rng: Random) -> str | None:
    parts = direct.split(" ")
    if len(set(parts)) < 5:
        return None
    word = parts.pop(rng.randrange(1, len(parts) - 2))
    return " ".join([*parts[:-1], word, parts[-1]])


PLANTERS: Mapping[ErrorClass, Planter] = {
    ErrorClass.AGREEMENT: _ending,
    ErrorClass.UNTRANSLATED: _source_word,
    ErrorClass.LOST: _without,
    ErrorClass.DUPLICATED: _twice,
    ErrorClass.NAME: _other_name,
    ErrorClass.NUMBER: _other_number,
    ErrorClass.CASE: _other_case,
    ErrorClass.ORDER: _elsewhere,
}


def _plain_words(text: str, names: GoldNames) -> list[re.Match[str]]:
    known = names.rare | names.ordinary
    return [match for match in _WORD.finditer(text) if match.group() not in known]


def _replaced(text: str, place: re.Match[str], by: str) -> str:
    return re.sub(" +", " ", text[: place.start()] + by + text[place.end() :]).strip()
