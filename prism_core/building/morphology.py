"""The grammatical category of target forms: number, gender, person, tense …

Learned from a treebank (Universal Dependencies, CoNLL-U). A form gets the features on which the
words with its longest known ending agree, so that the original goes in by category, whoever's row
its form is from. What an ending leaves open (*hablo* may be a noun) the frames tell in which the
form was seen: what each of these means is read off the forms whose ending is telling.

Entry: ``Endings.learn`` from a file; then ``describe`` adds features to the forms of entries:
endings -> what frames mean (``_Meanings``) -> both together.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path

from prism_core.dictionary import CLOSED_TAGS, Entry
from prism_core.errors import ConfigurationError
from prism_core.language import penn_tag
from prism_core.languages import Language, load_language

CATEGORIES = ("Number", "Gender", "Person", "Tense", "Mood", "VerbForm", "Degree", "Case")
LONGEST = 7
LEAST_SEEN = 5
"""An ending counts when so many words with it were seen."""
LEAST_SIGHTINGS = 3
"""A word seen so often is known by itself."""
LEAST_SHARE = 0.85
"""The share of the words with an ending that have to agree on a feature."""
LEAST_FORMS = 20
LEAST_MEANT = 0.9
"""A frame means a value that this share of at least so many forms in it have."""
LEAST_TELLING = 0.3
"""A category belongs to a frame when it is known of this share of those of the commonest one."""
_OF_CLASS = re.compile(r"(class|s|p)\d+")
"""Frames that stand for a class of nouns beside which a form was seen."""
_KINDS = {"NN": ("NOUN",), "JJ": ("ADJ",), "RB": ("ADV",), "VB": ("VERB", "AUX")}
"""Parts of speech of the treebank by how the tag of a source word begins."""
_FINITE = ("VB", "VBD", "VBP", "VBZ")
_OPEN = frozenset(kind for kinds in _KINDS.values() for kind in kinds)
_PARTICIPLES = ("VBN", "VBG")

_Seen = tuple[str, str, frozenset[str]]
"""A word in lower case, its part of speech, and its features."""


class Endings:
    """What the words of a treebank say of the forms that end as they do."""

    def __init__(self, words: Iterable[_Seen]) -> None:
        self._words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._seen: Counter[tuple[str, str]] = Counter()
        self._endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._total: Counter[tuple[str, str]] = Counter()
        self._kinds: dict[str, set[str]] = defaultdict(set)
        self._together: set[tuple[str, str]] = set()
        for text, kind, features in words:
            self._seen[kind, text] += 1
            self._words[kind, text].update(features)
            self._kinds[text].add(kind)
            self._together.update(permutations([f.partition("=")[0] for f in features], 2))
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
        return cls(_read_words(path))

    def may_be(self, word: str, tag: str) -> bool:
        """Whether the treebank has ``word`` as what ``tag`` says, or has not seen it at all."""
        known = self._kinds.get(word)
        return known is None or not known.isdisjoint(_kinds_of(tag))

    def features(self, form: str, tag: str) -> tuple[str, ...]:
        """The features of ``form``, of a source word under ``tag``: ``Number=Sing`` …, sorted.

        A phrase has those of its first word that has any. Empty where nothing is known. A word that
        the treebank knows as another part of speech alone has those it has there.
        """
        own = _kinds_of(tag)
        for word in form.lower().split():
            known = self._kinds.get(word)
            is_other = known is not None and known.isdisjoint(own)
            for kind in sorted(known & _OPEN) if known and is_other else own:
                found = self._features(word, kind)
                if found is not None:
                    return tuple(sorted(found))
        return ()

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
    kinds = _KINDS.get(tag[:2], ())
    return (*kinds, "ADJ") if penn_tag(tag) in _PARTICIPLES else kinds


def _usual(counts: Counter[str], total: int) -> list[str]:
    return [feature for feature, count in counts.items() if count >= LEAST_SHARE * total]


def describe(
    entries: Iterable[Entry], endings: Endings, language: Language | None = None
) -> Iterator[Entry]:
    """``entries``, the forms of open classes with the features that endings and frames tell.

    The frames are those of ``language``, by default English.
    """
    described = [_describe_by_endings(entry, endings) for entry in entries]
    meanings = _Meanings(described, endings, language or load_language("en"))
    for entry in described:
        yield meanings.complete(entry) if _is_open(entry) else entry


def _is_open(entry: Entry) -> bool:
    return entry.tag not in CLOSED_TAGS and entry.tag[:2] in _KINDS


def _describe_by_endings(entry: Entry, endings: Endings) -> Entry:
    if not _is_open(entry):
        return entry
    return entry.replace_forms(
        form._replace(
            features=(
                *[feature for feature in form.features if "=" not in feature],
                *endings.features(form.text, entry.tag),
            )
        )
        for form in entry.forms
    )


class _Meanings:
    """What the frames of each tag say of a form, by what most forms in them are.

    A frame that stands for a class of nouns (``class0``, ``s0``) says nothing: that a form was not
    seen with the other class may be chance. Neither does the only frame of a tag. The number and
    person of a finite verb are those of the frame's subject.
    """

    def __init__(self, entries: Iterable[Entry], endings: Endings, language: Language) -> None:
        self._endings = endings
        self._subjects = language.grammar.subjects
        seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for entry in filter(_is_open, entries):
            for features in entry.forms.features:
                known = [feature for feature in features if "=" in feature]
                for frame in _telling_frames(features):
                    seen[entry.tag, frame].update(known)
        frames = Counter(tag for tag, _ in seen)
        self._of_frame = {
            (tag, frame): _agreed(counts) if frames[tag] > 1 else {}
            for (tag, frame), counts in seen.items()
        }

    def complete(self, entry: Entry) -> Entry:
        """``entry`` with what the frames tell and the endings do not.

        A translator that was asked in a frame wrote what belongs there: an ending that says
        otherwise is that of another word. What was read off texts may have been aligned amiss.
        """
        return entry.replace_forms(
            form._replace(features=self._complete(entry.tag, form.features, entry.method))
            for form in entry.forms
        )

    def _complete(self, tag: str, features: tuple[str, ...], method: str) -> tuple[str, ...]:
        by_ending = dict(feature.split("=") for feature in features if "=" in feature)
        by_frame: dict[str, set[str]] = defaultdict(set)
        for frame in _telling_frames(features):
            subject = (
                self._subjects.get(frame.rpartition("_")[2], ()) if penn_tag(tag) in _FINITE else ()
            )
            means = self._of_frame[tag, frame] | dict(one.split("=") for one in subject)
            for category, value in means.items():
                by_frame[category].add(value)
        told = {category: min(values) for category, values in by_frame.items() if len(values) == 1}
        is_amiss = any(by_ending.get(name, value) != value for name, value in told.items())
        if is_amiss:
            by_ending, told = ({}, told) if method != "corpus" else (by_ending, {})
        by_ending = {
            name: value
            for name, value in by_ending.items()
            if all(self._endings.go_together(name, other) for other in told)
        }
        frames = [feature for feature in features if "=" not in feature]
        return (*frames, *sorted(f"{name}={value}" for name, value in (told | by_ending).items()))


def _telling_frames(features: Iterable[str]) -> list[str]:
    return [one for one in features if "=" not in one and not _OF_CLASS.fullmatch(one)]


def _agreed(counts: Counter[str]) -> dict[str, str]:
    """The value of each category that nearly all forms have of which it is known."""
    totals: Counter[str] = Counter()
    for feature, count in counts.items():
        totals[feature.partition("=")[0]] += count
    most = max(totals.values(), default=0)
    return {
        name: value
        for (name, _, value), count in ((f.partition("="), n) for f, n in counts.items())
        if totals[name] >= max(LEAST_FORMS, most * LEAST_TELLING)
        and count >= LEAST_MEANT * totals[name]
    }


def _endings(word: str) -> Iterator[str]:
    """The endings of a word, longest first."""
    for length in range(min(LONGEST, len(word) - 1), 0, -1):
        yield word[-length:]


def _read_words(path: Path) -> Iterator[_Seen]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"The treebank {path} cannot be read.") from None
    found = False
    for line in lines:
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdecimal():
            found = True
            features = fields[5].split("|")
            kept = frozenset(f for f in features if f.partition("=")[0] in CATEGORIES)
            yield fields[1].lower(), fields[3], kept
    if not found:
        raise ConfigurationError(f"{path} is no treebank in CoNLL-U.")
