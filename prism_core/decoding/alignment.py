"""From what decoding found to an alignment of the translation with the source sentence."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from prism_core.alignment import Alignment, Match, Span
from prism_core.decoding.decode import Decoded
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


def find_places(source: str, encoded: Encoded) -> Iterator[tuple[int, Span, Span]]:
    """Position of each replacement, its place in ``source``, and its substitute's in x_pub.

    x_pri and x_pub are the same but for the replacements, so the next one is where the word stands
    in the one and its substitute in the other, after equal text.
    """
    record = sorted(encoded.record, key=attrgetter("position"))
    begins = bool(record) and record[0].position == 0 and record[0].written.startswith(" ")
    sent = " " * begins + encoded.text + " "
    here = there = 0
    for replacement in record:
        kept = _count_shared(source, here, replacement.word, sent, there, replacement.written)
        if kept is None:
            return
        start, here = here + kept, here + kept + len(replacement.word)
        shown = there + kept - begins + replacement.written.index(replacement.substitute)
        there += kept + len(replacement.written)
        yield replacement.position, (start, here), (shown, shown + len(replacement.substitute))


def _count_shared(
    source: str, here: int, word: str, sent: str, there: int, shown: str
) -> int | None:
    """How many characters both texts share before ``word`` in the one and ``shown`` in the other.

    None when they differ before.
    """
    for count in range(min(len(source) - here, len(sent) - there) + 1):
        if source.startswith(word, here + count) and sent.startswith(shown, there + count):
            return count
        if source[here + count : here + count + 1] != sent[there + count : there + count + 1]:
            return None
    return None
