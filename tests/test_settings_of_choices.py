"""Settings of what can be chosen: mechanisms, translators, policies, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.jobs import prepare_job
from prism_core.report.parquet_schema import check_columns
from prism_core.report.rows import RunFacts
from prism_core.settings import MechanismSettings, Settings, load_settings
from tests.report.sample_rows import FACTS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "ratio = 0.5",
            "mechanism.ratio in .*: prism-star does not use it; it is for prism-star-ratio",
        ),
        (
            'name = "nested"\nunknown_words = "keep"',
            "nested does not use it; it is for no-decode, prism-star, prism-star-ratio",
        ),
        (
            "replace_probability = 0.5",
            "it is for mixture, nested, prism-r",
        ),
        ('name = "no-decode"\nreplace_probability = 0.5', "no-decode does not use it"),
        (
            'name = "prism-r"\ntable_probability = 0.1',
            "table_probability in .*: prism-r does not use it; it is for mixture",
        ),
        ('name = "prism-r"\nreplace_probability = 0', "greater than 0"),
        ('name = "mixture"\ntable_probability = 1', "less than 1"),
        ('name = "prism"', "prism-star"),
    ],
)
def test_a_mechanism_refuses_what_it_would_not_heed(toml, text, message) -> None:
    with pytest.raises(ConfigurationError, match=message) as raised:
        load_settings(toml(f"[mechanism]\n{text}"))
    assert "mechanism" in str(raised.value)
    assert "prism.toml" in str(raised.value)


def test_probabilities_that_are_not_given_have_their_defaults() -> None:
    mixture = load_settings(flags={"mechanism.name": "mixture"}).mechanism
    assert (mixture.replace_probability, mixture.table_probability) == (0.5, 0.25)
    given = {"mechanism.replace_probability": 0.9, "mechanism.table_probability": 0.0}
    mixture = load_settings(flags={"mechanism.name": "mixture", **given}).mechanism
    assert (mixture.replace_probability, mixture.table_probability) == (0.9, 0.0)


@pytest.mark.parametrize("name", MechanismSettings.names())
def test_a_mechanism_has_a_table_of_its_own_that_is_kept_whole(name) -> None:
    settings = load_settings(flags={"mechanism.name": name})
    assert type(settings.mechanism) is MechanismSettings.load(name).settings
    assert settings.mechanism.name == name
    assert Settings.model_validate_json(settings.model_dump_json()) == settings


def test_a_policy_says_which_option_its_mechanism_has_no_use_for(toml) -> None:
    policy = '[[policies]]\nname = "p"\nfolders = ["*"]\nmechanism = {name = "nested", ratio = 1}'
    with pytest.raises(ConfigurationError) as raised:
        load_settings(toml(policy))
    assert str(raised.value).startswith("policies[1].mechanism.ratio in ")
    assert "nested does not use it; it is for prism-star-ratio" in str(raised.value)


def test_other_translators_are_tables_with_paths_of_their_own_or_plain_names(
    tmp_path: Path,
) -> None:
    file = tmp_path / "prism.toml"
    file.write_text('[[other_translators]]\nname = "local"\nfolder = "model"\n', encoding="utf-8")
    assert load_settings(file).other_translators[0].folder == tmp_path / "model"
    named = load_settings(None, {"PRISM_OTHER_TRANSLATORS": "deepl:azure"})
    assert [one.name for one in named.translators] == ["apertium", "deepl", "azure"]
    cleared = load_settings(file, {"PRISM_OTHER_TRANSLATORS": "none"})
    assert cleared.other_translators == ()


_TWO = """
[translator]
name = "openai"
base_url = "https://llm.example.org/v1"
api_key_env = "OUR_KEY"
price_per_million = 1
price_per_million_answered = 2
max_cost = 5
[[other_translators]]
name = "azure"
region = "westeurope"
"""


def test_a_translator_chosen_by_flag_gets_nothing_of_the_one_in_the_file(toml) -> None:
    for chosen in ({"translator.name": "deepl"}, {"PRISM_TRANSLATOR__NAME": "deepl"}):
        environment = chosen if "PRISM_TRANSLATOR__NAME" in chosen else {}
        flags = {} if environment else chosen
        one = load_settings(toml(_TWO), environment, flags).translator
        assert one.name == "deepl"
        assert one.model_dump(exclude_defaults=True) == {"max_cost": 5}


def test_translators_chosen_by_flags_have_the_settings_of_their_tables(toml) -> None:
    flags = {"translator.name": "azure", "other_translators": ["openai", "deepl"]}
    azure, openai, deepl = load_settings(toml(_TWO), {}, flags).translators
    assert (azure.name, azure.region, azure.max_cost) == ("azure", "westeurope", 5)
    assert (openai.base_url, openai.api_key_env) == ("https://llm.example.org/v1", "OUR_KEY")
    assert (deepl.base_url, deepl.api_key_env) == (None, None)


def test_settings_of_a_translator_without_a_name_are_those_of_the_one_that_is_chosen(toml) -> None:
    file = toml('[translator]\nbase_url = "https://llm.example.org/v1"')
    assert load_settings(file, {}, {"translator.name": "openai"}).translator.base_url


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[other_translators]]\nname = "azure"\nregio = "x"', r"other_translators\[1\].regio"),
        ('[[other_translators]]\nname = "azure"\napi_key = "x"', "never settings"),
        ('other_translators = ["azure", "zzz"]', r"other_translators\[2\].name"),
        ('other_translators = ["apertium"]', "listed already"),
        ('[[other_translators]]\nname = "azure"\nmax_cost = 1', "all of them together"),
        ('[mixing]\nrouting = "split"', "lists nobody"),
        ("[mixing]\ndecoy_rate = 1", "needs decoys_file"),
        ("[translator]\nmax_cost = true", "takes no true or false"),
    ],
)
def test_translators_that_cannot_be_listed_so_are_refused(
    tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "prism.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=said):
        load_settings(file)


@pytest.mark.parametrize(
    ("scope", "problem"),
    [
        ('folders = ["/srv/in/patients"]', "'/srv/in/patients': a folder is named from the input"),
        ('folders = ["./patients"]', "fits nothing in './patients'"),
        ('folders = ["letters", "../patients"]', "fits nothing in '../patients'"),
        ('folders = ["in\\\\patients"]', "with / between"),
        ('folders = [""]', "fits nothing in ''"),
    ],
)
def test_a_policy_that_can_never_fit_is_refused_rather_than_believed(
    toml, scope: str, problem: str
) -> None:
    with pytest.raises(ConfigurationError) as refused:
        load_settings(toml(f'[[policies]]\nname = "patients"\n{scope}\ntranslators = []'))
    assert problem in str(refused.value)


@pytest.mark.parametrize(
    ("formats", "problem"),
    [
        ('["eml", "DOCX"]', "patients: 'DOCX' is not a format; formats are csv, doc, docx, eml"),
        ('[".pdf"]', "'.pdf' is not a format"),
    ],
)
def test_a_policy_for_a_format_that_there_is_not_is_refused_before_a_job_begins(
    toml, tmp_path: Path, formats: str, problem: str
) -> None:
    file = toml(f'[[policies]]\nname = "patients"\nformats = {formats}\ntranslators = []')
    with pytest.raises(ConfigurationError) as refused:
        prepare_job(tmp_path, tmp_path, file)
    assert problem in str(refused.value)


def test_a_policy_takes_folders_documents_and_patterns(toml) -> None:
    folders = '["patients/", "*/discharge/*", "board/minutes.txt", "*"]'
    text = f'[[policies]]\nname = "a"\nfolders = {folders}\nformats = ["txt", "md"]'
    assert load_settings(toml(text)).policies[0].fits("a/discharge/b.txt", "txt")


@pytest.mark.parametrize("name", ["purpose", "retention", "region"])
def test_what_the_report_could_not_hold_is_refused_before_anything_is_sent(toml, name: str) -> None:
    for stated in ("x" * 501, "a \\u0001 b", "a \\r b"):
        with pytest.raises(ConfigurationError, match=rf"report\.{name}"):
            load_settings(toml(f'[report]\n{name} = "{stated}"'))
    longest = load_settings(toml(f'[report]\n{name} = "{"é" * 499}\\n"'))
    check_columns(RunFacts, [replace(FACTS, **{name: getattr(longest.report, name)})])
