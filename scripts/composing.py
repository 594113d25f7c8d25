"""A dictionary of a pair that nobody's output is there of, by way of a third language.

What a translator makes of *casa* in English, and of that in French, is likely what it makes of
*casa* in French: large translators often take that way themselves. Entries of one translator are
joined with those of the same one alone.

Entry: ``compose_entries``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from prism_core.building.associations import CORPUS
from prism_core.dictionary import FUNCTION_TAG, NAME_TAGS, Entry, Form
from prism_core.language import penn_tag

METHOD = "composed"
MOST_FORMS = 8
LEAST_SHARE = 0.05
"""A form that comes by less of all ways than this is left out."""
_NAMES = "names"
_NUMBERS = {"S": "Number=Sing", "P": "Number=Plur"}

_Words = Mapping[tuple[str, str], Sequence[Entry]]


def compose_entries(
    first: Iterable[Entry], second: Iterable[Entry], built: str = ""
) -> list[Entry]:
    """Entries from the source of ``first`` to the target of ``second``, by the language between.

    Only what was read off a translator's output counts, and names that both leave as they are. The
    confidence is that of both ways, one after the other; ``built`` is the day (ISO 8601).
    """
    known: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in second:
        known[entry.translator, entry.word].append(entry)
    return [made for entry in first if (made := _compose(entry, known, built))]


def _compose(entry: Entry, known: _Words, built: str) -> Entry | None:
    if entry.method == _NAMES and entry.tag in NAME_TAGS:
        same = known.get((entry.translator, entry.word), ())
        return entry if any(one.tag == entry.tag for one in same) else None
    if entry.method != CORPUS:
        return None
    total = sum(entry.forms.scores)
    shares: dict[str, float] = defaultdict(float)
    best: dict[str, tuple[float, Form, Entry]] = {}
    confidence = 0.0
    for form in entry.forms:
        way = next(_ways(entry, form, known), None)
        if way is None:
            continue
        through = form.score / total
        confidence += through * way.confidence
        fitting = [one for one in way.forms if _fits(entry.tag, one)]
        for one in fitting:
            share = through * one.score / sum(each.score for each in fitting)
            shares[one.text] += share
            best[one.text] = max(best.get(one.text, (0.0, one, way)), (share, one, way))
    order = sorted(shares, key=lambda text: (-shares[text], text))
    kept = [text for text in order if shares[text] >= LEAST_SHARE][:MOST_FORMS]
    if not kept:
        return None
    forms = sorted(
        (best[text][1]._replace(score=shares[text] * best[text][1].score) for text in kept),
        key=lambda form: (-form.score, form.text),
    )
    return entry._replace(
        agreement=best[kept[0]][2].agreement,
        confidence=entry.confidence * confidence,
        calls=0.0,
        method=METHOD,
        built=built,
        calibrated=0.0,
        sureness=entry.confidence * confidence,
    ).replace_forms(forms)


def _ways(entry: Entry, form: Form, known: _Words) -> Iterator[Entry]:
    """The entries of ``form`` in the language between, those of the word's own kind first."""
    tag, found = penn_tag(entry.tag), known.get((entry.translator, form.text), ())
    if tag == FUNCTION_TAG:
        yield from (one for one in found if one.tag == tag)
        return
    if tag == "VBP" and entry.tag.endswith("3S"):
        tag = "VBZ"
    own = [one for one in found if one.tag[:2] == tag[:2]]
    yield from sorted(own, key=lambda one: (one.tag != tag, -one.confidence, one.tag))


def _fits(tag: str, form: Form) -> bool:
    """Whether ``form`` is in no other number or person than the ``tag`` tells: ``VBP-3S``."""
    told = tag.partition("-")[2]
    number = _NUMBERS.get(told[-1:])
    if penn_tag(tag) in ("NN", "NNS"):
        number = _NUMBERS["P" if penn_tag(tag) == "NNS" else "S"]
    other = {one for one in _NUMBERS.values() if one != number} if number else set()
    person = next((one for one in told if one.isdigit()), "")
    persons = {feature for feature in form.features if feature.startswith("Person=")}
    return other.isdisjoint(form.features) and (
        not person or not persons or f"Person={person}" in persons
    )
