"""Common parts of the mechanisms that decide on every token by its own surface.

Entry: ``VocabularyMechanism.choose``; then ``draw``, where ``replace_word`` is the mechanism's own
-> ``record_of``, which makes H. ``ChanceSettings`` are the options that all of them share.
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
from prism_core.mechanisms.base import PublicRules, Selection, TokenMechanism
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.mechanisms.word_classes import classify
from prism_core.record import Kind, Replacement, Surface
from prism_core.settings import MechanismFigures, MechanismSettings


class ChanceSettings(MechanismSettings):
    """Options of mechanisms that replace each token by chance.

    ``replace_probability`` is r in (0, 1]: that of PRISM-R, under this name or within another
    mechanism.
    """

    bounds_epsilon: ClassVar[bool] = True
    looks_for_identifiers: ClassVar[bool] = False

    replace_probability: float = Field(default=0.5, gt=0, le=1)

    def figures(self) -> MechanismFigures:
        """Return the figures; see ``MechanismSettings``."""
        return MechanismFigures(
            threshold=self.threshold,
            replace_probability=self.replace_probability,
            minimum_pool=self.minimum_pool,
        )

    def stronger(self) -> Iterator[Self]:
        """Yield settings with a larger r, up to 1."""
        return self.stepped_up("replace_probability")

    def vocabulary(self, dictionary: Dictionary) -> Vocabulary:
        """Return V. Raises ``ConfigurationError`` when it would be too small."""
        return Vocabulary(dictionary, self.threshold, self.minimum_pool)


@dataclass(frozen=True, slots=True)
class SentToken:
    """Word sent for a token, the tag it was drawn under (empty for none) and its pool."""

    word: str
    tag: str
    pool: int


def record_of(
    sentence: Sentence, sent: Mapping[int, SentToken], dictionary: Dictionary
) -> tuple[Replacement, ...]:
    """Return H for the tokens of ``sentence`` that are sent as ``sent`` (by position), in order.

    A blank is put between two words that would run into each other. Its place depends only on what
    is sent, so it reveals nothing more. H also holds a kept token beside such a blank, and a kept
    token that the translator may write like a substitute.
    """
    tokens = sentence.tokens
    shown = [sent[i].word if i in sent else token.text for i, token in enumerate(tokens)]
    before: set[int] = set()
    after: set[int] = set()
    for left, right in pairwise(range(len(shown))):
        whole = (shown[left] + shown[right]).lower().replace("’", "'")
        joins = shown[left][-1:].isalnum() and shown[right][:1].isalnum()
        is_other_word = joins and whole not in dictionary.language.words.contractions
        if is_other_word and not tokens[left].whitespace:
            (after if left in sent else before).add(left if left in sent else right)
    taken = {form for i in sent for form in _list_answer_forms(shown[i], dictionary)}
    kept = (i for i, text in enumerate(shown) if i not in sent and text.strip())
    alike = {i for i in kept if not taken.isdisjoint(_list_answer_forms(shown[i], dictionary))}
    # True if there is white space, or nothing, on both sides.
    ends = [True, *(token.whitespace != "" for token in tokens[:-1]), True]
    is_apart = [left and right for left, right in pairwise(ends)]
    return tuple(
        _make_replacement(
            tokens[i],
            i,
            sent.get(i),
            Surface(sent[i].tag if i in sent else "", i in before, i in after, is_apart[i]),
            dictionary,
        )
        for i in sorted(sent.keys() | before | alike)
    )


def _list_answer_forms(surface: str, dictionary: Dictionary) -> set[str]:
    """Return the words that a translator may write for ``surface``, and ``surface`` itself."""
    forms = (form.text for entry in dictionary.senses(surface) for form in entry.forms)
    return {surface.lower(), *forms}


def _make_replacement(
    token: Token, position: int, sent: SentToken | None, surface: Surface, dictionary: Dictionary
) -> Replacement:
    """Make a local replacement, put back by its entry or as it is; nothing of it is sent."""
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


class VocabularyMechanism(TokenMechanism):
    """Mechanism that replaces each token alone, with words of the public set V.

    A word of V is replaced by chance. Any other token is replaced by a uniform draw from V.
    """

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

    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Selection:
        """Replace each token by chance; see ``TokenMechanism.choose``."""
        sent = self.draw(sentence, always, rng)
        return Selection(record_of(sentence, sent, self._dictionary))

    def draw(self, sentence: Sentence, always: frozenset[int], rng: Random) -> dict[int, SentToken]:
        """Return what is sent for tokens replaced (all at ``always`` or outside V), by position."""
        sent = {}
        for position, token in enumerate(sentence.tokens):
            if not token.text.strip():
                continue
            known = token.text in self._words and position not in always
            shown = self.replace_word(token.text, rng) if known else self._words.uniform(rng)
            if shown is not None:
                sent[position] = SentToken(shown, "", len(self._words))
        return sent

    @abstractmethod
    def replace_word(self, word: str, rng: Random) -> str | None:
        """Return the word that replaces a word of V; None to keep it."""
