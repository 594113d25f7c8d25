"""Routing of sentences where the user has listed several translators.

Entry: ``Recipients.ask``; then ``fail_over`` (all to the first, the rest to the next) or
``ask_side_by_side`` (each sentence to one of them, as ``assign_texts`` chooses, so that none sees
more than its share of a document).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Literal

from prism_core.errors import BudgetReached
from prism_core.translators.batch_scheduler import BatchScheduler
from prism_core.translators.requests import Item, SendingOutcome
from prism_core.translators.scheduler import Scheduler


@dataclass(frozen=True, slots=True)
class Party:
    """Translator that receives texts through its scheduler.

    ``id`` is the keyed name under which the state store knows it.
    """

    id: str
    scheduler: Scheduler | BatchScheduler

    async def submit(self, items: Sequence[Item]) -> SendingOutcome:
        """Submit ``items`` if the translator answers by the batch, else send nothing."""
        if isinstance(self.scheduler, BatchScheduler):
            return await self.scheduler.submit(items)
        return SendingOutcome()


@dataclass(frozen=True, slots=True)
class Recipients:
    """Translators that may see ``items``, the first choice first.

    ``documents``, where the translators share: the sentences of each document, with the party that
    was already sent each.
    """

    parties: Sequence[Party]
    items: Sequence[Item]
    documents: Sequence[Mapping[str, str | None]] = ()

    async def ask(self, routing: Literal["failover", "split"], out: set[str]) -> SendingOutcome:
        """Ask for all items; ``out`` holds the ids of parties that are out of service."""
        if routing == "split":
            return await ask_side_by_side(self.assign_shares())
        return await fail_over(self.parties, self.items, out)

    def plan_first_requests(
        self, routing: Literal["failover", "split"], out: AbstractSet[str]
    ) -> list[tuple[Party, Sequence[Item]]]:
        """Return the items that each party is asked for before any takes over from another."""
        if routing == "split":
            return self.assign_shares()
        return [(party, self.items) for party in _find_serving(self.parties, out)[:1]]

    def assign_shares(self) -> list[tuple[Party, Sequence[Item]]]:
        """Assign each item to one party; return each party with the items that it alone may see."""
        assigned = assign_texts(
            self.documents, [party.id for party in self.parties], SystemRandom()
        )
        return [
            (party, [item for item in self.items if assigned[item.id] == party.id])
            for party in self.parties
        ]


async def fail_over(
    parties: Sequence[Party], items: Sequence[Item], out_of_service: set[str]
) -> SendingOutcome:
    """Ask the first party, then each next one for the items that are still without an answer.

    A party that ends its run early (down, out of quota, badly set up) goes to ``out_of_service``
    and is not asked again while it is in there; the last one in service is always asked. When the
    user's own budget is used up no other party is asked: it would spend the budget too.
    """
    serving = _find_serving(parties, out_of_service)
    total, left = SendingOutcome(), items
    for party in serving:
        outcome = await party.scheduler.run(left)
        total = total.add(outcome)
        left = [item for item in left if item.id not in outcome.answered_ids]
        if not left or isinstance(outcome.stopped, BudgetReached):
            break
        if outcome.stopped is not None and party is not serving[-1]:
            out_of_service.add(party.id)
    return total


def _find_serving(parties: Sequence[Party], out_of_service: AbstractSet[str]) -> Sequence[Party]:
    """Return the parties in service, the first choice first, or the last party if there is none."""
    return [party for party in parties if party.id not in out_of_service] or parties[-1:]


async def ask_side_by_side(shares: Sequence[tuple[Party, Sequence[Item]]]) -> SendingOutcome:
    """Ask each party for its own items, all at the same time; none takes over from another."""
    runs = (party.scheduler.run(items) for party, items in shares)
    return SendingOutcome.merge(await asyncio.gather(*runs))


def assign_texts(
    documents: Iterable[Mapping[str, str | None]], parties: Sequence[str], rng: Random
) -> dict[str, str]:
    """Assign every sentence to the party that has the fewest of its document so far.

    Each document maps its sentences to the party that was sent them, None for one that was not sent
    yet. A sentence that was sent stays with its party, so that one party alone sees it; ties are
    broken by chance. Of a document whose sentences occur nowhere else no party gets more than its
    share, rounded up.
    """
    assigned: dict[str, str] = {}
    for sentences in documents:
        known = {
            sentence: assigned.get(sentence) or (party if party in parties else None)
            for sentence, party in sentences.items()
        }
        load = Counter(party for party in known.values() if party)
        free = [sentence for sentence, party in known.items() if not party]
        rng.shuffle(free)
        for sentence in free:
            party = min(parties, key=lambda name: (load[name], rng.random()))
            known[sentence] = party
            load[party] += 1
        assigned.update((sentence, party) for sentence, party in known.items() if party)
    return assigned
