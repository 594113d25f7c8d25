"""One word chooses the defaults of many settings, and says what it could not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.settings import Settings, load_settings


def test_standard_is_the_default_and_changes_nothing() -> None:
    assert load_settings(flags={"strength": "standard"}) == Settings()
    assert Settings().shortcomings == ()


def test_each_strength_hides_more_than_the_one_before(tmp_path: Path) -> None:
    more = {
        "other_translators": ["deepl"],
        "mixing.decoys_file": tmp_path / "decoys.txt",
    }
    standard, strong, strongest = (
        load_settings(flags={"strength": name, **more})
        for name in ("standard", "strong", "strongest")
    )
    assert not standard.mixing.split_clauses
    assert strong.mixing.split_clauses
    assert strongest.mixing.split_clauses
    assert (standard.mixing.routing, strong.mixing.routing) == ("failover", "split")
    rates = [one.mixing.decoy_rate for one in (standard, strong, strongest)]
    assert rates == sorted(set(rates))
    assert standard.limits.wave_documents < strong.limits.wave_documents
    assert standard.mechanism == strong.mechanism == strongest.mechanism
    assert strong.shortcomings == strongest.shortcomings == ()


def test_the_strengths_below_the_standard_move_the_words_alone() -> None:
    standard = load_settings(flags={"strength": "standard"})
    for strength, kind in (("identifiers-only", "none"), ("light", "telling")):
        settings = load_settings(flags={"strength": strength})
        words = {"hidden_words": kind}
        assert settings.mechanism == standard.mechanism.model_copy(update=words)
        assert settings.mixing == standard.mixing
        assert settings.limits == standard.limits
        assert settings.shortcomings == (), "no second translator and no decoys are asked for"
        (shown,) = settings.shown
        assert "ordinary words are sent as they are" in shown
    assert standard.shown == ()


def test_each_stronger_form_of_a_weak_mechanism_hides_more() -> None:
    weakest = load_settings(flags={"strength": "identifiers-only"}).mechanism
    told = [stronger.model_dump()["hidden_words"] for stronger in weakest.stronger()]
    assert told == ["telling", "all"]


@pytest.mark.parametrize("strength", ["identifiers-only", "light"])
def test_what_contradicts_a_weak_strength_is_told(strength: str) -> None:
    words = {"mechanism.hidden_words": "all"}
    settings = load_settings(flags={"strength": strength, **words})
    assert settings.mechanism == Settings().mechanism
    (told,) = settings.shortcomings
    assert told.startswith(f"{strength} sets mechanism.hidden_words to ")
    assert settings.shown == ()
    for other in ({"mechanism.name": "prism-r"}, {"mechanism.name": "prism-star-ratio"}):
        settings = load_settings(flags={"strength": strength, **other})
        assert settings.mechanism == load_settings(flags=other).mechanism
        (told,) = settings.shortcomings
        assert told == f"{strength} sets no other mechanism than prism-star"


def test_a_policy_that_hides_less_is_told(toml) -> None:
    policy = '[[policies]]\nname = "news"\nfolders = ["news"]\n'
    mechanism = '[policies.mechanism]\nhidden_words = "none"\n'
    (shown,) = load_settings(toml(policy + mechanism)).shown
    assert shown.startswith("policy news: ordinary words are sent as they are")
    nobody = policy + "translators = []\n" + mechanism
    assert load_settings(toml(nobody)).shown == ()


def test_a_weak_strength_changes_the_digest() -> None:
    light = load_settings(flags={"strength": "light"})
    assert light.digest() != Settings().digest()
    assert Settings.model_validate_json(light.model_dump_json()) == light


def test_what_a_setting_says_itself_stays_and_is_told(toml) -> None:
    file = toml('strength = "strongest"\n[limits]\nwave_documents = 5')
    settings = load_settings(file, {"PRISM_MIXING__SPLIT_CLAUSES": "false"})
    assert settings.limits.wave_documents == 5
    assert not settings.mixing.split_clauses
    told = "\n".join(settings.shortcomings)
    for name in ("limits.wave_documents", "mixing.split_clauses"):
        assert f"strongest sets {name} to " in told


def test_what_is_missing_for_a_strength_is_told() -> None:
    told = "\n".join(load_settings(flags={"strength": "strong"}).shortcomings)
    assert "list another in other_translators" in told
    assert "no decoys are sent" in told


def test_another_mechanism_stays_as_it_is_and_is_told() -> None:
    settings = load_settings(flags={"strength": "strongest", "mechanism.name": "prism-r"})
    assert settings.mechanism == load_settings(flags={"mechanism.name": "prism-r"}).mechanism
    assert not settings.mixing.split_clauses, "where a sentence is cut follows from its words"
    assert any("bounds ε" in said for said in settings.shortcomings)


def test_sentences_that_a_memory_holds_are_never_cut(tmp_path: Path) -> None:
    memory = {"memory.files": [tmp_path / "ours.tmx"]}
    settings = load_settings(flags={"strength": "strong", **memory})
    assert not settings.mixing.split_clauses
    assert any("memory.files" in said for said in settings.shortcomings)
    with pytest.raises(ConfigurationError, match=r"what memory\.files hold"):
        load_settings(flags={"mixing.split_clauses": True, **memory})


def test_settings_of_a_strength_read_back_as_they_are() -> None:
    settings = load_settings(flags={"strength": "strongest", "limits.wave_documents": 7})
    assert Settings.model_validate_json(settings.model_dump_json()) == settings


def test_a_document_is_translated_anew_when_its_clauses_go_apart() -> None:
    apart = load_settings(flags={"mixing.split_clauses": True})
    assert apart.digest() != load_settings().digest()
