"""Calibration of words: all evidence of a word as one recovery rate, for neural translators.

Confidence is measured on one translator's own occurrences, and is low for all rare words. More
evidence is in the translations of a word's lines, in Apertium's row, in the associates, and in the
length of its form. A logistic model of these was fitted to the words that the decoder found, with
roles swapped (``evaluation.roles``), in texts that neither the rows nor their lines came from. The
rate is kept as ``Entry.calibrated``, which ``recovery.RecoveryRates`` reads.

Entry: ``calibrate``: ``find_evidence`` of each word, in its own lines (``_count_lines``) and others
(``_RelatedEvidence``) -> ``MODELS``.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from prism_core.building.corpus_forms import LEAST_STEM, get_stem
from prism_core.dictionary import (
    ASSOCIATED,
    BEFORE,
    BY_RULE,
    CLOSED_TAGS,
    GLOSSARY,
    LEFT_PREFIX,
    NAME_TAGS,
    Entry,
    WordKey,
    common_start,
    target_tokens,
    without_accents,
)

WEIGHTS = {
    "confidence": (0.107, 0.171, 0.061),
    "by rule alone": (-0.336, 0.0, -0.122),
    "lines": (0.172, 0.099, 0.037),
    "found": (0.227, 0.016, 0.108),
    "senses": (-0.048, 0.16, 0.024),
    "associate": (0.455, 0.76, 0.283),
    "length": (0.347, 0.092, 0.125),
    "people": (0.193, 0.164, 0.123),
    "kin": (-0.005, 0.027, -0.079),
    "kin found": (0.088, 0.032, 0.188),
    "again": (-0.027, 0.165, 0.093),
    "noun": (-0.014, 0.032, 0.009),
    "verb": (-0.1, -0.095, -0.23),
    "begins": (0.505, 0.006, -0.064),
    "shown": (0.207, 0.191, 0.27),
}
"""Weight of each kind of evidence (``find_evidence``) in the log-odds: into Spanish and French,
into German, into English.

Fitted (ridge, λ = 2; ``python -m scripts.calibration fit``) to the words of newstest2012 and FLORES
dev in the outputs of Google and Microsoft, with dictionaries made without these two sets (for
German also without the sets of 2017 to 2022). Those into German go by what a decoder finds that
knows parts of compounds. A word seen n times counts min(n, 6)."""
MODELS = {
    "es": (0, -0.759),
    "fr": (0, -1.14),
    "de": (1, -0.537),
    "en": (2, -0.123),
}
"""Column of ``WEIGHTS`` and constant of the log-odds, by target language."""
_EXTREMES = 0.02, 0.99
_HALF_HIT = 0.9
"""Smoothing: the part of a hit that is added with one additional line."""
_HALF_AGAIN = 0.7
"""Same part for forms that recur."""
_UNSEEN = math.log(0.7 / 0.3)
"""Log-odds of a word that is in no line that people translated."""
_ENOUGH = 10
"""Number of lines from which the share of recurring forms counts in full."""
_FAMILY_LETTERS = 4
"""Number of first letters that words of one family share in the source."""


class _LineCounts(NamedTuple):
    """Number of translated lines with a word, and of those among them with any form of it."""

    seen: int = 0
    found: float = 0


def calibrate(
    entries: Sequence[Entry],
    pairs: Iterable[tuple[str, str]],
    target: str,
    by_people: Iterable[tuple[str, str]] = (),
) -> list[Entry]:
    """Return ``entries``, all rows of a word with its recovery rate as ``calibrated``.

    A target language without a model takes the lowest rate of the models from English. Words in no
    line of ``pairs``, and phrases, have none (0), so what a translator by rule alone knows is
    believed of it alone. Names, function words and what is no word stay as they are.

    Args:
        entries: The rows of a dictionary.
        pairs: Public source lines and what neural translators made of them.
        target: The language of the translations (ISO 639).
        by_people: Public source lines and what people made of them.
    """
    models = [MODELS[target]] if target in MODELS else [MODELS[code] for code in ("es", "fr", "de")]

    def rate(evidence: Mapping[str, float]) -> float:
        return min(
            1 / (1 + math.exp(-constant - sum(w[column] * evidence[k] for k, w in WEIGHTS.items())))
            for column, constant in models
        )

    found = find_evidence(entries, pairs, by_people)
    rates = {key: rate(evidence) for key, evidence in found.items()}
    return [
        entry._replace(calibrated=rates.get(entry.key, 0.0)) if _is_word(entry) else entry
        for entry in entries
    ]


def find_evidence(
    entries: Sequence[Entry],
    pairs: Iterable[tuple[str, str]],
    by_people: Iterable[tuple[str, str]] = (),
) -> dict[WordKey, dict[str, float]]:
    """Return all that ``calibrate`` weighs, by word and tag, of those in a line of ``pairs``."""
    rows: dict[WordKey, list[Entry]] = defaultdict(list)
    associates = {entry.word: entry for entry in entries if entry.tag == ASSOCIATED}
    for entry in entries:
        if _is_word(entry):
            rows[entry.key].append(entry)
    pairs, forms = list(pairs), _collect_forms(rows)
    lines = _count_lines(forms, pairs)
    senses = Counter(word for word, _ in rows)
    related = _RelatedEvidence.count(rows, forms, pairs, by_people, lines)
    asked = {  # decoding asks the associates where no form is found
        word: {*texts, *(associates[word].forms.texts if word in associates else ())}
        for word, texts in forms.items()
    }
    shown = _count_lines(asked, pairs)
    return {
        key: _summarise_rows(of_word, lines[key[0]], associates.get(key[0]), senses[key[0]])
        | related.collect(*key)
        | {"shown": _compute_log_odds_found(shown[key[0]], _HALF_HIT)}
        for key, of_word in rows.items()
        if lines[key[0]].seen
    }


@dataclass(frozen=True)
class _RelatedEvidence:
    """Evidence from other lines: of people, of the word's family, and of recurring forms."""

    people: Mapping[str, _LineCounts]
    again: Mapping[str, _LineCounts]
    of_word: Mapping[str, _LineCounts]
    families: Mapping[WordKey, frozenset[str]]

    @classmethod
    def count(
        cls,
        rows: Mapping[WordKey, Sequence[Entry]],
        forms: Mapping[str, Iterable[str]],
        pairs: Sequence[tuple[str, str]],
        by_people: Iterable[tuple[str, str]],
        lines: Mapping[str, _LineCounts],
    ) -> _RelatedEvidence:
        """Count the evidence; a family shares its beginning in the source and in its first form."""
        members: dict[tuple[str, str], set[str]] = defaultdict(set)
        for (word, _), of_word in rows.items():
            members[_find_family_key(word, of_word)].add(word)
        families = {
            key: frozenset(members[_find_family_key(key[0], of_word)] - {key[0]})
            for key, of_word in rows.items()
        }
        return cls(_count_lines(forms, by_people), _count_again(forms, pairs), lines, families)

    def collect(self, word: str, tag: str) -> dict[str, float]:
        """Return this evidence of a word, by the names in ``WEIGHTS``."""
        people, again = self.people[word], self.again[word]
        lines = [self.of_word[relative] for relative in self.families[word, tag]]
        kin = _LineCounts(sum(line.seen for line in lines), sum(line.found for line in lines))
        return {
            "people": _compute_log_odds_found(people, _HALF_HIT) if people.seen else _UNSEEN,
            "kin": math.log(kin.seen + 1),
            "kin found": _compute_log_odds_found(kin, _HALF_HIT) if kin.seen else 0.0,
            "again": _compute_log_odds_found(again, _HALF_AGAIN) * min(1, again.seen / _ENOUGH),
            "noun": float(tag.startswith("NN")),
            "verb": float(tag.startswith("VB")),
        }


def _find_family_key(word: str, rows: Sequence[Entry]) -> tuple[str, str]:
    return word[:_FAMILY_LETTERS], _stem_longest_token(
        _select_preferred_rows(rows)[0].forms.texts[0].lower()
    )


def _select_preferred_rows(rows: Sequence[Entry]) -> Sequence[Entry]:
    """Return the rows of neural translators, where there are any, else all."""
    return [entry for entry in rows if entry.translator not in BY_RULE] or rows


def _stem_longest_token(text: str) -> str:
    return get_stem(max(target_tokens(text), key=len, default=""))


def _is_word(entry: Entry) -> bool:
    closed = entry.tag in (*CLOSED_TAGS, *NAME_TAGS, ASSOCIATED, BEFORE)
    is_left = entry.tag.startswith(LEFT_PREFIX)
    return not (closed or is_left or " " in entry.word or entry.translator == GLOSSARY)


def _collect_forms(rows: Mapping[WordKey, Sequence[Entry]]) -> dict[str, set[str]]:
    """Return the forms of each word under any tag, of neural translators where these have it."""
    forms: dict[bool, dict[str, set[str]]] = {True: defaultdict(set), False: defaultdict(set)}
    for (word, _), of_word in rows.items():
        for entry in of_word:
            forms[entry.translator in BY_RULE][word].update(map(str.lower, entry.forms.texts))
    return {**forms[True], **forms[False]}


def _find_hits(
    forms: Mapping[str, Iterable[str]], pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, set[str]]]:
    """Yield each word of ``forms`` in a source line, the line, and its stems in the translation."""
    stems = {word: {*map(_stem_longest_token, texts)} for word, texts in forms.items()}
    for source, target in pairs:
        tokens = target_tokens(target)
        starts = {token[:end] for token in tokens for end in range(LEAST_STEM, len(token))}
        starts.update(tokens)
        for word in stems.keys() & set(target_tokens(source)):
            yield word, source, starts & stems[word]


def _count_lines(
    forms: Mapping[str, Iterable[str]], pairs: Iterable[tuple[str, str]]
) -> dict[str, _LineCounts]:
    """Count the lines of each word of ``forms``, and those whose translation has a form of it."""
    seen: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for word, _, hits in _find_hits(forms, pairs):
        seen[word] += 1
        found[word] += bool(hits)
    return {word: _LineCounts(seen[word], found[word]) for word in forms}


def _count_again(
    forms: Mapping[str, Iterable[str]], pairs: Sequence[tuple[str, str]]
) -> dict[str, _LineCounts]:
    """Count the different source lines of each word, and those whose form another line has too.

    A form that one line alone has says that the next line may have yet another.
    """
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    for word, source, hits in _find_hits(forms, pairs):
        for stem in hits:
            sources[word, stem].add(source)
    shares: dict[str, dict[str, list[bool]]] = {word: defaultdict(list) for word in forms}
    for word, source, hits in _find_hits(forms, pairs):
        shares[word][source].append(any(len(sources[word, stem]) > 1 for stem in hits))
    return {
        word: _LineCounts(len(of_word), sum(map(fmean, of_word.values())))
        for word, of_word in shares.items()
    }


def _summarise_rows(
    rows: Sequence[Entry], lines: _LineCounts, associates: Entry | None, senses: int
) -> dict[str, float]:
    neural = [entry for entry in rows if entry.translator not in BY_RULE]
    preferred = _select_preferred_rows(rows)
    texts = {text.lower() for entry in preferred for text in entry.forms.texts}
    associated = associates.forms if associates else ()
    word, form = preferred[0].word, preferred[0].forms.texts[0]
    shared = common_start(*map(without_accents, (word.lower(), form.lower())))
    dice = max((each.score for each in associated if each.text in texts), default=0.0)
    return {
        "confidence": _compute_log_odds(min(entry.confidence for entry in neural))
        if neural
        else 0.0,
        "by rule alone": float(not neural),
        "lines": math.log(lines.seen + 1),
        "found": _compute_log_odds_found(lines, _HALF_HIT),
        "senses": math.log(senses),
        "associate": math.sqrt(dice),
        "length": math.log(len(form)),
        "begins": shared / max(len(word), len(form)),
    }


def _compute_log_odds_found(lines: _LineCounts, of_one_more: float) -> float:
    return _compute_log_odds((lines.found + of_one_more) / (lines.seen + 1))


def _compute_log_odds(share: float) -> float:
    least, most = _EXTREMES
    share = min(max(share, least), most)
    return math.log(share / (1 - share))
