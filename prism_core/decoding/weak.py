"""Where a lost substitute may stand, by what stands around it and what usually stands for it.

These ways are weaker than a dictionary form, so what they restore is marked for review.

Entry: ``find_by_words`` (``find_derived``, ``find_associated``, ``find_grammar``) and
``find_between``, by the ``Shown`` words; ``find_near_name`` for names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prism_core.decoding.decoded import Found, Way
from prism_core.decoding.readings import find_readings, list_forms
from prism_core.decoding.target_text import Span, TargetText
from prism_core.dictionary import (
    Dictionary,
    common_start,
    target_spans,
    target_tokens,
    without_accents,
)
from prism_core.record import Replacement

_SHORTEST_STEM = 5
_STEM = 0.6
"""The share of a form that another word of its family begins with."""
_LONGEST_SUFFIX = 5


@dataclass(frozen=True, slots=True)
class Shown:
    """A word of x_pub in lower case, and the position of the replacement that it is part of."""

    text: str
    position: int | None


def shown_words(text: str, record: Sequence[Replacement]) -> list[Shown]:
    """The words of x_pub in their order; those whose replacement cannot be told have none."""
    spans: list[tuple[int, int, int]] = []
    here = 0
    for replacement in sorted(record, key=lambda replacement: replacement.position):
        start = text.find(replacement.substitute, here)
        if start >= 0:
            here = start + len(replacement.substitute)
            spans.append((start, here, replacement.position))
    return [
        Shown(word, next((at for first, last, at in spans if first <= start < last), None))
        for word, start, _ in target_spans(text)
        if word.isalpha()
    ]


def choose_in_order(
    replacement: Replacement,
    form: str,
    places: Sequence[Span],
    shown: Sequence[Shown],
    dictionary: Dictionary,
) -> Span:
    """Which of the ``places`` of ``form`` is the substitute's, where words that were kept are
    translated by it too.

    As many come before it as such words, if each has one; else the first.
    """
    own = [index for index, one in enumerate(shown) if one.position == replacement.position]
    rivals = [
        index
        for index, one in enumerate(shown)
        if one.position is None
        and any(form in sense.forms.texts for sense in dictionary.senses(one.text))
    ]
    if not own or len(places) != len(rivals) + 1:
        return places[0]
    return places[sum(index < own[0] for index in rivals)]


def find_by_words(
    replacement: Replacement, shown: Sequence[Shown], target: TargetText, dictionary: Dictionary
) -> Span | None:
    """Another word of the family of the substitute, or else what public lines have for it."""
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
    """The free content word that begins as one of the ``forms`` of the substitute at ``position``.

    Another part of speech (*presupuesto*, *presupuestario*). None when several words do, or when
    another word of x_pub is as good an explanation of it.
    """
    plain = {without_accents(form.lower()) for form in forms}
    found = {
        word: (start, end)
        for word, start, end in target.free_words()
        if word not in dictionary.function_forms
        and _is_derived(without_accents(word), plain, is_noun=target.text[start].isupper())
    }
    if len(found) != 1:
        return None
    ((word, span),) = found.items()
    own = max(
        (dictionary.association(one.text, word) for one in shown if one.position == position),
        default=0.0,
    )
    others = {one.text for one in shown if one.position != position}
    return None if _explains(others, word, own, dictionary) else span


def _is_derived(word: str, forms: Iterable[str], *, is_noun: bool) -> bool:
    """A German noun that is much longer is rather a compound, of which more would be lost."""
    most = _LONGEST_SUFFIX if is_noun else len(word)
    return any(
        common_start(word, form)
        >= max(_SHORTEST_STEM, _STEM * len(form), len(word) - _LONGEST_SUFFIX)
        for form in forms
        if 2 * (len(word) - len(form)) <= most
    )


def find_associated(
    position: int, shown: Sequence[Shown], target: TargetText, dictionary: Dictionary
) -> Span | None:
    """The free word that is the best associate of the substitute at ``position``.

    None when several are, or when another word of x_pub is as good an explanation of it.
    """
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
    """A word of grammar that lines have for the substitute, and that may as well be another's.

    None of a translator that was asked for each word.
    """
    for entry in () if dictionary.is_asked else find_readings(replacement, dictionary):
        searched = dictionary.searched_forms(entry)
        known = target.find_form(one for one in entry.forms.texts if one not in searched)
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
    """The only free content word between the neighbours of the substitute at ``position``.

    Both content words beside it in x_pub have to be found, in their order; an end of the sentence
    stands for a neighbour. None when another word of x_pub explains what is there, or when the
    answer has fewer than half the words of x_pub: it is no translation of it.
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
    """Where a word of x_pub stands in the answer: as it was found, or the form of a kept word."""
    if word.position is not None:
        return found.get(word.position)
    known = target.find_form(_forms(word.text, dictionary))
    return known and known[0][0]


def _explains(others: Iterable[str], found: str, least: float, dictionary: Dictionary) -> bool:
    """Whether one of ``others`` has ``found`` for a form, or as good an associate as ``least``."""
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
    """``name`` for one, as ``written``, that got an accent (*Víctor*), is glued to another of
    ``names``, or has the *s* of a German genitive."""
    if span := target.find_accented(written) or target.find_glued_name(written, names):
        return Found(span, name, way=Way.NEAR)
    span = target.find_text(f"{written}s")
    if span is None or not target.text[span[0]].isupper():
        return None
    return Found(span, name + ("’" if name[-1:] in "sßxz" else "s"), way=Way.NEAR)
