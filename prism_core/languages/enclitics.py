"""Verbs that take an accent because pronouns are attached to them: *dárselo*, *haciéndolo*.

Entry: ``Enclitics.split`` takes a word apart; ``Enclitics.bare`` gives the verb as it is written by
itself, and ``Enclitics.accent`` writes another verb in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from prism_core.languages.fields import STRICT, Pattern

_UNACCENTED = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")
_ACCENTED = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
_NUCLEUS = re.compile(r"(?i)[iuü]*[aeo][iu]?|[iuü]+")
"""Vowels that are spoken as one syllable."""
_STRONG = re.compile("(?i)[aeo]")


@dataclass(frozen=True, eq=False, slots=True)
class Enclitics:
    """Patterns of verbs with attached pronouns; empty for a language without them."""

    __pydantic_config__ = STRICT

    verbs: Mapping[str, Pattern] = field(default_factory=dict)
    """Pattern, by tag, of verbs with the added accent; none of them is a word by itself
    (*haciéndo*)."""
    pronouns: Mapping[str, Pattern] = field(default_factory=dict)
    """Pattern, by the same tags, of the pronouns after such a verb, each in a group: *(se)(lo)*."""
    accented_by_one: str = "(?!)"
    """Pattern of verbs that get the accent with one pronoun already (*haciendo*); all others need
    two."""

    def split(self, word: str) -> tuple[str, tuple[str, ...]] | None:
        """Return the verb's tag and the parts of ``word``; None for any other word."""
        if word.isascii():
            return None
        for tag, verb in self.verbs.items():
            if match := re.fullmatch(f"(?i:({verb})(?:{self.pronouns[tag]}))", word):
                return tag, tuple(filter(None, match.groups()))
        return None

    def bare(self, word: str) -> str:
        """Remove the accent that pronouns give to a verb; return any other word unchanged."""
        if word.isascii() or not any(re.fullmatch(verb, word) for verb in self.verbs.values()):
            return word
        return word.translate(_UNACCENTED)

    def accent(self, verb: str, pronouns: int) -> str:
        """Return ``verb`` as it is spelt before ``pronouns`` attached pronouns."""
        by_one = re.fullmatch(f"(?i:{self.accented_by_one})", verb) is not None
        if pronouns < 2 - by_one or verb.translate(_UNACCENTED) != verb:
            return verb
        nuclei = [nucleus.span() for nucleus in _NUCLEUS.finditer(verb)]
        is_last = not by_one and verb[-1:].lower() == "r"
        for start, end in nuclei[-1:] if is_last else nuclei[-2:-1]:
            strong = _STRONG.search(verb, start, end)
            vowel = strong.start() if strong else end - 1
            return verb[:vowel] + verb[vowel].translate(_ACCENTED) + verb[vowel + 1 :]
        return verb
