"""Which language a line of text is in, where it is surely not the one that is translated.

Entry: ``other_languages`` for lines by themselves, ``document_language`` for all of a document.
In doubt a line counts as the source language, a document as undetermined.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from heapq import nlargest

from prism_core.languages import Language, load_language, source_languages

NO_LANGUAGE = "zxx"
"""ISO 639 for what is no language: addresses, codes, keys."""
UNDETERMINED = "und"

LEAST_LETTERS = 25
"""Fewer letters are a name or a title, which is much the same in many languages."""
LEAST_CONFIDENCE = 0.8
CONFIDENCE_OF_RUNNING_TEXT = 0.5
"""Where a line has the function words of the language too."""
USUAL_FUNCTION_WORDS = 0.15
"""Running text has twice as many; no line with so many is asked about."""
SHARED_FUNCTION_WORDS = 0.4
"""The same for others than English: 43 of 400 lines of French have .3 of those of Spanish, and one
.4, which 350 of 400 lines of Spanish have."""
_NEAR_WORDS = {
    "es": {
        "ca": "amb als dels els aquest aquesta aquests aquestes però també són és que això seva "
        "seu seves seus nostre nostra perquè quan on mai fins després abans molt molta pel pels "
        "des hi ho ens vaig va van han havia estat dins sense tot tots altres més",
        "gl": "unha unhas dun dunha co coa cos coas pola polo polas polos na nas nos ao aos á "
        "ás non tamén máis foi moi seu súa seus súas iso esta estaba despois ata cando onde e o os",
        "pt": "um uma umas uns não com em do da dos das no na nos nas ao aos à às pelo pela pelos "
        "pelas são foi também mais seu sua seus suas isso esta estava depois até quando onde e o "
        "os você muito foram",
        "it": "il gli dei delle della dello degli nel nella nelle nei sono è che di del non con "
        "per anche più come questo questa questi suo sua suoi alla alle agli dal dalla ha hanno "
        "essere stato stata e ed i",
    },
}
"""Function words of languages so near to another that half of theirs are its own. Those that it
has too do not count."""
_LEAST_NEAR_WORDS = 3
"""Different ones in a line that is asked about; a quotation or a name has fewer."""
_MOST_CHARACTERS = 600
"""More of a line tell nothing new."""
_MOST_LINES = 100
"""More lines tell nothing new of a document."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def other_languages(lines: Iterable[str], source: str) -> dict[str, str]:
    """Those of ``lines`` that are in another language than ``source``, each with its ISO 639 code.

    When in doubt a line is in ``source``. Of 800 lines of English news, and of 770 of Spanish, none
    is taken for another language, of 800 in one of these, French or German nine in ten or more are.
    """
    known = load_language(source) if source in source_languages() else None
    found = {line: _other_language(line, source, known) for line in dict.fromkeys(lines)}
    return {line: language for line, language in found.items() if language}


def _other_language(line: str, source: str, known: Language | None) -> str:
    letters = sum(map(str.isalpha, line))
    if known and len(re.findall(known.other_script, line)) * 2 > letters:
        return _identify(line)[0] if letters >= LEAST_LETTERS else UNDETERMINED
    if letters < LEAST_LETTERS:
        return ""
    if known and _is_running_text(known, line):
        near = _nearest(known, line)
        language, confidence = _identify(line) if near else ("", 0.0)
        return near if language == near and confidence >= LEAST_CONFIDENCE else ""
    language, confidence = _identify(line)
    if language == source or confidence < CONFIDENCE_OF_RUNNING_TEXT:
        return ""
    return language if confidence >= LEAST_CONFIDENCE or is_running_text(line, language) else ""


def _nearest(known: Language, line: str) -> str:
    """The language near to ``known`` whose own function words ``line`` has most of; empty where
    these are few, or fewer than one word in six."""
    words = _WORD.findall(line.lower())
    counts = {
        code: len(set(words).intersection(own)) for code, own in _near_words(known.code).items()
    }
    best = max(counts, key=counts.__getitem__, default="")
    enough = best and counts[best] >= max(_LEAST_NEAR_WORDS, len(words) / 6)
    return best if enough else ""


@cache
def _near_words(source: str) -> Mapping[str, frozenset[str]]:
    """By language near to ``source``, its function words that are none there."""
    own = load_language(source).words.function_words
    lists = _NEAR_WORDS.get(source, {})
    return {code: frozenset(words.split()) - own for code, words in lists.items()}


def document_language(lines: Sequence[str]) -> str:
    """The language that a document of ``lines`` is in, ISO 639; ``UNDETERMINED`` when in doubt.

    It is that of more than half of the letters of its longest lines; where no line is long enough
    to tell, that of all of them together, if they are.
    """
    long = [line for line in lines if sum(map(str.isalpha, line)) >= LEAST_LETTERS]
    asked = nlargest(_MOST_LINES, long, key=len) or [". ".join(lines)]
    letters: Counter[str] = Counter()
    total = 0
    for line in asked:
        own = sum(map(str.isalpha, line))
        language, confidence = _identify(line)
        total += own
        if confidence >= LEAST_CONFIDENCE and own >= LEAST_LETTERS:
            letters[language] += own
    return main_language(letters, total) or UNDETERMINED


def is_running_text(line: str, code: str) -> bool:
    """Whether ``line`` has the function words of running text in the language ``code``; False for
    one that has no package."""
    return code in source_languages() and _is_running_text(load_language(code), line)


def _is_running_text(language: Language, line: str) -> bool:
    """Whether ``line`` has the function words of running text in ``language``."""
    words = _WORD.findall(line.lower())
    usual = sum(map(language.words.function_words.__contains__, words))
    least = USUAL_FUNCTION_WORDS if language.code == "en" else SHARED_FUNCTION_WORDS
    return usual >= least * len(words)


def count_letters_in(source: str, lines: Iterable[str]) -> int:
    """How many letters those of ``lines`` have that are running text in ``source``."""
    known = load_language(source) if source in source_languages() else None
    counts = ((line, sum(map(str.isalpha, line))) for line in lines)
    long = ((line, letters) for line, letters in counts if letters >= LEAST_LETTERS)
    return sum(
        letters
        for line, letters in long
        if (_is_running_text(known, line) if known else _identify(line)[0] == source)
    )


def _identify(line: str) -> tuple[str, float]:
    return _identifier()(line[:_MOST_CHARACTERS])


def load_identifier() -> None:
    """Load now what a line in doubt needs, so that processes forked from this one share it."""
    _identifier()


def unload_identifier() -> None:
    """Give its memory back; a line in doubt loads it again."""
    _identifier.cache_clear()


@cache
def _identifier() -> Callable[[str], tuple[str, float]]:
    """Loaded when a line first needs it: it takes most of a second and 100 MB."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    loaded = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    classify: Callable[[str], tuple[str, float]] = loaded.classify
    return classify


def main_language(letters: Mapping[str, int], among: int) -> str | None:
    """The language that more than half of ``among`` letters are in, if one is."""
    most = max(letters, key=letters.__getitem__, default=None)
    return most if most is not None and letters[most] * 2 > among else None
