from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.settings import Settings, load_settings
from prism_core.settings.sources import setting_names


def test_without_any_source_the_defaults_hold() -> None:
    settings = load_settings()
    assert settings == Settings()
    assert (settings.source, settings.target) == ("en", "es")
    assert settings.mechanism.threshold == 0.2
    assert settings.mechanism.unknown_words == "source"


def test_each_source_overrides_the_one_below_it(toml) -> None:
    file = toml("[mechanism]\nthreshold = 0.1\nminimum_pool = 30\n[limits]\nmemory_mb = 700")
    environment = {"PRISM_MECHANISM__THRESHOLD": "0.2", "PRISM_LIMITS__MEMORY_MB": "800"}
    settings = load_settings(file, environment, {"mechanism.threshold": 0.3})
    assert settings.mechanism.minimum_pool == 30
    assert settings.limits.memory_mb == 800
    assert settings.mechanism.threshold == 0.3


def test_a_flag_that_was_not_given_overrides_nothing() -> None:
    settings = load_settings(None, {"PRISM_TARGET": "fr"}, {"target": None})
    assert settings.target == "fr"


@pytest.mark.parametrize(
    ("text", "names"),
    [('"a.csv"', ["a.csv"]), ('["a.csv", "b.tbx"]', ["a.csv", "b.tbx"]), ('"none"', [])],
)
def test_a_glossary_is_one_file_or_several(toml, tmp_path: Path, text, names) -> None:
    settings = load_settings(toml(f"[dictionary]\nglossary = {text}"))
    assert settings.dictionary.glossary == tuple(tmp_path / name for name in names)


def test_an_empty_environment_variable_counts_as_unset() -> None:
    assert load_settings(None, {"PRISM_TARGET": ""}) == Settings()


def test_a_shared_pace_is_a_path_from_the_file_or_an_address_as_it_is(toml, tmp_path: Path) -> None:
    by_path = load_settings(toml('[translator]\nshared_pace = "run/pace.db"'))
    assert by_path.translator.shared_pace == tmp_path / "run" / "pace.db"
    address = "postgresql://prism@db.example.org/prism?sslmode=verify-full"
    by_variable = load_settings(None, {"PRISM_TRANSLATOR__SHARED_PACE": address})
    by_file = load_settings(toml(f'[translator]\nshared_pace = "{address}"'))
    assert by_variable.translator.shared_pace == by_file.translator.shared_pace == address
    for settings in (by_path, by_file):
        assert Settings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('shared_pace = "mysql://host/database"', "or postgresql://user@host/database"),
        ('shared_pace = "postgresql://me:secret@host/database"', "holds a password"),
        ('account = "team"', "set that too"),
        ('shared_pace = "pace.db"\naccount = ""', "translator.account"),
    ],
)
def test_a_shared_pace_that_would_not_be_shared_is_refused(toml, text, message) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(toml(f"[translator]\n{text}"))
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


def test_who_shares_the_pace_changes_no_document(toml) -> None:
    shared = toml('[translator]\nshared_pace = "pace.db"\naccount = "team"')
    assert load_settings(shared).digest() == load_settings().digest()


@pytest.mark.parametrize("name", ["translator.mode", "mechanism.draw_from", "dictionary.path"])
def test_none_unsets_what_may_be_unset(toml, name: str) -> None:
    table, _, leaf = name.partition(".")
    settings = load_settings(toml(f'[{table}]\n{leaf} = "none"'))
    assert getattr(getattr(settings, table), leaf) is None


def test_variables_of_others_are_not_settings() -> None:
    environment = {"PRISM_SHARED_DATA": "x", "PRISM_KEY": "x", "HOME": "x", "OTHER__NAME": "x"}
    assert load_settings(None, environment) == Settings()


def test_paths_in_the_file_start_at_the_file(toml, tmp_path: Path) -> None:
    settings = load_settings(toml('[identifiers]\nnames_file = "lists/names.txt"'))
    assert settings.identifiers.names_file == tmp_path / "lists" / "names.txt"


def test_absolute_paths_and_the_home_folder_are_understood(toml) -> None:
    settings = load_settings(toml('[key]\nfile = "~/prism.key"'))
    assert settings.key.file == Path.home() / "prism.key"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[mechanism]\ntreshold = 0.5", "did you mean mechanism.threshold?"),
        ("[mechanisms]\nthreshold = 0.5", "did you mean mechanism?"),
        ("threshold = 0.5", "did you mean mechanism.threshold?"),
        ("[nonsense]", "unknown setting nonsense"),
        ("[mechanism]\nxyzzy = 1", "`prism settings show` lists all settings"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(toml, text, message) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(toml(text))
    assert message in str(caught.value)
    assert "prism.toml" in str(caught.value)


def test_an_unknown_environment_variable_is_refused_too() -> None:
    with pytest.raises(ConfigurationError, match=r"did you mean limits\.seconds\?"):
        load_settings(None, {"PRISM_LIMITS__SECOND": "3"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mechanism.threshold", "high"),
        ("mechanism.threshold", 1.5),
        ("mechanism.threshold", float("nan")),
        ("mechanism.draw_from", -0.1),
        ("mechanism.minimum_pool", True),
        ("mechanism.minimum_pool", 0),
        ("mechanism.unknown_words", "send"),
        ("mechanism.name", "prism-9"),
        ("limits.memory_mb", 512.5),
        ("limits.wave_sentences", []),
        ("translator.name", "telepathy"),
        ("translator.temperature", "hot"),
        ("target", "Spanish"),
        ("target", "en"),
        ("language", "english"),
        ("key.source", "disk"),
    ],
)
def test_a_value_out_of_type_or_range_is_refused_by_name_and_origin(name, value) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(None, {}, {name: value})
    assert "the command line" in str(caught.value)
    assert name in str(caught.value) or "same language" in str(caught.value)


def test_a_language_that_is_no_code_is_explained_without_a_pattern() -> None:
    with pytest.raises(ConfigurationError, match="ISO 639 code of a language") as caught:
        load_settings(None, {}, {"target": "Spanish"})
    assert "[a-z]" not in str(caught.value)


def test_every_problem_is_told_at_once(toml) -> None:
    file = toml('target = "x"\n[limits]\nmemory_mb = 0\nbogus = 1')
    with pytest.raises(ConfigurationError) as caught:
        load_settings(file)
    assert len(str(caught.value).splitlines()) == 3


@pytest.mark.parametrize(
    "text",
    [
        '[translator]\napi_key = "abc"',
        '[translator]\nkey = "abc"',
        '[state]\npassword = "abc"',
        'openai_api_key = "abc"',
        "[translator]\ntoken = 12345",
    ],
)
def test_a_setting_named_like_a_secret_is_refused_with_the_fix(toml, text) -> None:
    with pytest.raises(ConfigurationError, match="api_key_env"):
        load_settings(toml(text))


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("translator.model", "sk-" + "Ab3" * 10),
        ("translator.model", "sk-proj-" + "Ab3_" * 10),
        ("translator.api_key_env", "0123456789abcdef" * 2),
        ("report.purpose", "01234567-89ab-cdef-0123-456789abcdef:fx"),
        ("state.url", "postgresql://prism:hunter2@db/prism"),
        ("translator.base_url", "https://user:hunter2@host/v1"),
    ],
)
def test_a_value_that_looks_like_a_secret_is_refused_and_never_repeated(name, secret) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(None, {}, {name: secret})
    assert secret not in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert name in str(caught.value)


def test_what_was_put_where_the_name_of_a_key_belongs_is_not_repeated() -> None:
    with pytest.raises(ConfigurationError, match="api_key_env") as caught:
        load_settings(None, {}, {"translator.api_key_env": "p4ss!word"})
    assert "p4ss" not in str(caught.value)


def test_a_database_address_without_password_is_a_setting() -> None:
    url = "postgresql://prism@db:5432/prism"
    assert load_settings(None, {"PRISM_STATE__URL": url}).state.url == url


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"a = ", "is not TOML"), (b'a = "\xff"', "not UTF-8"), (None, "does not exist")],
)
def test_a_file_that_cannot_be_used_is_explained(tmp_path: Path, content, message) -> None:
    file = tmp_path / "prism.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError, match=message):
        load_settings(file)


def test_settings_cannot_be_changed_after_the_check() -> None:
    settings = load_settings()
    with pytest.raises(ValueError, match="frozen"):
        settings.mechanism.threshold = 0.1  # type: ignore[misc]


def test_settings_survive_json() -> None:
    settings = load_settings(None, {}, {"identifiers.names_file": "names.txt"})
    assert Settings.model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("target", "fr"),
        ("mechanism.threshold", 0.6),
        ("mechanism.unknown_words", "keep"),
        ("language.model", "other"),
        ("translator.name", "fake"),
        ("translator.mode", "eng-cat"),
    ],
)
def test_the_digest_changes_with_what_changes_the_output(name, value) -> None:
    assert load_settings(None, {}, {name: value}).digest() != Settings().digest()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limits.seconds", 5),
        ("translator.concurrency", 2),
        ("translator.requests_per_minute", 3),
        ("report.purpose", "another"),
        ("state.url", "postgresql://prism@db/prism"),
        ("key.source", "env"),
        ("documents.copy_untranslated", True),
    ],
)
def test_the_digest_does_not_change_with_what_does_not(name, value) -> None:
    assert load_settings(None, {}, {name: value}).digest() == Settings().digest()


def test_the_digest_follows_the_bytes_of_the_dictionary(tmp_path: Path) -> None:
    file = tmp_path / "en-es.parquet"
    settings = load_settings(None, {}, {"dictionary.path": str(file)})
    file.write_bytes(b"one")
    before = settings.digest()
    file.write_bytes(b"two")
    assert settings.digest() != before
    file.unlink()
    with pytest.raises(ConfigurationError, match="cannot be read"):
        settings.digest()


def test_lists_of_names_enter_the_keyed_digest_only(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    settings = load_settings(None, {}, {"identifiers.names_file": str(file)})
    file.write_text("one")
    plain, keyed = settings.digest(), settings.digest(b"key")
    file.write_text("two")
    assert settings.digest() == plain
    assert settings.digest(b"key") != keyed
    assert settings.digest(b"key") != settings.digest(b"other key")


def test_names_of_settings_are_dotted_and_complete() -> None:
    names = setting_names()
    assert {"source", "mechanism.threshold", "translator.base_url", "report.region"} <= set(names)
    assert len(names) == len(set(names))


def test_every_setting_is_documented_and_nothing_else() -> None:
    text = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")
    table = text[text.index("## All settings") : text.index("## An example")]
    documented = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert documented == setting_names()


def test_the_documented_example_is_valid(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "docs" / "settings.md").read_text(encoding="utf-8")
    example = text[text.index("```toml") + len("```toml") :].partition("```")[0]
    file = tmp_path / "prism.toml"
    file.write_text(example, encoding="utf-8")
    assert load_settings(file).identifiers.names_file == tmp_path / "clients.txt"
