"""Numbers written in words, by the rules of the Unicode CLDR.

Entry: ``spell_out`` for the words of a number, ``magnitude_of`` for *million* and above.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from unicode_rbnf import RbnfEngine

_UNITS = (10**12, 10**9, 10**6)
_MOST = 10**15
_SOFT_HYPHEN = "\u00ad"


class Spelling(NamedTuple):
    """Words of a cardinal: those beside a masculine noun and beside a feminine one."""

    masculine: str
    feminine: str


@cache
def _engine(language: str) -> RbnfEngine | None:
    is_known = language in set(RbnfEngine.get_supported_languages())
    return RbnfEngine.for_language(language) if is_known else None


def _spell(number: int, language: str) -> Mapping[str, str]:
    """Return the words of ``number`` by rule; empty if no rules are known."""
    engine = _engine(language)
    if engine is None or not 0 < number < _MOST:
        return {}
    spelled = engine.format_number(number).text_by_ruleset
    return {name: text.replace(_SOFT_HYPHEN, "") for name, text in spelled.items()}


@cache
def spell_out(number: int, language: str) -> Spelling | None:
    """Return the words of ``number`` in ``language`` (ISO 639-1); None if no rules are known."""
    forms = _spell(number, language)
    cardinal = "spellout-cardinal"
    verbose = forms.get(f"{cardinal}-verbose") or forms.get(cardinal)
    masculine = forms.get(f"{cardinal}-masculine") or verbose
    feminine = forms.get(f"{cardinal}-feminine") or masculine
    return Spelling(masculine, feminine) if masculine and feminine else None


@cache
def spell_ordinal(number: int, language: str) -> frozenset[str]:
    """Return every form of an ordinal in words; empty if no rules are known."""
    forms = _spell(number, language).items()
    return frozenset(text for name, text in forms if name.startswith("spellout-ordinal"))


@cache
def magnitude_of(number: int, language: str) -> tuple[int, str, str] | None:
    """Return the largest magnitude in ``number`` that is a word, with its singular and plural.

    That of 2,500,000,000 is *milliard* in French, and *millón* in Spanish, which has no word for a
    thousand millions. Returns None below a million, or without rules.
    """
    for unit in _UNITS:
        one, two = (spell_out(count * unit, language) for count in (1, 2))
        if unit <= number and one and two and len(two.masculine.split()) == 2:
            return unit, one.masculine.split()[-1], two.masculine.split()[-1]
    return None
