from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from flows.command.options import TRANSLATORS
from prism_core.errors import ExitCode
from prism_core.formats import read_document
from prism_core.settings import TranslatorSettings
from prism_core.translators.adapters.fake import WORD_MARK
from tests.flows.conftest import PLANTED, Archive, make_archive
from tests.formats.pdf_samples import drawn_pdf, lines
from tests.interrupting import heed_interrupts
from tests.openai_server import Fault, OpenAIServer


def _fake(archive: Archive, *more: object) -> list[object]:
    return ["translate", archive.input, archive.output, "--translator", "fake", *more]


@pytest.mark.parametrize("arguments", [["--help"], ["translate", "--help"]])
def test_help_documents_every_exit_code(prism, arguments) -> None:
    ended = prism(*arguments)
    assert ended.code == ExitCode.OK
    listed = {line.split()[0] for line in ended.out.splitlines() if line.strip()}
    assert {str(int(code)) for code in ExitCode} <= listed


def test_help_of_translate_shows_examples_that_parse(prism, archive: Archive) -> None:
    ended = prism("translate", "--help")
    examples = [line.split() for line in ended.out.splitlines() if " prism translate " in line]
    assert len(examples) >= 4
    for words in examples:
        if not {"--settings", "prefect"} & set(words):
            assert prism(*words[words.index("prism") + 1 :]).code == ExitCode.BAD_CONFIGURATION
            assert not archive.output.exists()


def test_every_translator_that_ships_can_be_named() -> None:
    assert TRANSLATORS.strip("[]").split("|") == list(TranslatorSettings.names())
    assert {"apertium", "openai-batch", "fake"} < set(TranslatorSettings.names())


def test_a_translator_that_does_not_ship_is_refused_with_the_names_of_those_that_do(prism) -> None:
    ended = prism("translate", ".", "../out", "--translator", "telepathy")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "telepathy" in ended.err
    assert all(name in ended.err for name in ("libretranslate", "openai-batch"))


def test_version_is_that_of_the_package(prism) -> None:
    assert prism("--version").out.startswith("prism 0.")


def test_an_archive_without_a_document_is_said_to_be_one(prism, archive: Archive) -> None:
    for document in archive.input.rglob("*.txt"):
        document.unlink()
    ended = prism(*_fake(archive))
    assert ended.code == ExitCode.OK
    assert f"{archive.input} holds no document" in ended.out


def test_an_archive_is_translated_and_the_summary_says_where(prism, archive: Archive) -> None:
    ended = prism(*_fake(archive))
    assert ended.code == ExitCode.OK, ended
    assert WORD_MARK in archive.translated()
    assert PLANTED in archive.translated("mail/named.txt")
    (page,) = (archive.output / "prism-report").glob("run=*/index.html")
    assert str(page) in ended.out
    assert (archive.output / "prism-report" / "index.html").exists()
    assert "loading" in ended.err


def test_a_pdf_with_a_word_in_bold_is_written(prism, archive: Archive) -> None:
    def draw(canvas) -> None:
        text = canvas.beginText(72, 760)
        for font, word in (("Times-Roman", "The doctor "), ("Times-Bold", "opened the window.")):
            text.setFont(font, 11)
            text.textOut(word)
        canvas.drawText(text)

    drawn_pdf(archive.input / "contract.pdf", draw)
    assert prism(*_fake(archive, "--to", "es")).code == ExitCode.OK
    assert (archive.output / "contract.pdf").exists()


def test_a_pdf_is_written_as_a_word_file_where_that_is_asked_for(prism, archive: Archive) -> None:
    drawn_pdf(archive.input / "contract.pdf", lines("The doctor opened the window."))
    ended = prism(*_fake(archive, "--to", "es", "--pdf-output", "docx"))
    assert ended.code == ExitCode.OK, ended
    written = archive.output / "contract.pdf.docx"
    assert not (archive.output / "contract.pdf").exists()
    assert WORD_MARK in "".join(segment.text for segment in read_document(written).segments)


def test_a_second_run_skips_what_has_not_changed(prism, archive: Archive) -> None:
    prism(*_fake(archive))
    totals = json.loads(prism(*_fake(archive, "--json")).out)["totals"]
    assert (totals["documents_unchanged"], totals["documents_partly"]) == (1, 1)
    assert totals["requests"] == 0


def test_json_is_one_line_of_ids_and_counts_without_file_names(prism, archive: Archive) -> None:
    (archive.input / "damaged.docx").write_bytes(b"PK\x03\x04 not a document")
    ended = prism(*_fake(archive, "--json"))
    content = json.loads(ended.out)
    assert content["exit_code"] == ended.code == ExitCode.SOME_DOCUMENTS_FAILED
    assert content["totals"]["documents"] == 3
    assert content["totals"]["documents_failed"] == 1
    (failure,) = content["failures"]
    assert failure["class"] == "corrupt"
    assert "damaged" not in ended.out
    assert ended.err == ""


def test_quiet_prints_nothing_when_all_is_well(prism, archive: Archive) -> None:
    assert prism(*_fake(archive, "--quiet")) == (ExitCode.OK, "", "")


def test_a_failed_document_is_named_with_its_class_and_advice(prism, archive: Archive) -> None:
    (archive.input / "damaged.docx").write_bytes(b"PK\x03\x04 not a document")
    ended = prism(*_fake(archive))
    assert ended.code == ExitCode.SOME_DOCUMENTS_FAILED
    assert "damaged.docx" in ended.out
    assert "corrupt" in ended.out
    assert WORD_MARK in archive.translated(), "the others are translated"
    assert not (archive.output / "damaged.docx").exists()


def test_a_document_without_text_has_not_failed(prism, archive: Archive) -> None:
    (archive.input / "blank.txt").write_text("  \n\n")
    ended = prism(*_fake(archive), "--json")
    assert ended.code == ExitCode.OK
    found = json.loads(ended.out)
    assert (found["totals"]["documents_empty"], found["totals"]["documents_failed"]) == (1, 0)
    assert found["failures"] == []
    assert "without text" in prism(*_fake(archive)).out


def test_a_log_has_a_line_for_each_document_by_its_id(prism, archive: Archive) -> None:
    (archive.input / "secret-name.docx").write_bytes(b"PK\x03\x04 not a document")
    ended = prism(*_fake(archive))
    (failed,) = (line for line in ended.err.splitlines() if " failed corrupt: " in line)
    written = [line for line in ended.err.splitlines() if "translated: bytes " in line]
    assert len(written) == 2
    stages = ended.err.splitlines()[-1]
    assert stages.startswith("seconds: ingest ")
    assert " report " in stages
    assert "secret-name" not in ended.err
    again = prism(*_fake(archive))
    assert failed in again.err
    assert "failed corrupt: bytes 19," in failed
    assert "failed corrupt" not in prism(*_fake(archive), "--quiet").err


def test_a_rehearsal_shows_what_would_be_sent_and_sends_and_leaves_nothing(
    prism, archive: Archive, monkeypatch
) -> None:
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        arguments = ["translate", archive.input, archive.output, "--translator", "openai"]
        ended = prism(*arguments, "--dry-run")
        counts = json.loads(prism(*arguments, "--dry-run", "--json").out)
    assert ended.code == ExitCode.OK
    assert server.received == []
    assert not archive.output.exists()
    assert "what the translator would see" in ended.out
    assert PLANTED not in ended.out
    assert counts["documents"] == 2
    assert counts["translators"][0]["requests"] == 1
    assert counts["translators"][0]["characters"] > 100
    assert "samples" not in counts


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["translate", "nowhere", "out"], "does not exist"),
        (["translate", ".", "out", "--to", "Spanish"], "target"),
        (["translate", ".", "out", "--to", "en"], "same language"),
        (["translate", ".", "out", "--settings", "none.toml"], "none.toml"),
        (["translate", ".", "out", "--engine", "steam"], "steam"),
        (["translate", "."], "OUT"),
        (["translate", ".", "../out", "--translator", "openai"], "OPENAI_API_KEY"),
        (["audit", "names", "."], "no report"),
    ],
)
def test_what_was_asked_wrongly_ends_with_2_and_one_message(
    prism, archive: Archive, monkeypatch, arguments, said
) -> None:
    monkeypatch.chdir(archive.input)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    ended = prism(*arguments)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert said in ended.err


def test_output_inside_the_input_is_refused(prism, archive: Archive) -> None:
    ended = prism("translate", archive.input, archive.input / "out", "--translator", "fake")
    assert ended.code == ExitCode.BAD_CONFIGURATION


def test_an_api_key_in_the_settings_is_refused_and_not_printed(prism, archive: Archive) -> None:
    settings = archive.input.parent / "prism.toml"
    settings.write_text('[translator]\nmodel = "sk-abcdefabcdefabcdefabcdef"\n')
    ended = prism("settings", "check", "--settings", settings)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "OPENAI_API_KEY" in ended.err
    assert "sk-abc" not in ended.out + ended.err


def test_a_list_that_protects_nobody_is_found_by_a_check(prism, archive: Archive) -> None:
    settings = archive.input.parent / "prism.toml"
    settings.write_text('[identifiers]\nnever_send_file = "never.txt"\n')
    never = settings.with_name("never.txt")
    for content, code in (
        (None, ExitCode.BAD_CONFIGURATION),
        ("# to be filled\n", ExitCode.BAD_CONFIGURATION),
        ("Moonraker\n", ExitCode.OK),
    ):
        if content is not None:
            never.write_text(content)
        ended = prism("settings", "check", "--settings", settings)
        assert ended.code == code
        assert code == ExitCode.OK or str(never) in ended.err


def test_settings_shown_name_the_values_in_force(prism, archive: Archive) -> None:
    ended = prism("settings", "show")
    assert ended.code == ExitCode.OK
    assert os.environ["PRISM_DICTIONARY__PATH"] in ended.out


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Fault.UNAUTHORIZED, ExitCode.BAD_CONFIGURATION),
        (Fault.QUOTA, ExitCode.QUOTA_EXHAUSTED),
        (Fault.RATE_LIMITED_FOR_A_DAY, ExitCode.TRANSLATOR_FAILED),
    ],
)
def test_a_translator_that_fails_ends_the_run_and_a_later_one_goes_on(
    prism, archive: Archive, monkeypatch, fault, code
) -> None:
    arguments = ["translate", archive.input, archive.output, "--translator", "openai"]
    with OpenAIServer(faults=[fault]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        ended = prism(*arguments)
        assert ended.code == code
        assert ended.err.splitlines()[-1].startswith("prism: ")
        assert not (archive.output / "letter.txt").exists()
        assert prism(*arguments).code == ExitCode.OK
    assert WORD_MARK in archive.translated()


def test_state_of_another_key_ends_with_5(prism, archive: Archive, monkeypatch) -> None:
    prism(*_fake(archive))
    monkeypatch.setenv("PRISM_KEY", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=")
    ended = prism(*_fake(archive))
    assert ended.code == ExitCode.STATE_UNUSABLE
    assert "another key" in ended.err


def test_a_report_that_cannot_be_written_ends_with_6(prism, archive: Archive, monkeypatch) -> None:
    blocked = archive.input.parent / "blocked"
    blocked.write_text("")
    monkeypatch.setenv("PRISM_REPORT__PATH", str(blocked / "report"))
    assert prism(*_fake(archive)).code == ExitCode.OUTPUT_UNWRITABLE


def test_a_fault_of_prism_ends_with_70_and_without_its_words(
    prism, archive: Archive, monkeypatch
) -> None:
    def broken(*_: object, **_options: object) -> None:
        raise ValueError(f"cannot handle 'Dear {PLANTED}'")

    monkeypatch.setattr("prism_core.jobs.preparation.load_settings", broken)
    ended = prism(*_fake(archive))
    assert ended.code == ExitCode.INTERNAL_ERROR
    assert "ValueError" in ended.err
    assert PLANTED not in ended.out + ended.err


def _command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "flows.command", *map(str, arguments)]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_with_130_and_the_same_command_goes_on(
    prism, archive: Archive, monkeypatch, end: signal.Signals
) -> None:
    arguments = ["translate", archive.input, archive.output, "--translator", "openai"]
    with OpenAIServer(faults=[Fault.SLOW], slow_seconds=120) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        running = subprocess.Popen(
            _command(*arguments), stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
        )
        try:
            deadline = time.monotonic() + 120
            while not server.received and time.monotonic() < deadline:
                time.sleep(0.05)
            assert server.received, "the run never came to send anything"
            running.send_signal(end)
            _, err = running.communicate(timeout=60)
        finally:
            running.kill()
        assert running.returncode == ExitCode.INTERRUPTED
        assert "Run the same command again" in err
        assert "Traceback" not in err
        assert prism(*arguments).code == ExitCode.OK
    assert WORD_MARK in archive.translated()


class Loaded(NamedTuple):
    """What a process of the command had loaded when it ended well, and what it printed."""

    modules: set[str]
    out: str
    err: str


def imported_by(tmp_path: Path, *arguments: str) -> Loaded:
    """The command with ``arguments`` in a process of its own."""
    modules = tmp_path / "modules"
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from flows.command import cli\n"
        "try:\n"
        "    cli.main()\n"
        "finally:\n"
        f"    Path({str(modules)!r}).write_text(' '.join(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == ExitCode.OK, done.stderr
    return Loaded(set(modules.read_text().split()), done.stdout, done.stderr)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory, small_dictionary: Path) -> Loaded:
    """A run in a process of its own, without a terminal."""
    folder = tmp_path_factory.mktemp("process")
    with pytest.MonkeyPatch.context() as variables:
        archive = make_archive(folder, small_dictionary, variables)
        return imported_by(folder, *map(str, _fake(archive)))


def test_the_local_engine_never_imports_prefect_nor_pytorch(alone: Loaded) -> None:
    assert {"prism_core.jobs.translation", "spacy"} <= alone.modules
    assert not {"prefect", "torch"} & {name.split(".")[0] for name in alone.modules}


@pytest.mark.parametrize(
    "arguments",
    [
        ("settings", "show"),
        ("translate", "--help"),
        ("dictionary", "build", "--help"),
        ("evaluate", "--help"),
        ("key", "--help"),
    ],
)
def test_help_and_settings_load_nothing_heavy(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    imported = imported_by(tmp_path, *arguments).modules
    assert "flows.command.command_line" in imported
    heavy = {"prefect", "spacy", "sqlalchemy", "pyarrow", "openai", "numpy", "lxml"}
    assert not heavy & imported


def test_progress_lines_of_a_run_are_plain_text_when_there_is_no_terminal(alone: Loaded) -> None:
    assert "\x1b" not in alone.out + alone.err
    assert alone.err.startswith("loading the language model")


@pytest.mark.parametrize("command", [("settings", "show"), ("key", "show")])
@pytest.mark.parametrize("said", ["", "said by what was interrupted"])
def test_any_command_that_is_interrupted_says_so_and_has_the_exit_code_of_it(
    prism, monkeypatch: pytest.MonkeyPatch, command: tuple[str, str], said: str
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt(said)

    monkeypatch.setattr("prism_core.jobs.check_settings", interrupt)
    ended = prism(*command)
    assert ended.code == ExitCode.INTERRUPTED
    assert ended.err.startswith(
        f"prism: {said or 'interrupted; all answers received so far are kept'}"
    )


def test_no_line_is_cut_where_there_is_no_terminal(
    prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    name = f"{'a long name of a document ' * 6}.docx"
    (archive.input / name).write_bytes(b"PK\x03\x04 no document")
    ended = prism("translate", archive.input, archive.output, "--translator", "fake")
    planned = prism("plan", archive.input, "--translator", "fake")
    for out in (ended.out, planned.out):
        [line] = [line for line in out.splitlines() if name in line]
        assert "corrupt" in line
        assert line.rstrip().endswith("then run again.")
    for command in (("audit", "show"), ("audit", "names"), ("audit", "summary"), ("state", "show")):
        shown = prism(*command, archive.output)
        assert shown.code == ExitCode.OK, shown.err
        assert "…" not in shown.out
