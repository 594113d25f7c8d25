"""Load the encoder that settings describe: its dictionary, its mechanism, the user's lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from prism_core.dictionary import (
    Dictionary,
    load_dictionary,
    pause_collection,
    read_glossaries,
    with_terms,
)
from prism_core.encoding.base import Encoder
from prism_core.encoding.pool_encoder import PoolEncoder
from prism_core.encoding.token_encoder import TokenEncoder
from prism_core.identifiers import CheckDigits, Detector, load_optional_detectors, read_terms
from prism_core.languages import require_source
from prism_core.mechanisms import Mechanism, Tagger, TokenMechanism, make_mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import IdentifierClass, Settings


def load_encoder(
    settings: Settings,
    tagger: Tagger | None = None,
    load: Callable[[Path, str], Dictionary] = load_dictionary,
) -> Encoder:
    """Return the encoder that ``settings`` describe.

    ``tagger`` (``LanguageModel.retag``) serves a mechanism that needs one, such as nested; ``load``
    loads the dictionary at a path for a translator. Raises ``ConfigurationError``, also for an
    experimental source language that the settings do not accept.
    """
    with pause_collection():
        require_source(settings.source, experimental=settings.language.experimental)
        path = settings.dictionary.path or shipped_dictionary(settings.source, settings.target)
        dictionary = load(path, settings.translator.name)
        if glossaries := settings.dictionary.glossary:
            terms = read_glossaries(glossaries, dictionary.language, settings.target)
            dictionary = with_terms(dictionary, terms)
        identifiers = settings.identifiers
        return make_encoder(
            dictionary,
            make_mechanism(settings.mechanism, dictionary, tagger),
            read_terms(identifiers.names_file),
            read_terms(identifiers.never_send_file),
            identifiers.checksums,
            identifiers.withhold,
            load_optional_detectors(presidio=identifiers.presidio),
        )


def make_encoder(
    dictionary: Dictionary,
    mechanism: Mechanism,
    names: Iterable[str] = (),
    never: Iterable[str] = (),
    check_digits: CheckDigits = "fail",
    withhold: Iterable[IdentifierClass] = (),
    detectors: Sequence[Detector] = (),
) -> Encoder:
    """Return the encoder for ``mechanism``; if it seeks no identifiers, only the lists count."""
    if isinstance(mechanism, TokenMechanism):
        return TokenEncoder(dictionary, mechanism, names, never)
    return PoolEncoder(dictionary, mechanism, names, never, check_digits, withhold, detectors)
