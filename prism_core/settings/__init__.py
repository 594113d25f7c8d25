"""Settings of a run: typed, checked once, immutable.

``load_settings`` merges all sources and checks them; a ``Job`` is what one run receives.
"""

from __future__ import annotations

from prism_core.settings.defaults import Stay, Strength, without_strength
from prism_core.settings.job import Job, Phase, Shard, new_run_id
from prism_core.settings.run_settings import (
    DecodingSettings,
    GateSettings,
    KeySettings,
    NotifySettings,
)
from prism_core.settings.sections import AUTO, Settings
from prism_core.settings.sources import load_settings, named_translator
from prism_core.settings.translators import (
    TERMS,
    KeyedSettings,
    Marks,
    ModelSettings,
    Sees,
    ServerSettings,
    ServiceSettings,
    TranslatorSettings,
)
from prism_core.settings.treatment import (
    NO_POLICY,
    Consistency,
    HiddenWords,
    IdentifierClass,
    MechanismFigures,
    MechanismSettings,
    PolicySettings,
    Treatment,
)

__all__ = [
    "AUTO",
    "NO_POLICY",
    "TERMS",
    "Consistency",
    "DecodingSettings",
    "GateSettings",
    "HiddenWords",
    "IdentifierClass",
    "Job",
    "KeySettings",
    "KeyedSettings",
    "Marks",
    "MechanismFigures",
    "MechanismSettings",
    "ModelSettings",
    "NotifySettings",
    "Phase",
    "PolicySettings",
    "Sees",
    "ServerSettings",
    "ServiceSettings",
    "Settings",
    "Shard",
    "Stay",
    "Strength",
    "TranslatorSettings",
    "Treatment",
    "load_settings",
    "named_translator",
    "new_run_id",
    "without_strength",
]
