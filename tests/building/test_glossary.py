from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from prism_core.building.glossary import Term, glossary_entries, read_glossary
from prism_core.dictionary.preference import preferred
from prism_core.errors import ConfigurationError
from prism_core.language import Sentence
from prism_core.mechanisms import Pools
from tests.words import ENGLISH, dictionary, entry, nouns, sentence

TBX = """<?xml version="1.0"?><!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<martif type="TBX"><text><body>
<termEntry id="1"><langSet xml:lang="en-GB"><tig><term>lease</term>
<termNote type="partOfSpeech">noun</termNote></tig></langSet>
<langSet xml:lang="es"><tig><term>arrendamiento</term></tig>
<tig><term>alquiler</term></tig></langSet>
</termEntry></body></text></martif>
"""
TBX_3 = """<tbx xmlns="urn:iso:std:iso:30042:ed-2"><text><body>
<conceptEntry><langSec xml:lang="en"><termSec><term>tort</term></termSec></langSec>
<langSec xml:lang="es"><termSec><term>agravio</term></termSec></langSec></conceptEntry>
</body></text></tbx>
"""


def all_nouns(texts: Sequence[str]) -> list[list[Sentence]]:
    """A language model to which every word is a noun."""
    return [[sentence(*(f"{word.strip('.')}/NN" for word in text.split()))] for text in texts]


def read(tmp_path: Path, text: str, name: str = "terms.csv") -> list[Term]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_glossary(tmp_path / name, "en", "es")


@pytest.mark.parametrize(
    "text",
    [
        "lease,arrendamiento\n",
        "lease;arrendamiento\n",
        "lease\tarrendamiento\n",
        "\ufeffsource,target\nlease,arrendamiento\n",
        "note,es,en\nx,arrendamiento,lease\n",
        'Source,Translation,Tag\nlease,"arrendamiento",\n',
    ],
)
def test_a_glossary_is_read_with_any_delimiter_and_with_or_without_a_heading(
    tmp_path: Path, text
) -> None:
    (term,) = read(tmp_path, text)
    assert (term.source, term.targets, term.tag) == ("lease", ("arrendamiento",), "")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (TBX, Term(3, "lease", ("arrendamiento", "alquiler"), "NN")),
        (TBX_3, Term(2, "tort", ("agravio",))),
    ],
)
def test_tbx_of_both_kinds_is_read(tmp_path: Path, text, term) -> None:
    assert read(tmp_path, text, "terms.tbx") == [term]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("none.csv", None, "cannot be read"),
        ("latin.csv", "leáse,x\n".encode("latin-1"), "UTF-8"),
        ("one.csv", b"lease\narrendamiento\n", "two columns"),
        ("empty.csv", b"source,target\n", "no terms"),
        ("zip.csv", b"PK\x03\x04\x00\x00,\x00", "CSV"),
        ("bad.tbx", b"<martif><text>", "well-formed"),
        ("other.tbx", TBX.replace('"es"', '"fr"').encode(), "no terms from en to es"),
        (
            "bomb.tbx",
            b'<!DOCTYPE m [<!ENTITY a "aaaa">]><m><termEntry>&a;</termEntry></m>',
            "entities",
        ),
    ],
)
def test_a_file_that_is_no_glossary_is_told_in_one_message(
    tmp_path: Path, name, content, why
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=why) as refused:
        read_glossary(tmp_path / name, "en", "es")
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("term", "why"),
    [
        (Term(4, "", ("x",)), "source term is empty"),
        (Term(4, "lease", ()), "translation is empty"),
        (Term(4, "good faith", ("buena fe",)), "more than one word"),
        (Term(4, "re-let", ("realquilar",)), "more than letters"),
        (Term(4, "Rotterdam", ("Róterdam",)), "capital"),
        (Term(4, "very", ("muy",)), "function word"),
        (Term(4, "lease", ("--",)), "no letter"),
        (Term(4, "lease", ("x",), "NOUN"), "'NOUN' is not one"),
    ],
)
def test_a_row_that_cannot_be_used_is_told_by_its_line_and_the_rest_is_taken(term, why) -> None:
    good = Term(5, "plaintiff", ("demandante",))
    entries, (bad,) = glossary_entries([term, good], [], all_nouns, ENGLISH, "2026-01-02")
    assert [one.word for one in entries] == ["plaintiff"]
    assert bad.line == 4
    assert why in bad.reason


def test_a_term_without_a_tag_gets_the_one_the_language_model_gives_it() -> None:
    (made,), _ = glossary_entries(
        [Term(1, "lease", ("alquiler",))], [], all_nouns, ENGLISH, "2026-01-02"
    )
    assert (made.tag, made.translator, made.method, made.built) == (
        "NN",
        "glossary",
        "glossary",
        "2026-01-02",
    )


def test_a_part_of_speech_that_is_not_clear_is_told() -> None:
    def unclear(texts: Sequence[str]) -> list[list[Sentence]]:
        return [[sentence("lease/IN")] for _ in texts]

    _, (bad,) = glossary_entries([Term(1, "lease", ("alquiler",))], [], unclear, ENGLISH, "")
    assert "column named tag" in bad.reason


def test_a_term_agrees_as_a_known_word_with_the_same_translation_does() -> None:
    known = entry("rent", "NN", ["alquiler", "alquileres"], agreement="el _")
    (made,), _ = glossary_entries(
        [Term(1, "lease", ("alquiler",))], [known], all_nouns, ENGLISH, ""
    )
    assert made.agreement == "el _"
    assert made.forms[0].features == known.forms[0].features
    assert [form.text for form in made.forms] == ["alquiler", "alquileres"]


def test_rows_for_one_word_are_joined_the_first_preferred() -> None:
    terms = [Term(1, "lease", ("arrendamiento",)), Term(2, "lease", ("alquiler",))]
    (made,), bad = glossary_entries(terms, [], all_nouns, ENGLISH, "")
    assert [form.text for form in made.forms] == ["arrendamiento", "alquiler"]
    assert bad == []


def test_the_glossary_wins_over_every_translator() -> None:
    own = entry("lease", "NN", ["contrato"], confidence=1.0)
    (made,), _ = glossary_entries(
        [Term(1, "lease", ("arrendamiento",))], [own], all_nouns, ENGLISH, ""
    )
    for order in ([own, made], [made, own]):
        chosen = preferred(order, "apertium")
        assert [form.text for form in chosen.forms] == ["arrendamiento"]
        assert chosen.others == (own,)


def test_no_term_of_the_glossary_is_ever_sent_in_the_place_of_another_word() -> None:
    term = entry("lease")._replace(translator="glossary", confidence=1.0)
    pools = Pools(dictionary(*nouns(30), term), 0.7, 20)
    pool = pools.for_entry(term).drawn
    assert len(pool) == 30, "it is hidden itself"
    assert term not in pool
