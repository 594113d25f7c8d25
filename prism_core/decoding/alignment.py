"""From what decoding found to an alignment of the translation with the source sentence."""

from __future__ import annotations

from prism_core.alignment import Alignment, Match
from prism_core.decoding.decoded import Decoded
from prism_core.decoding.linked import find_places
from prism_core.record import Encoded


def align(source: str, encoded: Encoded, decoded: Decoded) -> Alignment:
    """Where each replaced word of ``source`` (x_pri) stands in ``decoded.text`` (y_pri).

    Words that were kept are not aligned; neither is what follows a replacement whose place in
    ``source`` cannot be told.
    """
    found = decoded.places
    return tuple(
        Match(word, found[position])
        for position, word, _ in find_places(source, encoded)
        if position in found and word[0] < word[1]
    )
