"""Marks around words: the same for all of them, and never believed more than they deserve."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence

import pytest

from prism_core.alignment import Match, Translation
from prism_core.errors import ConfigurationError, Rejected
from prism_core.settings import TranslatorSettings, load_settings
from prism_core.translators import (
    Budget,
    CostForecast,
    Item,
    Limits,
    Price,
    Scheduler,
    make_translator,
    terms_of,
)
from prism_core.translators.adapters.fake import mark_words
from prism_core.translators.alignment_tags import (
    Tag,
    keep_consistent,
    read_tags,
    tag_words,
    words_to_mark,
)
from prism_core.translators.base import Aligner
from prism_core.translators.cost import Purse
from prism_core.translators.openai.adapter import link_words
from prism_core.translators.requests import pack_requests
from tests.openai_server import OpenAIServer
from tests.provider_server import ProviderServer
from tests.translators.memory_ledger import MemoryLedger
from tests.translators.scripted import Scripted

TEXT = 'The old "ship" & its crew-members left <Oslo>, the captain\'s town.'
MARKED = ["old", "ship", "crew-members", "left", "captain", "town"]
XML, HTML = Tag("w", "i", strict=True), Tag("a", "i", quote="")
TAGGED = ("azure", "azure-2026-06-06", "deepl", "google", "libretranslate")


def words(text: str) -> list[str]:
    return [text[slice(*word)] for word in words_to_mark(text, "en")]


def test_all_content_words_are_marked_alike_and_nothing_else_is() -> None:
    assert words(TEXT) == MARKED
    assert words("On 3 June 2014 the U.S. wrote to a@b.org, not https://b.org/x or and/or.") == [
        "June",
        "wrote",
    ]
    assert words("They don't say we're lost.") == ["say", "lost"]
    assert words_to_mark("Il cane", "it") == [(0, 2), (3, 7)]


@pytest.mark.parametrize("tag", [XML, HTML])
def test_what_is_sent_is_the_text_again_when_its_marks_are_taken_off(tag: Tag) -> None:
    text = "If 3 < 4 && 5 > 4, rarely &lt; a <w i=\"1\">tag</w>, and <a> new things </a> 😀 'ok'?"
    places = words_to_mark(text, "en")
    sent = tag_words(text, places, tag)
    assert sent.count(f"</{tag.element}>") == len(places) == 4
    back = read_tags(text, places, sent, tag)
    assert back == Translation(text, [Match(place, place) for place in places])


def read(answer: str, tag: Tag = XML) -> dict[str, str] | None:
    """Which word is said to have become what in ``answer`` to *big dogs bark*; None: not usable."""
    text = "big dogs bark"
    found = read_tags(text, words_to_mark(text, "en"), answer, tag)
    if found is None:
        return None
    return {text[slice(*m.source)]: found.text[slice(*m.target)] for m in found.matches}


BIG, DOGS, BARK = '<w i="1">', '<w i="2">', '<w i="3">'
END = "</w>"


def test_a_word_is_linked_where_its_tag_is_in_any_order() -> None:
    answer = f"{BARK}ladran{END} los {DOGS}perros{END} {BIG}grandes{END}"
    assert read(answer) == {"big": "grandes", "dogs": "perros", "bark": "ladran"}
    assert read("<a i=2>perros</a>, <A I='1'>grandes</ a>", HTML) == {
        "big": "grandes",
        "dogs": "perros",
    }


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        (f"{DOGS}perros{END} grandes", {"dogs": "perros"}),  # dropped
        (f"{DOGS}perros{END} {BIG}{END}grandes", {"dogs": "perros"}),  # empty
        (f'{DOGS}perros{END} <w i="1"/>grandes', {"dogs": "perros"}),  # empty, written otherwise
        (f"{DOGS}perros{END}{BIG}, {END}grandes", {"dogs": "perros"}),  # around a comma
        (f"{DOGS}los{END} perros {DOGS}grandes{END}", {}),  # doubled
        (f"{DOGS}perros{END} {DOGS}grandes{END}", {"dogs": "perros grandes"}),  # side by side
        (f"{DOGS}perros {BIG}grandes{END}{END}", {}),  # nested
        (f'{DOGS}perros{END} <w i="9">grandes{END}', {"dogs": "perros"}),  # invented
        (f"los{DOGS} 'perros'{END} {BIG}grandes.{END}", {"dogs": "perros", "big": "grandes"}),
    ],
)
def test_a_tag_that_lies_costs_its_link_and_no_other(answer: str, left: dict[str, str]) -> None:
    assert read(answer) == left


def test_where_a_word_was_dropped_with_its_blank_one_blank_is_left() -> None:
    text = "big dogs bark"
    answer = f"los {DOGS}perros{END} {BIG}{END} {BARK} ladran {END} hoy"
    found = read_tags(text, words_to_mark(text, "en"), answer, XML)
    assert found is not None
    assert found.text == "los perros ladran hoy"
    assert read(answer) == {"dogs": "perros", "bark": "ladran"}


@pytest.mark.parametrize(
    "answer",
    [
        f"{DOGS}perros grandes",  # not closed
        f"perros{END} grandes",  # not opened
        f"{DOGS}perros{END} <b>grandes</b>",  # not ours
        "los perros < grandes",
        f"los{DOGS}perros{END} grandes",  # a blank is lost, or a tag stands within a word
        f"{DOGS}per{END}ros",
        f"{DOGS}perros{END},{BIG}grandes{END}",
        f"{DOGS}perros{END} {BIG}{END}.",  # a blank before it where a word was
        f"{DOGS}perros{END}  grandes",
        f"{DOGS}Hund & Katze{END}",  # in XML no ampersand stands alone
        f"{DOGS}Hund &copy; Katze{END}",
    ],
)
def test_where_the_text_itself_may_have_suffered_there_is_no_answer(answer: str) -> None:
    assert read(answer) is None


def test_entities_are_resolved_once_and_only_where_they_are_some() -> None:
    text, places = "a b", words_to_mark("a b", "en")
    assert read_tags(text, places, "l&#39;a &amp;lt; &quot;b&quot;", XML) == Translation(
        'l\'a &lt; "b"'
    )
    assert read_tags(text, places, "R&D &nosuch; &amp;amp; &eacute;", HTML) == Translation(
        "R&D &nosuch; &amp; é"
    )


def test_scripts_without_blanks_may_have_tags_anywhere() -> None:
    assert read(f"大{DOGS}犬{END}が{BARK}吠{END}える") == {"dogs": "犬", "bark": "吠"}


def test_links_are_kept_only_to_one_place_that_no_other_claims() -> None:
    answer, places = "uno dos tres", [(0, 1), (2, 3), (4, 5)]
    links = [Match((0, 1), (0, 5)), Match((2, 3), (4, 7)), Match((4, 5), (8, 12))]
    assert keep_consistent(places, answer, links) == (Match((4, 5), (8, 12)),)
    assert keep_consistent(places, answer, [Match((0, 1), (8, 13))]) == ()
    assert keep_consistent(places, answer, [Match((0, 1), (-1, 3))]) == ()
    assert keep_consistent(places, answer, [Match((0, 2), (0, 3))]) == ()


def test_what_a_model_says_of_words_counts_where_they_stand_once_in_its_own_answer() -> None:
    text = "big dogs bark"
    places = words_to_mark(text, "en")
    told = ["1=grandes", " 2 = perros ", "3=aúllan", "4=los", "x=los", "los", 7, "2=los los"]
    found = link_words(places, "los perros grandes, los gatos", told)
    shown = {text[slice(*m.source)]: found.text[slice(*m.target)] for m in found.matches}
    assert shown == {"big": "grandes", "dogs": "perros"}
    assert link_words(places, "perrosgrandes los los", ["1=grandes", "2=los"]).matches == ()
    assert link_words(places, "x", None) == link_words(places, "x", {"1": "x"}) == Translation("x")


def align(settings: TranslatorSettings, texts: Sequence[str]) -> list[Translation | None]:
    async def main() -> list[Translation | None]:
        translator = make_translator(settings, "en", "es")
        assert isinstance(translator, Aligner)
        try:
            return await translator.align(texts, "en", "es")
        finally:
            await translator.close()

    return asyncio.run(main())


def test_every_provider_tells_the_place_of_every_word(
    providers: dict[str, ProviderServer], server: OpenAIServer
) -> None:
    around = ["", TEXT, "  Two 😀 blanks & more. ", "3 4"]
    for made in (*(providers[name] for name in TAGGED), server):
        answers = align(made.settings(), around)
        assert [answer and answer.text for answer in answers] == [mark_words(t) for t in around]
        _, answer, spaced, _ = answers
        assert answer is not None
        assert [TEXT[slice(*m.source)] for m in answer.matches] == MARKED
        shown = [answer.text[slice(*m.target)].rstrip("·") for m in answer.matches]
        assert shown == [mark_words(word).rstrip("·") for word in MARKED]
        assert spaced is not None
        assert [spaced.text[slice(*m.target)] for m in spaced.matches][1:] == ["blanks"]


def test_marks_are_the_same_whatever_was_replaced(
    providers: dict[str, ProviderServer], server: OpenAIServer
) -> None:
    """A translator is given x_pub alone, so what it is sent with marks is a function of that."""
    for made in (*(providers[name] for name in TAGGED), server):
        align(made.settings(), [TEXT])
        align(made.settings(), [TEXT])
        first, second = made.bodies[-2:]
        assert first == second
    plain = [re.sub(r"<[^>]*>", "", body.decode()) for body in providers["deepl"].bodies]
    assert all("crew-members left &lt;Oslo&gt;" in body for body in plain)
    (deepl, *_) = (json.loads(body)["text"][0] for body in providers["deepl"].bodies)
    assert re.findall(r'<w i="\d+">([^<]*)</w>', deepl) == MARKED
    (asked, *_) = (json.loads(body)["messages"][-1]["content"] for body in server.bodies)
    assert json.loads(asked)["sentences"][0]["words"] == [
        f"{n}={word}" for n, word in enumerate(MARKED, start=1)
    ]


def test_azure_is_sent_the_same_text_with_and_without_alignment(
    providers: dict[str, ProviderServer],
) -> None:
    azure = providers["azure"]
    align(azure.settings(), [TEXT])
    asyncio.run(make_translator(azure.settings(), "en", "es").translate([TEXT], "en", "es"))
    assert azure.bodies[0] == azure.bodies[1]


@pytest.mark.parametrize(
    "proj",
    ["", "x", "0:2", "5:900-0:1", "4:6-0:999999", "4:6-5:3 ", "4:6-0:1 4:6-9:12", "4:5-0:1"],
)
def test_an_alignment_that_cannot_be_costs_nothing_but_itself(
    providers: dict[str, ProviderServer], proj: str
) -> None:
    azure = providers["azure"]
    azure.lie = lambda _proj: proj
    assert align(azure.settings(), [TEXT]) == [Translation(mark_words(TEXT))]


def scheduled(
    settings: TranslatorSettings, texts: Sequence[str], *, lost: bool = False
) -> MemoryLedger:
    ledger = MemoryLedger()
    items = [Item(text, text, len(words_to_mark(text, "en")), lost) for text in texts]

    async def main() -> None:
        translator = make_translator(settings, "en", "es")
        outcome = await Scheduler(translator, "en", "es", ledger=ledger).run(items)
        await translator.close()
        assert outcome.answered_ids == set(texts)

    asyncio.run(main())
    return ledger


LIES: dict[str, Callable[[str], str]] = {
    "not closed": lambda answer: answer.replace("</w>", "", 1),
    "moved into a word": lambda answer: re.sub(r"(\w)(\w+·)(</w>)", r"\1\3\2", answer, count=1),
    "foreign": lambda answer: f"<p>{answer}</p>",
    "bare ampersand": lambda answer: answer.replace("&amp;", "&"),
}


@pytest.mark.parametrize("lie", LIES)
def test_what_marks_spoilt_is_asked_for_without_them(
    providers: dict[str, ProviderServer], lie: str
) -> None:
    deepl, text = providers["deepl"], "Fat cats & old dogs sleep."
    deepl.lie = LIES[lie]
    ledger = scheduled(deepl.settings(marks="always"), [text])
    assert ledger.answers == {text: mark_words(text)}
    assert ledger.links == {}
    assert [batch for [batch] in deepl.batches][1:] == [text]
    assert ledger.failures() == ["marks-spoilt"]


def test_a_provider_that_refuses_marks_is_asked_without_them(
    providers: dict[str, ProviderServer],
) -> None:
    deepl = providers["deepl"]
    deepl.fail("no markup")
    texts = ["Fat cats sleep.", "Old dogs bark."]
    ledger = scheduled(deepl.settings(marks="always"), texts)
    assert set(ledger.answers.values()) == {mark_words(text) for text in texts}
    assert deepl.batches == [texts]
    assert ledger.failures() == ["rejected"]


@pytest.mark.parametrize("name", TAGGED[1:])
@pytest.mark.parametrize(
    ("marks", "lost", "marked"),
    [
        ("never", True, False),
        ("lost", False, False),
        ("lost", True, True),
        ("always", False, True),
    ],
)
def test_words_are_marked_when_the_settings_say_so(
    providers: dict[str, ProviderServer], name: str, marks: str, lost: bool, marked: bool
) -> None:
    ledger = scheduled(providers[name].settings(marks=marks), ["Old dogs bark."], lost=lost)
    assert bool(ledger.links) is marked
    assert ("<" in providers[name].batches[0][0]) is marked


def test_who_cannot_mark_is_asked_without() -> None:
    apertium = TranslatorSettings.choose(name="apertium")
    ledger = scheduled(apertium, ["Old dogs bark."], lost=True)
    assert (ledger.links, ledger.marks) == ({}, 0)


def test_each_provider_has_a_default_of_its_own() -> None:
    told = {
        name: marks
        for name in TranslatorSettings.names()
        if (marks := TranslatorSettings.choose(name=name).asked_marks) != "never"
    }
    assert told == {"azure": "always", "deepl": "lost", "google": "lost", "openai": "lost"}
    later = TranslatorSettings.choose(name="azure", api_version="2026-06-06")
    assert later.asked_marks == "lost", "it has no alignment"
    assert TranslatorSettings.choose(name="openai", prompt="paper").asked_marks == "never"
    given = {"name": "openai", "prompt": "paper", "marks": "lost"}
    flags = {f"translator.{name}": value for name, value in given.items()}
    with pytest.raises(ConfigurationError, match="marks are not for the prompt of the paper"):
        load_settings(None, {}, flags)


def test_a_request_is_within_the_limits_with_its_marks_and_has_all_or_none() -> None:
    limits = Limits(texts_per_request=10, characters_per_request=100, characters_per_mark=20)
    lost = [Item(str(n), "x" * 20, marks=2, lost=True) for n in range(3)]
    long = Item("long", "x" * 90, marks=1)
    plain = Item("plain", "x" * 9)
    packed = list(pack_requests([*lost, long, plain], limits, lambda _item: None))
    assert [[item.id for item in request] for request in packed] == [
        ["0"],
        ["1"],
        ["2"],
        ["long", "plain"],
    ]
    assert packed[-1][0].marks == 0


WIDE = Limits(texts_per_request=10, characters_per_request=1_000, characters_per_mark=12)


@pytest.mark.parametrize(("bills", "billed"), [(True, 10 + 24), (False, 10)])
def test_marks_are_in_the_budget_and_the_plan_where_they_are_billed(
    bills: bool, billed: int
) -> None:
    price = Price(1_000_000.0, "characters", source="us", as_of="now", bills_marks=bills)
    item = Item("1", "x" * 10, marks=2)
    purse = Purse(1_000.0, "USD")
    Budget(purse, price, WIDE).book([item])
    assert purse.spent == pytest.approx(billed)
    forecast = CostForecast(WIDE, price, "always")
    forecast.add([item])
    assert forecast.expected().characters == billed
    plain = CostForecast(WIDE, price, "lost")
    plain.add([item])
    assert plain.expected().characters == 10


def test_what_the_ledger_is_told_of_marks_is_what_is_billed(
    providers: dict[str, ProviderServer],
) -> None:
    google, deepl = providers["google"], providers["deepl"]
    billed = scheduled(google.settings(marks="always"), ["Old dogs bark."]).marks
    ((sent,),) = google.batches
    assert len(sent) - len("Old dogs bark.") <= billed <= len(sent)
    assert scheduled(deepl.settings(marks="always"), ["Old dogs bark."]).marks == 0


def test_the_terms_of_a_plan_say_when_words_are_marked() -> None:
    settings = TranslatorSettings.choose(name="google", marks="always")
    assert terms_of(settings, "en", "es").marks == "always"


def test_a_text_that_is_refused_with_and_without_marks_is_given_up_once() -> None:
    def refuse(_call: int, texts: Sequence[str]) -> list[str]:
        raise Rejected("no")

    class Marking(Scripted):
        marks = "always"

        async def align(self, texts, source, target):  # type: ignore[no-untyped-def]
            return await self.translate(texts, source, target)

    translator, ledger = Marking(refuse, WIDE), MemoryLedger()
    outcome = asyncio.run(
        Scheduler(translator, "en", "es", ledger=ledger).run([Item("1", "Old dogs", 2)])
    )
    assert outcome.failed == {"1": "rejected"}
    assert len(translator.calls) == 2
