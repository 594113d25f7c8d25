"""Baselines of quality: a person's translation, and the model on this machine in clear."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import sacrebleu

from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.evaluation import LocalModel, read_answered
from prism_core.evaluation.laboratory import SweepPlan
from prism_core.evaluation.methods import Tools, methods_of
from prism_core.evaluation.metrics import BLEU, CHRF, signatures
from prism_core.evaluation.overlap import compare_with_reference
from prism_core.evaluation.results import (
    Result,
    Results,
    span,
)
from prism_core.evaluation.summary import summaries
from prism_core.evaluation.tables import comparing_tables, short_table, summary_as_json
from prism_core.language import LanguageModel
from tests.evaluation.corpus import corpus
from tests.evaluation.measured import FRAME, MADE, result, run
from tests.words import dictionary, nouns, sentence

REFERENCES = ["O médico abriu a janela.", "Um agricultor fechou o jardim.", "A ponte é velha."]
WORSE = ["O médico abriu o janela.", "Um agricultor fechou a jardim.", "O ponte é velho."]
ENGLISH = ["The doctor opened the window.", "A farmer closed the garden.", "The bridge is old."]
MODEL = LocalModel("en", "pt")


def test_translations_are_scored_as_sacrebleu_does_and_compared_in_pairs() -> None:
    clear = {"remote": REFERENCES, "local": WORSE}
    found = compare_with_reference(clear, [WORSE[0], None, WORSE[2]], REFERENCES)
    expected = sacrebleu.corpus_bleu(WORSE, [REFERENCES]).score
    assert found["all"]["lines"] == 3
    assert found["all"]["scores"]["local"]["bleu"]["value"] == pytest.approx(expected)
    better = found["all"]["differences"]["remote - local"]["bleu"]
    assert better["value"] == pytest.approx(100 - expected)
    assert 0 < better["low"] <= better["value"] <= better["high"]
    restored = found["restored"]
    assert restored["lines"] == 2
    assert restored["differences"]["prism - local"]["chrf"] == {"value": 0, "low": 0, "high": 0}
    assert restored["differences"]["prism - remote"]["chrf"]["high"] < 0


def test_signatures_are_those_that_sacrebleu_prints() -> None:
    metric = sacrebleu.CHRF()
    metric.corpus_score(WORSE, [REFERENCES])
    assert signatures()["chrF"] == str(metric.get_signature())
    assert "tok:13a" in signatures()["BLEU"]


def test_the_model_on_this_machine_is_a_method_that_sends_nothing() -> None:
    texts = corpus([sentence("The/DT", "doctor/NN", "opened/VBD", "the/DT", "window/NN", "./.")])
    tools = Tools(dictionary(*nouns(3)), lambda tag: tag, dict, local=MODEL)
    (method,) = methods_of(["local"], tools)
    (outcome,) = method.run(texts, lambda _: pytest.fail("nobody is asked"), Random(1))
    assert "médico" in outcome.text
    assert not outcome.sent


def test_the_model_on_this_machine_is_measured_when_asked_for(tmp_path: Path) -> None:
    def methods(*named: str, local: bool = False) -> list[str]:
        return SweepPlan(("wmt",), named, tmp_path, local=local).all_methods

    assert "local" not in methods()
    assert methods(local=True)[:3] == ["plain", "empty", "local"]
    assert methods("nested", local=True) == ["plain", "empty", "local", "nested"]


def test_a_pair_without_a_model_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRISM_MODELS", str(tmp_path))
    with pytest.raises(Misconfigured, match="prism models add en-pt"):
        MODEL.digest()


def with_reference(found: Result, texts: list[str]) -> Result:
    table = found.table.copy()
    for row, text, reference in zip(table, texts, REFERENCES, strict=True):
        row[span(CHRF, "human_")] = CHRF.count([text], [reference])
        row[span(BLEU, "human_")] = BLEU.count([text], [reference])
    made = replace(MADE, signatures=signatures())
    return replace(found, table=np.asarray(table), provenance=made)


def test_a_person_comes_first_and_differences_are_those_from_the_model_here(
    tmp_path: Path,
) -> None:
    measured = [
        with_reference(result(run(method, "", documents=3), [0.5] * 3, [0.5] * 3), texts)
        for method, texts in (("plain", REFERENCES), ("local", WORSE), ("prism-r", WORSE))
    ]
    Results(tmp_path).add(measured[0])
    assert next(iter(Results(tmp_path))).provenance.signatures == signatures()
    (summary,) = summaries(measured, ["plain", "local"])
    table = short_table(summary)
    assert comparing_tables(summary)[0] == table
    assert table.columns[2:6] == ("chrF (human)", "BLEU (human)", "chrF − local", "BLEU − local")
    plain, local, prism = ([cell.text for cell in row] for row in table.rows)
    assert float(plain[4].split()[0]) > 0
    assert local[4] == prism[4] == "0.0 [0.0, 0.0]"
    assert any("tok:13a" in line for line in summary.provenance())
    rows = {method["method"]: method for method in summary_as_json(summary)["methods"]}
    assert rows["prism-r"]["settings"][0]["human_bleu_less_local"]["value"] == 0


def test_without_the_model_here_there_are_no_differences_and_without_a_person_no_table() -> None:
    plain = result(run("plain", "", documents=3), [0.5] * 3, [0.5] * 3)
    (summary,) = summaries([with_reference(plain, WORSE)])
    assert "add --local" in short_table(summary).note
    assert "human_bleu_less_local" not in summary_as_json(summary)["methods"][0]["settings"][0]
    (summary,) = summaries(FRAME)
    assert "person" not in comparing_tables(summary)[0].title


def test_references_are_line_by_line(tmp_path: Path) -> None:
    for name, lines in (("a.en", ENGLISH), ("a.x.pt", WORSE), ("a.pt", REFERENCES[:2])):
        (tmp_path / name).write_text("\n".join(lines))
    files = (tmp_path / "a.en", tmp_path / "a.x.pt")
    with pytest.raises(ConfigurationError, match="has 2"):
        read_answered(*files, LanguageModel.load("en"), reference=tmp_path / "a.pt")
