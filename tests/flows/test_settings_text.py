from __future__ import annotations

from pathlib import Path

import pytest

from flows.command.cli import settings_as_toml
from prism_core.settings import TranslatorSettings, load_settings
from prism_core.settings.sources import setting_names


@pytest.mark.parametrize(
    "flags",
    [
        {},
        {
            "translator.name": "azure",
            "translator.allow_plain_http": True,
            "mechanism.draw_from": 0.5,
        },
        {"translator.name": "openai", "translator.temperature": "default"},
        {"translator.name": "deepl", "other_translators": ["openai-batch", "local"]},
        {"translator.shared_pace": "postgresql://me@host/pace", "translator.account": "a@b"},
        {"translator.shared_pace": str(Path("run/pace.db").absolute())},
        {"report.purpose": 'quotes " and \\ and \n and é and \t'},
        {"identifiers.names_file": Path("with space/námes.txt").absolute()},
    ],
)
def test_settings_shown_are_a_file_that_gives_them_back(tmp_path: Path, flags) -> None:
    settings = load_settings(None, {}, flags)
    file = tmp_path / "prism.toml"
    file.write_text(settings_as_toml(settings), encoding="utf-8")
    assert load_settings(file) == settings


def test_every_setting_is_shown_even_when_it_is_not_set() -> None:
    everybody = "".join(
        settings_as_toml(load_settings(None, {}, {"translator.name": name}))
        for name in TranslatorSettings.names()
    )
    for name in setting_names():
        assert f"{name.rpartition('.')[2]} =" in everybody
