"""Stage 4: the only stage that sends anything, and it sends nothing but stored encodings."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Sequence
from typing import Any

from prism_core.encoding import NEVER_SEND
from prism_core.identifiers import LeakCheck, read_terms
from prism_core.languages import load_language
from prism_core.settings import NO_POLICY, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.gate import check_losses
from prism_core.stages.run import Run, stage
from prism_core.stages.sending import ask, submit_batches
from prism_core.state import Chunk, SentenceStatus
from prism_core.translators import FAILURES_IN_DOUBT, FAILURES_OF_PROVIDER, Item, Outcome


@stage("translate")
def translate(run: Run, wave: Sequence[Chunk]) -> StageResult:
    """Ask for every sentence of ``wave`` that has no answer, once, in an order without meaning.

    The sentences of all documents of the wave are shuffled together, those in each language, so a
    request tells nothing about which belong together. Each request is in the store before it is
    sent, each answer before it counts. Raises the ``TranslatorError`` that ended it early; what was
    answered until then is kept. One who loses far more than expected is asked for nothing. What
    shows a term that the user has by now listed as never to be sent stays here, also where it was
    sent before.
    """
    sentences = 0
    for pair in run.pairs:
        if items := _shuffled_items(run, wave, pair):
            check_losses(run)
            sentences += _settle(run, _wait_for(run, ask(run, wave, items, pair))).sentences
    return StageResult(sentences=sentences)


@stage("submit")
def submit(run: Run, wave: Sequence[Chunk]) -> StageResult:
    """Hand in what translators that answer by the batch will be asked for; wait for none of it.

    What is in a batch already is not handed in again. What was collected before is deleted where
    it was asked for. Raises like ``translate``.
    """
    items = _shuffled_items(run, wave, NO_POLICY)  # who answers so is asked for one pair alone
    return _settle(run, _wait_for(run, submit_batches(run, wave, items)))


def _shuffled_items(run: Run, wave: Sequence[Chunk], pair: Treatment) -> list[Item]:
    """What waits to be sent of ``pair``, less what may not be by now, which is withheld."""
    waiting = run.store.sentences.to_send(wave, pair.source, run.part)
    if terms := read_terms(run.job.settings.identifiers.never_send_file):
        check = LeakCheck(load_language(run.job.under(pair).source), terms)
        held = {row_id for row_id, text in waiting if check.shows_never_sent(text)}
        run.store.sentences.set_unanswered(sorted(held), SentenceStatus.WITHHELD, NEVER_SEND)
        waiting = [(row_id, text) for row_id, text in waiting if row_id not in held]
    secrets.SystemRandom().shuffle(waiting)
    if all(settings.asked_marks == "never" for settings in run.job.settings.translators):
        return [Item(row_id, text) for row_id, text in waiting]
    items = make_items(run, wave, waiting, pair)
    return sorted(items, key=lambda item: item.lost)  # requests are with marks or without


def make_items(
    run: Run, wave: Sequence[Chunk], waiting: Sequence[tuple[str, str]], pair: Treatment
) -> list[Item]:
    """What is asked for ``waiting``, which are sentences of ``wave`` and of ``pair``, for those who
    take marks."""
    lost, source = run.store.sentences.to_mark(wave, run.part), run.job.under(pair).source
    return [Item.to_mark(row_id, text, source, lost=row_id in lost) for row_id, text in waiting]


def _wait_for(run: Run, asking: Coroutine[Any, Any, Outcome]) -> Outcome:
    """The outcome of ``asking``. Ctrl-C ends the waiting, and not what goes on elsewhere."""
    try:
        return asyncio.run(asking)
    except KeyboardInterrupt:
        pass
    batches = run.store.batches.count()
    if not batches:
        raise KeyboardInterrupt
    raise KeyboardInterrupt(
        f"interrupted; batches under way at the provider: {batches:,}. They go on there, and are "
        "answered within a day: the same command collects them, and sends nothing of them again."
    )


def _settle(run: Run, outcome: Outcome) -> StageResult:
    """Record what was given up on, and raise what ended it early.

    What was given up on on the way to that, and may yet be answered, goes on waiting: else its
    documents would be written in the source language, and a retry would find nothing to ask for.
    """
    record = run.store.sentences.set_unanswered
    for row_id, failure in outcome.failed.items():
        again = failure in FAILURES_OF_PROVIDER | FAILURES_IN_DOUBT
        if again and outcome.stopped is not None:
            continue
        if failure in FAILURES_IN_DOUBT:
            record([row_id], SentenceStatus.REFUSED, failure, twice=True)
        record([row_id], SentenceStatus.FAILED if again else SentenceStatus.REFUSED, failure)
    if outcome.stopped is not None:
        raise outcome.stopped
    return StageResult(sentences=outcome.answered)
