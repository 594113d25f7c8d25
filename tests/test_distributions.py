"""The distributions: the product runs alone, and each file is in exactly one wheel."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flows import enter_prefect
from flows.command import cli
from prism_core import formats, plugins
from prism_core.errors import ConfigurationError, DocumentError, Misconfigured
from prism_core.settings import MechanismSettings, TranslatorSettings, load_settings, section
from prism_core.translators import make_provider
from scripts import release

ROOT = Path(__file__).parents[1]
PARTS = [str(part.relative_to("prism_core")) for part in release.PARTS]
_WITHOUT_PARTS = f"""
import sys
for part in {[part.replace("/", ".") for part in PARTS]}:
    sys.modules["prism_core." + part] = None
import importlib.metadata
find = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **asked: (
    () if str(asked.get("group")).startswith("prism") else find(**asked)
)
from flows.command import main
sys.argv = ["prism", *sys.argv[1:]]
main()
"""


def run_without_parts(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run ``prism`` in a process where the other distributions cannot be imported."""
    command = [sys.executable, "-c", _WITHOUT_PARTS, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_product_translates_without_the_other_distributions(tmp_path: Path) -> None:
    archive, output = tmp_path / "in", tmp_path / "out"
    archive.mkdir()
    (archive / "letter.txt").write_text("The nurse saw the patient. He was well.\n")
    done = run_without_parts("translate", archive, output, "--to", "es", "--translator", "fake")
    assert done.returncode == 0, done.stderr
    assert (output / "letter.txt").exists()
    assert (output / "prism-report" / "index.html").exists()


@pytest.mark.parametrize(
    ("command", "extra"),
    [
        ("dictionary", "dictionary"),
        ("train", "train"),
        ("evaluate", "lab"),
        ("gate", "lab"),
        ("review", "cat"),
        ("serve", "cat"),
    ],
)
def test_a_command_that_is_not_installed_names_its_extra(
    command: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = cli.app.registered_groups + cli.app.registered_commands
    kept = [found for found in group if (found.name or found.callback.__name__) != command]
    monkeypatch.setattr(
        cli.app, "registered_groups", [f for f in kept if hasattr(f, "typer_instance")]
    )
    monkeypatch.setattr(
        cli.app, "registered_commands", [f for f in kept if not hasattr(f, "typer_instance")]
    )
    with pytest.raises(ConfigurationError, match=rf"prism-translate\[{extra}\]"):
        CliRunner().invoke(cli.app, [command, "--help"], catch_exceptions=False)


def test_an_extra_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prefect", None)
    with pytest.raises(ConfigurationError, match=r"prism-translate\[prefect\]"):
        enter_prefect({}, None, {})
    monkeypatch.setitem(sys.modules, "openai", None)
    for name in ("openai", "openai-batch"):
        settings = TranslatorSettings.model_validate({"name": name, "model": "a"})
        with pytest.raises(Misconfigured, match=rf"prism-translate\[{name}\]"):
            make_provider(settings, "en", "es")


def test_a_mechanism_or_translator_that_is_not_installed_names_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugins, "find_entry_points", lambda _group: {})
    monkeypatch.setattr(section, "find_entry_points", lambda _group: {})
    assert MechanismSettings.names() == ("prism-r", "prism-star")
    with pytest.raises(ConfigurationError, match=r"prism-translate\[openai\]"):
        load_settings(flags={"translator.name": "openai"})
    with pytest.raises(ConfigurationError, match=r"prism-translate\[lab\]"):
        load_settings(flags={"mechanism.name": "nested"})


def test_a_document_of_a_format_that_is_not_installed_names_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "find_entry_points", lambda _group: {})
    letter = tmp_path / "letter.rtf"
    letter.write_text(r"{\rtf1 The nurse saw the patient.}")
    with pytest.raises(DocumentError, match=r"^unsupported: .*prism-translate\[old-office\]"):
        formats.read_document(letter, formats.FormatOptions(target="xx"))


def test_each_part_packs_its_own_files_alone(tmp_path: Path) -> None:
    packed: list[str] = []
    for part in PARTS:
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
        subprocess.run(build, cwd=ROOT / "prism_core" / part, check=True, capture_output=True)
    for wheel in tmp_path.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if ".dist-info/" not in name]
            packed += [name for name in names if name.endswith(".py")]
    here = {
        path.relative_to(ROOT).as_posix()
        for part in PARTS
        for path in (ROOT / "prism_core" / part).rglob("*.py")
    }
    flows = {"flows/build_dictionary.py", "flows/evaluate_privacy.py", "flows/train_translator.py"}
    assert sorted(packed) == sorted(here | flows)
    product = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert sorted(product["tool"]["uv"]["workspace"]["members"]) == sorted(map(str, release.PARTS))
    left_out = set(product["tool"]["hatch"]["build"]["targets"]["wheel"]["exclude"])
    assert left_out == {f"/prism_core/{part}" for part in PARTS} | {f"/{flow}" for flow in flows}


@pytest.mark.parametrize(
    ("licence", "beginning"),
    [
        ("GPL-2.0-only", "GNU GENERAL PUBLIC LICENSE"),
        ("CC-BY-SA-4.0", "Attribution-ShareAlike 4.0 International"),
        ("LGPL-LR", "Lesser General Public License For Linguistic Resources"),
    ],
)
def test_the_wheel_has_the_text_of_every_licence(licence: str, beginning: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    shipped = [file for pattern in project["license-files"] for file in ROOT.glob(pattern)]
    (text,) = (file.read_text("utf-8") for file in shipped if file.stem == licence)
    assert text.strip().startswith(beginning)
