"""Translators: one interface, one file for each provider, one scheduler for all.

Who is asked: ``make_provider``, an adapter of ``adapters``. How: ``Scheduler``, or for one that
answers within hours ``BatchScheduler``. What it costs: ``Forecast`` before, ``Budget`` meanwhile,
``cost`` after. With several: ``fail_over`` or ``ask_side_by_side``.
"""

from __future__ import annotations

from prism_core.translators.adapter import (
    Terms,
    answers_by_the_batch,
    make_provider,
    make_translator,
    marks_of,
    terms_of,
)
from prism_core.translators.base import (
    Limits,
    Price,
    Promptable,
    Provider,
    Translator,
    override_limits,
)
from prism_core.translators.batch_scheduler import BatchScheduler
from prism_core.translators.batches import BatchTranslator
from prism_core.translators.checks import AnswerChecks
from prism_core.translators.cost import (
    Budget,
    Expected,
    Forecast,
    Sent,
    budget_of,
    budgets_of,
    cost,
)
from prism_core.translators.marks import words_to_mark
from prism_core.translators.pacing import Pacing, SharedPace
from prism_core.translators.requests import Item, Outcome
from prism_core.translators.routing import (
    Party,
    ask_side_by_side,
    assign_texts,
    fail_over,
    find_serving,
    merge_outcomes,
)
from prism_core.translators.scheduler import Scheduler

__all__ = [
    "AnswerChecks",
    "BatchScheduler",
    "BatchTranslator",
    "Budget",
    "Expected",
    "Forecast",
    "Item",
    "Limits",
    "Outcome",
    "Pacing",
    "Party",
    "Price",
    "Promptable",
    "Provider",
    "Scheduler",
    "Sent",
    "SharedPace",
    "Terms",
    "Translator",
    "answers_by_the_batch",
    "ask_side_by_side",
    "assign_texts",
    "budget_of",
    "budgets_of",
    "cost",
    "fail_over",
    "find_serving",
    "make_provider",
    "make_translator",
    "marks_of",
    "merge_outcomes",
    "override_limits",
    "terms_of",
    "words_to_mark",
]
