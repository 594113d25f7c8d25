"""The wheel holds all that the main job needs, and is the same whenever it is built."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def build(folder: Path) -> Path:
    """The wheel of this checkout."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("package"))


@pytest.fixture(scope="module")
def installed(wheel: Path) -> Path:
    """A folder that the wheel alone is installed in. Python compiles what is used of it."""
    target = wheel.parent / "site"
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    command = [sys.executable, *install, "--target", target, wheel]
    subprocess.run(command, check=True, capture_output=True)
    return target


def test_what_is_installed_translates_without_the_checkout(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("The doctor visited the hospital on May 6, 2026.\n")
    where = "import prism_core.resources as r; print(r.SHIPPED)"
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
        "PYTHONPATH": str(installed),
        "PRISM_KEY__FILE": str(tmp_path / "key"),
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert Path(run("-c", where).strip()).is_relative_to(installed)
    run("-m", "flows.command", "translate", "in", "out", "--to", "es", "--translator", "apertium")
    assert "hospital" in (tmp_path / "out" / "a.txt").read_text()
    assert "doctor visited" not in (tmp_path / "out" / "a.txt").read_text()


def test_manual_and_completions_are_where_systems_look_for_them(installed: Path) -> None:
    share = installed / "share"
    assert "prism translate" in (share / "man/man1/prism.1").read_text().replace("\\-", "-")
    script = share / "bash-completion/completions/prism"
    subprocess.run(["bash", "-n", script], check=True)
    assert "_PRISM_COMPLETE=complete_bash" in script.read_text()
    assert (share / "zsh/site-functions/_prism").read_text().startswith("#compdef prism")
    assert (share / "fish/vendor_completions.d/prism.fish").stat().st_size > 50


def test_a_wheel_is_built_the_same_again(wheel: Path, tmp_path: Path) -> None:
    assert sha256(build(tmp_path).read_bytes()).digest() == sha256(wheel.read_bytes()).digest()
