"""How surely decoding finds a word in a neural translator's answer: all evidence as one figure.

Confidence is read off one translator's own sightings, and is low for all that was seen rarely. What
translators wrote for a word's lines, what Apertium and the associates say of it, and how long its
form is, tell more. A logistic model of these was fitted to what the decoder found, by roles swapped
(``evaluation.roles``), in texts that neither the rows nor their lines came from.

Entry: ``calibrate``: ``find_evidence`` of each word, in its own lines (``_count_lines``) and others
(``_Further``) -> ``MODELS``.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
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
    common_start,
    target_tokens,
    without_accents,
)

WEIGHTS = {
    "confidence": 0.107,
    "by rule alone": -0.336,
    "lines": 0.172,
    "found": 0.227,
    "senses": -0.048,
    "associate": 0.455,
    "length": 0.347,
    "people": 0.193,
    "kin": -0.005,
    "kin found": 0.088,
    "again": -0.027,
    "noun": -0.014,
    "verb": -0.100,
    "begins": 0.505,
    "shown": 0.207,
}
"""How much each kind of evidence (``find_evidence``) adds to the log-odds.

Fitted (ridge, λ = 2; ``python -m scripts.sureness fit``) to the words of newstest2012 and FLORES
dev in the outputs of Google and Microsoft, en-es and en-fr together, with dictionaries made without
these two sets. A word seen n times counts min(n, 6)."""
INTO_GERMAN = {
    "confidence": 0.171,
    "lines": 0.099,
    "found": 0.016,
    "senses": 0.160,
    "associate": 0.760,
    "length": 0.092,
    "people": 0.164,
    "kin": 0.027,
    "kin found": 0.032,
    "again": 0.165,
    "noun": 0.032,
    "verb": -0.095,
    "begins": 0.006,
    "shown": 0.191,
}
"""The same into German, fitted to what the decoder finds that knows parts of compounds, by a
dictionary made without newstest2012, FLORES dev and the sets of 2017 to 2022."""
INTO_ENGLISH = {
    "confidence": 0.061,
    "by rule alone": -0.122,
    "lines": 0.037,
    "found": 0.108,
    "senses": 0.024,
    "associate": 0.283,
    "length": 0.125,
    "people": 0.123,
    "kin": -0.079,
    "kin found": 0.188,
    "again": 0.093,
    "noun": 0.009,
    "verb": -0.230,
    "begins": -0.064,
    "shown": 0.270,
}
"""The same where the source has many forms of a word and the target few: fitted to the same two
sets, es-en, with a dictionary made without them."""
MODELS = {
    "es": (WEIGHTS, -0.759),
    "fr": (WEIGHTS, -1.140),
    "de": (INTO_GERMAN, -0.537),
    "en": (INTO_ENGLISH, -0.123),
}
"""By target language the weights, and what the log-odds begin from."""
_EXTREMES = 0.02, 0.99
_HALF_HIT = 0.9
"""Of one line more than there are so much is taken to be a hit."""
_HALF_AGAIN = 0.7
_UNSEEN = math.log(0.7 / 0.3)
"""The log-odds of a word that is in no line that people translated."""
_ENOUGH = 10
"""Lines from which it counts in full how many forms come again."""
_FAMILY = 4
"""First letters that words of one family share in the source."""

_Word = tuple[str, str]


class _Seen(NamedTuple):
    """In how many translated lines a word was, and how many had a form of it, however inflected."""

    seen: int = 0
    found: float = 0


def calibrate(
    entries: Sequence[Entry],
    pairs: Iterable[tuple[str, str]],
    target: str,
    by_people: Iterable[tuple[str, str]] = (),
) -> list[Entry]:
    """``entries``, all rows of a word with its probability of being found as ``calibrated``.

    ``pairs`` are public source lines and what neural translators made of them in ``target`` (ISO
    639), ``by_people`` those of people. Into a language that has no model the least figure of all
    from English is taken. Words that are in no line of ``pairs``, and phrases, have none (0), so
    what a translator by rule alone knows is believed of it alone. Names, function words and what is
    no word stay as they are.
    """
    models = [MODELS[target]] if target in MODELS else [MODELS[code] for code in ("es", "fr", "de")]
    figures = {
        key: min(
            1 / (1 + math.exp(-constant - sum(w * told[name] for name, w in weights.items())))
            for weights, constant in models
        )
        for key, told in find_evidence(entries, pairs, by_people).items()
    }
    return [
        entry._replace(calibrated=figures.get((entry.word, entry.tag), 0.0))
        if _is_word(entry)
        else entry
        for entry in entries
    ]


def find_evidence(
    entries: Sequence[Entry],
    pairs: Iterable[tuple[str, str]],
    by_people: Iterable[tuple[str, str]] = (),
) -> dict[_Word, dict[str, float]]:
    """All that ``calibrate`` weighs, for each word and tag that is in a line of ``pairs``."""
    rows: dict[_Word, list[Entry]] = defaultdict(list)
    associates = {entry.word: entry for entry in entries if entry.tag == ASSOCIATED}
    for entry in entries:
        if _is_word(entry):
            rows[entry.word, entry.tag].append(entry)
    pairs, forms = list(pairs), _forms(rows)
    lines = _count_lines(forms, pairs)
    senses = Counter(word for word, _ in rows)
    further = _Further.count(rows, forms, pairs, by_people, lines)
    shown = _count_lines(_add_associates(forms, associates), pairs)
    return {
        key: _evidence(of_word, lines[key[0]], associates.get(key[0]), senses[key[0]])
        | further.of(*key)
        | {"shown": _share(shown[key[0]], _HALF_HIT)}
        for key, of_word in rows.items()
        if lines[key[0]].seen
    }


@dataclass(frozen=True)
class _Further:
    """Evidence from other lines: of people, of the word's family, and whether the form in one line
    is in another too."""

    people: Mapping[str, _Seen]
    again: Mapping[str, _Seen]
    of_word: Mapping[str, _Seen]
    families: Mapping[_Word, frozenset[str]]

    @classmethod
    def count(
        cls,
        rows: Mapping[_Word, Sequence[Entry]],
        forms: Mapping[str, Iterable[str]],
        pairs: Sequence[tuple[str, str]],
        by_people: Iterable[tuple[str, str]],
        lines: Mapping[str, _Seen],
    ) -> _Further:
        """A family shares what it begins with, in the source and in its first form."""
        members: dict[tuple[str, str], set[str]] = defaultdict(set)
        for (word, _), of_word in rows.items():
            members[_family(word, of_word)].add(word)
        families = {
            key: frozenset(members[_family(key[0], of_word)] - {key[0]})
            for key, of_word in rows.items()
        }
        return cls(_count_lines(forms, by_people), _count_again(forms, pairs), lines, families)

    def of(self, word: str, tag: str) -> dict[str, float]:
        """The evidence of one word, by the names of ``WEIGHTS``."""
        people, again = self.people[word], self.again[word]
        lines = [self.of_word[one] for one in self.families[word, tag]]
        kin = _Seen(sum(one.seen for one in lines), sum(one.found for one in lines))
        return {
            "people": _share(people, _HALF_HIT) if people.seen else _UNSEEN,
            "kin": math.log(kin.seen + 1),
            "kin found": _share(kin, _HALF_HIT) if kin.seen else 0.0,
            "again": _share(again, _HALF_AGAIN) * min(1, again.seen / _ENOUGH),
            "noun": float(tag.startswith("NN")),
            "verb": float(tag.startswith("VB")),
        }


def _family(word: str, rows: Sequence[Entry]) -> tuple[str, str]:
    return word[:_FAMILY], _stem(_told(rows)[0].forms.texts[0].lower())


def _told(rows: Sequence[Entry]) -> Sequence[Entry]:
    """The rows of neural translators, where there are any."""
    return [entry for entry in rows if entry.translator not in BY_RULE] or rows


def _stem(text: str) -> str:
    return stem_of(max(target_tokens(text), key=len, default=""))


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


def _add_associates(
    forms: Mapping[str, Iterable[str]], associates: Mapping[str, Entry]
) -> dict[str, set[str]]:
    """``forms`` with what decoding asks where none of them is found."""
    return {
        word: {*texts, *(associates[word].forms.texts if word in associates else ())}
        for word, texts in forms.items()
    }


def _hits(
    forms: Mapping[str, Iterable[str]], pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str, set[str]]]:
    """The words of ``forms`` in each source line, that line, and what forms in its translation
    begin with."""
    stems = {word: {*map(_stem, texts)} for word, texts in forms.items()}
    for source, target in pairs:
        tokens = target_tokens(target)
        starts = {token[:end] for token in tokens for end in range(LEAST_STEM, len(token))}
        starts.update(tokens)
        for word in stems.keys() & set(target_tokens(source)):
            yield word, source, starts & stems[word]


def _count_lines(
    forms: Mapping[str, Iterable[str]], pairs: Iterable[tuple[str, str]]
) -> dict[str, _Seen]:
    """How the words of ``forms`` fared in the translations of their lines."""
    seen: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for word, _, hits in _hits(forms, pairs):
        seen[word] += 1
        found[word] += bool(hits)
    return {word: _Seen(seen[word], found[word]) for word in forms}


def _count_again(
    forms: Mapping[str, Iterable[str]], pairs: Sequence[tuple[str, str]]
) -> dict[str, _Seen]:
    """The different source lines of each word, and of how many a form is in another's too.

    A form that one line alone has says that the next line may have yet another.
    """
    sources: dict[tuple[str, str], set[str]] = defaultdict(set)
    for word, source, hits in _hits(forms, pairs):
        for stem in hits:
            sources[word, stem].add(source)
    shares: dict[str, dict[str, list[bool]]] = {word: defaultdict(list) for word in forms}
    for word, source, hits in _hits(forms, pairs):
        shares[word][source].append(any(len(sources[word, stem]) > 1 for stem in hits))
    return {
        word: _Seen(len(of_word), sum(map(fmean, of_word.values())))
        for word, of_word in shares.items()
    }


def _evidence(
    rows: Sequence[Entry], lines: _Seen, associates: Entry | None, senses: int
) -> dict[str, float]:
    neural = [entry for entry in rows if entry.translator not in BY_RULE]
    told = _told(rows)
    texts = {text.lower() for entry in told for text in entry.forms.texts}
    associated = associates.forms if associates else ()
    dice = max((form.score for form in associated if form.text in texts), default=0.0)
    return {
        "confidence": _log_odds(min(entry.confidence for entry in neural)) if neural else 0.0,
        "by rule alone": float(not neural),
        "lines": math.log(lines.seen + 1),
        "found": _share(lines, _HALF_HIT),
        "senses": math.log(senses),
        "associate": math.sqrt(dice),
        "length": math.log(len(told[0].forms.texts[0])),
        "begins": _begins(told[0].word, told[0].forms.texts[0]),
    }


def _begins(word: str, form: str) -> float:
    """The share of ``form`` that begins as ``word`` does."""
    shared = common_start(*map(without_accents, (word.lower(), form.lower())))
    return shared / max(len(word), len(form))


def _share(lines: _Seen, of_one_more: float) -> float:
    return _log_odds((lines.found + of_one_more) / (lines.seen + 1))


def _log_odds(share: float) -> float:
    least, most = _EXTREMES
    share = min(max(share, least), most)
    return math.log(share / (1 - share))
