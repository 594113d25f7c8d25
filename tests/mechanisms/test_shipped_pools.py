"""No word of a shipped dictionary is hidden among fewer than the settings promise."""

from __future__ import annotations

from collections import Counter

import pytest

from prism_core.dictionary import load_dictionary
from prism_core.mechanisms import Pools
from prism_core.resources import shipped_dictionary
from prism_core.settings import MechanismSettings

MINIMUM = MechanismSettings.choose().minimum_pool
LEVELS = [(0.2, 0.9), (0.2, 0.0), (0.0, 0.9), (0.5, 0.0)]
"""τ and ``draw_from``: today's, and what is stricter or laxer in either."""


@pytest.mark.parametrize("target", ["es", "fr", "de", "pt"])
@pytest.mark.parametrize("translator", ["apertium", "firefox", "openai"])
def test_every_pool_that_is_drawn_from_hides_as_many_words_as_promised(
    target: str, translator: str
) -> None:
    dictionary = load_dictionary(shipped_dictionary("en", target), translator)
    for threshold, draw_from in LEVELS:
        pools = Pools(dictionary, threshold, MINIMUM, draw_from)
        hidden: Counter[int] = Counter()
        found = {}
        for entry in dictionary:
            if entry.confidence >= threshold and " " not in entry.word:
                pool = pools.for_entry(entry)
                hidden[id(pool.behind)] += 1
                found[id(pool.behind)] = pool
        drawn_from = [pool for pool in found.values() if pool.drawn]
        assert drawn_from or not hidden
        few = [hidden[id(pool.behind)] for pool in drawn_from if hidden[id(pool.behind)] < MINIMUM]
        assert few == [], (threshold, draw_from)
        drawn = [entry for pool in drawn_from for entry in pool.drawn]
        assert len({id(entry) for entry in drawn}) == len(drawn), "a word is drawn in one pool"
