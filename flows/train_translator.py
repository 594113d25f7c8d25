"""The flow ``train-translator``: a model from private translations, as a job of Prefect.

Its parameters are paths, names and numbers. Texts never enter Prefect, nor does the loss of a step,
which is private: the ledger and the card in the output folder say what was spent. A run that was
killed goes on when it is started again, and every error is stripped of foreign words.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

from prefect import flow

from prism_core.errors import sanitize_errors
from prism_core.training import ModelPart, Sampling, Unit, Watch
from prism_core.training.jobs import train


@flow(name="train-translator", persist_result=False, log_prints=False)
def train_translator(
    files: list[str],
    output: str,
    source: str = "en",
    target: str = "es",
    epsilon: float | None = None,
    public: bool = False,
    delta: float | None = None,
    unit: str = "document",
    sampling: str = "poisson",
    lot: int | None = None,
    largest: int | None = None,
    passes: int | None = None,
    clip: float = 1.0,
    learning_rate: float | None = None,
    sentences: int | None = None,
    base: str | None = None,
    freeze: list[str] | None = None,
    vocabulary_from: list[str] | None = None,
    vocabulary_size: int = 8000,
    width: int = 256,
    layers: int = 3,
    devices: list[str] | None = None,
) -> None:
    """Train as ``prism train`` does: with ``epsilon``, or on text that is ``public``."""

    def run() -> None:
        train.check_privacy(epsilon, public=public)
        recipe = train.TrainingRecipe(
            files=tuple(map(Path, files)),
            output=Path(output),
            source=source,
            target=target,
            epsilon=epsilon,
            delta=delta,
            unit=cast(Unit, unit),
            sampling=cast(Sampling, sampling),
            lot=lot,
            largest=largest,
            passes=passes,
            clip=clip,
            rate=learning_rate,
            sentences=sentences,
            base=Path(base) if base else None,
            freeze=cast(tuple[ModelPart, ...], tuple(freeze)) if freeze else None,
            vocabulary_from=tuple(map(Path, vocabulary_from or ())),
            vocabulary_size=vocabulary_size,
            width=width,
            layers=layers,
            devices=tuple(devices or ["cpu"]),
        )
        train.check_extra()
        train.train(recipe, Watch())

    sanitize_errors(run)
