"""What decoding gives: y_pri, and how each substitute was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Self

from prism_core.alignment import Span
from prism_core.decoding.additions import Addition
from prism_core.record import Encoded, Kind


class Way(StrEnum):
    """How the place of a substitute was found, in the order in which it is looked for.

    ``ALIGNMENT``: the translator says where it stands. ``FORM``: as the dictionary says, or as its
    kind is written. ``NEAR``: the only word that is like a form. ``JOINED``: in the answer to
    another encoding of the sentence, which is otherwise the same. ``PAIR``: where two answers
    differ that were given to encodings with one substitute drawn anew. ``ASSOCIATION``: the only
    word that begins as a form of the substitute, or the one that public translations of it have
    most often, or a word of grammar that they have for it. ``ELIMINATION``: the only word left
    between its neighbours.
    """

    ALIGNMENT = "alignment"
    FORM = "form"
    NEAR = "near"
    JOINED = "joined"
    PAIR = "pair"
    ASSOCIATION = "association"
    ELIMINATION = "elimination"


TOLD = frozenset({Way.ALIGNMENT, Way.FORM})
"""Ways that go by what the translator or the dictionary says."""
STRONG = frozenset(Way) - {Way.ELIMINATION}
"""Every way but the last, which takes what is left."""
UNSURE = frozenset({Way.PAIR, Way.ASSOCIATION, Way.ELIMINATION})
"""Ways that may put a word in where something else stood."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """y_pri and its account, in replacements.

    ``restored`` were found as the translator or the dictionary says, ``fallback`` in another
    ``Way``, ``unrestored`` not at all: with any of these ``text`` still holds a substitute and must
    not be used. ``untranslated`` counts the words that stand in the source language. ``places``
    says where in ``text`` the word of each replacement stands, ``shown`` what stood there in the
    answer, and ``ways`` how it was found, by the position of the replacement. ``added`` is what the
    answer has and what was sent has not.
    """

    text: str
    restored: int
    fallback: int
    unrestored: int
    untranslated: int
    places: Mapping[int, Span] = field(default_factory=dict)
    ways: Mapping[int, Way] = field(default_factory=dict)
    shown: Mapping[int, str] = field(default_factory=dict)
    added: frozenset[Addition] = frozenset()

    @classmethod
    def of(
        cls,
        encoded: Encoded,
        answer: str,
        found: Mapping[int, Found],
        text: str,
        places: Mapping[int, Span],
        untranslated: int,
        added: frozenset[Addition],
    ) -> Self:
        """What became of ``encoded``, of whose substitutes ``found`` stand in ``answer``."""
        ways = {
            replacement.position: found[replacement.position].way
            for replacement in encoded.record
            if replacement.kind is not Kind.KEPT and replacement.position in found
        }
        told = sum(way in TOLD for way in ways.values())
        return cls(
            text=text,
            restored=told,
            fallback=len(ways) - told,
            unrestored=encoded.to_restore - len(ways),
            untranslated=untranslated,
            places={position: places[position] for position in found},
            ways=ways,
            shown={at: answer[slice(*place.span)] for at, place in found.items()},
            added=added,
        )

    @property
    def ways_counted(self) -> Mapping[str, int]:
        """How many replacements were found in each way."""
        return Counter(way.value for way in self.ways.values())

    @property
    def is_unsure(self) -> bool:
        """Whether something was added, or a word put where another may have stood: for review."""
        return bool(self.added) or not UNSURE.isdisjoint(self.ways.values())


class Found(NamedTuple):
    """Where in the answer a substitute stands, and what goes there instead.

    ``tag`` is what the translator took it for, where that is not what it was drawn as.
    """

    span: Span
    text: str
    way: Way = Way.FORM
    tag: str = ""
