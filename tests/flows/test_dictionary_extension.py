"""What an extension sends about an archive: single ordinary words, and nothing else of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from prism_core.building import read_word_list
from prism_core.building.jobs.build import BuildWatch
from prism_core.building.jobs.extend import (
    Extension,
    ExtensionPlan,
    plan_extension,
    read_untranslatable_words,
    run_extension,
)
from prism_core.dictionary import read_dictionary
from prism_core.errors import ConfigurationError, QuotaExhausted
from prism_core.resources import shipped_words
from prism_core.settings import KeySettings, Settings, TranslatorSettings
from prism_core.settings.sections import DictionarySettings, IdentifierSettings
from prism_core.translators.adapters.apertium import ApertiumTranslator
from tests.adapters import put_in_place_for_a_test
from tests.flows.test_dictionary_building import PUBLIC
from tests.words import ENGLISH

RARE = "pebble orchid anvil lantern thimble walrus saffron trellis gravel beacon".split()
LETTER = """Dear Ms Zorbanquist,

The surgeon found a tumour near the kidney. The tumour was removed by quibblewick and the surgeon.
zorbanquist paid the invoice 88123 with the Codename plan. The codename was changed yesterday.
Write to tolliver@quarrelstone.example about the tumour, said Quibblewick. The project is
moonraker. Ask edith about the snorkelpuff.
"""
CANARIES = ("zorbanquist", "quibblewick", "tolliver", "quarrelstone", "codename", "88123", "edith")
"""Names in several spellings, an address, a word also seen with a capital, a lower-case name."""


class Recorded(ApertiumTranslator):
    """The real Apertium; keeps every text it is given."""

    received: list[str]

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        self.received += texts
        return await super().translate(texts, source, target)


@pytest.fixture
def sent(monkeypatch) -> list[str]:
    """Every text that a translator is given, in order."""
    return record(monkeypatch)


def record(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []

    def make(settings: TranslatorSettings, source: str, target: str) -> Recorded:
        made = Recorded(settings, source, target)
        made.received = texts
        return made

    put_in_place_for_a_test(monkeypatch, "apertium", make)
    return texts


class Extended(NamedTuple):
    """An extension that was made, its plan, and what was sent: ``early`` while it was planned."""

    extension: Extension
    plan: ExtensionPlan
    early: list[str]
    sent: list[str]


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory, small_dictionary: Path) -> Extended:
    """Made once, for all tests that look at the same one."""
    extension = make_extension(tmp_path_factory.mktemp("extended"), small_dictionary)
    with pytest.MonkeyPatch.context() as monkeypatch:
        sent = record(monkeypatch)
        plan, early = plan_extension(extension), [*sent]
        run_extension(extension, plan, BuildWatch())
    return Extended(extension, plan, early, sent)


@pytest.fixture
def extension(tmp_path: Path, small_dictionary: Path) -> Extension:
    return make_extension(tmp_path, small_dictionary)


def make_extension(tmp_path: Path, small_dictionary: Path) -> Extension:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "letter.txt").write_text(LETTER)
    never = tmp_path / "never.txt"
    never.write_text("moonraker\n")
    public = tmp_path / "public.en"
    nouns = [*RARE, "project", "plan"]  # some that are asked for, so that there are places for them
    public.write_text(PUBLIC + "".join(f"They saw the {w} near the wall .\n" for w in nouns))
    settings = Settings(
        key=KeySettings(file=tmp_path / "key"),
        translator=TranslatorSettings.choose(name="apertium"),
        dictionary=DictionarySettings(path=small_dictionary),
        identifiers=IdentifierSettings(never_send_file=never),
    )
    return Extension(
        dictionary=small_dictionary,
        archive=tmp_path / "in",
        texts=(public,),
        output=tmp_path / "mine.parquet",
        settings=settings,
    )


def test_words_of_the_archive_are_added_and_no_identifier_of_it_is_ever_sent(
    extended: Extended,
) -> None:
    assert extended.early == [], "planning asks nobody"
    everything = " ".join(extended.sent).lower()
    assert "surgeon" in everything
    assert [canary for canary in (*CANARIES, "moonraker") if canary in everything] == []

    output = extended.extension.output
    entries = {entry.word: entry for entry in read_dictionary(output).entries}
    assert entries["surgeon"].forms[0].text == "cirujano"
    assert entries["surgeon"].method == "extend"
    assert entries["apple"].forms[0].text != "manzana", "what was there stays as it was"
    assert not output.with_name("mine.parquet.build").exists()


def test_no_three_words_are_sent_in_the_order_the_archive_has_them(extended: Extended) -> None:
    assert _runs(LETTER) - _runs(PUBLIC)
    assert _runs(LETTER) & (_runs(" ".join(extended.sent)) - _runs(PUBLIC)) == set()


def test_no_text_that_is_sent_shows_a_never_send_term_public_or_not(
    extension: Extension, sent: list[str]
) -> None:
    """A word that would be a decoy, one across the words of a public sentence, one in disguise."""
    listed = extension.settings.identifiers.never_send_file
    assert listed is not None
    listed.write_text("pebble\ngood friend\nsnorkelpuff\n")
    (extension.archive / "more.txt").write_text("They saw the snоrkelpuff and the kidney.\n")
    plan = plan_extension(extension)
    assert "pebble" not in {word.word for word in plan.asked}
    run_extension(extension, plan, BuildWatch())
    everything = " ".join(sent).lower()
    assert "kidney" in everything
    shown = "pebble", "good friend", "snorkelpuff", "snоrkelpuff"
    assert [term for term in shown if term in everything] == []


def test_a_word_of_the_never_send_list_is_no_decoy(
    extended: Extended, extension: Extension
) -> None:
    """It would not be asked, and so hide none: a group of one fewer would be all that is sent."""
    own = {word.word for word in extended.plan.words}
    decoys = sorted({word.word for word in extended.plan.asked} - own)
    listed = extension.settings.identifiers.never_send_file
    assert listed is not None
    listed.write_text(f"moonraker\n{decoys[0]}\n")
    plan = plan_extension(extension)
    assert plan.words
    assert decoys[0] not in {word.word for word in plan.asked}


def _runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))


def test_decoys_are_as_many_as_asked_for_and_in_no_order(extended: Extended) -> None:
    extension, plan, *_ = extended
    own = {word.word for word in plan.words}
    assert {"tumour", "surgeon", "kidney"} <= own
    decoys = {word.word for word in plan.asked} - own
    assert len(decoys) >= extension.decoys * len(own) * 0.9, "two of the archive may share a group"
    text = set(re.findall(r"\w+", extension.texts[0].read_text()))
    public = text | {word.word for word in read_word_list(shipped_words(), ENGLISH)}
    assert decoys <= public
    again = plan_extension(extension)
    assert set(again.asked) == set(plan.asked), "who is sent two extensions has nothing to compare"
    assert again.asked != plan.asked, "in an order that is drawn afresh"


def test_a_word_that_stands_in_no_public_source_is_asked_for_only_if_told_to(
    extension: Extension, sent
) -> None:
    (extension.archive / "more.txt").write_text("They saw the snorkelpuff and the kidney.\n")
    plan = plan_extension(extension)
    assert "snorkelpuff" not in {word.word for word in plan.asked}
    assert plan.count_words()["in_no_public_source"] == plan.unlisted == 1
    assert any(
        said.startswith("1 words of the archive are not asked") for said in plan.list_remarks()
    )
    forced = plan_extension(replace(extension, unlisted=True))
    assert {word.word for word in forced.asked} - {word.word for word in plan.asked} == {
        "snorkelpuff"
    }
    assert any("1 of them stand in no public source" in said for said in forced.list_remarks())
    assert sent == [], "all of this is said before anything is sent"


def test_a_name_that_is_written_otherwise_in_another_document_is_not_asked_for(
    extension: Extension, sent
) -> None:
    (extension.archive / "first.txt").write_text("Please ask osnorfel about the snorkelpuff.\n")
    (extension.archive / "second.txt").write_text("The pebble is from Mr. O'Snorfel.\n")
    asked = {word.word for word in plan_extension(replace(extension, unlisted=True)).asked}
    assert "snorkelpuff" in asked
    assert "osnorfel" not in asked


def test_a_resumed_extension_keeps_its_decoys(extension: Extension, monkeypatch, sent) -> None:
    class Exhausted(Recorded):
        async def translate(self, texts: Sequence[str], _source: str, _target: str) -> list[str]:
            self.received += texts
            raise QuotaExhausted("The quota is used up.")

    make = TranslatorSettings.load("apertium").make

    def exhausted(settings: TranslatorSettings, source: str, target: str) -> Recorded:
        made = Exhausted(settings, source, target)
        made.received = sent
        return made

    put_in_place_for_a_test(monkeypatch, "apertium", exhausted)
    with pytest.raises(QuotaExhausted):
        run_extension(extension, plan_extension(extension), BuildWatch())
    first = set(sent)
    put_in_place_for_a_test(monkeypatch, "apertium", make)
    run_extension(extension, plan_extension(extension), BuildWatch())
    assert first <= set(sent[len(first) :]), "the same texts again, no other draw of decoys"


def test_what_the_translator_did_not_know_is_not_asked_again_among_other_decoys(
    extended: Extended,
) -> None:
    extension, plan, *_ = extended
    stored = read_dictionary(extension.output)
    entered = {entry.word for entry in stored.entries}
    in_vain = read_untranslatable_words(stored)
    assert in_vain
    assert {word.word for word in plan.asked} <= entered | in_vain
    again = replace(extension, dictionary=extension.output)
    again = replace(
        again,
        settings=extension.settings.model_copy(
            update={"dictionary": DictionarySettings(path=extension.output)}
        ),
    )
    assert plan_extension(again).words == ()


def test_an_archive_that_cannot_be_read_is_told(extension: Extension, tmp_path: Path, sent) -> None:
    (tmp_path / "in" / "letter.txt").write_bytes(b"PK\x03\x04")
    (tmp_path / "in" / "letter.txt").rename(tmp_path / "in" / "letter.docx")
    with pytest.raises(ConfigurationError, match="could be read"):
        plan_extension(extension)
    assert sent == []
