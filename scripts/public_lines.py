"""The public lines that dictionaries from English are weighed by: which text, and who translated.

``PRISM_SHARED_DATA`` holds them. No set is among them that is for evaluation alone. Entry:
``read_public_lines``.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from prism_core.building import read_parallel

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
EVALUATION_ALONE = frozenset({"flores-test", "wmt13", "mtedx_test"})
NEURAL = ("google", "microsoft")

Lines = list[tuple[str, str]]


class PublicLines(NamedTuple):
    """Lines with what neural translators made of them, with people's translations, and captions
    with these. Of ``turned`` the target is a person's text and the source a translator's."""

    neural: Lines
    people: Lines
    turned: Lines
    captions: Lines

    @property
    def of_people(self) -> Lines:
        """All of which a person wrote the target."""
        return [*self.people, *self.turned, *self.captions]


def read_public_lines(source: str, target: str, held: Collection[str] = ()) -> PublicLines:
    """All lines of ``source`` to ``target`` but of the sets ``held``."""
    left_out = EVALUATION_ALONE.union(held)
    way, back = SHARED / "wmt" / f"{source}-{target}", SHARED / "wmt" / f"{target}-{source}"
    lines = PublicLines([], [], [], list(_read_captions(source, target)))
    for text in sorted(way.glob(f"*.{NEURAL[0]}.{target}")):
        name = text.name.partition(".")[0]
        if name in left_out:
            continue
        sent = way / f"{name}.{source}"
        for translator in NEURAL:
            lines.neural.extend(read_parallel(sent, way / f"{name}.{translator}.{target}"))
        for person in (way / f"{name}.{target}", back / f"{name}.{target}"):
            if person.exists() and _same_length(sent, person):
                lines.people.extend(read_parallel(sent, person))
                break
    for text in sorted(back.glob(f"*.{NEURAL[0]}.{source}")):
        name = text.name.partition(".")[0]
        if name not in left_out:
            for translator in NEURAL:
                made = back / f"{name}.{translator}.{source}"
                lines.turned.extend(read_parallel(made, back / f"{name}.{target}"))
    return lines


def _same_length(one: Path, other: Path) -> bool:
    """Whether two files are the same set: of later ones each direction has its own."""
    return one.read_bytes().count(b"\n") == other.read_bytes().count(b"\n")


def _read_captions(source: str, target: str) -> Iterator[tuple[str, str]]:
    files = [SHARED / "multi30k" / f"train.{code}.gz" for code in (source, target)]
    if all(file.exists() for file in files):
        texts = [gzip.decompress(file.read_bytes()).decode().splitlines() for file in files]
        yield from zip(*texts, strict=True)
