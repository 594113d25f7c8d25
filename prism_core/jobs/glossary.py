"""A glossary into a dictionary: nothing is sent to anybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from prism_core.building import BadTerm, glossary_entries, read_glossary
from prism_core.dictionary import GLOSSARY, read_dictionary
from prism_core.errors import ConfigurationError
from prism_core.jobs.building import save
from prism_core.language import LanguageModel
from prism_core.languages import load_language
from prism_core.settings.sections import Settings


@dataclass(frozen=True)
class Imported:
    """How many entries a glossary gave, and the rows that gave none."""

    output: Path
    entries: int
    bad: list[BadTerm]


def add_glossary(file: Path, dictionary: Path, output: Path, settings: Settings) -> Imported:
    """Write ``dictionary`` with the terms of ``file`` to ``output``, which may be the same.

    A term replaces what an earlier glossary had for its word and tag. Raises
    ``ConfigurationError`` when no row can be used; then nothing is written.
    """
    stored = read_dictionary(dictionary)
    terms = read_glossary(file, settings.source, settings.target)
    model = LanguageModel.load(settings.source, settings.language.model)
    entries, bad = glossary_entries(
        terms,
        [entry for entry in stored.entries if entry.translator != GLOSSARY],
        lambda texts: list(model.annotate(texts)),
        load_language(settings.source),
        datetime.now(UTC).date().isoformat(),
    )
    if not entries:
        raise ConfigurationError(
            f"No row of {file} can be used; line {bad[0].line}: {bad[0].reason}."
        )
    new = {(entry.word, entry.tag) for entry in entries}
    kept = [
        entry
        for entry in stored.entries
        if entry.translator != GLOSSARY or (entry.word, entry.tag) not in new
    ]
    save([*kept, *entries], stored.provenance, output)
    return Imported(output, len(entries), bad)
