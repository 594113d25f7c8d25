"""Index of every target form of a dictionary: its features, and other inflections of its word.

Entry: ``FormIndex``. ``features`` describe a word that was found by other means than a form.
``kin`` gives the inflections for a form in a category that an entry has none for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from prism_core.dictionary.entry import Entry, common_start, without_accents

SHORTEST_START = 2
"""Letters that two inflections of a source word share at their start at least (*using*, *uses*)."""
SHORTEST_FORM_START = 4
"""Letters that their target forms share at their start at least."""
LONGEST_REST = 4
"""Letters of a source word after the start shared with another inflection at most (*sitting*)."""
LONGEST_FORM_REST = 5
"""Letters of a target form after the shared start at most: verbs have long endings."""
AGREEING = ("Gender=", "Number=")
"""Categories in which articles and adjectives agree with their noun."""
_INFINITIVE = "infinitive"
"""Frame in which only an infinitive is seen."""
_INFLECTED = ("VB", "NN")
"""Kinds that a context may inflect: nouns too, for the grammar of a sentence alone."""


FormPlaces = tuple[Mapping[str, Sequence[int]], Mapping[tuple[str, str], Sequence[int]]]
"""Places of entries by a form in lower case, and by kind and the start of their word."""


def agreement_of(features: Iterable[str]) -> tuple[str, ...]:
    """Return gender and number, as far as ``features`` state them, in their order."""
    return tuple(feature for feature in features if feature.startswith(AGREEING))


def index_forms(entries: Iterable[Entry], left_out: Collection[str]) -> FormPlaces:
    """Return the places of all ``entries`` but those with a tag that is ``left_out``."""
    by_form: dict[str, list[int]] = defaultdict(list)
    by_start: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, entry in enumerate(entries):
        if entry.tag in left_out:
            continue
        kind = entry.tag[:2]
        if kind in _INFLECTED:
            by_start[kind, entry.word[:SHORTEST_START]].append(place)
        texts = (text for row in entry.rows for text in row.forms.texts)
        for text in dict.fromkeys(map(str.lower, texts)):
            by_form[text].append(place)
    return dict(by_form), dict(by_start)


class FormIndex:
    """The forms of all rows of ``entries``, by kind (the first two letters of the tag)."""

    def __init__(self, entries: Sequence[Entry], places: FormPlaces) -> None:
        self._entries = entries
        self._by_form, self._by_start = places
        self._features: dict[tuple[str, str], tuple[str, ...]] = {}
        self._kin: dict[tuple[str, str], tuple[Entry, ...]] = {}
        self._by_frame: dict[str, tuple[str, ...]] = {}

    def features(self, text: str, tag: str) -> tuple[str, ...]:
        """Return the features of ``text`` (any case) as a word of the kind of ``tag``, sorted.

        If no such word has the form, its features as a word of another kind are returned, if it is
        of a single one. A category in which the rows differ is left out.
        """
        key = text.lower(), tag[:2]
        if key[0] not in self._by_form:
            return ()
        if key in self._features:
            return self._features[key]
        text, kind = key
        seen = [
            (row.tag[:2], features)
            for row in self._list_rows(self._by_form[text])
            for form, features in zip(row.forms.texts, row.forms.features, strict=True)
            if features and form.lower() == text
        ]
        kinds = {known for known, _ in seen}
        if kind not in kinds:
            kind = kinds.pop() if len(kinds) == 1 else ""
        stated = {feature for known, features in seen if known == kind for feature in features}
        if _INFINITIVE in stated:  # surer than the ending of *unirse*
            stated = {feature for feature in stated if not feature.startswith("VerbForm=")} | {
                "VerbForm=Inf"
            }
        values = Counter(feature.partition("=")[0] for feature in stated)
        known_once = (f for f in stated if values[f.partition("=")[0]] == 1)
        return self._features.setdefault(key, tuple(sorted(known_once)))

    def features_of_frame(self, frame: str) -> tuple[str, ...]:
        """Return ``frame`` and the gender and number that most forms seen in it have."""
        if not self._by_frame:
            counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
            by_text: dict[str, dict[tuple[str, ...], None]] = defaultdict(dict)
            for row in self._list_rows(chain.from_iterable(self._by_form.values())):
                for text, features in zip(row.forms.texts, row.forms.features, strict=True):
                    if features:
                        by_text[text.lower()][features] = None
            for features, times in Counter(chain.from_iterable(by_text.values())).items():
                agreement = agreement_of(features)
                for name in features:
                    for feature in agreement if "=" not in name else ():
                        counts[name][feature.partition("=")[0]][feature] += times
            for name, categories in counts.items():
                most = (values.most_common(1)[0][0] for values in categories.values())
                self._by_frame[name] = tuple(sorted((name, *most)))
        return self._by_frame.get(frame, (frame,))

    def _list_rows(self, places: Iterable[int]) -> Iterator[Entry]:
        return (row for place in dict.fromkeys(places) for row in self._entries[place].rows)

    def kin(self, entry: Entry) -> tuple[Entry, ...]:
        """Return entries of the same verb (or noun), or other inflections of it; else none.

        A phrase has its verb first, and its kin have the same words after that.

        Another inflection begins as the word does, and its translation begins as the word's first
        form does; of several under one tag the most similar is returned. The word itself is first.
        """
        key = entry.word, entry.tag
        if key in self._kin:
            return self._kin[key]
        kind, (head, _, after) = entry.tag[:2], entry.word.partition(" ")
        start = head[:-LONGEST_REST]  # all similar words begin with it
        best: dict[str, tuple[int, Entry]] = {}
        for place in self._by_start.get((kind, entry.word[:SHORTEST_START]), ()):
            other = self._entries[place]
            if not other.word.startswith(start):
                continue
            other_head, _, other_after = other.word.partition(" ")
            shared = common_start(head, other_head) if after == other_after else 0
            rest = len(head) + len(other_head) - 2 * shared
            is_near = other.tag != entry.tag and rest <= 2 * LONGEST_REST
            if is_near and (other.word == entry.word or _are_alike(entry, other)):
                known = best.get(other.tag)
                if known is None or rest < known[0]:
                    best[other.tag] = rest, other
        ranked = sorted(best.values(), key=lambda found: (found[0], found[1].tag))
        return self._kin.setdefault(key, tuple(other for _, other in ranked))


def _are_alike(entry: Entry, other: Entry) -> bool:
    """Return True if both words, and forms of both, differ only in a short ending."""
    head, other_head = entry.word.split(" ")[0], other.word.split(" ")[0]
    if max(len(head), len(other_head)) - common_start(head, other_head) > LONGEST_REST:
        return False
    own = without_accents(entry.forms.texts[0])
    start = own[:SHORTEST_FORM_START]
    is_short_noun = entry.tag.startswith("NN") and own == start  # *mês*, *meses*
    return (is_short_noun or len(start) == SHORTEST_FORM_START) and any(
        plain.startswith(start)
        and max(len(own), len(text)) - common_start(own, plain) <= LONGEST_FORM_REST
        for row in other.rows
        for text in row.forms.texts
        for plain in [without_accents(text)]
    )
