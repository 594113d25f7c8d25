"""Retries for a translator that is asked without a scheduler: a server that sees texts in clear.

Entry: ``RetryingTranslator.translate``; ``check_answered`` when all is asked.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from random import SystemRandom

from prism_core.errors import BadAnswer, Rejected, Transient, describe_failures
from prism_core.translators.base import Translator
from prism_core.translators.pacing import RetryPolicy
from prism_core.translators.requests import failure_of


class RetryingTranslator:
    """Translator whose requests are repeated after failures that may pass.

    The limits and waits are those of ``RetryPolicy``. A text whose answer cannot be used is
    ``Rejected``, so that others are translated, unless too many are so in a row.
    """

    def __init__(self, translator: Translator) -> None:
        self.name, self.endpoint = translator.name, translator.endpoint
        self.limits, self.price = translator.limits, translator.price
        self._translator = translator
        self._policy = RetryPolicy()
        self._rng = SystemRandom()
        self._failures: Counter[str] = Counter()
        self._last: Transient | None = None
        self._unusable = self._answers = 0

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate texts; see ``Translator``. A fault that ended the repeats is counted."""
        most, attempt = self._policy.attempts, 1
        while True:
            try:
                answers = await self._translator.translate(texts, source, target)
            except Transient as fault:
                self._failures[failure_of(fault)] += 1
                self._last = fault.with_traceback(None)
                if isinstance(fault, BadAnswer):
                    self._unusable += len(texts) == 1
                    if self._unusable < self._policy.dead_texts:
                        raise Rejected(str(fault)) from None
                most = most if self._answers else min(most, self._policy.first_attempts)
                if isinstance(fault, BadAnswer) or attempt >= most:
                    raise self._explain(fault) from None
                wait = max(self._policy.backoff(attempt, self._rng), fault.retry_after or 0.0)
            else:
                self._answers, self._unusable = self._answers + 1, 0
                return list(answers)
            attempt += 1
            await asyncio.sleep(min(wait, self._policy.ceiling))

    def check_answered(self) -> None:
        """Raise the last failure if there were failures and not one answer."""
        if self._last is not None and not self._answers:
            raise self._explain(self._last)

    def _explain(self, fault: Transient) -> Transient:
        failed = self._failures.total()
        asked = f"{self.name} at {self.endpoint} failed {failed:,} of {self._answers + failed:,}"
        fault.explain(f"{asked} requests ({describe_failures(self._failures)}):")
        return fault

    async def close(self) -> None:
        """Close the translator."""
        await self._translator.close()
