"""An archive in several languages: each text is sent by the pair of its own language, or stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prism_core import resources
from prism_core.dictionary import Entry, Form, read_dictionary, save_dictionary
from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.jobs import prepare_job, translate
from prism_core.jobs.planning import plan
from prism_core.languages import load_language
from prism_core.report import ReportFolder
from prism_core.report.reading import read_rows
from prism_core.resources import SHIPPED, shipped_dictionary
from prism_core.settings import Job, Settings, TranslatorSettings
from prism_core.settings.sections import DictionarySettings, LanguageSettings, MixingSettings
from prism_core.stages import Run, ingest
from prism_core.state import DocumentStatus
from tests.adapters import put_in_place
from tests.child_process import KILLED, die
from tests.end_to_end.canary import Searcher
from tests.flows.killing import run_in_child
from tests.stages.archive import (
    GIVEN,
    PLACES,
    SURNAMES,
    Backwards,
    again,
    backwards,
    make_dictionary,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

ENGLISH = (
    "The old doctor opened the heavy window. Emma Quibble visited the garden.\n\n"
    "The teacher carried the small basket to the village, and the dog followed the farmer.\n"
)
SPANISH = (
    "El abogado pagó la casa del vecino en el pueblo. Carmen Quesada abrió la ventana.\n\n"
    "La mujer abrió la ventana de la cocina, y el vecino pagó la mesa del jardín de la casa.\n"
)
OTHER_SPANISH = "La hija del vecino pagó la cena en el pueblo, y la mujer abrió la puerta.\n"
GERMAN = "Der Vertrag wurde von beiden Parteien vor dem Ende des Monats in München unterzeichnet.\n"
FRENCH = "Le contrat a été signé par les deux parties avant la fin du mois de mars à Lyon.\n"
TEXTS = {
    "english.txt": ENGLISH,
    "spanish.txt": SPANISH,
    "annex.txt": f"{SPANISH}\n{ENGLISH}\nEl pueblo\n",
    "german.txt": GERMAN,
    "letter.txt": f"{GERMAN * 3}\n{OTHER_SPANISH}",
    "french.txt": FRENCH,
    "unknown.txt": "Zork 12\n",
}
EXPECTED = {
    name: backwards(TEXTS[name]) for name in ("english.txt", "spanish.txt", "annex.txt")
} | {
    "german.txt": GERMAN,
    "letter.txt": f"{GERMAN * 3}\n{backwards(OTHER_SPANISH)}",
}
PRIVATE = "Quesada", "Quibble"


@dataclass(frozen=True)
class Logs:
    """What the translators of each source language received."""

    folder: Path

    def install(self, lacking: str = "", **hooks: Callable[[int], None]) -> None:
        """``before_es``, ``after_en`` …: what is called at a request of that language. They have no
        pair from ``lacking``."""

        def make(_settings: TranslatorSettings, source: str, _target: str) -> Backwards:
            if source == lacking:
                raise Misconfigured(f"no pair from {source}")
            own = {name[:-3]: hook for name, hook in hooks.items() if name.endswith(f"_{source}")}
            return Backwards(self.folder / source, **own)

        put_in_place("fake", make)

    def texts(self, source: str) -> list[str]:
        return texts_received(self.folder / source)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ships, with dictionaries into German from two languages, one of them experimental."""
    folder = tmp_path_factory.mktemp("shipped")
    (folder / "data").symlink_to(SHIPPED / "data")
    (folder / "dictionaries").mkdir()
    make_dictionary(folder / "dictionaries" / "en-de.parquet")
    spanish = load_language("es")
    known = {(e.word, e.tag) for e in read_dictionary(shipped_dictionary("es", "en")).entries}
    entries = [
        Entry(word, tag, (Form(word[::-1], 1.0),), "", 1.0, 0.0)
        for word, tag in sorted(known)
        if word.isalpha() and word.islower() and not spanish.elides(word)  # not *el agua* for *la*
    ]
    names = [(GIVEN, "GIVEN"), (SURNAMES, "SURNAME"), (PLACES, "PLACE")]
    entries += [
        Entry(name, tag, (Form(name, 1.0),), "", 1.0, 0.0) for group, tag in names for name in group
    ]
    told = {"translator": "reverse", "source": "es", "target": "de"}
    save_dictionary(entries, told, folder / "dictionaries" / "es-de.parquet")
    return folder


@pytest.fixture
def logs(shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Logs:
    monkeypatch.setattr(resources, "SHIPPED", shipped)
    (tmp_path / "logs").mkdir()
    logs = Logs(tmp_path / "logs")
    logs.install()
    return logs


@pytest.fixture
def job(tmp_path: Path, logs: Logs) -> Job:
    write_archive(tmp_path / "in", TEXTS)
    return mixed_job(tmp_path)


def mixed_job(folder: Path, *, experimental: bool = True) -> Job:
    return make_job(
        folder,
        source="auto",
        target="de",
        dictionary=DictionarySettings(),
        language=LanguageSettings(experimental=experimental),
    )


def rows(job: Job, table: str = "documents") -> dict[str, list[dict[str, Any]]]:
    """The rows of the one report of ``job``, by the path of their document."""
    (folder,) = [one for one in job.report_folder.glob("run=*") if one.name.endswith(job.run_id)]
    found: dict[str, list[dict[str, Any]]] = {}
    with Run.view(job) as view:
        for row in read_rows(folder / f"{table}.parquet"):
            (path,) = view.store.documents.paths([row["document_id"]]).values()
            found.setdefault(path, []).append(row)
    return found


def texts(job: Job) -> dict[str, str]:
    return {name: content.decode() for name, content in outputs(job).items()}


def test_each_text_is_translated_from_its_own_language_and_others_are_reported(
    job: Job, logs: Logs
) -> None:
    translate(job)
    assert texts(job) == EXPECTED
    assert len(list(job.report_folder.glob("run=*"))) == 1
    documents = {name: row for name, (row,) in rows(job).items()}
    said = {n: (d["outcome"], d["failure"], d["source"]) for n, d in documents.items()}
    assert said == {
        "english.txt": ("translated", "", "en"),
        "spanish.txt": ("translated", "", "es"),
        "annex.txt": ("translated", "", "es"),
        "german.txt": ("in-target-language", "", None),
        "letter.txt": ("translated", "", "es"),
        "french.txt": ("failed", "other-language", None),
        "unknown.txt": ("failed", "other-language", None),
    }
    assert documents["annex.txt"]["languages"] == ["en:3", "es:4"]
    assert documents["letter.txt"]["notices"] == ["lines-in-target-language:3"]
    assert "(fr)" in documents["french.txt"]["advice"]
    assert "--from" in documents["unknown.txt"]["advice"]
    by_sentence = [row["source"] for row in rows(job, "sentences")["annex.txt"]]
    assert by_sentence == ["es"] * 3 + ["en"] * 3 + ["es"], "the last is in no language for sure"


def test_nothing_is_sent_by_the_pair_of_another_language_or_in_clear(job: Job, logs: Logs) -> None:
    translate(job)
    english, spanish = logs.texts("en"), logs.texts("es")
    assert (len(english), len(spanish)) == (3, 5), "equal sentences once, one word is in both"
    assert all(text.startswith(("The ", "Emma ")) or text[0].isupper() for text in english)
    assert not [text for text in english if " la " in f" {text} " or " el " in f" {text} "]
    assert not [text for text in spanish if " the " in f" {text.lower()} "]
    sent = " ".join([*english, *spanish])
    assert not [name for name in PRIVATE if name in sent]
    assert "München" not in sent
    assert "contrat " not in sent  # the French word; *contrató* may be drawn
    searcher = Searcher([*PRIVATE, "Vertrag wurde", "contrat a été"])
    assert not searcher.in_folder(job.state_folder)
    assert not searcher.in_folder(job.report_folder)


@pytest.mark.parametrize("moment", ["before_en", "after_en", "before_es", "after_es"])
def test_a_run_that_is_killed_in_either_language_is_finished_by_the_next(
    job: Job, logs: Logs, moment: str
) -> None:
    assert run_in_child(job, lambda: logs.install(**{moment: lambda _: die()})) == KILLED
    before = {source: logs.texts(source) for source in ("en", "es")}
    logs.install()
    resumed = again(job)
    translate(resumed)
    assert texts(job) == EXPECTED
    for source, count in (("en", 3), ("es", 5)):
        assert len(set(logs.texts(source))) == count, "each sentence has one encoding"
        if source not in moment:  # what was answered before is not sent again
            later = logs.texts(source)[len(before[source]) :]
            assert not set(before[source]) & set(later)
    report = ReportFolder(job.report_folder).find(resumed.run_id)
    assert report is not None
    assert report.totals.documents == len(TEXTS)
    assert len(list(job.report_folder.glob("run=*"))) == 1


def test_the_next_night_reads_nothing_anew_and_says_again_what_is_in_the_target(
    job: Job, logs: Logs
) -> None:
    translate(job)
    sent = logs.texts("en") + logs.texts("es")
    night = again(job)
    translate(night)
    assert logs.texts("en") + logs.texts("es") == sent
    outcomes = {name: row["outcome"] for name, (row,) in rows(night).items()}
    assert outcomes.pop("german.txt") == "in-target-language"
    assert {outcomes.pop(name) for name in ("french.txt", "unknown.txt")} == {"failed"}
    assert set(outcomes.values()) == {"unchanged"}
    assert texts(night) == EXPECTED
    later = again(job)
    with Run.open(later) as run:
        run.store.runs.begin(later.run_id)
        ingest(run)
        to_read = run.store.documents.sizes(later.run_id, DocumentStatus.FOUND)
        paths = run.store.documents.paths(to_read).values()
    assert set(paths) == {"french.txt", "unknown.txt"}


def test_policies_scores_and_clauses_hold_in_each_language(job: Job, logs: Logs) -> None:
    """A budget is that of both languages together, and of a policy that allows nobody none is."""
    annex = {"name": "annex", "folders": ("annex.txt",), "min_privacy_score": 0.01}
    nobody = {"name": "nobody", "folders": ("spanish.txt",), "translators": ()}
    changes = {
        "policies": (annex, nobody),
        "report": {"privacy_scores": True},
        "mixing": {"split_clauses": True},
        "identifiers": {"consistency": "document"},
    }
    settings = Settings.model_validate(job.settings.model_dump() | changes)
    strict = again(job).model_copy(update={"settings": settings})
    translate(strict)
    assert texts(strict) == {n: text for n, text in EXPECTED.items() if n != "spanish.txt"}
    found = {name: row for name, (row,) in rows(strict).items()}
    assert found["spanish.txt"]["failure"] == "withheld-by-policy"
    assert found["annex.txt"]["treatment"].startswith("annex")
    assert found["annex.txt"]["privacy_score"] is not None
    assert found["english.txt"]["privacy_score"] is not None
    (folder,) = strict.report_folder.glob("run=*")
    (run,) = read_rows(folder / "run.parquet")
    assert [pair.partition(":")[0] for pair in run["pairs"]] == ["en-de", "es-de"]


def test_a_source_that_is_experimental_is_reported_and_not_sent_unless_it_is_accepted(
    job: Job, tmp_path: Path, logs: Logs
) -> None:
    careful = mixed_job(tmp_path, experimental=False)
    translate(careful)
    assert logs.texts("es") == []
    written = texts(careful)
    assert sorted(written) == ["english.txt", "german.txt", "letter.txt"]
    assert written["letter.txt"] == TEXTS["letter.txt"]
    (letter,) = rows(careful)["letter.txt"]
    assert letter["notices"] == ["lines-in-target-language:3", "lines-in-other-language:es:1"]
    (spanish,) = rows(careful)["spanish.txt"]
    assert spanish["failure"] == "other-language"
    assert "Spanish" in spanish["advice"]
    assert "--experimental" in spanish["advice"]
    translate(job)
    assert texts(job) == EXPECTED


def test_a_target_that_experimental_sources_alone_lead_to_needs_acceptance(tmp_path: Path) -> None:
    flags = {"source": "auto", "target": "en", "translator.name": "fake"}
    with pytest.raises(ConfigurationError, match=r"German, Spanish, French.*--experimental"):
        prepare_job(tmp_path, tmp_path / "out", flags=flags)
    accepted = prepare_job(
        tmp_path, tmp_path / "out", flags=flags | {"language.experimental": True}
    )
    assert accepted.settings.language.experimental


def test_what_the_translators_have_no_pair_for_is_reported_as_that(job: Job, logs: Logs) -> None:
    """Spanish is accepted here, so that nothing is said of accepting it."""
    logs.install(lacking="es")
    translate(job)
    (spanish,) = rows(job)["spanish.txt"]
    assert spanish["failure"] == "other-language"
    assert "The translators lack that pair" in spanish["advice"]
    assert "--experimental" not in spanish["advice"]


def test_a_text_is_encoded_alike_whether_its_language_is_named_or_found(
    job: Job, tmp_path: Path, logs: Logs
) -> None:
    """So a later night of the other kind sends nothing again, and draws nothing anew."""
    translate(job)
    sent = logs.texts("es")
    named = job.settings.model_copy(update={"source": "es"})
    changes = {"settings": named, "input": tmp_path / "in" / "spanish.txt"}
    translate(again(job).model_copy(update=changes))
    assert logs.texts("es") == sent


def test_a_plan_counts_what_would_be_sent_in_every_language(job: Job, logs: Logs) -> None:
    planned = plan(job, [job.settings.translator])
    assert planned.rows[0].expected.texts == 8
    assert {one.path for one in planned.obstacles} == {"french.txt", "unknown.txt"}
    assert logs.texts("en") + logs.texts("es") == []


def test_a_target_that_no_dictionary_ships_for_is_refused_before_anything_is_read(
    tmp_path: Path, logs: Logs
) -> None:
    write_archive(tmp_path / "in", TEXTS)
    settings = mixed_job(tmp_path).settings.model_copy(update={"target": "ja"})
    with pytest.raises(ConfigurationError, match=r"no dictionary into ja .*--from"):
        translate(mixed_job(tmp_path).model_copy(update={"settings": settings}))
    assert logs.texts("es") == []


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"dictionary": DictionarySettings(path=Path("mine.parquet"))}, "dictionary.path"),
        ({"language": LanguageSettings(identify=False)}, "language.identify"),
        (
            {"mixing": MixingSettings(decoy_rate=1, decoys_file=Path("lines.txt"))},
            "mixing.decoys_file",
        ),
        ({"translator": TranslatorSettings.choose(name="openai-batch", model="m")}, "by the batch"),
    ],
)
def test_what_is_about_one_language_is_refused_beside_a_source_that_is_open(
    tmp_path: Path, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(ValueError, match=named):
        make_job(tmp_path, **({"source": "auto", "dictionary": DictionarySettings()} | changes))
