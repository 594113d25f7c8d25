"""What DeepL takes and asks for, apart from its library, which may not be installed."""

from __future__ import annotations

from prism_core.translators.base import Limits, Price

LIMITS = Limits(texts_per_request=50, characters_per_request=10_000, concurrency=4)
"""50 texts and 128 KiB a request. A character is 12 bytes at most in the library's JSON, so that
10,000 of them, with what surrounds 50 texts, are always within. It states no rates.
[developers.deepl.com, usage and limits]"""

PRICE = Price(
    amount=25.0,
    unit="characters",
    source="https://www.deepl.com/pro-api (API Pro, beside a monthly fee; free accounts pay none)",
    as_of="2026",
)
