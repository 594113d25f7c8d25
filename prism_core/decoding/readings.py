"""What a translator may have taken a substitute for, and which entry the original then has.

Entry: ``find_readings`` of a substitute, or ``list_forms`` of all of them; ``read_as_found`` of one
that was found; then ``find_own_entry`` of the original, and ``fitting_features`` of its form.
"""

from __future__ import annotations

from collections.abc import Iterator

from prism_core.dictionary import ASKED_IN_FRAMES, GLOSSARY, Dictionary, Entry
from prism_core.record import Kind, Replacement

WORDS = (Kind.WORD, Kind.UNKNOWN)
"""What a dictionary tells the translation of, as far as it is known."""
_NOUNS = ("NN", "NNS")
_PASTS = ("VBD", "VBN")
"""Tags that one is most often taken for the other of."""


def list_forms(
    replacement: Replacement, dictionary: Dictionary, *, with_grammar: bool = True
) -> list[tuple[str, Entry]]:
    """Every form of a substitute, with the reading it belongs to; those alone that are searched
    for, unless ``with_grammar``."""
    readings = find_readings(replacement, dictionary)
    return [
        (text, one)
        for one in readings
        for text in (one.forms.texts if with_grammar else dictionary.searched_forms(one))
    ]


def find_readings(replacement: Replacement, dictionary: Dictionary) -> Iterator[Entry]:
    """What the translator may have taken the substitute for, and how it may be translated.

    What it was drawn as comes first, a past before an adjective, what other translators than the
    one in use write last.
    """
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
    """What ``form``, which came back for ``entry``, says that the translator took the word for.

    A translator that takes *covers*, a verb, for a noun does so with what stands for it: it is the
    plural of which that is the first form. A singular is none: the translator took that noun for
    the verb (*moja* for *wets*) when it was asked for it. What it never wrote for a noun in its
    frame, but for the adjective in one of its own (*dolorido* for *sore*), is that adjective.
    """
    if entry.tag in _NOUNS and _frames_of(entry) and not _is_of_frame(entry, form):
        adjective = dictionary.find(entry.word, "JJ")
        return adjective if adjective and _is_of_frame(adjective, form) else entry
    noun = dictionary.find(entry.word, "NNS") if entry.tag == "VBZ" else None
    if noun is None or noun.forms.texts[0] != form or "Number=Sing" in noun.forms.features[0]:
        return entry
    is_verb = "Mood=Ind" in entry.forms.features_of(form)
    return entry if is_verb and "Number=Plur" not in noun.forms.features[0] else noun


def _frames_of(entry: Entry) -> set[str]:
    """The frames in which the translator was asked for ``entry``, by all of its forms."""
    if entry.method not in ASKED_IN_FRAMES:
        return set()
    return {one for features in entry.forms.features for one in features if "=" not in one}


def _is_of_frame(entry: Entry, form: str) -> bool:
    return form in entry.forms.texts and any(
        "=" not in one for one in entry.forms.features_of(form)
    )


def fitting_features(
    entry: Entry, form: str, own: Entry | None, dictionary: Dictionary
) -> tuple[str, ...]:
    """What ``form`` of ``entry`` tells of the form of the original, which has ``own``.

    Nothing where a verb's substitute was taken for a noun: its number is none of the verb, which
    then goes as in the first frame of its tag.
    """
    if own is None or not (own.tag.startswith("VB") and entry.tag.startswith("NN")):
        return entry.forms.features_of(form)
    return tuple(one.feature for one in dictionary.language.frames.of_tags.get(own.tag, ())[:1])


def find_own_entry(replacement: Replacement, tag: str, dictionary: Dictionary) -> Entry | None:
    """The entry of the original; None where it comes back as it is, or nothing is to be undone.

    ``tag`` is what the translator took the substitute for; a slip it would have made with the
    original too.
    """
    if replacement.kind not in WORDS:
        return None
    known = dictionary.original(replacement.word, replacement.tag)
    if tag == replacement.tag or (known is not None and known.translator == GLOSSARY):
        return known
    if replacement.kind is Kind.WORD and replacement.surface is None:
        return dictionary.find(replacement.word, tag) or known
    return known
