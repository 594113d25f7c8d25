from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.errors import StateError, StoreInUse
from prism_core.training import LedgerTerms, NoisePlan, PrivacyLedger

PLAN = NoisePlan(10, 2, 5, 1.25)
TERMS = LedgerTerms("document", None, 1.0, 5.0, 1e-3)


def spend(path: Path, *steps: int) -> PrivacyLedger:
    ledger = PrivacyLedger.open(path, PLAN, TERMS)
    for step in steps:
        ledger.spend(step)
    ledger.close()
    return ledger


def test_what_was_spent_is_known_after_any_end(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    written = spend(path, 1, 2, 3)
    again = spend(path)
    assert (again.spent, again.head) == (3, written.head)


def test_cut_off_anywhere_it_never_says_less_than_the_whole_lines_and_one_more(
    tmp_path: Path,
) -> None:
    path = tmp_path / "ledger.jsonl"
    spend(path, 1, 2, 3)
    whole = path.read_bytes()
    for length in [*range(0, len(whole), 23), len(whole) - 1, len(whole)]:
        path.write_bytes(whole[:length])
        lines = whole[:length].count(b"\n")
        torn = length > 0 and lines > 0 and whole[length - 1 : length] != b"\n"
        assert spend(path).spent == max(0, lines - 1) + torn
        assert spend(path).spent == max(0, lines - 1) + torn


def test_a_step_is_taken_once(tmp_path: Path) -> None:
    ledger = spend(tmp_path / "ledger.jsonl", 1, 4)
    for step in (4, 2):
        with pytest.raises(ValueError, match="once"):
            ledger.spend(step)


def test_two_trainings_do_not_share_one(tmp_path: Path) -> None:
    first = PrivacyLedger.open(tmp_path / "ledger.jsonl", PLAN, TERMS)
    with pytest.raises(StoreInUse):
        PrivacyLedger.open(tmp_path / "ledger.jsonl", PLAN, TERMS)
    first.close()


@pytest.mark.parametrize(
    ("plan", "terms"),
    [
        (replace(PLAN, noise=1.2), TERMS),
        (replace(PLAN, examples=11), TERMS),
        (PLAN, replace(TERMS, unit="sentence")),
        (PLAN, replace(TERMS, clip=2.0)),
    ],
)
def test_another_plan_does_not_go_on_with_it(
    tmp_path: Path, plan: NoisePlan, terms: LedgerTerms
) -> None:
    path = tmp_path / "ledger.jsonl"
    spend(path, 1)
    with pytest.raises(StateError, match="another training"):
        PrivacyLedger.open(path, plan, terms)


def test_a_line_that_was_taken_out_or_altered_shows(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    spend(path, 1, 2, 3)
    lines = path.read_bytes().splitlines(keepends=True)
    altered = [
        [*lines[:2], *lines[3:]],
        [*lines[:3], lines[3].replace(b'"step":3', b'"step":4'), lines[3]],
        [*lines[:3], b"nothing\n"],
    ]
    for wrong in altered:
        path.write_bytes(b"".join(wrong))
        with pytest.raises(StateError, match="not as it was written"):
            spend(path)
