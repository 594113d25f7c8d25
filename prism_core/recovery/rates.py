"""Recovery rates of words: how often a translator's answers hold a substitute again.

A dictionary's metadata may hold a table of measured rates for each translator. A single word is
seen too seldom, so rates are kept by group: words with evidence of one kind, and names, numbers
and codes in groups of their own. Without a table the rate is estimated from the word's calibrated
or own confidence.

Entry: ``RecoveryRates.rate_of`` a replacement -> ``WordGroups.group_of``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from prism_core.dictionary import BY_RULE, LEFT_PREFIX, Dictionary, Entry, canonical_translator
from prism_core.errors import ConfigurationError
from prism_core.record import CODE_LETTERS, Kind, Replacement

MEASURED = "measured_rates"
"""Metadata field of a dictionary that holds the measured rates of every translator."""

_STEPS = (0.5, 0.8, 0.9, 0.93, 0.95, 0.97)
"""Bounds of the groups: two words between the same bounds have evidence of one kind."""
_MEASURE = re.compile(r"\d[\d.,:]*\s?([^\W\d_][\w.]*)")
"""Measure, clock or decade: *20m*, *6 p.m.*, *1980s*."""
_DOUBLE = "fake"
"""Test translator, which writes exactly the forms that decoding looks for."""
_LEAST = {True: 0.99, False: 0.6}
_MOST = {True: 0.999, False: 0.98}
_OTHERS = {True: 0.99, False: 0.97}
"""Estimated rates, by whether the translator works by rule and was asked for its own words.

A word without confidence has ``_LEAST``, one with full confidence ``_MOST``; names, numbers and
codes have ``_OTHERS``. Read off Apertium's answers to encodings of 800 lines of newstest2012
(English .999 of words, .995 of names; Spanish .998), and off 1,000 lines of it in Google's words
(.64 to .96, Spanish and French), with dictionaries made without that text."""

Group = tuple[str, ...]
"""A family (``word``, ``name``, ``shape``, ``left alone``) and what tells the group from others."""


class Rate(NamedTuple):
    """Recovery rate in [0, 1], and the number of different words that it was measured on."""

    share: float
    words: int


@dataclass(frozen=True)
class MeasuredRates:
    """Recovery rates of each group in a translator's real output for ``corpora``."""

    corpora: tuple[str, ...]
    by_group: Mapping[Group, Rate]

    def rate_of_group(self, group: Group) -> float | None:
        """Return the rate of ``group``, else the mean of its family; None for an unseen family."""
        if group in self.by_group:
            return self.by_group[group].share
        family = [rate for other, rate in self.by_group.items() if other[0] == group[0]]
        words = sum(rate.words for rate in family)
        return sum(rate.share * rate.words for rate in family) / words if words else None


def read_rates(provenance: Mapping[str, str]) -> dict[str, MeasuredRates]:
    """Read measured rates of each translator from metadata. Raises ``ConfigurationError``."""
    try:
        stated = json.loads(provenance.get(MEASURED, "{}"))
        return {
            translator: MeasuredRates(
                tuple(table["corpora"]),
                {tuple(group): Rate(float(share), int(n)) for group, share, n in table["rates"]},
            )
            for translator, table in stated.items()
        }
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ConfigurationError(
            "the measured rates of the dictionary cannot be read: measure it again "
            "(prism dictionary measure)"
        ) from None


def write_rates(rates: Mapping[str, MeasuredRates]) -> dict[str, str]:
    """Return ``rates`` as the metadata field that ``read_rates`` reads."""
    tables = {
        translator: {
            "corpora": list(table.corpora),
            "rates": [
                [list(group), round(rate.share, 4), rate.words]
                for group, rate in sorted(table.by_group.items())
            ],
        }
        for translator, table in sorted(rates.items())
    }
    return {MEASURED: json.dumps(tables, separators=(",", ":"))}


class WordGroups:
    """The group of everything that may be drawn from a dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._left = {entry.word for entries in dictionary.left.values() for entry in entries}
        self._names = {
            name.lower(): label for label, names in dictionary.names.items() for name in names
        }

    def group_of(self, replacement: Replacement) -> Group | None:
        """Return the group of the substitute of ``replacement``; None if it is never drawn."""
        kind, word, tag = replacement.kind, replacement.substitute, replacement.drawn_as
        if kind is Kind.NAME:
            label = self._names.get(word.lower()) or self._names.get(word.lower().split()[-1])
            return ("name", label) if label else None
        if kind is Kind.CODE and (measure := _MEASURE.fullmatch(word)):
            letters = set(filter(str.isalpha, measure[1].upper()))
            return ("shape", "code") if letters <= set(CODE_LETTERS) else None
        if kind in (Kind.NUMBER, Kind.CODE):
            has_letters = kind is Kind.CODE and any(map(str.isalpha, word))
            return "shape", (Kind.CODE if has_letters else Kind.NUMBER).value
        if tag.startswith(LEFT_PREFIX):
            return ("left alone",) if word.lower() in self._left else None
        entry = self.entry_of(replacement)
        return None if entry is None else _group_of_entry(entry)

    def entry_of(self, replacement: Replacement) -> Entry | None:
        """Return the entry that the substitute was drawn as; of an untagged surface the first."""
        word, tag = replacement.substitute, replacement.drawn_as
        if tag:
            return self._dictionary.find(word, tag)
        return next(iter(self._dictionary.senses(word)), None)


def _group_of_entry(entry: Entry) -> Group:
    """Return the group of words as certain as ``entry``, by whether neural translators agree."""
    certainty = _certainty(entry)
    step = str(sum(certainty >= bound for bound in _STEPS)) if certainty else "none"
    neural = (row for row in entry.rows if row.translator not in BY_RULE)
    agree = len({row.forms.texts[0] for row in neural}) < 2
    return "word", step, "agree" if agree else "differ"


def _certainty(entry: Entry) -> float:
    """Return how certain the forms of ``entry`` are; a word that names no translator is its own."""
    return entry.sureness if entry.translator else entry.confidence


class RecoveryRates:
    """Recovery rates of what is drawn from a dictionary, with the translator it is used with.

    Measured rates come first, where the dictionary states them for that translator; then the
    calibrated rate of the word; then an estimate. ``measured`` is None without measured rates.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._translator = canonical_translator(dictionary.translator)
        self.measured = read_rates(dictionary.provenance).get(self._translator)
        self._groups = WordGroups(dictionary)
        self._dictionary = dictionary

    def rate_of(self, replacement: Replacement) -> float:
        """Return the probability in [0, 1] that the substitute of ``replacement`` comes back."""
        group = self._groups.group_of(replacement)
        return self._rate(group or (family_of(replacement),), self._groups.entry_of(replacement))

    def rate_of_entry(self, entry: Entry) -> float:
        """Return the probability in [0, 1] that ``entry`` comes back, drawn as an ordinary word."""
        return self._rate(_group_of_entry(entry), entry)

    def describe_evidence(self, translator: str, pair: str) -> str:
        """Explain what the rates for ``translator`` rest on, in the dictionary of ``pair``."""
        asked = {row.translator for entry in self._dictionary for row in entry.rows} - {""}
        if canonical_translator(translator) not in asked:
            known = (
                f"it has the words of {', '.join(sorted(asked))}" if asked else "it names nobody"
            )
            return f"The {pair} dictionary has no evidence of what {translator} writes: {known}."
        if self.measured is None:
            return (
                f"How often the words of the {pair} dictionary come back from {translator} was "
                "estimated."
            )
        corpora = ", ".join(self.measured.corpora)
        return f"So few words of the {pair} dictionary were found in its output ({corpora})."

    def _rate(self, group: Group, entry: Entry | None) -> float:
        if self._translator == _DOUBLE:
            return 1.0
        measured = None if self.measured is None else self.measured.rate_of_group(group)
        if measured is not None:
            return measured
        by_rule = self._translator in BY_RULE
        if group[0] != "word" or entry is None:
            return _OTHERS[by_rule]
        if entry.calibrated and not by_rule:
            return entry.sureness
        certainty = _certainty(entry)
        is_own = by_rule and certainty > 0
        return _LEAST[is_own] + (_MOST[is_own] - _LEAST[is_own]) * certainty


def family_of(replacement: Replacement) -> str:
    """Return the family of a substitute that is in no group, such as an initial."""
    return "name" if replacement.kind is Kind.NAME else "word"
