"""Resources that the stages of one job share in one process: opened once, then closed.

Entry: ``Run.open(job)``, or ``Run(job, store)`` over a store that is open already; then
``run.unread_chunks()`` and ``run.waves()`` cut the archive for the stages, and each of these uses
``run.store``, ``run.by_treatment(chunk)``, ``run.encoder(treatment)``, ``run.pairs``. All but the
store is loaded on first use. There is no other state in this package.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict
from functools import cached_property, partial, wraps
from itertools import islice
from typing import Concatenate, ParamSpec, Self

from prism_core import encoding, language
from prism_core.errors import ConfigurationError, TranslatorError, sanitize_errors
from prism_core.formats import Sandbox, SandboxLimits
from prism_core.identifiers import DenyList, read_terms
from prism_core.recovery import RecoveryModel, load_recovery_model
from prism_core.report import Link
from prism_core.resources import installed_digest, shipped_gate
from prism_core.settings import AUTO, NO_POLICY, Job, TranslatorSettings, Treatment
from prism_core.stages.chunks import StageResult, WorkerPool, cut_in_chunks, group_in_waves
from prism_core.stages.encoders import EncoderFacts, Encoders, list_pairs, pick_any_pair
from prism_core.stages.folders import Folders
from prism_core.state import (
    WHOLE,
    Chunk,
    DocumentStatus,
    Part,
    StatePlace,
    Store,
    StoredDocument,
    UserKey,
)

_DOCUMENTS_AHEAD = 4
"""Number of documents in memory at a time, each with a child process of its own."""
Wave = tuple[Chunk, ...]
"""Documents whose sentences are sent together, in chunks; memory is bounded by one wave."""

_BYTES_OF_A_CHUNK = 250_000
_SENTENCES_OF_A_CHUNK = 500
"""Least size of a chunk, about two seconds of work: below it workers cost more than they save."""
_BYTES_BESIDE = 20_000
_SENTENCES_BESIDE = 20
"""Cost of a document besides its content: a process of its own, and the writing of it."""
_FACTS = 20
"""Number of encoders whose facts are kept in the store."""
_CHUNKS_OF_A_WORKER = 3
"""Number of chunks for each worker: several small ones end closer together than one large one."""


class Run(AbstractContextManager["Run"]):
    """Context of one job in one process: its store, encoders, workers, sandbox and folders.

    Threads share it; every process has its own. ``store`` is closed with it. ``documents_ahead`` is
    the number of documents in memory at a time. ``out_of_service`` holds the keyed names of
    translators that ended early, which later waves skip. ``stopping`` is set when no further chunk
    is to be begun. ``sandbox`` reads and rebuilds documents; ``folders`` are the input and the
    output. ``seconds`` is the time of each stage, workers included; ``stopped`` is why it ended.
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
        self.stopped: TranslatorError | None = None
        self.stopping = threading.Event()
        self.seconds: dict[str, float] = defaultdict(float)
        limits = job.settings.limits
        bounds = SandboxLimits(limits.seconds, limits.memory_mb)
        self.sandbox = Sandbox(bounds.for_sizes(limits.document_mb, limits.document_sentences))
        self.folders = Folders(job)
        self.documents_ahead = min(os.cpu_count() or 1, documents_ahead)
        self.encoders = encoders or Encoders(job)
        self._guard = threading.Lock()
        self._recovery: dict[str, RecoveryModel] = {}
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
        """Open a run over the store of ``job``, made when there is none.

        ``encoders`` are those that are loaded already. Raises ``WrongKey`` or another
        ``StateError``, and ``ConfigurationError`` for the key.
        """
        place = StatePlace.of(job)
        key = UserKey(job.settings.key).load_for_state(place)
        store = Store.open(place, key, job.run_id, job.shard)
        return cls(job, store, encoders=encoders, documents_ahead=documents_ahead)

    @classmethod
    def view(cls, job: Job) -> Self:
        """Open a run over the store of ``job`` that only reads it. Raises as ``Store.view``."""
        place = StatePlace.of(job)
        return cls(job, Store.view(place, UserKey(job.settings.key).load_for_state(place)))

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End workers and sandbox, and release the store and everything that was loaded."""
        if self.workers is not None:
            self.workers.end()
        self.sandbox.close()
        self.folders.close()
        self.store.close()
        self.encoders.close()

    def stop(self) -> None:
        """End the workers at once: their current work fails, and no further chunk is begun."""
        self.stopping.set()
        if self.workers is not None:
            self.workers.end()

    @contextmanager
    def measure_time(self, stage: str) -> Iterator[None]:
        """Add the duration of the block to ``seconds``; safe to use from any thread."""
        began = time.monotonic()
        try:
            yield
        finally:
            with self._guard:
                self.seconds[stage] += time.monotonic() - began

    @cached_property
    def pairs(self) -> tuple[Treatment, ...]:
        """The pairs of languages of the run; see ``list_pairs``."""
        return list_pairs(self.job)

    @property
    def sources(self) -> tuple[str, ...]:
        """The source languages of ``pairs``."""
        return tuple(self.job.under(pair).source for pair in self.pairs)

    @property
    def first_pair(self) -> Treatment:
        """The first of ``pairs``, or of the pairs that would have to be accepted."""
        return self.pairs[0] if self.pairs else pick_any_pair(self.job)

    def pair_of(self, document: StoredDocument) -> Treatment:
        """Return the treatment of the pair that most of ``document`` is translated by."""
        if self.job.source != AUTO or not document.source:
            return self.first_pair
        return NO_POLICY.in_source(document.source)

    def by_treatment(self, chunk: Chunk) -> dict[Treatment, Chunk]:
        """Group documents of ``chunk`` by treatment; one with several languages is in several."""
        found = self.store.documents.by_treatment(chunk)
        if self.job.source != AUTO:
            return found
        return {
            treatment.in_source(source): group
            for treatment, documents in found.items()
            for source, group in self.store.sentences.by_source(documents).items()
        }

    def recovery_model(self, treatment: Treatment) -> RecoveryModel:
        """Return the gate's model for the pair of ``treatment``. Raises ``ConfigurationError``."""
        job, configured = self.job.under(treatment), self.job.settings.gate.model
        pair = f"{job.source}-{job.target}"
        with self._guard:
            if pair not in self._recovery:
                if configured is not None and not configured.exists():
                    raise ConfigurationError(f"gate.model names {configured}, which is not there")
                path = configured or shipped_gate(job.source, job.target)
                self._recovery[pair] = load_recovery_model(path, pair)
            return self._recovery[pair]

    def model(self, source: str = "") -> language.LanguageModel:
        """Return the language model for ``source``; if empty, for the source of the settings."""
        return self.encoders.model(source or self.job.source)

    def model_version(self, source: str = "") -> language.ModelVersion:
        """Return the version of that language model."""
        return self.encoders.model_version(source or self.job.source)

    def encoder(self, treatment: Treatment = NO_POLICY) -> encoding.Encoder:
        """Return the encoder for documents under ``treatment``; by default that of the settings."""
        return self.encoders.encoder(treatment)

    def encoder_facts(self, treatment: Treatment = NO_POLICY) -> EncoderFacts:
        """Return the facts of that encoder, kept in the store. Raises ``ConfigurationError``.

        The encoder is only loaded if settings, lists, code or data that decide it have changed
        since.
        """
        found = json.loads(self.store.kept("encoders") or b"{}")
        accepts = self.job.settings.language.experimental
        decides = [self.settings_digest(treatment), accepts, installed_digest()]
        name = self.store.cipher.keyed_id("encoder", json.dumps(decides).encode())
        if name not in found:
            found = {name: asdict(EncoderFacts.from_encoder(self.encoder(treatment)))} | found
            first = dict(islice(found.items(), _FACTS))
            self.store.keep("encoders", json.dumps(first).encode())
        return EncoderFacts(**found[name])

    def settings_digest(self, treatment: Treatment = NO_POLICY) -> str:
        """Return a keyed digest of all settings that decide an outcome, the user's lists included.

        It is computed once: a file that changes during the run is seen by the next one.
        """
        with self._guard:
            if treatment not in self._digests:
                key = self.store.cipher.keyed_hash("settings").digest()
                self._digests[treatment] = self.job.under(treatment).settings.digest(key)
            return self._digests[treatment]

    @property
    def deny_list(self) -> DenyList:
        """The archive's deny list as it is now, of documents in all languages."""
        return self._known_forms()[1]

    def _known_forms(self) -> tuple[int, DenyList]:
        """Return the number of denied forms and their list, read again only when there are more."""
        with self._guard:
            if self._known[0] != self.store.identifiers.count():
                size, deny_list = 0, DenyList()
                for form in self.store.identifiers:
                    deny_list.add(form)
                    size += 1
                self._known = size, deny_list
            return self._known

    def known_identifiers(self, treatment: Treatment = NO_POLICY) -> tuple[DenyList, str]:
        """Return ``deny_list`` and a keyed name for what a leak check knows by that."""
        size, deny_list = self._known_forms()
        known = f"{size} {self.settings_digest(treatment)} {self.encoder(treatment).version}"
        return deny_list, self.store.cipher.keyed_id("checks", known.encode())

    @cached_property
    def decoy_lines(self) -> tuple[str, ...]:
        """The different lines of the user's list of decoys."""
        return tuple(dict.fromkeys(read_terms(self.job.settings.mixing.decoys_file)))

    def last_report(self) -> Link:
        """Return the last report in ``job.report_folder`` as the state store knows it."""
        kept = json.loads(self.store.kept("last_report") or b"{}")
        return Link(**kept["link"]) if kept.get("folder") == self.job.report_from_output else Link()

    def translators_for(self, treatment: Treatment = NO_POLICY) -> tuple[str, ...]:
        """Return the keyed names of the translators that may see documents under ``treatment``.

        Another model has another name, another account the same. Empty where nothing is sent.
        """
        if treatment.stays_here:
            return ()
        listed: Sequence[TranslatorSettings] = self.job.under(treatment).settings.translators
        keyed = self.store.cipher.keyed_id
        return tuple(keyed("translator", settings.asked_of().encode()) for settings in listed)

    @property
    def worker_count(self) -> int:
        """The number of chunks processed at the same time: 1 outside ``open_workers``."""
        return self.workers.most if self.workers else 1

    def want_workers(self, chunks: int) -> int:
        """Return how many of ``chunks`` run at the same time; if several, workers run them."""
        count = min(self.worker_count, chunks)
        if self.workers is not None and count > 1 and not self.workers.wanted:
            self.workers.wanted = True
            self.encoders.unload_model()  # the workers have models of their own
        return count

    @property
    def part(self) -> Part:
        """The keyed ids that belong to this run: all, or those of its shard."""
        shard = self.job.shard
        return Part(shard.number, shard.of) if shard else WHOLE

    @property
    def versions(self) -> list[str]:
        """The versions of the encoder and of the language model of each pair."""
        facts = [(self.encoder_facts(pair), self.model_version(pair.source)) for pair in self.pairs]
        return [version for fact, model in facts for version in (fact.version, str(model))]

    @property
    def basis(self) -> str:
        """A keyed name for all that decides translations; the same on every machine of a run."""
        decides = json.dumps([self.settings_digest(), *self.versions])
        return self.store.cipher.keyed_id("basis", decides.encode())

    def unread_chunks(self) -> tuple[Chunk, ...]:
        """Return the documents to read, in chunks."""
        found = self.store.documents.sizes(self.job.run_id, DocumentStatus.FOUND, self.part)
        weights = {document: size + _BYTES_BESIDE for document, size in found.items()}
        return self._cut(weights, _BYTES_OF_A_CHUNK)

    def waves(self) -> tuple[Wave, ...]:
        """Return the documents that were read, in waves of chunks; their sentences join this run.

        Call it when every document of the archive is read: only then is the deny list complete. A
        wave has at most ``limits.wave_documents`` documents, and no further document when it has
        ``limits.wave_sentences`` sentences. A shard has a share of each document's sentences, so
        its waves hold that many times more; its sentences have joined the run already.
        """
        limits, shard = self.job.settings.limits, self.job.shard
        most_documents = limits.wave_documents * self.part.of
        most_sentences = limits.wave_sentences * self.part.of
        if shard is None:
            self.store.sentences.adopt(self.job.run_id, self.translators_for())
            self.store.formulas.release(self.job.run_id)
        counts = self.store.documents.sizes(self.job.run_id, DocumentStatus.READ)
        groups = (
            {document: counts[document] + _SENTENCES_BESIDE for document in group}
            for group in group_in_waves(counts, most_documents, most_sentences)
        )
        return tuple(self._cut(group, _SENTENCES_OF_A_CHUNK) for group in groups)

    def settled_chunks(self, last: str = "g") -> tuple[Chunk, ...]:
        """Return a shard's named documents with nothing pending in any shard, up to ``last``."""
        found = self.store.documents.settled(self.job.run_id, self.part, last)
        weights = {document: count + _SENTENCES_BESIDE for document, count in found.items()}
        return self._cut(weights, _SENTENCES_OF_A_CHUNK)

    def parts(self, wave: Wave) -> list[tuple[Chunk, Part]]:
        """Cut large chunks of ``wave`` into parts, so that all workers have something to do.

        Chunks stay whole where decoys are counted per document; a shard's parts lie in its own
        part.
        """
        if self.worker_count == 1 or self.job.settings.mixing.decoy_rate:
            return [(chunk, self.part) for chunk in wave]
        count = self.store.documents.count_sentences
        counts = {chunk: count(chunk) // self.part.of for chunk in wave}
        share = sum(counts.values()) // (self.worker_count * _CHUNKS_OF_A_WORKER)
        pieces = {
            chunk: max(1, n // max(share, _SENTENCES_OF_A_CHUNK)) for chunk, n in counts.items()
        }
        return [
            (chunk, self.part.cut(n, total))
            for chunk, total in pieces.items()
            for n in range(total)
        ]

    def _cut(self, weights: Mapping[str, int], least: int) -> tuple[Chunk, ...]:
        """Cut the documents into chunks: enough for every worker, unless lighter than ``least``.

        The cut changes which worker does the work, never the result.
        """
        workers, total = self.worker_count, sum(weights.values())
        wanted = min(total // least, workers * _CHUNKS_OF_A_WORKER) if workers > 1 else 1
        self.want_workers(wanted)  # for one large document, too: workers give its memory back
        return cut_in_chunks(weights, wanted, self.job.settings.limits.chunk_documents)


Ids = ParamSpec("Ids")
Stage = Callable[Concatenate[Run, Ids], StageResult]


def stage(name: str, *, in_workers: bool = False) -> Callable[[Stage[Ids]], Stage[Ids]]:
    """Make a function a stage that records that the run has reached it, and sanitizes its errors.

    With ``in_workers`` it processes a chunk of documents, in a worker when its run wants them.
    """

    def decorate(function: Stage[Ids]) -> Stage[Ids]:
        @wraps(function)
        def run_stage(run: Run, /, *ids: Ids.args, **options: Ids.kwargs) -> StageResult:
            with run.measure_time(name):
                if in_workers and run.workers is not None and run.workers.wanted:
                    return run.workers.call(run_stage, *ids)
                sanitize_errors(partial(run.store.runs.enter, run.job.run_id, name))
                return sanitize_errors(partial(function, run, *ids, **options))

        return run_stage

    return decorate
