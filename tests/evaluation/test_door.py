"""The one small door of the laboratory: what the product uses of it, loaded when it is used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from prism_core import evaluation
from prism_core.errors import ConfigurationError
from tests.test_import_direction import ROOT, edges, is_in

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


@pytest.mark.parametrize("package", ["building", "dictionary", "evaluation", "language"])
def test_the_product_comes_in_by_the_door_alone(package: str) -> None:
    inside = f"prism_core.{package}"
    modules = {path.stem for path in (ROOT / "prism_core" / package).iterdir()}
    past = {
        (module, name)
        for module, name in edges()
        if is_in(name, inside) and not is_in(module, inside)
        if name.removeprefix(inside + ".").partition(".")[0] in modules
    }
    assert past == set()


def test_what_judges_a_document_stands_apart_from_the_rest_of_the_laboratory() -> None:
    questions = "prism_core.evaluation.questions"
    used = {name for module, name in edges() if module == questions}
    assert {name for name in used if is_in(name, "prism_core.evaluation")} <= {questions}


def test_the_door_loads_nothing_until_it_is_used() -> None:
    assert loaded_after("import prism_core.evaluation") == set()


def test_judging_a_document_needs_no_library_of_the_laboratory() -> None:
    names = "estimate_privacy"
    found = loaded_after(f"from prism_core.evaluation import {names}")
    assert found.isdisjoint({"matplotlib", "sacrebleu", "numpy"})


def test_the_laboratory_is_loaded_without_its_extra() -> None:
    found = loaded_after("from prism_core.evaluation import publish, short_table")
    assert found.isdisjoint({"matplotlib", "sacrebleu"})


@pytest.mark.parametrize("library", ["matplotlib", "sacrebleu"])
def test_a_missing_extra_is_named_when_it_is_needed(library: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    tally = importlib.import_module("prism_core.evaluation.results")
    figures = importlib.import_module("prism_core.evaluation.figures")
    tally._metric.cache_clear()
    needing = {
        "matplotlib": lambda: figures.empty_figure(1, 1, (1, 1)),
        "sacrebleu": lambda: tally.chrf_counts(["a"], ["a"]),
    }
    with pytest.raises(ConfigurationError, match=r"prism-translate\[evaluation\]"):
        needing[library]()
