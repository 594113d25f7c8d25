"""Queries to the translator for a builder, and the store that keeps the answers.

A builder is deterministic given its seed and the translator's answers. A build that was killed is
therefore resumed by building again: known answers come from the store, and only the missing texts
are sent.

Entry: ``open_answers`` opens the store; ``QuerySession`` is called with texts. It sends texts
without an answer through the scheduler, which reports to an ``_AnswerLedger``.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Self

from prism_core.alignment import Alignment
from prism_core.building.answers import AnswerStore
from prism_core.errors import Transient
from prism_core.state import StatePlace
from prism_core.translators import (
    FAILURES_OF_PROVIDER,
    AnswerChecks,
    Budget,
    Item,
    Pace,
    Scheduler,
    Translator,
)

RUN_AGAIN = "Every answer so far is kept: run the same command again to go on."


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """Progress of a build.

    Attributes:
        asked: Distinct texts that the builder has requested.
        settled: Texts among them that have an answer or were given up.
        known: Texts answered before this build was resumed; they count as settled.
        requests: Requests sent since the build was begun.
        characters: Characters sent since the build was begun.
    """

    asked: int = 0
    settled: int = 0
    known: int = 0
    requests: int = 0
    characters: int = 0


class QuerySession:
    """Session with the translator of one language pair; a context manager that closes it.

    Calling the session returns one answer for each text, in order; equal texts are sent once. A
    text that the translator refuses, or answers in no usable way, has the empty answer. A
    ``TranslatorError`` that ends the session is raised with the advice to run the same command
    again.

    ``order`` shuffles the texts before they are sent, for builders whose order must not show.
    ``budget`` limits the cost of the session. ``pace`` is a rate limit shared with other processes.
    ``checks`` default to those of a translation.
    """

    def __init__(
        self,
        translator: Translator,
        source: str,
        target: str,
        answers: AnswerStore,
        order: Random | None = None,
        budget: Budget | None = None,
        pace: Pace | None = None,
        checks: AnswerChecks | None = None,
    ) -> None:
        self._translator = translator
        self._languages = (source, target)
        self._answers = answers
        self._order = order
        self._budget = budget
        self._pace = pace
        self._checks = checks
        self._runner = asyncio.Runner()
        self._asked = self._settled = self._known = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._runner.run(self._translator.close())
        self._runner.close()

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Return an answer for each of ``texts``, in order."""
        ids = [self._answers.id_of(text) if text.strip() else "" for text in texts]
        distinct = {row_id: text for row_id, text in zip(ids, texts, strict=True) if row_id}
        known = self._answers.find(list(distinct))
        missing = [Item(row_id, text) for row_id, text in distinct.items() if row_id not in known]
        self._asked += len(distinct)
        self._settled += len(known)
        self._known += len(known)
        if missing:
            self._send_missing(missing)
            known |= self._answers.find([item.id for item in missing])
        return [known[row_id] if row_id else "" for row_id in ids]

    def progress(self) -> BuildProgress:
        """Return the progress so far; may be called from another thread."""
        requests, characters = self._answers.totals()
        return BuildProgress(self._asked, self._settled, self._known, requests, characters)

    def _send_missing(self, items: list[Item]) -> None:
        if self._order is not None:
            self._order.shuffle(items)
        scheduler = Scheduler(
            self._translator,
            *self._languages,
            ledger=_AnswerLedger(self._answers, {item.id: len(item.text) for item in items}),
            budget=self._budget,
            pace=self._pace,
            checks=self._checks,
        )
        outcome = self._runner.run(scheduler.run(items, self._note_settled))
        if outcome.stopped is not None:
            raise type(outcome.stopped)(f"{outcome.stopped} {RUN_AGAIN}")
        unanswered = [i for i, failure in outcome.failed.items() if failure in FAILURES_OF_PROVIDER]
        self._answers.give_up(outcome.failed.keys() - set(unanswered))
        if unanswered:
            raise Transient(f"{len(unanswered):,} texts got no answer. {RUN_AGAIN}")

    def _note_settled(self, items: int) -> None:
        self._settled += items


@dataclass(frozen=True, slots=True)
class _AnswerLedger:
    """Ledger of the scheduler that writes to the store of answers."""

    answers: AnswerStore
    characters: Mapping[str, int]

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:  # noqa: ARG002 - none are asked for
        self.answers.sending(request_id, len(ids), sum(self.characters[i] for i in ids))

    def answered(
        self,
        request_id: str,
        answers: Mapping[str, str],
        links: Mapping[str, Alignment] | None = None,  # noqa: ARG002 - none are asked for
    ) -> None:
        self.answers.answered(request_id, answers)

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:  # noqa: ARG002 - they are asked again
        self.answers.failed(request_id, failure)


@contextmanager
def open_answers(output: Path, key: bytes, translator_id: str) -> Iterator[AnswerStore]:
    """Open the store of answers for the dictionary ``output``, in a folder beside it.

    Only one build runs at a time. ``translator_id`` names the translator and the languages. When
    the block ends well, the dictionary has been written and the folder is deleted; otherwise it
    stays for another run. Raises ``StateError``.
    """
    folder = output.with_name(f"{output.name}.build")
    with StatePlace(folder).hold():
        answers = AnswerStore.open(folder, key, translator_id)
        try:
            yield answers
        finally:
            answers.close()
        shutil.rmtree(folder, ignore_errors=True)
