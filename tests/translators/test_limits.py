"""What a request counts for."""

from __future__ import annotations

import json

import pytest

from prism_core.settings import TranslatorSettings
from prism_core.translators import Limits
from prism_core.translators.openai.adapter import LIMITS, body_of, question_of


def test_tokens_are_estimated_from_bytes_prompt_and_frame() -> None:
    load = Limits(10, 1_000, characters_beside=100, characters_around=10).load(["abcd", "ñandú"])
    assert (load.characters, load.tokens) == (9, -(-(100 + 2 * 10 + 4 + 7) // 4))


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize("count", [1, 7, 40])
def test_the_frame_of_an_openai_request_is_known_to_a_few_tokens(count: int, api: str) -> None:
    settings = TranslatorSettings.choose(name="openai", api=api)  # type: ignore[arg-type]
    texts = ["The ship reached the harbour."] * count
    body = body_of(question_of(texts, "en", "es", settings), settings)
    size = len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode())
    assert LIMITS.load(texts).tokens == pytest.approx(size / 4, abs=25)
