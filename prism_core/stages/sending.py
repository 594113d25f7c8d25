"""Send requests to the translators of the settings, each within its budget and its pace.

Entry: ``ask`` and ``submit_batches``; ``open_translators`` -> ``_group_by_recipients`` (by who may
see the documents) -> ``Recipients.ask``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import cast

from prism_core.plugins import find_entry_points, require_distribution
from prism_core.settings import NO_POLICY, Job, TranslatorSettings, Treatment
from prism_core.stages.run import Run
from prism_core.state import Chunk, Destination
from prism_core.translators import (
    FAILURES_UNBILLED,
    AnswerChecks,
    BatchScheduler,
    BatchTranslator,
    Budget,
    Item,
    Pace,
    Party,
    Provider,
    Recipients,
    Scheduler,
    SendingOutcome,
    Sent,
    Translator,
    make_provider,
)


@dataclass(frozen=True, slots=True)
class AskedTranslator:
    """A translator and the destination of its requests."""

    translator: Provider
    to: Destination


async def ask(
    run: Run, wave: Sequence[Chunk], items: Sequence[Item], pair: Treatment = NO_POLICY
) -> SendingOutcome:
    """Have ``items`` of ``wave`` translated by the translators that may see them.

    All items have the same ``pair`` of languages (see ``Run.pairs``).
    """
    routing, out = run.job.settings.mixing.routing, run.out_of_service
    async with open_translators(run, pair) as parties:
        recipients = _group_by_recipients(run, wave, parties, items)
        return SendingOutcome.merge([await group.ask(routing, out) for group in recipients])


async def submit_batches(run: Run, wave: Sequence[Chunk], items: Sequence[Item]) -> SendingOutcome:
    """Submit the items that a batch translator is asked first, or alone.

    A batch translator that gets none of them drops the answers that it collected before.
    """
    routing = run.job.settings.mixing.routing
    async with open_translators(run) as parties:
        shares: dict[str, list[Item]] = {party.id: [] for party in parties}
        for group in _group_by_recipients(run, wave, parties, items):
            for party, own_items in group.plan_first_requests(routing, run.out_of_service):
                shares[party.id].extend(own_items)
        return SendingOutcome.merge([await party.submit(shares[party.id]) for party in parties])


@asynccontextmanager
async def open_translators(run: Run, pair: Treatment = NO_POLICY) -> AsyncIterator[list[Party]]:
    """Open the translators of the settings for ``pair``; they are closed with the block."""
    async with AsyncExitStack() as closing:
        listed = list_translators(run, pair)
        for asked in listed:
            closing.push_async_callback(asked.translator.close)
        paces = [
            closing.enter_context(open_shared_pace(settings, asked.translator, run.job))
            for settings, asked in zip(run.job.settings.translators, listed, strict=True)
        ]
        yield [
            _open_party(run, pair, asked, budget, pace)
            for asked, budget, pace in zip(listed, _share_budget(run, listed), paces, strict=True)
        ]


def list_translators(run: Run, pair: Treatment = NO_POLICY) -> list[AskedTranslator]:
    """Return the translators in the order of the settings, for ``pair``.

    Nothing is sent, and nothing needs to be closed yet. Raises ``Misconfigured`` for one that
    cannot work.
    """
    job, found = run.job.under(pair), []
    for settings, name in zip(job.settings.translators, run.translators_for(), strict=True):
        translator = make_provider(settings, job.source, job.target)
        to = Destination(translator.name, translator.endpoint, name)
        found.append(AskedTranslator(translator, to))
    return found


def check_translators(job: Job, *, paces: bool = False) -> Sequence[Provider]:
    """Make each translator once, in the order of the settings; nothing needs to be closed yet.

    Raises ``Misconfigured`` for one that cannot work, ``ConfigurationError`` for a budget that
    cannot be counted, and with ``paces`` ``PaceUnknown`` for a shared pace that cannot be queried.
    """
    listed = job.settings.translators
    made = [make_provider(settings, job.source, job.target) for settings in listed]
    Budget.share(job.settings.translator.max_cost, [(translator, Sent()) for translator in made])
    for settings, translator in zip(listed, made, strict=True) if paces else ():
        with open_shared_pace(settings, translator, job):
            pass
    return made


def _group_by_recipients(
    run: Run, wave: Sequence[Chunk], parties: Sequence[Party], items: Sequence[Item]
) -> list[Recipients]:
    """Group ``items`` by the translators that the policies of their documents admit."""
    settings, store = run.job.settings, run.store
    if not settings.policies and settings.mixing.routing == "failover":
        return [Recipients(parties, items)]
    documents: dict[tuple[str, ...], list[Mapping[str, str | None]]] = {}
    for chunk in wave:
        for treatment, group in store.documents.by_treatment(chunk).items():
            sent_to = store.requests.asked_of(group, run.part).values()
            documents.setdefault(run.translators_for(treatment), []).extend(sent_to)
    found = []
    for allowed, requests in documents.items():
        known = frozenset(chain.from_iterable(requests))
        may_see = [party for party in parties if party.id in allowed]
        found.append(Recipients(may_see, [item for item in items if item.id in known], requests))
    return found


def _open_party(
    run: Run,
    pair: Treatment,
    asked: AskedTranslator,
    budget: Budget | None,
    pace: Pace | None,
) -> Party:
    """Open a translator with the scheduler and the ledger that its interface needs."""
    store, job, translator, to = run.store, run.job.under(pair), asked.translator, asked.to
    languages = job.source, job.target

    def find_forms(word: str) -> Collection[str]:
        return run.encoder(pair).dictionary.answer_words(word)

    # Without a dictionary nothing says which words an answer should have.
    forms = None if job.settings.in_clear else find_forms
    checks = AnswerChecks.for_translator(translator, forms)
    if isinstance(translator, BatchTranslator):
        batches = store.batches.ledger(job.run_id, to, run.translators_for()).adopt()
        by_batch = BatchScheduler(
            translator, *languages, ledger=batches, checks=checks, budget=budget
        )
        return Party(to.translator, by_batch)
    ledger, direct = store.requests.ledger(job.run_id, to), cast(Translator, translator)
    scheduler = Scheduler(
        direct, *languages, ledger=ledger, checks=checks, budget=budget, pace=pace
    )
    return Party(to.translator, scheduler)


def _share_budget(run: Run, listed: Sequence[AskedTranslator]) -> list[Budget | None]:
    """Return the share of the budget that each translator may still spend.

    What is spent of the budget counts, also in interrupted runs that this one continues.
    """
    runs, shard = run.store.runs.list_continued(run.job.run_id), run.job.shard
    places = [(asked.to.provider, asked.to.endpoint) for asked in listed]

    def spent(
        run_ids: Sequence[str], shard_number: int | None = None
    ) -> list[tuple[Provider, Sent]]:
        sent = run.store.requests.sent
        totals = {
            place: Sent(*sent(run_ids, *place, shard=shard_number, but=FAILURES_UNBILLED))
            for place in places
        }
        # Two at one address share what was spent there: it is counted once.
        return [
            (asked.translator, totals.pop(place, Sent()))
            for asked, place in zip(listed, places, strict=True)
        ]

    amount = run.job.settings.translator.max_cost
    if shard is None:
        return Budget.share(amount, spent(runs))
    # Each shard has an equal part of what was left when the run began.
    before = Budget.share(amount, spent(runs[1:]))
    left = [budget.purse.left / shard.of for budget in before[:1] if budget]
    return Budget.share(left[0] if left else None, spent(runs[:1], shard.number))


@contextmanager
def open_shared_pace(
    settings: TranslatorSettings, translator: Provider, job: Job | None = None
) -> Iterator[Pace | None]:
    """Open the pace that ``translator`` shares with others; yield None for a pace of its own.

    The shards of a run share one pace. It is kept in the database of their state unless the
    settings name another place.

    Raises ``PaceUnknown`` when it cannot be queried, ``ConfigurationError`` for an address that is
    not understood, or where the extra ``fleet`` is not installed.
    """
    address = settings.shared_pace
    if address is None and job is not None and job.shard and translator.limits.is_paced:
        address = job.settings.state.url
    if address is None:
        yield None
        return
    account = settings.account or f"{translator.name}@{translator.endpoint}"
    require_distribution("fleet", "translator.shared_pace, which runs and shards share,")
    open_pace = find_entry_points("prism_core.stages")["shared-pace"].load()
    with open_pace(translator.limits, address, account) as pace:
        yield pace
