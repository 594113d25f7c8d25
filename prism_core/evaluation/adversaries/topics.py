"""Attacks on the topic of a text, and on which requests belong together by content.

The attacker learns from texts that he encoded himself: same code, dictionary and settings, and he
knows what they are about. He guesses by ``Structure``: kept words, function words, marks, parts of
speech, letter case, lengths and the shapes of numbers.

Entry: each ``attack_…``; ``_name_labels`` learns and guesses (kernel ridge regression, Saunders,
Gammerman and Vovk 1998; leaving texts out in closed form, Cawley and Talbot 2003).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import numpy as np

from prism_core.evaluation.adversaries.base import DECOY, Array, Case
from prism_core.evaluation.adversaries.linking import MOST_REQUESTS, Features, Index, Structure
from prism_core.evaluation.findings import Finding, share

MOST_LEARNED = 1500
"""Maximum requests that are learned from and guessed one by one."""
_RIDGE = 0.03
_CONSTANT = 0.1
_AT_ONCE = 4096
"""Number of features in memory at a time."""


def attack_topics(case: Case, rng: Random) -> Iterator[Finding]:  # noqa: ARG001 (no draw)
    """Guess the label of a document knowing which requests are its own: the worst case.

    That is how it is for an archive of one document. Chance: always the most frequent label.
    """
    structure = Structure(case.public.dictionary)
    shown: dict[int, Features] = defaultdict(Counter)
    for sent in case.real:
        shown[sent.document].update(structure.describe_request(sent.request))
    for name, labels in case.topics.items():
        documents = [document for document in shown if document in labels]
        features = [shown[document] for document in documents]
        yield from _name_labels(f"topic@{name}", features, documents, labels)


def attack_topics_mixed(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess the label of a request's document by the request alone: all are one bag."""
    structure = Structure(case.public.dictionary)
    for name, labels in case.topics.items():
        known = [sent for sent in case.real if sent.document in labels]
        some = rng.sample(known, min(MOST_LEARNED, len(known)))
        features = [structure.describe_request(sent.request) for sent in some]
        documents = [sent.document for sent in some]
        yield from _name_labels(f"topic-mixed@{name}", features, documents, labels)


def attack_kin(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess that the most similar request belongs to the same document.

    The share of such pairs that are. Chance: any other request.
    """
    structure = Structure(case.public.dictionary)
    requests = [structure.describe_request(sent.request) for sent in case.sent]
    sizes = Counter(sent.document for sent in case.real)
    real = [at for at, sent in enumerate(case.sent) if sizes[sent.document] > 1]
    asked = rng.sample(real, min(MOST_REQUESTS, len(real)))
    if not asked:
        return
    index = Index(requests)
    hits, chance = 0, 0.0
    for at in asked:
        likeness = index.likeness(requests[at])
        likeness[at] = -1.0
        document = case.sent[at].document
        hits += case.sent[int(likeness.argmax())].document == document
        chance += (sizes[document] - 1) / (len(requests) - 1)
    yield share("neighbours-content", hits, chance / len(asked), len(asked))


def attack_decoys_by_content(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess which requests are decoys, with other text of both kinds instead of their list.

    The share that is named right, of as many decoys as real requests; chance: one half.
    """
    structure = Structure(case.public.dictionary)
    decoys = [sent for sent in case.sent if sent.document == DECOY]
    count = min(MOST_LEARNED // 2, len(decoys), len(case.real))
    real, decoys = rng.sample(case.real, count), rng.sample(decoys, count)
    # Each decoy is a document of its own, none of the archive's.
    documents = [*(sent.document for sent in real), *range(-1, -1 - count, -1)]
    labels = {document: "decoy" if document < 0 else "real" for document in documents}
    features = [structure.describe_request(sent.request) for sent in (*real, *decoys)]
    yield from _name_labels("decoys-content", features, documents, labels)


def _name_labels(
    attack: str, texts: Sequence[Features], documents: Sequence[int], labels: Mapping[int, str]
) -> Iterator[Finding]:
    """Label each of ``texts`` by what is learned from those of the other ``documents``.

    As many independent cases as documents; nothing where all have one label.
    """
    own = [labels[document] for document in documents]
    kinds = sorted(set(own))
    if len(kinds) < 2:
        return
    wanted = np.array([[float(label == kind) for kind in kinds] for label in own])
    learned = np.linalg.inv(_kernel(texts, documents) + _RIDGE * np.eye(len(own)))
    weights = learned @ wanted
    places: dict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        places[document].append(place)
    hits = 0
    for document, held in places.items():
        left_out = np.linalg.solve(learned[np.ix_(held, held)], weights[held])
        guessed = (wanted[held] - left_out).argmax(axis=1)
        hits += int((guessed == kinds.index(labels[document])).sum())
    yield share(attack, hits, max(Counter(own).values()) / len(own), len(own), len(places))


def _kernel(texts: Sequence[Features], documents: Sequence[int]) -> Array:
    """Return the centred cosine of each two of ``texts``, shape (texts, texts).

    Of features that several documents have, by the logarithm of how often; a feature of one alone
    can tell nothing of another.
    """
    counts: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row, features in enumerate(texts):
        for feature, count in features.items():
            counts[feature].append((row, count))
    shared = [found for found in counts.values() if len({documents[row] for row, _ in found}) > 1]
    kernel = np.zeros((len(texts), len(texts)))
    for start in range(0, len(shared), _AT_ONCE):
        block = np.zeros((len(texts), _AT_ONCE), np.float32)
        for column, found in enumerate(shared[start : start + _AT_ONCE]):
            for row, count in found:
                block[row, column] = np.log1p(count)
        kernel += block @ block.T
    kernel = _scaled(kernel)
    kernel += kernel.mean() - kernel.mean(axis=0) - kernel.mean(axis=1, keepdims=True)
    return _scaled(kernel) + _CONSTANT


def _scaled(kernel: Array) -> Array:
    lengths = np.sqrt(np.maximum(np.diag(kernel), 1e-9))
    return np.asarray(kernel / np.outer(lengths, lengths), np.float64)
