from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.dictionary import Dictionary, load_dictionary, read_glossaries, with_terms
from prism_core.dictionary.glossary import Term
from prism_core.dictionary.preference import preferred
from prism_core.errors import ConfigurationError
from prism_core.mechanisms import Pools
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.resources import shipped_dictionary
from tests.mechanisms.walking import distribution
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


def read(tmp_path: Path, text: str, name: str = "terms.csv") -> list[Term]:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return read_glossaries([tmp_path / name], ENGLISH, "es")


@pytest.mark.parametrize(
    "text",
    [
        "lease,arrendamiento\n",
        "lease;arrendamiento\n",
        "lease\tarrendamiento\n",
        "\ufeffsource,target\nlease,arrendamiento\n",
        "note,es,en\nx,arrendamiento,lease\n",
        "source,target,kind\nlease,arrendamiento,\n",
        'Source,Translation,Tag\nlease,"arrendamiento",\n',
    ],
)
def test_a_glossary_is_read_with_any_delimiter_and_with_or_without_a_heading(
    tmp_path: Path, text
) -> None:
    (term,) = read(tmp_path, text)
    assert (term.source, term.targets, term.kind) == ("lease", ("arrendamiento",), "")


def test_of_a_term_in_several_files_the_last_counts(tmp_path: Path) -> None:
    files = [tmp_path / "house.csv", tmp_path / "client.csv"]
    files[0].write_text("lease,alquiler,noun\nlease,alquilar,verb\nward,sala\ndeed,acto,noun\n")
    files[1].write_text("lease,arrendamiento,noun\nward,planta,noun\ndeed,escritura\n")
    found = [
        (one.source, one.targets[0], one.kind) for one in read_glossaries(files, ENGLISH, "es")
    ]
    assert found == [
        ("lease", "alquilar", "VB"),
        ("lease", "arrendamiento", "NN"),
        ("ward", "planta", "NN"),
        ("deed", "escritura", ""),
    ]
    files[1].write_text("lease,a\nlease,b\n")
    with pytest.raises(ConfigurationError, match=r"client\.csv cannot be used.*row 2: another"):
        read_glossaries(files, ENGLISH, "es")


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
        read_glossaries([tmp_path / name], ENGLISH, "es")
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (",secret", "no source term; write one, or delete the row"),
        ("secret,", "no translation; write one, or delete the row"),
        ("2024,secret", "no letter"),
        ("s,secret", "a single letter"),
        ("of the,secret", "function words alone"),
        ("secret,--", "the translation has no letter"),
        ("secret,x,plural", "write noun, verb, adjective or adverb"),
        ("plaintiff,secret", "another translation than in row 2; delete one"),
    ],
)
def test_a_row_that_cannot_be_used_is_told_by_its_number_and_the_fix_without_its_text(
    tmp_path: Path, row, why
) -> None:
    with pytest.raises(ConfigurationError, match=why) as refused:
        read(tmp_path, f"source,target,kind\nplaintiff,demandante,\n{row}\n")
    assert "row 3: " in str(refused.value)
    assert "terms.csv" in str(refused.value)
    assert "secret" not in str(refused.value)


def test_many_bad_rows_are_one_message(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"row 1: .*; row 5: .*; and 7 more rows"
    ) as refused:
        read(tmp_path, "plaintiff,\n" * 12)
    assert "row 6" not in str(refused.value)


WORDS = dictionary(
    entry("power", forms=["poder"], agreement="el"),
    entry("powers", "NNS", forms=["poderes"], agreement="los"),
    entry("lease", "VB", forms=["arrendar"]),
    entry("lease", forms=["renta"]),
    entry("settle", "VB", forms=["liquidar"]),
    entry("settled", "VBD", forms=["liquidó"]),
    entry("walk", "VB", forms=["caminar"]),
    entry("walked", "VBD", forms=["caminó"]),
)


def found(term: str, *tokens: str, target: str = "x", kind: str = "") -> list[tuple[int, int, str]]:
    glossary = with_terms(WORDS, [Term(1, term, (target,), kind)]).glossary
    return [(at, length, one.tag) for at, length, one in glossary.find(sentence(*tokens))]


@pytest.mark.parametrize(
    ("term", "tokens", "places"),
    [
        ("habeas corpus", "a/DT habeas/NN corpus/NN", [(1, 2, "NN")]),
        ("habeas corpus", "Habeas/NNP Corpus/NNP", [(0, 2, "NN")]),
        ("habeas corpus", "HABEAS/NNP CORPUS/NNP", [(0, 2, "NN")]),
        ("habeas corpus", "habeas/NN corpuscle/NN", []),
        ("power of attorney", "powers/NNS of/IN attorney/NN", [(0, 3, "NNS")]),
        ("Business Day", "a/DT Business/NNP Day/NNP", [(1, 2, "NN")]),
        ("Business Day", "two/CD Business/NNP Days/NNPS", [(1, 2, "NNS")]),
        ("Business Day", "a/DT business/NN day/NN", []),
        ("US", "told/VBD us/PRP", []),
        ("worker's pay", "worker’s/NN pay/NN", [(0, 2, "NN")]),
        ("lease", "to/TO lease/VB", []),
        ("lease", "the/DT lease/NNP", [(1, 1, "NN")]),
    ],
)
def test_a_term_is_found_inflected_and_with_the_capitals_that_it_has(term, tokens, places) -> None:
    assert found(term, *tokens.split()) == places


def test_a_verb_is_found_in_every_inflection_that_is_known_of_both_languages() -> None:
    assert found("walk", "he/PRP", "walked/VBD", target="liquidar") == [(1, 1, "VBD")]
    entries = with_terms(WORDS, [Term(1, "to walk", ("liquidar",), "VB")]).glossary
    assert entries.entry_of("walked", "VBD").forms[0].text == "liquidó"


def test_the_longest_term_wins_and_none_is_found_in_what_is_taken() -> None:
    terms = [Term(1, "heart", ("c",)), Term(2, "heart attack", ("i",))]
    glossary = with_terms(WORDS, terms).glossary
    heart = sentence("heart/NN", "attack/NN", "heart/NN")
    assert [(at, n) for at, n, _ in glossary.find(heart)] == [(0, 2), (2, 1)]
    assert [(at, n) for at, n, _ in glossary.find(heart, {1})] == [(0, 1), (2, 1)]


@pytest.fixture(scope="module")
def shipped() -> Dictionary:
    return load_dictionary(shipped_dictionary("en", "es"), "apertium")


TERMS = """habeas corpus,hábeas corpus
power of attorney,poder notarial
statute of limitations,plazo de prescripción
informed consent,consentimiento informado
do not resuscitate,no reanimar
blood pressure,tensión arterial
shortness of breath,disnea
myocardial infarction,infarto de miocardio
force majeure,fuerza mayor
due diligence,diligencia debida
follow-up,seguimiento
COVID-19,COVID-19
DNR,ONR
Business Day,Día Hábil
type 2 diabetes,diabetes de tipo 2
worker's compensation,indemnización laboral
"""


def test_terms_of_law_and_medicine_are_taken_as_they_are_written(tmp_path: Path, shipped) -> None:
    terms = read(tmp_path, TERMS)
    glossary = with_terms(shipped, terms).glossary
    assert glossary.size == len(terms) == 16
    for term in terms:
        one = glossary.entry_of(term.source, "NN")
        assert one is not None, term.source
        assert one.forms[0].text == term.targets[0]


@pytest.mark.parametrize(
    ("source", "target", "plurals"),
    [
        ("informed consent", "consentimiento informado", "consentimientos informados"),
        ("statute of limitations", "plazo de prescripción", "plazos de prescripción"),
        ("Business Day", "Día Hábil", "Días Hábiles"),
        ("lease", "arrendamiento", "arrendamientos"),
        ("force majeure", "fuerza mayor", "fuerza mayor"),  # as given
    ],
)
def test_a_target_is_inflected_where_its_forms_are_known_else_as_given(
    shipped, source, target, plurals
) -> None:
    glossary = with_terms(shipped, [Term(1, source, (target,))]).glossary
    head, _, rest = source.partition(" of ")
    written = f"{head}s of {rest}" if rest else f"{head}s"
    assert glossary.entry_of(written, "NNS").forms[0].text == plurals


def test_a_term_agrees_as_a_known_word_with_its_head_does(shipped) -> None:
    glossary = with_terms(shipped, [Term(1, "blood pressure", ("tensión arterial",))]).glossary
    one = glossary.entry_of("blood pressure", "NN")
    assert one.agreement.startswith("la _")
    assert "Gender=Fem" in one.forms[0].features


def test_a_glossary_changes_nothing_of_what_is_drawn() -> None:
    """That a word is never drawn would tell that it is a term."""
    words = dictionary(*nouns(5), entry("lease"))
    named = with_terms(words, [Term(1, "lease", ("alquiler",)), Term(2, "set term", ("x",))])
    pools = [Pools(one, 0.7, 2).for_entry(entry("lease")).drawn for one in (words, named)]
    assert pools[0] == pools[1]
    assert words.glossary.size == 0


def test_a_term_of_several_words_has_the_substitutes_of_any_word_of_its_pool() -> None:
    """So that it is a term at all, and which, is told by nothing that is sent."""
    words = dictionary(*nouns(4), entry("corpus", forms=["corpus"], confidence=0.1))
    named = with_terms(
        words, [Term(1, "habeas corpus", ("corpus",)), Term(2, "lease", ("corpus",))]
    )
    mechanism = PrismStarThreshold(named, 0.7, 2, "source")

    def substitutes(*tokens: str):
        one = sentence("the/DT", *tokens)

        def drawn(rng) -> tuple[str, ...]:
            draft = mechanism.choose(one, frozenset(), lambda _: False, rng)
            return tuple((r.substitute, r.pool) for r in draft.record)

        return distribution(drawn)

    assert substitutes("habeas/NN", "corpus/NN") == substitutes(f"{nouns(1)[0].word}/NN")
    assert substitutes("lease/NN") == substitutes(f"{nouns(1)[0].word}/NN")


def test_terms_that_a_dictionary_was_given_earlier_still_win_and_are_never_drawn() -> None:
    own, term = (entry("lease", forms=[form]) for form in ("contrato", "arrendamiento"))
    term = term._replace(translator="glossary", confidence=1.0)
    assert preferred([own, term], "apertium").forms[0].text == "arrendamiento"
    pool = Pools(dictionary(*nouns(30), term), 0.7, 20).for_entry(term).drawn
    assert len(pool) == 30, "it is hidden itself"
    assert term not in pool
