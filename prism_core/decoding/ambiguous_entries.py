"""Dictionary entries that a translator may have taken a substitute for, and the original's entry.

Entry: ``find_readings`` of a substitute, or ``list_forms`` of all of them; ``read_as_found`` for
one that was found; then ``find_original_entry``, and ``fitting_features`` of the original's form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from prism_core.dictionary import ASKED_IN_FRAMES, CALENDAR_TAGS, GLOSSARY, Dictionary, Entry
from prism_core.languages import read_words
from prism_core.mechanisms import capitalise
from prism_core.record import Kind, Replacement

WORDS = (Kind.WORD, Kind.UNKNOWN)
"""Kinds of replacements whose translation a dictionary gives, as far as it is known."""
_NOUNS = ("NN", "NNS")
_PASTS = ("VBD", "VBN")
"""Tags that are most often taken for each other."""
_BEFORE_INFINITIVES = ("infinitive", "can")
"""Frames after whose words the verb is an infinitive in the translation too."""
_AMID = re.compile(r"[\w,;)] ")
"""Pattern of what stands before a word amid a sentence."""
_BORDER = re.compile(r"\b")


def list_forms(
    replacement: Replacement, dictionary: Dictionary, *, with_grammar: bool = True
) -> list[tuple[str, Entry]]:
    """List the forms of a substitute with their entries; ``with_grammar`` adds unsearched ones."""
    readings = find_readings(replacement, dictionary)
    return [
        (text, entry)
        for entry in readings
        for text in (entry.forms.texts if with_grammar else dictionary.searched_forms(entry))
    ]


def list_other_number(
    forms: Iterable[tuple[str, Entry]], dictionary: Dictionary
) -> list[tuple[str, Entry]]:
    """List the other number of the nouns in ``forms``: *month-old* comes back as *de 7 meses*."""
    nouns = dict.fromkeys(entry for _, entry in forms if entry.tag in _NOUNS)
    kin = (other for noun in nouns for other in dictionary.form_index.kin(noun))
    return [(text, other) for other in kin for text in other.forms.texts]


def find_readings(replacement: Replacement, dictionary: Dictionary) -> Iterator[Entry]:
    """Yield the entries that the substitute may be taken for, the one it was drawn as first."""
    drawn = dictionary.find(replacement.substitute, replacement.drawn_as)
    if drawn is not None:
        yield drawn
    senses = dictionary.senses(replacement.substitute)
    alike = _PASTS if replacement.drawn_as in _PASTS else ()
    ordered = sorted(senses, key=lambda entry: (entry is not drawn, entry.tag not in alike))
    yield from ordered if drawn is None else ordered[1:]
    for entry in ordered:
        yield from entry.others


def read_as_found(entry: Entry, form: str, dictionary: Dictionary) -> Entry:
    """Return the entry that ``form``, which came back for ``entry``, shows the translator chose.

    A translator that takes *covers*, a verb, for a noun does so with its substitute: the form is
    then the plural of the noun's first form. A singular is no such evidence: the translator took
    that noun for the verb (*moja* for *wets*) when it was asked for it. A form that it never wrote
    for a noun in its frame, but for the adjective in one of its own (*dolorido* for *sore*), is
    that adjective.
    """
    is_asked = entry.method in ASKED_IN_FRAMES and any(
        "=" not in feature for features in entry.forms.features for feature in features
    )
    if entry.tag in _NOUNS and is_asked and not _is_of_frame(entry, form):
        adjective = dictionary.find(entry.word, "JJ")
        return adjective if adjective and _is_of_frame(adjective, form) else entry
    noun = dictionary.find(entry.word, "NNS") if entry.tag == "VBZ" else None
    if noun is None or noun.forms.texts[0] != form or "Number=Sing" in noun.forms.features[0]:
        return entry
    is_verb = "Mood=Ind" in entry.forms.features_of(form)
    return entry if is_verb and "Number=Plur" not in noun.forms.features[0] else noun


def _is_of_frame(entry: Entry, form: str) -> bool:
    return form in entry.forms.texts and any(
        "=" not in feature for feature in entry.forms.features_of(form)
    )


def fitting_features(
    entry: Entry, form: str, own: Entry | None, said: str, dictionary: Dictionary
) -> tuple[str, ...]:
    """Return the features that ``form`` of ``entry`` gives to the original, which has ``own``.

    If a verb's substitute was taken for a noun, its number says nothing of the verb, which takes
    the first frame of its tag. ``said``, x_pub, tells of an infinitive (*to research: pesquisa*).
    """
    is_noun = entry.tag.startswith("NN") or _is_noun_after_mark(entry, form, said, dictionary)
    if own is None or not (own.tag.startswith("VB") and is_noun):
        return entry.forms.features_of(form)
    return tuple(frame.feature for frame in dictionary.language.frames.of_tags.get(own.tag, ())[:1])


def _is_noun_after_mark(entry: Entry, form: str, said: str, dictionary: Dictionary) -> bool:
    """Return True if an infinitive that stands after *to* or *can* has the ``form`` of a noun."""
    senses = dictionary.senses(entry.word) if entry.tag == "VB" else ()
    if not any(form in sense.forms.texts for sense in senses if sense.tag in _NOUNS):
        return False
    modals = dictionary.language.grammar.modals.items()
    marks = (mark for mark, frame in modals if frame in _BEFORE_INFINITIVES)
    return any(f" {mark} {entry.word}" in f" {said.lower()}" for mark in marks)


def find_original_entry(replacement: Replacement, tag: str, dictionary: Dictionary) -> Entry | None:
    """Return the original's entry, under the ``tag`` that its substitute was taken for."""
    if replacement.kind not in WORDS:
        return None
    known = dictionary.find_original(replacement.word, replacement.tag)
    if tag == replacement.tag or (known is not None and known.translator == GLOSSARY):
        return known
    if replacement.kind is Kind.WORD and replacement.surface is None:
        return dictionary.find(replacement.word, tag) or known
    return known


def count_untranslated(record: Sequence[Replacement], dictionary: Dictionary) -> int:
    """Count the words of ``record`` that are written in the source language."""
    return sum(
        any(map(str.isalpha, replacement.word))  # a number is the same in any language
        for replacement in record
        if replacement.kind is Kind.UNKNOWN
        and dictionary.find_original(replacement.word, replacement.tag) is None
    )


def gained_capital(replacement: Replacement, shown: str, answer: str) -> bool:
    """Return True if a substitute, no month or day, got a capital amid a sentence of ``answer``.

    That is a matter of its own in the target language (*European*), not one of its place.
    """
    if not shown[:1].isupper() or not (replacement.substitute + replacement.word).islower():
        return False
    is_amid = any(
        answer.startswith(shown, before.end()) and _BORDER.match(answer, before.end() + len(shown))
        for before in _AMID.finditer(answer)
    )
    return is_amid and replacement.tag not in CALENDAR_TAGS


def capitalise_people(text: str, tag: str, dictionary: Dictionary) -> str:
    """Write *american* with a capital if the target language has one for peoples."""
    language = dictionary.target_language
    peoples = language.peoples if language and tag.startswith(("JJ", "NN")) else None
    is_people = peoples is not None and text in read_words(peoples)
    return capitalise(text) if is_people else text
