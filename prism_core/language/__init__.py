"""The text of a document as sentences of tagged tokens, by the spaCy pipeline that PRISM ships."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from prism_core.language.clauses import split_clauses
from prism_core.language.definitions import defined_terms
from prism_core.language.identification import (
    NO_LANGUAGE,
    UNDETERMINED,
    document_language,
    letters_surely_in,
    load_identifier,
    main_language,
    other_languages,
    runs_in,
    unload_identifier,
)
from prism_core.language.resegment import cut_at, join_letters
from prism_core.language.sentence import PROPER_NOUNS, Sentence, Token, penn_tag
from prism_core.language.version import ModelVersion, read_version

if TYPE_CHECKING:
    from prism_core.language.model import LanguageModel

__all__ = [
    "NO_LANGUAGE",
    "PROPER_NOUNS",
    "UNDETERMINED",
    "LanguageModel",
    "ModelVersion",
    "Sentence",
    "Token",
    "cut_at",
    "defined_terms",
    "document_language",
    "join_letters",
    "letters_surely_in",
    "load_identifier",
    "main_language",
    "other_languages",
    "penn_tag",
    "read_version",
    "runs_in",
    "split_clauses",
    "unload_identifier",
]

_NEED_TORCH = ("spacy_transformers", "spacy_curated_transformers", "spacy_experimental")
"""Extensions of spaCy whose pipelines are models of PyTorch."""


def __getattr__(name: str) -> object:
    """Load spaCy when the model is first asked for: it takes a second."""
    if name == "LanguageModel":
        with _without_torch():
            from prism_core.language.model import LanguageModel

        return LanguageModel
    raise AttributeError(name)


@contextmanager
def _without_torch() -> Iterator[None]:
    """Let spaCy load without PyTorch: wherever that is installed it would load it, for more time
    than all the rest takes, and only pipelines of transformers need it."""
    if "torch" in sys.modules or any(map(find_spec, _NEED_TORCH)):
        yield
        return
    sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["torch"]
