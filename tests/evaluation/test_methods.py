from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from prism_core.encoding import make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.laboratory import SweepPlan
from prism_core.evaluation.local_model import LocalModel
from prism_core.evaluation.methods import (
    IDENTIFIERS_ONLY,
    METHODS,
    MethodSetting,
    Tools,
    methods_of,
    prism_method,
    send_nothing,
    send_plain,
)
from prism_core.evaluation.panels import OfflinePanel
from prism_core.evaluation.results import COLUMNS, PLACES, tally
from prism_core.identifiers import DenyList, Identifier, IdentifierFinder
from prism_core.language import Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from tests.evaluation.corpus import by_o, corpus
from tests.mechanisms.points import scatter, write_points
from tests.words import dictionary, nouns, sentence

NOUNS = nouns(30)
FIRST, SECOND = NOUNS[0].word, NOUNS[1].word
DICTIONARY = dictionary(*NOUNS)
ARCHIVE = corpus(
    [sentence("the/DT", f"{FIRST}/NN", "is/VBZ", "here/RB", "./.")],
    [
        sentence("the/DT", f"{SECOND}/NN", "is/VBZ", "here/RB", "./."),
        sentence("the/DT", f"{FIRST}/NN", "is/VBZ", "here/RB", "./."),
    ],
)


EMPTY = MethodSetting("empty", send_nothing)


def ours() -> MethodSetting:
    mechanism = PrismStarThreshold(DICTIONARY, 0.5, 2, "source")
    return prism_method("prism-star-threshold", "τ=0.5", make_encoder(DICTIONARY, mechanism))


def column(name: str, method) -> list[float]:
    table = tally(ARCHIVE, method.run(ARCHIVE, by_o, Random(1)), OfflinePanel())
    return [float(value) for value in table[:, PLACES[name]]]


def test_what_is_sent_comes_back_and_is_decoded_is_told_of_each_sentence() -> None:
    outcomes = ours().run(ARCHIVE, by_o, Random(1))
    assert len(outcomes) == 3
    for outcome, private, direct in zip(outcomes, ARCHIVE.private, ARCHIVE.direct, strict=True):
        (x_pub,), (y_pub,) = outcome.sent, outcome.answers
        assert y_pub == by_o([x_pub])[0]
        assert outcome.text == direct
        assert x_pub != private
        assert outcome.restored_at_once


def test_equal_sentences_are_sent_once_and_the_seed_decides_what() -> None:
    asked: list[str] = []

    def translate(texts):
        asked.extend(texts)
        return by_o(texts)

    first = ours().run(ARCHIVE, translate, Random(1))
    assert len(asked) == len(set(asked)) == 2
    assert first == ours().run(ARCHIVE, by_o, Random(1))
    assert first != ours().run(ARCHIVE, by_o, Random(2))


def test_a_sentence_that_never_comes_back_whole_is_sent_three_times_and_stays() -> None:
    outcomes = ours().run(ARCHIVE, lambda texts: ["nada" for _ in texts], Random(1))
    assert [outcome.text for outcome in outcomes] == ARCHIVE.private
    assert {len(outcome.sent) for outcome in outcomes} == {3}
    assert not any(outcome.restored for outcome in outcomes)


def test_a_sentence_without_a_usable_answer_stays_and_is_not_sent_again() -> None:
    outcomes = ours().run(ARCHIVE, lambda texts: ["" for _ in texts], Random(1))
    assert [outcome.text for outcome in outcomes] == ARCHIVE.private
    assert {len(outcome.sent) for outcome in outcomes} == {1}


def test_identifiers_only_hides_names_and_no_word() -> None:
    archive = corpus([sentence("Edith/NNP/PER", "saw/VBD", "the/DT", f"{FIRST}/NN", "./.")])
    method = prism_method(
        "identifiers-only",
        "",
        make_encoder(DICTIONARY, make_mechanism(IDENTIFIERS_ONLY, DICTIONARY)),
    )
    (outcome,) = method.run(archive, lambda texts: list(texts), Random(1))
    assert FIRST in outcome.sent[0]
    assert "Edith" not in outcome.sent[0]
    assert outcome.text == archive.private[0]


class FindsInNoOther(IdentifierFinder):
    """Finds what a sentence adds to the deny list, and nothing where the list is given."""

    def find(
        self, sentence: Sentence, deny_list: DenyList | None = None
    ) -> tuple[Sentence, list[Identifier]]:
        return super().find(sentence) if deny_list is None else (sentence, [])


def test_nothing_is_sent_of_what_the_leak_check_withholds() -> None:
    archive = corpus(
        [
            sentence("Edith/NNP/PER", "is/VBZ", "here/RB", "./."),
            sentence("the/DT", f"{FIRST}/NN", "of/IN", "the/DT", f"{SECOND}/NN", "./."),
            sentence("the/DT", f"{FIRST}/NN", "is/VBZ", "here/RB", "./."),
        ]
    )
    mechanism = make_mechanism(IDENTIFIERS_ONLY, DICTIONARY)
    encoder = make_encoder(DICTIONARY, mechanism, never=["of the"])
    encoder._finder = FindsInNoOther(DICTIONARY)
    asked: list[str] = []

    def translate(texts):
        asked.extend(texts)
        return by_o(texts)

    outcomes = prism_method("identifiers-only", "", encoder).run(archive, translate, Random(1))
    assert asked == [archive.private[2]]
    assert [(outcome.withheld, len(outcome.sent)) for outcome in outcomes] == [
        (True, 0),
        (True, 0),
        (False, 1),
    ]


def test_plain_and_empty_frame_every_score() -> None:
    outcomes = send_plain(ARCHIVE, by_o, Random(1))
    assert [outcome.sent for outcome in outcomes] == [(text,) for text in ARCHIVE.private]
    assert [outcome.text for outcome in outcomes] == list(ARCHIVE.direct)
    assert column("adversary_right", EMPTY) == [0.5, 0.5]
    assert column("questions", EMPTY) == [2, 2]
    assert column("characters", EMPTY) == [0, 0]


def test_a_tally_has_a_row_a_document_and_adds_up() -> None:
    assert column("sentences", ours()) == [1, 2]
    assert column("restored_at_once", ours()) == [1, 2]
    assert column("sentences_with_errors", ours()) == [0, 0]
    table = tally(
        ARCHIVE, ours().run(ARCHIVE, lambda t: ["" for _ in t], Random(1)), OfflinePanel()
    )
    assert table.shape == (2, len(COLUMNS))
    assert list(table[:, PLACES["left"]]) == [1, 2]


def test_every_method_of_the_line_up_is_made_at_each_of_its_strengths() -> None:
    local = LocalModel("en", "pt")
    tools = Tools(
        DICTIONARY, lambda one: one, lambda: pytest.fail("built before it is needed"), local=local
    )
    made = methods_of(METHODS, tools)
    assert {one.name for one in made} == set(METHODS)
    assert len({(one.name, one.setting) for one in made}) == len(made)
    for name in ("prism-star-threshold", "prism-star-ratio", "prism-r", "nested", "mixture"):
        assert len([one for one in made if one.name == name]) >= 4


def test_methods_by_word_vectors_are_measured_when_they_are_named_or_vectors_are(tmp_path) -> None:
    def named(*methods: str, vectors: Path | None = None) -> set[str]:
        return {*SweepPlan(("mctest",), methods, tmp_path, vectors=vectors).all_methods}

    for_reproduction = {"reference-r", "reference-no-decode"}
    assert set(METHODS) - named() == {"dx", "pup", "local", *for_reproduction}
    assert named("pup") == {"plain", "empty", "pup"}
    assert named(vectors=tmp_path) == set(METHODS) - {"local", *for_reproduction}


def test_with_and_without_decoding_near_words_are_sent(tmp_path) -> None:
    """PUP's reader gets what came back, dx's what it was before, in translation."""
    points = scatter({one.word.lower() for one in DICTIONARY})
    tools = Tools(DICTIONARY, lambda one: one, dict, write_points(tmp_path / "words.txt", points))
    found = {}
    for method in methods_of(["dx", "pup"], tools):
        outcomes = method.run(ARCHIVE, by_o, Random(1))
        assert all(outcome.sent for outcome in outcomes)
        found[method.name, method.setting] = outcomes
    assert [one.text for one in found["pup", "ε=3"]] == [
        text for one in found["pup", "ε=3"] for text in one.answers
    ]
    restored = [one.text for outcomes in found.values() for one in outcomes if one.restored]
    nouns_of = [{text.split()[1] for text in texts} for texts in (restored, ARCHIVE.direct)]
    assert nouns_of[0] <= nouns_of[1]
    assert any(one.restored for one in found["dx", "ε=3"])
    assert not any(one.restored for one in found["pup", "ε=3"])
    assert len({one.version for one in methods_of(["dx", "pup"], tools)}) == 1


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="There is no method zip"):
        methods_of(["zip"], Tools(DICTIONARY, lambda one: one, dict))
