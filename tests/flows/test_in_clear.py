"""A translator on this machine sees the text as it is, and the report says that nothing left."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.cat.jobs.reviewing import export_review
from prism_core.errors import ConfigurationError
from prism_core.jobs import translate
from prism_core.jobs.memory_files import export_memory
from prism_core.jobs.planning import plan
from prism_core.report import ReportFolder, RunReport
from prism_core.report.reading import read_table
from prism_core.settings import Job, PolicySettings, Settings, TranslatorSettings

TEXTS = {
    "a/letter.txt": "Oliver Bennett visited the hospital on 3 May 2021. He paid 2,200,112 euros.\n",
    "b.txt": "The doctor opened the window.\n\n1987\n",
}
FIREFOX = TranslatorSettings.choose(name="firefox")


def make_job(folder: Path, **changes: object) -> Job:
    for name, text in TEXTS.items():
        path = folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    settings = Settings(**{"target": "pt", "translator": FIREFOX, **changes})
    return Job(input=folder / "in", output=folder / "out", settings=settings)


def report_of(job: Job) -> RunReport:
    found = ReportFolder(job.report_folder).find(job.run_id)
    assert found is not None
    return found


def test_the_text_is_translated_here_without_a_dictionary_and_nothing_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "prism_core.stages.encoders.load_dictionary", lambda *_: pytest.fail("read")
    )
    job = make_job(tmp_path)
    summary = translate(job)
    assert (summary.documents_written, summary.documents_partly) == (2, 0)
    assert (summary.requests, summary.sentences_withheld) == (0, 0)
    letter = (tmp_path / "out/a/letter.txt").read_text()
    assert "Oliver Bennett visitou o hospital em 3 de maio de 2021." in letter
    assert "2.200.112\neuros" in letter
    assert (tmp_path / "out/b.txt").read_text() == "O médico abriu a janela.\n\n1987\n"
    report = report_of(job)
    assert report.facts.assessment == job.settings.assessment(job.settings.digest())
    assert report.answer.title == "Nothing left this machine: it was translated here"
    assert (report.facts.sees, report.facts.provider, report.facts.cautions) == (
        "clear", "firefox", [],
    )  # fmt: skip
    assert report.totals.sentences_by_local_model == 3
    sentences = read_table(report.folder / "sentences.parquet").to_pylist()
    assert {(row["outcome"], row["sends"]) for row in sentences} == {("translated", 0)}
    with pytest.raises(ConfigurationError, match="nothing to review"):
        export_review(job, tmp_path / "review.tsv")
    memory = export_memory(job, tmp_path / "memory.tmx", plain=True, replace=False)
    assert memory.sentences == 3
    assert "O médico abriu a janela." in memory.path.read_text()


def test_a_sentence_that_stays_here_is_translated_whole(tmp_path: Path) -> None:
    text = (
        "The soldier moved the ladder, when the old doctor opened the heavy window, the teacher "
        "carried the small basket to the village, and the dog followed the farmer.\n"
    )
    job = make_job(tmp_path, mixing={"split_clauses": True})
    (tmp_path / "in/b.txt").write_text(text)
    translate(job)
    assert report_of(job).totals.sentences == len(["He visited", "He paid", "The soldier"])


def test_the_users_terms_are_used_and_marked_where_they_could_not_be(tmp_path: Path) -> None:
    glossary = tmp_path / "terms.csv"
    glossary.write_text(
        "source,target,kind\npower of attorney,procuração forense,noun\nclaim,pedido,noun\n"
        "ward,enfermaria,noun\nlease,arrendamento,noun\n"
    )
    job = make_job(tmp_path, dictionary={"glossary": glossary})
    (tmp_path / "in/b.txt").write_text(
        "He signed a power of attorney.\n\nShe withdrew all her claims.\n\n"
        "Both wards were closed.\n\nThe lease expires in May.\n\n1987\n\n"
        "The patient was afebrile.\n"
    )
    translate(job)
    assert (tmp_path / "out/b.txt").read_text().split("\n\n")[:2] == [
        "Ele assinou uma procuração forense.",
        "Ela retirou todos os seus pedidos.",  # the words around the term agree with it
    ]
    rows = read_table(report_of(job).folder / "sentences.parquet").to_pylist()
    # Only the singular of one is known, the model drops the other, and makes up *afebrido*.
    assert sorted(row["reason"] for row in rows if row["unsure"]) == [
        *["in-clear: term-missing"] * 2,
        "in-clear: word-invented",
    ]


@pytest.mark.parametrize("marks", [True, False])
def test_a_written_document_says_that_a_machine_translated_it(
    marks: bool,
    tmp_path: Path,
) -> None:
    job = make_job(tmp_path, documents={"mark_translation": marks})
    (tmp_path / "in/b.txt").unlink()
    (tmp_path / "in/page.html").write_text(
        "<html><head></head><body><p>The doctor opened the window.</p></body></html>"
    )
    translate(job)
    said = 'content="Machine translation (firefox, by PRISM) into pt of 20'
    page = (tmp_path / "out/page.html").read_text()
    assert (said in page) is marks
    assert ("not reviewed" in page) is marks


def test_a_fault_that_no_way_avoids_is_marked_for_review(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    area = (
        "Turkey's area, including lakes, occupies 783,562 square kilometres (300,948 sq mi), of "
        "which 755,688 square kilometres (291,773 sq mi) are in south west Asia and 23,764 square "
        "kilometres (9,174 sq mi) in Europe."
    )
    (tmp_path / "in/b.txt").write_text(area)
    translate(job)
    (row,) = [
        row
        for row in read_table(report_of(job).folder / "sentences.parquet").to_pylist()
        if row["unsure"]
    ]
    assert row["reason"] == "in-clear: number-changed"
    review = tmp_path / "review.tsv"
    assert export_review(job, review).units == 1
    assert "number-changed" in review.read_text()


def test_a_clause_that_the_model_leaves_out_is_translated_or_marked(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    (tmp_path / "in/b.txt").write_text(
        "He received three doses of morphine, at 5 mg intravenously for each dose, four hours "
        "apart, with good effect.\n\nWho fits the role better than I?\n"
    )
    translate(job)
    assert "quatro horas" in (tmp_path / "out/b.txt").read_text()
    rows = read_table(report_of(job).folder / "sentences.parquet").to_pylist()
    (marked,) = [row for row in rows if row["unsure"]]
    assert marked["reason"] == "in-clear: words-missing"


def test_a_second_run_translates_what_is_new_alone(tmp_path: Path) -> None:
    translate(make_job(tmp_path))
    job = make_job(tmp_path)
    (tmp_path / "in/c.txt").write_text("The river is cold.")
    summary = translate(job)
    assert (summary.documents_written, summary.documents_unchanged) == (1, 2)
    assert (tmp_path / "out/c.txt").read_text() == "O rio está frio."


def test_a_policy_that_excludes_the_translator_holds(tmp_path: Path) -> None:
    sealed = PolicySettings(name="sealed", folders=("a",), translators=())
    job = make_job(tmp_path, policies=(sealed,), on_withheld="leave")
    summary = translate(job)
    assert (summary.documents_written, summary.documents_failed) == (1, 1)
    assert not (tmp_path / "out/a").exists()


def test_a_plan_says_that_nothing_is_sent_and_how_a_trial_went(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    (tmp_path / "in/c.txt").write_text("The patient was afebrile.\n\nKnee\n\nLeft\n")
    other = TranslatorSettings.choose(name="fake")
    planned = plan(job, [FIREFOX, other])
    assert planned.stays == "in-clear"
    assert planned.assessment == job.settings.assessment(job.settings.digest())
    assert planned.rows[0].expected.texts == 0 < planned.rows[1].expected.texts
    assert planned.here is not None
    assert planned.obstacles == planned.cautions == ()
    assert not (tmp_path / "out").exists()
    translate(job)
    rows = read_table(report_of(job).folder / "sentences.parquet").to_pylist()
    doubted = [row["reason"] for row in rows if row["unsure"]]
    assert "in-clear: word-invented" in doubted
    assert (planned.here.taken, planned.here.doubted) == (len(rows), len(doubted))


def test_the_same_translator_gets_encodings_where_the_settings_say_so(tmp_path: Path) -> None:
    encoded = TranslatorSettings.choose(name="firefox", sees="encoded")
    job = make_job(tmp_path, translator=encoded)
    assert translate(job).requests > 0
    assert report_of(job).facts.sees == "encoded"


@pytest.mark.parametrize(
    ("settings", "sees_clear"),
    [
        ({"name": "apertium"}, True),
        ({"name": "local"}, True),
        ({"name": "libretranslate"}, True),
        ({"name": "libretranslate", "base_url": "http://127.0.0.1:2737"}, True),
        ({"name": "libretranslate", "base_url": "https://translate.example"}, False),
        ({"name": "openai", "base_url": "http://localhost:11434/v1"}, False),
        ({"name": "openai", "base_url": "http://localhost:11434/v1", "sees": "clear"}, True),
        ({"name": "deepl"}, False),
        ({"name": "fake"}, False),
        ({"name": "apertium", "sees": "encoded"}, False),
    ],
)
@pytest.mark.usefixtures("trust_translators_here")
def test_what_is_on_this_machine_sees_the_text(settings: dict[str, str], sees_clear: bool) -> None:
    """A server that imitates a provider elsewhere may be a gateway to it."""
    assert TranslatorSettings.choose(**settings).sees_clear is sees_clear


@pytest.mark.parametrize("name", ["deepl", "openai", "libretranslate"])
def test_nothing_goes_in_clear_to_another_machine(name: str) -> None:
    address = {} if name == "deepl" else {"base_url": "https://translate.example"}
    with pytest.raises(ValueError, match="on this machine"):
        TranslatorSettings.choose(name=name, sees="clear", **address)


def test_a_translator_in_clear_is_the_only_one() -> None:
    with pytest.raises(ValueError, match="is the only one"):
        Settings(target="pt", translator=FIREFOX, other_translators=("fake",))


def test_a_word_alone_is_translated_behind_the_text_before_it_and_marked(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    (tmp_path / "in/b.txt").write_text("Court\n\nHearing\n")
    translate(job)
    assert (tmp_path / "out/b.txt").read_text().endswith("\n\nAudiência\n")
    reasons = read_table(report_of(job).folder / "sentences.parquet").column("reason").to_pylist()
    assert reasons.count("in-clear: word-alone") == 2
