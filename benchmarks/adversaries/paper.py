"""The archive as the paper's own procedure sends it, with the dictionary that all methods use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from prism_core.dictionary import Dictionary
from prism_core.evaluation import paper_procedures
from prism_core.evaluation.adversaries.base import (
    CandidatePool,
    Hidden,
    Request,
    SentRequest,
    Words,
)
from prism_core.evaluation.adversaries.observer import Documents, mark_guessed
from prism_core.evaluation.adversaries.public_rules import best_ranked
from prism_core.language import Sentence


class SortedDictionary(paper_procedures.WordDictionary):
    """A dictionary whose order is worked out once, not for every document."""

    @cached_property
    def _tags(self) -> dict[str, list[str]]:
        return super().by_tag()

    def by_tag(self) -> dict[str, list[str]]:
        """See ``WordDictionary``."""
        return self._tags


def paper_dictionary(dictionary: Dictionary) -> paper_procedures.WordDictionary:
    """``dictionary`` as the paper has it: words by tag, with the best form and its p."""
    return SortedDictionary(
        {
            (one.word, one.tag): [(one.forms[0].text, max(one.score, 1e-9))]
            for one in dictionary
            if " " not in one.word and one.forms
        }
    )


def sent_by_paper(
    documents: Documents,
    dictionary: paper_procedures.WordDictionary,
    ratio: float,
    prior: Mapping[str, int],
) -> Iterator[SentRequest]:
    """``documents``, each encoded as a whole; equal sentences are sent each time."""
    pools = {
        tag: CandidatePool({word: dictionary.confidence((word, tag)) for word in found}, prior)
        for tag, found in dictionary.words_by_tag().items()
    }
    best: dict[str, float] = {}
    for (word, _), forms in dictionary.forms.items():
        best[word] = max(best.get(word, 0.0), forms[0][1])
    at = 0
    for number, document in enumerate(documents):
        made = list(_sent(number, at, document, dictionary, ratio, pools))
        yield from mark_guessed(
            made, lambda shown: best_ranked(shown, lambda token: best.get(token, 0.0), ratio)
        )
        at += len(document)


def _sent(
    number: int,
    first: int,
    document: list[Sentence] | tuple[Sentence, ...],
    dictionary: paper_procedures.WordDictionary,
    ratio: float,
    pools: dict[str, CandidatePool],
) -> Iterator[SentRequest]:
    _, history = paper_procedures.encode(document, dictionary, ratio)
    for index, sentence in enumerate(document):
        changed = [one for one in history if one.sentence == index]
        substitutes = {one.position: one.substitute for one in changed}
        places = _places(sentence)
        hidden = tuple(
            Hidden(
                number, number, one.word, one.substitute, pools[one.tag], (), places[one.position]
            )
            for one in changed
        )
        tokens: Words = tuple(
            substitutes.get(at, token.text)
            for at, token in enumerate(sentence.tokens)
            if at in places
        )
        replaced = frozenset(places[at] for at in substitutes)
        yield SentRequest(Request(tokens, frozenset()), number, first + index, replaced, hidden)


def _places(sentence: Sentence) -> dict[int, int]:
    """Where each token stands among those that are no white space."""
    found = [at for at, token in enumerate(sentence.tokens) if token.text.strip()]
    return {at: place for place, at in enumerate(found)}
