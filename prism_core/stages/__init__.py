"""The stages of a run: plain functions over the state store, each in its own module.

A stage is given the ``Run`` and ids, returns counts, and keeps everything else in the store, so
that it can run as a plain call, in another thread or in another process. It raises a ``PrismError``
without any context, or nothing: whatever surrounds a call may record its parameters, its result
and its exception.

Entry: ``Run.open(job)``; then ``ingest`` -> ``read`` -> ``recall`` -> ``encode`` ->
``keep_formulas_here`` -> ``submit`` or ``translate`` -> ``decode`` -> ``translate_here`` ->
``name_outputs`` -> ``write`` -> ``copy_untranslated`` -> ``prune`` -> ``report``.
"""

from prism_core.stages.chunks import StageResult
from prism_core.stages.decode import decode
from prism_core.stages.encode import encode
from prism_core.stages.encoders import any_pair
from prism_core.stages.folders import Folders
from prism_core.stages.formulas import keep_formulas_here
from prism_core.stages.gate import (
    GateDecision,
    check_run,
    forecast_encoded,
    forecast_sample,
    sample_unsent,
)
from prism_core.stages.ingest import ingest, prune
from prism_core.stages.naming import keep_folder_times, name_outputs
from prism_core.stages.read import check_unchanged, read
from prism_core.stages.recall import recall, recall_sent, settle_reviewed
from prism_core.stages.report import Summary, cautions, report
from prism_core.stages.run import Run, Wave
from prism_core.stages.sending import check_translators, shared_pace
from prism_core.stages.translate import make_items, submit, translate
from prism_core.stages.translate_here import TakenHere, count_taken_here, translate_here
from prism_core.stages.workers import workers_for
from prism_core.stages.write import copy_untranslated, texts_of, why_look, write

__all__ = [
    "Folders",
    "GateDecision",
    "Run",
    "StageResult",
    "Summary",
    "TakenHere",
    "Wave",
    "any_pair",
    "cautions",
    "check_run",
    "check_translators",
    "check_unchanged",
    "copy_untranslated",
    "count_taken_here",
    "decode",
    "encode",
    "forecast_encoded",
    "forecast_sample",
    "ingest",
    "keep_folder_times",
    "keep_formulas_here",
    "make_items",
    "name_outputs",
    "prune",
    "read",
    "recall",
    "recall_sent",
    "report",
    "sample_unsent",
    "settle_reviewed",
    "shared_pace",
    "submit",
    "texts_of",
    "translate",
    "translate_here",
    "why_look",
    "workers_for",
    "write",
]
