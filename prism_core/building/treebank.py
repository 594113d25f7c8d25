"""What the words of a treebank (Universal Dependencies, CoNLL-U) say of those that end as they do.

Entry: ``Endings.learn`` from a file; ``Endings.features`` of a form.
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
"""What an adjective has after its dictionary form, in a language in which it has cases: there one
ending stands for many of them, and two adjectives agree that end alike."""
LONGEST = 7
LEAST_SEEN = 5
"""An ending counts when so many words with it were seen."""
LEAST_SIGHTINGS = 3
"""A word seen so often is known by itself."""
LEAST_SHARE = 0.85
"""The share of the words with an ending that have to agree on a feature."""
LEAST_OF_DECLINED = 0.01
"""An ending is one of adjectives that so many of them have."""
KINDS = {"NN": ("NOUN",), "JJ": ("ADJ",), "RB": ("ADV",), "VB": ("VERB", "AUX")}
"""Parts of speech of the treebank by how the tag of a source word begins."""
_OPEN = frozenset(kind for kinds in KINDS.values() for kind in kinds)
_PARTICIPLES = ("VBN", "VBG")
_FINITE_FORM, _PARTICIPLE, _PAST = "VerbForm=Fin", "VerbForm=Part", "Tense=Past"
LEAST_PARTICIPLE = 0.05
"""A form of which so many sightings are one is a participle where it stands for one."""

_Seen = tuple[str, str, frozenset[str]]
"""A word in lower case, its part of speech, and its features."""


class Endings:
    """What the words of a treebank say of the forms that end as they do."""

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
            declined.update(f.partition("=")[2] for f in features if f.startswith(f"{ENDING}="))
            self._together.update(permutations(names, 2))
        least = LEAST_OF_DECLINED * declined.total()
        self.of_adjectives = frozenset(
            one for one, count in declined.items() if count >= least and one != NO_ENDING
        )
        for (kind, text), counts in self._words.items():
            usual = [f for f, count in counts.items() if 2 * count >= self._seen[kind, text]]
            for ending in _endings(text):
                self._total[kind, ending] += 1
                self._endings[kind, ending].update(usual)

    def go_together(self, category: str, other: str) -> bool:
        """Whether a word of the treebank has both: no verb of Spanish has a person and a gender."""
        return category == other or (category, other) in self._together

    @classmethod
    def learn(cls, path: Path) -> Endings:
        """Read a treebank in CoNLL-U. Raises ``ConfigurationError`` when it is none."""
        words, nouns_have_capitals, lemmas = _read_words(path)
        return cls(words, nouns_have_capitals=nouns_have_capitals, lemmas=lemmas)

    def relatives(self, form: str, tag: str) -> Iterator[str]:
        """Words of the treebank, in lower case, that are inflections of the same word as ``form``.

        As what ``tag`` says, or of a participle as an adjective too.
        """
        word = form.lower()
        for kind in _kinds_of(tag):
            if lemma := self._lemmas.get((kind, word)):
                for one in self._of_lemma[kind, lemma]:
                    if one != word and self._seen[kind, one] > 1:
                        yield one

    def may_stand(self, word: str, kinds: Collection[str]) -> bool:
        """Whether the treebank has ``word`` as one of ``kinds``, or has not seen it at all."""
        known = self._kinds.get(word)
        return known is None or not known.isdisjoint(kinds)

    def may_be(self, word: str, tag: str) -> bool:
        """Whether the treebank has ``word`` as what ``tag`` says, or has not seen it at all."""
        return self.may_stand(word, _kinds_of(tag))

    def features(self, form: str, tag: str) -> tuple[str, ...]:
        """The features of ``form``, of a source word under ``tag``: ``Number=Sing`` …, sorted.

        A phrase has those of its first word that has any. Empty where nothing is known. A word that
        the treebank knows as another part of speech alone has those it has there. What stands for
        a participle is no finite verb in a language whose adjectives have endings (``ENDING``),
        unless it was seen several times as a past, and as no participle or adjective; and what has
        a capital, and is no adjective, is a noun where all of these have one.
        """
        own = _kinds_of(tag)
        for text in form.split():
            word = text.lower()
            known = self._kinds.get(word)
            is_other = known is not None and known.isdisjoint(own)
            kinds = sorted(known & _OPEN) if known and is_other else own
            is_noun = self._nouns_have_capitals and text[0].isupper() and "ADJ" not in own
            for kind in ("NOUN",) if is_noun else kinds:
                found = self._features(word, kind)
                if found is not None and penn_tag(tag) == "VBN" and self.of_adjectives:
                    found = self._read_participle(word, kind, found)
                if found is not None:
                    return tuple(sorted(found))
        return ()

    def _read_participle(self, word: str, kind: str, found: list[str]) -> list[str] | None:
        """What is ``found`` of ``word`` where it stands for a participle: none if not known."""
        if _FINITE_FORM not in found:
            return found
        seen = self._seen[kind, word]
        if self._words[kind, word][_PARTICIPLE] >= LEAST_PARTICIPLE * seen > 0:
            return [_PARTICIPLE]
        is_adjective = "ADJ" in self._kinds.get(word, ())
        is_past = _PAST in found and not is_adjective  # *verurteilt* may be either
        return found if seen >= LEAST_SIGHTINGS and is_past else None

    def _features(self, word: str, kind: str) -> list[str] | None:
        """What ``word`` was seen as, else what its longest known ending says; None if not known.

        A word that was seen once or twice may be another case or gender elsewhere: where the words
        that end so differ in a category, it is not told.
        """
        known = [(kind, end) for end in _endings(word) if self._total[kind, end] >= LEAST_SEEN]
        by_ending = self._endings[known[0]] if known else Counter[str]()
        total = self._total[known[0]] if known else 0
        seen = self._seen[kind, word]
        if not seen:
            return _usual(by_ending, total) if known else None
        usual = _usual(self._words[kind, word], seen)
        if seen >= LEAST_SIGHTINGS:
            return usual
        differing = Counter[str]()
        for feature, count in by_ending.items():
            differing[feature.partition("=")[0]] += count < LEAST_SHARE * total
        told = {f.partition("=")[0] for f in _usual(by_ending, total)}
        return [
            feature
            for feature in usual
            if (name := feature.partition("=")[0]) in told or differing[name] < 2
        ]


def _kinds_of(tag: str) -> tuple[str, ...]:
    kinds = KINDS.get(tag[:2], ())
    return (*kinds, "ADJ") if penn_tag(tag) in _PARTICIPLES else kinds


def _usual(counts: Counter[str], total: int) -> list[str]:
    return [feature for feature, count in counts.items() if count >= LEAST_SHARE * total]


def _endings(word: str) -> Iterator[str]:
    """The endings of a word, longest first."""
    for length in range(min(LONGEST, len(word) - 1), 0, -1):
        yield word[-length:]


_Lemmas = Mapping[tuple[str, str], str]
"""The usual lemma of each part of speech and word in lower case."""


def _read_words(path: Path) -> tuple[list[_Seen], bool, _Lemmas]:
    """The words of a treebank, whether it has all nouns with capitals, and their lemmas."""
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
    for _, text, lemma, kind, _, said, *_ in words:
        kept = {f for f in said.split("|") if f.partition("=")[0] in CATEGORIES}
        if kind in _OPEN and lemma != "_":
            lemmas[kind, text.lower()][lemma.lower()] += 1
        if kind == "ADJ" and has_cases:
            kept = _tell_ending(text.lower(), lemma.lower(), kept)
        seen.append((text.lower(), kind, frozenset(kept)))
    usual = {key: counts.most_common(1)[0][0] for key, counts in lemmas.items()}
    return seen, have_capitals, usual


def _tell_ending(word: str, lemma: str, features: set[str]) -> set[str]:
    """``features`` of an adjective with its ending in place of the categories that it may have."""
    kept = {one for one in features if one.partition("=")[0] not in AGREEING}
    if "Degree=Pos" in kept and word.startswith(lemma) and lemma != "_":
        kept.add(f"{ENDING}={word.removeprefix(lemma) or NO_ENDING}")
    return kept
