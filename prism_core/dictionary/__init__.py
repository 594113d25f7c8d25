"""Word dictionaries as encoding and decoding read them: entries, their forms, and their file."""

from typing import TYPE_CHECKING

from prism_core.dictionary.dictionary import (
    ASSOCIATED,
    BEFORE,
    CALENDAR_TAGS,
    CLOSED_TAGS,
    DRAWN_FROM,
    FUNCTION_TAG,
    GENITIVE,
    LEFT_PREFIX,
    NAME_TAGS,
    PLACE,
    Dictionary,
)
from prism_core.dictionary.entry import (
    ASKED_IN_FRAMES,
    FRAME_SEPARATOR,
    PART_SEPARATOR,
    SLOT,
    Entry,
    Form,
    WordKey,
    common_start,
    differing,
    target_spans,
    target_tokens,
    without_accents,
)
from prism_core.dictionary.exonyms import Exonym, People, read_article_endings, read_exonyms
from prism_core.dictionary.form_index import AGREEING, agreement_of
from prism_core.dictionary.glossary import GLOSSARY, Glossary
from prism_core.dictionary.preference import BY_RULE, EXTENDED, canonical_translator, read_names
from prism_core.dictionary.term_entries import with_terms
from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.dictionary.glossary_files import read_glossaries
    from prism_core.dictionary.parquet import (
        StoredDictionary,
        load_dictionary,
        pause_collection,
        read_dictionary,
        save_dictionary,
    )

__all__ = [
    "AGREEING",
    "ASKED_IN_FRAMES",
    "ASSOCIATED",
    "BEFORE",
    "BY_RULE",
    "CALENDAR_TAGS",
    "CLOSED_TAGS",
    "DRAWN_FROM",
    "EXTENDED",
    "FRAME_SEPARATOR",
    "FUNCTION_TAG",
    "GENITIVE",
    "GLOSSARY",
    "LEFT_PREFIX",
    "NAME_TAGS",
    "PART_SEPARATOR",
    "PLACE",
    "SLOT",
    "Dictionary",
    "Entry",
    "Exonym",
    "Form",
    "Glossary",
    "People",
    "StoredDictionary",
    "WordKey",
    "agreement_of",
    "canonical_translator",
    "common_start",
    "differing",
    "load_dictionary",
    "pause_collection",
    "read_article_endings",
    "read_dictionary",
    "read_exonyms",
    "read_glossaries",
    "read_names",
    "save_dictionary",
    "target_spans",
    "target_tokens",
    "with_terms",
    "without_accents",
]

# Arrow and lxml are loaded when a file is first read or written: settings and help do without.
__getattr__ = lazy_door(__name__)
