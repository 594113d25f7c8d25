"""An archive as the adversary gets it from each method, and what its judge knows beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from benchmarks.inference.guesses import Guess, best_ranked, figures_of
from benchmarks.inference.pools import Prior, PublicPools
from prism_core.encoder import Encoder
from prism_core.evaluation import Hidden, Pool, reference
from prism_core.evaluation.reference import WordDictionary
from prism_core.identifiers.deny_list import DenyList
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Draft, Encoded, Kind, Mechanism
from prism_core.mechanisms.base import Forbidden

Documents = Sequence[Sequence[Sentence]]
Place = tuple[int, int, int]
"""Document, sentence, position of a token."""


class Watched:
    """A mechanism that remembers the tokens it was given last, after the encoder's own cuts."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self.name = mechanism.name
        self.treats_every_token = mechanism.treats_every_token
        self.restores = mechanism.restores
        self.epsilon_word = mechanism.epsilon_word
        self.vocabulary = mechanism.vocabulary
        self.sentence = Sentence(())

    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Draft:
        """See ``Mechanism.choose``."""
        self.sentence = sentence
        return self._mechanism.choose(sentence, identifiers, forbidden, rng)


@dataclass
class Observed:
    """What was sent of an archive, and the truth about it; ``documents`` is how many it has."""

    hidden: list[Hidden] = field(default_factory=list)
    replaced: set[Place] = field(default_factory=set)
    guessed: set[Place] = field(default_factory=set)
    tokens: int = 0
    documents: int = 0

    def close(self, shown: Sequence[Sequence[str]], guess: Guess) -> None:
        """End a document with the tokens ``shown``: count them, and guess at them."""
        self.tokens += sum(map(len, shown))
        self.guessed |= {(self.documents, *place) for place in guess(shown)}
        self.documents += 1

    def observe(
        self,
        documents: Documents,
        encoder: Encoder,
        watched: Watched,
        rng: Random,
        pools: PublicPools,
        guess: Guess,
    ) -> None:
        """Add ``documents`` as the main job sends them: read for the deny list, equal ones once.

        ``watched`` is the mechanism of ``encoder``.
        """
        deny_list = DenyList()
        for sentence in (one for document in documents for one in document):
            for form in encoder.identifiers(sentence):
                deny_list.add(form)
        sent: set[str] = set()
        for document in documents:
            shown: list[list[str]] = []
            for sentence in document:
                text = sentence.text.strip()
                if text in sent or not encoder.needs_translator(sentence, deny_list):
                    continue
                sent.add(text)
                encoded = encoder.encode(sentence, deny_list, rng)
                if not encoded.withheld:
                    tokens = _tokens(watched.sentence, encoded)
                    self._note(len(shown), watched.sentence, encoded, pools)
                    shown.append([text for _, text in tokens])
            self.close(shown, guess)

    def _note(self, index: int, sentence: Sentence, encoded: Encoded, pools: PublicPools) -> None:
        """Add the replacements of ``encoded``, the sentence ``index`` of the open document."""
        draw = (self.documents, index)
        places = {at: place for place, (at, _) in enumerate(_tokens(sentence, encoded))}
        for one in encoded.record:
            if one.kind is Kind.KEPT:
                continue
            self.replaced.add((*draw, places[one.position]))
            if one.pool:
                pool, rivals = pools.of(sentence, one)
                word, drawn = pools.written(one.word), pools.written(one.substitute)
                self.hidden.append(Hidden(self.documents, draw, word, drawn, pool, rivals))


def _tokens(sentence: Sentence, encoded: Encoded) -> list[tuple[int, str]]:
    """The tokens that are sent, with their positions in ``sentence``; white space aside."""
    replaced = {one.position: one for one in encoded.record}
    tokens, position = [], 0
    while position < len(sentence.tokens):
        one = replaced.get(position)
        text = one.substitute if one else sentence.tokens[position].text
        if text.strip():
            tokens.append((position, text))
        position += one.length if one else 1
    return tokens


def observe_reference(
    documents: Documents, dictionary: WordDictionary, ratio: float, prior: Prior
) -> Observed:
    """``documents`` by the paper's procedure, each as a whole."""
    tags = {
        tag: Pool({word: dictionary.confidence((word, tag)) for word in words}, prior)
        for tag, words in dictionary.by_tag().items()
    }
    best: dict[str, float] = {}
    for (word, _), forms in dictionary.forms.items():
        best[word] = max(best.get(word, 0.0), forms[0][1])
    observed = Observed()
    for number, document in enumerate(documents):
        _, history = reference.encode(document, dictionary, ratio)
        shown = [[token.text for token in one.tokens] for one in document]
        for one in history:
            shown[one.sentence][one.position] = one.substitute
            observed.replaced.add((number, one.sentence, one.position))
            observed.hidden.append(Hidden(number, number, one.word, one.substitute, tags[one.tag]))
        observed.close(shown, lambda found: best_ranked(found, figures_of(best), ratio))
    return observed
