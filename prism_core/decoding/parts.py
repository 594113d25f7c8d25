"""Lost words that are part of a compound in the answer: *Wahlkampf* for *election campaign*.

Entry: ``split_found`` where the word beside it was found as the whole; ``find_in_free`` where
nothing was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping, Sequence

from prism_core.decoding.compounds import is_start
from prism_core.decoding.decoded import Found, Way
from prism_core.decoding.readings import WORDS, list_forms
from prism_core.decoding.target_text import SHORTEST_START, Span, TargetText
from prism_core.decoding.weak import shown_words
from prism_core.dictionary import Dictionary, common_start
from prism_core.mechanisms import capitalise
from prism_core.record import Encoded, Replacement

_BEGINS, _ALIKE = 0.6, 0.8
"""The share of a form that begins a compound: where the word beside it ends that, and alone."""
_LINKS = ("", "s", "n", "en", "es", "e", "er")
"""What may stand between two parts."""

_Replace = Callable[[Span, Replacement, Way], Found]
_Places = MutableMapping[int, Found | None]


def split_found(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary, replace: _Replace
) -> None:
    """Give lost words the beginning of the word that the next one of x_pub was found as.

    Next is right behind it, or before it with one word between (*clash of interests*). The
    originals are written apart: nouns with a hyphen.
    """
    places = [word.position for word in shown_words(encoded.text, encoded.record)]
    for lost in _lost(encoded.record, found, dictionary):
        at = places.index(lost.position) if lost.position in places else len(places)
        beside = [*places[at + 1 : at + 2], *places[max(0, at - 2) : max(0, at - 1)]]
        for head in (found.get(other) for other in beside if other is not None):
            whole = target.text[slice(*head.span)].lower() if head else ""
            forms = _forms(lost, dictionary) if whole.isalpha() else []
            starts = [common_start(form, whole) for form in forms if is_start(form, whole, _BEGINS)]
            cut = max(starts, default=0)
            if head is not None and 0 < cut <= len(whole) - SHORTEST_START:
                start, end = head.span
                part = replace((start, start + cut), lost, Way.NEAR)
                other = next(key for key, place in found.items() if place is head)
                found[lost.position] = part._replace(text=write_apart(part.text, lost))
                found[other] = head._replace(span=(start + cut, end))
                break


def find_in_free(
    encoded: Encoded, found: _Places, target: TargetText, dictionary: Dictionary, replace: _Replace
) -> None:
    """Look for lost words in the only free noun that begins or ends as one of their forms.

    What is left of it has to be a known word, which stays: *Becken-X* where *Beckenrand* was.
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
    """Words that were not found, in a language whose compounds are one word, with a capital."""
    language = dictionary.target_language
    if language is None or not language.words.nouns_have_capitals:
        return []
    return [one for one in record if found[one.position] is None and one.kind in WORDS]


def _forms(replacement: Replacement, dictionary: Dictionary) -> list[str]:
    found = list_forms(replacement, dictionary, with_grammar=False)
    return [text.lower() for text, _ in found if " " not in text]


def write_apart(text: str, replacement: Replacement) -> str:
    """``text``, the first of two parts, as a word of its own."""
    return f"{text}-" if replacement.tag.startswith(("N", "CD")) else f"{text.lower()} "


def _parts(
    word: str, start: int, forms: Sequence[str], dictionary: Dictionary
) -> Iterator[tuple[Span, str]]:
    """The place of a form in ``word``; where it begins that, with the first letter of the rest."""
    known = dictionary.form_index.features
    for form in forms:
        if is_start(form, word, _ALIKE):
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
