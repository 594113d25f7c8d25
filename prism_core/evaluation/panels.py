"""Panels that answer the questions: an adversary from what was sent, a reader from the result.

Offline both are the MCTest paper's baseline, or the adversary is a trained ``Ranker``. A language
model answers through any endpoint that speaks OpenAI's interface. As adversary it is given x_pub,
which has left the machine anyway; as reader it is given y_pri, which is the private text in another
language: to an endpoint that is not on this machine it may only go where the text is public
(``Equipment.away``). The prompt is the paper's (Sato, section 4.2), to the letter, so that figures
can be compared.

Entry: ``Panel.verdicts``; ``OfflinePanel`` asks a ``SlidingWindow``, ``LanguagePanel`` asks with
``prompt`` and reads with ``read_answers``; ``Examinee`` is the model as the scheduler sees it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

from prism_core.building import QuerySession
from prism_core.connections import is_this_machine
from prism_core.errors import Misconfigured
from prism_core.evaluation.corpora import Corpus
from prism_core.evaluation.methods import SentenceOutcome
from prism_core.evaluation.ranker import Ranker
from prism_core.privacy_score import Question, SlidingWindow
from prism_core.settings import ModelSettings
from prism_core.translators import (
    AnswerChecks,
    Limits,
    Promptable,
    make_translator,
)


@dataclass(frozen=True, slots=True)
class PanelVerdict:
    """Verdict on the questions of one document.

    It has their number and the expected right answers of each side. ``unread`` are answers that
    could not be read, and were counted as a blind guess.
    """

    questions: int = 0
    adversary_right: float = 0.0
    adversary_unread: int = 0
    reader_right: float = 0.0
    reader_unread: int = 0

    def counts(self) -> dict[str, float]:
        """Figures by column of a tally."""
        return {name: getattr(self, name) for name in PanelVerdict.__slots__}


class Panel(Protocol):
    """Adversary and reader. ``name`` says who they are, and is stored with what they find."""

    name: str

    def verdicts(self, corpus: Corpus, outcomes: Sequence[SentenceOutcome]) -> list[PanelVerdict]:
        """Return a verdict a document.

        The adversary sees everything that was sent, all draws, and the reader sees the output.
        """
        ...


class OfflinePanel:
    """The MCTest paper's baseline on both sides, or a trained adversary; nothing leaves here.

    The reader knows no language, so it is asked in the target language, as T translates the
    questions.
    """

    def __init__(self, ranker: Ranker | None = None) -> None:
        self.name = "ranker, reader swd" if ranker else "swd"
        self._ranker = ranker

    def verdicts(self, corpus: Corpus, outcomes: Sequence[SentenceOutcome]) -> list[PanelVerdict]:
        """See ``Panel``."""
        adversary = self._ranker or SlidingWindow(corpus.stop_words)
        reader = SlidingWindow(corpus.target_stop_words)
        texts = zip(corpus.documents, sent_and_read(corpus, outcomes), strict=True)
        return [
            PanelVerdict(
                questions=len(document.asked),
                adversary_right=sum(adversary.answer(sent, document.asked)),
                reader_right=sum(reader.answer(read, document.asked_in_target)),
            )
            for document, (sent, read) in texts
        ]


def sent_and_read(corpus: Corpus, outcomes: Sequence[SentenceOutcome]) -> list[tuple[str, str]]:
    """Texts of each document: x_pub of every draw in order, and the text of the reader."""
    left = iter(outcomes)
    documents = [list(islice(left, size)) for size in corpus.sizes]
    return [
        (
            " ".join(" ".join(outcome.sent) for outcome in document),
            " ".join(outcome.text for outcome in document),
        )
        for document in documents
    ]


LIMITS = Limits(
    texts_per_request=1, characters_per_request=60_000, concurrency=4, paced_concurrency=64
)
ANSWER_SHARE = 0.125
"""What a budget counts for an answer, to what it would count for a translation. Four letters are
far less than that, and the talk around them mostly is."""


class Examinee:
    """A language model as the scheduler sees a translator: prompts in, what it writes out.

    Retries, pace, cost cap and record of requests are the scheduler's, as for a translator.
    """

    name = "openai"
    checks = AnswerChecks(shortest_ratio=0.0, allow_unchanged=True)
    """An answer is short, and no translation; whether it can be read the scheduler cannot say."""

    def __init__(self, settings: ModelSettings) -> None:
        model = make_translator(settings, "", "")  # of no languages: it is not asked to translate
        if not isinstance(model, Promptable):
            raise Misconfigured(
                f"{settings.name} is no language model: it cannot be asked about a text. Take "
                "openai, with the address of any server that speaks its interface."
            )
        self._model: Promptable = model
        self.endpoint = self._model.endpoint
        self.described = (
            f"llm {settings.model} at {self.endpoint}, temperature {settings.temperature}"
        )
        """Name of the panel in stored results: model, endpoint, and how it is asked."""
        self.local = is_this_machine(self.endpoint)
        self.limits = LIMITS.override_by(settings)
        price = self._model.price
        answers = price.answers if price else None
        if price is not None and answers is not None:
            price = replace(price, answers=answers * ANSWER_SHARE)
        self.price = price

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:  # noqa: ARG002 (asked about a text, in whatever language it is)
        """Return what the model writes to each of ``texts``; raises as ``Translator`` says."""
        return list(await asyncio.gather(*(self._model.ask(text) for text in texts)))

    async def close(self) -> None:
        """Close the connections."""
        await self._model.close()


class LanguagePanel:
    """Panel of one language model on both sides; questions keep their language."""

    def __init__(self, name: str, ask: QuerySession) -> None:
        self.name = name
        self._ask = ask

    def verdicts(self, corpus: Corpus, outcomes: Sequence[SentenceOutcome]) -> list[PanelVerdict]:
        """See ``Panel``."""
        asked = [document.asked for document in corpus.documents]
        texts = sent_and_read(corpus, outcomes)
        adversary = self._answer([sent for sent, _ in texts], asked)
        reader = self._answer([read for _, read in texts], asked)
        return [
            PanelVerdict(len(questions), *_score(guessed, questions), *_score(other, questions))
            for questions, guessed, other in zip(asked, adversary, reader, strict=True)
        ]

    def _answer(
        self, texts: Sequence[str], asked: Sequence[Sequence[Question]]
    ) -> list[list[int | None]]:
        prompts = [prompt(t, q) if q else "" for t, q in zip(texts, asked, strict=True)]
        return [
            read_answers(answer, questions)
            for answer, questions in zip(self._ask(prompts), asked, strict=True)
        ]


def _score(picked: Sequence[int | None], questions: Sequence[Question]) -> tuple[float, int]:
    """Right answers, a blind guess for each that could not be read, and the number of these."""
    right = sum(
        1 / len(question.choices) if choice is None else float(choice == question.answer)
        for choice, question in zip(picked, questions, strict=True)
    )
    return right, sum(choice is None for choice in picked)


LETTERS = "ABCD"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_EXAMPLE = "ABAD"

_NUMBER = re.compile(r"^\W*(?:question|answer|q)?\s*(\d+)\s*[.):\]–-]*\s*", re.IGNORECASE)
_MARKED = r"[\s*_`(\[\"']*"
_LETTER = re.compile(rf"{_MARKED}([A-D])(?:[)\].:,;*_`\"'–-]|\s*$)", re.IGNORECASE)
_NAMED = re.compile(
    rf"\b(?:answer|choice|option)\b(?:\s+is)?\s*:?{_MARKED}([A-D])\b", re.IGNORECASE
)
_BARE = re.compile(
    r"^\W*(?:(?:the\s+)?answers?\b(?:\s+(?:is|are))?\W*)?((?:[A-D][\s,;/.)\]]*)+)\W*$",
    re.IGNORECASE,
)
_IN_A_ROW = re.compile(r"(\d+)\s*[.):-]?\s*\(?([A-D])\b(?!['’])")


def prompt(text: str, questions: Sequence[Question]) -> str:
    """Write the paper's prompt: instruction, document, questions, and how to answer."""
    count = len(questions)
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    example = "\n".join(f"{i + 1}. {_EXAMPLE[i % len(_EXAMPLE)]}" for i in range(count))
    asked = [
        "\n".join(
            (
                f"{i}. {question.text}",
                *(f"{a}. {choice}" for a, choice in zip(LETTERS, question.choices, strict=False)),
            )
        )
        for i, question in enumerate(questions, start=1)
    ]
    return "\n\n".join(
        (
            f"Read the following message and solve the following {number} questions.",
            text,
            "\n\n".join(asked),
            f"Output only {number} characters representing the answers, e.g.,\n{example}",
        )
    )


def read_answers(answer: str, questions: Sequence[Question]) -> list[int | None]:
    """Read the choice picked for each question; None if the answer names none that can be read.

    Read are ``1. A``, also in bold, in brackets, in a row, or within talk; the letters alone, if
    there are as many as questions; and the words of a choice in the place of its letter. Where a
    question is answered twice, the later counts, as with one who corrects himself.
    """
    alone = _BARE.match(answer.strip())  # ``ABAD``, ``A, B, A, D``, ``Answers: a b a d``
    letters = re.findall("[A-D]", alone.group(1).upper()) if alone else []
    if len(letters) == len(questions):
        return [LETTERS.index(letter) for letter in letters]
    found: dict[int, int] = {}
    current = 0
    for line in answer.splitlines():
        row = _IN_A_ROW.findall(line)
        if len(row) > 1:
            found |= {int(number): LETTERS.index(letter) for number, letter in row}
            continue
        numbered = _NUMBER.match(line)
        rest = line[numbered.end() :] if numbered else line
        if numbered:
            current = int(numbered.group(1))
        if 1 <= current <= len(questions):
            picked = _pick(rest, questions[current - 1], at_number=numbered is not None)
            if picked is not None:
                found[current] = picked
    return [found.get(i) for i in range(1, len(questions) + 1)]


def _pick(text: str, question: Question, *, at_number: bool) -> int | None:
    """Read the choice that one line names, behind the number of its question if ``at_number``."""
    letter = _LETTER.match(text) if at_number else None
    letter = letter or _NAMED.search(text)
    if letter is not None:
        index = LETTERS.index(letter.group(1).upper())
        return index if index < len(question.choices) else None
    said = _words(text)
    alike = [i for i, choice in enumerate(question.choices) if _words(choice) == said]
    return alike[0] if len(alike) == 1 else None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
