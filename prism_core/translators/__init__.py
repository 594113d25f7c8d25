"""Translators: one interface, one file for each provider, one scheduler for all.

``make_translator`` makes a translator from the settings, by an adapter of ``adapters``.
``Scheduler`` sends texts to one translator, ``Recipients.ask`` to several. ``CostForecast`` counts
cost before a run, ``Budget`` during it, and ``Sent.cost`` after it.
"""

from __future__ import annotations

from prism_core.translators.alignment_tags import keep_consistent, words_to_mark
from prism_core.translators.base import (
    Limits,
    Load,
    Price,
    Promptable,
    Provider,
    Terms,
    Translator,
    make_provider,
    make_translator,
    terms_of,
)
from prism_core.translators.batch_scheduler import BatchScheduler
from prism_core.translators.batches import BatchTranslator
from prism_core.translators.checks import AnswerChecks, AnswerFault
from prism_core.translators.cost import Budget, CostForecast, Expected, Sent
from prism_core.translators.firefox_models import (
    ModelFiles,
    add_model_folder,
    add_model_pair,
    list_models,
)
from prism_core.translators.pacing import Clock, Pace, seconds_taken
from prism_core.translators.requests import (
    FAILURES_IN_DOUBT,
    FAILURES_OF_PROVIDER,
    FAILURES_UNANSWERED,
    FAILURES_UNBILLED,
    Item,
    SendingOutcome,
)
from prism_core.translators.retrying import RetryingTranslator
from prism_core.translators.routing import Party, Recipients
from prism_core.translators.scheduler import Scheduler

__all__ = [
    "FAILURES_IN_DOUBT",
    "FAILURES_OF_PROVIDER",
    "FAILURES_UNANSWERED",
    "FAILURES_UNBILLED",
    "AnswerChecks",
    "AnswerFault",
    "BatchScheduler",
    "BatchTranslator",
    "Budget",
    "Clock",
    "CostForecast",
    "Expected",
    "Item",
    "Limits",
    "Load",
    "ModelFiles",
    "Pace",
    "Party",
    "Price",
    "Promptable",
    "Provider",
    "Recipients",
    "RetryingTranslator",
    "Scheduler",
    "SendingOutcome",
    "Sent",
    "Terms",
    "Translator",
    "add_model_folder",
    "add_model_pair",
    "keep_consistent",
    "list_models",
    "make_provider",
    "make_translator",
    "seconds_taken",
    "terms_of",
    "words_to_mark",
]
