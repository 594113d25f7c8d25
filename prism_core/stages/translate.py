"""Stage 4: the only stage that sends anything, and it sends nothing but stored encodings."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Sequence
from typing import Any

from prism_core.encoding import NEVER_SEND
from prism_core.identifiers import LeakCheck, read_terms
from prism_core.languages import load_language
from prism_core.settings.job import Job
from prism_core.stages.asking import ask, hand_in
from prism_core.stages.boundary import Counted, stage
from prism_core.stages.shared import open_store
from prism_core.state import Chunk, SentenceStatus
from prism_core.translators import Item, Outcome

_WORTH_ANOTHER_RUN = frozenset({"transient", "rate-limited", "bad-answer", "interrupted"})
"""Failures that another night may cure; any other is an answer of a kind, and is final."""


@stage("translate")
def translate(job: Job, wave: Sequence[Chunk]) -> Counted:
    """Ask for every sentence of ``wave`` that has no answer, once, in an order without meaning.

    The sentences of all documents of the wave are shuffled together, so a request tells nothing
    about which belong together. Each request is in the store before it is sent, each answer
    before it counts. Raises the ``TranslatorError`` that ended it early; what was answered until
    then is kept. What shows a term that the user has by now listed as never to be sent stays here,
    also where it was sent before.
    """
    items = _shuffled(job, wave)
    return _settled(job, _waited_for(job, ask(job, wave, items))) if items else Counted()


@stage("submit")
def submit(job: Job, wave: Sequence[Chunk]) -> Counted:
    """Hand in what translators that answer by the batch will be asked for; wait for none of it.

    What is in a batch already is not handed in again. What was collected before is deleted where
    it was asked for. Raises like ``translate``.
    """
    return _settled(job, _waited_for(job, hand_in(job, wave, _shuffled(job, wave))))


def _shuffled(job: Job, wave: Sequence[Chunk]) -> list[Item]:
    waiting = _allowed(job, open_store(job).sentences.to_send(wave))
    secrets.SystemRandom().shuffle(waiting)
    return [Item(row_id, text) for row_id, text in waiting]


def _waited_for(job: Job, asking: Coroutine[Any, Any, Outcome]) -> Outcome:
    """What comes of ``asking``. Ctrl-C ends the waiting, and not what goes on elsewhere."""
    try:
        return asyncio.run(asking)
    except KeyboardInterrupt:
        pass
    raise KeyboardInterrupt(_going_on(open_store(job).batches.count()))


def _going_on(batches: int) -> str:
    """What Ctrl-C did not end; empty when there is nothing."""
    if not batches:
        return ""
    return (
        f"interrupted; batches under way at the provider: {batches:,}. They go on there, and are "
        "answered within a day: the same command collects them, and sends nothing of them again."
    )


def _settled(job: Job, outcome: Outcome) -> Counted:
    """Record what was given up on, and raise what ended it early.

    What was given up on on the way to that, and may yet be answered, goes on waiting: else its
    documents would be written in the source language, and a retry would find nothing to ask for.
    """
    for row_id, failure in outcome.failed.items():
        again = failure in _WORTH_ANOTHER_RUN
        if again and outcome.stopped is not None:
            continue
        status = SentenceStatus.FAILED if again else SentenceStatus.REFUSED
        open_store(job).sentences.set_unanswered([row_id], status, failure)
    if outcome.stopped is not None:
        raise outcome.stopped
    return Counted(sentences=outcome.answered)


def _allowed(job: Job, waiting: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """``waiting`` less what may not be sent, which is withheld."""
    terms = read_terms(job.settings.identifiers.never_send_file)
    if not terms:
        return waiting
    check = LeakCheck(load_language(job.source), terms)
    held = {row_id for row_id, text in waiting if check.shows_never_sent(text)}
    open_store(job).sentences.set_unanswered(sorted(held), SentenceStatus.WITHHELD, NEVER_SEND)
    return [one for one in waiting if one[0] not in held]
