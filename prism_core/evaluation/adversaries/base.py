"""Interface of every attack: what the provider sees, what is public, and what only the judge knows.

An adversary guesses from ``Request``s and ``Public`` alone. The rest of a ``Case`` is the judge's:
it says whether a guess was right, and, where an attack asks *which of these*, what to choose from.

What an adversary expects to read in a place is an interpolated n-gram model of public text,
``NGrams``.

Entry: ``Adversary.attack`` of a ``Case``: each ``SentRequest``, and the ``Hidden`` words behind it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.dictionary import Dictionary
from prism_core.evaluation.findings import Finding
from prism_core.record import Kind

Words = tuple[str, ...]
"""Tokens of a sentence, without white space."""
Embedder = Callable[[Sequence[Sequence[str]]], NDArray[np.float64]]
"""Function from sentences (as words) to rows of length 1, or 0 where no word is known."""
Topics = Mapping[str, Mapping[int, str]]
"""Labels of documents by question, such as ``genre``."""
MIXING, DECOYS = "mixing", "decoys"
DECOY = -1
"""Document number of a decoy request."""


@dataclass(frozen=True, eq=False)
class CandidatePool:
    """Words that are hidden in each other, and the words drawn among them.

    Two pools are equal only if they are the same object. ``order`` gives the public figure of each
    word that a mechanism may go by (its confidence or score), ``prior`` how often each stands in
    public text. ``hides`` are the words that draw from this pool: not all that are in it, where a
    word draws from a narrower one.
    """

    order: Mapping[str, float]
    prior: Mapping[str, int] = field(default_factory=dict)
    hides: frozenset[str] | None = None

    def __len__(self) -> int:
        return len(self.order)

    @cached_property
    def hidden(self) -> frozenset[str]:
        """Words that may stand behind a substitute from this pool."""
        return frozenset(self.order) if self.hides is None else self.hides

    @cached_property
    def ranks(self) -> Mapping[str, int]:
        """Place of each word in the public order: best first, equal words alphabetically."""
        ordered = sorted(self.order, key=lambda word: (-self.order[word], word))
        return {word: rank for rank, word in enumerate(ordered)}

    @cached_property
    def likeliest(self) -> frozenset[str]:
        """Words of the pool that public text has most often; all, if it has none of them."""
        most = max((self.prior.get(word, 0) for word in self.order), default=0)
        return frozenset(word for word in self.order if self.prior.get(word, 0) == most)

    @cached_property
    def single(self) -> Sequence[str]:
        """Single words that may stand behind a substitute, in a fixed order."""
        return sorted(word for word in self.hidden if " " not in word)


@dataclass(frozen=True, slots=True)
class Hidden:
    """Replaced word of an archive, as the judge knows it: secret, like H.

    ``word`` and ``substitute`` are written as in ``pool``, which ``substitute`` was drawn from.
    ``draw`` names what was drawn together: the sentence, or the document. ``rivals`` are all pools
    that the substitute may have come from, for all that the place shows; none stands for ``pool``
    alone. ``place`` is the substitute's among the tokens that are sent, ``shown`` the name of the
    set of words that everybody sees it was drawn from.
    """

    document: int
    draw: Hashable
    word: str
    substitute: str
    pool: CandidatePool
    rivals: tuple[CandidatePool, ...] = ()
    place: int = 0
    shown: str = ""

    @property
    def possible(self) -> tuple[CandidatePool, ...]:
        """Pools that the substitute may have come from."""
        return self.rivals or (self.pool,)

    @property
    def by_name(self) -> bool:
        """True if the dictionary has the word where the attacker looks for it."""
        return self.word in self.pool.order


@dataclass(frozen=True, slots=True)
class Request:
    """Sentence as the provider sees it.

    ``guessed`` are the places that the public rules of the mechanism take for substitutes.
    """

    tokens: Words
    guessed: frozenset[int]


@dataclass(frozen=True, slots=True)
class SentRequest:
    """Request with its origin; secret, like H.

    ``original`` is the place of its sentence among the originals of the case, None for a decoy.
    """

    request: Request
    document: int
    original: int | None
    replaced: frozenset[int] = frozenset()
    hidden: tuple[Hidden, ...] = ()


@dataclass(frozen=True, slots=True)
class Original:
    """Sentence of the archive as the judge has it."""

    document: int
    words: Words


@dataclass(frozen=True, slots=True)
class Repeated:
    """Replaced word, with its substitute in each of several fresh encodings of its sentence.

    ``choices``: how many words a blind guess has to choose from.
    """

    word: str
    kind: Kind
    draws: tuple[str, ...]
    choices: int


@dataclass(frozen=True, slots=True)
class ProbeArchive:
    """Small synthetic archive that was encoded to test what it reveals of one thing.

    ``secret`` is what it says, one of the things that its ``family`` may say; ``shown`` is what was
    sent, a text for each sentence.
    """

    family: str
    secret: str
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """Sentence whose answers lacked words on purpose, with each encoding that was sent of it.

    ``way`` names what was left out. Places among the tokens: of ``content`` words, of what was
    ``left_out``, and, which only the judge knows, of the content words that were ``kept``.
    """

    way: str
    sent: tuple[Words, ...]
    content: frozenset[int]
    left_out: frozenset[int]
    kept: frozenset[int]

    @property
    def alike(self) -> frozenset[int]:
        """Places of the content words that are the same in every encoding."""
        tokens = list(zip(*self.sent, strict=True))
        return frozenset(place for place in self.content if len(set(tokens[place])) == 1)


@dataclass(frozen=True)
class Public:
    """Public knowledge: the dictionary, text of other people, and lists of decoys.

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
    """Archive as it was sent, in the order of sending.

    ``ordered``: documents were sent one after another; else all was shuffled together.
    ``outsiders`` are documents of the same source that were not sent. ``repeated`` are words of
    sentences that were encoded afresh every night, ``asked`` sentences whose translator left words
    out, ``probes`` archives that were made up. ``named`` is all that the archive denies, as it is
    written there.

    ``own`` are texts of the attacker's, of the same genre, that he encoded himself.

    ``topics``: what is asked of its documents, known to the attacker of others like them.

    ``controls``: the same archive as it would be sent had other words stood in the places of those
    that are replaced, each drawn from its pool by chance. Their judge has the words of this one,
    which nothing that was drawn can follow from. None where other words would be treated otherwise.
    """

    sent: tuple[SentRequest, ...]
    originals: tuple[Original, ...]
    outsiders: tuple[tuple[Words, ...], ...]
    public: Public
    ordered: bool
    repeated: tuple[Repeated, ...] = field(default=())
    named: frozenset[str] = frozenset()
    topics: Topics = field(default_factory=dict)
    controls: tuple[Case, ...] = field(default=())
    probes: tuple[ProbeArchive, ...] = field(default=())
    asked: tuple[AskedSentence, ...] = field(default=())
    own: tuple[SentRequest, ...] = field(default=())

    @property
    def real(self) -> list[SentRequest]:
        """Requests of documents, without decoys."""
        return [sent for sent in self.sent if sent.document != DECOY]

    @property
    def decoys(self) -> list[SentRequest]:
        """Requests of decoys."""
        return [sent for sent in self.sent if sent.document == DECOY]

    @property
    def sent_originals(self) -> list[int]:
        """Indices of the originals that were sent, in the order of the archive."""
        return sorted(sent.original for sent in self.real if sent.original is not None)

    @property
    def hidden(self) -> list[Hidden]:
        """Replaced words of documents, in the order of sending."""
        return [word for sent in self.real for word in sent.hidden]


@dataclass(frozen=True, slots=True)
class Adversary:
    """Family of attacks: ``attack`` yields findings, breaking ties and drawing samples.

    ``matters`` says what of the way of sending can matter to that: ``MIXING``, ``DECOYS``. One
    ``by_substitutes`` guesses words by what was drawn for them: its chance is what it reaches on
    controls, where a case has them.
    """

    attack: Callable[[Case, Random], Iterable[Finding]]
    matters: frozenset[str] = frozenset()
    by_substitutes: bool = False

    def find(self, case: Case, rng: Random) -> Iterator[Finding]:
        """Yield the findings, compared with those that would follow if nothing leaked."""
        found = list(self.attack(case, rng))
        controls: dict[str, list[Finding]] = defaultdict(list)
        for control in case.controls if self.by_substitutes else ():
            for finding in self.attack(control, rng):
                controls[finding.attack].append(finding)
        for finding in found:
            yield finding.against(controls[finding.attack])


Array = NDArray[np.float64]
Row = tuple[NDArray[np.int64], Array]
"""Word numbers, and how often each was seen."""

DISCOUNT = 0.75
"""Discount of every count for unseen words (absolute discounting, Ney et al. 1994)."""
UNKNOWN, EDGE = 0, 1
_EMPTY: Row = (np.zeros(0, np.int64), np.zeros(0))


class NGrams:
    """Counts of words, pairs and triples of public sentences, in lower case.

    p(w | a, b) is interpolated down to pairs, words, and a uniform rest. Every unseen word is one,
    ``UNKNOWN``; sentences begin and end with ``EDGE``.
    """

    def __init__(self, sentences: Iterable[Sequence[str]]) -> None:
        self.numbers: dict[str, int] = {"": UNKNOWN, "\n": EDGE}
        words: Counter[int] = Counter()
        pairs: dict[int, Counter[int]] = defaultdict(Counter)
        triples: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        for sentence in sentences:
            row = [
                EDGE,
                *(self.numbers.setdefault(token.lower(), len(self.numbers)) for token in sentence),
                EDGE,
            ]
            words.update(row)
            for a, b in pairwise(row):
                pairs[a][b] += 1
            for a, b, c in zip(row, row[1:], row[2:], strict=False):
                triples[a, b][c] += 1
        self._counts = words
        self._after = {a: _row(counts) for a, counts in pairs.items()}
        self._after_two = {key: _row(c) for key, c in triples.items() if c.total() > 1}
        before: dict[int, dict[int, int]] = defaultdict(dict)
        for first, followers in pairs.items():
            for second, count in followers.items():
                before[second][first] = count
        self._before = {word: _row(counts) for word, counts in before.items()}
        # How often each word has a follower, and what discounting leaves for those not seen.
        self._followed, self._spare = np.ones(len(self)), np.ones(len(self))
        for word, (_, seen) in self._after.items():
            self._followed[word] = seen.sum()
            self._spare[word] = DISCOUNT * len(seen) / seen.sum()

    def number(self, token: str) -> int:
        """Return the number of ``token``; ``UNKNOWN`` for a word that public text does not have."""
        return self.numbers.get(token.lower(), UNKNOWN)

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def words(self) -> Array:
        """Return p(w) of every word, by number; one occurrence is added to each."""
        counts = np.ones(len(self))
        for word, count in self._counts.items():
            counts[word] += count
        return np.asarray(counts / counts.sum(), np.float64)

    def follow(self, second: int | None, last: int | None) -> Array:
        """Return p(w | second, last) of every word; unknown context words (None) are ignored."""
        if last is None:
            return self.words
        found = _interpolate(self._after.get(last, _EMPTY), self.words)
        if second is None or (second, last) not in self._after_two:
            return found
        return _interpolate(self._after_two[second, last], found)

    def precede(self, following: int | None) -> Array:
        """Return p(following | w) for every word w; ones if ``following`` is unknown."""
        if following is None:
            return np.ones(len(self))
        found: Array = self._spare * self.words[following]
        words, counts = self._before.get(following, _EMPTY)
        found[words] += np.maximum(counts - DISCOUNT, 0) / self._followed[words]
        return found

    def count_beside(self, word: int) -> Array:
        """Count how often each word stands right before or after ``word``."""
        found = np.zeros(len(self))
        if word != UNKNOWN:
            for words, counts in (self._after.get(word, _EMPTY), self._before.get(word, _EMPTY)):
                found[words] += counts
        return found


def unit_rows(rows: Array) -> Array:
    """Scale ``rows`` to length 1, except zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float64)


def _row(counts: Mapping[int, int]) -> Row:
    return np.array(list(counts), np.int64), np.array(list(counts.values()), np.float64)


def _interpolate(row: Row, rest: Array) -> Array:
    words, counts = row
    total = counts.sum()
    if not total:
        return rest
    found: Array = rest * (DISCOUNT * len(counts) / total)
    found[words] += np.maximum(counts - DISCOUNT, 0) / total
    return found
