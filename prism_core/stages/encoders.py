"""Loaders of a run: the language model and the encoder of each pair of languages it translates.

Entry: ``list_pairs`` of a job; then ``Encoders``: ``load`` before workers are forked, or ``model``
and ``encoder`` on first use. ``EncoderFacts`` describe an encoder without loading it.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Self

from prism_core import drafts, encoding, language
from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.language import ModelVersion, read_version, unload_identifier
from prism_core.languages import load_language, sources_into
from prism_core.processes import release_free_memory
from prism_core.settings import AUTO, NO_POLICY, Job, Treatment
from prism_core.translators import make_provider

_TREATMENTS = 8
"""Number of encoders kept in memory, one for each treatment of documents."""
_DICTIONARIES = 2
_MODELS = 2
"""Number of language models in memory at a time, about 30 MB each; an encoder has 70 MB."""


def list_pairs(job: Job) -> tuple[Treatment, ...]:
    """Return the treatment that names each pair of languages which ``job`` translates.

    The result is ``NO_POLICY`` alone where the settings name the source. Else it has ``es:`` and so
    on, for each pair that has a shipped dictionary, that all translators support, and that is not
    experimental or was accepted. Raises ``Misconfigured`` where the translators support none of
    them.
    """
    if job.source != AUTO:
        return (NO_POLICY,)
    accepts = job.settings.language.experimental
    pairs = [NO_POLICY.in_source(s) for s in sources_into(job.target, experimental=accepts)]
    if job.temporary_state is not None:  # a dry run needs no translator
        return tuple(pairs)
    faults: dict[Treatment, Misconfigured] = {}
    for pair in pairs:
        try:
            for settings in job.settings.translators:
                make_provider(settings, pair.source, job.target)
        except Misconfigured as fault:
            faults[pair] = fault
    if pairs and len(faults) == len(pairs):
        raise faults[pairs[0]]
    return tuple(pair for pair in pairs if pair not in faults)


def pick_any_pair(job: Job) -> Treatment:
    """Return the treatment of one pair of languages of ``job``, accepted or not.

    Raises ``ConfigurationError`` where the source is open and no dictionary into the target ships.
    """
    if job.source != AUTO:
        return NO_POLICY
    sources = sources_into(job.target, experimental=True)
    if not sources:
        raise ConfigurationError(
            f"source is auto, and no dictionary into {job.target} ships: name the source (--from) "
            "and a dictionary of your own (dictionary.path)"
        )
    return NO_POLICY.in_source(sources[0])


@dataclass(frozen=True)
class EncoderFacts:
    """Facts that reports state about an encoder, and its ``version``; see ``Encoder``."""

    version: str
    dictionary_digest: str
    dictionary_entries: int
    mechanism: str
    guarantee: str
    vocabulary: int | None
    epsilon_word: float

    @classmethod
    def from_encoder(cls, encoder: encoding.Encoder) -> Self:
        """Return the facts of ``encoder``."""
        dictionary, mechanism = encoder.dictionary, encoder.mechanism
        return cls(
            version=encoder.version,
            dictionary_digest=dictionary.digest,
            dictionary_entries=len(dictionary),
            mechanism=mechanism.name,
            guarantee=mechanism.guarantee,
            vocabulary=mechanism.vocabulary,
            epsilon_word=mechanism.epsilon_word,
        )


class Encoders:
    """The language models and the encoders of ``job``, each loaded on first use.

    They take seconds to load and are never modified, so forked processes share their memory. Safe
    to use from any thread.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._loading = threading.RLock()
        self._model = lru_cache(maxsize=_MODELS)(self._load_model)
        self._encoder = lru_cache(maxsize=_TREATMENTS)(self._load_encoder)
        self._dictionary = lru_cache(maxsize=_DICTIONARIES)(load_dictionary)
        self._version = lru_cache(maxsize=None)(read_version)
        self._drafter = lru_cache(maxsize=_MODELS)(self._load_drafter)

    def model(self, source: str) -> language.LanguageModel:
        """Return the language model for ``source``; raises ``ConfigurationError``.

        With several source languages, the least recently used model is unloaded.
        """
        with self._loading:
            return self._model(source)

    def model_version(self, source: str) -> ModelVersion:
        """Return the version of that language model; a shipped model need not be loaded for it."""
        if self._job.settings.language.model is None:
            return self._version(load_language(source).model)
        return self.model(source).version

    def encoder(self, treatment: Treatment = NO_POLICY) -> encoding.Encoder:
        """Return the encoder for documents under ``treatment``. Raises ``ConfigurationError``."""
        with self._loading:
            return self._encoder(treatment)

    def drafter(self, treatment: Treatment = NO_POLICY) -> drafts.Drafter | None:
        """Return the model on this machine that drafts sentences under ``treatment``, if any."""
        with self._loading:
            return self._drafter(treatment.source)

    def load(self, pairs: Sequence[Treatment]) -> None:
        """Load the models and, for each policy, the encoder that documents need first."""
        for pair in pairs[:_MODELS]:
            self.model(self._job.under(pair).source)
            policies = (Treatment(p.name) for p in self._job.settings.policies)
            for treatment in (NO_POLICY, *policies):
                encoder = self.encoder(treatment.in_source(pair.source))
                _ = encoder.dictionary.form_index
        for name in drafts.__all__:  # code that decoding needs: what is loaded here is shared
            getattr(drafts, name)

    def unload_model(self) -> None:
        """Free the language models, 110 MB; they are loaded again on the next use."""
        with self._loading:
            unload_identifier()
            if self._model.cache_info().currsize:
                self._model.cache_clear()
                gc.unfreeze()
                gc.collect()
                release_free_memory()
                gc.freeze()

    def close(self) -> None:
        """Release everything that was loaded."""
        for cached in (self._model, self._encoder, self._dictionary, self._drafter):
            cached.cache_clear()
        gc.unfreeze()

    def _load_model(self, source: str) -> language.LanguageModel:
        model = language.LanguageModel.load(source, self._job.settings.language.model, lemmas=False)
        release_free_memory()
        gc.freeze()  # keep it out of garbage collections: a model alone is a million objects
        return model

    def _load_drafter(self, source: str) -> drafts.Drafter | None:
        job = self._job.under(NO_POLICY.in_source(source))
        return drafts.Drafter.open(job.settings.local_translator, job.source, job.target)

    def _load_encoder(self, treatment: Treatment) -> encoding.Encoder:
        settings = self._job.under(treatment).settings

        def load(path: Path, translator: str) -> Dictionary:
            inflects = settings.dictionary.glossary and path.exists()
            if settings.in_clear and not inflects:  # nothing is encoded: none needs to ship
                pair = {"source": settings.source, "target": settings.target}
                return Dictionary((), pair, sha256().hexdigest())
            return self._dictionary(path, translator)

        encoder = encoding.load_encoder(
            settings, lambda sentence: self.model(settings.source).retag(sentence), load
        )
        release_free_memory()
        gc.freeze()
        return encoder
