"""Documents under policies: who sees them, how strongly they are encoded, and what is not sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.report.page import count_policies
from prism_core.report.page_data import read_page_data
from prism_core.report.rows import DocumentRow
from prism_core.settings import (
    Job,
    MechanismSettings,
    PolicySettings,
    Settings,
    TranslatorSettings,
    Treatment,
)
from prism_core.settings.sections import ReportSettings
from tests.provider_server import KEY
from tests.provider_servers import LibreServer
from tests.stages.archive import again, backwards, make_job, outputs, write_archive

SHARED_SENTENCE = "The dog followed the farmer."
TEXTS = {
    "patients/anna.txt": f"The old doctor opened the heavy window. {SHARED_SENTENCE}\n",
    "news/today.txt": f"The proud soldier repaired the narrow bridge. {SHARED_SENTENCE}\n",
}
PATIENTS = "patients/anna.txt"


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[LibreServer, LibreServer]]:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreServer(backwards) as first, LibreServer(backwards) as second:
        yield first, second


def seen(server: LibreServer) -> list[str]:
    return [text for batch in server.batches for text in batch]


def job_under(folder: Path, *policies: PolicySettings, **changes: object) -> Job:
    write_archive(folder / "in", TEXTS)
    return make_job(folder, policies=policies, **changes)


def rows_of(job: Job) -> dict[str, DocumentRow]:
    """The rows of the report by the size of their files, which differ."""
    sizes = {(job.input / name).stat().st_size: name for name in TEXTS}
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    return {sizes[row.bytes]: row for row in report.documents}


def test_only_the_translators_of_its_policy_see_a_document(tmp_path: Path, servers) -> None:
    first, second = servers
    policy = PolicySettings(name="patients", folders=("patients",), translators=("libretranslate",))
    asked = {"translator": TranslatorSettings.choose(name="fake", style="reverse")}
    job = job_under(tmp_path, policy, **asked, other_translators=(second.settings(),))
    translate(job)
    assert len(seen(second)) == 2
    assert not first.batches
    assert outputs(job)[PATIENTS] == backwards(TEXTS[PATIENTS]).encode()


def test_a_sentence_under_two_policies_is_sent_for_each_to_its_own(tmp_path: Path, servers) -> None:
    _, second = servers
    job = job_under(
        tmp_path,
        PolicySettings(name="patients", folders=("patients",), translators=("libretranslate",)),
        PolicySettings(name="rest", folders=("*",), translators=("fake",)),
        translator=TranslatorSettings.choose(name="fake", style="reverse"),
        other_translators=(second.settings(),),
    )
    summary = translate(job)
    assert summary.sentences == 4
    assert len(seen(second)) == 2
    assert outputs(job)[PATIENTS] == backwards(TEXTS[PATIENTS]).encode()
    assert summary.documents_written == 2


def test_a_document_that_nobody_may_see_is_not_sent(tmp_path: Path, servers) -> None:
    first, _ = servers
    policy = PolicySettings(name="sealed", folders=("patients/",), translators=())
    job = job_under(tmp_path, policy, translator=first.settings())
    summary = translate(job)
    assert summary.documents_failed == 1
    assert PATIENTS not in outputs(job)
    assert len(seen(first)) == 2
    row = rows_of(job)[PATIENTS]
    assert (row.failure, row.treatment) == ("withheld-by-policy", "sealed")


def test_a_policy_has_its_own_mechanism_and_the_report_its_epsilon(tmp_path: Path) -> None:
    private = MechanismSettings.choose(name="prism-r", replace_probability=0.9, minimum_pool=2)
    policy = PolicySettings(name="patients", folders=("patients",), mechanism=private)
    job = job_under(tmp_path, policy)
    translate(job)
    rows = rows_of(job)
    assert 0 < rows[PATIENTS].epsilon_word < 10
    assert rows[PATIENTS].treatment == "patients"
    assert rows["news/today.txt"].epsilon_word == float("inf")
    assert rows["news/today.txt"].treatment is None


def test_the_report_says_what_each_policy_asks_for_and_how_many_documents_it_has(
    tmp_path: Path,
) -> None:
    job = job_under(
        tmp_path,
        PolicySettings(name="sealed", folders=("patients",), translators=()),
        PolicySettings(
            name="private",
            folders=("news",),
            mechanism=MechanismSettings.choose(name="prism-r", minimum_pool=2),
            max_epsilon=1,
        ),
        PolicySettings(name="misspelled", folders=("newz",), withhold=("name", "email")),
    )
    translate(job)
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    assert tuple(report.facts.policies) == (
        "sealed: mechanism=prism-star threshold=0.5 minimum_pool=2 hidden_words=all "
        "unknown_words=source draws=uniform translators=nobody",
        "private: mechanism=prism-r threshold=0.2 replace_probability=0.5 minimum_pool=2 "
        "hidden_words=all unknown_words=source draws=uniform max_epsilon=1.0",
        "misspelled: mechanism=prism-star threshold=0.5 minimum_pool=2 hidden_words=all "
        "unknown_words=source draws=uniform withhold=name,email",
    )
    found = count_policies(report.facts.policies, read_page_data(report.folder).kinds)
    assert [(one.name, one.documents, one.stronger, one.refused) for one in found] == [
        ("sealed", 1, 0, 1),
        ("private", 1, 1, 0),
        ("misspelled", 0, 0, 0),
    ]
    page = (report.folder / "index.html").read_text(encoding="utf-8")
    assert "<code>withhold=name,email</code> <b>It fits no document of this run.</b>" in page
    assert "holds for the 0 other documents" in page


def test_a_document_over_its_epsilon_is_replaced_more_until_it_is_within(tmp_path: Path) -> None:
    private = MechanismSettings.choose(name="prism-r", replace_probability=0.5, minimum_pool=2)
    policy = PolicySettings(
        name="patients", folders=("patients",), mechanism=private, max_epsilon=30
    )
    job = job_under(tmp_path, policy)
    translate(job)
    row = rows_of(job)[PATIENTS]
    assert row.treatment.startswith("patients+")
    assert row.epsilon_document <= 30
    weaker = job.under(Treatment("patients" if row.treatment == "patients+1" else "patients+1"))
    as_sent = job.under(Treatment(row.treatment))
    of_weaker, of_row = (one.settings.mechanism for one in (weaker, as_sent))
    assert of_weaker.replace_probability < of_row.replace_probability


def test_the_ratio_is_tuned_to_a_privacy_score(tmp_path: Path) -> None:
    ratio = MechanismSettings.choose(name="prism-star-ratio", ratio=0.0, minimum_pool=2)
    policy = PolicySettings(name="all", folders=("*",), mechanism=ratio, min_privacy_score=0.4)
    job = job_under(tmp_path, policy)
    translate(job)
    rows = rows_of(job).values()
    assert all(0.4 <= row.privacy_score <= 1 for row in rows)
    assert all(row.treatment.startswith("all+") for row in rows)
    assert all(row.tokens_replaced > 0 for row in rows)


def test_every_document_has_a_score_where_the_report_is_to_have_it(tmp_path: Path) -> None:
    policy = PolicySettings(name="patients", folders=("patients",))
    job = job_under(tmp_path, policy, report=ReportSettings(privacy_scores=True))
    translate(job)
    assert all(0 < row.privacy_score <= 1 for row in rows_of(job).values())
    plain = job_under(tmp_path / "plain", policy)
    translate(plain)
    assert all(row.privacy_score is None for row in rows_of(plain).values())


def test_a_document_that_no_strength_brings_within_its_budget_is_not_sent(
    tmp_path: Path, servers
) -> None:
    first, _ = servers
    keeping = MechanismSettings.choose(hidden_words="none", minimum_pool=2, unknown_words="keep")
    policy = PolicySettings(name="all", folders=("*",), mechanism=keeping, min_privacy_score=0.5)
    unknown = "The zebra chased the giraffe. The lion hunted the antelope.\n"
    write_archive(tmp_path / "in", {"zoo.txt": unknown})
    job = make_job(tmp_path, policies=(policy,), translator=first.settings())
    translate(job)
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    [row] = report.failures
    assert row.failure == "over-budget"
    assert row.treatment == policy.treatments(job.settings.mechanism)[-1] == "all+2"
    assert "PPS" in row.advice
    assert not first.batches


def test_a_class_that_is_withheld_keeps_its_sentences_back(tmp_path: Path, servers) -> None:
    first, _ = servers
    text = "The old doctor opened the window. Write to a.b@clinic.example about the dog.\n"
    write_archive(tmp_path / "in", {"letter.txt": text})
    policy = PolicySettings(name="all", folders=("*",), withhold=("email",))
    job = make_job(tmp_path, policies=(policy,), translator=first.settings())
    translate(job)
    assert len(seen(first)) == 1
    assert "Write to a.b@clinic.example about the dog." in outputs(job)["letter.txt"].decode()


def test_a_changed_policy_has_its_documents_read_again(tmp_path: Path) -> None:
    job = job_under(tmp_path, PolicySettings(name="all", folders=("*",)))
    translate(job)
    changed = PolicySettings(name="all", folders=("*",), translators=())
    summary = translate(again(job, policies=(changed,)))
    assert (summary.documents_unchanged, summary.documents_failed) == (0, 2)


@pytest.mark.parametrize(
    ("folders", "path", "fits"),
    [
        (("a",), "a/b.txt", True),
        (("a/",), "a/b/c.txt", True),
        (("a",), "ab/c.txt", False),
        (("a/b.txt",), "a/b.txt", True),
        (("*.eml",), "a/b.eml", True),
        (("a/*/secret",), "a/x/secret/y.txt", True),
        (("A",), "a/b.txt", False),
    ],
)
def test_a_policy_fits_documents_below_its_folders(folders, path: str, fits: bool) -> None:
    assert PolicySettings(name="p", folders=folders).fits(path, "txt") is fits


def test_formats_and_folders_must_both_fit() -> None:
    policy = PolicySettings(name="p", folders=("a",), formats=("eml", "msg"))
    assert policy.fits("a/x", "eml")
    assert not policy.fits("a/x", "docx")
    assert not policy.fits("b/x", "eml")


def test_the_first_policy_that_fits_is_the_one() -> None:
    one, two = (PolicySettings(name=name, folders=("*",)) for name in ("one", "two"))
    assert Settings(policies=(one, two)).policy_for("x", "txt") == one


@pytest.mark.parametrize(
    ("mechanism", "stronger"),
    [
        ({"name": "prism-star-ratio", "ratio": 0.85}, ["ratio", 0.9, 1.0]),
        ({"hidden_words": "none"}, ["hidden_words", "telling", "all"]),
        ({}, ["hidden_words"]),
        ({"name": "prism-r", "replace_probability": 0.75}, ["replace_probability", 0.8, 0.9, 1.0]),
    ],
)
def test_each_level_replaces_more_than_the_one_before(mechanism, stronger) -> None:
    name, *values = stronger
    chosen = MechanismSettings.choose(**mechanism)
    budget = {"max_epsilon": 9} if chosen.bounds_epsilon else {"min_privacy_score": 0.5}
    policy = PolicySettings(name="p", folders=("*",), mechanism=chosen, **budget)
    settings = Settings(policies=(policy,))
    levels = policy.treatments(settings.mechanism)
    assert {level.policy for level in levels} == {policy.name}
    assert [level.level for level in levels] == list(range(len(levels)))
    found = [getattr(settings.under(level).mechanism, name) for level in levels]
    assert found == [getattr(chosen, name), *values]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"policies": [{"name": "p"}]}, "fits no document"),
        ({"policies": [{"name": "p", "folders": ["*"]}] * 2}, "two entries of one name"),
        ({"policies": [{"name": "p", "folders": ["*"], "translators": ["x"]}]}, "not among"),
        ({"policies": [{"name": "p", "folders": ["*"], "max_epsilon": 1}]}, "has no bound"),
        (
            {"mechanism": {"name": "prism-r"}, "identifiers": {"withhold": ["email"]}},
            "looks for no identifiers",
        ),
    ],
)
def test_a_policy_that_could_not_hold_is_refused(settings, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Settings.model_validate(settings)


def test_a_policy_that_is_gone_while_documents_wait_is_said() -> None:
    with pytest.raises(ConfigurationError, match="policy patients"):
        Settings().under(Treatment("patients+1"))
