"""Public names that translators leave as they are, judged by what they once wrote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from prism_core.dictionary.entry import Entry, Form
from prism_core.language.sentence import Sentence

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
