"""Features of word endings, learned from a treebank (Universal Dependencies, CoNLL-U).

Entry: ``Endings.learn`` from a file; ``Endings.find_features`` of a form.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.language import penn_tag

CATEGORIES = ("Number", "Gender", "Person", "Tense", "Mood", "VerbForm", "Degree", "Case")
AGREEING = ("Number", "Gender", "Case")
ENDING, NO_ENDING = "Ending", "none"
"""Feature with the part of an adjective after its dictionary form, in a language with cases.

There one ending stands for many cases, and two adjectives agree if they end alike.
"""
LONGEST = 7
LEAST_SEEN = 5
"""Number of words with an ending from which on it counts."""
LEAST_SIGHTINGS = 3
"""Number of occurrences from which on a word is known by itself."""
LEAST_SHARE = 0.85
"""Share of the words with an ending that must agree on a feature."""
LEAST_OF_DECLINED = 0.01
"""Share of adjectives that must have an ending for it to count as one of adjectives."""
KINDS = {"NN": ("NOUN",), "JJ": ("ADJ",), "RB": ("ADV",), "VB": ("VERB", "AUX")}
"""Parts of speech of the treebank by the beginning of a source word's tag."""
_OPEN = frozenset(kind for kinds in KINDS.values() for kind in kinds)
_PARTICIPLES = ("VBN", "VBG")
_FINITE_FORM, _PARTICIPLE, _PAST = "VerbForm=Fin", "VerbForm=Part", "Tense=Past"
LEAST_PARTICIPLE = 0.05
"""Share of participles among a form's occurrences from which on it counts as one."""

_Seen = tuple[str, str, frozenset[str]]
"""Word in lower case, its part of speech, and its features."""


class Endings:
    """Features of the forms that end as words of a treebank do."""

    def __init__(
        self,
        words: Iterable[_Seen],
        *,
        nouns_have_capitals: bool = False,
        lemmas: Mapping[tuple[str, str], str] | None = None,
    ) -> None:
        self._nouns_have_capitals = nouns_have_capitals
        self._lemmas = lemmas or {}
        self._of_lemma: dict[tuple[str, str], list[str]] = defaultdict(list)
        for (kind, text), lemma in self._lemmas.items():
            self._of_lemma[kind, lemma].append(text)
        self._words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._seen: Counter[tuple[str, str]] = Counter()
        self._endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._total: Counter[tuple[str, str]] = Counter()
        self._kinds: dict[str, set[str]] = defaultdict(set)
        self._together: set[tuple[str, str]] = set()
        declined: Counter[str] = Counter()
        for text, kind, features in words:
            self._seen[kind, text] += 1
            self._words[kind, text].update(features)
            self._kinds[text].add(kind)
            names = [feature.partition("=")[0] for feature in features]
            declined.update(
                feature.partition("=")[2]
                for feature in features
                if feature.startswith(f"{ENDING}=")
            )
            self._together.update(permutations(names, 2))
        least = LEAST_OF_DECLINED * declined.total()
        self.of_adjectives = frozenset(
            ending for ending, count in declined.items() if count >= least and ending != NO_ENDING
        )
        for (kind, text), counts in self._words.items():
            usual = [
                feature for feature, count in counts.items() if 2 * count >= self._seen[kind, text]
            ]
            for ending in _list_endings(text):
                self._total[kind, ending] += 1
                self._endings[kind, ending].update(usual)

    def occur_together(self, category: str, other: str) -> bool:
        """Return True if a word of the treebank has both categories.

        No verb of Spanish has a person and a gender.
        """
        return category == other or (category, other) in self._together

    @classmethod
    def learn(cls, path: Path) -> Endings:
        """Read a treebank in CoNLL-U. Raises ``ConfigurationError`` if the file is none."""
        words, nouns_have_capitals, lemmas = _read_words(path)
        return cls(words, nouns_have_capitals=nouns_have_capitals, lemmas=lemmas)

    def find_relatives(self, form: str, tag: str) -> Iterator[str]:
        """Yield treebank words, in lower case, that are inflections of the same word as ``form``.

        They have the part of speech of ``tag``; for a participle also that of an adjective.
        """
        word = form.lower()
        for kind in _get_kinds(tag):
            if lemma := self._lemmas.get((kind, word)):
                for text in self._of_lemma[kind, lemma]:
                    if text != word and self._seen[kind, text] > 1:
                        yield text

    def may_stand(self, word: str, kinds: Collection[str]) -> bool:
        """Return True if the treebank has ``word`` as one of ``kinds``, or has not seen it."""
        known = self._kinds.get(word)
        return known is None or not known.isdisjoint(kinds)

    def may_have_tag(self, word: str, tag: str) -> bool:
        """Return True if the treebank has ``word`` as what ``tag`` says, or has not seen it."""
        return self.may_stand(word, _get_kinds(tag))

    def find_features(self, form: str, tag: str) -> tuple[str, ...]:
        """Return the sorted features (``Number=Sing`` …) of ``form`` for a source word of ``tag``.

        A phrase has those of its first word that has any. The result is empty where nothing is
        known. A word that the treebank knows only as another part of speech has the features it has
        there. In a language whose adjectives have endings (``ENDING``), the form for a participle
        is no finite verb, unless it was seen several times as a past, and never as a participle or
        adjective. A capitalised word that is no adjective is a noun where all nouns are
        capitalised.
        """
        expected_kinds = _get_kinds(tag)
        for text in form.split():
            word = text.lower()
            known = self._kinds.get(word)
            is_other = known is not None and known.isdisjoint(expected_kinds)
            kinds = sorted(known & _OPEN) if known and is_other else expected_kinds
            is_noun = (
                self._nouns_have_capitals and text[0].isupper() and "ADJ" not in expected_kinds
            )
            for kind in ("NOUN",) if is_noun else kinds:
                found = self._look_up_features(word, kind)
                if found is not None and penn_tag(tag) == "VBN" and self.of_adjectives:
                    found = self._read_participle(word, kind, found)
                if found is not None:
                    return tuple(sorted(found))
        return ()

    def _read_participle(self, word: str, kind: str, found: list[str]) -> list[str] | None:
        """Return the features of ``word`` as the form for a participle; None if not known."""
        if _FINITE_FORM not in found:
            return found
        seen = self._seen[kind, word]
        if self._words[kind, word][_PARTICIPLE] >= LEAST_PARTICIPLE * seen > 0:
            return [_PARTICIPLE]
        is_adjective = "ADJ" in self._kinds.get(word, ())
        is_past = _PAST in found and not is_adjective  # *verurteilt* may be either
        return found if seen >= LEAST_SIGHTINGS and is_past else None

    def _look_up_features(self, word: str, kind: str) -> list[str] | None:
        """Return the features that ``word`` was seen with, else those of its longest known ending.

        None if not known. A word that was seen once or twice may be another case or gender
        elsewhere: a category in which the words with its ending differ is left out.
        """
        known = [(kind, end) for end in _list_endings(word) if self._total[kind, end] >= LEAST_SEEN]
        by_ending = self._endings[known[0]] if known else Counter[str]()
        total = self._total[known[0]] if known else 0
        seen = self._seen[kind, word]
        if not seen:
            return _select_usual(by_ending, total) if known else None
        usual = _select_usual(self._words[kind, word], seen)
        if seen >= LEAST_SIGHTINGS:
            return usual
        differing = Counter[str]()
        for feature, count in by_ending.items():
            differing[feature.partition("=")[0]] += count < LEAST_SHARE * total
        known_categories = {f.partition("=")[0] for f in _select_usual(by_ending, total)}
        return [
            feature
            for feature in usual
            if (name := feature.partition("=")[0]) in known_categories or differing[name] < 2
        ]


def _get_kinds(tag: str) -> tuple[str, ...]:
    kinds = KINDS.get(tag[:2], ())
    return (*kinds, "ADJ") if penn_tag(tag) in _PARTICIPLES else kinds


def _select_usual(counts: Counter[str], total: int) -> list[str]:
    return [feature for feature, count in counts.items() if count >= LEAST_SHARE * total]


def _list_endings(word: str) -> Iterator[str]:
    """Yield the endings of a word, longest first."""
    for length in range(min(LONGEST, len(word) - 1), 0, -1):
        yield word[-length:]


_Lemmas = Mapping[tuple[str, str], str]
"""Usual lemma of each part of speech and word in lower case."""


def _read_words(path: Path) -> tuple[list[_Seen], bool, _Lemmas]:
    """Read the words of a treebank, if it capitalises all nouns, and their lemmas."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"The treebank {path} cannot be read.") from None
    rows = [fields for line in lines if len(fields := line.split("\t")) == 10]
    words = [fields for fields in rows if fields[0].isdecimal()]
    if not words:
        raise ConfigurationError(f"{path} is no treebank in CoNLL-U.")
    nouns = [fields[1] for fields in words if fields[3] == "NOUN"]
    have_capitals = sum(noun[0].isupper() for noun in nouns) > LEAST_SHARE * len(nouns)
    has_cases = any(fields[3] == "ADJ" and "Case=" in fields[5] for fields in words)
    seen: list[_Seen] = []
    lemmas: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for _, text, lemma, kind, _, listed, *_ in words:
        kept = {feature for feature in listed.split("|") if feature.partition("=")[0] in CATEGORIES}
        if kind in _OPEN and lemma != "_":
            lemmas[kind, text.lower()][lemma.lower()] += 1
        word, base = text.lower(), lemma.lower()
        if kind == "ADJ" and has_cases:  # an ending takes the place of the categories of agreement
            kept = {feature for feature in kept if feature.partition("=")[0] not in AGREEING}
            if "Degree=Pos" in kept and word.startswith(base) and base != "_":
                kept.add(f"{ENDING}={word.removeprefix(base) or NO_ENDING}")
        seen.append((word, kind, frozenset(kept)))
    usual = {key: counts.most_common(1)[0][0] for key, counts in lemmas.items()}
    return seen, have_capitals, usual
