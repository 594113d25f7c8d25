"""T for a builder: any translator behind the scheduler, and a memory of what it answered.

A builder is deterministic given its seed and T's answers, so a build that was killed is resumed
by building again: what was answered comes from the memory, and only the rest is asked.

Entry: ``open_answers`` opens the memory, ``QuerySession`` is called with texts: what is not known goes to
the scheduler, which tells an ``_AnswerLedger``.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from prism_core.alignment import Alignment
from prism_core.errors import Transient
from prism_core.state import AnswerStore, StatePlace
from prism_core.translators import (
    FAILURES_OF_PROVIDER,
    AnswerChecks,
    Budget,
    Item,
    Outcome,
    Scheduler,
    SharedPace,
    Translator,
)

RUN_AGAIN = "Every answer so far is kept: run the same command again to go on."


@dataclass(frozen=True, slots=True)
class BuildProgress:
    """How far a build is: different texts it ``asked`` for, those ``settled``, those ``known``
    from before it was resumed (settled too), and what was sent since it was begun."""

    asked: int = 0
    settled: int = 0
    known: int = 0
    requests: int = 0
    characters: int = 0


class QuerySession:
    """T for one language pair. A context manager: it closes the translator at its end.

    Calling it gives an answer for each text, in order; equal texts are asked once. A text that
    the translator refuses, or answers in no usable way, has the empty answer. Raises the
    ``TranslatorError`` that ended the asking, with the advice to run the same command again.

    ``order`` shuffles what is sent when the order of the builder's texts may not show; ``budget``
    bounds what all of it may cost; ``pace`` is one shared with other processes; ``checks`` are
    those of a translation unless they are given.
    """

    def __init__(
        self,
        translator: Translator,
        source: str,
        target: str,
        answers: AnswerStore,
        order: Random | None = None,
        budget: Budget | None = None,
        pace: SharedPace | None = None,
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._runner.run(self._translator.close())
        self._runner.close()

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """An answer for each of ``texts``, in order."""
        ids = [self._answers.id_of(text) if text.strip() else "" for text in texts]
        different = {row_id: text for row_id, text in zip(ids, texts, strict=True) if row_id}
        known = self._answers.find(list(different))
        missing = [Item(row_id, text) for row_id, text in different.items() if row_id not in known]
        self._asked += len(different)
        self._settled += len(known)
        self._known += len(known)
        if missing:
            self._ask(missing)
            known |= self._answers.find([item.id for item in missing])
        return [known[row_id] if row_id else "" for row_id in ids]

    def progress(self) -> BuildProgress:
        """How far it is; may be called from another thread."""
        requests, characters = self._answers.totals()
        return BuildProgress(self._asked, self._settled, self._known, requests, characters)

    def _ask(self, items: list[Item]) -> None:
        if self._order is not None:
            self._order.shuffle(items)
        outcome = self._runner.run(self._schedule(items))
        if outcome.stopped is not None:
            raise type(outcome.stopped)(f"{outcome.stopped} {RUN_AGAIN}")
        later = [i for i, failure in outcome.failed.items() if failure in FAILURES_OF_PROVIDER]
        self._answers.give_up(outcome.failed.keys() - set(later))
        if later:
            raise Transient(f"{len(later):,} texts got no answer. {RUN_AGAIN}")

    async def _schedule(self, items: Sequence[Item]) -> Outcome:
        ledger = _AnswerLedger(self._answers, {item.id: len(item.text) for item in items})
        scheduler = Scheduler(
            self._translator,
            *self._languages,
            ledger=ledger,
            budget=self._budget,
            pace=self._pace,
            checks=self._checks,
        )
        return await scheduler.run(items, self._note_settled)

    def _note_settled(self, items: int) -> None:
        self._settled += items


@dataclass(frozen=True, slots=True)
class _AnswerLedger:
    """The scheduler's ledger over the store of answers."""

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
def open_answers(output: Path, key: bytes, asked_of: str) -> Iterator[AnswerStore]:
    """The answers for the dictionary ``output``, in a folder beside it while it is made.

    One build at a time; ``asked_of`` says who is asked, and in which languages. When the block
    ends well, the dictionary is written and the folder is deleted; else it stays for another run.
    Raises ``StateError``.
    """
    folder = output.with_name(f"{output.name}.build")
    with StatePlace(folder).hold():
        answers = AnswerStore.open(folder, key, asked_of)
        try:
            yield answers
        finally:
            answers.close()
        shutil.rmtree(folder, ignore_errors=True)
