"""Who is asked for translations: those that the settings list, and what each may spend.

Entry: ``ask`` and ``submit_batches``; ``open_translators`` -> ``_recipients`` (who may see what) ->
``Recipients.ask``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import cast

from prism_core.errors import PaceUnknown, StateError
from prism_core.settings import NO_POLICY, Job, TranslatorSettings, Treatment
from prism_core.stages.run import Run
from prism_core.state import Chunk, Destination, SharedMeters
from prism_core.translators import (
    BatchScheduler,
    BatchTranslator,
    Budget,
    Item,
    Outcome,
    Party,
    Provider,
    Recipients,
    Scheduler,
    Sent,
    SharedPace,
    Translator,
    make_provider,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A translator, and where its requests go."""

    translator: Provider
    to: Destination


async def ask(
    run: Run, wave: Sequence[Chunk], items: Sequence[Item], pair: Treatment = NO_POLICY
) -> Outcome:
    """Have ``items``, which are sentences of ``wave``, translated by those who may see them.

    They are all of one ``pair`` of languages (see ``Run.pairs``).
    """
    routing, out = run.job.settings.mixing.routing, run.out_of_service
    async with open_translators(run, pair) as parties:
        recipients = _recipients(run, wave, parties, items)
        return Outcome.merge([await group.ask(routing, out) for group in recipients])


async def submit_batches(run: Run, wave: Sequence[Chunk], items: Sequence[Item]) -> Outcome:
    """Hand in those of ``items`` that one who answers by the batch is asked first, or alone.

    Whoever answers by the batch and gets none of them lets go of what was collected before.
    """
    routing = run.job.settings.mixing.routing
    async with open_translators(run) as parties:
        given: dict[str, list[Item]] = {party.id: [] for party in parties}
        for group in _recipients(run, wave, parties, items):
            for party, share in group.plan_first_requests(routing, run.out_of_service):
                given[party.id].extend(share)
        return Outcome.merge([await party.submit(given[party.id]) for party in parties])


@asynccontextmanager
async def open_translators(run: Run, pair: Treatment = NO_POLICY) -> AsyncIterator[list[Party]]:
    """The translators of the settings, to be asked for ``pair`` while the block lasts."""
    async with AsyncExitStack() as closing:
        everybody = all_asked(run, pair)
        for asked in everybody:
            closing.push_async_callback(asked.translator.close)
        paces = [
            closing.enter_context(shared_pace(settings, asked.translator, run.job))
            for settings, asked in zip(run.job.settings.translators, everybody, strict=True)
        ]
        yield [
            _open_party(run, pair, asked, budget, pace)
            for asked, budget, pace in zip(everybody, _budgets(run, everybody), paces, strict=True)
        ]


def all_asked(run: Run, pair: Treatment = NO_POLICY) -> list[Asked]:
    """The translators in the order of the settings, for ``pair``.

    Raises ``Misconfigured`` for one that cannot work. Nothing is sent, nothing to be closed yet.
    """
    job, found = run.job.under(pair), []
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
    Budget.share(job.settings.translator.max_cost, [(translator, Sent()) for translator in made])
    for settings, translator in zip(listed, made, strict=True) if paces else ():
        with shared_pace(settings, translator, job):
            pass
    return made


def _recipients(
    run: Run, wave: Sequence[Chunk], parties: Sequence[Party], items: Sequence[Item]
) -> list[Recipients]:
    """``items`` by who may see them, as the policies of their documents say."""
    settings, store = run.job.settings, run.store
    reroutes = settings.policies or settings.gate.below == "other-translator"
    if not reroutes and settings.mixing.routing == "failover":
        return [Recipients(parties, items)]
    documents: dict[tuple[str, ...], list[Mapping[str, str | None]]] = {}
    for chunk in wave:
        for treatment, group in store.documents.by_treatment(chunk).items():
            sent_to = store.requests.asked_of(group, run.part).values()
            documents.setdefault(run.translators_for(treatment), []).extend(sent_to)
    found = []
    for allowed, theirs in documents.items():
        known = frozenset(chain.from_iterable(theirs))
        may_see = [party for party in parties if party.id in allowed]
        found.append(Recipients(may_see, [item for item in items if item.id in known], theirs))
    return found


def _open_party(
    run: Run, pair: Treatment, asked: Asked, budget: Budget | None, pace: SharedPace | None
) -> Party:
    """Who is ``asked``, with the scheduler and the ledger that it takes: by the batch, or at
    once."""
    store, job, translator, to = run.store, run.job.under(pair), asked.translator, asked.to
    languages = job.source, job.target
    if isinstance(translator, BatchTranslator):
        batches = store.batches.ledger(job.run_id, to, run.translators_for()).adopt()
        by_batch = BatchScheduler(translator, *languages, ledger=batches, budget=budget)
        return Party(to.translator, by_batch)
    ledger, at_once = store.requests.ledger(job.run_id, to), cast(Translator, translator)
    return Party(
        to.translator, Scheduler(at_once, *languages, ledger=ledger, budget=budget, pace=pace)
    )


def _budgets(run: Run, everybody: Sequence[Asked]) -> list[Budget | None]:
    """What each may take of the budget of the run, less what is spent of it, also by interrupted
    runs before this one."""
    runs, shard = run.store.runs.list_continued(run.job.run_id), run.job.shard
    places = [(asked.to.provider, asked.to.endpoint) for asked in everybody]

    def spent(of: Sequence[str], number: int | None = None) -> list[tuple[Provider, Sent]]:
        sent = run.store.requests.sent
        found = {place: Sent(*sent(of, *place, shard=number)) for place in places}
        # Two at one address share what was spent there: it is counted once.
        return [
            (asked.translator, found.pop(place, Sent()))
            for asked, place in zip(everybody, places, strict=True)
        ]

    amount = run.job.settings.translator.max_cost
    if shard is None:
        return Budget.share(amount, spent(runs))
    # Each shard has an equal part of what was left when the run began.
    before = Budget.share(amount, spent(runs[1:]))
    left = [budget.purse.left / shard.of for budget in before[:1] if budget]
    return Budget.share(left[0] if left else None, spent(runs[:1], shard.number))


@contextmanager
def shared_pace(
    settings: TranslatorSettings, translator: Provider, job: Job | None = None
) -> Iterator[SharedPace | None]:
    """What ``translator`` paces itself by while the block lasts; None for a pace of its own.

    The shards of a run have one pace, in the database of their state unless the settings name
    another place.

    Raises ``PaceUnknown`` when it cannot be asked, ``ConfigurationError`` for an address that is
    not understood.
    """
    place = settings.shared_pace
    if place is None and job is not None and job.shard and translator.limits.is_paced:
        place = job.settings.state.url
    if place is None:
        yield None
        return
    account = settings.account or f"{translator.name}@{translator.endpoint}"
    try:
        meters = SharedMeters.open(place, account)
    except StateError as error:
        raise PaceUnknown(str(error)) from None
    with closing(meters), closing(SharedPace(translator.limits, meters)) as pace:
        yield pace
