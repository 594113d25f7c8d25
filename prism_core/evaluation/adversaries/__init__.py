"""Adversaries that know the code, the dictionary and the settings: all but the key and H."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from random import Random

from prism_core.evaluation.adversaries.base import DECOYS, MIXING, Adversary, Case, Public
from prism_core.evaluation.adversaries.extension import attack_asked_words
from prism_core.evaluation.adversaries.guessing import (
    attack_by_code_book,
    attack_by_context,
    attack_by_substitutes_beside,
    attack_repeated_numbers,
    attack_repeats,
)
from prism_core.evaluation.adversaries.identifiers import attack_absence, attack_identifiers
from prism_core.evaluation.adversaries.linking import (
    attack_decoys,
    attack_links,
    attack_links_by_meaning,
    attack_membership,
    attack_neighbours,
)
from prism_core.evaluation.adversaries.same_genre import (
    attack_decoys_by_content,
    attack_neighbours_by_content,
    attack_topics,
    attack_topics_mixed,
    attack_with_same_genre,
)
from prism_core.evaluation.adversaries.substitution import (
    attack_document_order,
    attack_narrowed_pools,
    attack_originals,
    attack_places,
)
from prism_core.evaluation.adversaries.synthetic import attack_articles, attack_closed_sets
from prism_core.evaluation.adversaries.word_dropping import attack_by_dropping_words
from prism_core.evaluation.findings import Finding

__all__ = ["ADVERSARIES", "Adversary", "Case", "Public", "attack_case"]

_BOTH = frozenset({MIXING, DECOYS})
ADVERSARIES: Mapping[str, Adversary] = {
    "places": Adversary(attack_places),
    "originals": Adversary(attack_originals, by_substitutes=True),
    "narrowing": Adversary(attack_narrowed_pools),
    "order": Adversary(attack_document_order, frozenset({MIXING}), by_substitutes=True),
    "rebuilding": Adversary(attack_by_context),
    "rebuilding by genre": Adversary(attack_with_same_genre),
    "beside": Adversary(attack_by_substitutes_beside, by_substitutes=True),
    "matching": Adversary(attack_by_code_book, frozenset({DECOYS}), by_substitutes=True),
    "repeating": Adversary(attack_repeats, by_substitutes=True),
    "repeating numbers": Adversary(attack_repeated_numbers),
    "asking": Adversary(attack_by_dropping_words),
    "identifiers": Adversary(attack_identifiers),
    "absence": Adversary(attack_absence),
    "closed sets": Adversary(attack_closed_sets),
    "articles": Adversary(attack_articles),
    "linking": Adversary(attack_links, _BOTH),
    "linking by meaning": Adversary(attack_links_by_meaning, _BOTH),
    "membership": Adversary(attack_membership, _BOTH),
    "neighbours": Adversary(attack_neighbours, _BOTH),
    "neighbours by content": Adversary(attack_neighbours_by_content, frozenset({DECOYS})),
    "topic": Adversary(attack_topics),
    "topic of a request": Adversary(attack_topics_mixed),
    "extension": Adversary(attack_asked_words),
    "unmasking": Adversary(attack_decoys, frozenset({DECOYS})),
    "unmasking by content": Adversary(attack_decoys_by_content, frozenset({DECOYS})),
}
"""Families of attacks by name; the findings of one have names of their own (``attacks.toml``)."""


def attack_case(case: Case, rng: Random, among: Container[str] = ADVERSARIES) -> Iterator[Finding]:
    """Yield the findings of the adversaries named in ``among``."""
    for name, adversary in ADVERSARIES.items():
        if name in among:
            yield from adversary.find(case, rng)
