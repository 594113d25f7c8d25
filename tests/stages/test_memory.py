"""What is held of a document does not grow with it: its sentences and translations are packed."""

from __future__ import annotations

import pickle
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prism_core.alignment import Match, Translation
from prism_core.formats import PackedTranslations
from prism_core.language import Sentence, Token
from prism_core.stages import Run, ingest, read
from prism_core.stages.write import _join
from prism_core.state import PackedSentences
from tests.stages.archive import ADJECTIVES, NOUNS, VERBS, make_job


def taken(make: Callable[[], Any]) -> tuple[Any, int, int]:
    """What ``make`` gives, the bytes that it takes, and the most that were taken meanwhile."""
    tracemalloc.start()
    made = make()
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return made, kept, most


def lines(count: int) -> list[str]:
    """So many sentences, each of which is another."""
    words = [f"{a} {n} {v}" for a in ADJECTIVES for n in NOUNS for v in VERBS]
    return [f"The {words[n]} the {words[-n]} the garden." for n in range(count)]


def sentence(text: str) -> Sentence:
    return Sentence(tuple(Token("".join([word]), " ", "NN") for word in text.split()))


def test_sentences_are_held_in_a_fourth_of_the_memory_of_their_objects() -> None:
    texts = {str(number): text for number, text in enumerate(lines(500))}

    def pack() -> PackedSentences:
        packed = PackedSentences()
        for name, text in texts.items():
            packed[name] = sentence(text)
        return packed

    pack()  # what packs them is made once
    packed, kept, _ = taken(pack)
    objects, of_objects, _ = taken(lambda: {name: sentence(texts[name]) for name in texts})
    assert dict(packed) == objects
    assert kept < of_objects / 4


def translation(number: int) -> Translation:
    spans = [(7 * word + number, 7 * word + number + 6) for word in range(12)]
    return Translation(f"{number} " + "palabra " * 12, [Match(span, span) for span in spans])


def test_translations_go_to_the_child_in_a_fourth_of_the_memory_of_their_objects() -> None:
    count = 10 * PackedTranslations._TOGETHER + 7
    packed, kept, most = taken(lambda: PackedTranslations(map(translation, range(count))))
    given, of_objects, _ = taken(lambda: [translation(number) for number in range(count)])
    there = pickle.loads(pickle.dumps(packed))  # noqa: S301 (our own)
    assert list(there) == given
    assert [there[0], there[-1], there[600:3:-250]] == [given[0], given[-1], given[600:3:-250]]
    assert len(there) == count
    assert not there[count:]
    with pytest.raises(IndexError):
        there[count]
    assert kept < of_objects / 4
    assert most < of_objects / 2  # a hundred are objects at a time


def test_joining_a_document_takes_no_more_than_some_hundred_sentences_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_join.__globals__, "_SEGMENTS_AT_ONCE", 20)
    monkeypatch.setattr(PackedTranslations, "_TOGETHER", 20)
    (tmp_path / "in").mkdir()
    for name, count in (("a", 60), ("b", 600)):
        (tmp_path / "in" / f"{name}.txt").write_text("\n\n".join(lines(count)))
    job = make_job(tmp_path)
    with Run.open(job) as run:
        run.store.runs.begin(job.run_id)
        ingest(run)
        ids = [run.store.documents.id_of(f"{name}.txt") for name in "ab"]
        read(run, tuple(ids))
        beside = []
        for stored in sorted(run.store.documents.fetch(ids), key=lambda one: one.bytes):
            _join(run, stored)
            (segments, translations, left), kept, most = taken(lambda s=stored: _join(run, s))
            assert len(segments) == len(translations) == stored.segments
            assert left == stored.sentences
            beside.append(most - kept)
    assert beside[1] < 2 * beside[0]
