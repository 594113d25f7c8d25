"""Entries of public names: those that a translator writes in one way wherever they stand.

Entry: ``find_stable_names`` asks a translator; ``find_unchanged_names`` reads translated text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

from prism_core.building.frame_queries import FrameReader, Translate, translate_packed
from prism_core.dictionary import Entry, Form
from prism_core.language import Sentence
from prism_core.languages import Frames, Language

_PACKED = 8
"""Number of sentences of names in one text."""


def find_stable_names(
    names: Sequence[tuple[str, str]], translate: Translate, language: Language
) -> list[Entry]:
    """Find the ``names`` that have one form in every context, and make their entries."""
    frames, frame = language.frames, language.frames.name
    answers = {
        context: translate_packed(translate, [context.format(name) for name, _ in names], _PACKED)
        for context in (frame.text, *frames.name_contexts, *chain.from_iterable(frames.alike))
    }
    forms = FrameReader(frame, answers[frame.text]).read_all()
    entries = []
    for index, (name, tag) in enumerate(names):
        answers_for_name = {context: texts[index] for context, texts in answers.items()}
        if not (found := forms[index]):
            continue
        answer = answers_for_name[frame.text]
        start = answer.lower().find(found.form)  # forms are in lower case
        text = answer[start : start + len(found.form)] if start >= 0 else ""
        if text[:1].isupper() and _is_stable(text, answers_for_name, frames):
            entries.append(
                Entry(
                    name,
                    tag,
                    (Form(text, 1.0, ("name",)),),
                    "",
                    1.0,
                    len(answers_for_name) / _PACKED,
                )
            )
    return entries


def _is_stable(form: str, answers: Mapping[str, str], frames: Frames) -> bool:
    everywhere = all(
        re.search(rf"(?<!\w){re.escape(form)}(?!\w)", answer)
        for context, answer in answers.items()
        if context != frames.name.text
    )
    (genitive, of_phrase), (first, later) = frames.alike
    after = answers[first].partition(form)[2]
    # Catalan may begin with a small letter there, Esperanto lose a blank.
    genitive_text, of_text = (
        "".join(answers[context].split()).casefold() for context in (genitive, of_phrase)
    )
    return everywhere and genitive_text == of_text and answers[later].endswith(after)


def find_unchanged_names(
    sentences: Sequence[Sentence],
    targets: Mapping[str, Sequence[str]],
    names: Sequence[tuple[str, str]],
    built: str,
) -> list[Entry]:
    """Find the ``names`` (name, tag) that every translation of every sentence keeps.

    Returned are their entries. Only a token tagged as a name counts as an occurrence. A name that
    was never seen has no entry: of those that were, one in twenty is translated (*Francis*,
    *Virginia*). ``confidence`` is (n + .5) / (n + 1) for n occurrences.
    """
    wanted = {name for name, _ in names}
    seen: Counter[str] = Counter()
    changed: set[str] = set()
    for index, sentence in enumerate(sentences):
        present = {token.text for token in sentence.tokens if token.tag in ("NNP", "NNPS")} & wanted
        for lines in targets.values() if present else ():
            seen.update(present)
            changed |= present - set(re.findall(r"\w+", lines[index]))
    return [
        Entry(
            word=name,
            tag=tag,
            forms=(Form(name, score=1.0, features=("name",)),),
            agreement="",
            confidence=(seen[name] + 0.5) / (seen[name] + 1),
            calls=0.0,
            translator=translator,
            method="names",
            built=built,
        )
        for name, tag in names
        if seen[name] and name not in changed
        for translator in targets
    ]
