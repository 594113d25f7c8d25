"""Evaluation: how much an adversary learns from what was sent, and what is left for the reader.

The protocol of the PRISM paper (section 4.1): multiple-choice questions about a story, answered
from x_pub by an adversary (privacy) and from y_pri by a reader (quality).
"""

from __future__ import annotations

from prism_core.evaluation.chance import Finding
from prism_core.evaluation.curve import Point, aupqc, quality_at
from prism_core.evaluation.inference import Hidden, Pool, attacks, position
from prism_core.evaluation.mctest import Question, Story, read_mctest
from prism_core.evaluation.scores import Evaluator, accuracy, privacy_score, quality_score
from prism_core.evaluation.sliding_window import SlidingWindow
from prism_core.evaluation.surviving import GoldNames, Surviving, surviving_identifiers
from prism_core.evaluation.untranslated import untranslated_words

__all__ = [
    "Evaluator",
    "Finding",
    "GoldNames",
    "Hidden",
    "Point",
    "Pool",
    "Question",
    "SlidingWindow",
    "Story",
    "Surviving",
    "accuracy",
    "attacks",
    "aupqc",
    "position",
    "privacy_score",
    "quality_at",
    "quality_score",
    "read_mctest",
    "surviving_identifiers",
    "untranslated_words",
]
