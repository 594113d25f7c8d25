"""A translator that does as it is told, and runs of the scheduler with it in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from random import Random

from prism_core.errors import Rejected, TranslatorError
from prism_core.translators import Item, Limits, Scheduler, SendingOutcome
from prism_core.translators.adapters.fake import mark_words
from tests.translators import virtual_time
from tests.translators.memory_ledger import MemoryLedger

WIDE = Limits(texts_per_request=10, characters_per_request=1_000)


def mark_all(texts: Sequence[str]) -> list[str]:
    return [mark_words(text) for text in texts]


class Scripted:
    """Answers as ``behave(call number, texts)`` says, after ``seconds``; keeps its calls."""

    name, endpoint, price = "scripted", "localhost", None

    def __init__(
        self,
        behave: Callable[[int, Sequence[str]], list[str]] | None = None,
        limits: Limits = WIDE,
        seconds: float = 0.1,
    ) -> None:
        self.limits = limits
        self.calls: list[tuple[float, list[str]]] = []
        self.most_at_once = self._at_once = 0
        self._behave = behave or (lambda _, texts: mark_all(texts))
        self._seconds = seconds

    async def translate(self, texts: Sequence[str], *languages: str) -> list[str]:
        assert languages == ("en", "es")
        number = len(self.calls)
        self.calls.append((virtual_time.now(), list(texts)))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await asyncio.sleep(self._seconds)
            return self._behave(number, texts)
        finally:
            self._at_once -= 1

    async def close(self) -> None:
        pass

    @property
    def times(self) -> list[float]:
        return [when for when, _ in self.calls]

    @property
    def batches(self) -> list[list[str]]:
        return [texts for _, texts in self.calls]


def items(count: int, text: str = "the cat sat on mat {}") -> list[Item]:
    return [Item(f"id{n}", text.format(n)) for n in range(count)]


def scheduler(translator: Scripted, ledger: MemoryLedger, **more: object) -> Scheduler:
    return Scheduler(
        translator,
        "en",
        "es",
        ledger=ledger,
        clock=virtual_time.now,
        rng=Random(1),
        **more,  # type: ignore[arg-type]
    )


def run(
    translator: Scripted, todo: Iterable[Item], **more: object
) -> tuple[SendingOutcome, MemoryLedger]:
    ledger = MemoryLedger()

    async def main() -> SendingOutcome:
        return await scheduler(translator, ledger, **more).run(todo)

    return virtual_time.run(main()), ledger


def failing(times: int, fault: TranslatorError) -> Callable[[int, Sequence[str]], list[str]]:
    """The first ``times`` requests fail, the others are answered."""

    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number < times:
            raise fault
        return mark_all(texts)

    return behave


def poisoned(texts: Sequence[str], index: int | None = None) -> list[str]:
    if any("poison" in text for text in texts):
        raise Rejected("refused", index)
    return mark_all(texts)
