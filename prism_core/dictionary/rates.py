"""How often a substitute comes back: rates measured in a translator's real output, or estimated.

A file's metadata may hold a table of measured rates for each translator (``write_rates``): by the
group a word is in, since a single word is seen too seldom. Groups of words are those with evidence
of one kind; names, numbers and codes are groups of their own.

entry: ``ExpectedRates.of`` a replacement -> ``Groups.of``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from prism_core.dictionary.dictionary import LEFT_PREFIX, Dictionary
from prism_core.dictionary.entry import Entry
from prism_core.dictionary.preference import BY_RULE, called
from prism_core.errors import ConfigurationError
from prism_core.record import CODE_LETTERS, Kind, Replacement

MEASURED = "measured_rates"
"""The field of a file's metadata with the measured rates of every translator."""

_STEPS = (0.5, 0.8, 0.9, 0.93, 0.95, 0.97)
"""Words whose sureness lies between the same two of these have evidence of one kind."""
_DOUBLE = "fake"
"""Stands in for a translator in tests and trials, and writes what it is looked for by."""
_LEAST = {True: 0.99, False: 0.6}
_MOST = {True: 0.999, False: 0.98}
_OTHERS = {True: 0.99, False: 0.97}
"""For a translator by rule that was asked for its words, and for any other: the rate of words
without sureness, from where it grows with that up to ``_MOST``, and of names, numbers and codes.
Read off what Apertium answered to encodings of 800 lines of newstest2012 (English .999 of words,
.995 of names; Spanish .998), and 1,000 lines of it in Google's words (.64 to .96, Spanish and
French), with dictionaries made without it."""

Group = tuple[str, ...]
"""Its family (``word``, ``name``, ``shape``, ``left alone``), then what tells it from others."""


class Rate(NamedTuple):
    """A share in [0, 1], and by how many different words it was measured."""

    share: float
    words: int


@dataclass(frozen=True)
class MeasuredRates:
    """How often the words of each group were found in real output, in ``corpora``, by name."""

    corpora: tuple[str, ...]
    by_group: Mapping[Group, Rate]

    def of(self, group: Group) -> float | None:
        """The rate of ``group``, else the mean of its family; None where that was not seen."""
        if group in self.by_group:
            return self.by_group[group].share
        kin = [rate for other, rate in self.by_group.items() if other[0] == group[0]]
        words = sum(rate.words for rate in kin)
        return sum(rate.share * rate.words for rate in kin) / words if words else None


def read_rates(provenance: Mapping[str, str]) -> dict[str, MeasuredRates]:
    """What a file states, by translator. Raises ``ConfigurationError`` when it cannot be read."""
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
    """``rates`` as the field that ``read_rates`` reads."""
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


class Groups:
    """The group of everything that may be drawn from a dictionary."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._left = {entry.word for entries in dictionary.left.values() for entry in entries}
        self._names = {
            name.lower(): label for label, names in dictionary.names.items() for name in names
        }

    def of(self, replacement: Replacement) -> Group | None:
        """What comes back as its substitute does; None where it is one that is never drawn."""
        kind, word, tag = replacement.kind, replacement.substitute, replacement.drawn_as
        if kind is Kind.NAME:
            label = self._names.get(word.lower()) or self._names.get(word.lower().split()[-1])
            return ("name", label) if label else None
        if kind is Kind.CODE and (letters := _letters_after_digits(word)):
            return ("shape", "code") if letters <= set(CODE_LETTERS) else None
        if kind in (Kind.NUMBER, Kind.CODE):
            has_letters = kind is Kind.CODE and any(map(str.isalpha, word))
            return "shape", (Kind.CODE if has_letters else Kind.NUMBER).value
        if tag.startswith(LEFT_PREFIX):
            return ("left alone",) if word.lower() in self._left else None
        entry = self.entry(replacement)
        return None if entry is None else evidence_of(entry)

    def entry(self, replacement: Replacement) -> Entry | None:
        """The entry that the substitute was drawn as; of a surface without a tag the first."""
        word, tag = replacement.substitute, replacement.drawn_as
        if tag:
            return self._dictionary.find(word, tag)
        return next(iter(self._dictionary.senses(word)), None)


def _letters_after_digits(code: str) -> set[str]:
    """In capitals, those of a measure, a clock or a decade (*20m*, *6 p.m.*, *1980s*)."""
    measure = re.fullmatch(r"\d[\d.,:]*\s?([^\W\d_][\w.]*)", code)
    return set(filter(str.isalpha, measure[1].upper())) if measure else set()


def evidence_of(entry: Entry) -> Group:
    """The group of words that are as sure as ``entry``, and whether translators agree on it.

    Translators by rule have no say in that.
    """
    sureness = entry.sureness if entry.translator else entry.confidence
    step = str(sum(sureness >= bound for bound in _STEPS)) if sureness else "none"
    told = (row for row in entry.rows if row.translator not in BY_RULE)
    agree = len({row.forms.texts[0] for row in told}) < 2
    return "word", step, "agree" if agree else "differ"


class ExpectedRates:
    """How likely what is drawn from a dictionary comes back from the translator it is used with.

    As measured, where the file states that for the translator. Else the sureness of each word where
    that is calibrated, and an estimate by it where it is not: Apertium's words come back nearly
    always, however unsure the form.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self.measured = read_rates(dictionary.provenance).get(called(dictionary.translator))
        self._translator = called(dictionary.translator)
        self._groups = Groups(dictionary)

    def of(self, replacement: Replacement) -> float:
        """The probability that the substitute of ``replacement`` comes back, in [0, 1]."""
        entry = self._groups.entry(replacement)
        group = self._groups.of(replacement)
        family = "name" if replacement.kind is Kind.NAME else "word"
        return self._of_group(group or (family,), entry)

    def of_entry(self, entry: Entry) -> float:
        """The probability that ``entry``, drawn as an ordinary word, comes back, in [0, 1]."""
        return self._of_group(evidence_of(entry), entry)

    def _of_group(self, group: Group, entry: Entry | None) -> float:
        if self._translator == _DOUBLE:
            return 1.0
        measured = None if self.measured is None else self.measured.of(group)
        if measured is not None:
            return measured
        by_rule = self._translator in BY_RULE
        if group[0] != "word" or entry is None:
            return _OTHERS[by_rule]
        if entry.calibrated and not by_rule:
            return entry.sureness
        # Words of nobody in particular are taken to be the translator's own.
        sureness = entry.sureness if entry.translator else entry.confidence
        is_own = by_rule and sureness > 0
        return _LEAST[is_own] + (_MOST[is_own] - _LEAST[is_own]) * sureness
