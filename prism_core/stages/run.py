"""What the stages of one job use in one process: opened once, handed to each of them, closed.

Entry: ``Run.open(job)``, or ``Run(job, store)`` over a store that is open already; then
``encode(run, chunk)`` -> ``run.store``, ``run.encoder(treatment)``, ``run.known_identifiers()``.
All but the store is loaded when it is first asked for. There is no other state in this package.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from types import TracebackType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, Self

from prism_core.dictionary import load_dictionary
from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import cleanly
from prism_core.formats import Sandbox, SandboxLimits
from prism_core.identifiers import DenyList, read_terms
from prism_core.settings import NO_POLICY, Job, Treatment
from prism_core.state import Chunk, StatePlace, Store, UserKey

if TYPE_CHECKING:
    from prism_core.language import LanguageModel

_TREATMENTS = 8
"""Encoders that are kept: one for each way in which documents are treated."""
_DICTIONARIES = 2
_DOCUMENTS_AHEAD = 4
"""Documents in memory at a time, each with a child process of its own."""


class Encoders:
    """The language model and the encoders of ``job``, each loaded when it is first asked for.

    They take seconds to load and are never written to, so forked processes share their memory. For
    any thread.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._loading = threading.RLock()
        self._model = lru_cache(maxsize=1)(self._load_model)
        self._encoder = lru_cache(maxsize=_TREATMENTS)(self._load_encoder)
        self._dictionary = lru_cache(maxsize=_DICTIONARIES)(load_dictionary)

    @property
    def model(self) -> LanguageModel:
        """The language model that the settings name. Raises ``ConfigurationError``."""
        with self._loading:
            return self._model()

    def encoder(self, treatment: Treatment = NO_POLICY) -> Encoder:
        """The encoder for documents under ``treatment``. Raises ``ConfigurationError``."""
        with self._loading:
            return self._encoder(treatment)

    def load(self) -> None:
        """Load the model and what documents are first encoded with, under every policy."""
        with self._loading:
            self._model()
        for treatment in (NO_POLICY, *(Treatment(p.name) for p in self._job.settings.policies)):
            self.encoder(treatment)

    def close(self) -> None:
        """Let go of all that was loaded."""
        for cached in (self._model, self._encoder, self._dictionary):
            cached.cache_clear()
        gc.unfreeze()

    def _load_model(self) -> LanguageModel:
        from prism_core.language import LanguageModel  # and spaCy: many runs need neither

        settings = self._job.settings
        model = LanguageModel.load(settings.source, settings.language.model, lemmas=False)
        gc.freeze()  # kept out of the search for garbage: a model alone is a million objects
        return model

    def _load_encoder(self, treatment: Treatment) -> Encoder:
        settings = self._job.under(treatment).settings
        encoder = load_encoder(
            settings, lambda sentence: self.model.retag(sentence), self._dictionary
        )
        gc.freeze()
        return encoder


@dataclass(frozen=True, slots=True)
class Counted:
    """What a call of a stage did. ``again`` counts sentences that an earlier stage must redo."""

    documents: int = 0
    sentences: int = 0
    again: int = 0


class WorkerPool(Protocol):
    """The worker processes of a run; see ``workers_for``."""

    most: int
    wanted: bool

    def call(self, stage: Callable[[Run, Chunk], Counted], chunk: Chunk) -> Counted:
        """Run ``stage`` over ``chunk`` in a worker. For any thread."""

    def end(self) -> None:
        """End the workers, also those at work."""


class Run:
    """One job in one process: its store, encoders, workers and sandbox, who is out of service.

    Threads share it; every process has its own. ``store`` is closed with it. ``documents_ahead``:
    how many documents are in memory at a time. ``out_of_service``: the keyed names of translators
    that ended early, and are not to be waited for in every wave. ``stopping`` is set when no
    further chunk is to be begun. ``sandbox``: where documents are read and rebuilt.
    """

    def __init__(
        self,
        job: Job,
        store: Store,
        *,
        encoders: Encoders | None = None,
        documents_ahead: int = _DOCUMENTS_AHEAD,
    ) -> None:
        self.job = job
        self.store = store
        self.workers: WorkerPool | None = None
        self.out_of_service: set[str] = set()
        self.stopping = threading.Event()
        limits = job.settings.limits
        self.sandbox = Sandbox(SandboxLimits(limits.seconds, limits.memory_mb))
        self.documents_ahead = min(os.cpu_count() or 1, documents_ahead)
        self._encoders = encoders or Encoders(job)
        self._guard = threading.Lock()
        self._digests: dict[Treatment, str] = {}
        self._known: tuple[int, DenyList] = (-1, DenyList())

    @classmethod
    def open(
        cls,
        job: Job,
        *,
        encoders: Encoders | None = None,
        documents_ahead: int = _DOCUMENTS_AHEAD,
    ) -> Self:
        """A run over the store of ``job``, made when there is none; ``encoders``: loaded before.

        Raises ``WrongKey`` or another ``StateError``, ``ConfigurationError`` for the key.
        """
        store = Store.open(StatePlace.of(job), UserKey(job.settings.key).load(), job.run_id)
        return cls(job, store, encoders=encoders, documents_ahead=documents_ahead)

    @classmethod
    def view(cls, job: Job) -> Self:
        """A run over the store of ``job`` that only reads it. Raises as ``Store.view``."""
        return cls(job, Store.view(StatePlace.of(job), UserKey(job.settings.key).load()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End workers and sandbox, and let go of the store and of what was loaded."""
        if self.workers is not None:
            self.workers.end()
        self.sandbox.close()
        self.store.close()
        self._encoders.close()

    def stop(self) -> None:
        """End the workers at once: what they are doing fails, and no further chunk is begun."""
        self.stopping.set()
        if self.workers is not None:
            self.workers.end()

    @property
    def model(self) -> LanguageModel:
        """The language model that the settings name."""
        return self._encoders.model

    def encoder(self, treatment: Treatment = NO_POLICY) -> Encoder:
        """The encoder for documents under ``treatment``; without one, that of the settings."""
        return self._encoders.encoder(treatment)

    def settings_digest(self, treatment: Treatment = NO_POLICY) -> str:
        """A keyed digest of all settings that decide an outcome, the user's lists included.

        It is computed once: a file that changes while the run goes on is seen by the next.
        """
        with self._guard:
            if treatment not in self._digests:
                key = self.store.cipher.keyed_hash("settings").digest()
                self._digests[treatment] = self.job.under(treatment).settings.digest(key)
            return self._digests[treatment]

    def known_identifiers(self, treatment: Treatment = NO_POLICY) -> tuple[DenyList, str]:
        """The archive's deny list as it is now, and a keyed name for what a leak check then knows.

        The list is read again only when the store has more forms than before.
        """
        with self._guard:
            if self._known[0] != self.store.identifiers.count():
                forms, deny_list = list(self.store.identifiers), DenyList()
                for form in forms:
                    deny_list.add(form)
                self._known = len(forms), deny_list
            size, deny_list = self._known
        known = f"{size} {self.settings_digest(treatment)} {self.encoder(treatment).version}"
        return deny_list, self.store.cipher.keyed_id("checks", known.encode())

    @cached_property
    def decoy_lines(self) -> tuple[str, ...]:
        """The different lines of the user's list of decoys."""
        return tuple(dict.fromkeys(read_terms(self.job.settings.mixing.decoys_file)))


Ids = ParamSpec("Ids")
Stage = Callable[Concatenate[Run, Ids], Counted]


def stage(name: str) -> Callable[[Stage[Ids]], Stage[Ids]]:
    """Make a function a stage: it notes that the run has come to it, and ends ``cleanly``."""

    def decorate(function: Stage[Ids]) -> Stage[Ids]:
        @wraps(function)
        def bounded(run: Run, /, *ids: Ids.args, **options: Ids.kwargs) -> Counted:
            def entered() -> Counted:
                run.store.runs.enter(run.job.run_id, name)
                return function(run, *ids, **options)

            return cleanly(entered)

        return bounded

    return decorate
