"""Translation memories: files of sentences and their translations, read, matched and written; and
lines of one word of grammar, whose translations ship."""

from prism_core.translation_memory.alone import WordsAlone
from prism_core.translation_memory.reading import (
    Opener,
    TranslationUnit,
    check_memories,
    is_tmx,
    normal_form,
    read_columns,
    read_tmx,
    stripped_lines,
    translations,
)
from prism_core.translation_memory.sealing import SUFFIX, is_sealed, opener
from prism_core.translation_memory.writing import (
    ALL_LANGUAGES,
    Translated,
    is_writable,
    tmx,
    write_memory,
)

__all__ = [
    "ALL_LANGUAGES",
    "SUFFIX",
    "Opener",
    "Translated",
    "TranslationUnit",
    "WordsAlone",
    "check_memories",
    "is_sealed",
    "is_tmx",
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
