"""Decoding: put the originals back into what the translator made of the substitutes.

Token-exact on the target side, longest form first, in source order, replacements by span from
right to left, never chained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prism_core.decoding.numbers import find_number, restore_number
from prism_core.decoding.target_text import Span, TargetText
from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.entry import Entry, Form
from prism_core.mechanisms.base import Encoded, Kind, Replacement
from prism_core.mechanisms.case import in_case_of


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


@dataclass(frozen=True, slots=True)
class _Found:
    span: Span
    text: str
    exact: bool = True


def decode(encoded: Encoded, answer: str, dictionary: Dictionary) -> Decoded:
    """Undo ``encoded.record`` in ``answer`` (y_pub)."""
    target = TargetText(answer)
    found: dict[int, _Found | None] = {}
    for replacement in sorted(encoded.record, key=_search_order):
        one = _find(replacement, target, dictionary)
        if one is not None:
            target.take(one.span)
        found[replacement.position] = one
    for replacement in encoded.record:
        if found[replacement.position] is None:
            near = _find_near(replacement, target, dictionary)
            if near is not None:
                target.take(near.span)
            found[replacement.position] = near
    present = [one for one in found.values() if one is not None]
    return Decoded(
        text=_put_back(answer, present),
        restored=sum(one.exact for one in present),
        fallback=sum(not one.exact for one in present),
        unrestored=len(found) - len(present),
        untranslated=sum(one.kind is Kind.UNKNOWN for one in encoded.record),
    )


def _search_order(replacement: Replacement) -> tuple[int, int]:
    """Codes and numbers first, the longest before all, since a short one may stand inside it."""
    shaped = replacement.kind in (Kind.CODE, Kind.NUMBER)
    return -len(replacement.substitute) if shaped else 0, replacement.position


def _find(replacement: Replacement, target: TargetText, dictionary: Dictionary) -> _Found | None:
    if replacement.kind is Kind.NUMBER:
        span = find_number(replacement.substitute, target)
        return span and _Found(span, restore_number(replacement, target.text[slice(*span)]))
    if replacement.kind in (Kind.CODE, Kind.NAME):
        span = target.find_text(replacement.substitute)
        return span and _Found(span, replacement.word)
    return _find_word(replacement, target, dictionary)


def _find_word(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    substitute = dictionary.find(replacement.substitute, replacement.tag)
    if substitute is None:
        return None
    forms = sorted(substitute.forms, key=lambda form: -len(form.text.split()))
    for form in forms:
        span = target.find_words(form.text.lower())
        if span is not None:
            shown = target.text[slice(*span)]
            return _Found(span, _original(replacement, form, shown, dictionary))
    return None


def _find_near(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    """The one free word that is nearly a form of the substitute."""
    if replacement.kind not in (Kind.WORD, Kind.UNKNOWN):
        return None
    substitute = dictionary.find(replacement.substitute, replacement.tag)
    if substitute is None:
        return None
    near = target.find_near([form.text for form in substitute.forms])
    if near is None:
        return None
    span, index = near
    shown = target.text[slice(*span)]
    nearest = Form(shown.lower(), 0.0, substitute.forms[index].features)
    return _Found(span, _original(replacement, nearest, shown, dictionary), exact=False)


def _original(replacement: Replacement, found: Form, shown: str, dictionary: Dictionary) -> str:
    """The original as it goes where ``shown`` stood: inflected alike, in the same case."""
    if replacement.kind is Kind.UNKNOWN:
        return replacement.word
    entry: Entry | None = dictionary.find(replacement.word, replacement.tag)
    return in_case_of(entry.inflect(found), shown) if entry else replacement.word


def _put_back(answer: str, found: Sequence[_Found]) -> str:
    text = answer
    for one in sorted(found, key=lambda one: one.span, reverse=True):
        text = text[: one.span[0]] + one.text + text[one.span[1] :]
    return text
