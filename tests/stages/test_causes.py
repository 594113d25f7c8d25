"""The words that a reviewer sees highlighted are those that the doubt is about."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.alignment import Translation
from prism_core.cat.jobs.reviewing import OpenReview
from prism_core.cat.review import find_causes
from prism_core.jobs import translate
from prism_core.stages import Run
from prism_core.state import SentenceStatus, StoredSentence
from tests.stages.archive import Backwards, again, install, make_job, write_archive
from tests.stages.test_decode import ONE_LOST, OTHER_WORD, decoded, run, send_again

__all__ = ["run"]
SENTENCE = StoredSentence(
    id="a",
    status=SentenceStatus.LOCAL,
    source="en",
    encoded=None,
    reason="",
    draws=0,
    to_restore=0,
    restored=0,
    ways={},
    unsure=True,
    untranslated=0,
)


def words(texts: tuple[str, str], sentence: StoredSentence, matches=()) -> list[list[str]]:
    causes = find_causes(sentence, texts[0], Translation(texts[1], matches), "pt")
    return [[text[a:b] for a, b in spans] for text, spans in zip(texts, causes, strict=True)]


@pytest.mark.parametrize(
    ("reason", "source", "translation", "there", "here"),
    [
        ("number-changed", "He paid 38.2 and 7.", "Pagou 38,5 e 7.", ["38.2"], ["38,5"]),
        ("code-changed", "See INV-2024/003 now.", "Veja INV-2024 agora.", ["INV-2024/003"], []),
        ("name-changed", "It was Mr. Jones.", "Era o Sr. João.", ["Jones"], ["João"]),
        ("negation-changed", "He did not see it.", "Ele viu.", ["not"], []),
        ("words-repeated", "Very good.", "Muito bom, muito bom.", [], ["Muito bom, muito bom"]),
        ("word-alone", "Left", "Esquerda", ["Left"], ["Esquerda"]),
        ("words-missing", "One two.", "Um.", [], []),
        ("word-invented", "He was afebrile.", "Estava afebrido.", [], ["afebrido"]),
        ("word-invented", "Liability", "Libilidade", [], ["Libilidade"]),
        ("sense-doubtful", "Pupils equal.", "Alunos iguais.", ["Pupils equal"], ["Alunos"]),
        ("words-untranslated", "He has a zorblax.", "Ele tem zorblax.", ["zorblax"], ["zorblax"]),
    ],
)
def test_the_words_of_a_fault_are_found_in_both_texts(
    reason: str, source: str, translation: str, there: list[str], here: list[str]
) -> None:
    sentence = replace(SENTENCE, reason=f"leak: {reason}")
    assert words((source, translation), sentence) == [there, here]


def test_a_word_that_was_found_in_a_doubtful_way_is_named_in_both_texts(run: Run) -> None:
    _, first = decoded(run, ONE_LOST)
    send_again(run, first.id, OTHER_WORD)
    document = run.store.documents.id_of("a.txt")
    stored = run.store.sentences.of_document(document)[first.id]
    source, translation = run.store.sentences.texts(document)[first.id]
    assert translation is not None
    assert words((source, translation.text), stored, translation.matches) == [
        [source.split()[1]],
        ["nedrag"],
    ]


def test_a_word_that_stays_in_the_source_language_is_highlighted_between_its_neighbours(
    tmp_path: Path,
) -> None:
    text = "The dog opened the garden. The farmer opened the zorblax. The old house moved."
    write_archive(tmp_path / "in", {"a.txt": f"{text}\n"})
    install(Backwards(tmp_path / "log"))
    job = make_job(tmp_path)
    translate(job)
    units = {unit.source: unit for unit in OpenReview(again(job), "M. Ortega").units()}
    (unit,) = units.values()
    texts = unit.source, unit.translation
    found = [[t[a:b] for a, b in spans] for t, spans in zip(texts, unit.causes, strict=True)]
    assert found == [["zorblax"], ["zorblax"]]
    assert (len(unit.around), unit.around[1]) == (3, unit.id)
