"""The gate: before a document is sent, what of it will come back, and what will be lost.

``FeatureReader`` reads what costs nothing to know; ``GateModel`` says what follows from it, or that
it does not know.
"""

from prism_core.prospects.features import FEATURES, FeatureReader
from prism_core.prospects.fitting import (
    Quality,
    confidence,
    fit_table,
    judge_predictions,
    mend_table,
    predict_unseen,
)
from prism_core.prospects.model import (
    GateModel,
    Observation,
    Prospect,
    Table,
    load_gate_model,
)

__all__ = [
    "FEATURES",
    "FeatureReader",
    "GateModel",
    "Observation",
    "Prospect",
    "Quality",
    "Table",
    "confidence",
    "fit_table",
    "judge_predictions",
    "load_gate_model",
    "mend_table",
    "predict_unseen",
]
