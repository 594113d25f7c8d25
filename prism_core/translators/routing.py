"""Who is sent what, where the user has listed several translators.

``fail_over``: all to the first, and what it leaves to the next. ``ask_side_by_side``: each sentence
to one of them, as ``assign_texts`` says, so that none sees more than its share of a document.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from prism_core.errors import BudgetReached
from prism_core.translators.batch_scheduler import BatchScheduler
from prism_core.translators.requests import Item, Outcome
from prism_core.translators.scheduler import Scheduler

_NOTHING: Final = Outcome(frozenset(), {}, requests=0, retries=0, characters=0, seconds=0.0)


@dataclass(frozen=True, slots=True)
class Party:
    """One who is asked: ``id`` is the keyed name under which the state store knows it."""

    id: str
    scheduler: Scheduler | BatchScheduler


async def fail_over(
    parties: Sequence[Party], items: Sequence[Item], out_of_service: set[str]
) -> Outcome:
    """Ask the first party; ask each next one for what those before it left without an answer.

    A party that ends its run early (down, out of quota, badly set up) goes to ``out_of_service``
    and is not asked again while it is in there; the last one in service is always asked. The
    user's own budget ends it all: whoever is next would spend it too.
    """
    serving = find_serving(parties, out_of_service)
    total, left = _NOTHING, items
    for party in serving:
        outcome = await party.scheduler.run(left)
        total = _add_outcome(total, outcome)
        left = [item for item in left if item.id not in outcome.answered_ids]
        if not left or isinstance(outcome.stopped, BudgetReached):
            break
        if outcome.stopped is not None and party is not serving[-1]:
            out_of_service.add(party.id)
    return total


def find_serving(parties: Sequence[Party], out_of_service: AbstractSet[str]) -> Sequence[Party]:
    """Those of ``parties`` that are asked, the first choice first."""
    return [party for party in parties if party.id not in out_of_service] or parties[-1:]


async def ask_side_by_side(shares: Sequence[tuple[Party, Sequence[Item]]]) -> Outcome:
    """Ask each party for its own items, all at the same time; none stands in for another.

    One that ends early does not end the others; the first such end is the outcome's.
    """
    runs = (party.scheduler.run(items) for party, items in shares)
    return merge_outcomes(await asyncio.gather(*runs))


def merge_outcomes(outcomes: Iterable[Outcome]) -> Outcome:
    """Several outcomes for different items as one; the first that ended early says why."""
    total = _NOTHING
    for outcome in outcomes:
        stopped = total.stopped or outcome.stopped
        total = replace(_add_outcome(total, outcome), stopped=stopped)
    return total


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


def _add_outcome(before: Outcome, now: Outcome) -> Outcome:
    """Both together, where ``now`` was asked for some of what ``before`` did not answer."""
    answered = before.answered_ids | now.answered_ids
    failed = {**before.failed, **now.failed}
    return Outcome(
        answered_ids=answered,
        failed={row_id: why for row_id, why in failed.items() if row_id not in answered},
        requests=before.requests + now.requests,
        retries=before.retries + now.retries,
        characters=before.characters + now.characters,
        seconds=before.seconds + now.seconds,
        stopped=now.stopped,
    )
