"""The whole run with each mechanism: what its report adds up, and what it never does twice."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from prism_core.accounting import epsilon_prism_r
from prism_core.jobs import translate
from prism_core.mechanisms.vocabulary import MARKS
from prism_core.settings import Job, MechanismSettings
from prism_core.settings.sections import IdentifierSettings
from tests.adapters import put_in_place_for_a_test
from tests.mechanisms.points import scatter, write_points
from tests.stages.archive import (
    ADJECTIVES,
    NOUNS,
    TEXTS,
    VERBS,
    Backwards,
    make_job,
    outputs,
    received,
    write_archive,
)

V = len(NOUNS) + len(ADJECTIVES) + len(VERBS) + len(MARKS)
EPSILON = epsilon_prism_r(V, 0.5)


def run(folder: Path, name: str, texts: dict[str, str] = TEXTS, **changes: object) -> Job:
    write_archive(folder / "in", texts)
    table = {"name": name, "threshold": 0.5, "minimum_pool": 2}
    if name in ("dx", "pup"):
        points = scatter((*NOUNS, *ADJECTIVES, *VERBS))
        table["vectors"] = write_points(folder / "points.txt", points)
    mechanism = MechanismSettings.choose(**table)
    job = make_job(folder, mechanism=mechanism, **changes)
    translate(job)
    return job


def table(job: Job, name: str) -> list[dict[str, Any]]:
    folder = job.report_folder / f"run={job.run_id}"
    return pq.ParquetFile(folder / f"{name}.parquet").read().to_pylist()


@pytest.mark.parametrize("name", MechanismSettings.names())
def test_every_mechanism_gives_every_document_and_a_report(tmp_path, log, name) -> None:
    job = run(tmp_path, name)
    (facts,) = table(job, "run")
    assert len(outputs(job)) == facts["documents"] == 3
    assert facts["documents_failed"] == 0
    assert name in facts["mechanism"]
    assert math.isinf(facts["epsilon_word"]) == (facts["vocabulary"] is None)


@pytest.mark.parametrize("name", ["prism-r", "nested", "mixture"])
def test_the_loss_of_a_document_is_that_of_all_its_sentences(tmp_path, log, name) -> None:
    job = run(tmp_path, name)
    (facts,) = table(job, "run")
    assert (facts["vocabulary"], facts["replace_probability"]) == (V, 0.5)
    assert facts["table_probability"] == (0.25 if name == "mixture" else None)
    assert facts["epsilon_word"] == pytest.approx(EPSILON)
    rows = table(job, "sentences")
    assert all(row["epsilon"] == pytest.approx(EPSILON * row["tokens"]) for row in rows)
    for document in table(job, "documents"):
        own = {r["sentence_id"]: r for r in rows if r["document_id"] == document["document_id"]}
        tokens = sum(row["tokens"] for row in own.values())
        assert document["epsilon_document"] == pytest.approx(EPSILON * tokens)


@pytest.mark.parametrize("name", ["prism-r", "nested", "mixture"])
def test_a_sentence_whose_substitutes_got_lost_is_sent_once_and_counted(
    tmp_path, log, monkeypatch, name
) -> None:
    lost = Backwards(log)
    monkeypatch.setattr("tests.stages.archive.backwards", lambda _text: "nothing of it")
    put_in_place_for_a_test(monkeypatch, "fake", lambda *_: lost)
    job = run(tmp_path, name)
    texts = [text for request in received(log) for text in request]
    assert len(texts) == 10, "each occurrence once"
    rows = table(job, "sentences")
    unrestored = [row for row in rows if row["outcome"] == "unrestored"]
    assert unrestored
    assert all(row["sends"] == 1 for row in rows)
    assert all(row["epsilon"] == pytest.approx(EPSILON * row["tokens"]) for row in unrestored)


def test_the_report_says_what_epsilon_is_per_unit_of_and_what_went_out_unchanged(
    tmp_path, log
) -> None:
    job = run(tmp_path, "dx")
    (facts,) = table(job, "run")
    assert (facts["epsilon"], facts["distance"], facts["vectors"]) == (
        10,
        "euclidean",
        "points.txt",
    )
    sentences = table(job, "sentences")
    for document in table(job, "documents"):
        assert (document["epsilon_word"], document["epsilon_distance"]) == (10, "euclidean")
        own = [row for row in sentences if row["document_id"] == document["document_id"]]
        words = sum(row["tokens"] - row["kept_marks"] for row in own)
        unchanged = sum(row["kept_words"] + row["kept_grammar"] for row in own)
        assert document["unchanged_share"] == pytest.approx(unchanged / words)


def test_what_prism_star_sends_has_no_bound_and_what_it_withholds_no_loss(tmp_path, log) -> None:
    rows = table(run(tmp_path, "prism-star"), "sentences")
    assert all(row["epsilon"] == (math.inf if row["sends"] else None) for row in rows)


def test_without_decoding_nothing_counts_as_restored(tmp_path, log) -> None:
    (facts,) = table(run(tmp_path, "no-decode"), "run")
    assert facts["words_restored"] == 0 < facts["words_to_restore"]


@pytest.mark.parametrize(("name", "times"), [("prism-star", 1), ("prism-r", 2)])
def test_a_sentence_that_stands_twice_is_sent_twice_where_epsilon_is_bounded(
    tmp_path, log, name, times
) -> None:
    twice = {"twice.txt": "The dog followed the farmer. The dog followed the farmer.\n"}
    job = run(tmp_path, name, twice)
    assert len({row["sentence_id"] for row in table(job, "sentences")}) == times
    assert len([text for request in received(log) for text in request]) == times
    (document,) = table(job, "documents")
    whole = math.inf if name == "prism-star" else EPSILON * 12
    assert document["epsilon_document"] == pytest.approx(whole)


def test_a_sentence_that_a_draw_withheld_counts_that_draw(tmp_path, log) -> None:
    never = tmp_path / "never.txt"
    never.write_text("\n".join([*NOUNS, *ADJECTIVES, *VERBS]), encoding="utf-8")
    lists = IdentifierSettings(never_send_file=never)
    rows = table(run(tmp_path, "prism-r", identifiers=lists), "sentences")
    withheld = [row for row in rows if row["outcome"] == "withheld"]
    assert withheld
    assert all((row["sends"], row["reason"]) == (0, "never-send") for row in withheld)
    assert all(row["epsilon"] == pytest.approx(EPSILON * row["tokens"]) for row in withheld)
