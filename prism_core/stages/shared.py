"""What the stages of one process share: the store, the language model, the encoder.

Each is opened when a stage first asks for it and kept for the process, so that a chunk pays for
none of it. Threads share one of each; a forked process opens its own.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.settings.job import Job
from prism_core.settings.sections import Settings
from prism_core.state import Store, load_key

_Loaded = TypeVar("_Loaded", LanguageModel, Encoder)
_CACHE_KEY = b"encoder"
_TREATMENTS = 8
"""Encoders that are kept: one for each way in which documents are treated."""
_opening = threading.RLock()
_stores: dict[tuple[int, str], Store] = {}
_known: dict[tuple[int, str], tuple[int, DenyList]] = {}


def open_store(job: Job) -> Store:
    """The state store of ``job``. Raises ``WrongKey`` or another ``StateError``."""
    with _opening:
        place = _place(job)
        if place not in _stores:
            key = load_key(job.settings.key)
            url = job.settings.state.url
            _stores[place] = Store.open(job.state_folder, key, url, job.run_id)
        return _stores[place]


def close_store(job: Job) -> None:
    """Close this process's store of ``job``, if it is open."""
    with _opening:
        store = _stores.pop(_place(job), None)
        _known.pop(_place(job), None)
    if store is not None:
        store.close()


@contextmanager
def given_store(job: Job, store: Store) -> Iterator[None]:
    """Let every stage of this process use ``store`` for ``job``; closes it at the end."""
    with _opening:
        _stores[_place(job)] = store
    try:
        yield
    finally:
        close_store(job)


def open_model(job: Job) -> LanguageModel:
    """The language model that the settings name."""
    with _opening:
        return _model(job.source, job.settings.language.model)


def open_encoder(job: Job) -> Encoder:
    """The encoder that the settings describe."""
    with _opening:
        return _encoder(job.settings, job.settings.digest(_CACHE_KEY))


def known_identifiers(job: Job) -> tuple[DenyList, str]:
    """The archive's deny list as it is now, and a keyed name for what a leak check then knows."""
    store = open_store(job)
    size, deny_list = _deny_list(job, store)
    known = f"{size} {settings_digest(job)} {open_encoder(job).version}"
    return deny_list, store.cipher.keyed_id("checks", known.encode())


def _deny_list(job: Job, store: Store) -> tuple[int, DenyList]:
    """How many forms the store has, and the list of them: read again only when it has grown."""
    place = _place(job)
    size, deny_list = _known.get(place, (-1, DenyList()))
    if size != store.identifiers.count():
        forms = list(store.identifiers)
        size, deny_list = len(forms), DenyList()
        for form in forms:
            deny_list.add(form)
        _known[place] = size, deny_list
    return size, deny_list


def settings_digest(job: Job) -> str:
    """A keyed digest of all settings that decide an outcome, the user's lists included."""
    return job.settings.digest(open_store(job).cipher.keyed_hash("settings").digest())


def _place(job: Job) -> tuple[int, str]:
    return os.getpid(), f"{job.state_folder}\n{job.settings.state.url or ''}"


@lru_cache(maxsize=1)
def _model(source: str, name: str | None) -> LanguageModel:
    return _for_good(LanguageModel.load(source, name, lemmas=False))


@lru_cache(maxsize=_TREATMENTS)
def _encoder(settings: Settings, _digest: str) -> Encoder:
    """``_digest`` changes when a file that the settings name does."""
    return _for_good(
        load_encoder(
            settings,
            lambda one: _model(settings.source, settings.language.model).retag(one),
            lambda path, translator: _dictionary(path, translator, _changed(path)),
        )
    )


@lru_cache(maxsize=2)
def _dictionary(path: Path, translator: str, _changed_at: int) -> Dictionary:
    """One for all encoders of a run."""
    return load_dictionary(path, translator)


def _changed(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


def _for_good(loaded: _Loaded) -> _Loaded:
    """``loaded``, kept out of the search for garbage: a model alone is a million objects."""
    gc.freeze()
    return loaded
