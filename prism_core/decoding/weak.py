"""Places of a lost substitute, inferred from its neighbours and from usual translations.

These methods are weaker than a dictionary form, so restored words are marked for review.

Entry: ``find_by_words`` (``find_derived``, ``find_associated``, ``find_grammar``) and
``find_between``, by the ``Shown`` words; ``find_near_name`` for names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.decoding.ambiguous_entries import WORDS, find_readings, list_forms
from prism_core.decoding.decoded import Found, SearchStrategy
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import (
    Dictionary,
    common_start,
    target_spans,
    target_tokens,
    without_accents,
)
from prism_core.record import Encoded, Kind, Replacement

_SHORTEST_STEM = 5
_STEM = 0.6
"""Share of a form with which another word of its family begins."""
_LONGEST_SUFFIX = 5


class Shown(NamedTuple):
    """Word of x_pub in lower case, and the position of the replacement that it belongs to."""

    text: str
    position: int | None


def shown_words(encoded: Encoded) -> list[Shown]:
    """Return the words of x_pub in order; those whose replacement is unknown have no position."""
    text = encoded.text
    spans: list[tuple[int, int, int]] = []
    here, nothing = 0, (len(text), len(text), -1)
    for replacement in sorted(encoded.record, key=lambda replacement: replacement.position):
        start = text.find(replacement.substitute, here)
        if start >= 0:
            here = start + len(replacement.substitute)
            spans.append((start, here, replacement.position))
    shown: list[Shown] = []
    ahead = iter(spans)
    first, last, position = next(ahead, nothing)
    for word, start, _ in target_spans(text):
        while start >= last:
            first, last, position = next(ahead, nothing)
        if word.isalpha():
            shown.append(Shown(word, position if first <= start else None))
    return shown


def find_untranslated(
    record: Iterable[Replacement],
    found: Mapping[int, Found | None],
    target: TargetText,
    dictionary: Dictionary,
) -> Mapping[int, Span]:
    """Find lost substitutes that were left as they are, as in names: *the New Specialist*.

    A word that the target language has as well may stand there for another one. An answer in which
    most are lost is no translation.
    """
    if 2 * sum(place is None for place in found.values()) > len(found):
        return {}
    left = (
        (replacement.position, target.find_text(replacement.substitute))
        for replacement in record
        if found[replacement.position] is None
        and replacement.kind in (Kind.NAME, *WORDS)
        and replacement.substitute.isalpha()
        and replacement.substitute.lower() not in dictionary.target_words
    )
    return {position: span for position, span in left if span is not None}


def find_by_words(
    replacement: Replacement, shown: Sequence[Shown], target: TargetText, dictionary: Dictionary
) -> Span | None:
    """Find another word of the substitute's family, else a word that public lines have for it."""
    at, forms = replacement.position, [text for text, _ in list_forms(replacement, dictionary)]
    return (
        find_derived(at, forms, shown, target, dictionary)
        or find_associated(at, shown, target, dictionary)
        or find_grammar(replacement, target, dictionary)
    )


def find_derived(
    position: int,
    forms: Iterable[str],
    shown: Sequence[Shown],
    target: TargetText,
    dictionary: Dictionary,
) -> Span | None:
    """Find the free content word that begins as one of the ``forms`` of the substitute.

    It is another part of speech (*presupuesto*, *presupuestario*). Returns None if several words
    match, or if another word of x_pub explains it as well.
    """
    plain = {without_accents(form.lower()) for form in forms}
    found = {}
    for word, start, end in target.free_words():
        bare = without_accents(word)
        least = max(_SHORTEST_STEM, len(bare) - _LONGEST_SUFFIX)
        # A much longer German noun is more likely a compound.
        most = _LONGEST_SUFFIX if target.text[start].isupper() else len(bare)
        near = [form for form in plain if 2 * (len(bare) - len(form)) <= most]
        if word not in dictionary.function_forms and any(
            common_start(bare, form) >= max(least, _STEM * len(form)) for form in near
        ):
            found[word] = start, end
    if len(found) != 1:
        return None
    ((word, span),) = found.items()
    drawn = [known.text for known in shown if known.position == position]
    own = max((dictionary.association(text, word) for text in drawn), default=0.0)
    others = {known.text for known in shown if known.position != position}
    return None if _explains(others, word, own, dictionary) else span


def find_associated(
    position: int, shown: Sequence[Shown], target: TargetText, dictionary: Dictionary
) -> Span | None:
    """Find the free word that best goes with the substitute, if it goes with no other."""
    own = [word.text for word in shown if word.position == position]
    if len(own) != 1:
        return None
    scored = [
        (dictionary.association(own[0], word), (start, end))
        for word, start, end in target.free_words()
    ]
    best = max((score for score, _ in scored), default=0.0)
    spans = [span for score, span in scored if score == best]
    if best == 0 or len(spans) > 1:
        return None
    found = target.text[slice(*spans[0])].lower()
    others = {word.text for word in shown if word.position != position} - {own[0]}
    return None if _explains(others, found, best, dictionary) else spans[0]


def find_grammar(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> Span | None:
    """Find a grammar word for the substitute; None for a translator asked for each word."""
    for entry in () if dictionary.is_asked else find_readings(replacement, dictionary):
        searched = dictionary.searched_forms(entry)
        known = target.find_form(text for text in entry.forms.texts if text not in searched)
        if known is not None:
            return known[0][0]
    return None


def find_between(
    position: int,
    shown: Sequence[Shown],
    found: Mapping[int, Span],
    target: TargetText,
    dictionary: Dictionary,
) -> Span | None:
    """Find the only free content word between the neighbours of the substitute at ``position``.

    Both content words beside it in x_pub must be found; an end of the sentence counts as one.
    Returns None if another word of x_pub explains the text there, or if the answer has fewer than
    half the words of x_pub and so is no translation of it.
    """
    if 2 * len(target_tokens(target.text)) < len(shown):
        return None
    content = [word for word in shown if not dictionary.language.is_function_word(word.text)]
    places = [index for index, word in enumerate(content) if word.position == position]
    if len(places) != 1:
        return None
    index = places[0]
    before = _place(content[index - 1], found, target, dictionary) if index else (0, 0)
    is_last = index + 1 == len(content)
    end = len(target.text)
    after = (end, end) if is_last else _place(content[index + 1], found, target, dictionary)
    if before is None or after is None or before[1] >= after[0]:
        return None
    free = [
        (word, (start, stop))
        for word, start, stop in target.free_words()
        if before[1] <= start and stop <= after[0] and word not in dictionary.function_forms
    ]
    if len(free) != 1:
        return None
    ((word, span),) = free
    own = dictionary.association(content[index].text, word)
    others = {other.text for other in shown if other.position != position}
    return None if _explains(others, word, own, dictionary) else span


def _place(
    word: Shown, found: Mapping[int, Span], target: TargetText, dictionary: Dictionary
) -> Span | None:
    """Return where a word of x_pub stands in the answer: as found, or the form of a kept word."""
    if word.position is not None:
        return found.get(word.position)
    known = target.find_form(_forms(word.text, dictionary))
    return known and known[0][0]


def _explains(others: Iterable[str], found: str, least: float, dictionary: Dictionary) -> bool:
    """Return True if one of ``others`` has ``found`` as a form or an equally good associate."""
    return any(
        found in _forms(other, dictionary)
        or (dictionary.association(other, found) or -1.0) >= least
        for other in others
    )


def _forms(word: str, dictionary: Dictionary) -> Iterator[str]:
    for entry in dictionary.senses(word):
        for row in entry.rows:
            yield from row.forms.texts


def find_near_name(
    written: str, name: str, names: Collection[str], target: TargetText
) -> Found | None:
    """Find a name that got an accent (*Víctor*), another name attached, or a German genitive *s*.

    ``name`` is written in its place; ``written`` is how the dictionary writes it.
    """
    if span := target.find_accented(written) or target.find_glued_name(written, names):
        return Found(span, name, strategy=SearchStrategy.NEAR)
    span = target.find_text(f"{written}s")
    if span is None or not target.text[span[0]].isupper():
        return None
    return Found(span, name + ("’" if name[-1:] in "sßxz" else "s"), strategy=SearchStrategy.NEAR)
