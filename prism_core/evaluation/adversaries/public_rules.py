"""Public rules of a mechanism: the pool of each substitute, and the tokens that are substitutes.

Entry: ``public_rules``, by the mechanism; it gives a ``PublicPools`` and a ``Guess``.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from prism_core.dictionary import Dictionary, Entry
from prism_core.evaluation.adversaries.base import CandidatePool
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.mechanisms import Mechanism, Pool, Pools, WordSet
from prism_core.record import Kind, Replacement
from prism_core.settings import HiddenWords

Prior = Mapping[str, int]
"""Counts of each word in public text, as it is written and in lower case."""
PoolAndRivals = tuple[CandidatePool, tuple[CandidatePool, ...]]
"""Pool of a replacement and its rivals (see ``Hidden``)."""


class PublicPools(Protocol):
    """Source of the substitute of a word, by a mechanism's public rules."""

    def find(self, sentence: Sentence, replacement: Replacement) -> PoolAndRivals:
        """Return the pool of ``replacement`` in ``sentence``, and its rivals."""
        ...

    def spell(self, surface: str) -> str:
        """Write ``surface`` as the words of the pools are written."""
        ...


class ThresholdPools:
    """Pools of the default PRISM*: by slot, narrow where the class is large enough."""

    def __init__(
        self,
        dictionary: Dictionary,
        threshold: float,
        minimum: int,
        prior: Prior,
        draw_from: float = 0.0,
        hidden_words: HiddenWords = "all",
    ) -> None:
        self._dictionary = dictionary
        self._pools = Pools(dictionary, threshold, minimum, draw_from, hidden_words)
        self._prior = prior
        self._made: dict[int, tuple[CandidatePool, Sequence[Entry]]] = {}
        self._places: dict[str, list[tuple[CandidatePool, frozenset[str]]]] = defaultdict(list)
        hidden: dict[str, dict[int, tuple[Pool, set[str]]]] = defaultdict(dict)
        for entry in dictionary:
            is_split = entry.is_phrase and entry.confidence < threshold
            if is_split or not self._pools.hides(entry):
                continue
            pool = self._pools.for_entry(entry)
            if pool.drawn:
                own = hidden[entry.tag].setdefault(id(pool.behind), (pool, set()))
                own[1].add(entry.word)
        for place, pools in hidden.items():
            for found, words in pools.values():
                drawn = frozenset(entry.word for entry in found.drawn)
                made = self._pool(found.behind, frozenset(words))
                self._places[place].append((made, drawn))

    def find(self, sentence: Sentence, replacement: Replacement) -> PoolAndRivals:
        """Return the pool; the place shows the tag, and an article fits the substitute."""
        if replacement.kind is Kind.UNKNOWN:
            tag = sentence.tokens[replacement.position].tag
            entries = self._pools.for_unknown(tag, replacement.word)
            return self._pool(entries, None), ()
        entry = self._dictionary.find(replacement.word, replacement.tag)
        if entry is None:
            raise LookupError("A word was replaced by an entry that it does not have.")
        entry = entry._replace(tag=replacement.drawn_as)
        pool = self._pool(self._pools.for_entry(entry).behind, None)
        drawn = self.spell(replacement.substitute)
        if drawn not in pool.order:  # the sentence had taken the words of the pool
            return self._pool(self._pools.list_drawn(entry.tag), None), ()
        return pool, tuple(
            other for other, words in self._places[replacement.drawn_as] if drawn in words
        )

    def spell(self, surface: str) -> str:
        """Return the word in lower case."""
        return surface.lower()

    def _pool(self, entries: Sequence[Entry], hides: frozenset[str] | None) -> CandidatePool:
        if id(entries) not in self._made:  # they are kept, so that no others get their id
            order = {entry.word: entry.confidence for entry in entries}
            self._made[id(entries)] = CandidatePool(order, self._prior, hides), entries
        return self._made[id(entries)][0]


class RatioPools(ThresholdPools):
    """Pools of PRISM* by ratio: all words of the tag, whose best are taken in order."""

    def __init__(self, dictionary: Dictionary, minimum: int, prior: Prior) -> None:
        super().__init__(dictionary, 0.0, minimum, prior)
        self._tags = {
            tag: CandidatePool({entry.word: entry.score for entry in entries}, prior)
            for tag, entries in dictionary.by_tag.items()
        }

    def find(self, sentence: Sentence, replacement: Replacement) -> PoolAndRivals:
        """Return the pool; see ``PublicPools``."""
        if replacement.kind is Kind.UNKNOWN:
            return super().find(sentence, replacement)
        return self._tags[replacement.tag], ()


class OnePool:
    """Pool of PRISM-R: V, for every word."""

    def __init__(self, dictionary: Dictionary, words: WordSet, prior: Prior) -> None:
        def confidence(word: str) -> float:
            senses = dictionary.senses(word)
            return senses[0].confidence if senses else 0.0

        self._pool = CandidatePool({word: confidence(word) for word in words.words}, prior)

    def find(self, sentence: Sentence, replacement: Replacement) -> PoolAndRivals:  # noqa: ARG002 (all are alike)
        """Return the pool; see ``PublicPools``."""
        return self._pool, ()

    def spell(self, surface: str) -> str:
        """Return the word as it is."""
        return surface


Shown = Sequence[Sequence[str]]
"""Tokens of a document's sentences, as they were sent."""
Guess = Callable[[Shown], Iterable[tuple[int, int]]]
"""Function that names the sentence and position of each token taken for a substitute."""


def guess_all(language: Language) -> Guess:
    """Take each token with a letter or digit for a substitute, but for function words.

    Phrases of grammar are not looked for.
    """

    def is_substitute(token: str) -> bool:
        return any(map(str.isalnum, token)) and not language.is_function_word(token)

    return lambda shown: _places(shown, is_substitute)


def guess_by_lists(dictionary: Dictionary, hidden_words: HiddenWords) -> Guess:
    """Take for a substitute what no list has in small letters, and each word that is hidden.

    Most ordinary words that are seen were sent as they are.
    """
    pools = Pools(dictionary, 0.0, 1, hidden_words=hidden_words)

    def is_substitute(token: str) -> bool:
        if not any(c.isalnum() for c in token) or dictionary.language.is_function_word(token):
            return False
        is_listed = token.islower() and dictionary.knows(token)
        return not is_listed or pools.hides_by_list(token)

    return lambda shown: _places(shown, is_substitute)


def guess_by_score(dictionary: Dictionary, ratio: float) -> Guess:
    """Take the best-ranked share of each sentence, and surrogates of names and unknown words."""
    is_function_word, scores = dictionary.language.is_function_word, defaultdict[str, float](float)
    for entry in dictionary:
        scores[entry.word] = max(scores.get(entry.word, 0.0), entry.score)

    def score(token: str) -> float:
        return 0.0 if is_function_word(token) else scores.get(token.lower(), 0.0)

    def is_foreign(token: str) -> bool:
        return any(c.isalnum() for c in token) and not (
            is_function_word(token) or dictionary.knows(token)
        )

    def guess(shown: Shown) -> set[tuple[int, int]]:
        best = {
            (index, at)
            for index, tokens in enumerate(shown)
            for _, at in best_ranked([tokens], score, ratio)
        }
        return best | set(_places(shown, is_foreign))

    return guess


def guess_by_rarity(words: WordSet, probability: float, prior: Prior) -> Guess:
    """Apply Bayes: a token is a substitute if a draw from V explains it better than public text.

    Tokens outside V are never seen.
    """
    total = sum(prior.get(word, 0) for word in words.words) or 1
    drawn = probability / len(words)

    def is_drawn(token: str) -> bool:
        return drawn > (1 - probability) * prior.get(token, 0) / total

    return lambda shown: _places(shown, is_drawn)


def best_ranked(
    shown: Shown, figure: Callable[[str], float], ratio: float
) -> list[tuple[int, int]]:
    """Return the share ``ratio`` of all tokens that has the highest figures.

    What ranks above the last word to be replaced was replaced, and by what ranks higher still.
    """
    places = [(i, at) for i, tokens in enumerate(shown) for at in range(len(tokens))]
    places.sort(key=lambda place: -figure(shown[place[0]][place[1]]))
    return places[: math.ceil(ratio * len(places))]


def _places(shown: Shown, is_substitute: Callable[[str], bool]) -> list[tuple[int, int]]:
    return [
        (index, at)
        for index, tokens in enumerate(shown)
        for at, token in enumerate(tokens)
        if is_substitute(token)
    ]


def public_rules(
    mechanism: Mechanism, dictionary: Dictionary, prior: Prior
) -> tuple[PublicPools, Guess]:
    """Return the pools of substitutes, and the guess which tokens are substitutes."""
    rules = mechanism.public_rules
    pools: PublicPools
    if rules.words is not None:
        pools = OnePool(dictionary, rules.words, prior)
    elif rules.ratio is not None:
        pools = RatioPools(dictionary, rules.minimum_pool, prior)
    else:
        pools = ThresholdPools(
            dictionary,
            rules.threshold,
            rules.minimum_pool,
            prior,
            rules.draw_from,
            rules.hidden_words,
        )
    if rules.words is not None and rules.probability is not None:
        return pools, guess_by_rarity(rules.words, rules.probability, prior)
    if rules.ratio is not None:
        return pools, guess_by_score(dictionary, rules.ratio)
    if rules.hidden_words != "all":
        return pools, guess_by_lists(dictionary, rules.hidden_words)
    return pools, guess_all(dictionary.language)
