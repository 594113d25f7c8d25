"""The text of a document as sentences of tagged tokens, by the spaCy pipeline that PRISM ships."""

from typing import TYPE_CHECKING

from prism_core.language.clauses import split_clauses
from prism_core.language.definitions import defined_terms
from prism_core.language.identification import (
    NO_LANGUAGE,
    UNDETERMINED,
    letters_surely_in,
    load_identifier,
    main_language,
    other_languages,
)
from prism_core.language.resegment import cut_at, join_letters
from prism_core.language.sentence import Sentence, Token, penn_tag
from prism_core.language.version import ModelVersion, read_version

if TYPE_CHECKING:
    from prism_core.language.model import LanguageModel

__all__ = [
    "NO_LANGUAGE",
    "UNDETERMINED",
    "LanguageModel",
    "ModelVersion",
    "Sentence",
    "Token",
    "cut_at",
    "defined_terms",
    "join_letters",
    "letters_surely_in",
    "load_identifier",
    "main_language",
    "other_languages",
    "penn_tag",
    "read_version",
    "split_clauses",
]


def __getattr__(name: str) -> object:
    """Load spaCy when the model is first asked for: it takes a second."""
    if name == "LanguageModel":
        from prism_core.language.model import LanguageModel

        return LanguageModel
    raise AttributeError(name)
