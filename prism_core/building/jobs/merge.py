"""Merging dictionaries: one made of several.

Entry: ``merge_dictionaries``: rows of all -> associates -> features and inflections of forms ->
words that stand before others -> recovery rate of each word, from public texts and a treebank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from prism_core.building import (
    Endings,
    add_attested,
    associate,
    calibrate,
    complete,
    describe,
    learn_companions,
    leave_out_misread,
    merge,
    read_parallel,
)
from prism_core.building.jobs.build import check_output, save
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
    files: Sequence[Path], output: Path, treebank: Path | None = None, beside: Sequence[str] = ()
) -> tuple[list[int], int]:
    """Write the dictionaries in ``files`` as one; how many entries each had, and that one has.

    Forms get features by ``treebank`` (CoNLL-U). ``beside`` are public texts with translations,
    ``TEXT:TRANSLATION``, with ``:NAME`` of the translator where it is no person's. Raises
    ``ConfigurationError``.
    """
    check_output(output)
    texts = [_read_beside(said) for said in beside]
    stored = [read_dictionary(path) for path in files]
    entries, origin = merge(stored)
    by_text = {"translator": "text", "built": datetime.now(UTC).date().isoformat()}
    if texts:
        names = {f"{source.parent.name}/{answers.name}" for source, answers, _ in texts}
        origin["associates"] = ", ".join(sorted(names))
        found = associate(_read_pairs(texts), load_language(origin["source"]), **by_text)
        entries = [*(entry for entry in entries if entry.tag != ASSOCIATED), *found]
    if treebank is not None:
        endings = Endings.learn(treebank)
        borne_out = leave_out_misread(entries, endings)
        described = list(describe(borne_out, endings, load_language(origin.get("source", "en"))))
        attested = {word for _, answer in _read_pairs(texts) for word in target_tokens(answer)}
        entries = list(complete(add_attested(described, endings), attested))
        origin["treebank"] = treebank.name
    if texts:
        described = [entry for entry in entries if entry.tag != BEFORE]
        entries = [*described, *learn_companions(_read_pairs(texts), described, **by_text)]
    said_by = ((text, canonical_translator(text[2])) for text in dict.fromkeys(texts))
    neural = [text for text, name in said_by if name and name not in BY_RULE]
    if neural:
        people = [text for text in texts if not text[2] and text[0] in {one[0] for one in neural}]
        target = origin.get("target", "")
        entries = calibrate(entries, _read_pairs(neural), target, _read_pairs(people))
    save(entries, origin, output)
    return [len(part.entries) for part in stored], len(entries)


def _read_pairs(texts: Iterable[tuple[Path, Path, str]]) -> Iterator[tuple[str, str]]:
    for source, answers, _ in texts:
        yield from read_parallel(source, answers)


def _read_beside(said: str) -> tuple[Path, Path, str]:
    """A text, its translation, and the translator; empty where it is a person's."""
    source, target, translator = [*said.split(":", 2), "", ""][:3]
    if not target:
        raise ConfigurationError(f"--beside takes TEXT:TRANSLATION[:NAME], not {said!r}.")
    return Path(source), Path(target), translator
