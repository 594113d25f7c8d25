"""A corpus as methods and scores need it: sentences, what T makes of them, and who reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from prism_core.evaluation.mctest import Question
from prism_core.evaluation.surviving import GoldNames
from prism_core.evaluation.texts import Text, Texts
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.resources import shipped_names

Translate = Callable[[Sequence[str]], list[str]]
"""T: an answer for each text, in order; an empty one where it gave none that can be used."""


@dataclass(frozen=True)
class Document:
    """One document. ``lines`` are its paragraphs or lines as sentences, ``references`` a human
    translation of each line, or none; ``asked_in_target`` are its questions as T translates them.
    """

    name: str
    lines: tuple[tuple[Sentence, ...], ...]
    references: tuple[str, ...] = ()
    asked: tuple[Question, ...] = ()
    asked_in_target: tuple[Question, ...] = ()

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All its sentences, in order."""
        return tuple(sentence for line in self.lines for sentence in line)


@dataclass(frozen=True)
class Corpus:
    """An archive: its documents, and T of each sentence in ``direct``.

    ``names`` are found without any of the detectors that protect. ``stop_words`` and
    ``target_stop_words`` are those of the sliding window. Only what is ``public`` may be read by
    anybody who is not on this machine.
    """

    name: str
    documents: tuple[Document, ...]
    direct: tuple[str, ...]
    names: GoldNames
    public: bool
    digest: str
    stop_words: tuple[str, ...] = ()
    target_stop_words: tuple[str, ...] = ()

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All sentences, in order."""
        return [sentence for document in self.documents for sentence in document.sentences]

    @cached_property
    def private(self) -> list[str]:
        """x_pri of each sentence."""
        return [sentence.text.strip() for sentence in self.sentences]

    @cached_property
    def sizes(self) -> list[int]:
        """How many sentences each document has."""
        return [len(document.sentences) for document in self.documents]

    @property
    def asks(self) -> bool:
        """Whether anything is asked about it."""
        return any(document.asked for document in self.documents)


def prepare(
    texts: Texts, model: LanguageModel, translate: Translate, ordinary: frozenset[str]
) -> Corpus:
    """``texts`` annotated and translated. ``ordinary`` are words that are no names by a capital."""
    documents = tuple(_document(text, model, translate) for text in texts.documents)
    private = [s.text.strip() for document in documents for s in document.sentences]
    direct = zip(private, translate(private), strict=True)
    return Corpus(
        name=texts.name,
        documents=documents,
        direct=tuple(answer or source for source, answer in direct),
        names=GoldNames.of(private, ordinary, _listed_names()),
        public=texts.public,
        digest=texts.digest,
        stop_words=texts.stop_words,
        target_stop_words=tuple(translate(texts.stop_words)),
    )


def sentences_of(model: LanguageModel, lines: Iterable[str]) -> tuple[Sentence, ...]:
    """The sentences of ``lines`` that hold something, in order."""
    return tuple(sentence for line in _annotated(model, lines) for sentence in line)


def _annotated(model: LanguageModel, lines: Iterable[str]) -> tuple[tuple[Sentence, ...], ...]:
    return tuple(
        tuple(sentence for sentence in line if sentence.text.strip())
        for line in model.annotate(list(lines))
    )


def _document(text: Text, model: LanguageModel, translate: Translate) -> Document:
    return Document(
        text.name,
        _annotated(model, text.lines),
        text.references,
        text.questions,
        tuple(_in_target(question, translate) for question in text.questions),
    )


def _in_target(question: Question, translate: Translate) -> Question:
    asked = [question.text, *question.choices]
    text, *choices = (
        answer or source for source, answer in zip(asked, translate(asked), strict=True)
    )
    return Question(text, tuple(choices), question.answer)


def _listed_names() -> frozenset[str]:
    files = sorted(shipped_names().glob("*.txt"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    return frozenset(word for line in lines if line[:1] != "#" for word in line.split())
