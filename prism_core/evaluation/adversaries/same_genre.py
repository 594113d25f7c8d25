"""Attacks with own texts of the same genre, on hidden words and on the topic of a text.

The attacker encodes texts of his own, which are of the archive's kind, with the public code,
dictionary and settings. So he knows which word stood in which place of what is sent, and what each
text is about. Nothing that he reads is secret, and no substitute tells him anything but its pool.

Entry: ``attack_with_same_genre`` reads hidden words from their contexts: between which kept words,
and between substitutes of which pools. The other attacks guess topics, and which requests belong
together, by ``Structure``: kept words, function words, marks, parts of speech, letter case, lengths
and the shapes of numbers. ``_name_labels`` learns and guesses (kernel ridge regression, Saunders,
Gammerman and Vovk 1998; leaving texts out in closed form, Cawley and Talbot 2003).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from random import Random

import numpy as np

from prism_core.evaluation.adversaries.base import Array, Case, SentRequest
from prism_core.evaluation.adversaries.linking import MOST_REQUESTS, Features, Index, Structure
from prism_core.evaluation.findings import Finding, share

MOST_LEARNED = 1500
"""Maximum requests that are learned from and guessed one by one."""
_RIDGE = 0.03
_CONSTANT = 0.1
_AT_ONCE = 4096
"""Number of features in memory at a time."""
SPANS = (
    *((3, 3), (2, 2), (1, 2), (2, 1), (1, 1), (3, 0)),
    *((0, 3), (2, 0), (0, 2), (1, 0), (0, 1), (0, 0)),
)
"""Numbers of neighbours to the left and right of a context; the last has none."""
_REACH = 3
_PER_NEIGHBOUR = 4.0
"""Weight of a context relative to one with one neighbour less."""
_TOPS = (1, 10)
_FEWEST_WORDS = 3
"""Minimum hidden words of a sentence that counts as read as a whole."""
_EDGES = ("\n",) * _REACH
Context = tuple[str, ...]
Seen = Mapping[Context, Counter[str]]


def attack_with_same_genre(case: Case, _rng: Random) -> Iterator[Finding]:
    """Guess each hidden word by contexts learned on the attacker's own texts.

    They are ``case.own`` and, for each half of the documents, the other half.

    ``rebuild-genre``: top 1 and top 10; chance is the most frequent words of the pool in the
    attacker's own texts. ``rebuild-genre-whole``: sentences with three hidden words or more of
    which every one is the first guess; chance is the same by pools alone.
    ``rebuild-genre-twins``: sentences that the attacker has, but for the words that are hidden.
    """
    hits, chance = Counter[str](), Counter[str]()
    words = sentences = twins = 0
    for half in (0, 1):
        known = [*case.own, *(sent for sent in case.real if sent.document % 2 == half)]
        seen, skeletons = learn_contexts(known), {tuple(read_labels(sent)) for sent in known}
        for sent in (sent for sent in case.real if sent.document % 2 != half and sent.hidden):
            labels = read_labels(sent)
            first, blind = [], []
            for word in sent.hidden:
                contexts = list(find_contexts(labels, word.place))
                guesses = rank_words(seen, contexts)
                by_pool = [word for word, _ in seen.get(contexts[-1], Counter()).most_common(10)]
                first.append(guesses[:1] == [word.word])
                blind.append(by_pool[:1] == [word.word])
                for top in _TOPS:
                    hits[f"@{top}"] += word.word in guesses[:top]
                    chance[f"@{top}"] += word.word in by_pool[:top]
            words += len(sent.hidden)
            if len(sent.hidden) >= _FEWEST_WORDS:
                sentences += 1
                twins += tuple(labels) in skeletons
                hits["-whole"] += all(first)
                chance["-whole"] += all(blind)
    for name, cases in (*((f"@{top}", words) for top in _TOPS), ("-whole", sentences)):
        yield share(f"rebuild-genre{name}", hits[name], chance[name] / max(cases, 1), cases)
    yield share("rebuild-genre-twins", twins, 0.0, sentences)


def read_labels(sent: SentRequest) -> list[str]:
    """Return what the attacker sees of each token: itself, or the pool of a substitute."""
    pools = {word.place: word.shown for word in sent.hidden}
    return [
        pools.get(place, "\0") if place in sent.replaced else token.lower()
        for place, token in enumerate(sent.request.tokens)
    ]


def learn_contexts(known: Iterable[SentRequest]) -> Seen:
    """Count which words stood in each context of the attacker's own texts."""
    seen: dict[Context, Counter[str]] = defaultdict(Counter)
    for sent in known:
        labels = read_labels(sent)
        for word in sent.hidden:
            for context in find_contexts(labels, word.place):
                seen[context][word.word] += 1
    return seen


def find_contexts(labels: Sequence[str], place: int) -> Iterator[Context]:
    """Yield the contexts of a place, the widest first; each begins with its number in ``SPANS``."""
    around = (*_EDGES, *labels, *_EDGES)
    at = place + _REACH
    for number, (left, right) in enumerate(SPANS):
        yield str(number), *around[at - left : at + right + 1]


def rank_words(seen: Seen, contexts: Sequence[Context]) -> list[str]:
    """Return the ten likeliest words, by all contexts together.

    Each counts the more, the wider it is, the more often it was seen, and the fewer different words
    it was seen with (the weight of Witten and Bell 1991).
    """
    scores: dict[str, float] = defaultdict(float)
    for (left, right), context in zip(SPANS, contexts, strict=True):
        if words := seen.get(context):
            total = words.total()
            weight = _PER_NEIGHBOUR ** (left + right) / (total + len(words))
            for word, count in words.items():
                scores[word] += weight * count
    return nlargest(max(_TOPS), scores, key=scores.__getitem__)


def attack_topics(case: Case, _rng: Random) -> Iterator[Finding]:
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


def attack_neighbours_by_content(case: Case, rng: Random) -> Iterator[Finding]:
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
    count = min(MOST_LEARNED // 2, len(case.decoys), len(case.real))
    real, decoys = rng.sample(case.real, count), rng.sample(case.decoys, count)
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
