"""T, the translator that is asked: every text once in a run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType

from prism_core.translators import TranslatorSettings, make_translator

BATCH = 200
LANGUAGES = ("en", "es")
TRANSLATOR = "apertium"


class CachedTranslator:
    """Apertium, with its answers kept for as long as it is open; ``calls`` counts texts sent."""

    def __init__(self) -> None:
        self._translator = make_translator(TranslatorSettings(name=TRANSLATOR), *LANGUAGES)
        self._answers: dict[str, str] = {}
        self._runner = asyncio.Runner()
        self.calls = 0

    def __enter__(self) -> CachedTranslator:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._runner.run(self._translator.close())
        self._runner.close()

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """The translations of ``texts``, in order."""
        new = [text for text in dict.fromkeys(texts) if text not in self._answers]
        self.calls += len(new)
        self._answers.update(zip(new, self._runner.run(self._translated(new)), strict=True))
        return [self._answers[text] for text in texts]

    async def _translated(self, texts: Sequence[str]) -> list[str]:
        """All of ``texts``, in as many batches at a time as the translator takes."""
        free = asyncio.Semaphore(self._translator.limits.concurrency)

        async def one(batch: Sequence[str]) -> list[str]:
            async with free:
                return await self._translator.translate(batch, *LANGUAGES)

        batches = (texts[start : start + BATCH] for start in range(0, len(texts), BATCH))
        answers = await asyncio.gather(*(one(batch) for batch in batches))
        return [text for batch in answers for text in batch]
