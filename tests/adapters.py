"""A translator of a test's own in the place of one that ships."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from prism_core.plugins import load_plugin
from prism_core.settings import TranslatorSettings


def put_in_place(name: str, make: Callable[..., Any]) -> None:
    """Let ``make(settings, source, target)`` give the translator ``name``.

    The fake one comes back after each test, another does not: see ``conftest.py``.
    """
    module = load_plugin(TranslatorSettings.package, name)
    module.ADAPTER = replace(module.ADAPTER, make=make)  # type: ignore[attr-defined]


def put_in_place_for_a_test(
    monkeypatch: pytest.MonkeyPatch, name: str, make: Callable[..., Any]
) -> None:
    """The same until the test is over."""
    module = load_plugin(TranslatorSettings.package, name)
    monkeypatch.setattr(module, "ADAPTER", replace(module.ADAPTER, make=make))
