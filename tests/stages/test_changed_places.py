"""Answers that changed places within a request: no sentence is lost for it, and none is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice, pairwise, product
from pathlib import Path

import pytest

from prism_core.errors import QuotaExhausted
from prism_core.jobs import translate
from prism_core.settings import DecodingSettings, Job
from prism_core.translators import Limits
from tests.stages.archive import (
    ADJECTIVES,
    NOUNS,
    VERBS,
    Backwards,
    again,
    backwards,
    install,
    make_job,
    outputs,
    received,
    write_archive,
)

Order = Callable[[list[str]], list[str]]
ORDERS: dict[str, Order] = {
    "right": lambda answers: answers,
    "reversed": lambda answers: answers[::-1],
    "swapped": lambda answers: [answers[1], answers[0], *answers[2:]],
    "shifted": lambda answers: [*answers[1:], answers[0]],
}
LINES = [
    f"The {adjective} {noun} {verb} the {other}."
    for adjective, (noun, other), verb in islice(
        product(ADJECTIVES, pairwise(NOUNS), VERBS), 7, 1_600, 37
    )
]
"""Sentences of four words that are replaced, without a name or number to know them by."""


class Permuting(Backwards):
    """Gives the answers to every request of several texts in another order."""

    order: Order

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        answers = await super().translate(texts, source, target)
        return self.order(answers) if len(answers) > 1 else answers


def job_of(folder: Path, order: str, **hooks: Callable[[int], None]) -> Job:
    """A job over ``LINES``, and a translator that has its own ``order``."""
    translator = Permuting(folder / "log", **hooks)
    translator.order = ORDERS[order]
    translator.limits = Limits(texts_per_request=5, characters_per_request=10_000)
    install(translator)
    write_archive(folder / "in", {"a.txt": "\n\n".join(LINES) + "\n"})
    return make_job(folder, decoding=DecodingSettings(elimination="never"))


def written(job: Job) -> list[str]:
    return outputs(job)["a.txt"].decode().split("\n\n")


def expected() -> list[str]:
    return [backwards(line) for line in LINES[:-1]] + [backwards(LINES[-1]) + "\n"]


def translate_distinct(folder: Path, order: str) -> tuple[Job, list[list[str]]]:
    """Translate, anew if two sentences were drawn alike, since tests count texts; the requests."""
    for number in range(5):
        job = job_of(folder / str(number), order)
        translate(job)
        requests = received(job.output.parent / "log")
        together = [text for request in requests if len(request) > 1 for text in request]
        if not len(set(together)) < len(together) == len(LINES):
            break
    return job, requests


@pytest.mark.parametrize("order", ORDERS)
def test_every_sentence_comes_back_whatever_the_order(tmp_path: Path, order: str) -> None:
    job, requests = translate_distinct(tmp_path, order)
    assert written(job) == expected()
    counts = Counter(text for request in requests for text in request)
    alone = Counter(request[0] for request in requests if len(request) == 1)
    assert max(counts.values()) <= 2
    assert all(alone[text] == 1 for text, count in counts.items() if count == 2)
    assert (counts.total() == len(LINES)) is (order == "right")


def test_a_run_that_stops_meanwhile_sends_none_of_them_alone_twice(tmp_path: Path) -> None:
    def stop(number: int) -> None:
        if number == 4:
            raise QuotaExhausted("no more")

    job = job_of(tmp_path, "reversed", before=stop)
    with pytest.raises(QuotaExhausted):
        translate(job)
    job_of(tmp_path, "reversed")
    job = again(job)
    translate(job)
    assert written(job) == expected()
    alone = Counter(request[0] for request in received(tmp_path / "log")[4:] if len(request) == 1)
    assert max(alone.values()) == 1
