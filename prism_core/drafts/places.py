"""Places of a sentence that its translation seems to name otherwise than the target language.

Entry: ``lacks_place``.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

from prism_core.dictionary import read_exonyms, without_accents
from prism_core.language import Sentence
from prism_core.languages import Language, read_words

_LONGEST_BEGINNING, _SHORTEST_BEGINNING = 4, 3
"""Letters at the beginning by which a name is known in another form (*China's*: *chinesa*)."""
_SHORTEST_ENDING = 8
"""Letters at the end by which it is known as another country spells it (*Checoslováquia*)."""


def lacks_place(
    sentence: Sentence, written: Collection[str], language: Language, target: str
) -> bool:
    """Return True if a place of ``sentence`` has neither its name nor its exonym among ``written``.

    ``written`` are the plain words of the translation. A name of several words is checked if its
    exonym is known: others may be translated word by word, as one that is a word. Abbreviations are
    not checked.
    """
    exonyms = read_exonyms(language.code, target)
    for is_place, group in groupby(sentence.tokens, lambda token: token.entity == "LOC"):
        words = [token.text for token in group]
        exonym = exonyms.get(" ".join(words))
        is_name = len(words) == 1 and words[0].lower() not in read_words(language.plain)
        is_checked = is_name if exonym is None else exonym.people is None
        if is_place and is_checked and words[0][1:].islower():
            names = [*words, *(exonym.text.split() if exonym else ())]
            if not any(_stands(plain(name), written) for name in names):
                return True
    return False


def _stands(name: str, written: Collection[str]) -> bool:
    """Return True if ``name``, or a word that begins or ends like it, is among ``written``."""
    beginning = name[: max(_SHORTEST_BEGINNING, min(_LONGEST_BEGINNING, len(name) - 1))]
    ending = name[-_SHORTEST_ENDING:] if len(name) > _SHORTEST_ENDING else name
    return any(word.startswith(beginning) or word.endswith(ending) for word in written)


def plain(word: str) -> str:
    """Return the letters and digits of ``word`` in lower case, without accents."""
    return "".join(filter(str.isalnum, without_accents(word.lower())))
