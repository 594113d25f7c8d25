"""Firefox Translations on this machine: a small neural model from a folder, run by fxtranslate.

The folder holds the files of one pair of languages as Mozilla publishes them: ``model.*.bin``, one
or two ``vocab.*.spm``, and the shortlist ``lex.*.bin``, which may be missing. ``prism models add``
makes it. Nothing leaves the machine, and nothing is downloaded here.

Entry: ``FirefoxTranslator.translate`` -> ``cut_long`` -> ``_Engine.translate``.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar, Literal

from prism_core.errors import Misconfigured, TranslatorError
from prism_core.resources import installed_folder
from prism_core.settings import Sees, TranslatorSettings
from prism_core.translators.base import FREE, Adapter, Limits, override_price
from prism_core.translators.checks import translate_in_order
from prism_core.translators.firefox_models import ModelFiles

LIMITS = Limits(texts_per_request=32, characters_per_request=10_000)
"""Our own limits: more texts at a time take no less time."""

LONGEST = 320
"""Largest number of characters of a text for the engine, which cuts off without a word what is
beyond its context. FLORES has no longer sentence; a letter is at most one piece of 128."""

_OF_THREAD = threading.local()
"""The engine of a thread, which must be freed by that thread: when it ends."""

_CUTS = (r"(?<=[.;:!?])\s+", r"(?<=,)\s+", r"\s+")
"""Places to cut a long text at, the best first."""


class FirefoxSettings(TranslatorSettings):
    """Settings of a Firefox Translations model."""

    runs_here: ClassVar[bool] = True
    usual_sees: ClassVar[Sees] = "clear"

    name: Literal["firefox"] = "firefox"
    folder: Path | None = None
    """Folder of the model; None is that of ``prism models add``."""

    def model_file(self, source: str, target: str) -> Path | None:
        """Return the file of the model; None where there is none yet."""
        folder = self.folder or installed_folder(source, target)
        return next(folder.glob("model.*.bin"), None)


class FirefoxTranslator:
    """Translator for the one pair that its model was made for; loaded on first use.

    The engine belongs to the thread that made it, so one thread does all the work.
    """

    name = "firefox"
    endpoint = "localhost"

    def __init__(self, settings: FirefoxSettings, source: str, target: str) -> None:
        self.limits = LIMITS.override_by(settings)
        self.price = override_price(settings, FREE)
        self._files = ModelFiles.find(settings.folder or installed_folder(source, target))
        self._files.check_pair(source, target)
        self._thread: ThreadPoolExecutor | None = None

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:  # noqa: ARG002 - the model knows one pair
        """Translate texts; see ``Translator``."""

        async def ask(asked: list[str]) -> list[str]:
            self._thread = self._thread or ThreadPoolExecutor(1, "prism-firefox")
            loop = asyncio.get_running_loop()
            answers = await loop.run_in_executor(self._thread, self._translate, asked)
            if isinstance(answers, TranslatorError):
                raise answers
            return answers

        return await translate_in_order(texts, ask)

    async def close(self) -> None:
        """Release the model and its thread; a later ``translate`` loads it again."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None

    def _translate(self, texts: list[str]) -> list[str] | TranslatorError:
        """Translate, blocking. An error is returned, so that no frame of the library is kept."""
        try:
            engine = getattr(_OF_THREAD, "engine", None) or self._files.load_engine()
        except (OSError, ValueError):
            return Misconfigured(
                f"The model in {self._files.folder} cannot be loaded; add it again."
            )
        except Misconfigured as fault:
            return fault
        _OF_THREAD.engine = engine
        return [" ".join(engine.translate(part) for part in cut_long(text)) for text in texts]


def cut_long(text: str) -> list[str]:
    """Return the parts of ``text``, cut near the middle, that are translated by themselves."""
    if len(text) <= LONGEST:
        return [text]
    for place in _CUTS:
        found = [match.span() for match in re.finditer(place, text)]
        inner = [span for span in found if len(text) // 4 < span[0] < len(text) * 3 // 4]
        if inner:
            start, end = min(inner, key=lambda span: abs(span[0] - len(text) // 2))
            return [*cut_long(text[:start]), *cut_long(text[end:])]
    return [text]


ADAPTER = Adapter(
    settings=FirefoxSettings,
    make=FirefoxTranslator,
    limits=lambda _settings: LIMITS,
    price=FREE,
    libraries=("fxtranslate",),
)
