"""Telephone and fax numbers: groups of digits that look like one, verified by ``phonenumbers``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

from prism_core.identifiers.base import Detection, Detector, Strength
from prism_core.languages import Language, Places

# *-0188*, * (0)20*: a separator and the next digits of a number.
_GROUP = r"(?:[ .\-/]{1,3}(?:\(0\) ?)?\(?|\(0\) ?|\()\d{1,11}\)?"
# *+44 20 7946 0958* (world), *(212) 555-0188* (us), *0171 123456* (trunk prefix).
_CANDIDATE = re.compile(
    rf"(?<![\w+.,/:-])(?!\d{{3}}-\d\d-\d{{4}}(?!\d))(?:"  # no social security number
    rf"(?P<world>(?:\+|00|\(\+)[1-9]\d{{0,10}}\)?(?:{_GROUP}){{1,6}}|\+[1-9]\d{{9,13}})"
    r"|(?P<us>(?:\+?1[-. ])?(?:\(\d{3}\)[ -]?|\d{3}[-./ ])\d{3}[-. ]\d{4})"
    r"|(?<!\d{4} )(?P<trunk>\(?0[1-9]\d{0,4}\)?(?:[ .\-/]{1,3}\d{2,8}){1,5}(?:-\d)?|0[1-9]\d{8,10})"
    r")(?!\w|[-/.]\d)"
)
# * x 123*.
_EXTENSION = re.compile(r" ?x ?\d{1,5}(?!\w)")
# *2-5*, *+4*, *020794609*: separated digits, an international or a long national number.
_SIGN = re.compile(r"\d[ ./()-]{1,3}\d|\d(?<=\+\d)|\d\d{8}(?<=0\d{8})")
_REGIONS = ("GB", "DE", "FR", "IT", "NL", "BE", "AT", "CH", "SE", "AU")
"""Countries whose national numbers begin with a 0."""
_WORDS = re.compile(r"[^\W\d_]+")
# *F:*, *| F*.
_MARKED_FAX = re.compile(r"(?:\bF[:.]|(?:^|[|·•;/]) ?F)\s*$")
_IN_BRACKETS = re.compile(r"\s*\((?:fax|f)\)", re.IGNORECASE)
_NEAR = 40
"""Characters before a number that are searched for a word that separates fax from telephone."""


class PhoneLines:
    """Words of one language that separate fax numbers from telephone numbers."""

    def __init__(self, words: Places) -> None:
        self._words = words
        self._another = re.compile(rf"\d\)?,? {words.another_line}\s*$")

    def classify(self, text: str, start: int, end: int) -> str:
        """Return ``FAX`` if the nearest word before the number, or the one right after, says so."""
        near = max(0, start - _NEAR)
        before = [word.lower() for word in _WORDS.findall(text[near:start])]
        named = [word for word in before if word in self._words.fax or word in self._words.phone]
        if self._another.search(text, near, start):
            return "PHONE"
        marked = _MARKED_FAX.search(text, near, start) or _IN_BRACKETS.match(text, end)
        return "FAX" if marked or (named and named[-1] in self._words.fax) else "PHONE"


class PhoneDetector(Detector):
    """Detector of complete dialable numbers; words next to parts of one are left to ``labels``."""

    order = 50
    signs, signs_without_digits = (_SIGN,), ()

    def __init__(self, language: Language) -> None:
        self._lines = PhoneLines(language.places)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the telephone numbers of ``text``, and as ``FAX`` those that it calls so."""
        for match in _CANDIDATE.finditer(text):
            if end := _find_possible_end(match):
                line = self._lines.classify(text, match.start(), end)
                extension = _EXTENSION.match(text, end)
                last = extension.end() if extension else end
                yield Detection(match.start(), last, line, Strength.NAMED)


def _find_possible_end(match: re.Match[str]) -> int:
    """Return the end of the longest possible number in the groups of ``match``; 0 if none."""
    from phonenumbers import NumberParseException, is_possible_number, parse

    text = match.group().rstrip()
    while sum(map(str.isdigit, text)) >= 8:
        plain = re.sub("^00", "+", text.replace("(0)", ""))
        for region in _REGIONS if match["trunk"] else ("US",):
            with suppress(NumberParseException):
                if is_possible_number(parse(plain, region)):
                    return match.start() + len(text)
        text = text.rstrip("0123456789)").rstrip(" .-/(")
    return 0


DETECTOR = PhoneDetector
