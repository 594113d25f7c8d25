"""What the mechanisms have in common that decide on every token by its own surface.

entry: ``VocabularyMechanism.choose``; then ``draw``, where ``become`` is the mechanism's own ->
``record_of``, which is H. ``ChanceSettings`` are the options of all of them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from prism_core.dictionary import FUNCTION_TAG, Dictionary
from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.mechanisms.base import Draft, PublicRules, TokenMechanism
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.mechanisms.word_classes import classify
from prism_core.record import Kind, Replacement, Surface
from prism_core.settings import MechanismFigures, MechanismSettings


class ChanceSettings(MechanismSettings):
    """``replace_probability`` r in (0, 1]: that of PRISM-R, under this or within it."""

    bounds_epsilon: ClassVar[bool] = True
    looks_for_identifiers: ClassVar[bool] = False

    replace_probability: float = Field(default=0.5, gt=0, le=1)

    def figures(self) -> MechanismFigures:
        """See ``MechanismSettings``."""
        return MechanismFigures(
            threshold=self.threshold,
            replace_probability=self.replace_probability,
            minimum_pool=self.minimum_pool,
        )

    def stronger(self) -> Iterator[Self]:
        """Larger r, up to 1."""
        return self.stepped_up("replace_probability")

    def vocabulary(self, dictionary: Dictionary) -> Vocabulary:
        """V. Raises ``ConfigurationError`` when it would be too small."""
        return Vocabulary(dictionary, self.threshold, self.minimum_pool)


@dataclass(frozen=True, slots=True)
class SentToken:
    """What is sent for a token: the word, the tag it was drawn under (empty: none), its pool."""

    word: str
    tag: str
    pool: int


def record_of(
    sentence: Sentence, sent: Mapping[int, SentToken], dictionary: Dictionary
) -> tuple[Replacement, ...]:
    """H for tokens of ``sentence`` that go out as ``sent`` (by position), in source order.

    A blank is put between two words that would run into each other. Where it goes depends on what
    is sent alone, so it tells nothing more. A kept token beside such a blank is in H too, and one
    that the translator may write like a substitute.
    """
    tokens = sentence.tokens
    shown = [sent[i].word if i in sent else token.text for i, token in enumerate(tokens)]
    before: set[int] = set()
    after: set[int] = set()
    for left, right in pairwise(range(len(shown))):
        if tokens[left].whitespace or not _would_run_together(
            shown[left], shown[right], dictionary.language
        ):
            continue
        if left in sent:
            after.add(left)
        else:
            before.add(right)
    taken = {form for i in sent for form in _looks(shown[i], dictionary)}
    kept = (i for i, text in enumerate(shown) if i not in sent and text.strip())
    alike = {i for i in kept if not taken.isdisjoint(_looks(shown[i], dictionary))}
    # Whether there is white space, or nothing, on both sides.
    ends = [True, *(token.whitespace != "" for token in tokens[:-1]), True]
    is_apart = [left and right for left, right in pairwise(ends)]
    return tuple(
        _replacement(
            tokens[i],
            i,
            sent.get(i),
            Surface(sent[i].tag if i in sent else "", i in before, i in after, is_apart[i]),
            dictionary,
        )
        for i in sorted(sent.keys() | before | alike)
    )


def _looks(surface: str, dictionary: Dictionary) -> set[str]:
    """What a translator may write for ``surface``, and itself."""
    forms = (form.text for entry in dictionary.senses(surface) for form in entry.forms)
    return {surface.lower(), *forms}


def _replacement(
    token: Token, position: int, sent: SentToken | None, surface: Surface, dictionary: Dictionary
) -> Replacement:
    """It is put back by the entry it has, or as it is. Local; nothing of it is sent."""
    word, kind, tag = token.text, Kind.WORD, token.tag
    if sent is None:
        return Replacement(position, 1, word, word, Kind.KEPT, tag, surface=surface)
    if any(map(str.isalnum, word)):
        if dictionary.find(word, FUNCTION_TAG) is not None:
            tag = FUNCTION_TAG
        elif (entry := classify(token, dictionary).entry) is not None:
            tag = entry.tag
        else:
            kind = Kind.UNKNOWN
    return Replacement(position, 1, word, sent.word, kind, tag, sent.pool, surface)


def _would_run_together(left: str, right: str, language: Language) -> bool:
    """Whether two words without a blank between them would be read as one that is neither."""
    whole = (left + right).lower().replace("’", "'")
    joins = left[-1:].isalnum() and right[:1].isalnum()
    return joins and whole not in language.words.contractions


class VocabularyMechanism(TokenMechanism):
    """Replaces each token by itself: a word of V by chance, any other by a uniform draw from V."""

    def __init__(
        self, dictionary: Dictionary, vocabulary: Vocabulary, replace_probability: float
    ) -> None:
        self._dictionary = dictionary
        self._words = vocabulary
        self._replace = replace_probability

    @property
    def vocabulary(self) -> int:
        """|V|."""
        return len(self._words)

    @property
    def public_rules(self) -> PublicRules:
        """V and r."""
        return PublicRules(words=self._words, probability=self._replace)

    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Draft:
        """Replace each token by chance; see ``TokenMechanism.choose``."""
        sent = self.draw(sentence, always, rng)
        return Draft(record_of(sentence, sent, self._dictionary))

    def draw(self, sentence: Sentence, always: frozenset[int], rng: Random) -> dict[int, SentToken]:
        """What is sent for the tokens that are replaced, by position; the others are kept.

        Tokens outside V and those at ``always`` are replaced by a uniform draw. White space is
        structure and stays.
        """
        sent = {}
        for position, token in enumerate(sentence.tokens):
            if not token.text.strip():
                continue
            known = token.text in self._words and position not in always
            shown = self.become(token.text, rng) if known else self._words.uniform(rng)
            if shown is not None:
                sent[position] = SentToken(shown, "", len(self._words))
        return sent

    @abstractmethod
    def become(self, word: str, rng: Random) -> str | None:
        """What a word of V becomes; None to keep it."""
