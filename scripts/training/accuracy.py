"""How well a language model does on annotated text, measured on what it gives to its callers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from prism_core.language import LanguageModel, Sentence, Token

_NAME_TAGS = frozenset({"NNP", "NNPS"})


@dataclass(frozen=True)
class AnnotatedText:
    """A text and what somebody, or a model, says of it, by character offsets.

    ``tokens`` and ``sentences`` are spans ``(start, end)``, the others spans with their label;
    ``named`` are the characters of words that lie in an entity or are tagged as proper nouns.
    """

    text: str
    tokens: frozenset[tuple[int, int]]
    tags: frozenset[tuple[int, int, str]]
    lemmas: frozenset[tuple[int, int, str]]
    sentences: frozenset[tuple[int, int]]
    entities: frozenset[tuple[int, int, str]]
    named: frozenset[int]

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> AnnotatedText:
        """What ``sentences``, which follow one another, say of their text."""
        placed = list(_placed(sentences))
        words = [(start, end, token) for start, end, token in placed if token.tag != "_SP"]
        return cls(
            text="".join(sentence.text for sentence in sentences),
            tokens=frozenset((start, end) for start, end, _ in words),
            tags=frozenset((start, end, token.tag) for start, end, token in words),
            lemmas=frozenset((start, end, token.lemma.lower()) for start, end, token in words),
            sentences=frozenset(_extents(sentences)),
            entities=frozenset(_entities(placed)),
            named=frozenset(_named(words)),
        )


@dataclass(frozen=True)
class Accuracy:
    """Shares from 0 to 1; all but the last are F scores over exact character spans.

    ``names_covered``: of the persons, those of whom every letter lies in an entity of any class or
    in a word tagged as a proper noun.
    """

    token: float
    tag: float
    lemma: float
    sentence: float
    entity: float
    names_covered: float


def measure(model: LanguageModel, gold: Sequence[AnnotatedText]) -> Accuracy:
    """Annotate the text of each of ``gold`` and compare."""
    found = map(AnnotatedText.of, model.annotate(one.text for one in gold))
    pairs = list(zip(gold, found, strict=True))
    return Accuracy(
        token=_f_score(pairs, "tokens"),
        tag=_f_score(pairs, "tags"),
        lemma=_f_score(pairs, "lemmas"),
        sentence=_f_score(pairs, "sentences"),
        entity=_f_score(pairs, "entities"),
        names_covered=_names_covered(pairs),
    )


def _f_score(
    pairs: Sequence[tuple[AnnotatedText, AnnotatedText]],
    column: Literal["tokens", "tags", "lemmas", "sentences", "entities"],
) -> float:
    right = total = 0
    for gold, found in pairs:
        expected, actual = getattr(gold, column), getattr(found, column)
        right += 2 * len(expected & actual)
        total += len(expected) + len(actual)
    return right / max(1, total)


def _names_covered(pairs: Sequence[tuple[AnnotatedText, AnnotatedText]]) -> float:
    covered = [
        all(place in found.named for place in range(start, end) if gold.text[place].isalpha())
        for gold, found in pairs
        for start, end, label in gold.entities
        if label == "PER"
    ]
    return sum(covered) / max(1, len(covered))


def _placed(sentences: Iterable[Sentence]) -> Iterator[tuple[int, int, Token]]:
    start = 0
    for sentence in sentences:
        for (first, last), token in zip(sentence.offsets(), sentence.tokens, strict=True):
            yield start + first, start + last, token
        start += len(sentence.text)


def _extents(sentences: Iterable[Sentence]) -> Iterator[tuple[int, int]]:
    """From the first to the last word of each sentence."""
    start = 0
    for sentence in sentences:
        spans = [
            span
            for span, token in zip(sentence.offsets(), sentence.tokens, strict=True)
            if token.tag != "_SP"
        ]
        if spans:
            yield start + spans[0][0], start + spans[-1][1]
        start += len(sentence.text)


def _entities(tokens: Iterable[tuple[int, int, Token]]) -> Iterator[tuple[int, int, str]]:
    """Neighbours of one class are one entity."""
    begin = end = 0
    label = ""
    for start, stop, token in tokens:
        if token.entity != label:
            if label:
                yield begin, end, label
            begin, label = start, token.entity
        end = stop
    if label:
        yield begin, end, label


def _named(words: Iterable[tuple[int, int, Token]]) -> Iterator[int]:
    for start, end, token in words:
        if token.entity or token.tag in _NAME_TAGS:
            yield from range(start, end)
