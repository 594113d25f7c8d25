"""Decoding: put the originals back into what the translator made of the substitutes.

Token-exact on the target side, longest form first, in source order, replacements by span from
right to left, never chained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prism_core.decoding.numbers import find_number, restore_number
from prism_core.decoding.target_text import Span, TargetText
from prism_core.dictionary.dictionary import LEFT_PREFIX, PLACE, Dictionary
from prism_core.dictionary.entry import Entry, Form
from prism_core.mechanisms.base import Encoded, Kind, Replacement
from prism_core.mechanisms.case import in_case_of, own_case


@dataclass(frozen=True, slots=True)
class Decoded:
    """y_pri and its account, in replacements.

    ``restored`` were found as the dictionary says, ``fallback`` by a near form, ``unrestored`` not
    at all: with any of these ``text`` still holds a substitute and must not be used.
    ``untranslated`` counts the words that stand in the source language.
    """

    text: str
    restored: int
    fallback: int
    unrestored: int
    untranslated: int


class _Found(NamedTuple):
    span: Span
    text: str
    exact: bool = True


def decode(encoded: Encoded, answer: str, dictionary: Dictionary) -> Decoded:
    """Undo ``encoded.record`` in ``answer`` (y_pub)."""
    target = TargetText(answer)
    found: dict[int, _Found | None] = {}
    for replacement in sorted(encoded.record, key=_search_order):
        one = _find(replacement, target, dictionary)
        found[replacement.position] = _claimed(replacement, one, target)
    for replacement in encoded.record:
        if found[replacement.position] is None:
            near = _find_near(replacement, target, dictionary)
            found[replacement.position] = _claimed(replacement, near, target)
    present = [one for one in found.values() if one is not None]
    undone = [found[one.position] for one in encoded.record if one.kind is not Kind.KEPT]
    return Decoded(
        text=_put_back(answer, present),
        restored=sum(one is not None and one.exact for one in undone),
        fallback=sum(one is not None and not one.exact for one in undone),
        unrestored=sum(one is None for one in undone),
        untranslated=sum(_is_untranslated(one) for one in encoded.record),
    )


def _claimed(replacement: Replacement, found: _Found | None, target: TargetText) -> _Found | None:
    """``found`` with its place taken, and with it the blanks that encoding put beside it."""
    if found is None:
        return None
    start, end = found.span
    if replacement.space_before and start and target.text[start - 1] == " ":
        start -= target.is_free((start - 1, start))
    if replacement.space_after and target.text[end : end + 1] == " ":
        end += target.is_free((end, end + 1))
    target.take((start, end))
    return found if found.span == (start, end) else found._replace(span=(start, end))


def _is_untranslated(one: Replacement) -> bool:
    """Whether a source word comes back as it is; a number or a mark is the same in any language."""
    return one.kind is Kind.UNKNOWN and any(c.isalpha() for c in one.word)


def _search_order(replacement: Replacement) -> tuple[int, int]:
    """Codes and numbers first, the longest before all, since a short one may stand inside it."""
    shaped = replacement.kind in (Kind.CODE, Kind.NUMBER)
    return -len(replacement.substitute) if shaped else 0, replacement.position


def _find(replacement: Replacement, target: TargetText, dictionary: Dictionary) -> _Found | None:
    if replacement.kind is Kind.NUMBER:
        span = find_number(replacement.substitute, target)
        return span and _Found(span, restore_number(replacement, target.text[slice(*span)]))
    if replacement.kind in (Kind.CODE, Kind.NAME):
        span = target.find_text(dictionary.written(replacement.substitute))
        return span and _Found(span, _name(replacement, dictionary))
    if replacement.drawn_as.startswith(LEFT_PREFIX):
        span = target.find_text(replacement.substitute)
        return span and _Found(span, _left_original(replacement, target, span, dictionary))
    if not (replacement.substitute.isalnum() or any(map(str.isalnum, replacement.substitute))):
        return _find_mark(replacement, target, dictionary)
    return _find_word(replacement, target, dictionary)


def _left_original(
    replacement: Replacement, target: TargetText, span: Span, dictionary: Dictionary
) -> str:
    """What goes where the translator left a word that it does not know."""
    shown = target.text[slice(*span)]
    if replacement.kind is Kind.WORD:
        return _original(replacement, Form(shown, 0.0), replacement.tag, shown, dictionary)
    return in_case_of(replacement.word, shown)


def _name(replacement: Replacement, dictionary: Dictionary) -> str:
    """The original; a public place as the translator writes it (*Brazil* as *Brasil*)."""
    is_place = replacement.kind is Kind.NAME and replacement.tag == PLACE
    return dictionary.name_form(replacement.word) if is_place else replacement.word


def _find_mark(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    """A punctuation mark that stands for a word.

    A translator writes a mark right at the word before it, where a word between blanks would run
    into it.
    """
    span = target.find_text(replacement.substitute)
    if span is None:
        return None
    shown = target.text[slice(*span)]
    original = _original(replacement, Form(shown, 0.0), replacement.tag, shown, dictionary)
    if replacement.apart:
        before = target.text[: span[0]][-1:].isalnum()
        after = target.text[span[1] :][:1].isalnum()
        original = " " * before + original + " " * after
    return _Found(span, original)


def _find_word(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    for entry in _readings(replacement, dictionary):
        for form in entry.longest_first:
            span = target.find_words(form.text.lower())
            if span is not None:
                shown = target.text[slice(*span)]
                return _Found(span, _original(replacement, form, entry.tag, shown, dictionary))
    return None


def _find_near(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    """A form of the substitute that is glued to a number, or the one free word that is near one."""
    if replacement.kind not in (Kind.WORD, Kind.UNKNOWN):
        return None
    forms = [(f, entry.tag) for entry in _readings(replacement, dictionary) for f in entry.forms]
    texts = [form.text.lower() for form, _ in forms]
    near = target.find_at_number(texts) or target.find_near(texts)
    if near is None:
        return None
    span, index = near
    form, tag = forms[index]
    shown = target.text[slice(*span)]
    nearest = Form(shown.lower(), 0.0, form.features)
    return _Found(span, _original(replacement, nearest, tag, shown, dictionary), exact=False)


def _readings(replacement: Replacement, dictionary: Dictionary) -> Sequence[Entry]:
    """What the translator may have taken the substitute for, and how it may be translated.

    What it was drawn as comes first, what other translators than the one in use write last.
    """
    senses = dictionary.senses(replacement.substitute)
    if len(senses) == 1 and not senses[0].others:
        return senses
    ordered = sorted(senses, key=lambda entry: entry.tag != replacement.drawn_as)
    return [*ordered, *(other for entry in ordered for other in entry.others)]


def _original(
    replacement: Replacement, found: Form, tag: str, shown: str, dictionary: Dictionary
) -> str:
    """The original as it goes where ``shown`` stood: inflected alike, in the same case.

    ``tag`` is what the translator took the substitute for; a slip it would have made with the
    original too.
    """
    if replacement.kind is Kind.UNKNOWN:
        return replacement.word
    if replacement.kind is Kind.KEPT:
        return shown
    word = replacement.word
    entry = dictionary.find(word, tag) if replacement.substitute_tag is None else None
    entry = entry or dictionary.find(word, replacement.tag)
    if entry is None:
        return word
    # A substitute written as drawn says nothing of the case of what it stands for.
    pattern = shown if replacement.substitute_tag is None else own_case(word)
    return in_case_of(entry.inflect(found), pattern)


def _put_back(answer: str, found: Sequence[_Found]) -> str:
    text = answer
    for one in sorted(found, key=lambda one: one.span, reverse=True):
        text = text[: one.span[0]] + one.text + text[one.span[1] :]
    return text
