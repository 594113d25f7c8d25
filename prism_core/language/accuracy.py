"""How well a language model does on annotated text, measured on what it gives to its callers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence, Token

_NAME_TAGS = frozenset({"NNP", "NNPS"})


@dataclass(frozen=True)
class AnnotatedText:
    """A text with what people said of it; ``(start, end)`` are character offsets.

    ``persons`` are the persons among ``entities``.
    """

    text: str
    tokens: frozenset[tuple[int, int]]
    tags: frozenset[tuple[int, int, str]]
    lemmas: frozenset[tuple[int, int, str]]
    sentences: frozenset[tuple[int, int]]
    entities: frozenset[tuple[int, int, str]]

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> AnnotatedText:
        """What ``sentences``, which follow one another, say of their text."""
        kept = [sentence for sentence in sentences if sentence.tokens]
        tokens = list(_placed(kept))
        words = [(start, end, token) for start, end, token in tokens if token.tag != "_SP"]
        return cls(
            text="".join(sentence.text for sentence in kept),
            tokens=frozenset((start, end) for start, end, _ in words),
            tags=frozenset((start, end, token.tag) for start, end, token in words),
            lemmas=frozenset((start, end, token.lemma.lower()) for start, end, token in words),
            sentences=frozenset(_extents(kept)),
            entities=frozenset(_entities(tokens)),
        )


@dataclass(frozen=True)
class Accuracy:
    """Shares from 0 to 1; all but the last are F scores over exact character spans.

    ``names_covered``: the persons of whom every word lies in an entity or has a proper-noun tag.
    """

    token: float
    tag: float
    lemma: float
    sentence: float
    entity: float
    names_covered: float


def measure(model: LanguageModel, gold: Iterable[AnnotatedText]) -> Accuracy:
    """Annotate the text of each of ``gold`` and compare."""
    expected = list(gold)
    found, wanted, right = Counter[str](), Counter[str](), Counter[str]()
    persons = covered = 0
    annotated = model.annotate(one.text for one in expected)
    for one, sentences in zip(expected, annotated, strict=True):
        ours = AnnotatedText.of(sentences)
        for name in _COMPARED:
            found[name] += len(getattr(ours, name))
            wanted[name] += len(getattr(one, name))
            right[name] += len(getattr(ours, name) & getattr(one, name))
        protected = _protected(sentences)
        people = [span for span in one.entities if span[2] == "PER"]
        persons += len(people)
        covered += sum(_covers(protected, one, start, end) for start, end, _ in people)
    scores = [2 * right[name] / max(1, found[name] + wanted[name]) for name in _COMPARED]
    return Accuracy(*scores, names_covered=covered / max(1, persons))


_COMPARED = tuple(field.name for field in fields(AnnotatedText) if field.name != "text")


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


def _protected(sentences: Iterable[Sentence]) -> frozenset[int]:
    """The characters that lie in an entity or in a word tagged as a proper noun."""
    return frozenset(
        position
        for start, end, token in _placed(sentences)
        if token.entity or token.tag in _NAME_TAGS
        for position in range(start, end)
    )


def _covers(protected: frozenset[int], gold: AnnotatedText, start: int, end: int) -> bool:
    return all(
        position in protected for position in range(start, end) if gold.text[position].isalpha()
    )
