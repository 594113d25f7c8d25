"""Attacks that guess replaced words over a whole archive: by context, code book and repetition.

Entry: ``attack_by_context`` goes by how frequent words are, and by what stands around the place.
``attack_by_code_book`` learns a code book: one guess for a substitute, wherever it stands, by how
often it comes and beside what; where every occurrence of a word is drawn for itself there is no
code to break. ``attack_repeats`` lays the same sentence side by side, night after night.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.adversaries.base import (
    EDGE,
    UNKNOWN,
    Array,
    CandidatePool,
    Case,
    Hidden,
    NGrams,
    Request,
    SentRequest,
    unit_rows,
)
from prism_core.evaluation.findings import Finding, share, share_of_deals
from prism_core.record import Kind

TOPS = (1, 10)
MOST_PLACES = 4000
Place = tuple[Request, Hidden]
Scores = Callable[[Request, Hidden], Array]
"""Function that gives the likelihood of each word of the model at a place."""


def attack_by_context(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess each word among those that its pool hides, by unigram, n-gram and masked n-gram.

    ``unigram`` goes by how frequent words are in public text; its chance is a blind guess.
    ``ngram`` reads the neighbours as they were sent, ``masked`` only those that are no substitutes
    by the public rules; their chance is what ``unigram`` reaches, so that what they add is what the
    context tells. None looks at the substitute but for its pool. Top 1 and top 10 of each, over at
    most ``MOST_PLACES`` places.
    """
    places = _sample_places(case, rng)
    model = case.public.model
    candidates = Candidates(model)
    unigram = list(_ranks(places, lambda *_: model.words, candidates))
    blind = {top: _mean(min(1.0, top / size) for _, _, size in unigram) for top in TOPS}
    yield from _findings("rebuild-unigram", unigram, blind)
    prior = {top: _mean(_hit(above, ties, top) for above, ties, _ in unigram) for top in TOPS}
    for attack in ("ngram", "masked"):  # a substitute says nothing of what stood there
        ranks = list(_ranks(places, _score_by_context(model, _READ[attack]), candidates))
        yield from _findings(f"rebuild-{attack}", ranks, prior)


def attack_by_substitutes_beside(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess each word by the substitutes beside it, which may have been drawn to fit it.

    The first guess among all that its pool hides, by n-grams of public text, nothing kept being
    read. Chance without controls: what the same words reach by how frequent they are.
    """
    places = [
        place
        for place in _sample_places(case, rng)
        if {place[1].place - 1, place[1].place + 1} & place[0].guessed
    ]
    model = case.public.model
    candidates = Candidates(model)
    ranks, blind = (
        list(_ranks(places, scores, candidates))
        for scores in (_score_by_context(model, _READ["beside"]), lambda *_: model.words)
    )
    hits, chance = (
        sum(_hit(above, ties, 1) for above, ties, _ in found) for found in (ranks, blind)
    )
    yield share("who-beside", hits, chance / max(len(places), 1), len(places))


def _sample_places(case: Case, rng: Random) -> list[Place]:
    places = [(sent.request, word) for sent in case.real for word in sent.hidden if word.by_name]
    return rng.sample(places, min(MOST_PLACES, len(places)))


class Candidates:
    """Words that may stand behind a substitute, by number, with the weight of their pools.

    A word gives its substitute the more probably the smaller its pool is.
    """

    def __init__(self, model: NGrams) -> None:
        self._model = model
        self._made: dict[
            tuple[CandidatePool, ...], tuple[dict[str, int], NDArray[np.int64], Array]
        ] = {}

    def find(self, hidden: Hidden) -> tuple[dict[str, int], NDArray[np.int64], Array]:
        """Return the words, their numbers and their weights."""
        pools = hidden.possible
        if pools not in self._made:
            weights: dict[str, float] = defaultdict(float)
            for pool in pools:
                for word in pool.hidden:
                    weights[word] += 1 / len(pool)
            words = {word: at for at, word in enumerate(sorted(weights))}
            numbers = np.array([self._model.number(word) for word in words], np.int64)
            self._made[pools] = words, numbers, np.array([weights[word] for word in words])
        return self._made[pools]


Reads = Callable[[Request, int], bool]
"""Predicate that is true if the token at a place of a request is read."""
_READ: Mapping[str, Reads] = {
    "ngram": lambda _request, _place: True,
    "masked": lambda request, place: place not in request.guessed,
    "beside": lambda request, place: place in request.guessed,
}


def _score_by_context(model: NGrams, is_read: Reads) -> Scores:
    """Score words by the neighbours that are read."""

    def token(request: Request, place: int) -> int | None:
        if not -1 <= place <= len(request.tokens) or not is_read(request, place):
            return None
        if place in (-1, len(request.tokens)):
            return EDGE
        return model.number(request.tokens[place])

    def scores(request: Request, hidden: Hidden) -> Array:
        before = (token(request, hidden.place - 2), token(request, hidden.place - 1))
        return model.follow(*before) * model.precede(token(request, hidden.place + 1))

    return scores


def _ranks(
    places: Sequence[Place], scores: Scores, candidates: Candidates
) -> Iterator[tuple[int, int, int]]:
    """Yield how many candidates rank above the right one and tie with it, and their number."""
    for request, hidden in places:
        words, numbers, weights = candidates.find(hidden)
        found = scores(request, hidden)[numbers] * weights
        right = found[words[hidden.word]] if hidden.word in words else -1.0
        yield int((found > right).sum()), int((found == right).sum()), len(words)


def _findings(
    attack: str, ranks: Sequence[tuple[int, int, int]], chance: dict[int, float]
) -> Iterator[Finding]:
    for top in TOPS:
        hits = sum(_hit(above, ties, top) for above, ties, _ in ranks)
        yield share(f"{attack}@{top}", hits, chance[top], len(ranks))


def _hit(above: int, ties: int, top: int) -> float:
    """Return the probability that the right word is among the first ``top``; ties are random."""
    return min(1.0, max(0.0, (top - above) / ties)) if ties else 0.0


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


Code = Mapping[tuple[CandidatePool, str], str]
"""Word that each substitute of a pool is taken for."""
_AT_ONCE = 256
FEATURES = 400
"""Number of frequent words of public text, which are mostly kept and characterise a sentence."""


def attack_by_code_book(case: Case, _rng: Random) -> Iterator[Finding]:
    """Match by frequency and co-occurrence; chance: the same guesses shuffled within each pool.

    ``frequency``: the n-th most frequent substitute of a pool is the n-th most frequent word of it
    in public text. ``co-occurrence``: in half of the documents, what kept words stand in the
    sentences of a substitute; it is taken for the word whose public neighbours are the likest, and
    that is tried on the other half.
    """
    hidden = [word for word in case.hidden if word.by_name]
    shown = (word for sent in case.sent for word in sent.hidden)
    yield _try_code("match-frequency", hidden, match_by_frequency(shown))
    learned = [sent for sent in case.sent if sent.document % 2]
    code = match_by_company(learned, Profiles(case.public.model))
    yield _try_code("match-company", (word for word in hidden if word.document % 2 == 0), code)


def match_by_frequency(hidden: Iterable[Hidden]) -> Code:
    """Pair substitutes and public words of a pool by rank."""
    counts: dict[CandidatePool, Counter[str]] = defaultdict(Counter)
    for word in hidden:
        counts[word.pool][word.substitute] += 1
    code = {}
    for pool, seen in counts.items():
        known = sorted(pool.hidden, key=lambda word, pool=pool: (-pool.prior.get(word, 0), word))  # type: ignore[misc]
        ranked = sorted(seen, key=lambda word, seen=seen: (-seen[word], word))  # type: ignore[misc]
        code.update({(pool, u): word for u, word in zip(ranked, known, strict=False)})
    return code


class Profiles:
    """Counts of frequent words right beside a word, in public text."""

    def __init__(self, model: NGrams) -> None:
        self._model = model
        frequent = np.argsort(-model.words)[:FEATURES]
        self._features = {int(number): at for at, number in enumerate(frequent)}

    def feature(self, token: str) -> int | None:
        """Return the index of ``token`` in a profile, if it is a frequent word."""
        return self._features.get(self._model.number(token))

    def describe_words(self, words: Sequence[str]) -> Array:
        """Return a profile of length 1 for each word; zeros for one that public text lacks."""
        numbers = [self._model.number(word) for word in words]
        return unit_rows(self._table[numbers].astype(np.float64))

    @cached_property
    def _table(self) -> NDArray[np.float32]:
        """Count the words beside each word of public text."""
        table = np.zeros((len(self._model), FEATURES), np.float32)
        for number, at in self._features.items():
            table[:, at] = self._model.count_beside(number)
        table[UNKNOWN] = 0
        return table


def match_by_company(sent: Iterable[SentRequest], profiles: Profiles) -> Code:
    """Match each substitute with the word of its pool that has the most similar neighbours."""
    seen: dict[CandidatePool, dict[str, Array]] = defaultdict(
        lambda: defaultdict(lambda: np.zeros(FEATURES))
    )
    for shown in sent:
        for hidden in shown.hidden:
            row = seen[hidden.pool][hidden.substitute]
            for place in (hidden.place - 1, hidden.place + 1):
                if 0 <= place < len(shown.request.tokens) and place not in shown.request.guessed:
                    feature = profiles.feature(shown.request.tokens[place])
                    if feature is not None:
                        row[feature] += 1
    code = {}
    for pool, rows in seen.items():
        known = sorted(word for word in pool.hidden if pool.prior.get(word, 0))
        if known:
            seen_rows, profile = list(rows.values()), profiles.describe_words(known)
            best: list[int] = []
            for start in range(0, len(seen_rows), _AT_ONCE):
                likeness = unit_rows(np.array(seen_rows[start : start + _AT_ONCE])) @ profile.T
                best += likeness.argmax(1).tolist()
            code.update({(pool, u): known[at] for u, at in zip(rows, best, strict=True)})
    return code


def _try_code(attack: str, hidden: Iterable[Hidden], code: Code) -> Finding:
    deals: dict[CandidatePool, list[tuple[str, str]]] = defaultdict(list)
    for word in hidden:
        guess = code.get((word.pool, word.substitute))
        if guess is not None and word.by_name:
            deals[word.pool].append((word.word, guess))
    return share_of_deals(attack, deals.values())


MOST_SHAPES = 100
"""Maximum number of one- and two-digit numbers, few enough to see which never comes."""


def attack_repeats(case: Case, rng: Random) -> Iterator[Finding]:
    """Compare the sends of one sentence, with stored and with fresh draws.

    ``stored``: every night sends the same bytes, as PRISM does, so the most frequent substitute is
    the only one. ``fresh``: every night draws anew; the most frequent substitute is taken for the
    word. Chance without controls: a blind guess.
    """
    words = [repeated for repeated in case.repeated if repeated.kind is Kind.WORD]
    blind = sum(1 / word.choices for word in words) / max(len(words), 1)
    stored = sum(word.draws[0].lower() == word.word.lower() for word in words)
    yield share("repeat-stored", stored, blind, len(words))
    fresh = 0
    for word in words:  # the most frequent substitute, equals blindly
        counts = Counter(draw.lower() for draw in word.draws)
        most = max(counts.values())
        guess = rng.choice(sorted(draw for draw, count in counts.items() if count == most))
        fresh += guess == word.word.lower()
    yield share("repeat-fresh", fresh, blind, len(words))


def attack_repeated_numbers(case: Case, _rng: Random) -> Iterator[Finding]:
    """Guess short numbers likewise: the number that never comes is taken for the original.

    It would be, if no number could stand for itself. Chance: a blind guess.
    """
    numbers = [
        repeated
        for repeated in case.repeated
        if repeated.kind is Kind.NUMBER
        and repeated.word.isdecimal()
        and repeated.choices <= MOST_SHAPES
    ]
    blind = sum(1 / number.choices for number in numbers) / max(len(numbers), 1)
    for attack, nights in (("stored", 1), ("fresh", None)):
        hits = sum(_missing(number.word, number.draws[:nights]) for number in numbers)
        yield share(f"repeat-number-{attack}", hits, blind, len(numbers))


def _missing(word: str, draws: Sequence[str]) -> float:
    """Return the probability that a random choice among the numbers that never came is ``word``.

    Among those of as many digits; longer ones begin with no zero.
    """
    seen = set(draws)
    first = 10 ** (len(word) - 1) if len(word) > 1 else 0
    left = [text for text in map(str, range(first, 10 ** len(word))) if text not in seen]
    return 1 / len(left) if word in left else 0.0
