"""The laboratory: how much an adversary learns from what was sent, and what is left for the reader.

The protocol of the PRISM paper (section 4.1): multiple-choice questions about a story, answered
from x_pub by an adversary (privacy) and from y_pri by a reader (quality). In three groups: what
estimates the privacy of one document before it is sent (questions, a sliding window that answers
them, PPS); attacks on an archive; methods measured over public corpora, with tables and figures.

Names are loaded when they are first used, since most runs use none: matplotlib and sacrebleu (the
extra ``evaluation``) are needed by the third group alone, where it draws or counts.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prism_core.evaluation.adversaries import attack_case
    from prism_core.evaluation.adversaries.base import Embedder
    from prism_core.evaluation.adversaries.cases import observe_archive
    from prism_core.evaluation.adversaries.linking import load_embedder
    from prism_core.evaluation.findings import Finding
    from prism_core.evaluation.laboratory import Equipment, Laboratory, Plan, Progress
    from prism_core.evaluation.language_panel import Examinee, LanguagePanel
    from prism_core.evaluation.panel import OfflinePanel
    from prism_core.evaluation.publishing import publish
    from prism_core.evaluation.questions import cloze_questions
    from prism_core.evaluation.sliding_window import SlidingWindow, privacy_score
    from prism_core.evaluation.summary import Summary
    from prism_core.evaluation.tables import Table, short_table, summary_as_json

_HOME = {
    "cloze_questions": "questions",
    "SlidingWindow": "sliding_window",
    "privacy_score": "sliding_window",
    "attack_case": "adversaries",
    "Embedder": "adversaries.base",
    "observe_archive": "adversaries.cases",
    "load_embedder": "adversaries.linking",
    "Finding": "findings",
    "Equipment": "laboratory",
    "Laboratory": "laboratory",
    "Plan": "laboratory",
    "Progress": "laboratory",
    "Examinee": "language_panel",
    "LanguagePanel": "language_panel",
    "OfflinePanel": "panel",
    "publish": "publishing",
    "Summary": "summary",
    "Table": "tables",
    "short_table": "tables",
    "summary_as_json": "tables",
}

__all__ = [
    "Embedder",
    "Equipment",
    "Examinee",
    "Finding",
    "Laboratory",
    "LanguagePanel",
    "OfflinePanel",
    "Plan",
    "Progress",
    "SlidingWindow",
    "Summary",
    "Table",
    "attack_case",
    "cloze_questions",
    "load_embedder",
    "observe_archive",
    "privacy_score",
    "publish",
    "short_table",
    "summary_as_json",
]


def __getattr__(name: str) -> object:
    """Load the module of ``name`` on first use."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(name)
