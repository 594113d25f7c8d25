"""Decoys for the documents of a chunk: so many public sentences, encoded like the archive's own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random

from prism_core.encoding import Encoder
from prism_core.errors import ConfigurationError
from prism_core.identifiers import DenyList, read_terms
from prism_core.language import LanguageModel
from prism_core.settings.job import Job
from prism_core.stages.shared import open_model, open_store
from prism_core.state import Chunk, Decoy, Decoys

_AT_ONCE = 200


def add_decoys(
    job: Job, chunk: Chunk, encoder: Encoder, deny_list: DenyList, checks: str, rng: Random
) -> None:
    """Give the documents of ``chunk`` the decoys that they lack to ``mixing.decoy_rate``.

    Each line of the list is used once in an archive: a structure that came twice would be known
    for a decoy. Raises ``ConfigurationError`` when the list has no unused line left, before any
    sentence of the chunk is sent without its decoys.
    """
    rate = job.settings.mixing.decoy_rate
    if not rate:
        return
    decoys = open_store(job).decoys
    lacking = decoys.missing(chunk, rate)
    places = [one for one, number in lacking.items() for _ in range(_rounded(number, rng))]
    made = _made(job, decoys, open_model(job), encoder, deny_list, rng)
    while places:
        batch = [
            replace(one, document=place)
            for place, one in zip(places[:_AT_ONCE], made, strict=False)
        ]
        if not batch:
            raise ConfigurationError(
                "the list of decoys (mixing.decoys_file) has no unused sentence left, and each is "
                "used once: give a longer list, or lower mixing.decoy_rate"
            )
        taken = decoys.add(job.run_id, batch, checks)
        lost = [one.document for one in batch if one.id not in taken]
        places = [*places[len(batch) :], *lost]


def _made(
    job: Job,
    decoys: Decoys,
    model: LanguageModel,
    encoder: Encoder,
    deny_list: DenyList,
    rng: Random,
) -> Iterator[Decoy]:
    """A decoy from every line that was not used yet, from a random line on; no document yet."""
    for row_id, line in _unused(job, decoys, rng):
        for sentence in model.sentences(line)[:1]:
            if encoder.needs_translator(sentence, deny_list):
                encoded = encoder.encode(sentence, deny_list, rng)
                if not encoded.withheld:
                    yield Decoy(row_id, "", sentence, encoded)


def _unused(job: Job, decoys: Decoys, rng: Random) -> Iterator[tuple[str, str]]:
    lines = _lines(job)
    start = rng.randrange(len(lines)) if lines else 0
    ordered = iter((*lines[start:], *lines[:start]))
    while batch := list(islice(ordered, _AT_ONCE)):
        ids = {decoys.id_of(line): line for line in batch}
        used = decoys.used(list(ids))
        yield from ((row_id, line) for row_id, line in ids.items() if row_id not in used)


def _rounded(number: float, rng: Random) -> int:
    """A whole number whose mean is ``number``."""
    whole = math.floor(number)
    return whole + (rng.random() < number - whole)


def _lines(job: Job) -> tuple[str, ...]:
    return _read(job.settings.mixing.decoys_file, job.run_id)


@lru_cache(maxsize=1)
def _read(file: Path | None, _run: str) -> tuple[str, ...]:
    """The lines of a list, read once in a run."""
    return tuple(dict.fromkeys(read_terms(file)))
