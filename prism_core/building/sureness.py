"""How surely decoding finds a word in a neural translator's answer: all evidence as one figure.

Confidence is read off one translator's own sightings, and is low for all that was seen rarely. What
translators wrote for a word's lines, what Apertium and the associates say of it, and how long its
form is, tell more. A logistic model of these was fitted to what the decoder found, by roles swapped
(``evaluation.roles``), in texts that neither the rows nor their lines came from.

Entry: ``calibrate``: ``_count_lines`` -> ``_evidence`` of each word -> ``WEIGHTS``.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from prism_core.building.corpus_forms import LEAST_STEM, stem_of
from prism_core.dictionary import (
    ASSOCIATED,
    BEFORE,
    BY_RULE,
    CLOSED_TAGS,
    GLOSSARY,
    LEFT_PREFIX,
    NAME_TAGS,
    Entry,
    target_tokens,
)

WEIGHTS = {
    "confidence": 0.153,
    "by rule alone": -0.098,
    "lines": 0.134,
    "found": 0.409,
    "senses": -0.153,
    "associate": 0.948,
    "length": 0.074,
}
"""How much each kind of ``_evidence`` adds to the log-odds.

Fitted (ridge, λ = 2) to the words of newstest2012 and FLORES dev in the outputs of Google and
Microsoft, en-es, en-fr and en-de together, with dictionaries made without these two sets. A word
seen n times counts min(n, 6)."""
CONSTANTS = {"es": 0.001, "fr": -0.436, "de": -0.560}
"""What the log-odds begin from, by target language; for any other the least of these."""
_EXTREMES = 0.02, 0.99
_HALF_HIT = 0.9
"""Of one line more than there are so much is taken to be a hit."""

_Word = tuple[str, str]


class _Lines(NamedTuple):
    """In how many translated lines a word was, and how many had a form of it, however inflected."""

    seen: int
    found: int


def calibrate(
    entries: Sequence[Entry], pairs: Iterable[tuple[str, str]], target: str
) -> list[Entry]:
    """``entries``, all rows of a word with its probability of being found as ``calibrated``.

    ``pairs`` are public source lines and what neural translators made of them in ``target`` (ISO
    639). Words that are in no line, and phrases, have none (0), so what a translator by rule alone
    knows is believed of it alone. Names, function words and what is no word stay as they are.
    """
    rows: dict[_Word, list[Entry]] = defaultdict(list)
    associates = {entry.word: entry for entry in entries if entry.tag == ASSOCIATED}
    for entry in entries:
        if _is_word(entry):
            rows[entry.word, entry.tag].append(entry)
    lines = _count_lines(_forms(rows), pairs)
    senses = Counter(word for word, _ in rows)
    constant = CONSTANTS.get(target, min(CONSTANTS.values()))
    figures = {}
    for (word, tag), of_word in rows.items():
        if lines[word].seen:
            evidence = _evidence(of_word, lines[word], associates.get(word), senses[word])
            log_odds = constant + sum(WEIGHTS[name] * value for name, value in evidence.items())
            figures[word, tag] = 1 / (1 + math.exp(-log_odds))
    return [
        entry._replace(calibrated=figures.get((entry.word, entry.tag), 0.0))
        if _is_word(entry)
        else entry
        for entry in entries
    ]


def _is_word(entry: Entry) -> bool:
    closed = entry.tag in (*CLOSED_TAGS, *NAME_TAGS, ASSOCIATED, BEFORE)
    is_left = entry.tag.startswith(LEFT_PREFIX)
    return not (closed or is_left or " " in entry.word or entry.translator == GLOSSARY)


def _forms(rows: Mapping[_Word, Sequence[Entry]]) -> dict[str, set[str]]:
    """The forms of each word under any tag, of neural translators where these have it."""
    forms: dict[bool, dict[str, set[str]]] = {True: defaultdict(set), False: defaultdict(set)}
    for (word, _), of_word in rows.items():
        for entry in of_word:
            forms[entry.translator in BY_RULE][word].update(map(str.lower, entry.forms.texts))
    return {**forms[True], **forms[False]}


def _count_lines(
    forms: Mapping[str, Iterable[str]], pairs: Iterable[tuple[str, str]]
) -> dict[str, _Lines]:
    """How the words of ``forms`` fared in the translations of their lines."""
    stems = {
        word: {stem_of(max(target_tokens(text), key=len, default="")) for text in texts}
        for word, texts in forms.items()
    }
    seen: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for source, target in pairs:
        words = stems.keys() & set(target_tokens(source))
        tokens = target_tokens(target)
        starts = {token[:end] for token in tokens for end in range(LEAST_STEM, len(token))}
        starts.update(tokens)
        seen.update(words)
        found.update(word for word in words if not starts.isdisjoint(stems[word]))
    return {word: _Lines(seen[word], found[word]) for word in stems}


def _evidence(
    rows: Sequence[Entry], lines: _Lines, associates: Entry | None, senses: int
) -> dict[str, float]:
    neural = [entry for entry in rows if entry.translator not in BY_RULE]
    told = neural or rows
    texts = {text.lower() for entry in told for text in entry.forms.texts}
    associated = associates.forms if associates else ()
    dice = max((form.score for form in associated if form.text in texts), default=0.0)
    return {
        "confidence": _log_odds(min(entry.confidence for entry in neural)) if neural else 0.0,
        "by rule alone": float(not neural),
        "lines": math.log(lines.seen + 1),
        "found": _log_odds((lines.found + _HALF_HIT) / (lines.seen + 1)),
        "senses": math.log(senses),
        "associate": math.sqrt(dice),
        "length": math.log(len(told[0].forms.texts[0])),
    }


def _log_odds(share: float) -> float:
    least, most = _EXTREMES
    share = min(max(share, least), most)
    return math.log(share / (1 - share))
