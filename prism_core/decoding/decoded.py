"""Result of decoding: y_pri, and how each substitute was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Self

from prism_core.alignment import Span
from prism_core.decoding.additions import Addition
from prism_core.record import Encoded, Replacement


class SearchStrategy(StrEnum):
    """Method by which a substitute was found, in the order in which they are tried.

    ``ALIGNMENT``: the translator says where it stands. ``FORM``: by a dictionary form, or as its
    kind is written. ``ORDER``: by a form that may be another word's as well, so the order of the
    sentence decides. ``NEAR``: the only word similar to a form. ``JOINED``: in the answer to
    another encoding of the sentence, which is otherwise the same. ``PAIR``: where two answers
    differ whose encodings differ in one substitute. ``ASSOCIATION``: the only word that begins as a
    form of the substitute, or the word that public translations have for it most often, or a
    grammar word that they have for it. ``ELIMINATION``: the only word left between its neighbours.
    """

    ALIGNMENT = "alignment"
    FORM = "form"
    ORDER = "order"
    NEAR = "near"
    JOINED = "joined"
    PAIR = "pair"
    ASSOCIATION = "association"
    ELIMINATION = "elimination"


TOLD = frozenset({SearchStrategy.ALIGNMENT, SearchStrategy.FORM})
"""Methods that rely on the translator's links or on the dictionary."""
STRONG = frozenset(SearchStrategy) - {SearchStrategy.ELIMINATION}
"""All methods but elimination, which takes what is left."""
UNSURE = frozenset(
    {
        SearchStrategy.ORDER,
        SearchStrategy.PAIR,
        SearchStrategy.ASSOCIATION,
        SearchStrategy.ELIMINATION,
    }
)
"""Methods that may replace a word other than the substitute."""
_MOST_DOUBTFUL = 20
"""Most words that are highlighted for a reviewer of a sentence."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded sentence y_pri with an account of its replacements.

    ``restored`` replacements were found by a strategy of ``TOLD``, ``fallback`` by another one,
    ``unrestored`` not at all. With any unrestored, ``text`` still holds a substitute and must not
    be used. ``untranslated`` counts the words left in the source language.

    By the position of the replacement, ``strategies`` gives how it was found, ``places`` where in
    ``text`` its word stands, and ``shown`` what the answer had there. ``added`` is what the answer
    has beyond what was sent.
    """

    text: str
    restored: int
    fallback: int
    unrestored: int
    untranslated: int
    places: Mapping[int, Span] = field(default_factory=dict)
    strategies: Mapping[int, SearchStrategy] = field(default_factory=dict)
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
        """Build the result for ``encoded``, whose substitutes in ``answer`` are ``found``."""
        strategies = {
            replacement.position: found[replacement.position].strategy
            for replacement in encoded.replaced
            if replacement.position in found
        }
        told = sum(strategy in TOLD for strategy in strategies.values())
        return cls(
            text=text,
            restored=told,
            fallback=len(strategies) - told,
            unrestored=encoded.to_restore - len(strategies),
            untranslated=untranslated,
            places={position: places[position] for position in found},
            strategies=strategies,
            shown={at: answer[slice(*place.span)] for at, place in found.items()},
            added=added,
        )

    @property
    def strategies_counted(self) -> Mapping[str, int | list[int]]:
        """Number of replacements found by each method; ``doubtful`` are positions."""
        counts = dict(Counter(strategy.value for strategy in self.strategies.values()))
        doubtful = [at for at, strategy in self.strategies.items() if strategy in UNSURE]
        return {**counts, **({"doubtful": doubtful[:_MOST_DOUBTFUL]} if doubtful else {})}

    @property
    def is_unsure(self) -> bool:
        """True if text was added, or a word may have been put in the wrong place: for review."""
        return bool(self.added) or not UNSURE.isdisjoint(self.strategies.values())


class Found(NamedTuple):
    """Place of a substitute in the answer, and the text to write there.

    ``tag`` is the tag the translator took it for, if that is not the one it was drawn as.
    """

    span: Span
    text: str
    strategy: SearchStrategy = SearchStrategy.FORM
    tag: str = ""

    def tag_for(self, replacement: Replacement) -> str:
        """Return the tag that the translator took the substitute of ``replacement`` for."""
        return self.tag or replacement.drawn_as or replacement.tag
