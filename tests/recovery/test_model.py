"""What the gate learns from documents that came back, and where it says that it does not know."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.recovery_fitting import (
    area_under_curve,
    bootstrap_interval,
    calibration_error,
    fit_table,
    judge_predictions,
    mend_table,
    predict_unseen,
)
from prism_core.recovery import FEATURES, Forecast, RecoveryModel, load_recovery_model
from tests.recovery.invented import MECHANISM, WIDTH, observations, table

ROWS = np.full((20, WIDTH), 0.5)


def test_what_was_learned_holds_for_documents_that_were_not_seen() -> None:
    learned = fit_table(observations(150), ["invented"], sends=3)
    unseen = observations(100, seed=2, sentences=40)
    told = [(one, learned.predict(one.features, 0, MECHANISM)) for one in unseen]
    quality = judge_predictions([pair for pair in told if pair[1].is_known])
    assert quality.restored_error < 1.3 * quality.restored_chance
    assert abs(quality.restored_bias) < 0.03
    assert quality.r2 > 0.6
    assert quality.auc > 0.9


def test_its_errors_are_those_of_documents_it_was_not_fitted_on() -> None:
    seen = observations(60)
    learned = fit_table(seen, ["invented"], sends=3)
    told = list(predict_unseen(seen, ["invented"], sends=3))
    rmse = math.sqrt(np.mean([(one.loss - found.loss) ** 2 for one, found in told]))
    assert learned.error_of(20) == pytest.approx(rmse, rel=0.25)
    low, high = bootstrap_interval(told, lambda some: judge_predictions(some).rmse, draws=50)
    assert low < rmse < high


def test_a_document_whose_loss_is_not_known_teaches_what_comes_back() -> None:
    seen = observations(80)
    unknown = [one._replace(loss=math.nan) if n % 2 else one for n, one in enumerate(seen)]
    learned = fit_table(unknown, ["invented"], sends=1)
    found = learned.predict(seen[1].features, 0, MECHANISM)
    assert math.isfinite(found.loss)
    assert learned.documents == 80


def test_a_shuffled_truth_teaches_nothing() -> None:
    seen = observations(100)
    losses = np.random.default_rng(3).permutation([one.loss for one in seen])
    shuffled = [one._replace(loss=float(x)) for one, x in zip(seen, losses, strict=True)]
    told = list(predict_unseen(shuffled, ["invented"], sends=3))
    assert judge_predictions(told).r2 < 0.2


@pytest.mark.parametrize(
    ("rows", "mechanism", "why"),
    [
        (ROWS, "prism-r", "mechanism"),
        (ROWS[:2], MECHANISM, "too-few-sentences"),
        (ROWS * 9, MECHANISM, "unlike-what-was-seen"),
    ],
)
def test_nothing_is_predicted_of_what_was_not_seen(rows, mechanism, why) -> None:
    learned = fit_table(observations(60), ["invented"], sends=3)
    assert learned.predict(ROWS, 0, MECHANISM).is_known
    found = learned.predict(rows, 0, mechanism)
    assert found.unknown == why
    assert math.isnan(found.restored)


def test_sentences_that_may_be_sent_again_come_back_more() -> None:
    once = replace(table(0.5), sends=1)
    rows = np.full((20, WIDTH), 0.5)
    rows[:, FEATURES.index("to_restore")] = math.log1p(6)
    first = once.predict(rows, 0, MECHANISM, sends=1)
    more = once.predict(rows, 0, MECHANISM, sends=3)
    bounded = once.predict(rows, 0, MECHANISM, sends=3, redraws=0.2)
    assert first.restored == pytest.approx(0.5)
    assert first.restored < bounded.restored < more.restored < 1
    assert first.loss > bounded.loss > more.loss


def test_what_stays_as_it_was_is_lost() -> None:
    assert table(1 - 1e-9).predict(ROWS, 0, MECHANISM).loss == pytest.approx(2.0, abs=0.1)
    assert table(1 - 1e-9).predict(ROWS, 20, MECHANISM).loss == pytest.approx(21.0, abs=0.1)


def test_finished_runs_move_what_is_predicted_as_far_as_they_are_many() -> None:
    predicted, restored = np.full(30, 0.9), np.full(30, 0.6)
    far = mend_table(table(0.9), predicted, restored, np.full(30, 50.0))
    near = mend_table(table(0.9), predicted[:1], restored[:1], np.full(1, 5.0))
    assert far.predict(ROWS, 0, MECHANISM).restored == pytest.approx(0.6, abs=0.01)
    assert 0.7 < near.predict(ROWS, 0, MECHANISM).restored < 0.9


def test_a_model_is_read_as_it_was_written(tmp_path: Path) -> None:
    learned = fit_table(observations(60), ["invented"], sends=1)
    file = tmp_path / "gate.json"
    RecoveryModel("en-es").with_table("azure", learned).write(file)
    read = load_recovery_model(file, "en-es")
    found = read.table("microsoft")
    assert found is not None
    assert read.table("google") is None
    own, stored = (one.predict(ROWS, 3, MECHANISM) for one in (learned, found))
    assert stored[1:4] == pytest.approx(own[1:4], rel=1e-3)


@pytest.mark.parametrize("content", ["", "[]", '{"version": 0, "features": [], "pair": "en-es"}'])
def test_what_is_no_model_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "gate.json"
    file.write_text(content)
    with pytest.raises(ConfigurationError, match="prism gate train"):
        load_recovery_model(file, "en-es")


def test_a_model_is_for_one_pair_of_languages(tmp_path: Path) -> None:
    file = tmp_path / "gate.json"
    RecoveryModel("en-es").with_table("google", table()).write(file)
    with pytest.raises(ConfigurationError, match="en-fr"):
        load_recovery_model(file, "en-fr")


def test_the_probability_of_a_loss_follows_from_its_error() -> None:
    found = Forecast(20, 0.9, loss=8.0, spread=2.0)
    assert found.likely_over(8) == pytest.approx(0.5)
    assert found.likely_over(6) == pytest.approx(0.841, abs=0.001)


def test_figures_of_quality_tell_good_from_bad() -> None:
    hits = np.array([0, 0, 1, 1, 0, 1] * 20, dtype=float)
    assert area_under_curve(hits, hits) == 1
    assert area_under_curve(hits, np.zeros(len(hits))) == 0.5
    assert calibration_error(hits, hits) == 0
    assert calibration_error(hits, np.zeros(len(hits))) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "damage",
    [
        {"restored": [0.0] * 5},
        {"restored": ["x"] * (2 * WIDTH + 1)},
        {"loss": [math.nan] * (2 * WIDTH + 1)},
        {"loss": [math.inf] * (2 * WIDTH + 1)},
        {"scale": [0.0] * WIDTH},
        {"spread": [-5.0, 1.0]},
        {"spread": [1.0]},
        {"low": "lowest"},
        {"offset": None},
        {"left_cost": math.nan},
        {"sends": 0},
        {"mechanisms": MECHANISM},
        {"unheard": 1},
    ],
)
def test_a_table_that_would_predict_nonsense_is_refused(tmp_path: Path, damage) -> None:
    """Of what is no number no limit would say that it falls short."""
    file = tmp_path / "gate.json"
    RecoveryModel("en-es").with_table("fake", table()).write(file)
    content = json.loads(file.read_text())
    assert load_recovery_model(file, "en-es").table("fake")
    content["tables"]["fake"] |= damage
    file.write_text(json.dumps(content))
    with pytest.raises(ConfigurationError, match="prism gate train"):
        load_recovery_model(file, "en-es")


def test_what_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gate.json").write_text("[" * 100_000)
    with pytest.raises(ConfigurationError, match="prism gate train"):
        load_recovery_model(tmp_path / "gate.json", "en-es")


def test_what_is_lost_is_learned_from_what_a_run_sees_and_that_is_no_extrapolation() -> None:
    """Where roles are swapped, what was sent is natural text: less sure than what is drawn."""
    place = FEATURES.index("unsure")
    seen = []
    for one in observations(120):
        features = one.features.copy()
        features[:, place] = 5 + features[:, place]
        seen.append(one._replace(features=features, loss=20 * one.drawn[:, place].mean(), left=0.0))
    learned = fit_table(seen, ["invented"], sends=1)
    found = [learned.predict(one.drawn, 0, MECHANISM) for one in seen]
    assert all(one.is_known for one in found)
    apart = [learned.loss_of(one.drawn, 0) - one.loss for one in seen]
    assert np.abs(apart).mean() < 0.5


def test_too_few_documents_are_counted_once_whatever_strengths_they_were_tried_at() -> None:
    few = observations(19)
    with pytest.raises(ConfigurationError, match=r"20 documents at least, and 19 came back"):
        fit_table(few * 3, ["invented"], sends=1)


def test_where_next_to_nothing_is_restored_nobody_can_tell_what_is_lost() -> None:
    known = observations(80)
    unknown = [one._replace(loss=math.nan) for one in known[19:]]
    with pytest.raises(ConfigurationError, match=r"of 80 documents 19 .* 20 are needed"):
        fit_table([*known[:19], *known[:19], *unknown], ["invented"], sends=1)


def test_runs_that_send_again_teach_what_comes_back_in_the_end() -> None:
    """What is mended is the share that was predicted, not that of the first answer."""
    once = replace(table(0.5), sends=1)
    rows = np.full((20, WIDTH), 0.5)
    rows[:, FEATURES.index("to_restore")] = math.log1p(6)
    told = once.predict(rows, 0, MECHANISM, sends=3).restored
    mended = mend_table(once, np.full(40, told), np.full(40, 0.8), np.full(40, 50.0))
    assert told > 0.85
    assert mended.predict(rows, 0, MECHANISM, sends=3).restored == pytest.approx(0.8, abs=0.01)
