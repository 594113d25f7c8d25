from __future__ import annotations

from dataclasses import replace

import pytest

from prism_core.evaluation.summary import OURS, BoundedFigure, advantage, summaries
from prism_core.evaluation.tables import (
    comparing_tables,
    difference_table,
    markdown,
    method_table,
    setting_tables,
    summary_as_json,
)
from tests.evaluation.measured import FRAME, MADE, result, run, sweep

OURS_SWEPT = sweep(OURS, ("τ=0.1", 0.7, 0.6), ("τ=0.5", 0.5, 0.7))
THEIRS = sweep("prism-r", ("r=0.1", 0.4, 0.6), ("r=0.5", 0.6, 0.4))


def one_summary(*results):
    (summary,) = summaries([*FRAME, *results], [OURS, "prism-r"])
    return summary


def test_scores_are_shares_of_all_questions() -> None:
    summary = one_summary(result(run(), [0.5, 0.7, 0.6, 0.6], [0.9, 0.1, 0.5, 0.5]))
    setting = summary.curve("prism-r").settings[0]
    assert setting.estimate("pps").value == pytest.approx(0.6)
    assert setting.estimate("qs").value == pytest.approx(0.5)
    assert (summary.documents, summary.questions) == (4, 40)


def test_repeats_are_taken_together_but_none_of_an_earlier_version() -> None:
    later = replace(MADE, date="2026-02-01T00:00:00+00:00")
    summary = one_summary(
        result(run(seed=1), [0.5] * 4, [0.5] * 4),
        result(run(seed=2), [0.7] * 4, [0.5] * 4),
        result(replace(run(seed=2), version="new"), [0.9] * 4, [0.5] * 4, made=later),
        result(replace(run(seed=3), version="new"), [0.8] * 4, [0.5] * 4, made=later),
    )
    setting = summary.curve("prism-r").settings[0]
    assert setting.repeats == 2
    assert setting.estimate("pps").value == pytest.approx(0.85)


def test_area_and_quality_follow_the_curve() -> None:
    curve = one_summary(*THEIRS).curve("prism-r")
    assert curve.area().value == pytest.approx(0.4 * 0.6 + 0.2 * 0.5)
    assert curve.quality_at(0.5).value == pytest.approx(0.5)
    assert curve.quality_at(0.65) == BoundedFigure(None)


def test_documents_alike_leave_no_doubt_and_others_do() -> None:
    alike = one_summary(*THEIRS).curve("prism-r").settings[0].estimate("pps")
    assert alike.low == pytest.approx(alike.high)
    differing = result(run(), [0.1, 0.9, 0.2, 0.8], [0.5] * 4)
    unsure = one_summary(differing).curve("prism-r").settings[0].estimate("pps")
    assert unsure.high - unsure.low > 0.3


def test_methods_are_compared_at_equal_privacy_on_the_same_draws() -> None:
    summary = one_summary(*OURS_SWEPT, *THEIRS)
    ours, theirs = summary.curve(OURS), summary.curve("prism-r")
    assert advantage(theirs, ours, 0.5, "qs").value == pytest.approx(0.7 - 0.5)
    assert advantage(ours, ours, 0.5, "qs") == BoundedFigure(0.0, 0.0, 0.0)
    assert advantage(theirs, ours, 0.65, "qs") == BoundedFigure(None)


def test_the_floor_and_the_ceiling_frame_every_score() -> None:
    summary = one_summary(*THEIRS)
    assert summary.floor("pps").value == 0.75
    assert summary.ceiling("qs").value == pytest.approx(0.7)


def test_corpora_panels_and_numbers_of_documents_are_kept_apart() -> None:
    others = [
        replace(one, run=replace(one.run, **change))
        for one in THEIRS
        for change in ({"panel": "llm"}, {"corpus": "clinspen/dev"})
    ]
    fewer = [result(run(documents=2), [0.5] * 2, [0.5] * 2)]
    assert len(summaries([*THEIRS, *others, *fewer])) == 4


def test_the_best_of_a_column_is_bold_and_what_is_not_reached_is_a_dash() -> None:
    table = method_table(one_summary(*OURS_SWEPT, *THEIRS))
    written = markdown(table)
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ") for line in written.splitlines()}
    at_half = table.columns.index("QS@0.5")
    assert rows["PRISM* threshold (default)"][at_half] == "**0.700 [0.700, 0.700]**"
    assert rows["PRISM-R"][at_half] == "_0.500 [0.500, 0.500]_"
    assert rows["PRISM-R"][table.columns.index("QS@0.65")] == "–"
    assert not any(cell.rank for cell in table.rows[-1])  # the empty text


def test_every_table_of_a_summary_is_whole() -> None:
    summary = one_summary(*OURS_SWEPT, *THEIRS)
    for table in (*comparing_tables(summary), *setting_tables(summary)):
        assert {len(row) for row in table.rows} == {len(table.columns)}
    assert len(difference_table(summary).rows) == 1


def test_a_summary_as_data_says_what_is_not_defined() -> None:
    shown = summary_as_json(one_summary(*OURS_SWEPT, *THEIRS))
    theirs = next(one for one in shown["methods"] if one["method"] == "prism-r")
    assert theirs["at"]["0.65"]["qs"] == {"value": None, "low": None, "high": None}
    assert shown["floor"]["pps"]["value"] == 0.75
