"""The seam to translators: untrusted, rate-limited, and each with its own limits and price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limits:
    """What one provider takes: per request, per minute, and at a time. None means no limit."""

    texts_per_request: int
    characters_per_request: int
    requests_per_minute: int | None = None
    characters_per_minute: int | None = None
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class Price:
    """The list price as data: ``amount`` of ``currency`` for a million ``unit``, on ``as_of``."""

    amount: float
    unit: str
    currency: str = "USD"
    source: str = ""
    as_of: str = ""


class Translator(Protocol):
    """One translation engine. Stateless between calls, safe to call concurrently.

    It may be called from one event loop after another. One that gives texts back as they are on
    purpose (an identity for tests) says so with an attribute ``answers_unchanged = True``; of all
    others an unchanged answer is doubted.
    """

    name: str
    endpoint: str
    """The host the texts go to, without path or query; ``localhost`` for a local program."""
    limits: Limits
    price: Price | None

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate ``texts`` from ``source`` to ``target`` (ISO 639-1).

        Same length, same order. Raises ``Transient``, ``QuotaExhausted``, ``Rejected`` or
        ``Misconfigured``; foreign errors never escape.
        """
        ...

    async def close(self) -> None:
        """Let go of processes and connections."""
        ...
