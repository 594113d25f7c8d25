"""Public names that a translator writes one way wherever they stand: by asking it, or by what
translators once wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from prism_core.building.frames import Ask, Frame, FrameReader, ask_packed
from prism_core.dictionary import Entry, Form
from prism_core.language import Sentence

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
        context: ask_packed(ask, [context.format(name) for name, _ in names], packed)
        for context in ALL_CONTEXTS
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


METHOD = "names"
_WORDS = re.compile(r"\w+")


def unchanged_names(
    sentences: Sequence[Sentence],
    targets: Mapping[str, Sequence[str]],
    names: Sequence[tuple[str, str]],
    built: str = "",
) -> list[Entry]:
    """The entries of those ``names`` (name, tag) that every translation of every sentence keeps.

    Only a token tagged as a name is a sighting. A name that was never seen has no entry: of those
    that were, one in twenty is translated (*Francis*, *Virginia*). ``confidence`` is
    (n + .5) / (n + 1) for n sightings.
    """
    wanted = {name for name, _ in names}
    seen: Counter[str] = Counter()
    changed: set[str] = set()
    for index, sentence in enumerate(sentences):
        present = {t.text for t in sentence.tokens if t.tag in ("NNP", "NNPS")} & wanted
        for lines in targets.values() if present else ():
            seen.update(present)
            changed |= present - set(_WORDS.findall(lines[index]))
    return [
        Entry(
            word=name,
            tag=tag,
            forms=(Form(name, score=1.0, features=("name",)),),
            agreement="",
            confidence=(seen[name] + 0.5) / (seen[name] + 1),
            calls=0.0,
            translator=translator,
            method=METHOD,
            built=built,
        )
        for name, tag in names
        if seen[name] and name not in changed
        for translator in targets
    ]
