"""Decoding: put the originals back into what the translator made of the substitutes.

Token-exact on the target side, longest form first, in source order, replacements by span, never
chained.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from prism_core.decoding.dates import find_date, find_month, find_month_between, is_date_in_digits
from prism_core.decoding.numbers import find_number, restore_number
from prism_core.decoding.target_text import Span, TargetText
from prism_core.dictionary import LEFT_PREFIX, PLACE, Dictionary, Entry, without_accents
from prism_core.mechanisms import in_case_of, own_case
from prism_core.record import Encoded, Kind, Replacement, Surface

_SHAPED = (Kind.CODE, Kind.NUMBER)
_PLAIN = Surface()


@dataclass(frozen=True, slots=True)
class Decoded:
    """y_pri and its account, in replacements.

    ``restored`` were found as the dictionary says, ``fallback`` by a near form, ``unrestored`` not
    at all: with any of these ``text`` still holds a substitute and must not be used.
    ``untranslated`` counts the words that stand in the source language. ``places`` says where in
    ``text`` the word of each replacement stands, by the replacement's position.
    """

    text: str
    restored: int
    fallback: int
    unrestored: int
    untranslated: int
    places: Mapping[int, Span] = field(default_factory=dict)


class _Found(NamedTuple):
    span: Span
    text: str
    exact: bool = True


def decode(encoded: Encoded, answer: str, dictionary: Dictionary) -> Decoded:
    """Undo ``encoded.record`` in ``answer`` (y_pub)."""
    target = TargetText(answer)
    record = encoded.record
    found: dict[int, _Found | None] = {}
    for replacement in _in_search_order(record):
        one = _find(replacement, target, dictionary)
        found[replacement.position] = _claimed(replacement, one, target)
    if None in found.values():
        _find_all_near(record, found, target, dictionary)
    _join_names(encoded, found, answer)
    text, places = _put_back(answer, found)
    undone = [found[one.position] for one in record if one.kind is not Kind.KEPT]
    exact = [one.exact for one in undone if one is not None]
    return Decoded(
        text=text,
        restored=exact.count(True),
        fallback=exact.count(False),
        unrestored=len(undone) - len(exact),
        untranslated=sum(_is_untranslated(one) for one in record if one.kind is Kind.UNKNOWN),
        places=places,
    )


def _find_all_near(
    record: Sequence[Replacement],
    found: dict[int, _Found | None],
    target: TargetText,
    dictionary: Dictionary,
) -> None:
    """Look for what was not found by near forms, and put it into ``found``."""
    lost = [one for one in record if found[one.position] is None]
    forms = {without_accents(text.lower()) for one in lost for text, _ in _forms(one, dictionary)}
    for replacement in lost:
        others = [one for one in lost if one.kind is Kind.NAME and one != replacement]
        names = [dictionary.written(one.substitute) for one in others]
        near = _find_near(replacement, target, dictionary, forms, names)
        found[replacement.position] = _claimed(replacement, near, target)


def _claimed(replacement: Replacement, found: _Found | None, target: TargetText) -> _Found | None:
    """``found`` with its place taken, and with it the blanks that encoding put beside it."""
    if found is None:
        return None
    start, end = found.span
    surface = replacement.surface or _PLAIN
    if surface.space_before and start and target.text[start - 1] == " ":
        start -= target.is_free((start - 1, start))
    if surface.space_after and target.text[end : end + 1] == " ":
        end += target.is_free((end, end + 1))
    target.take((start, end))
    return found if found.span == (start, end) else found._replace(span=(start, end))


def _join_names(encoded: Encoded, found: dict[int, _Found | None], answer: str) -> None:
    """Put the halves of a double name together again where the translator parted them in ``found``.

    *told Riley-Tyler* may come back as *Riley dijo-Tyler*.
    """
    names = [one for one in encoded.record if one.kind is Kind.NAME]
    for first, second in pairwise(names):
        one, other = found[first.position], found[second.position]
        if one is None or other is None or found.get(first.position + 1) is not None:
            continue
        (start, end), (hyphen, stop) = one.span, (other.span[0] - 1, other.span[1])
        were_joined = f"{first.substitute}-{second.substitute}" in encoded.text
        parted = answer[end : end + 1] == " " and answer[hyphen : hyphen + 1] == "-"
        if were_joined and parted and 0 < start < end < hyphen:
            found[first.position] = one._replace(span=(start, end + 1), text="")
            joined = f" {one.text}-{other.text}"
            found[second.position] = other._replace(span=(hyphen, stop), text=joined)


def _is_untranslated(one: Replacement) -> bool:
    """Whether an unknown word has letters; a number or a mark is the same in any language."""
    return one.word.isalpha() or any(c.isalpha() for c in one.word)


def _in_search_order(record: Sequence[Replacement]) -> Sequence[Replacement]:
    """Codes and numbers first, the longest before all, since a short one may stand inside it."""
    shaped = [one for one in record if one.kind in _SHAPED]
    if not shaped:
        return record
    shaped.sort(key=lambda one: -len(one.substitute))
    return [*shaped, *(one for one in record if one.kind not in _SHAPED)]


def _find(replacement: Replacement, target: TargetText, dictionary: Dictionary) -> _Found | None:
    kind, substitute = replacement.kind, replacement.substitute
    if kind is Kind.NAME:
        span = target.find_text(dictionary.written(substitute))
        if span is None and replacement.tag == "DATE":
            month = find_month(replacement, target, dictionary)
            return month and _Found(*month)
        return span and _Found(span, _name(replacement, dictionary))
    if kind is Kind.CODE:
        span = target.find_text(substitute) or target.find_spaced(substitute)
        if span is None and replacement.tag == "DATE":
            date = find_month_between(replacement, target, dictionary)
            return date and _Found(*date)
        return span and _Found(span, replacement.word)
    if kind is Kind.NUMBER:
        return _find_number(replacement, target, dictionary)
    if replacement.drawn_as.startswith(LEFT_PREFIX):
        span = target.find_text(substitute)
        return span and _Found(span, _left_original(replacement, target, span, dictionary))
    if substitute.isalnum() or any(map(str.isalnum, substitute)):
        return _find_word(replacement, target, dictionary)
    return _find_mark(replacement, target, dictionary)


def _find_number(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    if replacement.tag == "DATE" and is_date_in_digits(replacement):
        date = find_date(replacement, target, dictionary)
        return date and _Found(*date)
    span = find_number(replacement.substitute, target)
    return span and _Found(span, restore_number(replacement, target.text[slice(*span)]))


def _left_original(
    replacement: Replacement, target: TargetText, span: Span, dictionary: Dictionary
) -> str:
    """What goes where the translator left a word that it does not know."""
    shown = target.text[slice(*span)]
    if replacement.kind is Kind.WORD:
        return _original(replacement, shown, _own_entry(replacement, replacement.tag, dictionary))
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
    original = _original(replacement, shown, _own_entry(replacement, replacement.tag, dictionary))
    if replacement.surface and replacement.surface.apart:
        before = target.text[: span[0]][-1:].isalnum()
        after = target.text[span[1] :][:1].isalnum()
        original = " " * before + original + " " * after
    return _Found(span, original)


def _find_word(
    replacement: Replacement, target: TargetText, dictionary: Dictionary
) -> _Found | None:
    for entry in _readings(replacement, dictionary):
        found = target.find_form(entry.longest_first)
        if found is not None:
            (start, end), form = found
            own = _own_entry(replacement, entry.tag, dictionary)
            shown, features = target.text[start:end], entry.forms.features_of(form)
            here = _Found((start, end), _original(replacement, shown, own, features))
            if own is None or own.agreement == entry.agreement:
                return here
            return _in_own_company(here, entry, own, target)
    return None


def _in_own_company(found: _Found, substitute: Entry, own: Entry, target: TargetText) -> _Found:
    """``found``, with the words before it that the substitute's class has and its own has not.

    A word that hides in a wider class than its own gets company that it never has: *el más mejor
    amigo*, since the translator writes *más* before *sharpest* and *widest*, but not for *best*.
    """
    extra = _extra_company(substitute.agreement, own.agreement) if own.tag == substitute.tag else ""
    span = target.right_before(found.span[0], extra) if extra else None
    if span is None:
        return found
    text = found.text
    if target.text[span[0]].isupper():
        text = text[:1].upper() + text[1:]
    return _Found((span[0], found.span[1]), text)


@lru_cache(maxsize=4096)
def _extra_company(theirs: str, own: str) -> str:
    """What the frame of one agreement class has before the word, and that of the other has not."""
    one, other = (known.partition(" | ")[0].partition("_")[0] for known in (theirs, own))
    return one.removeprefix(other).strip() if theirs and own and one.startswith(other) else ""


def _find_near(
    replacement: Replacement,
    target: TargetText,
    dictionary: Dictionary,
    lost: Collection[str],
    names: Collection[str],
) -> _Found | None:
    """A form of the substitute that is glued to something, or the one free word that is near one.

    ``lost`` are the forms of all substitutes that were not found, without accents; ``names`` the
    other names among them.
    """
    if replacement.kind is Kind.NAME:
        glued = target.find_glued_name(dictionary.written(replacement.substitute), names)
        return glued and _Found(glued, _name(replacement, dictionary), exact=False)
    if replacement.kind not in (Kind.WORD, Kind.UNKNOWN):
        return None
    forms = _forms(replacement, dictionary)
    texts = [text.lower() for text, _ in forms]
    near = target.find_at_number(texts) or target.find_glued(texts, lost) or target.find_near(texts)
    if near is None:
        return None
    span, index = near
    text, entry = forms[index]
    shown, features = target.text[slice(*span)], entry.forms.features_of(text)
    own = _own_entry(replacement, entry.tag, dictionary)
    return _Found(span, _original(replacement, shown, own, features), exact=False)


def _forms(replacement: Replacement, dictionary: Dictionary) -> list[tuple[str, Entry]]:
    """Every form of a substitute, with the reading it belongs to."""
    readings = _readings(replacement, dictionary)
    return [(text, entry) for entry in readings for text in entry.forms.texts]


def _readings(replacement: Replacement, dictionary: Dictionary) -> Iterator[Entry]:
    """What the translator may have taken the substitute for, and how it may be translated.

    What it was drawn as comes first, what other translators than the one in use write last.
    """
    drawn = dictionary.find(replacement.substitute, replacement.drawn_as)
    if drawn is not None:
        yield drawn
    senses = dictionary.senses(replacement.substitute)
    ordered = sorted(senses, key=lambda entry: entry is not drawn)
    yield from ordered if drawn is None else ordered[1:]
    for entry in ordered:
        yield from entry.others


def _own_entry(replacement: Replacement, tag: str, dictionary: Dictionary) -> Entry | None:
    """The entry of the original; None where it comes back as it is, or nothing is to be undone.

    ``tag`` is what the translator took the substitute for; a slip it would have made with the
    original too.
    """
    if replacement.kind is not Kind.WORD:
        return None
    entry = None
    if replacement.surface is None:
        entry = dictionary.find(replacement.word, tag)
    return entry or dictionary.find(replacement.word, replacement.tag)


def _original(
    replacement: Replacement, shown: str, own: Entry | None, features: tuple[str, ...] = ()
) -> str:
    """The original as it goes where ``shown`` stood: inflected alike, in the same case.

    ``features`` are those of the form that came back.
    """
    word = replacement.word
    if own is None:
        return shown if replacement.kind is Kind.KEPT else word
    # A substitute written as drawn says nothing of the case of what it stands for.
    pattern = shown if replacement.surface is None else own_case(word)
    return in_case_of(own.inflect(shown.lower(), features), pattern)


def _put_back(answer: str, found: Mapping[int, _Found | None]) -> tuple[str, dict[int, Span]]:
    """``answer`` with what was found in its places, and where each then stands, by position."""
    pieces: list[str] = []
    places: dict[int, Span] = {}
    done = length = 0
    for (start, end), text, position in sorted(
        (one.span, one.text, position) for position, one in found.items() if one is not None
    ):
        pieces += answer[done:start], text
        length += start - done
        places[position] = length, length + len(text)
        length += len(text)
        done = end
    return "".join(pieces) + answer[done:], places
