"""What a run would send, found out without sending and without leaving anything behind."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prism_core.job import Job
from prism_core.settings import StateSettings
from prism_core.stages.gather import Wave
from prism_core.stages.report import Summary, summarise
from prism_core.stages.shared import given_store, open_store
from prism_core.state.copying import copy_state, has_state
from prism_core.state.key import KEY_BYTES, load_key
from prism_core.state.store import Store
from prism_core.translators import make_translator
from prism_core.translators.batches import Item, packed


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a run would do: ``to_send`` different sentences, of ``characters``, in ``requests``.

    ``samples`` are texts as a request would hold them: for the person at the terminal only. The
    run itself draws afresh, so its texts will differ. ``summary`` counts what was found.
    """

    summary: Summary
    to_send: int
    characters: int
    requests: int
    samples: tuple[str, ...]


@contextmanager
def rehearsed(job: Job) -> Iterator[Job]:
    """``job`` on a temporary state store, which is gone afterwards.

    It starts as a copy of the archive's own store, if there is one, so that what was answered
    already is not counted again; else it is empty and has a key that is written nowhere.
    """
    folder = Path(tempfile.mkdtemp(prefix="prism-rehearsal-"))
    settings = job.settings.model_copy(update={"state": StateSettings()})
    temporary = job.model_copy(update={"temporary_state": folder, "settings": settings})
    try:
        key = secrets.token_bytes(KEY_BYTES)
        if has_state(job.state_folder, job.settings.state.url):
            key = load_key(job.settings.key)
            copy_state(job.state_folder, job.settings.state.url, folder)
        with given_store(temporary, Store.open(folder, key)):
            yield temporary
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def estimate(job: Job, waves: Sequence[Wave], shown: int) -> Rehearsal:
    """Count what ``waves``, which are encoded, would send; ``shown`` texts of it as samples."""
    store = open_store(job)
    limits = make_translator(job.settings.translator, job.source, job.target).limits
    to_send = characters = requests = 0
    samples: list[str] = []
    seen: set[str] = set()
    for wave in waves:
        waiting = [pair for pair in store.sentences.to_send(wave) if pair[0] not in seen]
        seen.update(row_id for row_id, _ in waiting)
        items = [Item(row_id, text) for row_id, text in waiting]
        requests += sum(1 for _ in packed(items, limits, _left_out))
        to_send += len(items)
        characters += sum(len(item.text) for item in items)
        wanted = min(max(shown - len(samples), 0), len(items))
        samples += [item.text for item in secrets.SystemRandom().sample(items, wanted)]
    return Rehearsal(summarise(job), to_send, characters, requests, tuple(samples))


def _left_out(_item: Item) -> None:
    """A text that no request can hold would not be sent."""
