"""The grammatical category of target forms: number, gender, person, tense …

A form gets the features on which the words of a treebank agree that end so (``Endings``), so that
the original goes in by category, whoever's row its form is from. What an ending leaves open
(*hablo* may be a noun) the frames tell in which the form was seen: what each of these means is read
off the forms whose ending is telling.

Entry: ``describe`` adds features to the forms of entries: endings -> endings of adjectives with
cases (``_AdjectiveEndings``) -> what frames and classes mean (``_FrameFeatures``) -> all together.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from prism_core.building.treebank import ENDING, KINDS, NO_ENDING, Endings
from prism_core.dictionary import CLOSED_TAGS, Entry
from prism_core.language import penn_tag
from prism_core.languages import Language, load_language

LEAST_FORMS = 20
LEAST_MEANT = 0.9
"""A frame means a value that this share of at least so many forms in it have."""
LEAST_TELLING = 0.3
"""A category belongs to a frame when it is known of this share of those of the commonest one."""
_OF_CLASS = re.compile(r"(class|s|p)\d+")
"""Frames that stand for a class of nouns beside which a form was seen."""
_NOUN_CLASS = "class"
_TOLD_BY_CLASS = ("Gender=", "Case=", "Number=")
UNMARKED = "Nom"
"""The case of a noun whose form shows none (``scripts/silver_treebank.py``)."""
LEAST_OF_CLASS = 0.5
"""A class is of the gender that this share of its nouns has of which it is known."""
_FINITE = ("VB", "VBD", "VBP", "VBZ")
_DECLINED = ("JJ", "VBN")
_DECLINES = ("Degree=Pos", f"{ENDING}=", "VerbForm=Part")
"""What is told of a form that may have one of the endings of adjectives."""
_INFINITIVE = "infinitive"
"""The frame that an infinitive is seen in, if the form that stands there is a verb at all."""


def annotate_features(
    entries: Iterable[Entry], endings: Endings, language: Language | None = None
) -> Iterator[Entry]:
    """``entries``, the forms of open classes with the features that endings and frames tell.

    The frames are those of ``language``, by default English.
    """
    entries = list(entries)
    declined = _AdjectiveEndings(entries, endings)
    described = [
        declined.annotate_features(_describe_by_endings(entry, endings)) for entry in entries
    ]
    meanings = _FrameFeatures(described, endings, language or load_language("en"))
    for entry in described:
        yield meanings.complete(entry) if _is_open(entry) else entry


class _AdjectiveEndings:
    """Which ending each adjective and participle has, as the other forms of ``entries`` show it.

    What is left without it is written with another ending elsewhere: *offen* ends in none, since
    there is *offene*, and no *offe*.
    """

    def __init__(self, entries: Iterable[Entry], endings: Endings) -> None:
        self._may_be = endings.may_be
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
        if " " in text or any("=" in one and not one.startswith(_DECLINES) for one in features):
            return features
        if not self._may_be(text.lower(), tag):
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
    return entry.tag not in CLOSED_TAGS and entry.tag[:2] in KINDS


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


class _FrameFeatures:
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
        """``entry`` with what the frames tell and the endings do not.

        A noun of one word has what its class tells, which was read off the articles before it.

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
    """By tag and class of nouns that texts were read for, what gender, case and number they have.

    No two classes of a tag are of one gender: the surest has it.
    """
    meanings: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    ranked: list[tuple[float, tuple[str, str], str]] = []
    for key, counts in _count_by_class(entries).items():
        for one, count in counts.items():
            name, _, value = one.partition("=")
            total = sum(n for other, n in counts.items() if other.startswith(f"{name}="))
            least = LEAST_OF_CLASS if name == "Gender" else LEAST_MEANT
            if count >= max(LEAST_FORMS, least * total):
                if name == "Gender":
                    ranked.append((count / total, key, value))
                else:
                    meanings[key][name] = value
    taken: set[tuple[str, str]] = set()
    for _, (tag, of_class), value in sorted(ranked, reverse=True):
        case = meanings[tag, of_class].get("Case", UNMARKED)
        if case == UNMARKED and (tag, value) not in taken:
            taken.add((tag, value))
            meanings[tag, of_class].setdefault("Gender", value)
    return meanings


def _count_by_class(entries: Iterable[Entry]) -> Mapping[tuple[str, str], Counter[str]]:
    """What the endings tell of the nouns that have one class alone."""
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        if entry.tag[:2] == "NN" and entry.method == "corpus":
            for features in entry.forms.features:
                classes = [one for one in features if one.startswith(_NOUN_CLASS)]
                if len(classes) == 1:
                    told = [one for one in features if one.startswith(_TOLD_BY_CLASS)]
                    seen[entry.tag, classes[0]].update(told)
    return seen


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
