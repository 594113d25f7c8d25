import asyncio
from collections.abc import Iterator, Sequence
from statistics import median

import pytest

from prism_core.building.builder import BuildPlan, DictionaryBuilder
from prism_core.building.name_entries import find_stable_names
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import Entry
from prism_core.language import Sentence
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_translator
from tests.words import ENGLISH, sentence

NOUNS = """house book table window doctor letter garden river mountain key bottle street church
school forest horse chicken knife spoon island bridge king queen soldier farmer captain""".split()
ADJECTIVES = """red white black yellow tall short broken dirty cheap expensive strong weak narrow
empty famous dead dark new old long""".split()
UNKNOWN = ["zorgle", "blivet"]
PLAN = BuildPlan(carriers=80, least_probes=4)


class Apertium:
    """The real translator, as the builder calls it; it counts the texts it was given."""

    def __init__(self) -> None:
        self.texts = 0
        self._runner = asyncio.Runner()
        self._translator = make_translator(TranslatorSettings.choose(name="apertium"), "en", "es")

    def __call__(self, texts: Sequence[str]) -> list[str]:
        self.texts += len(texts)
        return self._runner.run(self._translator.translate(list(texts), "en", "es"))

    def close(self) -> None:
        self._runner.run(self._translator.close())
        self._runner.close()


@pytest.fixture(scope="module")
def apertium() -> Iterator[Apertium]:
    translator = Apertium()
    yield translator
    translator.close()


def carriers() -> list[Sentence]:
    return [
        sentence(
            "the/DT", "old/JJ", "man/NN", f"{verb}/VBD", "the/DT", f"{noun}/NN",
            "near/IN", "the/DT", f"{adjective}/JJ", "wall/NN", "yesterday/NN", "./.",
        )
        for verb in ("saw", "described", "washed", "sold")
        for noun, adjective in zip(NOUNS[:20], ADJECTIVES, strict=True)
    ]  # fmt: skip


def phrases_shown() -> list[Sentence]:
    return [
        sentence("they/PRP", f"{verb}/VBD", "the/DT", f"{first}/{tag}", f"{last}/NN", "./.")
        for verb in ("saw", "described", "washed")
        for first, tag, last in (("ice", "NN", "cream"), ("old", "JJ", "house"))
    ]


def vocabulary() -> list[WordCandidate]:
    words = [WordCandidate(word, "NN", 2) for word in NOUNS + UNKNOWN]
    words += [WordCandidate(word, "NN", 3) for word in ("ice", "cream", "ice cream", "old house")]
    return words + [WordCandidate(word, "JJ", 2) for word in ADJECTIVES]


@pytest.fixture(scope="module")
def built(apertium) -> tuple[dict[str, Entry], int]:
    """Entries by word, and the number of texts that they cost."""
    builder = DictionaryBuilder(apertium, ENGLISH, PLAN)
    before = apertium.texts
    entries = builder.build(vocabulary(), [*carriers(), *phrases_shown()])
    return {entry.word: entry for entry in entries}, apertium.texts - before


def test_forms_are_what_the_translator_writes(built) -> None:
    entries, _ = built
    assert entries["house"].forms[0].text == "casa"
    assert entries["window"].forms[0].text == "ventana"
    assert entries["bridge"].forms[0].text == "puente"


def test_adjectives_inflect_with_what_stands_around_them(built) -> None:
    entries, _ = built
    assert entries["red"].inflect("negra", ("house",)) == "roja"
    assert entries["red"].inflect("negros", ("books",)) == "rojos"


def test_words_that_agree_alike_share_a_class_and_others_do_not(built) -> None:
    entries, _ = built
    assert entries["house"].agreement == entries["window"].agreement
    assert entries["house"].agreement != entries["church"].agreement, "y casa, but e iglesia"
    assert entries["book"].agreement == entries["bridge"].agreement
    assert entries["house"].agreement != entries["book"].agreement
    assert entries["red"].agreement != entries["strong"].agreement, "fuerte has one form for both"


def test_a_word_the_translator_does_not_know_is_kept_apart(built) -> None:
    entries, _ = built
    assert [entries[word].tag for word in UNKNOWN] == ["LEFT-NN", "LEFT-NN"]


def test_a_phrase_has_an_entry_only_where_it_is_not_translated_word_by_word(built) -> None:
    entries, _ = built
    assert entries["ice cream"].forms[0].text == "helado"
    assert "old house" not in entries


def test_function_words_are_read_off_the_carriers(built) -> None:
    entries, _ = built
    assert entries["the"].tag == "FUNCTION"
    assert {form.text.lower() for form in entries["the"].forms} & {"el", "la"}


def test_confidence_is_high_for_words_of_one_meaning(built) -> None:
    entries, _ = built
    assert median(entries[word].confidence for word in NOUNS if word in entries) > 0.6
    assert all(0 <= entry.confidence <= 1 for entry in entries.values())


def test_words_and_phrases_are_added_beside_known_ones(apertium, built) -> None:
    known = {entry.key: entry for entry in built[0].values() if entry.agreement and entry.forms}
    wanted = [WordCandidate(word, "NN", 2) for word in ("carpet", "post office", *UNKNOWN)]
    builder = DictionaryBuilder(apertium, ENGLISH, PLAN)
    found = builder.build_additional_entries(wanted, known, [*carriers(), *phrases_shown()])
    forms = {entry.word: entry.forms.texts[0] for entry in found}
    assert forms == {"carpet": "alfombra", "post office": "oficina de poste"}


def test_what_is_packed_costs_a_share_of_a_call(apertium, built) -> None:
    entries, texts = built
    alone = DictionaryBuilder(apertium, ENGLISH, BuildPlan(1, 1, least_probes=4, carriers=80))
    before = apertium.texts
    alone.build(vocabulary(), carriers())
    assert texts < (apertium.texts - before) / 2
    assert 1 < sum(entry.calls for entry in entries.values()) <= texts


def test_a_build_can_be_repeated_exactly(apertium, built) -> None:
    text = [*carriers(), *phrases_shown()]
    again = DictionaryBuilder(apertium, ENGLISH, PLAN).build(vocabulary(), text)
    assert {entry.word: entry for entry in again} == built[0]


NAMES = [("Emma", "GIVEN"), ("London", "PLACE"), ("Texas", "PLACE"), ("Rocksville", "PLACE")]


def test_names_are_kept_as_the_translator_writes_them_wherever_they_stand(apertium) -> None:
    kept = {
        entry.word: entry.forms[0].text for entry in find_stable_names(NAMES, apertium, ENGLISH)
    }
    assert kept["London"] == "Londres"
    assert kept["Emma"] == "Emma"
    assert "Rocksville" not in kept, "its house would be Rocksville la casa"


def test_names_are_kept_though_a_translator_is_careless_around_them(apertium) -> None:
    def careless(texts: list[str]) -> list[str]:  # as into Catalan and Esperanto
        said = zip(texts, apertium(texts), strict=True)
        return [a.replace("La casa", "lacasa") if "'s house" in text else a for text, a in said]

    assert find_stable_names(NAMES, careless, ENGLISH) == find_stable_names(
        NAMES, apertium, ENGLISH
    )
