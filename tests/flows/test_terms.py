"""``prism terms``: the terms of an archive before its first run, as a glossary to edit."""

from __future__ import annotations

import csv
import stat
from pathlib import Path

import pytest

from prism_core.cat.jobs import write_candidate_terms
from prism_core.dictionary import read_glossaries
from prism_core.errors import ConfigurationError, ExitCode
from prism_core.settings.sections import LocalModelSettings
from tests.copying_model import make_copying_model
from tests.flows.conftest import Archive, Prism
from tests.stages.archive import make_job, write_archive
from tests.words import ENGLISH

TEXTS = {
    "a.txt": "The informed consent form was signed. Each power of attorney is old.\n",
    "b.txt": "We read two informed consent forms. He saw the power of attorney and a day.\n",
    "c.txt": "An informed consent form was lost. She has a power of attorney. The ward was shut.\n"
    "The informed-choice wards were full. Mr. Zorbanquist left the ward.\n",
}


@pytest.fixture
def terms(prism: Prism, archive: Archive, tmp_path: Path) -> list[dict[str, str]]:
    """The rows of the glossary that the command writes."""
    write_archive(tmp_path / "more", TEXTS)
    file = tmp_path / "terms.tsv"
    ended = prism("terms", tmp_path / "more", file, "--to", "es")
    assert ended.code == ExitCode.OK, ended
    assert "in clear" in ended.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with file.open(encoding="utf-8-sig", newline="") as opened:
        return list(csv.DictReader(opened, dialect="excel-tab"))


def test_terms_are_noun_phrases_with_their_places_and_documents(terms) -> None:
    found = {row["source"]: (row["count"], row["documents"]) for row in terms}
    assert found["informed consent form"] == ("3", "3")
    assert found["power of attorney"] == ("3", "3")
    assert found["ward"] == ("3", "1")
    assert {"consent form", "informed consent", "attorney"}.isdisjoint(found), (
        "parts of longer ones"
    )
    assert {"day", "zorbanquist", "Zorbanquist"}.isdisjoint(found), "by chance, and a name"


def test_what_a_person_fills_in_is_a_glossary(terms, tmp_path: Path) -> None:
    file = tmp_path / "terms.tsv"
    with pytest.raises(ConfigurationError, match="it has no translation; write one, or delete"):
        read_glossaries([file], ENGLISH, "es")
    text = file.read_text("utf-8-sig").replace("\t\tnoun", "\tx\tnoun")
    file.write_text(text, encoding="utf-8-sig")
    read = read_glossaries([file], ENGLISH, "es")
    assert {(term.source, term.targets, term.kind) for term in read} == {
        (row["source"], ("x",), "NN") for row in terms
    }


def test_no_file_is_overwritten_and_no_folder_is_left(prism: Prism, terms, tmp_path: Path) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    ended = prism("terms", tmp_path / "more", tmp_path / "terms.tsv", "--to", "es")
    assert (ended.code, "--replace" in ended.err) == (ExitCode.BAD_CONFIGURATION, True)
    ended = prism("terms", tmp_path / "more", tmp_path / "n.tsv", "--to", "es", "--least", "9")
    assert (ended.code, "no term" in ended.err) == (ExitCode.BAD_CONFIGURATION, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_the_model_on_this_machine_translates_them(tmp_path: Path, log: Path) -> None:
    write_archive(tmp_path / "in", TEXTS)
    model = LocalModelSettings(folder=make_copying_model(tmp_path / "model"))
    job = make_job(tmp_path, local_model=model)
    found, translated = write_candidate_terms(job, tmp_path / "terms.tsv")
    assert found == translated > 1
    assert not log.exists(), "nothing was sent"
