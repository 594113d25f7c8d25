"""A real model in a real engine: nothing is cut off, and what is missing is said at once."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from pathlib import Path

import pytest

from prism_core.errors import ExitCode, Misconfigured, Rejected
from prism_core.settings import TranslatorSettings, load_settings
from prism_core.translators import make_translator
from prism_core.translators.adapters.local import LONGEST
from tests.copying_model import turned

TEXTS = ["The house is red.", "Ünïcode, a 😀 and 1,234.5 too.", "x" * 300, "No."]


def ask(folder: Path, texts: list[str]) -> list[str]:
    made = make_translator(TranslatorSettings.choose(name="local", folder=folder), "en", "es")
    return asyncio.run(made.translate(texts, "en", "es"))


def test_the_model_translates(copying_model: Path) -> None:
    assert ask(copying_model, TEXTS) == [turned(text) for text in TEXTS]
    assert turned(TEXTS[0]) != TEXTS[0]


def test_a_model_of_several_tasks_gets_its_prefix_and_is_another_that_is_asked(
    copying_model: Path,
) -> None:
    settings = TranslatorSettings.choose(name="local", folder=copying_model, prefix="to Spanish: ")
    made = make_translator(settings, "en", "es")
    (answer,) = asyncio.run(made.translate([TEXTS[0]], "en", "es"))
    assert answer == turned(f"to Spanish: {TEXTS[0]}")
    plain = TranslatorSettings.choose(name="local", folder=copying_model)
    assert settings.asked_of() != plain.asked_of()


def test_a_text_that_is_too_long_is_rejected_and_not_cut_off(copying_model: Path) -> None:
    with pytest.raises(Rejected, match="longer than") as caught:
        ask(copying_model, ["Short.", "x" * (LONGEST + 1)])
    assert caught.value.index == 1
    assert caught.value.__context__ is None


def test_an_answer_that_does_not_end_is_rejected(copying_model: Path, tmp_path: Path) -> None:
    endless = shutil.copytree(copying_model, tmp_path / "endless")
    config = json.loads((endless / "config.json").read_text())
    (endless / "config.json").write_text(json.dumps(config | {"eos_token": "<unk>"}))
    with pytest.raises(Rejected) as caught:
        ask(endless, ["Short."])
    assert caught.value.__context__ is None


def test_an_end_is_added_where_the_model_adds_none(copying_model: Path, tmp_path: Path) -> None:
    other = shutil.copytree(copying_model, tmp_path / "other")
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"add_source_eos": False}))
    assert ask(other, TEXTS) == [turned(text) for text in TEXTS]


@pytest.mark.parametrize("name", ["model.bin", "config.json", "source.spm", "target.spm"])
def test_a_file_that_is_missing_is_said_when_the_translator_is_made(
    copying_model: Path, tmp_path: Path, name: str
) -> None:
    less = shutil.copytree(copying_model, tmp_path / "less")
    (less / name).unlink()
    with pytest.raises(Misconfigured, match=name) as caught:
        make_translator(TranslatorSettings.choose(name="local", folder=less), "en", "es")
    assert caught.value.exit_code is ExitCode.BAD_CONFIGURATION


@pytest.mark.parametrize("name", ["model.bin", "config.json", "source.spm", "target.spm"])
def test_a_damaged_model_is_the_settings_fault(
    copying_model: Path, tmp_path: Path, name: str
) -> None:
    damaged = shutil.copytree(copying_model, tmp_path / "damaged")
    (damaged / name).write_bytes(b"\x00\x01\x02")
    with pytest.raises(Misconfigured, match="cannot be loaded"):
        ask(damaged, TEXTS)


def test_the_folder_must_be_given_and_starts_at_the_settings_file(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"translator\.folder"):
        make_translator(TranslatorSettings.choose(name="local"), "en", "es")
    file = tmp_path / "prism.toml"
    file.write_text('[translator]\nname = "local"\nfolder = "models/en-es"')
    assert load_settings(file).translator.folder == tmp_path / "models" / "en-es"


def test_without_the_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(Misconfigured, match=r"pip install 'prism-translate\[local\]'"):
        make_translator(TranslatorSettings.choose(name="local"), "en", "es")


def test_a_model_whose_card_says_another_pair_is_refused(
    copying_model: Path, tmp_path: Path
) -> None:
    other = shutil.copytree(copying_model, tmp_path / "other")
    (other / "card.json").write_text('{"source": "en", "target": "es"}')
    assert ask(other, TEXTS[:1]) == [turned(TEXTS[0])]
    (other / "card.json").write_text('{"source": "es", "target": "en"}')
    with pytest.raises(Misconfigured, match="from es to en, not from en to es"):
        ask(other, TEXTS[:1])
