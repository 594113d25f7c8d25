"""The Spanish samples among documents in other languages, to Apertium and back, by the command."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.formats import read_document
from prism_core.resources import SHIPPED, shipped_dictionary
from prism_core.translators.adapters.apertium import ApertiumTranslator
from tests.adapters import put_in_place_for_a_test
from tests.end_to_end.canary import Searcher
from tests.flows.conftest import Prism
from tests.shared_data import SHARED_DATA

SAMPLES = SHIPPED / "data" / "samples-es"
ENGLISH = SHIPPED / "data" / "samples" / "litigation" / "deposition-note.txt"
GERMAN = "Der Vertrag wurde von beiden Parteien vor dem Ende des Monats in München unterzeichnet.\n"
IDENTIFIERS = (
    *("Julián", "Ibáñez", "Corral", "Nuria", "Olmedo", "Quintana", "Sáez", "Elvira", "Santamarta"),
    *("Robles", "Valdemora", "Arriaga", "Montoro", "Ferrándiz", "Peñalba", "Torrealba", "Zaragoza"),
    *("99999018D", "99999137J", "B99999146", "28/99999901/19", "4471926", "91 000 01 36"),
    *("91 000 01 79", "ES91 2100 0418 4502 0005 1332", "t.arriaga@example.org"),
)
RESTORED = [one for one in IDENTIFIERS if one != "Montoro"]
"""In the body of a mail too; a name that is in headers alone stays as it is."""


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that Apertium is asked for."""
    texts: list[str] = []

    class Recording(ApertiumTranslator):
        async def translate(self, asked: Sequence[str], source: str, target: str) -> list[str]:
            assert (source, target) == ("es", "en")
            texts.extend(asked)
            return await super().translate(asked, source, target)

    put_in_place_for_a_test(monkeypatch, "apertium", Recording)
    return texts


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRISM_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("PRISM_LIMITS__WORKERS", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text_of(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file() and path.parts[-2] != "."]
    return "\n".join(one.text for path in files for one in read_document(path).segments)


def test_nothing_private_of_the_samples_is_sent_and_all_of_it_comes_back_among_other_languages(
    prism: Prism, sent: list[str], home: Path
) -> None:
    archive, output = home / "in", home / "out"
    shutil.copytree(SAMPLES, archive)
    shutil.copy(ENGLISH, archive)
    (archive / "german.txt").write_text(GERMAN)
    annex = "El cliente pagó la renta del local a la propietaria antes del fin de mes.\n"
    (archive / "annex.txt").write_text(f"{ENGLISH.read_text()}\n\n{annex}")
    options = ("--from", "auto", "--to", "en", "--experimental", "--json")
    ended = prism("translate", archive, output, *options)
    assert ended.code == ExitCode.SOME_DOCUMENTS_FAILED, ended
    said = json.loads(ended.out)
    totals = said["totals"]
    assert (totals["documents_translated"], totals["documents_in_target"]) == (5, 1)
    assert [one["class"] for one in said["failures"]] == ["other-language"]
    seen = "\n".join(sent)
    assert len(sent) > 60
    shown = [one for one in IDENTIFIERS if one in seen]
    assert all(one.isalpha() for one in shown)
    assert len(shown) <= 1, "a name of a public list may be drawn for another"
    assert "deposition" not in seen.lower()
    assert (output / ENGLISH.name).read_bytes() == ENGLISH.read_bytes()
    assert (output / "annex.txt").read_text().startswith(ENGLISH.read_text())
    assert {"client", "paid", "owner"} & set((output / "annex.txt").read_text().split()[-16:])
    back = text_of(output / "clinica") + text_of(output / "contratos") + text_of(output / "correo")
    assert len([one for one in RESTORED if one not in back]) <= 1, "but for one lost sentence"
    assert "company" in back
    left = Searcher([one for one in IDENTIFIERS if len(one) > 6])
    assert not left.in_folder(output / ".prism")
    assert not left.in_folder(output / "prism-report")
    prism("translate", archive, output, *options)
    assert len(sent) == len(seen.splitlines())


def test_what_sends_nothing_takes_an_experimental_source_and_what_asks_for_words_does_not(
    prism: Prism, sent: list[str], home: Path
) -> None:
    (home / "in").mkdir()
    text = home / "in" / "a.txt"
    text.write_text("El cliente pagó la renta del local a la propietaria.\n" * 3)
    planned = prism("plan", home / "in", "--from", "es", "--to", "en", "--json")
    assert planned.code == ExitCode.OK, planned
    assert "a run would be refused without --experimental" in json.loads(planned.out)["cautions"]
    shown = prism("dictionary", "inspect", "perro", "--from", "es", "--to", "en")
    assert "dog" in shown.out
    pair = ("--source", text, "--answers", text, "--pair", "es-en", "--translator", "apertium")
    assert prism("evaluate", "roles", *pair, "--json").code == ExitCode.OK
    dictionary = shipped_dictionary("es", "en")
    extend = ("dictionary", "extend", dictionary, home / "in", "--text", text, "--dry-run")
    refused = prism(*extend)
    assert refused.code == ExitCode.BAD_CONFIGURATION
    assert "--experimental" in refused.err
    assert prism(*extend, "--experimental").code == ExitCode.OK
    corpora = prism(
        "evaluate", "--from", "es", "--to", "en", "--corpus", "mctest", "--data", SHARED_DATA
    )
    assert corpora.code == ExitCode.BAD_CONFIGURATION
    assert "in English" in corpora.err
    assert sent == []


def test_a_state_file_that_holds_nothing_is_said_to_be_empty_and_a_run_begins_afresh(
    prism: Prism, sent: list[str], home: Path
) -> None:
    (home / "in").mkdir()
    (home / "in" / "a.txt").write_text("El cliente pagó la renta del local a la propietaria.\n")
    (home / "out" / ".prism").mkdir(parents=True)
    (home / "out" / ".prism" / "state.db").touch()
    shown = prism("state", "show", home / "out")
    assert (shown.code, "state store is empty" in shown.err) == (ExitCode.STATE_UNUSABLE, True)
    options = ("--from", "es", "--to", "en", "--experimental", "--quiet")
    ended = prism("translate", home / "in", home / "out", *options)
    assert ended.code == ExitCode.OK, ended
    assert len(sent) == 1
