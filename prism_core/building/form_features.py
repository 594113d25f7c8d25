"""Annotation of target forms with grammatical features: number, gender, person and tense.

A feature is a string ``Category=Value`` of Universal Dependencies (``Number=Sing``). A feature
without ``=`` is a slot in which the form was seen: a frame (``she``, ``infinitive``), the class of
a noun (``class0``), or the number and class of the noun beside an adjective (``s0``, ``p1``).
``Ending=en`` (``ENDING``) replaces gender, number and case of adjectives in a language with cases.

A form first gets the features on which treebank words with the same ending agree (``Endings``), so
that decoding can choose by category, whoever's row the form is from. An ending may leave a category
open (*hablo* may be a noun). The frames in which the form was seen then supply it; the features of
a frame are learned from its forms whose ending is unambiguous.

Entry: ``annotate_features``: treebank endings -> endings of adjectives with cases
(``_AdjectiveEndings``) -> features of frames and noun classes (``_FrameFeatures``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from prism_core.building.associations import CORPUS
from prism_core.building.treebank import ENDING, KINDS, NO_ENDING, Endings
from prism_core.dictionary import CLOSED_TAGS, Entry
from prism_core.language import penn_tag
from prism_core.languages import Language, load_language

LEAST_FORMS = 20
"""Minimum number of forms in a frame from which a value is learned."""
LEAST_AGREEING = 0.9
"""Share of these forms that must have the value."""
LEAST_KNOWN_SHARE = 0.3
"""Minimum number of forms with the category, as a share of those with the commonest category."""
_CLASS_SLOT = re.compile(r"(class|s|p)\d+")
"""Slots that stand for a class of nouns beside which a form was seen."""
_CLASS_PREFIX = "class"
_CLASS_CATEGORIES = ("Gender=", "Case=", "Number=")
UNMARKED = "Nom"
"""Case of a noun whose form shows none (``scripts/silver_treebank.py``)."""
LEAST_GENDER_SHARE = 0.5
"""Share of a class's nouns of known gender that must have a gender for the class to have it."""
_FINITE = ("VB", "VBD", "VBP", "VBZ")
_INFLECTING_TAGS = ("JJ", "VBN")
_INFLECTING_FEATURES = ("Degree=Pos", f"{ENDING}=", "VerbForm=Part")
"""Features of a form that may have one of the endings of adjectives."""
_INFINITIVE = "infinitive"
"""Frame of infinitives; the form in it is one if it is a verb at all."""


def annotate_features(
    entries: Iterable[Entry], endings: Endings, language: Language | None = None
) -> Iterator[Entry]:
    """Yield ``entries`` with the features that endings and frames show on forms of open classes.

    The frames are those of ``language``, by default English.
    """
    entries = list(entries)
    adjectives = _AdjectiveEndings(entries, endings)
    annotated = [
        adjectives.add_endings(_add_features_by_ending(entry, endings)) for entry in entries
    ]
    frame_features = _FrameFeatures(annotated, endings, language or load_language("en"))
    for entry in annotated:
        yield frame_features.add_frame_features(entry) if _is_open(entry) else entry


class _AdjectiveEndings:
    """Endings of adjectives and participles, inferred from the other forms of ``entries``.

    A stem is a string that also occurs with another ending: *offen* has no ending, because *offene*
    exists and *offe* does not.
    """

    def __init__(self, entries: Iterable[Entry], endings: Endings) -> None:
        self._may_be = endings.may_have_tag
        self._endings = sorted(endings.of_adjectives, key=lambda ending: (-len(ending), ending))
        self._known = {
            text.lower()
            for entry in (entries if self._endings else ())
            if entry.tag.startswith(_INFLECTING_TAGS)
            for text in entry.forms.texts
        }

    def add_endings(self, entry: Entry) -> Entry:
        """Return ``entry`` with the endings of its forms, as far as they can be inferred."""
        if not (self._endings and entry.tag in _INFLECTING_TAGS):
            return entry
        return entry.replace_forms(
            form._replace(features=self._add_ending(form.text, entry.tag, form.features))
            for form in entry.forms
        )

    def _add_ending(self, text: str, tag: str, features: tuple[str, ...]) -> tuple[str, ...]:
        if " " in text or any(
            "=" in feature and not feature.startswith(_INFLECTING_FEATURES) for feature in features
        ):
            return features
        if not self._may_be(text.lower(), tag):
            return features
        is_beside_noun = any(map(_CLASS_SLOT.fullmatch, features))
        word, is_lower = text.lower(), text.islower()
        fitting = [
            ending
            for ending in self._endings
            if word.endswith(ending) and len(word) > len(ending) + 2
        ]
        stems = ((ending, word.removesuffix(ending)) for ending in fitting)
        found = next((ending for ending, stem in stems if self._is_stem(stem, ending)), "")
        if not found and is_beside_noun and not self._is_stem(word, ""):
            found = fitting[0] if fitting else ""
        if found or self._is_stem(word, "") or (is_lower and (not fitting or tag == "VBN")):
            kept = [feature for feature in features if not feature.startswith(f"{ENDING}=")]
            return (*kept, f"{ENDING}={found or NO_ENDING}")
        return features

    def _is_stem(self, stem: str, ending: str) -> bool:
        others = ("", *self._endings) if ending else self._endings
        return any(other != ending and stem + other in self._known for other in others)


def _is_open(entry: Entry) -> bool:
    return entry.tag not in CLOSED_TAGS and entry.tag[:2] in KINDS


def _add_features_by_ending(entry: Entry, endings: Endings) -> Entry:
    if not _is_open(entry):
        return entry
    return entry.replace_forms(
        form._replace(
            features=(
                *[feature for feature in form.features if "=" not in feature],
                *endings.find_features(form.text, entry.tag),
            )
        )
        for form in entry.forms
    )


class _FrameFeatures:
    """Features of each tag's frames, learned from most forms in them.

    A frame that stands for a class of nouns (``class0``, ``s0``) adds nothing: that a form was not
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
                for frame in _select_informative_frames(features):
                    seen[entry.tag, frame].update(known)
        frames = Counter(tag for tag, _ in seen)
        self._frame_values = {
            (tag, frame): _select_agreed_values(counts) if frames[tag] > 1 else {}
            for (tag, frame), counts in seen.items()
        }
        self._class_values = _find_class_values(entries)

    def add_frame_features(self, entry: Entry) -> Entry:
        """Return ``entry`` with the features that the frames show and the endings do not.

        A noun of one word also has the features of its class, which was read off the articles
        before it.

        A translator that was queried in a frame wrote a form that belongs there: a contradicting
        ending is that of another word. A form read off texts may have been aligned wrongly, so
        there the ending wins.
        """
        return entry.replace_forms(
            form._replace(
                features=self._add_class_features(
                    entry.tag,
                    form.text,
                    self._merge_frame_values(entry.tag, form.features, entry.method),
                )
            )
            for form in entry.forms
        )

    def _add_class_features(
        self, tag: str, text: str, features: tuple[str, ...]
    ) -> tuple[str, ...]:
        values = {
            tuple(sorted(self._class_values.get((tag, feature), {}).items()))
            for feature in features
        }
        values.discard(())
        if len(values) != 1 or " " in text:
            return features
        values_by_category = dict(min(values))
        if any(
            feature.startswith("Number=") for feature in features
        ):  # *Unruhen* has *die* before it too
            values_by_category.pop("Number", None)
        kept = [
            feature for feature in features if feature.partition("=")[0] not in values_by_category
        ]
        frames = [feature for feature in kept if "=" not in feature]
        by_class = [f"{name}={value}" for name, value in values_by_category.items()]
        return (*frames, *sorted({*by_class, *kept} - {*frames}))

    def _merge_frame_values(
        self, tag: str, features: tuple[str, ...], method: str
    ) -> tuple[str, ...]:
        by_ending = dict(feature.split("=") for feature in features if "=" in feature)
        if _INFINITIVE in features and not {"VerbForm", "Gender"} & by_ending.keys():
            return (*(feature for feature in features if "=" not in feature), "VerbForm=Inf")
        by_frame: dict[str, set[str]] = defaultdict(set)
        for frame in _select_informative_frames(features):
            subject = (
                self._subjects.get(frame.rpartition("_")[2], ()) if penn_tag(tag) in _FINITE else ()
            )
            values_of_frame = self._frame_values[tag, frame] | dict(
                feature.split("=") for feature in subject
            )
            for category, value in values_of_frame.items():
                by_frame[category].add(value)
        agreed = {
            category: min(values) for category, values in by_frame.items() if len(values) == 1
        }
        is_contradicted = any(by_ending.get(name, value) != value for name, value in agreed.items())
        if is_contradicted:
            by_ending, agreed = ({}, agreed) if method != CORPUS else (by_ending, {})
        by_ending = {
            name: value
            for name, value in by_ending.items()
            if all(self._endings.occur_together(name, other) for other in agreed)
        }
        frames = [feature for feature in features if "=" not in feature]
        return (*frames, *sorted(f"{name}={value}" for name, value in (agreed | by_ending).items()))


def _find_class_values(entries: Iterable[Entry]) -> Mapping[tuple[str, str], dict[str, str]]:
    """Find gender, case and number by tag and class of nouns that were read off texts.

    No two classes of a tag share a gender: the one with the highest share has it.
    """
    meanings: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    ranked: list[tuple[float, tuple[str, str], str]] = []
    for key, counts in _count_by_class(entries).items():
        for feature, count in counts.items():
            name, _, value = feature.partition("=")
            total = sum(
                other_count for other, other_count in counts.items() if other.startswith(f"{name}=")
            )
            least = LEAST_GENDER_SHARE if name == "Gender" else LEAST_AGREEING
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
    """Count the features that the endings show for nouns of one class alone."""
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for entry in entries:
        if entry.tag[:2] == "NN" and entry.method == CORPUS:
            for features in entry.forms.features:
                classes = [feature for feature in features if feature.startswith(_CLASS_PREFIX)]
                if len(classes) == 1:
                    values = [
                        feature for feature in features if feature.startswith(_CLASS_CATEGORIES)
                    ]
                    seen[entry.tag, classes[0]].update(values)
    return seen


def _select_informative_frames(features: Iterable[str]) -> list[str]:
    return [
        feature for feature in features if "=" not in feature and not _CLASS_SLOT.fullmatch(feature)
    ]


def _select_agreed_values(counts: Counter[str]) -> dict[str, str]:
    """Select the value of each category that nearly all forms with the category have."""
    totals: Counter[str] = Counter()
    for feature, count in counts.items():
        totals[feature.partition("=")[0]] += count
    most = max(totals.values(), default=0)
    least = max(LEAST_FORMS, most * LEAST_KNOWN_SHARE)
    return {
        name: value
        for feature, count in counts.items()
        for name, _, value in [feature.partition("=")]
        if totals[name] >= least and count >= LEAST_AGREEING * totals[name]
    }
