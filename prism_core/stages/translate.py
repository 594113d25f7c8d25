"""Stage 4: the only stage that sends anything, and it sends nothing but stored encodings."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Sequence
from typing import Any

from prism_core import encoding
from prism_core.identifiers import LeakCheck, read_terms
from prism_core.languages import load_language
from prism_core.settings import NO_POLICY, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.gate import check_losses
from prism_core.stages.run import Run, stage
from prism_core.stages.sending import ask, submit_batches
from prism_core.state import Chunk, SentenceStatus
from prism_core.translators import FAILURES_IN_DOUBT, FAILURES_OF_PROVIDER, Item, SendingOutcome


@stage("translate")
def translate(run: Run, wave: Sequence[Chunk]) -> StageResult:
    """Ask once for every sentence of ``wave`` that has no answer, in random order.

    The sentences of all documents of the wave are shuffled together, by language, so a request does
    not reveal which belong together. Each request is in the store before it is sent, each answer
    before it counts. Raises the ``TranslatorError`` that ended it early; answers received until
    then are kept. A translator that loses far more words than expected is asked no more. A sentence
    that shows a term which the user now lists as never to be sent is withheld, even if it was sent
    before.
    """
    sentences = 0
    for pair in run.pairs:
        if items := _shuffled_items(run, wave, pair):
            check_losses(run)
            sentences += _settle(run, _wait_for(run, ask(run, wave, items, pair))).sentences
    return StageResult(sentences=sentences)


@stage("submit")
def submit(run: Run, wave: Sequence[Chunk]) -> StageResult:
    """Submit the requests for translators that answer in batches, without waiting for answers.

    A sentence that is in a batch already is not submitted again. Collected answers are deleted
    where they were asked for. Raises like ``translate``.
    """
    items = _shuffled_items(run, wave, NO_POLICY)  # batch translators serve a single pair
    return _settle(run, _wait_for(run, submit_batches(run, wave, items)))


def _shuffled_items(run: Run, wave: Sequence[Chunk], pair: Treatment) -> list[Item]:
    """Return what waits to be sent for ``pair``, and withhold what must not be sent any more."""
    waiting = run.store.sentences.to_send(wave, pair.source, run.part)
    if terms := read_terms(run.job.settings.identifiers.never_send_file):
        check = LeakCheck(load_language(run.job.under(pair).source), terms)
        forbidden = {row_id for row_id, text in waiting if check.shows_never_sent(text)}
        withheld = SentenceStatus.WITHHELD, encoding.NEVER_SEND
        run.store.sentences.set_unanswered(sorted(forbidden), *withheld)
        waiting = [(row_id, text) for row_id, text in waiting if row_id not in forbidden]
    secrets.SystemRandom().shuffle(waiting)
    if all(settings.asked_marks == "never" for settings in run.job.settings.translators):
        return [Item(row_id, text) for row_id, text in waiting]
    items = make_items(run, wave, waiting, pair)
    return sorted(items, key=lambda item: item.lost)  # a request is with markup or without


def make_items(
    run: Run, wave: Sequence[Chunk], waiting: Sequence[tuple[str, str]], pair: Treatment
) -> list[Item]:
    """Make requests with markup for ``waiting``, the sentences of ``wave`` and of ``pair``."""
    lost, source = run.store.sentences.to_mark(wave, run.part), run.job.under(pair).source
    return [Item.to_mark(row_id, text, source, lost=row_id in lost) for row_id, text in waiting]


def _wait_for(run: Run, asking: Coroutine[Any, Any, SendingOutcome]) -> SendingOutcome:
    """Return the outcome of ``asking``. Ctrl-C ends the waiting, but no batch at the provider."""
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


def _settle(run: Run, outcome: SendingOutcome) -> StageResult:
    """Record the sentences that were given up, and raise the error that ended the wave early.

    A sentence that was given up before such an error, and may yet be answered, keeps waiting.
    Otherwise its document would be written in the source language, and a retry would find nothing
    to ask for.
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
