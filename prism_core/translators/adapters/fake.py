"""Fake translator that translates nothing: for tests, rehearsals and measurements.

It runs in this process, sends nothing anywhere, remembers nothing and costs nothing. Its output is
no language; nobody should mistake it for a translation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Literal

from prism_core.alignment import Match, Translation
from prism_core.settings import Marks, TranslatorSettings
from prism_core.translators.alignment_tags import keep_consistent, words_to_mark
from prism_core.translators.base import FREE, Adapter, Limits, override_price
from prism_core.translators.checks import texts_to_send

_WORD = re.compile(r"[^\W\d_]+")

WORD_MARK = "\N{MIDDLE DOT}"
"""Character that style ``mark`` puts behind every word; it appears in no ordinary text."""


def mark_words(text: str) -> str:
    """Put ``WORD_MARK`` behind every run of letters; numbers and punctuation stay."""
    return _WORD.sub(lambda match: match.group() + WORD_MARK, text)


def reverse_words(text: str) -> str:
    """Spell every run of letters backwards; numbers and punctuation stay."""
    return _WORD.sub(lambda match: match.group()[::-1], text)


STYLES: Mapping[str, Callable[[str], str]] = {
    "mark": mark_words,
    "identity": str,
    "reverse": reverse_words,
}


LIMITS = Limits(texts_per_request=100, characters_per_request=100_000)


class FakeSettings(TranslatorSettings):
    """Settings of the fake translator."""

    runs_here: ClassVar[bool] = True

    name: Literal["fake"] = "fake"
    style: Literal["mark", "identity", "reverse"] = "mark"
    """Change made to each word."""
    marks: Marks | None = None
    """Condition for aligning words; None is never."""


class FakeTranslator:
    """Translator that changes a word in the same way wherever it occurs, to test decoding.

    ``style`` is one of ``STYLES``. Each text is handled alone: equal texts give equal answers.
    """

    name = "fake"
    endpoint = "localhost"

    def __init__(self, settings: FakeSettings, source: str, target: str) -> None:  # noqa: ARG002 - every pair is the same to it
        self.limits = LIMITS.override_by(settings)
        self.price = override_price(settings, FREE)
        self.marks = settings.asked_marks
        self.answers_unchanged = settings.style == "identity"
        self._change = STYLES[settings.style]

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:  # noqa: ARG002 - every pair is the same to it
        """Change every word of every text; a text that is not one line is ``Rejected``."""
        texts_to_send(texts)  # which checks them
        return [self._change(text) for text in texts]

    async def align(
        self, texts: Sequence[str], source: str, target: str
    ) -> list[Translation | None]:
        """Change every word as ``translate`` does, and align the words."""
        found: list[Translation | None] = []
        for text, answer in zip(texts, await self.translate(texts, source, target), strict=True):
            words = words_to_mark(text, source)
            ends = [[len(self._change(text[:place])) for place in word] for word in words]
            links = [
                Match(word, (first, last)) for word, (first, last) in zip(words, ends, strict=True)
            ]
            found.append(Translation(answer, keep_consistent(words, answer, links)))
        return found

    async def close(self) -> None:
        """Do nothing: there is nothing to release."""


ADAPTER = Adapter(
    settings=FakeSettings,
    make=FakeTranslator,
    limits=lambda _settings: LIMITS,
    price=FREE,
)
