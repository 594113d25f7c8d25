"""Attack that reads hidden words from their contexts, with own text of the same genre.

Entry: ``attack_with_same_genre``. The attacker encodes texts of his own, which are of the archive's
kind, with the public code. So he knows which word stood in which place of what is sent: between
which kept words, and between substitutes of which pools. Nothing that he reads is secret, and no
substitute tells him anything but its pool.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from random import Random

from prism_core.evaluation.adversaries.base import Case, SentRequest
from prism_core.evaluation.findings import Finding, share

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


def attack_with_same_genre(case: Case, rng: Random) -> Iterator[Finding]:  # noqa: ARG001 (no draw)
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
