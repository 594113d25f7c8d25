"""Agreement of restored words with their neighbours.

*Montañas largas* becomes *paseos largos*, and *leyéndote* becomes *enviándote*. The text that the
translator wrote around each noun when it was asked for it tells its gender and number
(``Entry.agreement``).

Entry: ``describe_noun``, ``reinflect_adjectives``, ``write_before_pronouns``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from prism_core.alignment import Span
from prism_core.decoding.ambiguous_entries import find_original_entry
from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import (
    AGREEING,
    ASKED_IN_FRAMES,
    SLOT,
    Dictionary,
    agreement_of,
    differing,
)
from prism_core.languages import Language
from prism_core.mechanisms import in_case_of
from prism_core.record import Encoded, Replacement

_ADJECTIVES = ("JJ", "VBN")
_WORD = re.compile(r"\w+")
_BETWEEN = re.compile(r" (?:[^\W\d_]{1,4} )?")
"""Pattern of the text that may stand between a noun and its adjective: *más*, *es*."""


def describe_noun(text: str, word: str, tag: str, dictionary: Dictionary) -> tuple[str, ...]:
    """Return the features of an adjective beside ``text``, a form of ``word``; empty if unknown."""
    entry, lower = dictionary.find(word, tag), text.lower()
    for row in entry.rows if entry else ():
        if row.method not in ASKED_IN_FRAMES or row.forms.texts[0].lower() != lower:
            continue
        frames = [frame.feature for frame in dictionary.language.frames.of_tags.get("JJ", ())]
        before, _, after = "".join(row.agreement_parts[:1]).partition(SLOT)
        words = (*after.split()[:1], *before.split()[-1:])
        # An adjective may agree with the last noun of a phrase: *dor no peito vermelho*.
        for beside in words[::-1] if " " in lower else words:
            shown = dictionary.form_index.features(beside, "JJ")
            fitting = [frame for frame in frames if frame in shown]
            if len(fitting) == 1:  # a word of several frames tells nothing of the noun
                return dictionary.form_index.features_of_frame(*fitting)
    return ()


def describe_both(
    noun: Replacement, place: Found, tag: str, target: TargetText, dictionary: Dictionary
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return an adjective's features beside the noun that came back and beside the restored one."""
    shown = target.text[slice(*place.span)]
    return (
        describe_noun(shown, noun.substitute, tag, dictionary),
        describe_noun(place.text, noun.word, tag, dictionary),
    )


def reinflect_adjectives(
    encoded: Encoded,
    found: Mapping[int, Found],
    target: TargetText,
    dictionary: Dictionary,
) -> dict[int, Found]:
    """Re-inflect adjectives whose noun changed gender or number during decoding."""
    fitted: dict[int, Found] = {}
    drawn = [replacement for replacement in encoded.record if replacement.position in found]
    adjectives = [known for known in drawn if found[known.position].tag.startswith(_ADJECTIVES)]
    for noun in drawn if adjectives else ():
        place = found[noun.position]
        tag = place.tag_for(noun)
        if not tag.startswith("NN") or noun.word == noun.substitute:
            continue
        beside = list(_find_beside(place, adjectives, found, target))
        beside += _find_predicates(noun, adjectives, encoded.text, dictionary.language)
        if not beside:
            continue
        theirs, own = describe_both(noun, place, tag, target, dictionary)
        if not (theirs and own) and not dictionary.is_asked:
            shown = target.text[slice(*place.span)], place.text
            told = (agreement_of(dictionary.form_index.features(text, tag)) for text in shown)
            theirs, own = (known if len(known) == len(AGREEING) else () for known in told)
        for adjective in beside if own else ():
            is_before = adjective.position + adjective.length == noun.position
            if not (theirs or is_before):
                continue  # an adjective elsewhere in the source may belong to another noun
            there = found[adjective.position]
            entry = find_original_entry(adjective, there.tag, dictionary)
            written = target.text[slice(*there.span)].lower()
            usual = dictionary.form_index.features(there.text.lower(), there.tag)
            if _agrees(usual, own):
                continue  # a substitute of one form for both genders may not tell which
            shown_as = dictionary.form_index.features(written, there.tag)
            # A translator may give the substitute another gender than it has in its frame.
            is_other = (
                is_before and adjective.tag == "JJ" and differing(shown_as, own) == {"Gender"}
            )
            if entry and (is_other or _agrees(shown_as, theirs or shown_as)):
                form = entry.inflect(written, own)
                if _agrees(dictionary.form_index.features(form, entry.tag), own):
                    text = in_case_of(form, there.text)
                    fitted[adjective.position] = there._replace(text=text)
    return fitted


def write_before_pronouns(verb: str, span: Span, target: TargetText, dictionary: Dictionary) -> str:
    """Write ``verb`` with the accent that attached pronouns require: *enviándote*."""
    language = dictionary.target_language
    word = _WORD.match(target.text, span[0])
    if language is None or word is None or word.end() <= span[1]:
        return verb
    enclitics = language.grammar.enclitics
    parts = enclitics.split(word[0])
    return verb if parts is None else enclitics.accent(verb, len(parts[1]) - 1)


def _find_beside(
    noun: Found, adjectives: Sequence[Replacement], found: Mapping[int, Found], target: TargetText
) -> Iterator[Replacement]:
    """Yield the ``adjectives`` beside ``noun`` that belong to no other noun, nearest first.

    They may follow each other: *pupila fixa e dilatada*.
    """
    start, end = noun.span
    places = {found[adjective.position].span: adjective for adjective in adjectives}
    for span in sorted((span for span in places if span[1] < start), reverse=True):
        if target.text[span[1] : start] != " ":
            break
        start = span[0]
        yield places[span]
    nouns = {other.span[0] for other in found.values() if other.tag.startswith("NN")}
    for span in sorted(span for span in places if span[0] > end):
        if not _BETWEEN.fullmatch(target.text[end : span[0]]) or span[1] + 1 in nouns:
            break
        end = span[1]
        yield places[span]


def _find_predicates(
    noun: Replacement, adjectives: Sequence[Replacement], said: str, language: Language
) -> Iterator[Replacement]:
    """Yield the ``adjectives`` that x_pub has as the predicate of ``noun``: *death was sure*."""
    said = f" {said.lower()} "
    for adjective in adjectives:
        words = noun.substitute.lower(), adjective.substitute.lower()
        if adjective.position == noun.position + noun.length + 1 and any(
            f" {words[0]} {be} {words[1]}" in said for be in language.grammar.be
        ):
            yield adjective


def _agrees(features: Sequence[str], others: Sequence[str]) -> bool:
    is_shared = not set(features).isdisjoint(others)
    return is_shared and not differing(tuple(features), tuple(others))
