"""Fuzzy matches: units of a memory whose source resembles a sentence, as suggestions to a reviewer.

They are shown, and never written. The sentences are indexed by their rarest words, and the units of
the memory pass by, so that memory and the time for a unit do not grow with the memory.

Entry: ``find_matches``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from math import ceil
from typing import NamedTuple

from prism_core.translation_memory.memory_formats import TranslationUnit, normal_form

_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_TRIED = 50
"""Sentences that a unit is compared with at most, those with its rarest words first."""


class FuzzyMatch(NamedTuple):
    """Unit of a memory that resembles a sentence.

    ``percent`` is the likeness less the penalty, and 100 for an equal source alone. ``changes``
    are the words of the sentence that differ, each with those in ``source``.
    """

    percent: int
    source: str
    target: str
    changes: tuple[tuple[str, str], ...]

    @property
    def label(self) -> str:
        """Percent and differing words, those of the sentence first."""
        words = "; ".join(f"{ours or '–'} ← {theirs or '–'}" for ours, theirs in self.changes)
        return f"{self.percent} %: {words}" if words else f"{self.percent} %"


def find_matches(
    sentences: Mapping[str, str],
    units: Iterable[TranslationUnit],
    threshold: int,
    machine_penalty: int = 0,
    unreviewed_penalty: int = 0,
) -> dict[str, FuzzyMatch]:
    """Return the best of ``units`` for each of ``sentences`` (texts by id) with one in reach.

    A match has ``threshold`` percent or more; of equal ones the last counts. The likeness is twice
    the number of equal words and marks over that of all of them, in their order.
    """
    tokens = {row_id: _tokens(text) for row_id, text in sentences.items()}
    kinds = {row_id: set(words) for row_id, words in tokens.items()}
    rarity = Counter(token for words in kinds.values() for token in words)
    index = defaultdict[str, list[str]](list)
    share = threshold / 100
    for row_id, words in tokens.items():  # its rarest words, one of which is in every match
        common = ceil(len(words) * share / (2 - share))
        ordered = sorted(words, key=lambda word: (rarity[word], word))
        for token in set(ordered[: len(words) - common + 1]):
            index[token].append(row_id)
    best = dict[str, tuple[int, TranslationUnit]]()
    matcher = SequenceMatcher[str](autojunk=False)
    for unit in units:
        words = _tokens(unit.source)
        penalty = machine_penalty * unit.is_machine + unreviewed_penalty * unit.is_unreviewed
        matcher.set_seq2(words)
        theirs = set(words)
        for row_id in _candidates(theirs, index, rarity):
            ours, of_it = tokens[row_id], kinds[row_id]
            least = max(threshold, best[row_id][0] if row_id in best else 0) + penalty
            equal = min(len(ours) - len(of_it - theirs), len(words) - len(theirs - of_it))
            if 200 * equal < least * (len(ours) + len(words)):  # ``equal`` words are the most
                continue
            matcher.set_seq1(ours)
            is_equal = normal_form(sentences[row_id]) == normal_form(unit.source)
            likeness = 100 if is_equal else min(int(matcher.ratio() * 100), 99)
            if likeness >= least:
                best[row_id] = likeness - penalty, unit
    return {
        row_id: FuzzyMatch(percent, unit.source, unit.target, _changes(sentences[row_id], unit))
        for row_id, (percent, unit) in best.items()
    }


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(normal_form(text).casefold())


def _candidates(
    words: set[str], index: Mapping[str, list[str]], rarity: Mapping[str, int]
) -> list[str]:
    found = dict[str, None]()
    for word in sorted(words & index.keys(), key=lambda word: rarity[word]):
        found |= dict.fromkeys(index[word][: _MOST_TRIED - len(found)])
        if len(found) >= _MOST_TRIED:
            break
    return list(found)


def _changes(sentence: str, unit: TranslationUnit) -> tuple[tuple[str, str], ...]:
    ours, theirs = _TOKEN.findall(sentence), _TOKEN.findall(unit.source)
    codes = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return tuple(
        (" ".join(ours[first:last]), " ".join(theirs[begin:end]))
        for kind, first, last, begin, end in codes
        if kind != "equal"
    )
