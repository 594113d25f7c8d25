"""Laboratory: how much an adversary learns from what was sent, and how good the translation is.

The protocol of the PRISM paper (section 4.1): multiple-choice questions about a story, answered
from x_pub by an adversary (privacy) and from y_pri by a reader (quality). Modules by their use:

- methods over public corpora: ``laboratory`` runs ``methods`` (and ``paper_procedures``) on
  ``corpora``, asks ``panels``, and stores ``results``; ``summary``, ``tables``, ``figures``,
  ``publishing`` and ``reproduction`` read them
- attacks: ``adversaries`` on an archive, ``subjects`` on the persons in it; both give ``findings``
- a translator's real output: ``roles``, ``role_swap``
- the gate: ``gate_observations``, from which ``recovery_fitting`` learns

Names are loaded when they are first used, since most runs use none: matplotlib and sacrebleu (the
extra ``lab``) are needed where something is drawn or compared with a reference.
"""

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.evaluation.adversaries import attack_case
    from prism_core.evaluation.adversaries.base import Embedder, Topics
    from prism_core.evaluation.adversaries.cases import observe_archive
    from prism_core.evaluation.adversaries.linking import load_embedder
    from prism_core.evaluation.bertscore import measure_likeness
    from prism_core.evaluation.corpora import Translate, read_mctest
    from prism_core.evaluation.findings import Finding
    from prism_core.evaluation.gate_observations import (
        Bundle,
        observe_roles,
        observe_run,
        read_bundles,
    )
    from prism_core.evaluation.laboratory import Equipment, Laboratory, SweepPlan, SweepProgress
    from prism_core.evaluation.local_model import LocalModel
    from prism_core.evaluation.overlap import measure_overlap
    from prism_core.evaluation.panels import Examinee, LanguagePanel, OfflinePanel
    from prism_core.evaluation.paper_procedures import CALLS
    from prism_core.evaluation.publishing import publish
    from prism_core.evaluation.ranker import TRAINING, train_ranker
    from prism_core.evaluation.recovery_fitting import (
        ForecastQuality,
        Observation,
        fit_table,
        judge_predictions,
        mend_table,
        predict_unseen,
    )
    from prism_core.evaluation.reproduction import reproduce
    from prism_core.evaluation.roles import (
        AnsweredText,
        load_roles_encoder,
        measure_rates,
        read_answered,
        read_sentences,
        role_row,
    )
    from prism_core.evaluation.subjects.measured import Measured, measure_methods, measure_sent
    from prism_core.evaluation.subjects.model_attack import Ask
    from prism_core.evaluation.subjects.records import is_published
    from prism_core.evaluation.summary import BoundedFigure, CorpusSummary
    from prism_core.evaluation.tables import ResultTable, short_table, summary_as_json


__all__ = [
    "CALLS",
    "TRAINING",
    "AnsweredText",
    "Ask",
    "BoundedFigure",
    "Bundle",
    "CorpusSummary",
    "Embedder",
    "Equipment",
    "Examinee",
    "Finding",
    "ForecastQuality",
    "Laboratory",
    "LanguagePanel",
    "LocalModel",
    "Measured",
    "Observation",
    "OfflinePanel",
    "ResultTable",
    "SweepPlan",
    "SweepProgress",
    "Topics",
    "Translate",
    "attack_case",
    "fit_table",
    "is_published",
    "judge_predictions",
    "load_embedder",
    "load_roles_encoder",
    "measure_likeness",
    "measure_methods",
    "measure_overlap",
    "measure_rates",
    "measure_sent",
    "mend_table",
    "observe_archive",
    "observe_roles",
    "observe_run",
    "predict_unseen",
    "publish",
    "read_answered",
    "read_bundles",
    "read_mctest",
    "read_sentences",
    "reproduce",
    "role_row",
    "short_table",
    "summary_as_json",
    "train_ranker",
]

__getattr__ = lazy_door(__name__)
