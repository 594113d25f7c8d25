"""The seam of every attack: what the provider sees, what is public, and what only the judge knows.

An adversary guesses from ``Request``s and ``Public`` alone. The rest of a ``Case`` is the judge's:
it says whether a guess was right, and, where an attack asks *which of these*, what to choose from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from prism_core.dictionary.dictionary import Dictionary
from prism_core.evaluation.adversaries.language import NGrams
from prism_core.evaluation.chance import Finding
from prism_core.evaluation.inference import Hidden
from prism_core.evaluation.meaning import Embedder
from prism_core.record import Kind

Words = tuple[str, ...]
"""The tokens of a sentence, white space aside."""
MIXING, DECOYS = "mixing", "decoys"
DECOY = -1
"""The document of a request that is none's."""


@dataclass(frozen=True, slots=True)
class Request:
    """One sentence as the provider sees it.

    ``guessed`` are the places that the public rules of the mechanism take for substitutes.
    """

    tokens: Words
    guessed: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sent:
    """A request, and where it came from; secret, like H.

    ``original`` is the place of its sentence among the originals of the case, None for a decoy.
    """

    request: Request
    document: int
    original: int | None
    replaced: frozenset[int] = frozenset()
    hidden: tuple[Hidden, ...] = ()


@dataclass(frozen=True, slots=True)
class Original:
    """A sentence of the archive as the judge has it."""

    document: int
    words: Words


@dataclass(frozen=True, slots=True)
class Repeated:
    """One replaced word, and its substitute in each of several fresh encodings of its sentence.

    ``choices``: how many words a blind guess has to choose from.
    """

    word: str
    kind: Kind
    draws: tuple[str, ...]
    choices: int


@dataclass(frozen=True)
class Public:
    """What everybody may know: the dictionary, text of other people, and lists of decoys.

    ``ordinary`` are words that are no names when they are written small; ``names`` those of lists.
    ``embedder`` is a public model of what sentences mean, if the user has one.
    """

    dictionary: Dictionary
    model: NGrams
    prior: Mapping[str, int]
    decoys: tuple[Words, ...] = ()
    ordinary: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    embedder: Embedder | None = None


@dataclass(frozen=True)
class Case:
    """An archive as it was sent, in the order of sending.

    ``ordered``: documents were sent one after another; else all was shuffled together.
    ``outsiders`` are documents of the same source that were not sent. ``repeated`` are words of
    sentences that were encoded afresh every night.
    """

    sent: tuple[Sent, ...]
    originals: tuple[Original, ...]
    outsiders: tuple[tuple[Words, ...], ...]
    public: Public
    ordered: bool
    repeated: tuple[Repeated, ...] = field(default=())

    @property
    def real(self) -> list[Sent]:
        """What was sent of documents, without decoys."""
        return [one for one in self.sent if one.document != DECOY]

    @property
    def hidden(self) -> list[Hidden]:
        """All replaced words of documents, in the order of sending."""
        return [one for sent in self.real for one in sent.hidden]


class Adversary(Protocol):
    """One family of attacks.

    ``matters`` says what of the way of sending can matter to what it finds: ``MIXING``, ``DECOYS``.
    """

    name: str
    matters: frozenset[str]

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:
        """What every attack of the family finds; ``rng`` breaks ties and draws samples."""
        ...
