"""Documents with identifiers whose places and classes are known: templates, filled.

A template is a text of ``identifier_templates`` with slots (``{person}``, ``{iban}`` …). All text
is our own, all identifiers are made up. One seed gives the same documents on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from textwrap import TextWrapper

from benchmarks.identifier_fills import FILLS
from benchmarks.identifier_formats import FORMATS
from benchmarks.identifier_names import CULTURES, Culture, organisation
from benchmarks.identifier_offices import OFFICES
from benchmarks.identifier_overseas import OVERSEAS
from benchmarks.identifier_registers import REGISTERS

TEMPLATES = Path(__file__).parent / "identifier_templates"
GROUPS = ("tuned", "mended", "unseen")
"""Templates that the patterns were tuned on. Those that were written without a look at a pattern,
and then looked at for the kinds of sayings that patterns lacked. Those that nobody who writes
patterns has looked at."""
_FILLS = {**FILLS, **FORMATS, **OFFICES, **OVERSEAS, **REGISTERS}
_PLAIN = frozenset(("title", "time", "age_plain"))
_NAMES = frozenset(
    "person person_again given given_again given_new surname surname_again surname_plain "
    "org org_again".split()
)
SLOTS = _PLAIN | _NAMES | {"email", "handle", "place"} | set(_FILLS)
"""What a template may ask for."""
_SLOT = re.compile(r"\{(\w+)\}")
_NOISE = 0.1
"""Of the identifiers with a blank or a hyphen, those with one that only looks like it."""
_SOFT = 0.03
"""Of the identifiers with five letters or digits in a row, those with a soft hyphen among them."""
_WIDTHS = (0, 0, 0, 60, 68, 72)
"""Columns that paragraphs are wrapped at, which breaks identifiers over lines; 0 for none."""
_LONG = 100


@dataclass(frozen=True, slots=True)
class Truth:
    """Characters ``[start, end)`` of a document are an identifier of ``of_class``."""

    start: int
    end: int
    of_class: str


@dataclass(frozen=True, slots=True)
class Document:
    """A filled template; ``names`` are the people and organisations in it, as a user lists them."""

    title: str
    text: str
    truths: tuple[Truth, ...]
    names: tuple[str, ...]


def templates(group: str) -> Iterator[tuple[str, str]]:
    """The title and the text of each template of ``group``."""
    for file in sorted((TEMPLATES / group).glob("*.txt")):
        for part in file.read_text("utf-8").split("=== ")[1:]:
            title, _, text = part.partition("\n")
            yield title, text


def documents(group: str, copies: int, seed: int) -> Iterator[Document]:
    """Each template of ``group`` filled ``copies`` times."""
    for title, text in templates(group):
        for copy in range(copies):
            yield _filled(title, text, Random(f"{seed} {title} {copy}"))


def _filled(title: str, template: str, rng: Random) -> Document:
    filler = _Filler(rng)
    pieces: list[str] = []
    truths: list[Truth] = []
    done = length = 0
    for slot in _SLOT.finditer(template):
        before = template[done : slot.start()]
        text, of_class = filler.fill(slot[1])
        pieces += before, text
        length += len(before)
        if of_class:
            truths.append(Truth(length, length + len(text), of_class))
        length += len(text)
        done = slot.end()
    whole = "".join([*pieces, template[done:]])
    return Document(title, _wrapped(whole, rng.choice(_WIDTHS)), tuple(truths), filler.names)


def _wrapped(text: str, width: int) -> str:
    """``text`` with long paragraphs broken into lines: blanks become line ends, nothing else."""
    if not width:
        return text
    wrapper = TextWrapper(
        width,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        drop_whitespace=False,
        expand_tabs=False,
    )
    lines = [
        "\n".join(part[:-1] if part[-1:] == " " else part for part in wrapper.wrap(line))
        if len(line) > _LONG
        else line
        for line in text.split("\n")
    ]
    wrapped = "\n".join(lines)
    return wrapped if len(wrapped) == len(text) else text


class _Filler:
    """Draws what fills the slots of one document, most names of one culture."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._home = rng.choice(sorted(CULTURES))
        self._last = ("", "")
        self._organisation = ""
        self._names: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """Every person and organisation drawn so far."""
        return tuple(dict.fromkeys(self._names))

    def fill(self, slot: str) -> tuple[str, str]:
        """What fills ``slot``, and its class; empty for what names nobody."""
        rng = self._rng
        if slot in _PLAIN:
            drawn = {
                "title": rng.choice(("Mr", "Mrs", "Ms", "Mr.")),
                "time": f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}",
                "age_plain": str(rng.randint(30, 80)),
            }
            return drawn[slot], ""
        if slot in _FILLS:
            of_class, draw = _FILLS[slot]
            return self._noisy(draw(rng)), of_class
        if slot == "email":
            given, surname = self._last if all(self._last) else ("info", "office")
            return (
                f"{_ascii(given)}.{_ascii(surname)}@example.{rng.choice(('com', 'org', 'net'))}",
                "email",
            )
        if slot == "handle":
            return f"@{_ascii(self._culture().given[0])}{rng.randint(1, 99)}", "name"
        if slot == "place":
            return rng.choice(self._culture().places), "geography"
        return self._name(slot), "name"

    def _culture(self) -> Culture:
        home = self._rng.random() < 0.7
        return CULTURES[self._home if home else self._rng.choice(sorted(CULTURES))]

    def _name(self, slot: str) -> str:
        rng = self._rng
        if slot.startswith("org"):
            if slot == "org":
                self._organisation = organisation(self._culture(), rng)
                self._names.append(self._organisation)
            return self._organisation
        if not slot.endswith("_again"):
            culture = self._culture()
            self._last = rng.choice(culture.given), rng.choice(culture.surnames)
            self._names.append(" ".join(self._last))
        given, surname = self._last
        if slot.startswith("given"):
            return given
        if slot.startswith("surname"):
            return surname
        return rng.choice(
            [f"{given} {surname}"] * 6 + [f"{given} {given[0]}. {surname}", f"{surname}, {given}"]
        )

    def _noisy(self, text: str) -> str:
        """Blanks and hyphens as typesetting has them, and now and then a soft hyphen."""
        rng = self._rng
        if rng.random() < _NOISE:
            text = (
                text.replace(" ", "\u00a0") if rng.random() < 0.5 else text.replace("-", "\u2011")
            )
        if rng.random() < _SOFT and re.search(r"\d{5}", text):
            place = text.index(re.findall(r"\d{5}", text)[0]) + 3
            text = f"{text[:place]}\u00ad{text[place:]}"
        return text


def _ascii(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower()) or "user"
