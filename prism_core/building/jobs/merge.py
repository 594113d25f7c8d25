"""Merging of several dictionaries into one.

Entry: ``merge_dictionaries``: rows of all -> associates -> features and inflections of forms ->
words that precede others -> recovery rate of each word, from public texts and a treebank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from prism_core.building import (
    Endings,
    add_attested_forms,
    annotate_features,
    calibrate,
    complete_paradigms,
    drop_lost_negations,
    drop_misread_entries,
    learn_associates,
    learn_preceding_words,
    merge_entries,
    read_parallel,
)
from prism_core.building.jobs.build import check_output, write_dictionary
from prism_core.dictionary import (
    ASSOCIATED,
    BEFORE,
    BY_RULE,
    canonical_translator,
    read_dictionary,
    target_tokens,
)
from prism_core.errors import ConfigurationError
from prism_core.languages import load_language


def merge_dictionaries(
    files: Sequence[Path], output: Path, treebank: Path | None, beside: Sequence[str]
) -> tuple[list[int], int]:
    """Merge the dictionaries in ``files`` into one; return the numbers of entries before and after.

    Forms get features by ``treebank`` (CoNLL-U). ``beside`` are public texts with translations,
    ``TEXT:TRANSLATION``, with ``:NAME`` of the translator unless a person translated. Raises
    ``ConfigurationError``.
    """
    check_output(output)
    texts = [_parse_beside(value) for value in beside]
    stored = [read_dictionary(path) for path in files]
    entries, origin = merge_entries(stored)
    by_text = {"translator": "text", "built": datetime.now(UTC).date().isoformat()}
    if texts:
        names = {f"{source.parent.name}/{answers.name}" for source, answers, _ in texts}
        origin["associates"] = ", ".join(sorted(names))
        found = learn_associates(_read_pairs(texts), load_language(origin["source"]), **by_text)
        entries = [*(entry for entry in entries if entry.tag != ASSOCIATED), *found]
    if treebank is not None:  # it calls genders otherwise than rows asked in frames do
        entries = [entry for entry in entries if entry.tag != BEFORE]
        endings = Endings.learn(treebank)
        borne_out = drop_misread_entries(entries, endings)
        described = list(
            annotate_features(borne_out, endings, load_language(origin.get("source", "en")))
        )
        entries = list(add_attested_forms(described, endings))
        origin["treebank"] = treebank.name
    attested = {word for _, answer in _read_pairs(texts) for word in target_tokens(answer)}
    attested.update(
        text for entry in entries if entry.tag == ASSOCIATED for text in entry.forms.texts
    )
    entries = list(complete_paradigms(entries, attested))
    if texts:
        described = [
            entry
            for entry in entries
            if entry.tag != BEFORE or entry.translator != by_text["translator"]
        ]
        asked = {entry.word for entry in described if entry.tag == BEFORE}
        read = learn_preceding_words(_read_pairs(texts), described, **by_text)
        entries = [*described, *(entry for entry in read if entry.word not in asked)]
    named = ((text, canonical_translator(text[2])) for text in dict.fromkeys(texts))
    neural = [text for text, name in named if name and name not in BY_RULE]
    if neural:
        neural_sources = {source for source, _, _ in neural}
        people = [text for text in texts if not text[2] and text[0] in neural_sources]
        target = origin.get("target", "")
        entries = calibrate(entries, _read_pairs(neural), target, _read_pairs(people))
    kept = list(drop_lost_negations(entries, load_language(origin.get("source", "en"))))
    write_dictionary(kept, origin, output)
    return [len(part.entries) for part in stored], len(kept)


def _read_pairs(texts: Iterable[tuple[Path, Path, str]]) -> Iterator[tuple[str, str]]:
    for source, answers, _ in texts:
        yield from read_parallel(source, answers)


def _parse_beside(value: str) -> tuple[Path, Path, str]:
    """Split TEXT:TRANSLATION[:NAME]; the name is empty for a translation by a person."""
    source, target, translator = [*value.split(":", 2), "", ""][:3]
    if not target:
        raise ConfigurationError(f"--beside takes TEXT:TRANSLATION[:NAME], not {value!r}.")
    return Path(source), Path(target), translator
