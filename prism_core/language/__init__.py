"""Text of a document as sentences of tagged tokens, by the shipped spaCy pipeline.

Entry: ``LanguageModel``. Its pipeline runs faster by ``tok2vec_pass`` and ``entity_pass``. What is
wrong in its sentences is corrected in ``boundaries`` (where sentences begin), ``possible_tags``
(tags that a word cannot have, told to the tagger) and ``sentence`` (tokens, and tags of nouns).
Words of a language belong to its data file, never here.
"""

from typing import TYPE_CHECKING

from prism_core.language.identification import (
    NO_LANGUAGE,
    UNDETERMINED,
    count_letters_in,
    document_language,
    is_running_text,
    load_identifier,
    main_language,
    other_languages,
    unload_identifier,
)
from prism_core.language.pipeline import (
    ModelVersion,
    import_spacy_alone,
    read_pipeline_vectors,
    read_version,
)
from prism_core.language.sentence import (
    PROPER_NOUNS,
    FoundIdentifiers,
    Sentence,
    Token,
    cut_at,
    join_letters,
    penn_tag,
    split_clauses,
)

if TYPE_CHECKING:
    from prism_core.language.language_model import LanguageModel

__all__ = [
    "NO_LANGUAGE",
    "PROPER_NOUNS",
    "UNDETERMINED",
    "FoundIdentifiers",
    "LanguageModel",
    "ModelVersion",
    "Sentence",
    "Token",
    "count_letters_in",
    "cut_at",
    "document_language",
    "is_running_text",
    "join_letters",
    "load_identifier",
    "main_language",
    "other_languages",
    "penn_tag",
    "read_pipeline_vectors",
    "read_version",
    "split_clauses",
    "unload_identifier",
]


def __getattr__(name: str) -> object:
    """Load spaCy when the model is first used: it takes a second."""
    if name == "LanguageModel":
        with import_spacy_alone():
            from prism_core.language.language_model import LanguageModel

        return LanguageModel
    raise AttributeError(name)
