from __future__ import annotations

import pytest

from prism_core.building.inspection import compare_dictionaries, merge_entries
from prism_core.dictionary import DRAWN_FROM, Entry, StoredDictionary
from prism_core.errors import ConfigurationError
from tests.words import entry


def stored(*entries: Entry, **provenance: str) -> StoredDictionary:
    return StoredDictionary(list(entries), {"source": "en", "target": "es", **provenance}, "digest")


def built(word: str, day: str, form: str, translator: str = "apertium") -> Entry:
    return entry(word, forms=[form])._replace(translator=translator, built=day)


def test_the_later_entry_of_one_translator_is_kept_and_those_of_others_beside_it() -> None:
    old, new = built("house", "2026-01-01", "caso"), built("house", "2026-02-01", "casa")
    other = built("house", "2026-01-01", "hogar", "openai")
    for order in ([stored(old, other), stored(new)], [stored(new), stored(old, other)]):
        entries, _ = merge_entries(order)
        assert {(one.translator, one.forms[0].text) for one in entries} == {
            ("apertium", "casa"),
            ("openai", "hogar"),
        }


def test_of_two_entries_of_one_day_the_dictionary_named_last_wins() -> None:
    first, last = built("house", "2026-01-01", "caso"), built("house", "2026-01-01", "casa")
    (kept,), _ = merge_entries([stored(first), stored(last)])
    assert kept == last


def test_provenance_names_every_origin_and_adds_up_what_all_builds_took() -> None:
    _, origin = merge_entries(
        [stored(licence="GPL", calls="5"), stored(licence="CC0"), stored(licence="GPL", calls="2")]
    )
    taken = {"calls": "7", "sentences": "0"}
    assert origin == {"source": "en", "target": "es", "licence": "GPL; CC0", **taken}


def test_from_where_on_words_are_drawn_is_not_taken_over_as_figures_are_made_anew() -> None:
    _, origin = merge_entries([stored(**{DRAWN_FROM: "0.881", "licence": "GPL"})])
    assert DRAWN_FROM not in origin
    assert origin["licence"] == "GPL"


def test_dictionaries_of_two_language_pairs_are_not_merged() -> None:
    with pytest.raises(ConfigurationError, match="en-es, en-fr"):
        merge_entries([stored(), StoredDictionary([], {"source": "en", "target": "fr"}, "")])


def test_a_difference_tells_what_changed_and_ignores_what_is_rounding() -> None:
    same = entry("same")
    before = stored(same, entry("gone"), entry("form"), entry("sure"), entry("kind"), entry("tiny"))
    after = stored(
        same,
        entry("new"),
        entry("form", forms=["otra"]),
        entry("sure", confidence=0.8),
        entry("kind", agreement="h"),
        entry("tiny", confidence=0.949),
    )
    found = compare_dictionaries(before, after)
    assert [one.word for one in found.added] == ["new"]
    assert [one.word for one in found.removed] == ["gone"]
    changes = {c.after.word: (c.first_form, c.confidence, c.agreement) for c in found.changed}
    assert changes == {
        "form": (True, False, False),
        "sure": (False, True, False),
        "kind": (False, False, True),
    }
    assert found.unchanged == 2
