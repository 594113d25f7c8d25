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
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations
from pathlib import Path

from prism_core.dictionary import CLOSED_TAGS, Entry
from prism_core.errors import ConfigurationError
from prism_core.language import penn_tag
from prism_core.languages import Language, load_language

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
LEAST_FORMS = 20
LEAST_MEANT = 0.9
"""A frame means a value that this share of at least so many forms in it have."""
LEAST_TELLING = 0.3
"""A category belongs to a frame when it is known of this share of those of the commonest one."""
LEAST_OF_DECLINED = 0.01
"""An ending is one of adjectives that so many of them have."""
_OF_CLASS = re.compile(r"(class|s|p)\d+")
"""Frames that stand for a class of nouns beside which a form was seen."""
_NOUN_CLASS = "class"
_TOLD_BY_CLASS = ("Gender", "Case", "Number")
LEAST_OF_CLASS = 0.5
"""A class is of the gender that this share of its nouns has of which it is known."""
_KINDS = {"NN": ("NOUN",), "JJ": ("ADJ",), "RB": ("ADV",), "VB": ("VERB", "AUX")}
"""Parts of speech of the treebank by how the tag of a source word begins."""
_FINITE = ("VB", "VBD", "VBP", "VBZ")
_OPEN = frozenset(kind for kinds in _KINDS.values() for kind in kinds)
_PARTICIPLES = ("VBN", "VBG")
_DECLINED = ("JJ", "VBN")
_OF_POSITIVE = ("Degree=Pos", f"{ENDING}=")
_INFINITIVE = "infinitive"
"""The frame that an infinitive is seen in, if the form that stands there is a verb at all."""
_FINITE_FORM = "VerbForm=Fin"

_Seen = tuple[str, str, frozenset[str]]
"""A word in lower case, its part of speech, and its features."""


class Endings:
    """What the words of a treebank say of the forms that end as they do."""

    def __init__(self, words: Iterable[_Seen], *, nouns_have_capitals: bool = False) -> None:
        self._nouns_have_capitals = nouns_have_capitals
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
        words, nouns_have_capitals = _read_words(path)
        return cls(words, nouns_have_capitals=nouns_have_capitals)

    def may_be(self, word: str, tag: str) -> bool:
        """Whether the treebank has ``word`` as what ``tag`` says, or has not seen it at all."""
        known = self._kinds.get(word)
        return known is None or not known.isdisjoint(_kinds_of(tag))

    def features(self, form: str, tag: str) -> tuple[str, ...]:
        """The features of ``form``, of a source word under ``tag``: ``Number=Sing`` …, sorted.

        A phrase has those of its first word that has any. Empty where nothing is known. A word that
        the treebank knows as another part of speech alone has those it has there. What stands for
        a participle is no finite verb in a language whose adjectives have endings (``ENDING``), and
        what has a capital, and is no adjective, is a noun where all of these have one.
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
                if found is not None and not (
                    penn_tag(tag) == "VBN" and _FINITE_FORM in found and self.of_adjectives
                ):
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
    entries = list(entries)
    declined = _Declined(entries, endings)
    described = [declined.describe(_describe_by_endings(entry, endings)) for entry in entries]
    meanings = _Meanings(described, endings, language or load_language("en"))
    for entry in described:
        yield meanings.complete(entry) if _is_open(entry) else entry


class _Declined:
    """Which ending each adjective and participle has, as the other forms of ``entries`` show it.

    What is left without it is written with another ending elsewhere: *offen* ends in none, since
    there is *offene*, and no *offe*.
    """

    def __init__(self, entries: Iterable[Entry], endings: Endings) -> None:
        self._endings = sorted(endings.of_adjectives, key=lambda one: (-len(one), one))
        self._known = {
            text.lower()
            for entry in (entries if self._endings else ())
            if entry.tag.startswith(_DECLINED)
            for text in entry.forms.texts
        }

    def describe(self, entry: Entry) -> Entry:
        """``entry`` with the endings of its forms, as far as they are told."""
        if not (self._endings and entry.tag in _DECLINED):
            return entry
        return entry.replace_forms(
            form._replace(features=self._tell(form.text, entry.tag, form.features))
            for form in entry.forms
        )

    def _tell(self, text: str, tag: str, features: tuple[str, ...]) -> tuple[str, ...]:
        if " " in text or any("=" in one and not one.startswith(_OF_POSITIVE) for one in features):
            return features
        is_beside_noun = any(_OF_CLASS.fullmatch(one) for one in features)
        word, is_lower = text.lower(), text.islower()
        own = [one for one in self._endings if word.endswith(one) and len(word) > len(one) + 2]
        found = next((one for one in own if self._is_stem(word.removesuffix(one), one)), "")
        if not found and is_beside_noun and not self._is_stem(word, ""):
            found = own[0] if own else ""
        if found or self._is_stem(word, "") or (is_lower and (not own or tag == "VBN")):
            kept = [one for one in features if not one.startswith(f"{ENDING}=")]
            return (*kept, f"{ENDING}={found or NO_ENDING}")
        return features

    def _is_stem(self, stem: str, ending: str) -> bool:
        others = ("", *self._endings) if ending else self._endings
        return any(one != ending and stem + one in self._known for one in others)


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
        self._of_class = _find_class_meanings(entries)

    def complete(self, entry: Entry) -> Entry:
        """``entry`` with what the frames tell and the endings do not, and of a noun of one word what
        its class tells, which was read off the articles that stand before it.

        A translator that was asked in a frame wrote what belongs there: an ending that says
        otherwise is that of another word. What was read off texts may have been aligned amiss.
        """
        return entry.replace_forms(
            form._replace(
                features=self._tell_class(
                    entry.tag, form.text, self._complete(entry.tag, form.features, entry.method)
                )
            )
            for form in entry.forms
        )

    def _tell_class(self, tag: str, text: str, features: tuple[str, ...]) -> tuple[str, ...]:
        told = {tuple(sorted(self._of_class.get((tag, one), {}).items())) for one in features}
        told.discard(())
        if len(told) != 1 or " " in text:
            return features
        means = dict(min(told))
        if any(one.startswith("Number=") for one in features):  # *Unruhen* has *die* before it too
            means.pop("Number", None)
        kept = [one for one in features if one.partition("=")[0] not in means]
        frames = [one for one in kept if "=" not in one]
        by_class = [f"{name}={value}" for name, value in means.items()]
        return (*frames, *sorted({*by_class, *kept} - {*frames}))

    def _complete(self, tag: str, features: tuple[str, ...], method: str) -> tuple[str, ...]:
        by_ending = dict(feature.split("=") for feature in features if "=" in feature)
        if _INFINITIVE in features and not {"VerbForm", "Gender"} & by_ending.keys():
            return (*(one for one in features if "=" not in one), "VerbForm=Inf")
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


def _find_class_meanings(entries: Iterable[Entry]) -> Mapping[tuple[str, str], dict[str, str]]:
    """By tag and class of nouns that texts were read for, what gender, case and number they are of.

    No two classes of a tag are of one gender: the surest has it.
    """
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        if entry.tag[:2] == "NN" and entry.method == "corpus":
            for features in entry.forms.features:
                classes = [one for one in features if one.startswith(_NOUN_CLASS)]
                if len(classes) == 1:
                    seen[entry.tag, classes[0]].update(features)
    meanings: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    ranked: list[tuple[float, tuple[str, str], str]] = []
    for key, counts in seen.items():
        told = {one: count for one, count in counts.items() if one.startswith(_TOLD_BY_CLASS)}
        for one, count in told.items():
            name, _, value = one.partition("=")
            total = sum(n for other, n in told.items() if other.startswith(name))
            if name == "Gender" and count >= max(LEAST_FORMS, LEAST_OF_CLASS * total):
                ranked.append((count / total, key, value))
            elif name != "Gender" and count >= max(LEAST_FORMS, LEAST_MEANT * total):
                meanings[key][name] = value
    taken: set[tuple[str, str]] = set()
    for _, (tag, of_class), value in sorted(ranked, reverse=True):
        if "Case" not in meanings[tag, of_class] and (tag, value) not in taken:
            taken.add((tag, value))
            meanings[tag, of_class].setdefault("Gender", value)
    return meanings


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


def _read_words(path: Path) -> tuple[list[_Seen], bool]:
    """The words of a treebank, and whether it has all nouns with capitals."""
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
    for _, text, lemma, kind, _, said, *_ in words:
        kept = {f for f in said.split("|") if f.partition("=")[0] in CATEGORIES}
        if kind == "ADJ" and has_cases:
            kept = _tell_ending(text.lower(), lemma.lower(), kept)
        seen.append((text.lower(), kind, frozenset(kept)))
    return seen, have_capitals


def _tell_ending(word: str, lemma: str, features: set[str]) -> set[str]:
    """``features`` of an adjective with its ending in place of the categories that it may have."""
    kept = {one for one in features if one.partition("=")[0] not in AGREEING}
    if "Degree=Pos" in kept and word.startswith(lemma) and lemma != "_":
        kept.add(f"{ENDING}={word.removeprefix(lemma) or NO_ENDING}")
    return kept
