"""What the shell and ``man`` know of the command is made of the command itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main

from flows.command.cli import app
from scripts.manual_page import write_manual

ROOT = Path(__file__).parents[2]
COMMAND = "import sys; sys.argv[0] = 'prism'; from flows.command import main; main()"


@pytest.fixture(scope="module")
def prism(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it is installed, in a folder of its own."""
    program = tmp_path_factory.mktemp("bin") / "prism"
    program.write_text(f"#!{sys.executable}\n{COMMAND}\n")
    program.chmod(0o755)
    return program


def run(program: Path, *command: str, **variables: str) -> str:
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), **variables}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_bash_completes_commands_options_and_translators(prism: Path) -> None:
    script = run(prism, "prism", _PRISM_COMPLETE="source_bash")

    def completed(*words: str) -> list[str]:
        typed = " ".join(f"'{word}'" for word in ("prism", *words))
        line = f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _prism_completion prism"
        return run(prism, "bash", "-c", f'{script}\n{line}\necho "${{COMPREPLY[@]}}"').split()

    assert completed("tr") == ["train", "translate"]
    assert completed("key", "") == ["new", "show", "rotate", "destroy"]
    assert completed("translate", "a", "b", "--max") == ["--max-cost"]
    assert completed("translate", "a", "b", "--translator", "open") == ["openai", "openai-batch"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_answered(prism: Path, shell: str) -> None:
    asked = {"_TYPER_COMPLETE_ARGS": "prism tr", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    assert "prism" in run(prism, "prism", _PRISM_COMPLETE=f"source_{shell}")
    answer = run(prism, "prism", _PRISM_COMPLETE=f"complete_{shell}", **asked)
    assert "translate" in answer
    assert "review" not in answer


def test_manual_has_every_command_option_and_exit_code() -> None:
    root = typer.main.get_command(app)
    page = write_manual(root).replace("\\-", "-")
    for option in ("--max-cost", "--destroy-old", "--documents-older-than", "--install-completion"):
        assert option in page
    for command in ("prism plan", "prism audit verify", "prism evaluate", "prism evaluate roles"):
        assert f".SS {command}\n" in page
    assert "\n.TP\n\\fB130\\fR\n" in page
    assert "[bold]" not in page


def test_no_text_of_the_help_is_taken_for_a_request_of_troff() -> None:
    macros = {".TH", ".nh", ".ad", ".SH", ".SS", ".B", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi"}
    hostile = typer.Typer(help="Summary.\n\n.so /etc/passwd\n\n'br \\\\fB")
    hostile.command(help=".sy true")(lambda: None)
    hostile.callback()(lambda: None)
    for program in (app, hostile):
        lines = write_manual(typer.main.get_command(program)).splitlines()
        assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= macros
