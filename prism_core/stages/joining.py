"""From the sentences of a segment back to its text: what was read, and its translation."""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.alignment import Match, Translation
from prism_core.state import SegmentLayout


def joined(
    segment: SegmentLayout, texts: Mapping[str, tuple[str, Translation | None]]
) -> tuple[str, Translation]:
    """The text of ``segment`` as it was read, and its translation, aligned to that.

    ``texts`` gives each sentence and its translation by id; one without stays as it is. What
    is copied is aligned to itself, and every sentence ends with a border.
    """
    read = translated = ""
    matches: list[Match] = []
    for piece in segment.pieces:
        if isinstance(piece, str):
            source, target, trailing = piece, None, ""
        else:
            (source, target), trailing = texts[piece.sentence], piece.trailing
        here, there = len(read), len(translated)
        if target is None or target.text == source:
            target = Translation(source, [Match((0, len(source)), (0, len(source)))])
        matches += (match.moved(here, there) for match in target.matches)
        read, translated = read + source, translated + target.text
        border = (len(read), len(read)), (len(translated), len(translated))
        matches.append(Match(*border))
        read, translated = read + trailing, translated + trailing
    return read, Translation(translated, matches)
