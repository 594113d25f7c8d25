"""Pairs without English, through the whole command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from prism_core.dictionary import ASSOCIATED, BEFORE, read_dictionary
from prism_core.errors import ExitCode
from prism_core.resources import shipped_dictionary
from prism_core.translators.adapters.fake import FakeTranslator
from tests.adapters import put_in_place_for_a_test
from tests.flows.conftest import Prism

LETTERS = {
    "es": "Carmen Quesada pagó la renta de la casa.\nEl abogado y la hija abrieron la puerta.\n",
    "fr": "Sylvie Delacroix a payé le loyer de la maison.\nL'avocat a ouvert la porte au voisin.\n",
    "de": "Anke Quandt zahlte die Miete für das Haus.\nDer Anwalt öffnete dem Nachbarn die Tür.\n",
}
NAMES = {"es": ("Carmen", "Quesada"), "fr": ("Sylvie", "Delacroix"), "de": ("Anke", "Quandt")}


HOUSES = {"es": "casa", "fr": "maison", "de": "Haus"}


@cache
def first_forms(source: str, target: str) -> Mapping[str, str]:
    """What Google's rows write first for each word."""
    return {
        entry.word: entry.forms.texts[0]
        for entry in read_dictionary(shipped_dictionary(source, target)).entries
        if entry.translator == "google" and entry.tag not in (ASSOCIATED, BEFORE)
    }


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The texts that the translator is asked for, which it translates word by word."""
    texts: list[str] = []

    class WordByWord(FakeTranslator):
        async def translate(self, asked: Sequence[str], source: str, target: str) -> list[str]:
            texts.extend(asked)
            forms = first_forms(source, target)
            return [
                re.sub(r"[^\W\d_]+", lambda word: forms.get(word[0].lower(), word[0]), text)
                for text in asked
            ]

    put_in_place_for_a_test(monkeypatch, "fake", WordByWord)
    monkeypatch.setenv("PRISM_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("PRISM_LIMITS__WORKERS", "1")
    return texts


def write_letter(folder: Path, source: str) -> Path:
    (folder / "in").mkdir()
    (folder / "in" / "letter.txt").write_text(LETTERS[source], "utf-8")
    return folder / "in"


@pytest.mark.parametrize("pair", ["es-fr", "fr-de", "de-es"])
def test_a_pair_without_english_is_translated_into_its_words_and_shows_no_name(
    prism: Prism, sent: list[str], tmp_path: Path, pair: str
) -> None:
    source, target = pair.split("-")
    archive = write_letter(tmp_path, source)
    options = ("--from", source, "--to", target, "--translator", "fake", "--quiet")
    refused = prism("translate", archive, tmp_path / "out", *options)
    assert refused.code == ExitCode.BAD_CONFIGURATION
    assert "experimental" in refused.err
    assert sent == []
    ended = prism("translate", archive, tmp_path / "out", *options, "--experimental")
    assert ended.code == ExitCode.OK, ended
    assert len(sent) >= 2
    assert not [name for name in NAMES[source] if any(name in text for text in sent)]
    written = (tmp_path / "out" / "letter.txt").read_text("utf-8")
    assert all(name in written for name in NAMES[source])
    assert HOUSES[target] in written


@pytest.mark.parametrize("pair", ["es-it", "fr-pt"])
def test_a_pair_that_no_dictionary_ships_for_is_refused_with_those_that_do(
    prism: Prism, sent: list[str], tmp_path: Path, pair: str
) -> None:
    source, target = pair.split("-")
    options = ("--from", source, "--to", target, "--translator", "fake", "--experimental")
    refused = prism("translate", write_letter(tmp_path, source), tmp_path / "out", *options)
    assert refused.code == ExitCode.BAD_CONFIGURATION
    assert "es-fr" in refused.err
    assert sent == []
