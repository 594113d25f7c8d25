"""What stands beside a restored word and goes with it."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from prism_core.decoding.decoded import Found
from prism_core.record import Encoded, Kind


def join_names(encoded: Encoded, found: dict[int, Found | None], answer: str) -> None:
    """Put the halves of a double name together again where the translator parted them in ``found``.

    *told Riley-Tyler* may come back as *Riley dijo-Tyler*.
    """
    names = [replacement for replacement in encoded.record if replacement.kind is Kind.NAME]
    for first, second in pairwise(names):
        former, latter = found[first.position], found[second.position]
        if former is None or latter is None or found.get(first.position + 1) is not None:
            continue
        (start, end), (hyphen, stop) = former.span, (latter.span[0] - 1, latter.span[1])
        were_joined = f"{first.substitute}-{second.substitute}" in encoded.text
        parted = answer[end : end + 1] == " " and answer[hyphen : hyphen + 1] == "-"
        if were_joined and parted and 0 < start < end < hyphen:
            found[first.position] = former._replace(span=(start, end + 1), text="")
            joined = f" {former.text}-{latter.text}"
            found[second.position] = latter._replace(span=(hyphen, stop), text=joined)


@lru_cache(maxsize=4096)
def extra_company(theirs: str, own: str) -> str:
    """What the frame of one agreement class has before the word, and that of the other has not."""
    frame, own_frame = (known.partition(" | ")[0].partition("_")[0] for known in (theirs, own))
    if not (theirs and own and frame.startswith(own_frame)):
        return ""
    return frame.removeprefix(own_frame).strip()
