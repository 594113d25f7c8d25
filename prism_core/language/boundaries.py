"""Rules over a sentence splitter's guesses: what never ends a sentence, what never begins one."""

from __future__ import annotations

import re
from collections.abc import Sequence

# A name or a number follows these; a sentence ends with one only by accident.
_NEVER_LAST = frozenset(
    "mr. mrs. ms. mlle. mme. dr. drs. prof. st. gen. lt. col. capt. maj. sgt. cpl. rev. hon. gov. "
    "sen. reps. messrs. v. vs. nos. arts. figs. fig. pp. e.g. i.e. cf. ca. approx. vol. vols. "
    "attn. ft. mt.".split()
)
_CLOSER = re.compile(r"[)\]}»,;:.!?…%]+|'s|n't")


def mend(words: Sequence[str], begins: Sequence[bool]) -> list[bool]:
    """Which of ``words`` begin a sentence, given a splitter's guesses; the first always does."""
    mended = list(begins)
    for index in range(1, len(words)):
        if mended[index] and (
            words[index - 1].lower() in _NEVER_LAST or _CLOSER.fullmatch(words[index])
        ):
            mended[index] = False
    if mended:
        mended[0] = True
    return mended
