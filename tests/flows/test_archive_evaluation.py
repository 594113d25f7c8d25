"""What an attacker would learn of an archive is found out here, and nowhere else to be found."""

from __future__ import annotations

import json
import stat
import tempfile
from pathlib import Path

import pytest
from rich.console import Console

from prism_core.errors import ConfigurationError, ExitCode, OutputError
from prism_core.evaluation.command.evaluate_console import print_evaluation
from prism_core.evaluation.jobs import evaluate_archive as archive_evaluation
from prism_core.evaluation.jobs.evaluate_archive import (
    Attacked,
    archive_job,
    evaluate_archive,
    evaluation_json,
    keep_evaluation,
)
from tests.evaluation.embeddings import save_model
from tests.flows.conftest import PLANTED, Archive, Prism

ADJECTIVES = ("small", "quiet", "green", "old")
SUBJECTS = ("doctor", "farmer", "patient")
VERBS = ("opened", "closed", "followed", "washed")
OBJECTS = ("window", "garden", "bridge", "table", "contract")


def letter(number: int) -> str:
    """A text of eight different sentences."""
    return "\n\n".join(
        f"The {SUBJECTS[(number + i) % 3]} {VERBS[i % 4]} the "
        f"{ADJECTIVES[(number + i) % 4]} {OBJECTS[(number * 3 + i) % 5]} {700 + 8 * number + i}."
        for i in range(8)
    )


@pytest.fixture
def filled(archive: Archive) -> Archive:
    for number in range(12):
        (archive.input / f"letter-{number}.txt").write_text(letter(number))
    return archive


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory, small_dictionary: Path) -> Attacked:
    """Fourteen letters, attacked in full as the settings would send them."""
    folder = tmp_path_factory.mktemp("letters")
    for number in range(14):
        (folder / f"letter-{number}.txt").write_text(letter(number))
    (found,) = evaluate_archive(archive_job(folder, None, {"dictionary.path": small_dictionary}))
    return found


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.usefixtures("few_controls")
def test_an_archive_is_attacked_and_nothing_of_it_is_left(
    filled: Archive, tmp_path: Path, monkeypatch, capfd
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before = everything(tmp_path)
    (evaluated,) = evaluate_archive(archive_job(filled.input))
    print_evaluation(Console(width=200), [evaluated])
    assert everything(tmp_path) == before
    out, err = capfd.readouterr()
    assert_explained(evaluation_json([evaluated]))
    shown = out + err + evaluation_json([evaluated])
    for text in (PLANTED, "bridge", "patient", "letter-", str(filled.input)):
        assert text.lower() not in shown.lower()
    assert "nothing was sent" in out


def test_a_terminal_of_80_columns_shows_every_figure_and_what_it_means(
    attacked: Attacked, capfd
) -> None:
    print_evaluation(Console(width=80), [attacked])
    out = capfd.readouterr().out
    assert "…" not in out
    words = out.split()
    for one in attacked.findings:
        low, high = one.interval()
        assert one.attack in words
        assert {f"{number:.3f}" for number in (one.value, one.chance, low, high)} <= set(words)
        assert set(one.explanation.split()) <= set(words)


def test_figures_are_those_of_the_attacks_on_half_of_the_documents(attacked: Attacked) -> None:
    assert (attacked.documents, attacked.known, attacked.in_pieces) == (7, 7, False)
    found = {one.attack: one for one in attacked.findings}
    assert found["position-recall"].value > 0.8
    assert found["surviving-numbers-disguised"].value == 0
    assert found["link@10"].n == attacked.sentences
    assert {"membership", "who-itself", "rebuild-masked@10", "neighbours"} <= set(found)
    assert attacked.privacy_score is None or 0 <= attacked.privacy_score <= 1


def test_as_json_every_figure_has_its_interval_and_its_meaning(attacked: Attacked) -> None:
    assert_explained(evaluation_json([attacked]))


def assert_explained(evaluation: str) -> None:
    """Every figure of the only treatment has its interval and its meaning."""
    (treatment,) = json.loads(evaluation)["treatments"]
    assert treatment["mechanism"] == "prism-star-threshold"
    for one in treatment["findings"]:
        assert one["low"] <= one["value"] <= one["high"] or one["n"] < 30
        assert one["means"]
        assert one["verdict"] in ("at chance", "above chance", "below chance", "too few")


@pytest.mark.usefixtures("few_controls")
def test_the_figures_of_an_archive_are_kept_where_one_asks_for_it(
    prism: Prism, filled: Archive, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    ended = prism("evaluate", "--archive", filled.input, "--out", kept)
    assert ended.code == ExitCode.OK, ended
    assert str(kept / "archive.json") in ended.out
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (kept, kept / "archive.json")]
    assert modes == [0o700, 0o600]
    (treatment,) = json.loads((kept / "archive.json").read_text())["treatments"]
    assert treatment["findings"]
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError) as refused:
        keep_evaluation(tmp_path / "file", [])
    assert refused.value.exit_code == ExitCode.OUTPUT_UNWRITABLE


@pytest.mark.usefixtures("few_controls")
def test_documents_under_a_policy_are_attacked_as_it_treats_them(
    filled: Archive, tmp_path: Path
) -> None:
    board = filled.input / "board"
    board.mkdir()
    for number in range(20, 30):
        (board / f"{number}.txt").write_text(letter(number))
    settings = tmp_path / "prism.toml"
    settings.write_text('[[policies]]\nname = "board"\nfolders = ["board"]\n'
                        '[policies.mechanism]\nname = "prism-star-ratio"\n')  # fmt: skip
    evaluated = {
        one.treatment: one for one in evaluate_archive(archive_job(filled.input, settings))
    }
    assert set(evaluated) == {"", "board"}
    assert evaluated["board"].mechanism != evaluated[""].mechanism


@pytest.mark.usefixtures("few_controls")
def test_decoys_are_attacked_as_the_settings_send_them(filled: Archive, tmp_path: Path) -> None:
    lines = "\n".join(f"The {a} {s} followed the {o}." for a in ADJECTIVES for s in SUBJECTS
                      for o in OBJECTS)  # fmt: skip
    (tmp_path / "decoys.txt").write_text(lines)
    flags = {"mixing.decoy_rate": 0.5, "mixing.decoys_file": tmp_path / "decoys.txt"}
    (evaluated,) = evaluate_archive(archive_job(filled.input, None, flags))
    assert "decoys-known" in {one.attack for one in evaluated.findings}


@pytest.mark.usefixtures("few_controls")
def test_folders_are_the_topics_of_an_archive_and_without_them_none_is_made_up(
    archive: Archive, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_evaluation, "FEWEST_OF_A_FOLDER", 2)
    for folder in ("board", "clients"):
        (archive.input / folder).mkdir()
        for number in range(14):
            (archive.input / folder / f"{number}.txt").write_text(letter(number))
    (evaluated,) = evaluate_archive(archive_job(archive.input))
    assert "topic@folder" in {one.attack for one in evaluated.findings}
    assert not evaluated.left_out
    monkeypatch.setattr(archive_evaluation, "FEWEST_OF_A_FOLDER", 100)
    (evaluated,) = evaluate_archive(archive_job(archive.input))
    assert not any(one.attack.startswith("topic") for one in evaluated.findings)
    print_evaluation(Console(width=200), [evaluated])
    assert "topic: not attacked" in capfd.readouterr().out


@pytest.mark.usefixtures("few_controls")
def test_few_documents_are_compared_in_pieces_and_none_say_so(
    archive: Archive, tmp_path: Path, capfd
) -> None:
    (archive.input / "letter.txt").write_text("\n\n".join(map(letter, range(5))))
    (evaluated,) = evaluate_archive(archive_job(archive.input))
    assert evaluated.in_pieces
    empty = tmp_path / "empty"
    empty.mkdir()
    assert evaluate_archive(archive_job(empty)) == ()
    print_evaluation(Console(width=200), ())
    assert "too little to attack" in capfd.readouterr().out


@pytest.mark.usefixtures("few_controls")
def test_a_large_archive_is_sampled(filled: Archive, monkeypatch) -> None:
    monkeypatch.setattr(archive_evaluation, "MOST_DOCUMENTS", 8)
    monkeypatch.setattr(archive_evaluation, "MOST_SENTENCES", 3)
    (evaluated,) = evaluate_archive(archive_job(filled.input))
    assert (evaluated.documents, evaluated.known) == (4, 4)
    assert evaluated.sentences <= 12


def test_an_archive_that_is_not_there_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        archive_job(tmp_path / "nowhere")


@pytest.mark.usefixtures("few_controls")
def test_the_command_attacks_an_archive_and_leaves_nothing(prism, filled: Archive) -> None:
    before = set(filled.input.parent.rglob("*"))
    ended = prism("evaluate", "--archive", filled.input, "--translator", "fake", "--json")
    assert ended.code == 0, ended
    [treatment] = json.loads(ended.out)["treatments"]
    assert treatment["documents"] + treatment["known"] >= 12
    assert PLANTED not in ended.out
    assert set(filled.input.parent.rglob("*")) == before


@pytest.mark.usefixtures("few_controls")
def test_with_a_model_of_meaning_it_is_linked_by_meaning_too(
    filled: Archive, tmp_path: Path
) -> None:
    model = save_model(tmp_path / "model", [SUBJECTS, VERBS, OBJECTS])
    (evaluated,) = evaluate_archive(archive_job(filled.input), model)
    found = {one.attack: one for one in evaluated.findings}
    assert found["link-meaning@10"].n == found["link@10"].n
    assert "sentence embeddings" in evaluation_json([evaluated])


@pytest.mark.usefixtures("few_controls", "trust_translators_here")
def test_an_archive_is_attacked_though_the_translator_sees_the_text(
    prism: Prism, filled: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PRISM_DICTIONARY__PATH")
    ended = prism("evaluate", "--archive", filled.input, "--json")
    assert ended.code == ExitCode.OK, ended
    (treatment,) = json.loads(ended.out)["treatments"]
    found = {finding["attack"]: finding for finding in treatment["findings"]}
    assert found["position-recall"]["value"] > 0.8
