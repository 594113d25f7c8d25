"""Public names that a translator writes one way wherever they stand, found by asking it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain

from prism_core.building.frames import Frame, FrameReader
from prism_core.building.packing import Ask, ask_packed
from prism_core.dictionary.entry import Entry, Form

FRAME = Frame("name", "They spoke of {} there.")
"""Shows how a translator writes a name: most it leaves as they are, some places it translates."""
CONTEXTS = (
    "Yesterday {} spoke with the doctor.",
    "They gave the book to {} on Monday.",
    "The letter was written by {} and sent.",
)
ALIKE = (
    ("{}'s house was there.", "The house of {} was there."),
    ("{} was there.", "They said that {} was there."),
)
"""What says the same must be translated alike: a name that the translator does not know for one is
not moved behind its house, and leaves its mark on the words after it."""
PACKED = 8
ALL_CONTEXTS = (FRAME.text, *CONTEXTS, *chain.from_iterable(ALIKE))


def stable_names(names: Sequence[tuple[str, str]], ask: Ask, packed: int = PACKED) -> list[Entry]:
    """The entries of those ``names`` that are written one way in every context.

    ``packed`` sentences make a text.
    """
    answers = {
        context: ask_packed(ask, _filled(context, names), packed) for context in ALL_CONTEXTS
    }
    forms = FrameReader(FRAME, answers[FRAME.text]).filled()
    entries = []
    for index, (name, tag) in enumerate(names):
        own = {context: answers[context][index] for context in ALL_CONTEXTS}
        found = forms[index]
        text = _as_written(found.form, own[FRAME.text]) if found else ""
        if text and _is_stable(text, own):
            entries.append(
                Entry(name, tag, (Form(text, 1.0, ("name",)),), "", 1.0, len(own) / packed)
            )
    return entries


def _filled(context: str, names: Sequence[tuple[str, str]]) -> list[str]:
    return [context.format(name) for name, _ in names]


def _as_written(form: str, answer: str) -> str:
    """``form``, which is in lower case, as ``answer`` writes it; empty where it is not one run."""
    start = answer.lower().find(form)
    text = answer[start : start + len(form)] if start >= 0 else ""
    return text if text[:1].isupper() else ""


def _is_stable(form: str, answers: Mapping[str, str]) -> bool:
    everywhere = all(
        re.search(rf"(?<!\w){re.escape(form)}(?!\w)", answers[context])
        for context in (*CONTEXTS, *chain.from_iterable(ALIKE))
    )
    (genitive, of), (first, later) = ALIKE
    after = answers[first].partition(form)[2]
    return everywhere and answers[genitive] == answers[of] and answers[later].endswith(after)
