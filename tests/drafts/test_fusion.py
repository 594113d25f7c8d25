"""Words of a draft in the restored translation of somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.alignment import Match, Translation
from prism_core.drafts import AlignedDraft, Drafter, Fault, fuse, rewrite
from prism_core.settings import Settings, TranslatorSettings

SOURCE = "The small houses are empty."
TEXT = "As casa pequeno estão vazio."
DRAFT = "As casas pequenas estão vazias."
WORDS = {(4, 9): (8, 15), (10, 16): (3, 7), (21, 26): (22, 27)}
LINKS = {
    Match((4, 9), (9, 17)): 0.9,
    Match((10, 16), (3, 8)): 0.9,
    Match((21, 26), (24, 30)): 0.9,
}


def test_words_get_the_forms_of_the_draft_and_their_places_move_with_them() -> None:
    changes = fuse(TEXT, WORDS, AlignedDraft.of(DRAFT, LINKS), "pt")
    places = [Match(source, place) for source, place in WORDS.items()]
    fused = rewrite(TEXT, changes, places)
    assert fused.text == DRAFT
    found = {SOURCE[slice(*m.source)]: fused.text[slice(*m.target)] for m in fused.matches}
    assert found == {"small": "pequenas", "houses": "casas", "empty": "vazias"}


@pytest.mark.parametrize(
    "links",
    [
        {},
        {Match((10, 16), (3, 8)): 0.2},
        {Match((10, 16), (3, 8)): 0.9, Match((10, 16), (9, 17)): 0.9},
    ],
)
def test_a_weak_link_or_one_of_several_changes_nothing(links: dict[Match, float]) -> None:
    assert fuse(TEXT, WORDS, AlignedDraft.of(DRAFT, links), "pt") == {}


def test_letter_case_is_that_of_the_place() -> None:
    draft = AlignedDraft.of("Casas velhas", {Match((0, 6), (0, 5)): 0.9})
    assert fuse("a casa", {(0, 6): (2, 6)}, draft, "pt") == {(2, 6): "casas"}
    assert fuse("Casa velha", {(0, 6): (0, 4)}, draft, "pt") == {(0, 4): "Casas"}


@pytest.mark.parametrize(
    ("put_back", "drafted", "written"),
    [
        ("pouco frequente", "frequente", "pouco frequente"),
        ("infrequente", "frequentes", "infrequente"),
        ("décimo oitavo", "oitava", "décimo oitavo"),
        ("de volta", "volta", "de volta"),
        ("de volta", "atrás", "atrás"),
        ("acusa", "usa", "usa"),
        ("casas", "casa", "casa"),
    ],
)
def test_a_part_of_what_was_put_back_does_not_take_its_place(
    put_back: str, drafted: str, written: str
) -> None:
    draft = AlignedDraft.of(drafted, {Match((0, 3), (0, len(drafted))): 0.9})
    changes = fuse(put_back, {(0, 3): (0, len(put_back))}, draft, "pt")
    assert changes.get((0, len(put_back)), put_back) == written


@pytest.mark.parametrize(
    ("before", "drafted", "written"),
    [
        ("A", "O", "O"),
        ("da", "do", "do"),
        ("Uma", "um", "Um"),
        ("de", "com", "de"),
        ("a", "e", "a"),
        ("Não", "No", "Não"),
    ],
)
def test_an_article_follows_a_noun_of_the_draft(before: str, drafted: str, written: str) -> None:
    text, place = f"{before} quantia", (len(before) + 1, len(before) + 8)
    at = len(drafted) + 1
    draft = AlignedDraft.of(f"{drafted} valor", {Match((4, 10), (at, at + 5)): 0.9})
    assert rewrite(text, fuse(text, {(4, 10): place}, draft, "pt"), ()).text == f"{written} valor"


def test_a_short_word_that_is_no_article_of_the_language_stays() -> None:
    draft = AlignedDraft.of("a sum", {Match((3, 9), (2, 5)): 0.9})
    assert fuse("as amount", {(3, 9): (3, 9)}, draft, "en") == {(3, 9): "sum"}


@pytest.fixture(scope="module")
def drafter() -> Drafter:
    found = Drafter.open(TranslatorSettings.choose(name="firefox"), "en", "pt")
    assert found is not None
    return found


def test_the_model_drafts_and_links_an_answer_to_what_was_sent(drafter: Drafter) -> None:
    (draft,) = drafter.draft(["The doctor opened the window."])
    assert draft.text == "O médico abriu a janela."
    assert {draft.text[slice(*word)] for word in draft.words.values()} >= {"médico", "janela"}
    told = Translation("Ela abriu", (Match((0, 3), (0, 3)),))
    sent = "The doctor opened the window."
    linked, kept = drafter.align([(sent, Translation(draft.text)), ("She opened", told)])
    assert ("doctor", "médico") in {
        (sent[slice(*m.source)], linked.text[slice(*m.target)]) for m in linked.matches
    }
    assert kept == told
    texts = [draft.text, "A médica fechou os jardins."]
    own, other = drafter.rate([(sent, text, draft.text) for text in texts])
    assert own.quality is not None
    assert other.quality is not None
    assert 0 <= other.quality < 0.6 < own.quality <= 1


def test_a_word_that_the_model_made_up_is_told_from_a_rare_form(drafter: Drafter) -> None:
    sources = ["The patient was afebrile.", "If it had exploded, they would have opened it."]
    drafts = [draft.text for draft in drafter.draft(sources)]
    assert drafts[0] == "O paciente era afebrido."
    ratings = drafter.rate(list(zip(sources, drafts, drafts, strict=True)))
    assert [Fault.INVENTED in rating.faults for rating in ratings] == [True, False]
    copied = drafter.rate([("He met afebrido.", *["O paciente era afebrido."] * 2)])
    assert Fault.INVENTED not in copied[0].faults


@pytest.mark.parametrize(
    ("source", "text", "is_invented"),
    [
        ("The gallbladder was distended.", "A vesícula foi distencionada.", True),
        ("She was afebrile and alert.", "Ela era afebrida e alerta.", True),
        ("She feels let down by the police.", "Ela se sente desilusemos pela polícia.", True),
        ("Alergic to penicillin.", "Alegalgica para penicilina.", True),
        ("Call the Surgeons.", "Chame os Círciques.", True),
        ("Your stitches will dissolve.", "Seus pontos se dissolverão.", False),
        ("We met Hippocrates.", "Conhecemos Hipócrates.", False),
    ],
)
def test_an_ending_of_a_listed_word_tells_rare_forms_from_inventions(
    drafter: Drafter, source: str, text: str, is_invented: bool
) -> None:
    (rating,) = drafter.rate([(source, text, text)])
    assert (Fault.INVENTED in rating.faults) is is_invented


@pytest.mark.parametrize(
    ("source", "text", "is_left_out"),
    [
        ("He had fever. She breathed ambient air.", "Ele tinha febre.", True),
        ("Two doses, 8 hours apart, were given.", "Foram dadas duas doses.", True),
        ("Two doses, 8 hours apart, were given.", "Duas doses, com 8 horas de intervalo.", False),
        ("The meeting took place in May.", "A reunião ocorreu em maio.", False),
        ("She has a hard time, and he found out.", "Ela tem dificuldades e ele descobriu.", False),
    ],
)
def test_a_clause_that_is_left_out_shows(
    drafter: Drafter, source: str, text: str, is_left_out: bool
) -> None:
    (rating,) = drafter.rate([(source, text, text)])
    assert (Fault.MISSING in rating.faults) is is_left_out


def test_there_is_no_drafter_without_a_model(tmp_path: Path) -> None:
    assert Drafter.open(None, "en", "pt") is None
    assert (
        Drafter.open(TranslatorSettings.choose(name="local", folder=tmp_path), "en", "pt") is None
    )
    assert Drafter.open(TranslatorSettings.choose(name="firefox"), "en", "xx") is None


def test_what_must_not_be_sent_is_translated_here_where_a_model_is_installed() -> None:
    assert Settings(target="pt").on_withheld == "local"
    assert Settings(target="pt", on_withheld="leave").on_withheld == "leave"
    assert Settings(target="es").on_withheld == "leave"
