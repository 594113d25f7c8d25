"""What a run sends of neighbouring archives, for every mechanism with a finite ε.

The archives have the same documents, lines and tokens. So as many texts must be sent of the one as
of the other, and each text that is sent may be at most e^ε times as probable under the one.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from prism_core.accounting import epsilon_prism_r
from prism_core.alignment import Translation
from prism_core.dictionary import FUNCTION_TAG, Entry, Form, save_dictionary
from prism_core.evaluation.further_mechanisms.mixture import epsilon_mixture
from prism_core.jobs import translate
from prism_core.mechanisms.vocabulary import MARKS
from prism_core.recovery import Forecast
from prism_core.settings import Job, MechanismSettings, TranslatorSettings
from prism_core.stages import Run
from prism_core.state import Reviewed
from tests.flows.test_mechanisms import table
from tests.mechanisms.points import scatter, write_points
from tests.stages.archive import (
    Backwards,
    again,
    install,
    make_job,
    outputs,
    received,
    texts_received,
    write_archive,
)

BOUNDING = [name for name, kind in MechanismSettings.kinds() if kind.bounds_epsilon]
TAGS = {"cat": "NN", "dog": "NN", "the": FUNCTION_TAG}
"""The words of the dictionary."""
WORDS = ("Yes", "Cancer", "cat", "dog")
"""Lines of one word. *Yes* is a word of grammar, which is translated here where nothing bounds ε;
the first two are not in V."""
V = len(TAGS) + 1 + len(MARKS)
"""*The* is in it too."""
R, BETA, EPSILON = 0.98, 0.02, 0.2
DOCUMENTS = 80
FALSE_ALARM = 1e-10
"""The chance that one comparison of some two thousand fails though the bound holds."""


def job_of(folder: Path, name: str, lines: dict[str, str], **sections: object) -> Job:
    """A run under the mechanism ``name`` with the strength above over ``lines``, by document."""
    write_archive(folder / "in", lines)
    entries = [
        Entry(word, tag, (Form(word[::-1], 1.0),), "", 1.0, 0.0) for word, tag in TAGS.items()
    ]
    save_dictionary(entries, {"translator": "reverse"}, folder / "dictionary.parquet")
    fields = dict(MechanismSettings.kinds())[name].model_fields
    chosen: dict[str, object] = {"name": name, "threshold": 0.5, "minimum_pool": 2}
    values = {"replace_probability": R, "table_probability": BETA, "epsilon": EPSILON}
    chosen |= {option: value for option, value in values.items() if option in fields}
    if "vectors" in fields:
        chosen["vectors"] = write_points(folder / "points.txt", points())
    return make_job(folder, mechanism=MechanismSettings.choose(**chosen), **sections)


def points() -> dict[str, list[float]]:
    return scatter(("cat", "dog", "the", "yes"))


def largest_loss(name: str, one: str, other: str) -> float | None:
    """The ε that is claimed for two of ``WORDS``, computed here; None where nothing is."""
    if name in ("dx", "pup"):
        known = points() if name == "pup" else points().keys() - {"yes"}
        places = [word.lower() in known for word in (one, other)]
        is_shown = name == "pup" and one.islower() != other.islower()
        if is_shown or places[0] != places[1]:
            return None
        if not places[0]:
            return 0.0
        first, second = (np.array(points()[word.lower()]) for word in (one, other))
        return EPSILON * float(np.linalg.norm(first - second))
    return epsilon_mixture(V, R, BETA) if name == "mixture" else epsilon_prism_r(V, R)


def margin(epsilon: float) -> float:
    """What p̂ − e^ε q̂ exceeds with a chance of ``FALSE_ALARM`` at most (Hoeffding), where the
    bound holds; p̂ and q̂ are shares of ``DOCUMENTS`` draws each."""
    spread = 1 + math.exp(2 * epsilon)
    return math.sqrt(math.log(1 / FALSE_ALARM) * spread / (2 * DOCUMENTS))


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDING)
def test_what_is_sent_of_a_word_is_at_most_e_to_epsilon_times_as_frequent(
    tmp_path: Path, log: Path, name: str
) -> None:
    found: dict[str, Counter[str]] = {}
    sizes = set()
    for word in WORDS:
        lines = {f"{number}.txt": f"{word}\n" for number in range(DOCUMENTS)}
        job = job_of(tmp_path / word, name, lines)
        log.unlink(missing_ok=True)
        translate(job)
        found[word] = Counter(texts_received(log))
        sizes.add(tuple(map(len, received(log))))
        assert found[word].total() == DOCUMENTS, word
        rows = table(job, "documents")
        assert {row["epsilon_document"] for row in rows} == {rows[0]["epsilon_word"]}
        assert rows[0]["epsilon_word"] == pytest.approx(largest_loss(name, "cat", "cat") or EPSILON)
    assert len(sizes) == 1, "as many requests of as many texts, whatever the word"
    compared = 0
    for one, other in permutations(WORDS, 2):
        if (epsilon := largest_loss(name, one, other)) is None:
            continue
        most = margin(epsilon)
        assert most < 1, "what is always sent for the one and never for the other is found"
        for text, count in found[one].items():
            excess = (count - math.exp(epsilon) * found[other][text]) / DOCUMENTS
            assert excess <= most, (one, other, text)
        compared += 1
    assert compared >= 2


@pytest.mark.parametrize("name", BOUNDING)
def test_equal_sentences_are_sent_and_counted_each(tmp_path: Path, log: Path, name: str) -> None:
    lines = {"a.txt": "Yes\n\nYes\n\nYes, yes. Yes, yes.\n", "b.txt": "Yes\n"}
    job = job_of(tmp_path, name, lines)
    translate(job)
    assert len(texts_received(log)) == 5
    rows = table(job, "sentences")
    assert len({row["sentence_id"] for row in rows}) == 5
    whole = {row["epsilon_document"] for row in table(job, "documents")}
    epsilon = table(job, "run")[0]["epsilon_word"]
    assert sorted(whole) == pytest.approx([epsilon, (2 + 2 * 4) * epsilon])


@pytest.mark.parametrize("name", BOUNDING)
def test_no_memory_and_no_review_tells_by_what_is_not_sent(
    tmp_path: Path, log: Path, name: str
) -> None:
    memory = tmp_path / "memory.tsv"
    memory.write_text("en\tes\nCancer\tCáncer\n", encoding="utf-8")
    lines = {"a.txt": "Cancer\n", "b.txt": "dog\n"}
    job = job_of(tmp_path, name, lines, memory={"files": (memory,)})
    with Run.open(job) as run:
        reviewed = run.store.reviews.id_of("dog", (job.source, job.target))
        run.store.reviews.record({reviewed: Reviewed(Translation("can"), "Eve")}, [])
    translate(job)
    assert len(texts_received(log)) == 2
    assert outputs(job)["b.txt"] == b"can\n", "what a person wrote is used once it was sent"
    assert {row["sends"] for row in table(job, "sentences")} == {1}


@pytest.mark.parametrize("name", BOUNDING)
def test_the_language_of_a_line_decides_nothing(tmp_path: Path, log: Path, name: str) -> None:
    spanish = "El informe sobre los pacientes del hospital fue escrito ayer por la noche.\n"
    job = job_of(tmp_path, name, {"a.txt": f"The dog and the cat.\n\n{spanish}", "b.txt": spanish})
    translate(job)
    assert len(texts_received(log)) == 3


class Silent(Backwards):
    """Gives nothing back, and would say where words stand if it were asked for what was lost."""

    marks = "lost"

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        await super().translate(texts, source, target)
        return ["nada"] * len(texts)

    async def align(
        self, texts: Sequence[str], source: str, target: str
    ) -> list[Translation | None]:
        return [Translation(answer) for answer in await self.translate(texts, source, target)]


@pytest.mark.parametrize("name", BOUNDING)
def test_nothing_is_asked_again_for_what_was_replaced_and_lost(
    tmp_path: Path, log: Path, name: str
) -> None:
    install(Silent(log))
    lines = {f"{number}.txt": "the cat and the dog\n" for number in range(9)}
    fake = TranslatorSettings.choose(name="fake", marks="lost", texts_per_request=3)
    job = job_of(tmp_path, name, lines, translator=fake)
    translate(job)
    translate(again(job))
    assert len(texts_received(log)) == 9


def test_beside_documents_without_epsilon_each_is_treated_as_it_is(
    tmp_path: Path, log: Path
) -> None:
    policy = {"name": "bounded", "folders": ["bounded"], "mechanism": {"name": "prism-r"}}
    policy["mechanism"] |= {"threshold": 0.5, "minimum_pool": 2}
    lines = {"bounded/a.txt": "Yes\n\nYes\n", "b.txt": "Yes\n\nYes\n"}
    job = job_of(tmp_path, "prism-star", lines, policies=[policy])
    translate(job)
    assert len(texts_received(log)) == 2
    assert outputs(job)["b.txt"] == "Sí\n\nSí\n".encode()


def test_a_run_is_not_stopped_by_what_was_lost_under_a_bounded_epsilon(
    tmp_path: Path, log: Path
) -> None:
    install(Silent(log))
    lines = {f"bounded/{number:03}.txt": "the cat and the dog\n" for number in range(160)}
    lines |= {f"{number:03}.txt": "The cat saw the dog.\n" for number in range(2)}
    policy = {"name": "bounded", "folders": ["bounded"], "mechanism": {"name": "prism-r"}}
    policy["mechanism"] |= {"threshold": 0.5, "minimum_pool": 2}
    limits = {"wave_documents": 20, "chunk_documents": 20, "workers": 1}
    job = job_of(tmp_path, "prism-star", lines, policies=[policy], limits=limits)
    with Run.open(job) as run:
        forecast = Forecast(200, 0.99, first_send=0.99, further=0.01, redraws=0.3)
        run.store.keep("forecast", json.dumps(forecast).encode())
    translate(job)
    assert sum(row["sends"] for row in table(job, "sentences") if row["epsilon"] != math.inf) == 160
