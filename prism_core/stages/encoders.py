"""What a run loads: the language model and the encoder of each pair of languages it translates.

Entry: ``pairs_of`` a job; then ``Encoders``: ``load`` before workers are forked, or ``model`` and
``encoder`` when one is first asked for. ``EncoderFacts`` are what is known of one that need not be
loaded for it.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from prism_core.dictionary import load_dictionary
from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.language import ModelVersion, read_version, unload_identifier
from prism_core.languages import load_language, sources_into
from prism_core.processes import release_free_memory
from prism_core.settings import AUTO, NO_POLICY, Job, Treatment
from prism_core.translators import make_provider

if TYPE_CHECKING:
    from prism_core.language import LanguageModel

_TREATMENTS = 8
"""Encoders that are kept: one for each way in which documents are treated."""
_DICTIONARIES = 2
_MODELS = 2
"""Language models that are in memory at a time, some 30 MB each; the encoder of a pair has 70."""


def pairs_of(job: Job) -> tuple[Treatment, ...]:
    """What each pair of languages that ``job`` translates is treated by.

    ``NO_POLICY`` alone where the settings name the source; else ``es:`` and so on, for each that a
    dictionary ships for and all translators have, and that need not be accepted or is. Raises
    ``Misconfigured`` where the translators have none of them.
    """
    if job.source != AUTO:
        return (NO_POLICY,)
    accepts = job.settings.language.experimental
    pairs = [NO_POLICY.in_source(s) for s in sources_into(job.target, experimental=accepts)]
    if job.temporary_state is not None:  # a rehearsal needs no translator
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


def any_pair(job: Job) -> Treatment:
    """What one of the pairs of languages of ``job`` is treated by, whether or not it is accepted.

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
    """What reports say of an encoder, and its ``version``; see ``Encoder`` and its mechanism."""

    version: str
    dictionary_digest: str
    dictionary_entries: int
    mechanism: str
    guarantee: str
    vocabulary: int | None
    epsilon_word: float

    @classmethod
    def of(cls, encoder: Encoder) -> Self:
        """Those of ``encoder``."""
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
    """The language model and the encoders of ``job``, each loaded when it is first asked for.

    They take seconds to load and are never written to, so forked processes share their memory. For
    any thread.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._loading = threading.RLock()
        self._model = lru_cache(maxsize=_MODELS)(self._load_model)
        self._encoder = lru_cache(maxsize=_TREATMENTS)(self._load_encoder)
        self._dictionary = lru_cache(maxsize=_DICTIONARIES)(load_dictionary)
        self._version = lru_cache(maxsize=None)(read_version)

    def model(self, source: str) -> LanguageModel:
        """The language model for ``source`` that the settings name; raises ``ConfigurationError``.

        Of several source languages, that of one that was not asked for lately is let go of.
        """
        with self._loading:
            return self._model(source)

    def model_version(self, source: str) -> ModelVersion:
        """Which language model that is; one that ships need not be loaded for it."""
        if self._job.settings.language.model is None:
            return self._version(load_language(source).model)
        return self.model(source).version

    def encoder(self, treatment: Treatment = NO_POLICY) -> Encoder:
        """The encoder for documents under ``treatment``. Raises ``ConfigurationError``."""
        with self._loading:
            return self._encoder(treatment)

    def load(self, pairs: Sequence[Treatment]) -> None:
        """Load the models and what documents are first encoded and decoded with, by each policy."""
        for pair in pairs[:_MODELS]:
            self.model(self._job.under(pair).source)
            policies = (Treatment(p.name) for p in self._job.settings.policies)
            for treatment in (NO_POLICY, *policies):
                encoder = self.encoder(treatment.in_source(pair.source))
                _ = encoder.dictionary.form_index

    def unload_model(self) -> None:
        """Give back what sentences are read with, 110 MB; it is loaded again when asked for."""
        with self._loading:
            unload_identifier()
            if self._model.cache_info().currsize:
                self._model.cache_clear()
                gc.unfreeze()
                gc.collect()
                release_free_memory()
                gc.freeze()

    def close(self) -> None:
        """Let go of all that was loaded."""
        for cached in (self._model, self._encoder, self._dictionary):
            cached.cache_clear()
        gc.unfreeze()

    def _load_model(self, source: str) -> LanguageModel:
        from prism_core.language import LanguageModel  # and spaCy: many runs need neither

        model = LanguageModel.load(source, self._job.settings.language.model, lemmas=False)
        release_free_memory()
        gc.freeze()  # out of the search for garbage: a model alone is a million objects
        return model

    def _load_encoder(self, treatment: Treatment) -> Encoder:
        settings = self._job.under(treatment).settings
        encoder = load_encoder(
            settings,
            lambda sentence: self.model(settings.source).retag(sentence),
            self._dictionary,
        )
        release_free_memory()
        gc.freeze()
        return encoder
