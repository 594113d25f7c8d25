"""What of a sentence shows through any substitution: its structure, and the words that are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from prism_core.dictionary import Dictionary
from prism_core.evaluation.adversaries.base import Request, Words
from prism_core.evaluation.adversaries.ngrams import Array

LONGEST = 4
"""Neighbouring places that are looked at together."""
_EDGE = "|"
Features = Counter[str]


class Structure:
    """Sentences as what can be compared before and after encoding.

    Of each place: a function word or mark as it is; of any other the letter case, the number of
    digits, and the part of speech that the public dictionary gives it, or else its ending. Of these
    the runs of up to ``LONGEST``, and the words that are no substitutes by the public rules.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._places: dict[str, str] = {}

    def of_request(self, request: Request) -> Features:
        """The features of what was sent."""
        return self._features(request.tokens, request.guessed)

    def of_words(self, words: Words) -> Features:
        """The features of a sentence as it was written."""
        return self._features(words, ())

    def _features(self, words: Words, guessed: Collection[int]) -> Features:
        places = [_EDGE, *(self._place(word) for word in words), _EDGE]
        runs = (
            " ".join(places[start : start + length])
            for length in range(1, LONGEST + 1)
            for start in range(len(places) - length + 1)
        )
        kept = (f"={word.lower()}" for at, word in enumerate(words) if at not in guessed)
        return Counter([*runs, *kept, f"#{len(words)}"])

    def _place(self, word: str) -> str:
        if word not in self._places:
            self._places[word] = self._shape(word)
        return self._places[word]

    def _shape(self, word: str) -> str:
        if self._dictionary.language.is_function_word(word) or not any(c.isalnum() for c in word):
            return word.lower()
        if any(c.isdigit() for c in word):
            return "9" * sum(c.isdigit() for c in word)
        case = "A" if word.isupper() else "A" if word[0].isupper() else "a"
        senses = self._dictionary.senses(word)
        return case + ("" if case == "A" else senses[0].tag if senses else word[-2:])


class Index:
    """Sentences to be found again by their features, the rarer the more telling."""

    def __init__(self, sentences: Sequence[Features]) -> None:
        places: dict[str, list[int]] = defaultdict(list)
        for number, features in enumerate(sentences):
            for feature in features:
                places[feature].append(number)
        self._size = len(sentences)
        self._places = {feature: np.array(found) for feature, found in places.items()}
        self._weights = {
            feature: float(np.log(1 + self._size / len(found))) ** 2
            for feature, found in places.items()
        }
        self._lengths = np.array([self._length(features) for features in sentences])

    def likeness(self, features: Features) -> Array:
        """The cosine of ``features`` and those of each sentence, presence alone counting."""
        found = np.zeros(self._size)
        for feature in features:
            places = self._places.get(feature)
            if places is not None:
                found[places] += self._weights[feature]
        return np.asarray(found / (self._lengths * max(self._length(features), 1e-9)), np.float64)

    def _length(self, features: Iterable[str]) -> float:
        rare = float(np.log(1 + self._size)) ** 2
        return float(np.sqrt(sum(self._weights.get(feature, rare) for feature in features)))


def best(likeness: Array, candidates: NDArray[np.int64], right: int) -> float:
    """The probability to pick ``right`` by likeness, equals blindly."""
    values = likeness[candidates]
    own = likeness[right]
    return 0.0 if (values > own).any() else float(1 / (values == own).sum())
