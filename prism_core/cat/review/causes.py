"""Words that are the reason to review a sentence, for a page that highlights them.

The state names a fault (``prism_core.drafts.Fault``) without its words, so these are looked for
again in both texts. The words of a doubtful restoration are known by their positions.

Entry: ``find_causes``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from prism_core.alignment import Span, Translation
from prism_core.cat.review.review_units import Causes
from prism_core.decoding import find_places
from prism_core.drafts import Fault, find_unlisted, find_wrong_senses, load_polarity
from prism_core.stages import find_words_left
from prism_core.state import StoredSentence

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\b(?=[\w.,:/-]*\d)\w(?:[\w.,:/-]*\w)?")
_CAPITALISED = re.compile(r"(?<!^)\b[^\W\d_a-zà-ÿ]\w{2,}")
_LOWER_CASE = re.compile(r"\b[^\W\d_A-Z]{4,}\b")
_POLAR = (Fault.NEGATION, Fault.MODALITY, Fault.SIDE)
_REPEATED = re.compile(r"\b(\w+(?:\W+\w+){0,3})(?:\W+\1\b)+", re.IGNORECASE)


def find_causes(
    sentence: StoredSentence, source: str, translation: Translation, target: str
) -> Causes:
    """Return the words for which ``sentence`` is reviewed, in both of its texts.

    Nothing is found where its reason is about no word. ``target`` is ISO 639-1.
    """
    faults = {fault for fault in Fault if fault in sentence.reason}
    written = translation.text
    there = {*_find_words(faults, source, sentence.source, written)}
    here = {*_find_words(faults, written, target, source)}
    if Fault.INVENTED in faults:
        here |= {*find_unlisted(source, written, (sentence.source, target))}
    if Fault.SENSE in faults:
        found = find_wrong_senses(source, written, sentence.source, target)
        there |= {match.source for match in found}
        here |= {match.target for match in found}
    if left := find_words_left(sentence, written):
        there |= {*_find(_WORD, source, lambda word: word.lower() in left)}
        here |= {*_find(_WORD, written, lambda word: word.lower() in left)}
    if sentence.doubtful and sentence.encoded is not None:
        doubtful = {
            place
            for position, place, _ in find_places(source, sentence.encoded)
            if position in sentence.doubtful
        }
        there |= doubtful
        here |= {match.target for match in translation.matches if match.source in doubtful}
    return tuple(sorted(there)), tuple(sorted(here))


def _find_words(faults: Collection[Fault], text: str, language: str, other: str) -> Iterator[Span]:
    """Yield the words of ``text`` that ``faults`` are about; ``other`` is the text beside it."""
    words = {*_WORD.findall(other)}
    if Fault.ALONE in faults:
        yield 0, len(text)
    if Fault.NUMBER in faults or Fault.CODE in faults:
        yield from _find(_NUMBER, text, lambda number: number not in other)
    if Fault.NAME in faults:
        yield from _find(_CAPITALISED, text, lambda name: name not in words)
    if Fault.UNTRANSLATED in faults:
        yield from _find(_LOWER_CASE, text, words.__contains__)
    if Fault.REPEATED in faults:
        yield from _find(_REPEATED, text)
    polarity = load_polarity(language)
    if polarity is not None and any(fault in faults for fault in _POLAR):
        yield from polarity.find(text)


def _find(
    pattern: re.Pattern[str], text: str, holds: Callable[[str], bool] = bool
) -> Iterator[Span]:
    return (found.span() for found in pattern.finditer(text) if holds(found[0]))
