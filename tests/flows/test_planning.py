"""``prism plan`` and ``--max-cost``: known before it is spent, and never more than allowed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from docx import Document

from prism_core.errors import ExitCode
from prism_core.translators.adapters.fake import WORD_MARK
from tests.flows.conftest import PLANTED, Archive
from tests.interrupting import heed_interrupts
from tests.openai_server import Fault, OpenAIServer, sent_texts

DEEPL = ("--translator", "deepl")
SENTENCES = 6
"""Different ones of both letters."""
WITHOUT_NAMES = 4
"""Those that can be sent to one for whom there are no names to draw, as the fake one."""


@pytest.fixture
def server(monkeypatch) -> Iterator[OpenAIServer]:
    """A provider that bills one USD for each character, one sentence a request, one at a time."""
    with OpenAIServer() as running:
        monkeypatch.setenv("OPENAI_API_KEY", running.key)
        for name, value in (
            ("BASE_URL", running.base_url),
            ("TEXTS_PER_REQUEST", "1"),
            ("CONCURRENCY", "1"),
            ("PRICE_PER_MILLION", "1000000"),
            ("PRICE_UNIT", "characters"),
        ):
            monkeypatch.setenv(f"PRISM_TRANSLATOR__{name}", value)
        yield running


def _plan(*arguments: object) -> list[object]:
    return ["plan", *arguments, "--translator", "openai"]


def _translate(archive: Archive, *more: object) -> list[object]:
    return ["translate", archive.input, archive.output, "--translator", "openai", *more]


def _everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


def _characters(server: OpenAIServer) -> int:
    return sum(map(len, sent_texts(server)))


def test_a_plan_does_not_count_what_a_memory_holds(
    prism, archive: Archive, server: OpenAIServer, tmp_path: Path
) -> None:
    memory = tmp_path / "ours.tsv"
    memory.write_text("The doctor opened the window.\tEl médico abrió la ventana.\n", "utf-8")
    ended = prism(*_plan(archive.input, "--to", "es", "--memory", memory, "--json"))
    [row] = json.loads(ended.out)["translators"]
    assert row["texts"] == SENTENCES - 1
    assert server.received == []


def test_a_plan_sends_nothing_and_leaves_nothing(
    prism, archive: Archive, server: OpenAIServer
) -> None:
    place = archive.input.parent
    before = _everything(place)
    ended = prism(*_plan(archive.input, "--to", "es"))
    assert ended.code == ExitCode.OK, ended
    assert server.received == []
    assert _everything(place) == before, "not even a key was made"
    assert "openai" in ended.out
    assert "nothing was sent" in ended.out
    assert PLANTED not in ended.out


def test_translators_without_a_key_are_compared_by_their_terms(
    prism, archive: Archive, monkeypatch
) -> None:
    for key in ("DEEPL_AUTH_KEY", "AZURE_TRANSLATOR_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(key, raising=False)
    names = ["fake", "deepl", "azure", "openai"]
    listed = [word for name in names for word in ("--translator", name)]
    table = prism("plan", archive.input, *listed)
    found = json.loads(prism("plan", archive.input, *listed, "--json").out)
    fake, deepl, azure, openai = found["translators"]
    assert [one["name"] for one in found["translators"]] == names
    assert {one["texts"] for one in found["translators"]} == {WITHOUT_NAMES}, "the first is fake"
    assert fake["cost"] == 0
    assert fake["ready"]
    assert deepl["cost"] == pytest.approx(deepl["characters"] * 25e-6 * 1.1)
    assert azure["cost"] == pytest.approx(azure["characters"] * 10e-6 * 1.1)
    assert azure["seconds"] > 0
    assert openai["cost"] is None
    assert openai["tokens"] > openai["characters"] / 4
    assert not deepl["ready"]
    assert "DEEPL_AUTH_KEY" in table.out
    assert "not known" in table.out
    assert "free" in table.out


def test_settings_are_those_of_the_translator_that_they_name(
    prism, archive: Archive, tmp_path: Path
) -> None:
    settings = tmp_path / "prism.toml"
    settings.write_text(
        '[translator]\nname = "openai"\nprice_per_million = 2\nprice_per_million_answered = 8\n'
        "requests_per_minute = 1\n"
    )
    both = ["--translator", "azure", "--translator", "openai"]
    arguments = ["plan", archive.input, *both, "--settings", settings, "--json"]
    azure, openai = json.loads(prism(*arguments).out)["translators"]
    assert azure["cost"] == pytest.approx(azure["characters"] * 10e-6 * 1.1)
    assert azure["seconds"] < 1
    assert openai["cost"] > openai["characters"] * 2e-6
    assert openai["seconds"] > 60


def test_what_would_stay_behind_is_named_with_its_class_at_the_terminal_only(
    prism, archive: Archive, tmp_path: Path, monkeypatch
) -> None:
    (archive.input / "damaged.docx").write_bytes(b"PK\x03\x04 not a document")
    (archive.input / "other.docx").write_bytes(b"PK\x03\x04 nor this")
    document = Document()
    document.core_properties.comments = ""
    document.add_paragraph("The doctor closed the bridge. The farmer washed the garden.")
    document.save(str(archive.input / "bridge.docx"))
    never = tmp_path / "never.txt"
    never.write_text("the\n")
    monkeypatch.setenv("PRISM_IDENTIFIERS__NEVER_SEND_FILE", str(never))
    arguments = ["plan", archive.input, "--translator", "fake"]
    shown = prism(*arguments)
    found = json.loads(prism(*arguments, "--json").out)
    assert found["failures"] == {"corrupt": 2}
    (withheld,) = [one for one in found["withheld"] if one["reason"] == "never-send"]
    assert withheld == {"reason": "never-send", "documents": 2, "sentences": 6}
    assert found["translators"][0]["texts"] == 0
    for name in ("damaged.docx", "other.docx", "bridge.docx", "letter.txt"):
        assert name in shown.out
        assert name not in json.dumps(found)


def test_the_command_line_of_a_run_with_an_experimental_source_can_be_planned(
    prism, archive: Archive
) -> None:
    arguments = ["plan", archive.input, "--translator", "fake", "--from", "es", "--to", "en"]
    refused, accepted = prism(*arguments), prism(*arguments, "--experimental")
    assert (refused.code, accepted.code) == (0, 0)
    assert "refused without --experimental" in refused.out
    assert "refused without --experimental" not in accepted.out


def test_a_table_in_a_file_has_no_blanks_at_the_ends_of_its_lines(prism, archive: Archive) -> None:
    shown = prism("plan", archive.input, "--translator", "fake").out
    assert "unchanged, skipped" in shown
    assert not [line for line in shown.splitlines() if line != line.rstrip()]


def test_with_the_output_folder_only_what_is_new_counts_and_for_each_translator_its_own(
    prism, archive: Archive
) -> None:
    prism("translate", archive.input, archive.output, "--translator", "fake", "--quiet")
    (archive.input / "new.txt").write_text("The farmer opened the bridge.\n")
    both = ["--translator", "fake", "--translator", "azure"]
    before = _everything(archive.output)
    found = json.loads(prism("plan", archive.input, archive.output, *both, "--json").out)
    assert found["documents_unchanged"] == 2
    assert [one["texts"] for one in found["translators"]] == [1, SENTENCES + 1]
    assert _everything(archive.output) == before


@pytest.mark.parametrize(("routing", "named"), [("split", True), ("failover", False)])
def test_a_plan_says_that_sentences_would_be_dealt(
    prism, archive: Archive, tmp_path: Path, routing: str, named: bool
) -> None:
    settings = tmp_path / "prism.toml"
    others = '[translator]\nname = "deepl"\n[[other_translators]]\nname = "apertium"\n'
    settings.write_text(f'{others}[mixing]\nrouting = "{routing}"\n')
    ended = prism("plan", archive.input, "--settings", settings)
    assert ended.code == ExitCode.OK
    assert ("divides them among the 2" in ended.out) == named
    assert "divides" not in prism("plan", archive.input, "--settings", settings, *DEEPL).out


def test_a_run_sends_what_its_plan_said(prism, archive: Archive, server: OpenAIServer) -> None:
    planned = json.loads(prism(*_plan(archive.input, "--json")).out)["translators"][0]
    done = json.loads(prism(*_translate(archive, "--json")).out)
    assert done["totals"]["requests"] == planned["requests"] == SENTENCES
    assert done["totals"]["cost"] == _characters(server)
    assert done["currency"] == planned["currency"] == "USD"
    assert planned["cost"] == pytest.approx(_characters(server), rel=0.35), "it drew afresh"


def test_the_summary_says_what_a_run_cost(prism, archive: Archive, server: OpenAIServer) -> None:
    ended = prism(*_translate(archive))
    assert f"{_characters(server)}.00 USD" in ended.out


def test_a_run_stops_before_it_costs_more_and_the_same_command_goes_on(
    prism, archive: Archive, server: OpenAIServer
) -> None:
    first = prism(*_translate(archive, "--max-cost", 70, "--json"))
    assert first.code == ExitCode.BUDGET_REACHED
    assert "70.00 USD" in first.err
    assert 0 < _characters(server) <= 70
    totals = json.loads(first.out)["totals"]
    assert totals["cost"] == _characters(server)
    assert (archive.output / "prism-report" / "index.html").exists()
    runs = 1
    while (ended := prism(*_translate(archive, "--max-cost", 70, "--json"))).code:
        assert ended.code == ExitCode.BUDGET_REACHED
        runs += 1
        assert _characters(server) <= 70 * runs
    assert WORD_MARK in archive.translated()
    assert len(list(sent_texts(server))) == SENTENCES, "nothing was sent twice"


def test_a_run_that_is_resumed_has_the_same_budget_afresh(
    prism, archive: Archive, server: OpenAIServer
) -> None:
    prism(*_translate(archive, "--max-cost", 50, "--quiet"))
    spent = _characters(server)
    again = prism(*_translate(archive, "--max-cost", 50, "--quiet"))
    assert again.code == ExitCode.BUDGET_REACHED
    assert spent < _characters(server) <= spent + 50


def test_what_was_answered_when_the_budget_ended_is_written(
    prism, archive: Archive, server: OpenAIServer
) -> None:
    """One document alone, whose two sentences cost less than the budget, is done then."""
    prism("translate", archive.input / "mail", archive.output, "--translator", "openai")
    cost = _characters(server)
    (archive.input / "mail" / "more.txt").write_text("The farmer opened the bridge.\n" * 2)
    ended = prism(
        "translate", archive.input / "mail", archive.output, "--translator", "openai",
        "--max-cost", 1,
    )  # fmt: skip
    assert ended.code == ExitCode.BUDGET_REACHED
    assert _characters(server) == cost
    assert PLANTED in archive.translated("named.txt")
    assert not (archive.output / "more.txt").exists()


def test_the_budget_in_the_settings_holds_too_and_what_failed_costs_nothing(
    prism, archive: Archive, server: OpenAIServer, monkeypatch
) -> None:
    server.fail(Fault.SERVER_ERROR)
    monkeypatch.setenv("PRISM_TRANSLATOR__MAX_COST", "70")
    totals = json.loads(prism(*_translate(archive, "--json")).out)["totals"]
    assert len(server.received) == totals["requests"]
    assert 0 < totals["cost"] <= 70
    assert totals["cost"] < totals["characters"], "the request that failed was sent too"


def test_a_budget_needs_a_price_before_anything_is_sent(
    prism, archive: Archive, server: OpenAIServer, monkeypatch
) -> None:
    monkeypatch.delenv("PRISM_TRANSLATOR__PRICE_PER_MILLION")
    for more in ([], ["--dry-run"]):
        ended = prism(*_translate(archive, "--max-cost", 5, *more))
        assert ended.code == ExitCode.BAD_CONFIGURATION
        assert "price_per_million" in ended.err
    assert server.received == []
    planned = prism(*_plan(archive.input))
    assert planned.code == ExitCode.OK


def test_a_translator_on_this_machine_is_free_and_no_budget_stops_it(
    prism, archive: Archive
) -> None:
    arguments = ["translate", archive.input, archive.output, "--translator", "fake"]
    assert prism(*arguments, "--max-cost", 0).code == ExitCode.OK


def test_a_plan_says_that_a_budget_may_stop_the_run(
    prism, archive: Archive, server: OpenAIServer, monkeypatch
) -> None:
    monkeypatch.setenv("PRISM_TRANSLATOR__MAX_COST", "70")
    assert "may be stopped by its budget of 70.00 USD" in prism(*_plan(archive.input)).out


def test_what_a_killed_run_spent_counts_in_the_run_that_goes_on(
    prism, archive: Archive, server: OpenAIServer
) -> None:
    server.slow_seconds = 120
    server.fail(Fault.SLOW)
    command = [sys.executable, "-m", "flows.command", *map(str, _translate(archive))]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=heed_interrupts)
    try:
        deadline = time.monotonic() + 120
        while not server.received and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
        running.wait(timeout=60)
    finally:
        running.kill()
    spent = _characters(server)
    ended = prism(*_translate(archive, "--max-cost", spent + 1, "--json"))
    assert ended.code == ExitCode.BUDGET_REACHED
    assert len(server.received) == 1, "the killed run has spent it"
    after = prism(*_translate(archive, "--max-cost", 1_000, "--json"))
    assert after.code == ExitCode.OK, "a run that a budget stopped has ended: a budget afresh"


def test_help_of_plan_shows_examples_that_parse(prism, archive: Archive, monkeypatch) -> None:
    monkeypatch.chdir(archive.input)
    ended = prism("plan", "--help")
    examples = [line.split() for line in ended.out.splitlines() if line.strip().startswith("prism")]
    assert len(examples) >= 4
    for words in examples:
        if "--settings" not in words:
            ended = prism(*words[1:])
            assert (ended.code, "does not exist" in ended.err) == (2, True)
