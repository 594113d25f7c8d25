"""Who is asked for translations: those that the settings list, and what each may spend."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from prism_core.settings.job import Job
from prism_core.settings.translators import TranslatorSettings
from prism_core.stages.pacing import shared_pace
from prism_core.stages.shared import open_store
from prism_core.state import Chunk, Destination, Store
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
class Audience:
    """Those who alone may see ``items``, and who was sent what of their ``documents`` before."""

    parties: Sequence[Party]
    documents: Sequence[Mapping[str, str | None]]
    items: Sequence[Item]


async def ask(job: Job, wave: Sequence[Chunk], items: Sequence[Item]) -> Outcome:
    """Have ``items``, which are sentences of ``wave``, translated by those who may see them."""
    async with _in_touch(job) as parties:
        return merge_outcomes(
            [await _heard(job, one) for one in _audiences(job, wave, parties, items)]
        )


async def hand_in(job: Job, wave: Sequence[Chunk], items: Sequence[Item]) -> Outcome:
    """Hand in those of ``items`` that one who answers by the batch is asked first, or alone.

    Whoever answers by the batch and gets none of them lets go of what was collected before.
    """
    async with _in_touch(job) as parties:
        given: dict[str, list[Item]] = {party.id: [] for party in parties}
        for audience in _audiences(job, wave, parties, items):
            for party, theirs in _asked_first(job, audience):
                given[party.id].extend(theirs)
        return merge_outcomes(
            [
                await party.scheduler.submit(given[party.id])
                for party in parties
                if isinstance(party.scheduler, BatchScheduler)
            ]
        )


def _asked_first(job: Job, audience: Audience) -> list[tuple[Party, Sequence[Item]]]:
    if job.settings.mixing.routing == "split":
        return [*_shares(audience)]
    serving = find_serving(audience.parties, _out_of_service(job.run_id))
    return [(party, audience.items) for party in serving[:1]]


@asynccontextmanager
async def _in_touch(job: Job) -> AsyncIterator[list[Party]]:
    """The translators of the settings, to be asked while the block lasts."""
    async with AsyncExitStack() as closing:
        everybody = all_asked(job)
        for one in everybody:
            closing.push_async_callback(one.translator.close)
        paces = [
            closing.enter_context(shared_pace(settings, one.translator))
            for settings, one in zip(job.settings.translators, everybody, strict=True)
        ]
        yield _parties(job, everybody, paces)


async def _heard(job: Job, audience: Audience) -> Outcome:
    if job.settings.mixing.routing == "split":
        return await ask_side_by_side(_shares(audience))
    return await fail_over(audience.parties, audience.items, _out_of_service(job.run_id))


def all_asked(job: Job) -> list[Asked]:
    """The translators in the order of the settings.

    Raises ``Misconfigured`` for one that cannot work. Nothing is sent, nothing to be closed yet.
    """
    return [_asked(job, settings) for settings in job.settings.translators]


def checked_translators(job: Job) -> Sequence[Provider]:
    """The translators in the order of the settings, each made once; nothing to be closed yet.

    Raises ``Misconfigured`` for one that cannot work, ``ConfigurationError`` for a budget that
    cannot be counted.
    """
    everybody = [make_provider(one, job.source, job.target) for one in job.settings.translators]
    budgets_of(job.settings.translator.max_cost, [(one, Sent()) for one in everybody])
    return everybody


def check_paces(job: Job, translators: Sequence[Provider]) -> None:
    """Raise ``PaceUnknown`` when a pace that ``translators`` share cannot be asked.

    They are those of the settings, in their order.
    """
    for settings, translator in zip(job.settings.translators, translators, strict=True):
        with shared_pace(settings, translator):
            pass


def who_may_answer(job: Job) -> tuple[str, ...]:
    """The keyed names of the translators: others for other models, not for other accounts."""
    return tuple(_keyed_name(job, one) for one in job.settings.translators)


def _asked(job: Job, settings: TranslatorSettings) -> Asked:
    translator = make_provider(settings, job.source, job.target)
    name = _keyed_name(job, settings)
    return Asked(translator, Destination(translator.name, translator.endpoint, name))


def _keyed_name(job: Job, settings: TranslatorSettings) -> str:
    return open_store(job).cipher.keyed_id("translator", settings.asked_of().encode())


def _parties(job: Job, everybody: Sequence[Asked], paces: Sequence[Pacing | None]) -> list[Party]:
    budgets = _budgets(job, everybody)
    return [
        Party(one.to.translator, _scheduler(job, one, budget, pace))
        for one, budget, pace in zip(everybody, budgets, paces, strict=True)
    ]


def _scheduler(
    job: Job, one: Asked, budget: Budget | None, pace: Pacing | None
) -> Scheduler | BatchScheduler:
    store, languages = open_store(job), (job.source, job.target)
    if isinstance(one.translator, BatchTranslator):
        batches = store.batches.ledger(job.run_id, one.to, who_may_answer(job))
        batches.adopt()
        return BatchScheduler(one.translator, *languages, ledger=batches, budget=budget)
    ledger = store.requests.ledger(job.run_id, one.to)
    return Scheduler(one.translator, *languages, ledger=ledger, budget=budget, pace=pace)


def _budgets(job: Job, everybody: Sequence[Asked]) -> list[Budget | None]:
    """What each may take of the budget of the run, less what is spent of it, also by interrupted
    runs before this one."""
    store = open_store(job)
    runs = store.runs.going_on(job.run_id)
    counted: set[tuple[str, str]] = set()
    asked: list[tuple[Provider, Sent]] = []
    for one in everybody:
        place = one.to.provider, one.to.endpoint
        asked.append((one.translator, Sent() if place in counted else _sent(store, runs, place)))
        counted.add(place)
    return budgets_of(job.settings.translator.max_cost, asked)


def _sent(store: Store, runs: Sequence[str], place: tuple[str, str]) -> Sent:
    sums = store.requests.sent(runs, *place)
    return Sent(sums.requests, sums.texts, sums.characters)


def _audiences(
    job: Job, wave: Sequence[Chunk], parties: Sequence[Party], items: Sequence[Item]
) -> list[Audience]:
    """``items`` by who may see them, as the policies of their documents say."""
    if not job.settings.policies and job.settings.mixing.routing == "failover":
        return [Audience(parties, (), items)]
    store = open_store(job)
    documents: dict[tuple[str, ...], list[Mapping[str, str | None]]] = {}
    for chunk in wave:
        for treatment, group in store.documents.by_treatment(chunk).items():
            asked = store.requests.asked_of(group).values()
            documents.setdefault(who_may_answer(job.under(treatment)), []).extend(asked)
    return [_audience(parties, allowed, theirs, items) for allowed, theirs in documents.items()]


def _audience(
    parties: Sequence[Party],
    allowed: Sequence[str],
    documents: Sequence[Mapping[str, str | None]],
    items: Sequence[Item],
) -> Audience:
    known = frozenset(chain.from_iterable(documents))
    return Audience(
        [party for party in parties if party.id in allowed],
        documents,
        [item for item in items if item.id in known],
    )


def _shares(audience: Audience) -> list[tuple[Party, list[Item]]]:
    """Each party with the items that it alone is to see."""
    names = [party.id for party in audience.parties]
    given = assign_texts(audience.documents, names, secrets.SystemRandom())
    return [
        (party, [item for item in audience.items if given[item.id] == party.id])
        for party in audience.parties
    ]


@lru_cache(maxsize=1)
def _out_of_service(_run: str) -> set[str]:
    """The translators that ended early in this run: not to be waited for in every wave."""
    return set()
