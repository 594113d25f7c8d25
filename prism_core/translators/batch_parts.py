"""What a batch scheduler has before it: requests to hand in, and what becomes of those that fail.

Every attempt may take a day, so there are few: what failed goes into the next batch as it was, an
answer that cannot be used twice is asked for sentence by sentence, and then it is the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from prism_core.errors import BadAnswer, Rejected, TranslatorError
from prism_core.translators.backoff import Backoff
from prism_core.translators.batches import Item, Outcome, Tally, failure_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPolicy(Backoff):
    """How long to go on hoping.

    A sentence is in ``rounds`` batches at most, and a request whose answer cannot be used in
    ``answer_attempts`` before it is split. While the provider cannot be reached it is asked again
    for ``patience`` seconds. A batch that is not found within ``settling_seconds`` of being
    recorded is looked for once more. What the provider does not know any more after
    ``kept_seconds`` is asked anew.
    """

    rounds: int = 4
    answer_attempts: int = 2
    patience: float = 3_600.0
    ceiling: float = 300.0
    settling_seconds: float = 120.0
    kept_seconds: float = 7 * 86_400.0


@dataclass(frozen=True, slots=True)
class Part:
    """A request to be: its items, the rounds they were asked in, its unusable answers.

    ``doubt`` is what was wrong with the last answer of its one item.
    """

    items: tuple[Item, ...]
    tried: int = 0
    unusable: int = 0
    doubt: str = ""

    def after(self, fault: TranslatorError, policy: BatchPolicy) -> list[Part]:
        """What to ask next after ``fault``; nothing when that is the end of its items."""
        tried, unusable = self.tried + 1, self.unusable + isinstance(fault, BadAnswer)
        if tried >= policy.rounds:
            return []
        if not isinstance(fault, Rejected) and unusable < policy.answer_attempts:
            return [replace(self, tried=tried, unusable=unusable)]
        return [Part((item,), tried) for item in self.items] if len(self.items) > 1 else []

    def doubted(self, item: Item, doubt: str, policy: BatchPolicy) -> list[Part]:
        """What to ask after an answer to ``item`` that fails the checks: it alone, once."""
        tried = self.tried + 1
        return [] if self.doubt or tried >= policy.rounds else [Part((item,), tried, 0, doubt)]


@dataclass(frozen=True, slots=True)
class Awaited:
    """A batch at the provider, with those of its requests that this run waits for."""

    id: str
    batch: str
    recorded: float
    parts: Mapping[str, Part]


@dataclass(slots=True)
class BatchRun:
    """The books of one run of the scheduler; ``tally`` is the part that its outcome tells.

    ``held`` parts found no room in the provider's queue; ``live`` is how many batches of ours were
    in it when they were last counted, None before. ``most`` is the most requests of a batch.
    Once it is stopped nothing more is handed in; when the run is ``broken`` too, nothing can be
    collected either.
    """

    waiting: dict[str, Item]
    most: int
    began: float
    tally: Tally = field(default_factory=Tally)
    queue: deque[Part] = field(default_factory=deque)
    held: list[Part] = field(default_factory=list)
    held_since: float | None = None
    live: int | None = None
    awaited: dict[str, Awaited] = field(default_factory=dict)
    unreachable_since: float | None = None
    looks: int = 0
    broken: bool = False

    @property
    def is_stopped(self) -> bool:
        """Whether nothing more may be handed in."""
        return self.tally.stopped is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to hand in or to wait for."""
        to_hand_in = bool(self.queue or self.held) and not self.is_stopped
        return self.broken or not (self.awaited or to_hand_in)

    def stop(self, reason: TranslatorError, *, broken: bool = False) -> None:
        """Hand in nothing more; the first reason counts."""
        self.tally.stop(reason)
        self.broken = self.broken or broken

    def again(self, part: Part, fault: TranslatorError, policy: BatchPolicy) -> None:
        """Queue what is to be asked after ``fault``, or give its items up."""
        following = part.after(fault, policy)
        self.queue.extend(following)
        if not following:
            self.tally.give_up(part.items, part.doubt or failure_of(fault))

    def doubt(self, part: Part, item: Item, doubt: str, policy: BatchPolicy) -> None:
        """Queue ``item``, whose answer failed a check, or give it up."""
        following = part.doubted(item, doubt, policy)
        self.queue.extend(following)
        if not following:
            self.tally.give_up([item], doubt)

    def look_soon(self) -> None:
        """Something has happened; while there is no room, nothing that happens does so soon."""
        if self.held_since is None:
            self.looks = 0

    def count(self, parts: Iterable[Part]) -> None:
        """These are handed in."""
        for part in parts:
            self.tally.count(part.items, retry=part.tried > 0)

    def outcome(self, now: float) -> Outcome:
        """What came of it; ``now`` by the clock that it ``began`` by."""
        return self.tally.outcome(now - self.began)
