"""Prefect flows, and the ``prism`` command, which can run the same work as a flow of its process.

``enter_prefect`` comes first: the other names import Prefect when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from flows.prefect_environment import enter_prefect, run_flow
    from flows.translate_archive import run_translation_as_flow

__all__ = [
    "enter_prefect",
    "run_flow",
    "run_translation_as_flow",
]

__getattr__ = lazy_door(__name__)
