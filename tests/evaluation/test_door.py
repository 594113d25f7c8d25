"""The one small door of the laboratory: what the product uses of it, loaded when it is used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from prism_core import evaluation
from prism_core.errors import ConfigurationError

HEAVY = ("matplotlib", "sacrebleu", "numpy", "spacy", "pyarrow")


def loaded_after(code: str) -> set[str]:
    """Which of the heavy libraries a fresh process has loaded after ``code``."""
    tell = f"import sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; {tell}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_every_name_of_the_door_is_there() -> None:
    for name in evaluation.__all__:
        assert getattr(evaluation, name) is not None


def test_another_name_is_not() -> None:
    with pytest.raises(AttributeError):
        _ = evaluation.CandidatePool


def test_the_door_loads_nothing_until_it_is_used() -> None:
    assert loaded_after("import prism_core.evaluation") == set()


def test_judging_a_document_needs_no_library_of_the_laboratory() -> None:
    found = loaded_after("from prism_core.privacy_score import estimate_privacy")
    assert found.isdisjoint({"matplotlib", "sacrebleu", "numpy"})


def test_the_laboratory_is_loaded_without_its_extra() -> None:
    found = loaded_after("from prism_core.evaluation import publish, short_table")
    assert found.isdisjoint({"matplotlib", "sacrebleu"})


@pytest.mark.parametrize("library", ["matplotlib", "sacrebleu"])
def test_a_missing_extra_is_named_when_it_is_needed(library: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    metrics = importlib.import_module("prism_core.evaluation.metrics")
    figures = importlib.import_module("prism_core.evaluation.figures")
    metrics._load_scorer.cache_clear()
    needing = {
        "matplotlib": lambda: figures.empty_figure(1, 1, (1, 1)),
        "sacrebleu": lambda: metrics.CHRF.count(["a"], ["a"]),
    }
    with pytest.raises(ConfigurationError, match=r"prism-translate\[lab\]"):
        needing[library]()
