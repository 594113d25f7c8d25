"""Public names that a translator writes one way wherever they stand: by asking it, or by what
translators once wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from prism_core.building.frames import Ask, FrameReader, ask_packed
from prism_core.dictionary import Entry, Form
from prism_core.language import Sentence
from prism_core.languages import Frames, Language

PACKED = 8


def name_contexts(language: Language) -> tuple[str, ...]:
    """The sentences that every name is put into."""
    frames = language.frames
    return (frames.name.text, *frames.name_contexts, *chain.from_iterable(frames.alike))


def stable_names(
    names: Sequence[tuple[str, str]], ask: Ask, language: Language, packed: int = PACKED
) -> list[Entry]:
    """The entries of those ``names`` that are written one way in every context.

    ``packed`` sentences make a text.
    """
    contexts, frame = name_contexts(language), language.frames.name
    answers = {
        context: ask_packed(ask, [context.format(name) for name, _ in names], packed)
        for context in contexts
    }
    forms = FrameReader(frame, answers[frame.text]).filled()
    entries = []
    for index, (name, tag) in enumerate(names):
        own = {context: answers[context][index] for context in contexts}
        found = forms[index]
        text = _as_written(found.form, own[frame.text]) if found else ""
        if text and _is_stable(text, own, language.frames):
            entries.append(
                Entry(name, tag, (Form(text, 1.0, ("name",)),), "", 1.0, len(own) / packed)
            )
    return entries


def _as_written(form: str, answer: str) -> str:
    """``form``, which is in lower case, as ``answer`` writes it; empty where it is not one run."""
    start = answer.lower().find(form)
    text = answer[start : start + len(form)] if start >= 0 else ""
    return text if text[:1].isupper() else ""


def _is_stable(form: str, answers: Mapping[str, str], frames: Frames) -> bool:
    everywhere = all(
        re.search(rf"(?<!\w){re.escape(form)}(?!\w)", answers[context])
        for context in (*frames.name_contexts, *chain.from_iterable(frames.alike))
    )
    (genitive, of), (first, later) = frames.alike
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
