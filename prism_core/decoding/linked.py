"""Where the translator itself says that a substitute came back.

Its links are from the words of x_pub to characters of its answer (see ``Aligner``). A translator is
not trusted with them: a link is followed only where it begins and ends with a word.

Entry: ``link_places``, of a whole sentence; ``place_of``, of one substitute.
"""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.alignment import Match, Span, Translation, is_inside_word
from prism_core.decoding.alignment import find_places
from prism_core.record import Encoded


def link_places(source: str, encoded: Encoded, answer: Translation) -> dict[int, Span]:
    """By position of a replacement: where in ``answer`` its substitute is said to stand.

    ``source`` is x_pri; ``answer`` is y_pub, with links from ``encoded.text``. Replacements of
    which nothing plausible is said are missing.
    """
    if not answer.matches:
        return {}
    places = (
        (position, place_of(substitute, answer.matches, answer.text))
        for position, _, substitute in find_places(source, encoded)
    )
    return {position: place for position, place in places if place is not None}


def place_of(substitute: Span, links: Sequence[Match], answer: str) -> Span | None:
    """The place in ``answer`` of the one of ``links`` that is to exactly ``substitute``, in x_pub.

    None where there is no such link or several, or its place is not whole words of ``answer``, or
    another link is to a part of it.
    """
    places = {link.target for link in links if link.source == substitute}
    if len(places) != 1:
        return None
    (place,) = places
    start, end = place
    others = (link.target for link in links if link.source != substitute)
    if any(first < end and start < last for first, last in others):
        return None
    inside = 0 <= start < end <= len(answer)
    if not inside or is_inside_word(answer, start) or is_inside_word(answer, end):
        return None
    ends = answer[start] + answer[end - 1]
    return place if ends.isalnum() else None
