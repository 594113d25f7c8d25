"""What a run is told: typed, checked once, immutable.

``load_settings`` merges what the user says and checks it; ``Job`` is what one run is handed.
"""

from __future__ import annotations

from prism_core.settings.identifiers import Consistency, IdentifierClass
from prism_core.settings.job import Job, describe_policy, may_be_sent, new_run_id, treatments
from prism_core.settings.mechanisms import MechanismFigures, MechanismSettings
from prism_core.settings.notification import NotifySettings, is_this_machine, silence
from prism_core.settings.sections import KeySettings, PolicySettings, Settings, StateSettings
from prism_core.settings.sources import (
    load_settings,
    setting_names,
    superseded_variables,
    translator_without_flags,
)
from prism_core.settings.translators import (
    TERMS,
    KeyedSettings,
    Marks,
    ModelSettings,
    ServerSettings,
    ServiceSettings,
    TranslatorSettings,
)

__all__ = [
    "TERMS",
    "Consistency",
    "IdentifierClass",
    "Job",
    "KeySettings",
    "KeyedSettings",
    "Marks",
    "MechanismFigures",
    "MechanismSettings",
    "ModelSettings",
    "NotifySettings",
    "PolicySettings",
    "ServerSettings",
    "ServiceSettings",
    "Settings",
    "StateSettings",
    "TranslatorSettings",
    "describe_policy",
    "is_this_machine",
    "load_settings",
    "may_be_sent",
    "new_run_id",
    "setting_names",
    "silence",
    "superseded_variables",
    "translator_without_flags",
    "treatments",
]
