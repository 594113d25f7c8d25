"""Texts of one word (a cell, a label), which models translate badly.

They write *Certo:* for *Right:* and *Ward: (* for *Ward:*. So the word is asked for without its
marks, in small letters, and behind the text before it. What these agree on is hardly wrong; where
they do not, or where the word has several senses, the translation is doubtful. A word that is no
ordinary one may be a name, for which models invent others (*Rio de Janeiro* for *Wilmington* in a
table of places): nothing before it is shown, and an answer that has it stands for it.

Entry: ``ask_word`` -> ``choose_word``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prism_core.dictionary import without_accents
from prism_core.translation_memory import WordAlone

_PLAIN = re.compile(r"[^\W\d_]+(?:['’ -][^\W\d_]+){0,2}")
"""At most three words: more are an explanation of the model's own."""
_SAME = 4
"""Number of first letters by which two forms of a word are the same."""
_BEHIND = "{context}: {word}"
_LONGEST_SHORT = 3
"""Number of letters up to which a word in capitals may be an abbreviation."""


def ask_word(line: WordAlone, context: str, *, is_ordinary: bool, is_name: bool) -> list[str]:
    """Return the texts to translate for the word of ``line``; ``context`` stands before it.

    A name that is a word, too, is not asked for in small letters: *smith* is something else.
    """
    word = line.word
    if word.isupper() and len(word) > _LONGEST_SHORT:
        word = word.capitalize()
    asked = [word] if word.isupper() or is_name else [word, word.lower()]
    if is_ordinary and context and ":" not in context:
        asked.append(_BEHIND.format(context=context, word=word))
    return list(dict.fromkeys(asked))


def choose_word(
    line: WordAlone, answers: Sequence[str | None], *, is_ordinary: bool
) -> tuple[str | None, bool]:
    """Return the translation of ``line``, and whether all ``answers`` agree on it.

    They answer ``ask_word``. Of an ordinary word, one behind a context counts first, then one in
    small letters; last what is no translation. The same word without an article is preferred.
    Returns None if none is usable.
    """
    own = line.word.casefold()
    cleaned = [(answer or "").rpartition(":")[2].strip(" .") for answer in answers]
    found = [word if _PLAIN.fullmatch(word) else None for word in cleaned]
    if is_ordinary:
        found.reverse()
        found.sort(key=lambda word: (word or "").casefold() == own)
    else:
        has_it = [own in (answer or "").casefold().split() for answer in answers]
        found = [line.word if has else word for has, word in zip(has_it, found, strict=True)]
        found.sort(key=lambda word: word != line.word)
    usable = [word for word in found if word is not None]
    if not usable:
        return None, False
    stem = _stem(usable[0])
    chosen = min((word for word in usable if _stem(word) == stem), key=lambda word: word.count(" "))
    agrees = len(usable) == len(found) and len({_stem(word) for word in usable}) == 1
    if line.word.isupper():
        chosen = chosen.upper()
    elif line.word[0].isupper():
        chosen = chosen[0].upper() + chosen[1:]
    return line.before + chosen + line.after, agrees


def _stem(text: str) -> str:
    """Return the first letters of the longest word: the others are an article."""
    longest = max(text.split(), key=len)
    return "".join(filter(str.isalpha, without_accents(longest.casefold())))[:_SAME]
