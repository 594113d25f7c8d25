"""Who is sent what, where the user has listed several translators.

Entry: ``Recipients.ask``; then ``fail_over`` (all to the first, and what it leaves to the next) or
``ask_side_by_side`` (each sentence to one of them, as ``assign_texts`` says, so that none sees more
than its share of a document).
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
from prism_core.translators.requests import Item, Outcome
from prism_core.translators.scheduler import Scheduler


@dataclass(frozen=True, slots=True)
class Party:
    """One who is asked, by the scheduler that it takes.

    ``id`` is the keyed name under which the state store knows it.
    """

    id: str
    scheduler: Scheduler | BatchScheduler

    async def submit(self, items: Sequence[Item]) -> Outcome:
        """Hand in ``items`` to one who answers by the batch; nothing to one who answers at once."""
        if isinstance(self.scheduler, BatchScheduler):
            return await self.scheduler.submit(items)
        return Outcome()


@dataclass(frozen=True, slots=True)
class Recipients:
    """Those who may see ``items``, the first choice first.

    ``documents``, where they share: of each the sentences with who was already sent them.
    """

    parties: Sequence[Party]
    items: Sequence[Item]
    documents: Sequence[Mapping[str, str | None]] = ()

    async def ask(self, routing: Literal["failover", "split"], out: set[str]) -> Outcome:
        """Ask for all items; ``out`` holds the ids of parties that are out of service."""
        if routing == "split":
            return await ask_side_by_side(self.shares())
        return await fail_over(self.parties, self.items, out)

    def asked_first(
        self, routing: Literal["failover", "split"], out: AbstractSet[str]
    ) -> list[tuple[Party, Sequence[Item]]]:
        """Who is asked for what before anybody stands in for another."""
        if routing == "split":
            return self.shares()
        return [(party, self.items) for party in _find_serving(self.parties, out)[:1]]

    def shares(self) -> list[tuple[Party, Sequence[Item]]]:
        """Each party with the items that it alone is to see."""
        given = assign_texts(self.documents, [party.id for party in self.parties], SystemRandom())
        return [
            (party, [item for item in self.items if given[item.id] == party.id])
            for party in self.parties
        ]


async def fail_over(
    parties: Sequence[Party], items: Sequence[Item], out_of_service: set[str]
) -> Outcome:
    """Ask the first party; ask each next one for what those before it left without an answer.

    A party that ends its run early (down, out of quota, badly set up) goes to ``out_of_service``
    and is not asked again while it is in there; the last one in service is always asked. The
    user's own budget ends it all: whoever is next would spend it too.
    """
    serving = _find_serving(parties, out_of_service)
    total, left = Outcome(), items
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
    """Those of ``parties`` that are asked, the first choice first."""
    return [party for party in parties if party.id not in out_of_service] or parties[-1:]


async def ask_side_by_side(shares: Sequence[tuple[Party, Sequence[Item]]]) -> Outcome:
    """Ask each party for its own items, all at the same time; none stands in for another.

    One that ends early does not end the others; the first such end is the outcome's.
    """
    runs = (party.scheduler.run(items) for party, items in shares)
    return Outcome.merge(await asyncio.gather(*runs))


def assign_texts(
    documents: Iterable[Mapping[str, str | None]], parties: Sequence[str], rng: Random
) -> dict[str, str]:
    """A party for every sentence: the one that has the fewest of its document so far.

    Each document maps its sentences to the party that was sent them, None for one that was not
    yet. What a party has been sent stays with it, so that a sentence is seen by one party alone;
    ties are broken by chance. Of a document whose sentences stand nowhere else no party gets more
    than its share, rounded up.
    """
    given: dict[str, str] = {}
    for sentences in documents:
        known = {
            sentence: given.get(sentence) or (party if party in parties else None)
            for sentence, party in sentences.items()
        }
        load = Counter(party for party in known.values() if party)
        free = [sentence for sentence, party in known.items() if not party]
        rng.shuffle(free)
        for sentence in free:
            party = min(parties, key=lambda name: (load[name], rng.random()))
            known[sentence] = party
            load[party] += 1
        given.update((sentence, party) for sentence, party in known.items() if party)
    return given
