"""The library: the documented examples run, and what ``protect`` promises."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from prism_core import NothingToSend, Prism, Unrestored
from prism_core.errors import BadAnswer
from prism_core.identifiers import DenyList
from prism_core.prism import TOGETHER
from prism_core.settings import DecodingSettings, MechanismSettings, Settings, load_settings
from prism_core.settings.sections import DictionarySettings, IdentifierSettings
from tests.stages.archive import ADJECTIVES, NOUNS, backwards, make_dictionary

PAGE = Path(__file__).parents[1] / "docs" / "library.md"
TEXTS = ["The old doctor opened the window.", "Anna Quibble visited the garden.", "1987"]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    dictionary = make_dictionary(tmp_path_factory.mktemp("prism") / "dictionary.parquet")
    return Settings(
        dictionary=DictionarySettings(path=dictionary),
        mechanism=MechanismSettings.choose(threshold=0.5, minimum_pool=2),
    )


@pytest.fixture(scope="module")
def prism(settings: Settings) -> Prism:
    return Prism.load("en-es", settings)


class Received:
    """A translator that remembers what it was given."""

    def __init__(self) -> None:
        self.requests: list[list[str]] = []

    def __call__(self, texts: list[str]) -> Sequence[str]:
        self.requests.append(texts)
        return [backwards(text) for text in texts]


def test_the_documented_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    exec(compile("\n".join(blocks), str(PAGE), "exec"), {})  # noqa: S102 (our own page)
    printed = capsys.readouterr().out
    assert printed.count("Alice Smith") == 3
    assert "2021" in printed
    assert re.search(r"\b(ventana|médico|doctor)", printed)


def test_a_word_of_grammar_alone_is_translated_here_unless_it_names_somebody(prism: Prism) -> None:
    received, named = Received(), DenyList()
    assert list(prism.protect(["Other", "From:"], received)) == ["Otro", "De:"]
    named.add("Always")
    assert list(prism.protect(["Other", "Always"], received, named)) == ["Otro", "Always"]
    assert not received.requests


def test_every_text_comes_back_translated_in_its_order(prism: Prism) -> None:
    received = Received()
    assert list(prism.protect(TEXTS, received)) == [backwards(text) for text in TEXTS]
    (sent,) = received.requests
    assert len(sent) == 2, "a number alone is not sent"
    assert not {*sent} & {*TEXTS}
    assert not any("Quibble" in text for text in sent)


def test_equal_texts_are_sent_once(prism: Prism) -> None:
    received = Received()
    assert list(prism.protect(TEXTS[:1] * 5, received)) == [backwards(TEXTS[0])] * 5
    assert [len(request) for request in received.requests] == [1]


def test_what_is_sent_together_has_an_order_without_meaning(prism: Prism) -> None:
    texts = ["The dog followed the farmer" + ", and" * n + " visited." for n in range(1, 31)]
    received = Received()
    list(prism.protect(texts, received))
    assert len(received.requests[0]) == len(texts)
    order = [text.count(", and") for text in received.requests[0]]
    assert sorted(order) == [*range(1, 31)]
    assert order != sorted(order)


def test_no_more_is_sent_again_in_all_than_the_settings_say(settings: Settings) -> None:
    few = settings.model_copy(
        update={"decoding": DecodingSettings(redraws=0.1, elimination="never")}
    )
    prism, requests = Prism.load("en-es", few), list[int]()

    def careless(texts: list[str]) -> list[str]:
        requests.append(len(texts))
        return [backwards(text).replace(" ", "  ", 1).partition("  ")[2] for text in texts]

    texts = [
        f"{adjective.capitalize()} {noun}s and the {adjective} {noun} watched the old {other}."
        for adjective in ADJECTIVES[:6]
        for noun, other in itertools.pairwise(NOUNS[:11])
    ]
    left = list(prism.protect(texts, careless, leave=True))
    assert left == texts
    assert requests[0] == len(texts)
    assert 0 < sum(requests[1:]) <= len(texts) // 10


def test_an_answer_that_gives_nothing_back_is_not_asked_for_again_but_raised_or_left(
    prism: Prism,
) -> None:
    requests: list[list[str]] = []

    def careless(texts: list[str]) -> list[str]:
        requests.append(texts)
        return ["Nada." for _ in texts]

    with pytest.raises(Unrestored):
        list(prism.protect(TEXTS[:1], careless))
    assert [len(request) for request in requests] == [1]
    assert list(prism.protect(TEXTS[:1], careless, leave=True)) == TEXTS[:1]


def test_what_may_not_be_sent_is_raised_or_left_and_never_sent(
    settings: Settings, tmp_path: Path
) -> None:
    never = tmp_path / "never.txt"
    never.write_text("the\n")
    lists = IdentifierSettings(never_send_file=never)
    strict = Prism.load("en-es", settings.model_copy(update={"identifiers": lists}))
    received = Received()
    with pytest.raises(NothingToSend, match="never-send"):
        strict.encode(TEXTS[0])
    with pytest.raises(NothingToSend) as caught:
        list(strict.protect(TEXTS[:1], received))
    assert "doctor" not in str(caught.value)
    assert list(strict.protect(TEXTS[:1], received, leave=True)) == TEXTS[:1]
    assert [one.text for one in strict.encode_all(TEXTS[:1])] == [""]
    assert received.requests == []


def test_a_name_recognised_in_one_text_is_hidden_in_all(prism: Prism) -> None:
    known = prism.deny_list(["Dear Mr. Quibble, the doctor visited the garden."])
    assert len(known)
    for one in prism.encode_all(["quibble QUIBBLE followed the dog."] * 20, known):
        assert "quibble" not in one.text.lower()


def test_a_wrong_number_of_translations_is_refused(prism: Prism) -> None:
    with pytest.raises(BadAnswer):
        list(prism.protect(TEXTS, lambda _texts: ["uno"]))
    sent = list(prism.encode_all(TEXTS[:2]))
    with pytest.raises(BadAnswer):
        list(prism.decode_all(sent, [backwards(sent[0].text)]))
    with pytest.raises(BadAnswer):
        list(prism.decode_all(sent[:1], [backwards(one.text) for one in sent]))


def test_a_stream_is_read_no_further_than_a_batch_ahead(prism: Prism) -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield f"The old doctor opened window {read}."

    stream = prism.protect(endless(), Received())
    first = [next(stream) for _ in range(3 * TOGETHER)]
    assert first[7] == backwards("The old doctor opened window 8.")
    assert read == 3 * TOGETHER


@pytest.mark.parametrize(
    ("consistency", "within", "across"), [("document", 1, 4), ("archive", 1, 1)]
)
def test_surrogates_are_consistent_within_a_call_or_an_object(consistency, within, across) -> None:
    settings = load_settings(flags={"identifiers.consistency": consistency})
    prism = Prism.load("en-es", settings)
    texts = ["Kovacs left the house.", "They saw Kovacs there."]
    calls = []
    for _ in range(4):
        records = [one.record for one in prism.encode_all(texts)]
        names = {r.substitute for record in records for r in record if r.word == "Kovacs"}
        assert len(names) == within
        calls.append(names.pop())
    assert 1 <= len(set(calls)) <= across
    assert across == 1 or len(set(calls)) > 1
