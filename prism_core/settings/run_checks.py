"""Checks of settings that fit no run in shards, or none with its source language left open."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from prism_core.settings.section import Section
from prism_core.settings.state import ShardSettings, StateSettings
from prism_core.settings.translators import TranslatorSettings

_NOT_WITH_AUTO = (
    *("language.model", "dictionary.path", "dictionary.glossary", "memory.files"),
    *("mixing.decoys_file", "documents.ocr"),
)
"""Settings that concern one source language."""


def check_shards(
    shards: ShardSettings, state: StateSettings, translators: Sequence[TranslatorSettings]
) -> None:
    """Refuse shards whose processes could not work together; raise ``ValueError``."""
    if shards.count == 1:
        return
    if state.url is None:
        raise ValueError(
            "shards.count is more than one, and the state is in a file: name a PostgreSQL "
            "database that all machines reach with state.url, or leave shards out"
        )
    if any(translator.answers_by_the_batch for translator in translators):
        raise ValueError(
            "shards.count is more than one, and a translator answers by the batch: the "
            "provider works on all of it at once; leave shards out"
        )


def check_auto(
    settings: Section,
    translators: Sequence[TranslatorSettings],
    *,
    identifies: bool,
    translates_here: bool,
) -> None:
    """Refuse ``settings`` of one source language if the source is left open.

    ``identifies`` and ``translates_here`` say what they decide. Raises ``ValueError``.
    """
    values = attrgetter(*_NOT_WITH_AUTO)(settings)
    about_one = [name for name, value in zip(_NOT_WITH_AUTO, values, strict=True) if value]
    if not identifies:
        about_one.append("language.identify = false")
    if translates_here:
        about_one.append('on_withheld = "local"')
    if any(translator.answers_by_the_batch for translator in translators):
        about_one.append("a translator that answers by the batch")
    if about_one:
        raise ValueError(
            f"source is auto, and {about_one[0]} is about one source language; leave it out, "
            "or name the source language"
        )
