"""Attacks that link requests to their originals, by structure and by meaning.

Other attacks here use the bag of requests: who was in it, what belongs together, what is real.

Entry: each ``attack_…``. Sentences are compared by ``Structure`` (what shows through any
substitution) and ``Index``, or by a model of embeddings (``load_embedder``).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.evaluation.adversaries.base import (
    DECOY,
    Array,
    Case,
    Embedder,
    Request,
    SentRequest,
    Words,
    unit_rows,
)
from prism_core.evaluation.findings import Finding, area, share

LONGEST = 4
"""Number of adjacent places that are compared together."""
_EDGE = "|"
Features = Counter[str]


class Structure:
    """Features by which sentences are compared before and after encoding.

    Of each place: a function word or mark as it is; of any other the letter case, the number of
    digits, and the part of speech that the public dictionary gives it, or else its ending. Of these
    the runs of up to ``LONGEST``, and the words that are no substitutes by the public rules.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._dictionary = dictionary
        self._shapes: dict[str, str] = {}

    def describe_request(self, request: Request) -> Features:
        """Return the features of a request."""
        return self.describe_words(request.tokens, request.guessed)

    def describe_words(self, words: Words, guessed: Collection[int] = ()) -> Features:
        """Return the features of a written sentence, with substitutes at ``guessed`` places."""
        for word in words:
            if word not in self._shapes:
                self._shapes[word] = self._shape(word)
        places = [_EDGE, *(self._shapes[word] for word in words), _EDGE]
        runs = (
            " ".join(places[start : start + length])
            for length in range(1, LONGEST + 1)
            for start in range(len(places) - length + 1)
        )
        kept = (f"={word.lower()}" for at, word in enumerate(words) if at not in guessed)
        return Counter([*runs, *kept, f"#{len(words)}"])

    def _shape(self, word: str) -> str:
        if self._dictionary.language.is_function_word(word) or not any(c.isalnum() for c in word):
            return word.lower()
        if any(c.isdigit() for c in word):
            return "9" * sum(c.isdigit() for c in word)
        case = "A" if word.isupper() else "A" if word[0].isupper() else "a"
        senses = self._dictionary.senses(word)
        return case + ("" if case == "A" else senses[0].tag if senses else word[-2:])


class Index:
    """Index of sentences by their features; rare features weigh more."""

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
        """Return the cosine of ``features`` and those of each sentence, by presence alone."""
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
    """Return the probability to pick ``right`` by likeness, ties in random order."""
    values = likeness[candidates]
    own = likeness[right]
    return 0.0 if (values > own).any() else float(1 / (values == own).sum())


CHOICES = (10, 100, 1000)
MOST_REQUESTS = 400
_BESIDE = 0.5
"""Weight of the neighbours of a sentence beside its own."""


def attack_links(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess which of N sentences is the original of a request; chance: 1 / N.

    Where documents are sent one after another, the neighbours are compared too. The share that is
    linked right, for each N that the archive has enough sentences for.
    """
    return _link("link", _DistinctOriginals(case, compare_structure(case)), rng)


def attack_links_by_meaning(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess the same by meaning, if there is a public model of it.

    Alone, and with the structure as well, both counting the same; nothing without
    ``case.public.embedder``.
    """
    if case.public.embedder is None:
        return
    meaning, structure = compare_meaning(case, case.public.embedder), compare_structure(case)
    yield from _link("link-meaning", _DistinctOriginals(case, meaning), rng)

    def both(request: Request) -> Array:
        return meaning(request) + structure(request)

    yield from _link("link-both", _DistinctOriginals(case, both), rng)


Alike = Callable[[Request], Array]
"""Function that gives the likeness of each original of a case to a request."""


def compare_structure(case: Case) -> Alike:
    """Compare by ``Structure``."""
    structure = Structure(case.public.dictionary)
    index = Index([structure.describe_words(original.words) for original in case.originals])
    return lambda request: index.likeness(structure.describe_request(request))


def compare_meaning(case: Case, embedder: Embedder) -> Alike:
    """Compare by the cosine of embeddings."""
    originals = embedder([original.words for original in case.originals])
    return lambda request: np.asarray(originals @ embedder([request.tokens])[0], np.float64)


def _link(attack: str, search: _DistinctOriginals, rng: Random) -> Iterator[Finding]:
    case = search.case
    real = [at for at, sent in enumerate(case.sent) if sent.document != DECOY]
    asked = rng.sample(real, min(MOST_REQUESTS, len(real)))
    likeness = [search.likeness(at) for at in asked]
    for number in [choices for choices in CHOICES if choices <= search.size]:
        hits = 0.0
        for at, found in zip(asked, likeness, strict=True):
            right = search.right(case.sent[at])
            others = [at for at in rng.sample(range(search.size), number) if at != right]
            hits += best(found, np.array([right, *others[: number - 1]], np.int64), right)
        yield share(f"{attack}@{number}", hits, 1 / number, len(asked))


class _DistinctOriginals:
    """Different originals of a case, and the likeness of each to a request."""

    def __init__(self, case: Case, alike: Alike) -> None:
        self.case = case
        self._alike = alike
        numbers: dict[object, int] = {}
        self._numbers = [
            numbers.setdefault(original.words, len(numbers)) for original in case.originals
        ]
        first: dict[int, int] = {}
        for at, number in enumerate(self._numbers):
            first.setdefault(number, at)
        self._places = np.array([first[number] for number in range(len(first))])
        self.size = len(first)

    def right(self, sent: SentRequest) -> int:
        """Return the number of the original of ``sent``."""
        if sent.original is None:
            raise LookupError("A decoy has no original.")
        return self._numbers[sent.original]

    def likeness(self, at: int) -> Array:
        """Return the likeness of each different original to the request ``at``."""
        sent = self.case.sent
        found = self._alike(sent[at].request)
        if self.case.ordered:
            for step in (-1, 1):
                other = at + step
                if 0 <= other < len(sent) and DECOY != sent[other].document == sent[at].document:
                    beside, shifted = self._alike(sent[other].request), np.zeros_like(found)
                    if step < 0:  # what is before a sentence counts for it, or what is after it
                        shifted[1:] = beside[:-1]
                    else:
                        shifted[:-1] = beside[1:]
                    found = found + _BESIDE * shifted
        return np.asarray(found[self._places], np.float64)


_MODEL_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def load_embedder(folder: Path) -> Embedder:
    """Load the static model of Model2Vec (Tulkens & van Dongen 2024) from ``folder``.

    Nothing is downloaded. Raises ``ConfigurationError`` where the folder holds no such model, or
    the optional library is missing.
    """
    missing = [name for name in _MODEL_FILES if not (folder / name).is_file()]
    if missing:
        raise ConfigurationError(
            f"The folder given as --embeddings lacks {', '.join(missing)}. Give it a static model "
            "as Model2Vec saves one (such as potion-base-8M), downloaded before."
        )
    try:
        from model2vec import StaticModel
    except ModuleNotFoundError:
        raise ConfigurationError(
            "Embeddings are read with model2vec, which is optional. Install it: "
            "pip install 'prism-translate[embeddings]'"
        ) from None
    try:
        model = StaticModel.from_pretrained(folder)
    except Exception:  # noqa: BLE001 - each of its libraries raises errors of its own
        raise ConfigurationError(
            "The model in the folder given as --embeddings cannot be read. Download it anew."
        ) from None

    return lambda sentences: unit_rows(
        np.asarray(model.encode([" ".join(words) for words in sentences]), np.float64)
    )


MOST_DOCUMENTS = 150
MOST_SENTENCES = 8
MOST_UNMASKED = 300


def attack_membership(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess if a document was in the archive, by searching its sentences in the requests.

    The figure is the area under the curve (AUC) over documents that were in it and documents of
    the same source that were not; chance: .5; none where nothing was sent. Where documents were
    sent one after another, what is found in the same order counts more.
    """
    if not case.sent:
        return
    structure = Structure(case.public.dictionary)
    index = Index([structure.describe_request(sent.request) for sent in case.sent])
    documents: dict[int, list[Words]] = {}
    for original in case.originals:
        documents.setdefault(original.document, []).append(original.words)
    inside = [tuple(words) for words in documents.values()]
    groups = [rng.sample(g, min(MOST_DOCUMENTS, len(g))) for g in (inside, case.outsiders)]
    scores = [[_score(member, structure, index, case) for member in group] for group in groups]
    yield area("membership", *scores)


def attack_neighbours(case: Case, _rng: Random) -> Iterator[Finding]:
    """Guess that two requests sent in succession belong to one document.

    The share of such pairs that are. Chance: two requests at random.
    """
    documents = [sent.document for sent in case.sent]
    hits = sum(a == b != DECOY for a, b in pairwise(documents))
    sizes = Counter(sent.document for sent in case.real)
    same = sum(size * (size - 1) for size in sizes.values())
    pairs = len(documents) * (len(documents) - 1)
    yield share("neighbours", hits, same / max(pairs, 1), max(len(documents) - 1, 0))


def attack_decoys(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess which requests are decoys, by searching each in the public source of decoys.

    The figure is the AUC over decoys and real requests; chance: .5. Nothing without decoys.
    """
    sides: tuple[list[float], list[float]] = ([], [])
    if not case.decoys:
        return
    structure = Structure(case.public.dictionary)
    index = Index([structure.describe_words(words) for words in case.public.decoys])
    for side, group in zip(sides, (case.decoys, case.real), strict=True):
        for sent in rng.sample(group, min(MOST_UNMASKED, len(group))):
            side.append(float(index.likeness(structure.describe_request(sent.request)).max()))
    yield area("decoys-known", *sides)


def _score(document: Sequence[Words], structure: Structure, index: Index, case: Case) -> float:
    """Return the mean likeness of the sentences of ``document`` to the most similar requests."""
    rows = [index.likeness(structure.describe_words(words)) for words in document[:MOST_SENTENCES]]
    if case.ordered and len(rows) > 1:  # with what the next sentence has with the next request
        rows = [here[:-1] + after[1:] for here, after in pairwise(rows)]
    return float(np.mean([row.max() for row in rows])) if rows else 0.0
