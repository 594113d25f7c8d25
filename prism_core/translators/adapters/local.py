"""Translation model from a folder, run here by CTranslate2 (the optional extra ``local``).

The folder holds a model of one pair of languages as ``ct2-opus-mt-converter`` or
``ct2-transformers-converter`` writes it (``model.bin``, ``config.json``, a vocabulary), with the
``source.spm`` and ``target.spm`` it was trained with. Nothing leaves the machine.

Entry: ``LocalTranslator.translate``; then ``_LocalModel.load`` once -> ``_LocalModel.answers``.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from prism_core.errors import Misconfigured, Rejected, TranslatorError
from prism_core.settings import Sees, TranslatorSettings
from prism_core.translators.base import FREE, Adapter, Limits, override_price
from prism_core.translators.checks import translate_in_order

LIMITS = Limits(texts_per_request=32, characters_per_request=10_000)
"""Our own limits: more texts at a time take more memory and no less time."""

LONGEST = 500
"""Largest number of pieces in a text or an answer; most models have 512 positions and no more."""

BEAM = 4

_NEEDED = ("model.bin", "config.json", "source.spm", "target.spm")


class LocalSettings(TranslatorSettings):
    """Settings of a local model."""

    runs_here: ClassVar[bool] = True
    usual_sees: ClassVar[Sees] = "clear"

    name: Literal["local"] = "local"
    folder: Path | None = None
    """Folder of the model."""
    prefix: str = ""
    """Text that a model of several tasks wants before each text, as T5 does."""

    def model_file(self, source: str, target: str) -> Path | None:  # noqa: ARG002 - the only one
        """Return the file of the model."""
        return self.folder and self.folder / "model.bin"


class LocalTranslator:
    """Translator for the one pair that the model was made for.

    Only the card of ``prism train`` names that pair; ``Misconfigured`` is raised where it is not
    the requested one. A text of more than ``LONGEST`` pieces, and one whose answer does not end, is
    ``Rejected`` rather than cut off. The model is loaded on first use.
    """

    name = "local"
    endpoint = "localhost"

    def __init__(self, settings: LocalSettings, source: str, target: str) -> None:
        self.limits = LIMITS.override_by(settings)
        self.price = override_price(settings, FREE)
        self._prefix = settings.prefix
        if settings.folder is None:
            raise Misconfigured("local needs translator.folder: the folder of the model.")
        self._folder = settings.folder
        missing = [name for name in _NEEDED if not (self._folder / name).is_file()]
        if missing:
            raise Misconfigured(
                f"{self._folder} holds no {', '.join(missing)}: convert the model with "
                "ct2-opus-mt-converter or ct2-transformers-converter, and copy its source.spm and "
                "target.spm beside it."
            )
        pair = source, target
        with suppress(OSError, ValueError, LookupError, TypeError):  # a model of ``prism train``
            card = json.loads((self._folder / "card.json").read_text(encoding="utf-8"))
            pair = str(card["source"]), str(card["target"])
        if source and pair != (source, target):
            raise Misconfigured(
                f"The model in {self._folder} translates from {' to '.join(pair)}, not from "
                f"{source} to {target}: name another folder, or its languages."
            )
        self._model: _LocalModel | None = None
        self._loading = threading.Lock()

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:  # noqa: ARG002 - the model knows one pair
        """Translate texts; see ``Translator``."""

        async def ask(asked: list[str]) -> list[str]:
            answers = await asyncio.to_thread(self._translate, asked)
            if isinstance(answers, TranslatorError):
                raise answers
            return answers

        return await translate_in_order(texts, ask)

    async def close(self) -> None:
        """Release the model; a later ``translate`` loads it again."""
        self._model = None

    def _translate(self, texts: list[str]) -> list[str] | TranslatorError:
        """Translate, blocking. An error is returned, so that no frame of the library is kept."""
        try:
            with self._loading:
                model = self._model = self._model or _LocalModel.load(self._folder)
        except (OSError, RuntimeError, ValueError):
            return Misconfigured(f"The model in {self._folder} cannot be loaded.")
        try:
            return model.answers([self._prefix + text for text in texts])
        except Rejected as rejected:
            return rejected
        except (RuntimeError, ValueError):  # whatever it is, one text at a time will tell
            return Rejected("The model cannot translate these texts.")


@dataclass(frozen=True)
class _LocalModel:
    """Parts of a loaded model; threads may share it."""

    engine: Any
    source: Any
    target: Any
    end: str
    ends_sources_itself: bool

    @classmethod
    def load(cls, folder: Path) -> _LocalModel:
        import ctranslate2
        import sentencepiece

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        return cls(
            engine=ctranslate2.Translator(str(folder), device="auto"),
            source=sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm")),
            target=sentencepiece.SentencePieceProcessor(model_file=str(folder / "target.spm")),
            end=config.get("eos_token", "</s>"),
            ends_sources_itself=config.get("add_source_eos", False),
        )

    def answers(self, texts: list[str]) -> list[str]:
        """Return one answer for each text; raise ``Rejected`` with the index of one too long."""
        end = [] if self.ends_sources_itself else [self.end]
        pieces = [self.source.encode(text, out_type=str) for text in texts]
        for index, sequence in enumerate(pieces):
            if len(sequence) + len(end) > LONGEST:
                raise Rejected("A text is longer than the model can take.", index)
        results = self.engine.translate_batch(
            [[*sequence, *end] for sequence in pieces],
            beam_size=BEAM,
            max_input_length=0,  # would cut off without a word
            max_decoding_length=LONGEST,
            return_end_token=True,
            replace_unknowns=True,
        )
        found = [result.hypotheses[0] for result in results]
        for index, sequence in enumerate(found):
            if sequence[-1:] != [self.end]:
                raise Rejected("The model found no end of its answer.", index)
        return [self.target.decode(sequence[:-1]) for sequence in found]


ADAPTER = Adapter(
    settings=LocalSettings,
    make=LocalTranslator,
    limits=lambda _settings: LIMITS,
    price=FREE,
    libraries=("ctranslate2", "sentencepiece"),
)
