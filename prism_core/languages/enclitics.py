"""Verbs that have an accent because pronouns are written to them: *dárselo*, *haciéndolo*.

Entry: ``Enclitics.split`` a word; ``Enclitics.bare`` gives the verb as it is by itself, and
``Enclitics.accent`` writes another in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from prism_core.languages.fields import STRICT, Pattern

_BARE = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
_ACCENTED = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
_NUCLEUS = re.compile(r"(?i)[iuü]*[aeo][iu]?|[iuü]+")
"""What is spoken as one syllable, but for its consonants."""
_STRONG = re.compile("(?i)[aeo]")


@dataclass(frozen=True, eq=False, slots=True)
class Enclitics:
    """Patterns; those of no language where there are none."""

    __pydantic_config__ = STRICT

    verbs: Mapping[str, Pattern] = field(default_factory=dict)
    """By tag, of verbs with their accent: none of them is a word by itself."""
    pronouns: Mapping[str, Pattern] = field(default_factory=dict)
    """By the same tags, of what may follow such a verb, each pronoun in a group."""
    accented_by_one: str = "(?!)"
    """Of verbs that one pronoun gives an accent to; any other gets it by two."""

    def split(self, word: str) -> tuple[str, tuple[str, ...]] | None:
        """The tag of ``word`` less its pronouns, and its parts; None for any other word."""
        if word.isascii():
            return None
        for tag, verb in self.verbs.items():
            if match := re.fullmatch(f"(?i:({verb})(?:{self.pronouns[tag]}))", word):
                return tag, tuple(filter(None, match.groups()))
        return None

    def bare(self, word: str) -> str:
        """``word`` without the accent that pronouns give it; any other word as it is."""
        if word.isascii() or not any(re.fullmatch(verb, word) for verb in self.verbs.values()):
            return word
        return word.translate(_BARE)

    def accent(self, verb: str, pronouns: int) -> str:
        """``verb`` as it is written before so many pronouns."""
        by_one = re.fullmatch(f"(?i:{self.accented_by_one})", verb) is not None
        if pronouns < 2 - by_one or verb.translate(_BARE) != verb:
            return verb
        nuclei = [one.span() for one in _NUCLEUS.finditer(verb)]
        is_last = not by_one and verb[-1:].lower() == "r"
        for start, end in nuclei[-1:] if is_last else nuclei[-2:-1]:
            strong = _STRONG.search(verb, start, end)
            at = strong.start() if strong else end - 1
            return verb[:at] + verb[at].translate(_ACCENTED) + verb[at + 1 :]
        return verb
