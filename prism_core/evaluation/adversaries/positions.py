"""Which tokens of x_pub are substitutes: what each method's own rules tell one who knows them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from prism_core.dictionary.dictionary import Dictionary
from prism_core.evaluation.adversaries.pools import Prior
from prism_core.language.words import is_function_word
from prism_core.mechanisms import Vocabulary

Shown = Sequence[Sequence[str]]
"""The tokens of a document's sentences, as they were sent."""
Guess = Callable[[Shown], Iterable[tuple[int, int]]]
"""The sentence and position of each token that is taken for a substitute."""


def by_threshold(dictionary: Dictionary, threshold: float) -> Guess:
    """A token with a letter or digit is a substitute unless it is one that may be kept.

    Those are function words, and words of the dictionary below τ in every sense.
    """

    def is_kept(token: str) -> bool:
        if not any(c.isalnum() for c in token) or is_function_word(token):
            return True
        senses = dictionary.senses(token)
        return bool(senses) and senses[0].confidence < threshold and token.islower()

    return lambda shown: _places(shown, lambda token: not is_kept(token))


def by_score(dictionary: Dictionary, ratio: float) -> Guess:
    """The best ranked share of each sentence, and what only stands for names and unknown words."""
    scores: dict[str, float] = {}
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


def by_rarity(words: Vocabulary, probability: float, prior: Prior) -> Guess:
    """Bayes: a token is a substitute if a draw from V gives it more easily than public text.

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
    """The share ``ratio`` of all tokens that has the highest figures.

    What ranks above the last word to be replaced was replaced, and by what ranks higher still.
    """
    places = [(i, at) for i, tokens in enumerate(shown) for at in range(len(tokens))]
    places.sort(key=lambda place: -figure(shown[place[0]][place[1]]))
    return places[: math.ceil(ratio * len(places))]


def figures_of(best: Mapping[str, float]) -> Callable[[str], float]:
    """The figure of a token as it is written; 0 for one that has none."""
    return lambda token: best.get(token, 0.0)


def _places(shown: Shown, is_substitute: Callable[[str], bool]) -> list[tuple[int, int]]:
    return [
        (index, at)
        for index, tokens in enumerate(shown)
        for at, token in enumerate(tokens)
        if is_substitute(token)
    ]
