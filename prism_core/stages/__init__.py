"""The stages of a run: plain functions over the state store, each in its own module.

A stage is given the ``Run`` and ids, returns counts, and keeps everything else in the store, so
that it can run as a plain call, in another thread or in another process. It raises a ``PrismError``
without any context, or nothing: whatever surrounds a call may record its parameters, its result
and its exception.

Entry: ``Run.open(job)``; then ``ingest`` -> ``read`` -> ``recall`` -> ``encode`` -> ``submit`` or
``translate`` -> ``decode`` -> ``name_outputs`` -> ``write`` -> ``report``.
"""

from prism_core.stages.asking import check_translators, shared_pace, who_may_answer
from prism_core.stages.decode import decode
from prism_core.stages.encode import encode
from prism_core.stages.expecting import check_expected, expect_sample, sample_unsent
from prism_core.stages.folders import check_folders, remove_partial
from prism_core.stages.ingest import ingest
from prism_core.stages.judging import estimated_privacy_score
from prism_core.stages.naming import keep_folder_times, name_outputs
from prism_core.stages.read import read
from prism_core.stages.recall import recall
from prism_core.stages.report import (
    Summary,
    document_names,
    remembered_report,
    report,
    summarise,
)
from prism_core.stages.run import Counted, Run
from prism_core.stages.translate import make_items, submit, translate
from prism_core.stages.workers import (
    ChunkStage,
    Wave,
    in_workers,
    unread,
    want_workers,
    waves,
    workers_for,
)
from prism_core.stages.write import write

__all__ = [
    "ChunkStage",
    "Counted",
    "Run",
    "Summary",
    "Wave",
    "check_expected",
    "check_folders",
    "check_translators",
    "decode",
    "document_names",
    "encode",
    "estimated_privacy_score",
    "expect_sample",
    "in_workers",
    "ingest",
    "keep_folder_times",
    "make_items",
    "name_outputs",
    "read",
    "recall",
    "remembered_report",
    "remove_partial",
    "report",
    "sample_unsent",
    "shared_pace",
    "submit",
    "summarise",
    "translate",
    "unread",
    "want_workers",
    "waves",
    "who_may_answer",
    "workers_for",
    "write",
]
