"""Lost words that are part of a compound in the answer: *Wahlkampf* for *election campaign*.

Entry: ``split_found`` if the word beside it was found as the whole; ``find_in_free`` if nothing
was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, Sequence

from prism_core.decoding.ambiguous_entries import WORDS, list_forms
from prism_core.decoding.compounds import ALIKE, LIKE, is_start
from prism_core.decoding.decoded import Found, Way
from prism_core.decoding.target_text import SHORTEST_START, Span, TargetText
from prism_core.decoding.weak import Shown, shown_words
from prism_core.dictionary import LEFT_PREFIX, Dictionary, common_start
from prism_core.mechanisms import capitalise
from prism_core.record import Encoded, Replacement

_LINKS = ("", "s", "n", "en", "es", "e", "er")
"""Letters that may stand between two parts."""
_AND = frozenset("and or und oder y e o u et ou".split())
"""Conjunctions between two things of which neither is a part of the other."""

_Replace = Callable[[Span, Replacement, Way], Found]
_Places = MutableMapping[int, Found | None]


def split_found(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary, replace: _Replace
) -> None:
    """Give lost words the beginning of the word that was found for the next one of x_pub.

    The next one is right after it, or before it with one linking word between (*clash of
    interests*). It must be a translated word: one that the translator leaves as it is, such as a
    name, has no parts. The originals are written separately, nouns with a hyphen.
    """
    shown = shown_words(encoded.text, encoded.record)
    words = {
        replacement.position
        for replacement in encoded.record
        if replacement.kind in WORDS and not replacement.drawn_as.startswith(LEFT_PREFIX)
    }
    for lost in _lost(encoded.record, found, dictionary):
        beside = [position for position in _beside(shown, lost.position) if position in words]
        for head in map(found.get, beside):
            whole = target.text[slice(*head.span)].lower() if head else ""
            forms = _forms(lost, dictionary) if whole.isalpha() else []
            starts = [common_start(form, whole) for form in forms if is_start(form, whole, LIKE)]
            cut = max(starts, default=0)
            if head is not None and 0 < cut <= len(whole) - SHORTEST_START:
                start, end = head.span
                part = replace((start, start + cut), lost, Way.NEAR)
                other = next(key for key, place in found.items() if place is head)
                found[lost.position] = part._replace(text=write_apart(part.text, lost))
                found[other] = head._replace(span=(start + cut, end))
                break


def _beside(shown: Sequence[Shown], position: int) -> Iterator[int | None]:
    """Yield the position right after ``position``, and the one that a kept word links it to."""
    places = [word.position for word in shown]
    if position in places:
        at = places.index(position)
        yield from places[at + 1 : at + 2]
        if at > 1 and places[at - 1] is None and shown[at - 1].text not in _AND:
            yield places[at - 2]


def find_in_free(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary, replace: _Replace
) -> None:
    """Find lost words in the only free noun that begins or ends as one of their forms.

    The rest of it must be a known word, which stays: *Becken-X* where *Beckenrand* was.
    """
    for lost in _lost(encoded.record, found, dictionary):
        forms = [form for form in _forms(lost, dictionary) if len(form) >= SHORTEST_START]
        nouns = [
            (word, span[0])
            for word, *span in target.free_words()
            if span[0] and target.text[span[0]].isupper() and not word.isupper()
        ]
        parts = [part for noun in nouns for part in _parts(*noun, forms, dictionary)]
        if len({span for span, _ in parts}) == 1:
            (span, rest), *_ = parts
            place = replace(span, lost, Way.ELIMINATION)
            text = f"{place.text}-{rest}" if rest else f"-{capitalise(place.text)}"
            target.take(span)
            found[lost.position] = place._replace(text=text)


def _lost(
    record: Sequence[Replacement], found: _Places, dictionary: Dictionary
) -> list[Replacement]:
    """Return capitalised words that were not found, if compounds are one word in the language."""
    language = dictionary.target_language
    if language is None or not language.words.nouns_have_capitals:
        return []
    return [
        replacement
        for replacement in record
        if found[replacement.position] is None and replacement.kind in WORDS
    ]


def _forms(replacement: Replacement, dictionary: Dictionary) -> list[str]:
    found = list_forms(replacement, dictionary, with_grammar=False)
    return [text.lower() for text, _ in found if " " not in text]


def write_apart(text: str, replacement: Replacement) -> str:
    """Write ``text``, the first of two parts, as a word of its own."""
    return f"{text}-" if replacement.tag.startswith(("N", "CD")) else f"{text.lower()} "


def _parts(
    word: str, start: int, forms: Sequence[str], dictionary: Dictionary
) -> Iterator[tuple[Span, str]]:
    """Yield the span of each form in ``word``, and the first letter of what follows."""
    known = dictionary.form_index.features
    for form in forms:
        if is_start(form, word, ALIKE):
            shared = common_start(form, word)
            for link in _LINKS:
                cut = shared + len(link)
                rest = word[cut:]
                is_long = word.startswith(link, shared) and len(rest) >= SHORTEST_START
                if is_long and known(rest, "NN"):
                    yield (start, start + cut + 1), rest[0].upper()
                    break
        elif word.endswith(form) and len(word) >= len(form) + SHORTEST_START:
            head = word.removesuffix(form)
            if any(head.endswith(link) and known(head.removesuffix(link), "NN") for link in _LINKS):
                end = start + len(word)
                yield (end - len(form), end), ""
