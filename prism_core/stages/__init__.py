"""The stages of a run: plain functions over the state store, each in its own module.

A stage takes the ``Run`` and ids, returns counts and keeps everything else in the store. It can
therefore run as a plain call, in another thread or in another process. It raises nothing but a
``PrismError`` without context, because whatever surrounds a call may record its parameters, its
result and its exception.

Entry: ``Run.open(job)``; then ``ingest`` -> ``read`` -> ``recall`` -> ``encode`` ->
``keep_formulas_here`` -> ``submit`` or ``translate`` -> ``decode`` -> ``translate_here`` ->
``name_outputs`` -> ``write`` -> ``copy_untranslated`` -> ``prune`` -> ``report``.
"""

from prism_core.stages.chunks import StageResult
from prism_core.stages.decode import decode
from prism_core.stages.encode import encode
from prism_core.stages.encoders import pick_any_pair
from prism_core.stages.folders import Folders
from prism_core.stages.gate import (
    GateDecision,
    check_run,
    forecast_encoded,
    forecast_sample,
    sample_unsent,
)
from prism_core.stages.ingest import ingest, prune
from prism_core.stages.naming import name_outputs
from prism_core.stages.read import check_unchanged, read
from prism_core.stages.recall import recall, settle_reviewed
from prism_core.stages.report import Summary, list_cautions, list_unwritten, report, report_proof
from prism_core.stages.run import Run, Wave
from prism_core.stages.sending import check_translators, open_shared_pace
from prism_core.stages.strength_frontier import StrengthTrial, try_strengths
from prism_core.stages.translate import make_items, submit, translate
from prism_core.stages.translate_here import (
    LocalTrial,
    keep_formulas_here,
    translate_here,
    try_local_model,
)
from prism_core.stages.workers import open_workers
from prism_core.stages.write import (
    classify_for_review,
    copy_untranslated,
    find_words_left,
    read_texts,
    write,
)

__all__ = [
    "Folders",
    "GateDecision",
    "LocalTrial",
    "Run",
    "StageResult",
    "StrengthTrial",
    "Summary",
    "Wave",
    "check_run",
    "check_translators",
    "check_unchanged",
    "classify_for_review",
    "copy_untranslated",
    "decode",
    "encode",
    "find_words_left",
    "forecast_encoded",
    "forecast_sample",
    "ingest",
    "keep_formulas_here",
    "list_cautions",
    "list_unwritten",
    "make_items",
    "name_outputs",
    "open_shared_pace",
    "open_workers",
    "pick_any_pair",
    "prune",
    "read",
    "read_texts",
    "recall",
    "report",
    "report_proof",
    "sample_unsent",
    "settle_reviewed",
    "submit",
    "translate",
    "translate_here",
    "try_local_model",
    "try_strengths",
    "write",
]
