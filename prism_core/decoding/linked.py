"""Places of substitutes that the translator itself reports.

Its links lead from the words of x_pub to characters of its answer (see ``Aligner``). A translator
is not trusted with them: a link is followed only where it begins and ends at a word boundary.

Entry: ``link_places`` for a sentence -> ``place_of`` for one substitute; during decoding
``is_refuted`` checks a place against what is known of the words. ``align`` is the reverse: where
decoded text stands for a word of the source.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from operator import attrgetter

from prism_core.alignment import Alignment, Match, Span, Translation, is_inside_word
from prism_core.decoding.decoded import Decoded
from prism_core.dictionary import Dictionary, Glossary, common_start
from prism_core.record import Encoded, Kind

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def link_places(source: str, encoded: Encoded, answer: Translation) -> dict[int, Span]:
    """Return where ``answer`` has each substitute by a plausible link, by its position."""
    if not answer.matches:
        return {}
    places = (
        (position, place_of(substitute, answer.matches, answer.text))
        for position, _, substitute in find_places(source, encoded)
    )
    return {position: place for position, place in places if place is not None}


def place_of(substitute: Span, links: Sequence[Match], answer: str) -> Span | None:
    """Return the place in ``answer`` of the link that leads exactly to ``substitute`` in x_pub.

    Returns None if there is no such link or several, if its place is not whole words of ``answer``,
    or if another link leads to a part of it.
    """
    places = {link.target for link in links if link.source == substitute}
    if len(places) != 1:
        return None
    (place,) = places
    start, end = place
    if any(overlap(place, link.target) for link in links if link.source != substitute):
        return None
    inside = 0 <= start < end <= len(answer)
    if not inside or is_inside_word(answer, start) or is_inside_word(answer, end):
        return None
    ends = answer[start] + answer[end - 1]
    return place if ends.isalnum() else None


def find_places(source: str, encoded: Encoded) -> Iterator[tuple[int, Span, Span]]:
    """Yield each replacement's position, and its places in ``source`` and in x_pub."""
    record = sorted(encoded.record, key=attrgetter("position"))
    begins = bool(record) and record[0].position == 0 and record[0].written.startswith(" ")
    sent = " " * begins + encoded.text + " "
    here = there = 0
    for replacement in record:
        shared = range(common_start(source[here:], sent[there:]) + 1)
        ends = (n for n in shared if source.startswith(replacement.word, here + n))
        kept = next((n for n in ends if sent.startswith(replacement.written, there + n)), None)
        if kept is None:
            return
        start, here = here + kept, here + kept + len(replacement.word)
        shown = there + kept - begins + replacement.written.index(replacement.substitute)
        there += kept + len(replacement.written)
        yield replacement.position, (start, here), (shown, shown + len(replacement.substitute))


def is_refuted(
    shown: str,
    substitute: str,
    known: Span | None,
    linked: Mapping[int, Span],
    sent: str,
    dictionary: Dictionary,
) -> bool:
    """Return True if ``shown``, no known form of ``substitute``, is unlikely to stand for it.

    Evidence against it is a known form elsewhere (``known``) that no link leads to, or that
    ``shown`` is known to be written for another word of ``sent`` (x_pub). A word of the dictionary
    as it was sent counts too: nothing was translated there.
    """
    if shown.lower() == substitute.lower() and dictionary.knows(substitute):
        return True
    if known is not None and not any(overlap(known, place) for place in linked.values()):
        return True
    own = set(_WORD.findall(substitute))
    others = [word for word in dict.fromkeys(_WORD.findall(sent)) if word not in own]
    senses = (sense for word in others for sense in dictionary.senses(word))
    entries = (entry for sense in senses for entry in sense.rows)
    forms = {form.lower() for entry in entries for form in entry.forms.texts}
    return shown.lower() in forms or shown in map(dictionary.translate_surrogate, others)


def overlap(one: Span, other: Span) -> bool:
    """Return True if both spans have a character in common."""
    return one[0] < other[1] and other[0] < one[1]


def replaced_words(
    source: str, encoded: Encoded, decoded: Decoded, glossary: Glossary
) -> dict[Span, Span]:
    """Return where ordinary words of ``source`` stand in ``decoded.text``; no terms."""
    ordinary = {
        r.position
        for r in encoded.record
        if r.kind in (Kind.WORD, Kind.UNKNOWN) and glossary.entry_of(r.word, r.tag) is None
    }
    return dict(align(source, encoded, decoded, ordinary))


def align(
    source: str, encoded: Encoded, decoded: Decoded, positions: Container[int] | None = None
) -> Alignment:
    """Return where replaced words of ``source``, all or at ``positions``, are in the result."""
    found = decoded.places
    return tuple(
        Match(word, found[position])
        for position, word, _ in find_places(source, encoded)
        if position in found and word[0] < word[1]
        if positions is None or position in positions
    )
