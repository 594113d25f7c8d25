"""Word dictionaries as encoding and decoding read them: entries, their forms, and their file."""

from prism_core.dictionary.dictionary import (
    CLOSED_TAGS,
    EXTENDED,
    FUNCTION_TAG,
    GLOSSARY,
    LEFT_PREFIX,
    PLACE,
    Dictionary,
)
from prism_core.dictionary.entry import (
    Entry,
    Form,
    common_start,
    target_spans,
    target_tokens,
    without_accents,
)
from prism_core.dictionary.parquet import (
    StoredDictionary,
    load_dictionary,
    read_dictionary,
    save_dictionary,
)

__all__ = [
    "CLOSED_TAGS",
    "EXTENDED",
    "FUNCTION_TAG",
    "GLOSSARY",
    "LEFT_PREFIX",
    "PLACE",
    "Dictionary",
    "Entry",
    "Form",
    "StoredDictionary",
    "common_start",
    "load_dictionary",
    "read_dictionary",
    "save_dictionary",
    "target_spans",
    "target_tokens",
    "without_accents",
]
