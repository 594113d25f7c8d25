"""Numbers and codes that words before them name: *MRN 48213*, *Policy No. 12*, *plate AB 1234*.

Entry: ``LabelDetector.find``. For each number ``_label_number`` checks the number before it in a
list, then ``_find_label`` searches the nearest phrase before it. The phrases (``NumberWords``)
belong to the language.

Every number is replaced, named or not. A label decides the class that it is counted in (and that
the sentence may be withheld for), and that groups of digits written apart are one number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from prism_core.identifiers.base import Detection, Detector, Strength
from prism_core.identifiers.detectors.phones import PhoneLines
from prism_core.languages import Language

_NEAR = 120
"""Characters before a number that are searched for the words that name it."""
_LONGEST_PHRASE = 3
_LONGEST_RUN = 200
"""Longest run read: a longer one is no number, and would take quadratic time."""
_DIGIT = re.compile(r"\d")
# *48213*, *AB-12/3*, *#12.4:5*: a run with a digit, after an optional number sign.
_VALUE = re.compile(r"(?<![\w@])#?((?:[A-Z]{1,6}[-/._])*[^\W_]*\d\w*(?:[-/.:]\w+)*)(?![@\w])")
# The letters before the digits of *AB 1234*.
_LETTERS_BEFORE = re.compile(r"(?<![\w./])[A-Z]{1,4}[ -]$")
# * 7906* in *853 7906*: the next group of a number.
_GROUP = re.compile(r"[ -](?=\w*\d)(\d{6,8}|[A-Z0-9]{2,5})(?![\w@])")
_LONGEST_GROUP = 6
_MOST_GROUPS = 10
_FEWEST_WITH_LETTERS = 3
"""Fewest digits that make a code with capitals before them: *BVR 852*, but not *FILE B 12*."""
_YEAR = re.compile(r"(?:19|20)\d\d")
# *12/03/1987*.
_DAY = re.compile(r"\d{1,2}([-./])\d{1,2}\1(?:\d\d){1,2}")
# *0* to *255*.
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_ADDRESS = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}(?![\d.])|[\da-fA-F]{{1,4}}:[\da-fA-F]{{0,4}}:")
"""Beginning of an IP address."""
_VIN = re.compile(r"(?=(?:\d*[A-Z]){2})(?=(?:[A-Z]*\d){4})[A-HJ-NPR-Z0-9]{13}\d{4}")
"""Vehicle identification number (ISO 3779), whatever its check digit."""
# *AB 1234*, *1234 ABC*, *B-AB 123*, *MH 12 AB 1234*.
_PLATE = re.compile(
    r"(?!BMW|VW|KIA|FIAT|FORD|AUDI|OPEL|SEAT|MAN|DAF)(?:"  # *BMW 320* is a model
    r"[A-Z]{1,3}[ -]?\d{1,4}(?:[ -]?[A-Z]{1,3})?|\d{1,4}[ -]?[A-Z]{1,3}(?:[ -]?\d{1,6})?"
    r"|[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}|[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4})(?![\w@-])"
)
_SHORTEST_PLATE = 5
"""Fewest characters of a plate, or of any number that is no quantity."""
_FEWEST_OF_SERIAL = 5
"""Fewest digits of a number that is hardly a model."""
_OWN_WORD = re.compile(r"([A-Za-z]{2}(?=[-_#:./])|[A-Za-z]{3,6})[-_#:./]?\d")
"""Number that begins with its own label: *MRN-48213*."""
_OWN_FORM = ("PHONE", "FAX", "IP", "POSTCODE")
"""Labels of numbers that have a form of their own, or that are recognised by what is dialled."""
_DIALLED = ("PHONE", "FAX")
_EITHER: Mapping[str, tuple[str, str]] = {
    "REGISTRATION": ("VEHICLE", "LICENCE"),
    "INDEX": ("VEHICLE", "RECORD"),
    "FRAME": ("VEHICLE", "PHOTO"),
}
"""Labels that stand for one of two: the first if the number looks like a vehicle's."""
_ALSO_OF_VEHICLES = ("DEVICE", "LICENCE", "PHOTO", "RECORD")
"""Labels that also name a vehicle identification number: *serial number in the type*."""
_OF_NO_CLASS = "CODE"
_NUMBER_SIGNS = frozenset("#:")
_COPULA_SIGNS = frozenset("(=")


class _Look(NamedTuple):
    """Appearance of a number by itself.

    ``plain``: it may as well be a quantity, so that only *No.* and the like make it an identifier.
    ``code``: it is hardly a quantity. ``plate``: it looks like a vehicle's plate.
    """

    digits: int
    capitals: int
    plain: bool
    code: bool
    plate: bool

    @classmethod
    def from_value(cls, value: str, amount: re.Pattern[str]) -> _Look:
        """Analyse ``value``; quantities look like ``amount``."""
        digits = sum(map(str.isdigit, value))
        if len(value) < _SHORTEST_PLATE or amount.fullmatch(value):
            return cls(digits, 0, plain=True, code=False, plate=_is_plate(value))
        capitals = sum(map(str.isupper, value))
        code = digits >= 7 or (capitals > 0 and digits > 1 and digits + capitals >= 6)
        return cls(digits, capitals, plain=False, code=code, plate=_is_plate(value))


class NumberWords(NamedTuple):
    """Words around numbers in one language, as the language's file of phrases explains them.

    ``labels``: the label of every phrase. ``last``: the last words of phrases, in the singular and
    the plural. The other fields are sets of words.
    """

    labels: Mapping[str, str]
    last: frozenset[str]
    common: frozenset[str]
    announcing: frozenset[str]
    numbering: frozenset[str]
    between: frozenset[str]
    before_codes: frozenset[str]
    amounts: frozenset[str]
    things: frozenset[str]

    def phrase(self, words: str) -> str:
        """Return ``words`` as the file has them, perhaps in the singular; empty if it has not."""
        if words in self.labels:
            return words
        singular = words.removesuffix("s").removesuffix("'")
        return singular if singular in self.labels else ""

    def find_owner_label(self, before: Sequence[str], thing: str) -> str:
        """Return the label of the owner of a mere ``thing``: *fingerprint record*; else empty."""
        phrases = (self.phrase(" ".join(before[-n:])) for n in range(_LONGEST_PHRASE, 0, -1))
        label = self.labels.get(next(filter(None, phrases), ""), _OF_NO_CLASS)
        return label if thing in self.things and label not in ("RECORD", _OF_NO_CLASS) else ""


@cache
def number_words(language: Language) -> NumberWords:
    """Read the words of the language's file of phrases."""
    sections: dict[str, list[str]] = {}
    name = ""
    for line in language.labels.phrases.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            sections.setdefault(name, []).append(line)
    lists = {name: " ".join(lines).split(", ") for name, lines in sections.items()}
    of_labels = {name: phrases for name, phrases in lists.items() if name[0].isupper()}
    labels = {phrase: name.split()[0] for name, phrases in of_labels.items() for phrase in phrases}
    last = {phrase.split()[-1] for phrase in labels}
    return NumberWords(
        labels,
        frozenset(word + ending for word in last for ending in ("", "s", "'", "'s")),
        frozenset(p for name, phrases in of_labels.items() if " " in name for p in phrases),
        *(frozenset(lists[name]) for name in lists if name not in of_labels),
    )


class _Patterns:
    """Patterns of the text around numbers in the words of one language."""

    def __init__(self, language: Language) -> None:
        words, ordinal = language.labels, language.numbers.ordinal
        self.word = re.compile(
            rf"{words.word}|[^\W\d_]+(?:[./'’-][^\W\d_]+)*\.?|[#:;()=º°|]|\d[\w.,/-]*"
        )
        self.letter_after = re.compile(
            rf"(?<=\d) [A-Z](?=[,.;:)\]]|\s*$|\s(?:{words.after_letter})\b)(?!\.\w)"
        )
        self.units = re.compile(rf"\s?(?:%|€|£|\$|{words.units})", re.IGNORECASE)
        self.amount = re.compile(
            rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|\d+[.,]\d\d?|\d{{1,2}}:\d\d|(?:19|20)\d\d|"
            rf"\d{{1,3}}{ordinal}|\d+[a-z]{{1,3}}|\d{{3,4}}00|\d{{4}}000|[A-Za-z]{{4,}}-\d{{1,2}}|"
            r"\d{1,3}(?:-[a-z]+)+"
        )
        self.listed = re.compile(  # all that stands between two numbers of a list
            rf"\s?(?:[,;/&+]|,?\s(?:{words.listed})\s|-+>|→)\s?(?:(?:{words.before_listed})\s)?"
            r"#?\s?"
        )


class LabelDetector(Detector):
    """Detector of numbers by the nearest words before them in their sentence."""

    order = 30
    signs_without_digits = ()

    def __init__(self, language: Language) -> None:
        self._lines, self._words = PhoneLines(language.places), language.labels
        self._known = number_words(language)
        self._patterns = _Patterns(language)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the numbers of ``text`` that words name, with groups that are written apart."""
        previous, done, before = ("", ""), 0, 0
        for match in _find_values(text):
            start, end = match.span(1)
            if start < done:
                continue
            floor, before = max(done, before), start
            last = self._include_groups(text, start, end)
            first = start
            if last - start >= _FEWEST_WITH_LETTERS and not text[start - 2 : start - 1].islower():
                first = self._include_letters(text, done, start)
            plate = _PLATE.match(text, first)
            label = ""
            if plate and plate.end() > last:
                label = self._label_number(text, floor, first, plate.end(), (*previous, done))
            if label == "VEHICLE" and plate:
                last = plate.end()
            elif label := self._label_number(text, floor, first, last, (*previous, done)):
                closing = self._patterns.letter_after.match(text, last)
                last = closing.end() if closing else last
            if label:
                previous, done = (label, text[first:last]), last
                if label != _OF_NO_CLASS:
                    yield Detection(first, done, label, Strength.NAMED)

    def _include_letters(self, text: str, floor: int, start: int) -> int:
        """Return the start of the number, capitals before it included (*AB 1234*)."""
        while match := _LETTERS_BEFORE.search(text, max(floor, start - _LONGEST_GROUP), start):
            word = match.group()[:-1].lower()
            if word in self._known.labels or (word in self._known.numbering and word != "n"):
                break
            start = match.start()
        return start

    def _include_groups(self, text: str, start: int, end: int) -> int:
        """Return the end of the number, groups of digits written apart included."""
        size = end - start
        for groups in range(_MOST_GROUPS):
            match = _GROUP.match(text, end) if size <= _LONGEST_GROUP else None
            if match is None or self._patterns.units.match(text, match.end()):
                break
            if len(match[1]) == 4 != size and _YEAR.fullmatch(match[1]) and not groups:
                further = _GROUP.match(text, match.end())
                if further is None or self._patterns.units.match(text, further.end()):
                    break
            size, end = len(match[1]), match.end()
        return end

    def _label_number(
        self, text: str, floor: int, start: int, end: int, previous: tuple[str, str, int]
    ) -> str:
        """Return the label of ``text[start:end]`` by the words from ``floor`` on; empty if none.

        ``previous``: label, text and end of the last number that has a label.
        """
        value = text[start:end]
        if (
            text[start - 1 : start] in ("$", "€", "£")
            or self._patterns.units.match(text, end)
            or _DAY.match(value)
        ):
            return ""
        look = _Look.from_value(value, self._patterns.amount)
        listed = self._patterns.listed
        continues_list = previous[0] not in ("", *_OWN_FORM) and listed.fullmatch(
            text, previous[2], start
        )
        if continues_list and (look.code or look.capitals or len(value) == len(previous[1]) > 2):
            return previous[0]
        own_label = _OWN_WORD.match(value)
        if own_label and own_label[1].lower() in self._known.announcing:
            return self._known.labels[own_label[1].lower()]
        before = text[max(floor, start - _NEAR) : start].lower()
        found = self._patterns.word.findall(before)
        words = [word if word.isalpha() else self._strip_marks(word) for word in found]
        label = self._find_label(words, look)
        if not label:
            return ""
        if label in _DIALLED:
            dials = look.digits >= 3 and not any(map(str.isalpha, value))
            return self._lines.classify(text, start, end) if dials else ""
        reached = not self._words.reached.isdisjoint(words[-1:])
        if (label != "IP" and (reached or _ADDRESS.match(value))) or (
            _YEAR.fullmatch(value)
            and (label == "VEHICLE" or not self._words.within.isdisjoint(words[-1:]))
        ):
            return ""
        if label in _EITHER:
            return _EITHER[label][0 if look.plate or _VIN.fullmatch(value) else 1]
        return "VEHICLE" if label in _ALSO_OF_VEHICLES and _VIN.fullmatch(value) else label

    def _find_label(self, words: Sequence[str], look: _Look) -> str:
        """Return the label of the nearest phrase in ``words``, which precede a number.

        The words are in lower case. The result is empty if no phrase names the number.
        """
        code = look.code
        numbered, skipped, beside = False, 0, True
        for last in range(len(words) - 1, -1, -1):
            word = words[last]
            longest = min(_LONGEST_PHRASE, last + 1) if word in self._known.last else 0
            for length in range(longest, 0, -1):
                phrase = self._known.phrase(" ".join(words[last - length + 1 : last + 1]))
                if not phrase:
                    continue
                label = self._known.labels[phrase]
                if phrase in self._known.common:
                    model = look.digits < _FEWEST_OF_SERIAL
                    plate = label == "VEHICLE" and look.plate
                    named = beside and (plate or (code and not model))
                else:
                    named = code or not skipped
                if numbered or phrase in self._known.announcing or (named and not look.plain):
                    return self._known.find_owner_label(words[: last - length + 1], phrase) or label
            if word in self._known.amounts or word == ";" or word[:1].isdigit():
                return ""
            numbered = numbered or (
                not skipped and (word in self._known.numbering or word in _NUMBER_SIGNS)
            )
            beside = beside and (word in _COPULA_SIGNS or word in self._words.copulas)
            skipped += not (
                word in self._known.numbering
                or word in _NUMBER_SIGNS
                or word in self._known.between
                or (code and word in self._known.before_codes)
            )
            if skipped > (3 if numbered else 2):
                return ""
        return ""

    def _strip_marks(self, word: str) -> str:
        """Remove full stops, straighten apostrophes; of two words with a stroke keep the last."""
        word = (word.rstrip(".") or word).replace("’", "'")
        word = word.replace(".", "")
        return word if "/" not in word or word in self._known.labels else word.rpartition("/")[2]


def _is_plate(value: str) -> bool:
    return len(value) >= _SHORTEST_PLATE and _PLATE.fullmatch(value) is not None


def _find_values(text: str) -> Iterator[re.Match[str]]:
    """Yield the runs between blanks that hold a digit, without marks around them."""
    done = 0
    for digit in _DIGIT.finditer(text):
        if digit.start() >= done:
            start = text.rfind(" ", 0, digit.start()) + 1
            done = text.find(" ", digit.end())
            done = done if done > 0 else len(text)
            if done - start <= _LONGEST_RUN:
                yield from _VALUE.finditer(text, start, done)


DETECTOR = LabelDetector
