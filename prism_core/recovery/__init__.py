"""Recovery: will the words of an encoded sentence be found in the translator's answer?

The one definition of that quantity. ``RecoveryRates`` has the rate of a word, ``Trials`` what a
sentence encoded on trial shows, ``RecoveryModel`` what was learned of a translator's documents, and
a ``Forecast`` is the prediction for a document or a run. The gate (``stages.gate``) decides by it.

Names of ``fitting`` are loaded when they are first used: only the laboratory and the maker of
dictionaries fit anything.
"""

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door
from prism_core.recovery.forecast import FEATURES, Forecast, Trials, Vector, redraw_allowance
from prism_core.recovery.model import RecoveryModel, Table, load_recovery_model
from prism_core.recovery.rates import (
    MEASURED,
    MeasuredRates,
    Rate,
    RecoveryRates,
    WordGroups,
    read_rates,
    write_rates,
)

if TYPE_CHECKING:
    from prism_core.recovery.fitting import (
        FittedRates,
        Observation,
        Quality,
        bootstrap_interval,
        fit_logistic,
        fit_table,
        judge_predictions,
        mend_table,
        predict_unseen,
    )

__all__ = [
    "FEATURES",
    "MEASURED",
    "FittedRates",
    "Forecast",
    "MeasuredRates",
    "Observation",
    "Quality",
    "Rate",
    "RecoveryModel",
    "RecoveryRates",
    "Table",
    "Trials",
    "Vector",
    "WordGroups",
    "bootstrap_interval",
    "fit_logistic",
    "fit_table",
    "judge_predictions",
    "load_recovery_model",
    "mend_table",
    "predict_unseen",
    "read_rates",
    "redraw_allowance",
    "write_rates",
]

__getattr__ = lazy_door(__name__)
