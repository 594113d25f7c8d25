from __future__ import annotations

import pytest
import sacrebleu

from prism_core.evaluation.metrics import BLEU, CHRF, METRICS
from prism_core.evaluation.overlap import measure_overlap

TEXTS = ["El perro corre por la casa grande.", "Una chica vio a su madre ayer.", "Nada."]
REFERENCES = ["El perro corría por la casa grande.", "La chica vio a su madre ayer.", "Nada."]


def test_scores_are_those_of_sacrebleu() -> None:
    expected = sacrebleu.corpus_chrf(TEXTS, [REFERENCES]).score
    assert CHRF.compare(TEXTS, REFERENCES) == pytest.approx(expected)
    expected = sacrebleu.corpus_bleu(TEXTS, [REFERENCES]).score
    assert BLEU.compare(TEXTS, REFERENCES) == pytest.approx(expected)


def test_counts_of_parts_add_up_to_those_of_the_whole() -> None:
    for metric in METRICS:
        parts = metric.count(TEXTS[:1], REFERENCES[:1]) + metric.count(TEXTS[1:], REFERENCES[1:])
        assert metric.score(parts) == pytest.approx(metric.compare(TEXTS, REFERENCES))


def test_nothing_to_compare_has_no_score_and_nothing_written_has_none_to_show() -> None:
    assert CHRF.compare([], []) != CHRF.compare([], [])  # nan
    assert CHRF.compare([""] * 3, REFERENCES) == 0
    assert BLEU.compare([""] * 3, REFERENCES) == 0


def test_a_gain_is_judged_on_the_same_draws() -> None:
    better = ["El perro corría por la casa.", "La chica vio a su madre.", "Nada."]
    found = measure_overlap(better, REFERENCES, others=TEXTS, groups=["one", "one", "two"])
    expected = sacrebleu.corpus_chrf(better, [REFERENCES]).score
    assert found["chrf"].value == pytest.approx(expected)
    before = sacrebleu.corpus_chrf(TEXTS, [REFERENCES]).score
    assert found["chrf_gain"].value == pytest.approx(expected - before)
    same = measure_overlap(TEXTS, REFERENCES, others=TEXTS)
    gain, whole = same["bleu_gain"], same["bleu"]
    assert (gain.low, gain.value, gain.high) == (0, 0, 0)
    assert whole.low < whole.value < whole.high
