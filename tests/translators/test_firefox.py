"""Models of Firefox on this machine: their folder, their checksums, long texts."""

from __future__ import annotations

import asyncio
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.resources import installed_folder, is_installed
from prism_core.settings import Settings, TranslatorSettings
from prism_core.translators import (
    add_model_folder,
    add_model_pair,
    list_models,
    make_translator,
)
from prism_core.translators.adapters.firefox import LONGEST, cut_long

MODEL = installed_folder("en", "pt")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of models."""
    monkeypatch.setenv("PRISM_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def translate(folder: Path | None, *texts: str) -> list[str]:
    settings = TranslatorSettings.choose(name="firefox", folder=folder)
    return asyncio.run(make_translator(settings, "en", "pt").translate(texts, "en", "pt"))


def test_a_model_is_added_from_its_folder_and_used(elsewhere: Path, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for file in MODEL.glob("*.*m"):
        shutil.copy(file, files)
    shutil.copy(MODEL / "model.enpt.intgemm.alphas.bin", files)
    assert not is_installed("en", "pt")
    assert add_model_folder(files) == "en-pt"
    assert list_models() == ["en-pt"]
    assert Settings(target="pt").translator.name == "firefox"
    assert translate(None, "Good morning.") == ["Bom dia."]
    assert [path.name for path in elsewhere.iterdir()] == ["en-pt"]


def test_a_damaged_file_is_not_installed_and_not_used(elsewhere: Path, tmp_path: Path) -> None:
    copied = tmp_path / "en-pt"
    shutil.copytree(MODEL, copied)
    (copied / "vocab.enpt.spm").write_bytes(b"changed")
    with pytest.raises(Misconfigured, match="checksum"):
        add_model_folder(copied)
    assert list_models() == []
    with pytest.raises(Misconfigured, match="checksum"):
        translate(copied, "Good morning.")


def test_what_is_no_pair_is_not_asked_for(elsewhere: Path) -> None:
    with pytest.raises(ConfigurationError, match="neither a folder nor a pair"):
        add_model_pair("nonsense")
    assert list_models() == []


def test_a_folder_without_a_model_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="prism models add"):
        translate(tmp_path, "Good morning.")


def test_a_model_is_of_one_pair() -> None:
    settings = TranslatorSettings.choose(name="firefox", folder=MODEL)
    with pytest.raises(Misconfigured, match="en-pt, not en-es"):
        make_translator(settings, "en", "es")


def test_a_long_text_is_translated_to_its_end() -> None:
    clauses = [f"in room {n} there were {n + 1} chairs and a table" for n in range(40, 70)]
    (answer,) = translate(MODEL, f"{', '.join(clauses)}.")
    assert [n for n in range(40, 71) if str(n) not in answer] == []


@pytest.mark.parametrize("text", ["short", "x" * 2000, "word " * 500, "a, b; " * 300])
def test_a_long_text_is_cut_and_nothing_is_lost(text: str) -> None:
    parts = cut_long(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(len(part) <= LONGEST or " " not in part.strip() for part in parts)


def test_the_digest_of_the_settings_follows_the_model(tmp_path: Path) -> None:
    shutil.copytree(MODEL, tmp_path / "model")
    settings = Settings(
        target="pt", translator=TranslatorSettings.choose(name="firefox", folder=tmp_path / "model")
    )
    before = settings.digest()
    (tmp_path / "model" / "model.enpt.intgemm.alphas.bin").write_bytes(sha256().digest())
    assert settings.digest() != before
