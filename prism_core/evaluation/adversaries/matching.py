"""Substitutes matched to words over a whole archive: by how often, and beside what they stand.

Both learn a code book: one guess for a substitute, wherever it stands. Where every occurrence of a
word is drawn for itself there is no code to break.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.adversaries.base import DECOYS, Case, Sent
from prism_core.evaluation.adversaries.language import UNKNOWN, Array, NGrams
from prism_core.evaluation.chance import Finding
from prism_core.evaluation.inference import Hidden, Pool, dealt

Code = Mapping[tuple[Pool, str], str]
"""The word that each substitute of a pool is taken for."""
_AT_ONCE = 256
FEATURES = 400
"""The most frequent words of public text: those that are mostly kept, and tell of a sentence."""


class Matching:
    """Frequency and co-occurrence matching; chance: the same guesses dealt out anew in each pool.

    ``frequency``: the n-th most frequent substitute of a pool is the n-th most frequent word of it
    in public text. ``co-occurrence``: in half of the documents, what kept words stand in the
    sentences of a substitute; it is taken for the word whose public neighbours are the likest, and
    that is tried on the other half.
    """

    name = "matching"
    matters: frozenset[str] = frozenset({DECOYS})

    def attack(self, case: Case, rng: Random) -> Iterable[Finding]:  # noqa: ARG002 (no draw)
        """The share of right guesses of both code books."""
        hidden = [one for one in case.hidden if one.by_name]
        shown = (one for sent in case.sent for one in sent.hidden)
        yield _tried("match-frequency", hidden, by_frequency(shown))
        learned = [one for one in case.sent if one.document % 2]
        code = by_company(learned, Profiles(case.public.model))
        yield _tried("match-company", (one for one in hidden if one.document % 2 == 0), code)


def by_frequency(hidden: Iterable[Hidden]) -> Code:
    """Substitutes and public words of a pool, paired by rank."""
    counts: dict[Pool, Counter[str]] = defaultdict(Counter)
    for one in hidden:
        counts[one.pool][one.substitute] += 1
    code = {}
    for pool, seen in counts.items():
        known = sorted(pool.hidden, key=lambda word, pool=pool: (-pool.prior.get(word, 0), word))  # type: ignore[misc]
        ranked = sorted(seen, key=lambda word, seen=seen: (-seen[word], word))  # type: ignore[misc]
        code.update({(pool, u): word for u, word in zip(ranked, known, strict=False)})
    return code


class Profiles:
    """For a word, how often it has each frequent word right beside it, in public text."""

    def __init__(self, model: NGrams) -> None:
        self._model = model
        frequent = np.argsort(-model.words)[:FEATURES]
        self._features = {int(number): at for at, number in enumerate(frequent)}

    def feature(self, token: str) -> int | None:
        """The place of ``token`` in a profile, if it is a frequent word."""
        return self._features.get(self._model.number(token))

    def of_words(self, words: Sequence[str]) -> Array:
        """A profile a word, of length 1; zeros for one that public text does not have."""
        return _unit(self._table[[self._model.number(word) for word in words]].astype(np.float64))

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        """What stands beside each word; beside a word here is the word there."""
        table = np.zeros((len(self._model), FEATURES), np.float32)
        for number, at in self._features.items():
            table[:, at] = self._model.beside(number)
        table[UNKNOWN] = 0
        return table


def by_company(sent: Iterable[Sent], profiles: Profiles) -> Code:
    """Each substitute with the word of its pool whose neighbours in public text are the likest."""
    seen: dict[Pool, dict[str, Array]] = defaultdict(
        lambda: defaultdict(lambda: np.zeros(FEATURES))
    )
    for one in sent:
        for hidden in one.hidden:
            row = seen[hidden.pool][hidden.substitute]
            for place in (hidden.place - 1, hidden.place + 1):
                if 0 <= place < len(one.request.tokens) and place not in one.request.guessed:
                    feature = profiles.feature(one.request.tokens[place])
                    if feature is not None:
                        row[feature] += 1
    code = {}
    for pool, rows in seen.items():
        known = sorted(word for word in pool.hidden if pool.prior.get(word, 0))
        if known:
            best = _likest(list(rows.values()), profiles.of_words(known))
            code.update({(pool, u): known[at] for u, at in zip(rows, best, strict=True)})
    return code


def _likest(rows: Sequence[Array], known: Array) -> Iterator[int]:
    """For each of ``rows`` the place of the likest of ``known``, so many at a time."""
    for start in range(0, len(rows), _AT_ONCE):
        yield from (_unit(np.array(rows[start : start + _AT_ONCE])) @ known.T).argmax(1).tolist()


def _tried(attack: str, hidden: Iterable[Hidden], code: Code) -> Finding:
    deals: dict[Pool, list[tuple[str, str]]] = defaultdict(list)
    for one in hidden:
        guess = code.get((one.pool, one.substitute))
        if guess is not None and one.by_name:
            deals[one.pool].append((one.word, guess))
    return dealt(attack, deals.values())


def _unit(rows: Array) -> Array:
    """``rows``, each of length 1 but for zeros."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float64)
