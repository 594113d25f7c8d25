"""A provider is one file: the documented example is found, set, asked and reported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import prism_core
from prism_core import plugins
from prism_core.errors import ConfigurationError, ExitCode
from prism_core.settings import TranslatorSettings, load_settings
from prism_core.settings.sources import setting_names
from prism_core.translators import adapters, make_translator
from prism_core.translators.adapters.fake import WORD_MARK, mark_words
from tests.flows.conftest import PLANTED, Archive
from tests.loopback import LoopbackServer, Reply, Request

DOCUMENTED = Path(__file__).parents[2] / "docs" / "own_provider.md"
KEY = "loopback-key"


class InHouseServer(LoopbackServer):
    """The server that the example is for."""

    def answer(self, request: Request) -> Reply:
        if request.headers["Authorization"] != f"Bearer {KEY}":
            return Reply(401)
        if request.json["glossary"] == "unknown":
            return Reply(418)
        return Reply.of_json({"translations": [mark_words(text) for text in request.json["texts"]]})


@pytest.fixture
def in_house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InHouseServer]:
    """The server, with the example among the adapters: its one file, and nothing else."""
    folder = tmp_path.joinpath("more", *adapters.__name__.split("."))
    folder.mkdir(parents=True)
    for shipped in Path(adapters.__path__[0]).glob("*.py"):
        (folder / shipped.name).symlink_to(shipped)
    for room in Path(prism_core.__path__[0]).iterdir():
        if room.name != "translators":
            (folder.parents[1] / room.name).symlink_to(room)
    text = DOCUMENTED.read_text(encoding="utf-8")
    example = text[text.index("```python\n") :].removeprefix("```python\n").partition("```")[0]
    (folder / "in_house.py").write_text(example, encoding="utf-8")
    monkeypatch.setattr(plugins, "_ROOT", tmp_path / "more")
    monkeypatch.setattr(adapters, "__path__", [*adapters.__path__, str(folder)])
    monkeypatch.setenv("IN_HOUSE_KEY", KEY)
    with InHouseServer() as server:
        yield server


def test_one_file_is_all_that_a_provider_takes(
    prism, archive: Archive, in_house: InHouseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_LIMITS__WORKERS", "1")
    monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", in_house.url)
    monkeypatch.setenv("PRISM_TRANSLATOR__GLOSSARY", "law")
    command = ["translate", archive.input, archive.output, "--translator", "in-house", "--json"]
    ended = prism(*command)
    assert ended.code == ExitCode.OK
    assert WORD_MARK in archive.translated()
    asked = [json.loads(body) for body in in_house.bodies]
    assert {(body["from"], body["to"], body["glossary"]) for body in asked} == {("en", "es", "law")}
    assert PLANTED not in str(asked)
    assert "in-house" in (archive.output / "prism-report" / "index.html").read_text()
    monkeypatch.setenv("PRISM_TRANSLATOR__GLOSSARY", "unknown")
    (archive.input / "letter.txt").write_text("The farmer opened the bridge.\n")
    ended = prism(*command)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "translator.glossary" in ended.err


def test_its_options_are_its_own(in_house: InHouseServer, tmp_path: Path) -> None:
    file = tmp_path / "prism.toml"
    table = f'name = "in-house"\nbase_url = "{in_house.url}"'
    file.write_text(f'[translator]\n{table}\nglossary = "law"\nrequests_per_minute = 60')
    settings = load_settings(file).translator
    made = make_translator(settings, "en", "es")
    assert (made.endpoint, made.limits.requests_per_minute) == ("127.0.0.1", 60)
    assert "in-house" in TranslatorSettings.names()
    assert "translator.glossary" in setting_names()
    file.write_text(f'[translator]\n{table}\nregion = "law"')
    with pytest.raises(ConfigurationError, match="in-house does not use it; it is for azure"):
        load_settings(file)
    file.write_text('[[other_translators]]\nname = "deepl"\nglossary = "law"')
    with pytest.raises(ConfigurationError, match="deepl does not use it; it is for in-house"):
        load_settings(file)
