"""Jobs of the laboratory: evaluate methods, an archive, its subjects, a model; teach the gate.

Each module is one job, imported when one of its functions is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.evaluation.jobs import (
        evaluate,
        evaluate_archive,
        evaluate_model,
        evaluate_subjects,
        train_gate,
    )
    from prism_core.evaluation.jobs.evaluate import measure_dictionary

__all__ = [
    "evaluate",
    "evaluate_archive",
    "evaluate_model",
    "evaluate_subjects",
    "measure_dictionary",
    "train_gate",
]

__getattr__ = lazy_door(__name__)
