"""Who is asked for translations: those that the settings list, and what each may spend.

Entry: ``ask`` and ``submit_batches``; ``open_translators`` -> ``_recipients`` (who may see what) ->
in turn, or each its share -> ``merge_outcomes``.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from itertools import chain

from prism_core.errors import PaceUnknown, StateError
from prism_core.settings import Job, TranslatorSettings
from prism_core.stages.run import Run
from prism_core.state import Chunk, Destination, SharedMeters
from prism_core.translators import (
    BatchScheduler,
    BatchTranslator,
    Budget,
    Item,
    Outcome,
    Pacing,
    Party,
    Provider,
    Scheduler,
    Sent,
    SharedPace,
    Translator,
    ask_side_by_side,
    assign_texts,
    budgets_of,
    fail_over,
    find_serving,
    make_provider,
    merge_outcomes,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A translator, and where its requests go."""

    translator: Translator | BatchTranslator
    to: Destination


@dataclass(frozen=True, slots=True)
class Recipients:
    """The translators allowed to see ``items``, and which of their ``documents``' sentences each
    has already been sent."""

    parties: Sequence[Party]
    documents: Sequence[Mapping[str, str | None]]
    items: Sequence[Item]


async def ask(run: Run, wave: Sequence[Chunk], items: Sequence[Item]) -> Outcome:
    """Have ``items``, which are sentences of ``wave``, translated by those who may see them."""
    async with open_translators(run) as parties:
        outcomes = []
        for recipients in _recipients(run, wave, parties, items):
            if run.job.settings.mixing.routing == "split":
                outcomes.append(await ask_side_by_side(_shares(recipients)))
            else:
                allowed = recipients.parties
                outcomes.append(await fail_over(allowed, recipients.items, run.out_of_service))
        return merge_outcomes(outcomes)


async def submit_batches(run: Run, wave: Sequence[Chunk], items: Sequence[Item]) -> Outcome:
    """Hand in those of ``items`` that one who answers by the batch is asked first, or alone.

    Whoever answers by the batch and gets none of them lets go of what was collected before.
    """
    async with open_translators(run) as parties:
        given: dict[str, list[Item]] = {party.id: [] for party in parties}
        for recipients in _recipients(run, wave, parties, items):
            if run.job.settings.mixing.routing == "split":
                for party, share in _shares(recipients):
                    given[party.id].extend(share)
            else:
                for party in find_serving(recipients.parties, run.out_of_service)[:1]:
                    given[party.id].extend(recipients.items)
        return merge_outcomes(
            [
                await party.scheduler.submit(given[party.id])
                for party in parties
                if isinstance(party.scheduler, BatchScheduler)
            ]
        )


@asynccontextmanager
async def open_translators(run: Run) -> AsyncIterator[list[Party]]:
    """The translators of the settings, to be asked while the block lasts."""
    async with AsyncExitStack() as closing:
        everybody = all_asked(run)
        for asked in everybody:
            closing.push_async_callback(asked.translator.close)
        paces = [
            closing.enter_context(shared_pace(settings, asked.translator))
            for settings, asked in zip(run.job.settings.translators, everybody, strict=True)
        ]
        yield [
            Party(asked.to.translator, _scheduler(run, asked, budget, pace))
            for asked, budget, pace in zip(everybody, _budgets(run, everybody), paces, strict=True)
        ]


def all_asked(run: Run) -> list[Asked]:
    """The translators in the order of the settings.

    Raises ``Misconfigured`` for one that cannot work. Nothing is sent, nothing to be closed yet.
    """
    job, found = run.job, []
    for settings, name in zip(job.settings.translators, run.translators_for(), strict=True):
        translator = make_provider(settings, job.source, job.target)
        to = Destination(translator.name, translator.endpoint, name)
        found.append(Asked(translator, to))
    return found


def check_translators(job: Job, *, paces: bool = False) -> Sequence[Provider]:
    """The translators in the order of the settings, each made once; nothing to be closed yet.

    Raises ``Misconfigured`` for one that cannot work, ``ConfigurationError`` for a budget that
    cannot be counted, and with ``paces`` ``PaceUnknown`` for a shared pace that cannot be asked.
    """
    listed = job.settings.translators
    made = [make_provider(settings, job.source, job.target) for settings in listed]
    budgets_of(job.settings.translator.max_cost, [(translator, Sent()) for translator in made])
    for settings, translator in zip(listed, made, strict=True) if paces else ():
        with shared_pace(settings, translator):
            pass
    return made


def _shares(recipients: Recipients) -> list[tuple[Party, list[Item]]]:
    """Each party with the items that it alone is to see."""
    names = [party.id for party in recipients.parties]
    given = assign_texts(recipients.documents, names, secrets.SystemRandom())
    return [
        (party, [item for item in recipients.items if given[item.id] == party.id])
        for party in recipients.parties
    ]


def _recipients(
    run: Run, wave: Sequence[Chunk], parties: Sequence[Party], items: Sequence[Item]
) -> list[Recipients]:
    """``items`` by who may see them, as the policies of their documents say."""
    settings, store = run.job.settings, run.store
    if not settings.policies and settings.mixing.routing == "failover":
        return [Recipients(parties, (), items)]
    documents: dict[tuple[str, ...], list[Mapping[str, str | None]]] = {}
    for chunk in wave:
        for treatment, group in store.documents.by_treatment(chunk).items():
            sent_to = store.requests.asked_of(group).values()
            documents.setdefault(run.translators_for(treatment), []).extend(sent_to)
    found = []
    for allowed, theirs in documents.items():
        known = frozenset(chain.from_iterable(theirs))
        may_see = [party for party in parties if party.id in allowed]
        found.append(Recipients(may_see, theirs, [item for item in items if item.id in known]))
    return found


def _scheduler(
    run: Run, asked: Asked, budget: Budget | None, pace: Pacing | None
) -> Scheduler | BatchScheduler:
    store, job, to = run.store, run.job, asked.to
    if isinstance(asked.translator, BatchTranslator):
        batches = store.batches.ledger(job.run_id, to, run.translators_for())
        batches.adopt()
        return BatchScheduler(
            asked.translator, job.source, job.target, ledger=batches, budget=budget
        )
    ledger = store.requests.ledger(job.run_id, to)
    return Scheduler(
        asked.translator, job.source, job.target, ledger=ledger, budget=budget, pace=pace
    )


def _budgets(run: Run, everybody: Sequence[Asked]) -> list[Budget | None]:
    """What each may take of the budget of the run, less what is spent of it, also by interrupted
    runs before this one."""
    runs = run.store.runs.going_on(run.job.run_id)
    places = [(asked.to.provider, asked.to.endpoint) for asked in everybody]
    spent = {place: Sent(*run.store.requests.sent(runs, *place)) for place in places}
    # Two at one address share what was spent there: it is counted once.
    counted = [
        (asked.translator, spent.pop(place, Sent()))
        for asked, place in zip(everybody, places, strict=True)
    ]
    return budgets_of(run.job.settings.translator.max_cost, counted)


@contextmanager
def shared_pace(settings: TranslatorSettings, translator: Provider) -> Iterator[Pacing | None]:
    """What ``translator`` paces itself by while the block lasts; None for a pace of its own.

    Raises ``PaceUnknown`` when it cannot be asked, ``ConfigurationError`` for an address that is
    not understood.
    """
    if settings.shared_pace is None:
        yield None
        return
    account = settings.account or f"{translator.name}@{translator.endpoint}"
    try:
        meters = SharedMeters.open(settings.shared_pace, account)
    except StateError as error:
        raise PaceUnknown(str(error)) from None
    with closing(meters):
        yield SharedPace(translator.limits, meters)
