"""Words of x_pub that came back as parts of one: *crisis package*, *Krisenpaket*.

Entry: ``find_compounds`` of adjacent lost words; ``split_found`` for a lost one if the word beside
it was found as the whole; ``find_in_free`` if nothing was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from itertools import pairwise

from prism_core.alignment import Span
from prism_core.decoding.ambiguous_entries import WORDS, list_forms
from prism_core.decoding.decoded import Found, SearchStrategy
from prism_core.decoding.target_text import SHORTEST_START, TargetText
from prism_core.decoding.weak import Shown, shown_words
from prism_core.dictionary import LEFT_PREFIX, Dictionary, common_start
from prism_core.mechanisms import capitalise
from prism_core.record import Encoded, Replacement

_LONGEST = 3
"""Maximum number of words of x_pub that are one word in the answer."""
_SHORTEST = 7
"""Minimum number of letters of a compound."""
_SHORTEST_ALONE = 5
"""Minimum number of letters of a part that proves a compound alone."""
_LONGEST_LINK = 3
"""Maximum number of letters between two parts: *Regierung-s-krise*."""
_KEPT = -1
_LIKE, _ALIKE = 0.6, 0.8
"""Share of a form that must begin the compound: if its end is proven too, and if not."""

Forms = Mapping[int, Sequence[str]]
"""Forms of lost substitutes in lower case, by position."""
_Replace = Callable[[Span, Replacement, SearchStrategy], Found]
_Places = MutableMapping[int, Found | None]


def find_compounds(
    forms: Forms, shown: Sequence[Shown], target: TargetText, *, is_proven: bool
) -> Iterator[Mapping[int, Span]]:
    """Yield the spans of lost neighbours, whose ``forms`` are given, in free words, by position.

    A proven compound begins as the first of two or three and ends as the last. Any other begins or
    ends as one of two, and is a noun by its capital, not at the start of the text. No result is
    given where several words would do. No place or substitute is given twice.
    """
    cut = _cut_proven if is_proven else _cut_by_one
    words = [
        word
        for word in target.free_words()
        if len(word[0]) >= _SHORTEST and (is_proven or (word[1] and target.text[word[1]].isupper()))
    ]
    lost = set(forms)
    for run in _runs(lost, shown, is_proven) if words else ():
        fits = ((start, cut(word, [forms[at] for at in run])) for word, start, _ in words)
        found = [(start, cuts) for start, cuts in fits if cuts]
        if len(found) == 1 and lost.issuperset(run):
            ((start, cuts),) = found
            words = [word for word in words if word[1] != start]
            lost = lost.difference(run)
            yield dict(zip(run, pairwise(start + cut for cut in cuts), strict=True))


def _runs(
    lost: Collection[int], shown: Sequence[Shown], is_proven: bool
) -> Iterator[tuple[int, ...]]:
    """Yield the positions of lost neighbours, the longest runs first, *sum of money* last."""
    places = [_KEPT if word.position is None else word.position for word in shown]
    for length in range(_LONGEST if is_proven else 2, 1, -1):
        for first in range(len(places) - length + 1):
            run = tuple(at for at in places[first : first + length] if at in lost)
            if len(set(run)) == length:
                yield run
    for before, between, after in zip(places, places[1:], places[2:], strict=False):
        if is_proven and between == _KEPT and before in lost and after in lost:
            yield after, before


def _cut_proven(word: str, parts: Sequence[Sequence[str]]) -> list[int]:
    """Return the places at which ``word`` is cut if it begins and ends as ``parts``; else none."""
    size, (first, *inner, last) = len(word), parts
    starts = [common_start(form, word) for form in first if _begins_as(form, word, _LIKE)]
    ends = [len(form) for form in last if len(form) >= SHORTEST_START and word.endswith(form)]
    between = (SHORTEST_START, size) if inner else (-1, _LONGEST_LINK)
    for start in sorted(starts, reverse=True):
        for end in sorted(ends, reverse=True):
            if between[0] <= size - start - end <= between[1]:
                return [0, start, size - end, size] if inner else [0, size - end, size]
    return []


def _cut_by_one(word: str, parts: Sequence[Sequence[str]]) -> list[int]:
    """Return the same if one of two parts proves it, and enough letters are left for the other."""
    size, (first, last) = len(word), parts
    starts = [common_start(form, word) for form in first if _begins_as(form, word, _ALIKE)]
    ends = [len(form) for form in last if word.endswith(form)]
    cuts = [start for start in starts if start >= _SHORTEST_ALONE]
    cuts += [size - end for end in ends if end >= _SHORTEST_ALONE]
    inside = [cut for cut in cuts if SHORTEST_START <= cut <= size - SHORTEST_START]
    return [0, max(inside), size] if inside else []


def _begins_as(form: str, word: str, share: float) -> bool:
    """Return True if ``word`` begins with at least ``share`` of ``form``."""
    return common_start(form, word) >= max(SHORTEST_START, share * len(form))


def split_found(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary, replace: _Replace
) -> None:
    """Give lost words the beginning of the word that was found for the next one of x_pub.

    The next one is right after it, or before it with one linking word between (*clash of
    interests*). It must be a translated word: one that the translator leaves as it is, such as a
    name, has no parts. The originals are written separately, nouns with a hyphen.
    """
    shown = shown_words(encoded)
    places = [word.position for word in shown]
    words = {
        replacement.position
        for replacement in encoded.record
        if replacement.kind in WORDS and not replacement.drawn_as.startswith(LEFT_PREFIX)
    }
    equals = dictionary.language.words.between_equals
    for lost in _list_lost(encoded.record, found, dictionary):
        at = places.index(lost.position) if lost.position in places else len(places)
        heads = places[at + 1 : at + 2]
        if 1 < at < len(places) and places[at - 1] is None and shown[at - 1].text not in equals:
            heads.append(places[at - 2])
        for head in [found.get(position) for position in heads if position in words]:
            whole = target.text[slice(*head.span)].lower() if head else ""
            forms = _list_single_words(lost, dictionary) if whole.isalpha() else []
            starts = [common_start(form, whole) for form in forms if _begins_as(form, whole, _LIKE)]
            cut = max(starts, default=0)
            if head is not None and 0 < cut <= len(whole) - SHORTEST_START:
                start, end = head.span
                part = replace((start, start + cut), lost, SearchStrategy.NEAR)
                other = next(key for key, place in found.items() if place is head)
                found[lost.position] = part._replace(text=write_apart(part.text, lost))
                found[other] = head._replace(span=(start + cut, end))
                break


def find_in_free(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary, replace: _Replace
) -> None:
    """Find lost words in the only free noun of one of their forms and a known word."""
    for lost in _list_lost(encoded.record, found, dictionary):
        single = _list_single_words(lost, dictionary)
        forms = [form for form in single if len(form) >= SHORTEST_START]
        nouns = [
            (word, span[0])
            for word, *span in target.free_words()
            if span[0] and target.text[span[0]].isupper() and not word.isupper()
        ]
        parts = [part for noun in nouns for part in _find_parts(*noun, forms, dictionary)]
        if len({span for span, _ in parts}) == 1:
            (span, rest), *_ = parts
            place = replace(span, lost, SearchStrategy.ELIMINATION)
            text = f"{place.text}-{rest}" if rest else f"-{capitalise(place.text)}"
            target.take(span)
            found[lost.position] = place._replace(text=text)


def _list_lost(
    record: Sequence[Replacement], found: _Places, dictionary: Dictionary
) -> list[Replacement]:
    """Return the words that were not found, if compounds are one word in the language."""
    words = [known for known in record if known.kind in WORDS and found[known.position] is None]
    return words if _list_links(dictionary) else []


def _list_links(dictionary: Dictionary) -> tuple[str, ...]:
    """Return what may stand between two parts of a word; empty if the target has no such words."""
    language = dictionary.target_language
    links = language.words.compound_links if language else ()
    return ("", *links) if links else ()


def _list_single_words(replacement: Replacement, dictionary: Dictionary) -> list[str]:
    found = list_forms(replacement, dictionary, with_grammar=False)
    return [text.lower() for text, _ in found if " " not in text]


def write_apart(text: str, replacement: Replacement) -> str:
    """Write ``text``, the first of two parts, as a word of its own."""
    return f"{text}-" if replacement.tag.startswith(("N", "CD")) else f"{text.lower()} "


def _find_parts(
    word: str, start: int, forms: Sequence[str], dictionary: Dictionary
) -> Iterator[tuple[Span, str]]:
    """Yield the span of each form in ``word``, and the first letter of what follows."""
    known, links = dictionary.form_index.features, _list_links(dictionary)
    for form in forms:
        if _begins_as(form, word, _ALIKE):
            shared = common_start(form, word)
            for link in links:
                cut = shared + len(link)
                rest = word[cut:]
                is_long = word.startswith(link, shared) and len(rest) >= SHORTEST_START
                if is_long and known(rest, "NN"):
                    yield (start, start + cut + 1), rest[0].upper()
                    break
        elif word.endswith(form) and len(word) >= len(form) + SHORTEST_START:
            head = word.removesuffix(form)
            if any(head.endswith(link) and known(head.removesuffix(link), "NN") for link in links):
                end = start + len(word)
                yield (end - len(form), end), ""
