"""Asking a language model which words of its translation stand for those of the text.

The words are numbered beside the text, and the answer has its own words by number. No mark is in
either text, so whatever the model says of the words cannot spoil the translation.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from prism_core.alignment import Match, Span, Translation, is_inside_word
from prism_core.translators.marks import keep_consistent, words_to_mark

WORDS = """

Each entry has "words" too: words of its text, numbered, in the form "number=word". Add "words" to
each of your translations: for every number "number=" and the words of your translation that stand
for that word, exactly as you wrote them there. Leave out the number of a word that you left out."""
"""What the instructions add."""


def ask_for_words(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema`` of an answer, where each translation has ``words`` too."""
    marked = copy.deepcopy(schema)
    item = marked["properties"]["translations"]["items"]
    item["properties"]["words"] = {"type": "array", "items": {"type": "string"}}
    item["required"].append("words")
    return marked


def number_words(text: str, source: str) -> list[str]:
    """All ``words_to_mark`` of ``text``, each with its number."""
    words = words_to_mark(text, source)
    return [f"{n}={text[slice(*word)]}" for n, word in enumerate(words, start=1)]


def link_words(words: Sequence[Span], answer: str, told: object) -> Translation:
    """``answer``, with what the model ``told`` of the numbered ``words`` of the text.

    What is not in the form asked for, and words that do not stand in the answer or stand there
    more than once, say nothing.
    """
    links = []
    for claim in told if isinstance(told, list) else []:
        number, _, shown = claim.partition("=") if isinstance(claim, str) else ("", "", "")
        place = _only_place(shown.strip(), answer)
        if place and re.fullmatch("[0-9]{1,4}", number.strip()):
            index = int(number) - 1
            links += [Match(words[index], place)] if 0 <= index < len(words) else []
    return Translation(answer, keep_consistent(words, answer, links))


def _only_place(shown: str, text: str) -> Span | None:
    """Where the whole words ``shown`` stand in ``text``; None where they do not, or twice."""
    spans = [match.span() for match in re.finditer(re.escape(shown), text)] if shown else []
    whole = [span for span in spans if not any(is_inside_word(text, place) for place in span)]
    return whole[0] if len(whole) == 1 else None
