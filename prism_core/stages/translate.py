"""Stage 4: the only stage that sends anything, and it sends nothing but stored encodings."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence

from prism_core.job import Job
from prism_core.stages.boundary import Counted, stage
from prism_core.stages.shared import open_store
from prism_core.state.documents import Chunk
from prism_core.state.requests import Destination, RunLedger
from prism_core.state.schema import SentenceStatus
from prism_core.translators import make_translator
from prism_core.translators.base import Translator
from prism_core.translators.batches import Item, Outcome
from prism_core.translators.budget import Budget, budget_of
from prism_core.translators.cost import Sent
from prism_core.translators.scheduler import Scheduler

_WORTH_ANOTHER_RUN = frozenset({"transient", "rate-limited", "bad-answer", "interrupted"})
"""Failures that another night may cure; any other is an answer of a kind, and is final."""


@stage("translate")
def translate(job: Job, wave: Sequence[Chunk]) -> Counted:
    """Ask for every sentence of ``wave`` that has no answer, once, in an order without meaning.

    The sentences of all documents of the wave are shuffled together, so a request tells nothing
    about which belong together. Each request is in the store before it is sent, each answer
    before it counts. Raises the ``TranslatorError`` that ended it early; what was answered until
    then is kept.
    """
    store = open_store(job)
    waiting = store.sentences.to_send(wave)
    if not waiting:
        return Counted()
    secrets.SystemRandom().shuffle(waiting)
    outcome = asyncio.run(_ask(job, [Item(row_id, text) for row_id, text in waiting]))
    for row_id, failure in outcome.failed.items():
        again = failure in _WORTH_ANOTHER_RUN
        status = SentenceStatus.FAILED if again else SentenceStatus.REFUSED
        store.sentences.set_unanswered([row_id], status, failure)
    if outcome.stopped is not None:
        raise outcome.stopped
    return Counted(sentences=outcome.answered)


def destination(job: Job) -> Destination:
    """Who is to be asked."""
    translator = make_translator(job.settings.translator, job.source, job.target)
    return Destination(translator.name, translator.endpoint, who_is_asked(job))


def who_is_asked(job: Job) -> str:
    """The keyed name of the translator: another one for another model, not for another account."""
    asked_of = job.settings.translator.asked_of().encode()
    return open_store(job).cipher.keyed_id("translator", asked_of)


def check_budget(job: Job) -> None:
    """Raise ``ConfigurationError`` for a budget that cannot be counted, ``Misconfigured`` for a
    translator that cannot work."""
    settings = job.settings.translator
    budget_of(settings, make_translator(settings, job.source, job.target))


async def _ask(job: Job, items: Sequence[Item]) -> Outcome:
    translator: Translator = make_translator(job.settings.translator, job.source, job.target)
    to = destination(job)
    ledger = RunLedger(open_store(job).requests, job.run_id, to)
    try:
        budget = _budget(job, translator, to)
        scheduler = Scheduler(translator, job.source, job.target, ledger=ledger, budget=budget)
        return await scheduler.run(items)
    finally:
        await translator.close()


def _budget(job: Job, translator: Translator, to: Destination) -> Budget | None:
    """The budget of the run, less what it has spent, and what interrupted runs before it have."""
    store = open_store(job)
    sums = store.requests.sent(store.runs.going_on(job.run_id), to.provider, to.endpoint)
    sent = Sent(sums.requests, sums.texts, sums.characters)
    return budget_of(job.settings.translator, translator, sent)
