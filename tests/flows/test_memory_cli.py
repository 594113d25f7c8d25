"""``prism memory``, and a memory given to ``prism translate``: the command as a person uses it."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from prism_core.building import read_memory
from prism_core.errors import ExitCode
from prism_core.jobs.preparation import to_environment_variables
from prism_core.settings import load_settings
from prism_core.translators.adapters.fake import mark_words
from tests.end_to_end.canary import Searcher
from tests.flows.conftest import PLANTED, Archive, Ended, Prism

SENTENCE = "The farmer closed the small garden."
DISTINCT = 4
"""Sentences that are translated; those with a name are withheld for want of public names."""
HELD = "Vashtomerel cerró el pequeño jardín."
"""Its first word stands nowhere else."""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "ours.tsv"
    path.write_text(f"{SENTENCE}\t{HELD}\nNever asked for.\tNunca.\n", encoding="utf-8")
    return path


@pytest.fixture
def translate(prism: Prism, archive: Archive) -> Prism:
    """``prism translate`` of the archive, or of another input and output."""

    def run(*options: object, into: Path = archive.output) -> Ended:
        return prism("translate", archive.input, into, "--translator", "fake", *options)

    return run


def totals(ended: Ended) -> dict[str, int]:
    assert ended.code == ExitCode.OK, ended
    return json.loads(ended.out)["totals"]


def test_the_flag_gives_a_memory_and_the_summary_counts_what_came_from_it(
    translate: Prism, archive: Archive, memory: Path
) -> None:
    ended = translate("--memory", memory)
    assert ended.code == ExitCode.OK, ended
    assert HELD in " ".join(archive.translated().split())
    (line,) = (line for line in ended.out.splitlines() if "from memory" in line)
    assert line.split()[-1] == "1"
    (file,) = (archive.output / "prism-report").glob("run=*/index.html")
    page = file.read_text(encoding="utf-8")
    assert "1 sentence was translated from the user's translation memory" in page


def test_settings_and_environment_name_memories_too(
    translate: Prism, archive: Archive, memory: Path, tmp_path: Path, monkeypatch
) -> None:
    settings = tmp_path / "prism.toml"
    settings.write_text('[memory]\nfiles = ["ours.tsv"]\n', encoding="utf-8")
    assert totals(translate("--settings", settings, "--json"))["sentences_from_memory"] == 1
    monkeypatch.setenv("PRISM_MEMORY__FILES", f"{memory}:{memory}")
    other = tmp_path / "other"
    assert totals(translate("--json", into=other))["sentences_from_memory"] == 1


def test_a_rehearsal_counts_it(translate: Prism, memory: Path) -> None:
    ended = translate("--memory", memory, "--dry-run")
    (line,) = (line for line in ended.out.splitlines() if "translated already" in line)
    assert line.split()[-1] == "1"
    assert "Vashtomerel" not in ended.out + ended.err


def test_a_memory_that_is_none_is_told_before_anything_is_sent(
    translate: Prism, archive: Archive, tmp_path: Path
) -> None:
    ended = translate("--memory", tmp_path / "absent.tmx")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "absent.tmx" in ended.err


def test_an_export_is_sealed_and_translates_the_archive_without_a_request(
    translate: Prism, prism: Prism, archive: Archive, tmp_path: Path
) -> None:
    translate()
    sealed = tmp_path / "kept.tmx.sealed"
    ended = prism("memory", "export", archive.output, tmp_path / "kept.tmx")
    assert ended.code == ExitCode.OK, ended
    assert f"{DISTINCT} sentences" in ended.out
    assert ended.err == ""
    assert stat.S_IMODE(sealed.stat().st_mode) == 0o600
    secrets = Searcher([PLANTED, "farmer closed the small garden", mark_words("farmer closed")])
    assert secrets.in_file(sealed) == set()
    other = tmp_path / "other"
    again = totals(translate("--memory", sealed, "--json", into=other))
    assert (again["requests"], again["sentences_from_memory"]) == (0, DISTINCT)
    assert (other / "letter.txt").read_bytes() == (archive.output / "letter.txt").read_bytes()


def test_a_plain_export_warns_and_is_tmx_in_an_order_that_is_always_the_same(
    translate: Prism, prism: Prism, archive: Archive, memory: Path, tmp_path: Path
) -> None:
    translate("--memory", memory)
    file = tmp_path / "kept.tmx"
    ended = prism("memory", "export", archive.output, file, "--plain", "--quiet")
    assert ended.code == ExitCode.OK, ended
    assert "in clear" in ended.err
    assert ended.out == ""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    pairs = dict(read_memory(file, "en", "es"))
    assert len(pairs) == DISTINCT
    assert pairs[SENTENCE] == HELD
    assert "Never asked for." not in pairs
    content = file.read_text(encoding="utf-8")
    assert '<tmx version="1.4">' in content
    assert content.count('<tu creationid="MT!">') == DISTINCT - 1, "the memory's own is a person's"
    assert 'srclang="en"' in content
    assert "letter" not in content
    refused = prism("memory", "export", archive.output, file, "--plain")
    assert (refused.code, "--replace" in refused.err) == (ExitCode.BAD_CONFIGURATION, True)
    prism("memory", "export", archive.output, file, "--plain", "--replace")
    assert file.read_text(encoding="utf-8") == content
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_a_sealed_memory_is_opened_with_its_key_and_with_no_other(
    translate: Prism, prism: Prism, archive: Archive, tmp_path: Path, monkeypatch
) -> None:
    translate()
    prism("memory", "export", archive.output, tmp_path / "plain.tmx", "--plain")
    prism("memory", "export", archive.output, tmp_path / "kept.tmx")
    sealed = tmp_path / "kept.tmx.sealed"
    ended = prism("memory", "open", sealed)
    assert ended.code == ExitCode.OK, ended
    assert "in clear" in ended.err
    assert (tmp_path / "kept.tmx").read_bytes() == (tmp_path / "plain.tmx").read_bytes()
    assert stat.S_IMODE((tmp_path / "kept.tmx").stat().st_mode) == 0o600
    monkeypatch.setenv("PRISM_KEY_FILE", str(tmp_path / "another key"))
    refused = prism("memory", "open", sealed, tmp_path / "no.tmx")
    assert refused.code == ExitCode.STATE_UNUSABLE
    assert "another key" in refused.err
    assert not (tmp_path / "no.tmx").exists()
    refused = translate("--memory", sealed, into=tmp_path / "third")
    assert refused.code == ExitCode.STATE_UNUSABLE


@pytest.mark.parametrize("name", ["kept.txt", "kept.sealed", "kept"])
def test_a_file_is_called_what_it_is(prism: Prism, archive: Archive, name: str) -> None:
    ended = prism("memory", "export", archive.output, name)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "ends in .tmx" in ended.err


def test_what_is_no_run_and_what_is_not_sealed_are_told(
    prism: Prism, archive: Archive, memory: Path, tmp_path: Path
) -> None:
    ended = prism("memory", "export", archive.output, tmp_path / "a.tmx")
    assert (ended.code, "no state" in ended.err) == (ExitCode.BAD_CONFIGURATION, True)
    assert not archive.output.exists()
    ended = prism("memory", "open", memory, tmp_path / "a.tmx")
    assert (ended.code, "not a translation memory sealed" in ended.err) == (2, True)


def test_an_export_that_cannot_be_written_is_told(
    translate: Prism, prism: Prism, archive: Archive, tmp_path: Path
) -> None:
    translate()
    ended = prism("memory", "export", archive.output, tmp_path / "no folder" / "a.tmx")
    assert ended.code == ExitCode.OUTPUT_UNWRITABLE


def test_what_a_run_without_restoring_wrote_is_not_exported(
    translate: Prism, prism: Prism, archive: Archive, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("PRISM_MECHANISM__NAME", "no-decode")
    translate()
    ended = prism("memory", "export", archive.output, tmp_path / "a.tmx")
    assert (ended.code, "no translated sentence" in ended.err) == (2, True)
    assert not (tmp_path / "a.tmx.sealed").exists()


def test_no_text_of_a_memory_is_in_the_report_the_state_or_what_is_printed(
    translate: Prism, prism: Prism, archive: Archive, memory: Path, tmp_path: Path
) -> None:
    ended = translate("--memory", memory)
    exported = prism("memory", "export", archive.output, tmp_path / "kept.tmx")
    secrets = Searcher([PLANTED, HELD, "Vashtomerel", "Never asked for"])
    printed = "".join([*ended[1:], *exported[1:]])
    assert secrets.in_bytes(printed.encode(), "printed") == set()
    for folder in (".prism", "prism-report"):
        assert secrets.in_folder(archive.output / folder) == set()


def test_memories_reach_a_flow_through_the_environment() -> None:
    files = [Path("/a b/c.tmx"), Path("/d.tsv")]
    settings = load_settings(None, to_environment_variables({"memory.files": files}))
    assert settings.memory.files == tuple(files)


def test_help_shows_how(prism: Prism) -> None:
    for command in ("export", "open"):
        assert f"prism memory {command} " in prism("memory", command, "--help").out
