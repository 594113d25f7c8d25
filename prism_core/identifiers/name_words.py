"""Public lists of names, and those that tell names from words where a capital alone does not.

Names travel: their small words and what firms end in are those of many languages, in any text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from prism_core.languages import Language
from prism_core.resources import shipped_names

FILES = {"GIVEN": "given.txt", "SURNAME": "surnames.txt", "PLACE": "places.txt"}
PARTICLES = frozenset(
    "van von der den de del della delle dei di da do dos das du des la le les el al bin ibn ben "
    "abu ter ten "
    "te zu zum zur af av y e i st am an upon sur sous en lès las los het op 't 's".split()
)
"""Small words within names (*van der Berg*, *Frankfurt am Main*), in lower case there."""
LEGAL_FORMS = frozenset(
    "ltd limited inc incorporated corp corporation llc llp lp plc co company gmbh ag kg kgaa "
    "ohg ug ev sa sarl "
    "sas sasu sl slu srl srls spa snc bv nv ab as asa aps oy oyj spzoo sp z oo zoo sro doo dd "
    "kft zrt jsc ojsc "
    "pjsc pvt pte pty aş as sti şti kk".split()
)
"""What firms end in, without full stops."""


def read_names(folder: Path) -> list[tuple[str, str]]:
    """``(name, tag)`` of every line of the name lists in ``folder``."""
    return [
        (name, tag)
        for tag, file in FILES.items()
        for name in (folder / file).read_text(encoding="utf-8").split("\n")
        if name and not name.startswith("#")
    ]


def is_part_alone(text: str) -> bool:
    """Whether ``text`` is a small word of names or what firms end in, which names nobody."""
    return text in PARTICLES or text.replace(".", "").lower() in LEGAL_FORMS


@cache
def role_words(language: Language) -> frozenset[str]:
    """Nouns of courts, contracts and clinics, in lower case: *plaintiff*, *licensee*."""
    return _words(language.role_words)


@cache
def names_that_are_words(language: Language) -> frozenset[str]:
    """Names that are words too, in lower case (*grace*, *reading*), and all public names."""
    public = (name.lower() for name, _ in read_names(shipped_names()))
    return _words(language.names_that_are_words).union(public)


def _words(file: Path) -> frozenset[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return frozenset(line.lower() for line in lines if line and not line.startswith("#"))
