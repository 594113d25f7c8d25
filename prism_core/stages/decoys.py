"""Decoys for the documents of a chunk: so many public sentences, encoded like the archive's own."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from prism_core.encoding import Encoder
from prism_core.errors import ConfigurationError
from prism_core.identifiers import DenyList
from prism_core.stages.run import Run
from prism_core.state import Chunk, Decoy

_AT_ONCE = 200


def add_decoys(
    run: Run, chunk: Chunk, encoder: Encoder, deny_list: DenyList, checks: str, rng: Random
) -> None:
    """Give the documents of ``chunk`` the decoys that they lack to ``mixing.decoy_rate``.

    Each line of the list is used once in an archive: a structure that came twice would be known
    for a decoy. Raises ``ConfigurationError`` when the list has no unused line left, before any
    sentence of the chunk is sent without its decoys.
    """
    rate = run.job.settings.mixing.decoy_rate
    if not rate:
        return
    decoys = run.store.decoys
    lacking = decoys.missing(chunk, rate)
    places = [document for document, number in lacking.items() for _ in range(_round(number, rng))]
    made = _make(run, encoder, deny_list, rng)
    while places:
        batch = [
            replace(decoy, document=place)
            for place, decoy in zip(places[:_AT_ONCE], made, strict=False)
        ]
        if not batch:
            raise ConfigurationError(
                "the list of decoys (mixing.decoys_file) has no unused sentence left, and each is "
                "used once: give a longer list, or lower mixing.decoy_rate"
            )
        taken = decoys.add(run.job.run_id, batch, checks)
        lost = [decoy.document for decoy in batch if decoy.id not in taken]
        places = [*places[len(batch) :], *lost]


def _make(run: Run, encoder: Encoder, deny_list: DenyList, rng: Random) -> Iterator[Decoy]:
    """A decoy from every line that was not used yet, from a random line on; no document yet."""
    for row_id, line in _unused_lines(run, rng):
        for sentence in run.model.sentences(line)[:1]:
            if encoder.needs_translator(sentence, deny_list):
                encoded = encoder.encode(sentence, deny_list, rng)
                if not encoded.withheld:
                    yield Decoy(row_id, "", sentence, encoded)


def _unused_lines(run: Run, rng: Random) -> Iterator[tuple[str, str]]:
    decoys, lines = run.store.decoys, run.decoy_lines
    start = rng.randrange(len(lines)) if lines else 0
    ordered = iter((*lines[start:], *lines[:start]))
    while batch := list(islice(ordered, _AT_ONCE)):
        ids = {decoys.id_of(line): line for line in batch}
        used = decoys.used(list(ids))
        yield from ((row_id, line) for row_id, line in ids.items() if row_id not in used)


def _round(number: float, rng: Random) -> int:
    """A whole number whose mean is ``number``."""
    whole = math.floor(number)
    return whole + (rng.random() < number - whole)
