"""Words of a translation that stand in the source language, though the translator knows them."""

from __future__ import annotations

from collections.abc import Iterable

from prism_core.evaluation.sliding_window import words
from prism_core.language.words import is_function_word


def untranslated_words(
    sentences: Iterable[tuple[str, str, str]], names: Iterable[str] = ()
) -> float:
    """The share of content words that a reader finds in the source language, in [0, 1].

    See ``count_untranslated``. 0 where there is no content word.
    """
    content, left = count_untranslated(sentences, names)
    return left / content if content else 0.0


def count_untranslated(
    sentences: Iterable[tuple[str, str, str]], names: Iterable[str] = ()
) -> tuple[int, int]:
    """The content words of ``sentences``, and those that stand in the source language.

    ``sentences`` are triples of private source, translation (y_pri) and direct translation
    (T(x_pri)). A content word of the source is any word but function words, ``names``, single
    letters and what has a digit; it is untranslated when the translation has it and the direct
    translation has it not. So words that both languages write alike do not count, nor does what T
    itself leaves as it was.
    """
    own = {name.lower() for name in names}
    content = left = 0
    for private, translation, direct in sentences:
        wanted = {word for word in words(private) if is_content(word)} - own
        content += len(wanted)
        left += len(wanted & set(words(translation)) - set(words(direct)))
    return content, left


def is_content(word: str) -> bool:
    """Whether a lower-case ``word`` of the source is one of content."""
    return len(word) > 1 and word.isalpha() and not is_function_word(word)
