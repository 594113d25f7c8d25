"""Translation memories: files of sentences with translations, read, matched and written.

The package also translates lines of a single function word, whose translations ship with PRISM.
"""

from prism_core.translation_memory.fuzzy_matches import FuzzyMatch, find_matches
from prism_core.translation_memory.memory_formats import (
    ALL_LANGUAGES,
    Opener,
    Translated,
    TranslationUnit,
    check_memories,
    is_tmx,
    is_writable,
    normal_form,
    read_columns,
    read_tmx,
    stripped_lines,
    tmx,
    translations,
    write_memory,
)
from prism_core.translation_memory.sealing import SUFFIX, is_sealed, opener
from prism_core.translation_memory.single_words import (
    WORD_ALONE,
    SingleWordTranslations,
    WordAlone,
    is_unclear_alone,
)

__all__ = [
    "ALL_LANGUAGES",
    "SUFFIX",
    "WORD_ALONE",
    "FuzzyMatch",
    "Opener",
    "SingleWordTranslations",
    "Translated",
    "TranslationUnit",
    "WordAlone",
    "check_memories",
    "find_matches",
    "is_sealed",
    "is_tmx",
    "is_unclear_alone",
    "is_writable",
    "normal_form",
    "opener",
    "read_columns",
    "read_tmx",
    "stripped_lines",
    "tmx",
    "translations",
    "write_memory",
]
