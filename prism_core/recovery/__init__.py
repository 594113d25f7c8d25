"""Recovery: will the words of an encoded sentence be found in the translator's answer?

The one definition of that quantity. ``RecoveryRates`` has the rate of a word, ``Trials`` what a
sentence encoded on trial shows, ``RecoveryModel`` what was learned of a translator's documents, and
a ``Forecast`` is the prediction for a document or a run. The gate (``stages.gate``) decides by it.
The laboratory fits rates and models (``evaluation.recovery_fitting``).
"""

from prism_core.recovery.forecast import FEATURES, Forecast, Trials, Vector, redraw_allowance
from prism_core.recovery.model import (
    FEWEST,
    RecoveryModel,
    Table,
    expand,
    load_recovery_model,
    log_odds,
    logistic,
    standardise,
    sum_up_document,
)
from prism_core.recovery.rates import (
    MEASURED,
    Group,
    MeasuredRates,
    Rate,
    RecoveryRates,
    WordGroups,
    family_of,
    read_rates,
    write_rates,
)

__all__ = [
    "FEATURES",
    "FEWEST",
    "MEASURED",
    "Forecast",
    "Group",
    "MeasuredRates",
    "Rate",
    "RecoveryModel",
    "RecoveryRates",
    "Table",
    "Trials",
    "Vector",
    "WordGroups",
    "expand",
    "family_of",
    "load_recovery_model",
    "log_odds",
    "logistic",
    "read_rates",
    "redraw_allowance",
    "standardise",
    "sum_up_document",
    "write_rates",
]
