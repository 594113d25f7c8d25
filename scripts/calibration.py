"""Calibrate dictionaries: fit the weights of the evidence, or write the rates into a file.

    python -m scripts.calibration write en-es dictionaries/en-es.parquet
    python -m scripts.calibration write es-en dictionaries/es-en.parquet --words 8000
    python -m scripts.calibration fit FOLDER en-es en-fr

``write`` puts the recovery rate of every word into a dictionary, from all public lines
(``scripts/public_lines.py``), whatever made its rows; nothing else in it changes, but that with
``--words`` the file states how sure a word must be that so many may be drawn by default. ``fit``
takes ``FOLDER/PAIR.parquet``, dictionaries made and merged without the sets ``HELD`` (German also
without ``LATER_GERMAN``), swaps roles in what two translators made of ``HELD``, and fits the
weights and constants of ``prism_core/building/calibration.py`` to the words found: to one set for a
look at the other, then to both.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prism_core.building import calibrate
from prism_core.building.calibration import WEIGHTS, find_evidence
from prism_core.dictionary import DRAWN_FROM, read_dictionary, save_dictionary
from prism_core.evaluation.recovery_fitting import fit_logistic
from prism_core.evaluation.roles import load_roles_encoder, read_answered, swap_lines
from prism_core.language import LanguageModel
from prism_core.record import Kind
from prism_core.recovery import WordGroups
from prism_core.settings import load_settings
from scripts.public_lines import NEURAL, SHARED, read_public_lines

HELD = ("wmt12", "flores-dev")
LATER_GERMAN = tuple(f"wmt{year}" for year in range(17, 23))
"""Sets that the German dictionary to fit by was made without too: there are enough of them."""
RIDGE = 2.0
MOST = 6
"""A word seen so many times or more often counts as one seen so often."""

Vector = NDArray[np.float64]


class Observed(NamedTuple):
    """A word of a held-out set: its evidence, and how often it was seen and found."""

    target: str
    evidence: Mapping[str, float]
    seen: int
    found: int


def main() -> None:
    """Fit, or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("fit", "write"))
    parser.add_argument("where", nargs="+")
    parser.add_argument("--words", type=int, help="so many may be drawn by default")
    arguments = parser.parse_args()
    if arguments.what == "write":
        pair, file = arguments.where
        write_figures(pair, Path(file), arguments.words)
    else:
        folder, *pairs = arguments.where
        print_fit({name: list(_observe(Path(folder), pairs, name)) for name in HELD})


def write_figures(pair: str, file: Path, words: int | None) -> None:
    """Write ``calibrated`` of every word of ``pair`` into ``file``.

    With ``words`` the file states the rate of the word at that place: so many are drawn by default.
    """
    source, _, target = pair.partition("-")
    stored, lines = read_dictionary(file), read_public_lines(source, target)
    entries = calibrate(stored.entries, lines.neural, target, lines.of_people)
    provenance = dict(stored.provenance)
    if words:
        evidence = find_evidence(entries, lines.neural, lines.of_people)
        figures = {(one.word, one.tag): one.calibrated for one in entries}
        surest = sorted((figures[key] for key in evidence), reverse=True)
        provenance[DRAWN_FROM] = f"{surest[words - 1]:.3f}"
    save_dictionary(entries, provenance, file)


def _observe(folder: Path, pairs: Sequence[str], name: str) -> Iterator[Observed]:
    """Yield the words that are drawn, in the set ``name``."""
    for pair in pairs:
        source, _, target = pair.partition("-")
        model = LanguageModel.load(source)
        file, way = folder / f"{pair}.parquet", SHARED / "wmt" / pair
        held = HELD + (LATER_GERMAN if target == "de" else ())
        lines = read_public_lines(source, target, held)
        evidence = find_evidence(read_dictionary(file).entries, lines.neural, lines.of_people)
        counts: dict[tuple[str, str], list[bool]] = {}
        for translator in NEURAL:
            answers = way / f"{name}.{translator}.{target}"
            text = read_answered(way / f"{name}.{source}", answers, model)
            flags = {"source": source, "target": target, "dictionary.path": str(file)}
            encoder = load_roles_encoder(load_settings(flags=flags, asks_nobody=True), translator)
            groups = WordGroups(encoder.dictionary)
            for line in swap_lines(encoder, text, Random(1)):
                for place in line.places:
                    entry = groups.entry_of(place.replacement)
                    if place.replacement.kind is Kind.WORD and entry is not None:
                        key = entry.word, entry.tag
                        counts.setdefault(key, []).append(place.shown is not None)
        for key in evidence.keys() & counts.keys():
            yield Observed(target, evidence[key], len(counts[key]), sum(counts[key]))


def print_fit(sets: Mapping[str, Sequence[Observed]]) -> None:
    """Print how weights of each set do on the other, then the weights fitted to both."""
    targets = sorted({one.target for words in sets.values() for one in words})
    for name, words in sets.items():
        others = [one for other, seen in sets.items() if other != name for one in seen]
        weights = _fit(others, targets)
        for target in targets:
            own = [one for one in words if one.target == target]
            odds = 1 / (1 + np.exp(-_table(own, targets) @ weights))
            found = np.array([one.found / one.seen for one in own])
            for least in (0.9, 0.93, 0.95):
                sure = found[odds >= least]
                said = f"from {least} on {len(sure)} of {len(own)}, found {sure.mean():.4f}"
                sys.stdout.write(f"{target}, {name}: {said}\n")
    weights = _fit([one for words in sets.values() for one in words], targets)
    for title, weight in zip([*WEIGHTS, *targets], weights, strict=True):
        sys.stdout.write(f"{title}: {weight:.3f}\n")


def _table(words: Sequence[Observed], targets: Sequence[str]) -> Vector:
    """Return the evidence of each word, and which target it is of: its constant."""
    rows = ([one.evidence[name] for name in WEIGHTS] for one in words)
    own = ([float(one.target == target) for target in targets] for one in words)
    return np.hstack([np.array(list(rows)), np.array(list(own))])


def _fit(words: Sequence[Observed], targets: Sequence[str]) -> Vector:
    """Fit a logistic regression; the constants are hardly penalised."""
    rows = _table(words, targets)
    hits = np.array([one.found / one.seen for one in words])
    counts = np.minimum([one.seen for one in words], MOST)
    penalty = RIDGE * np.r_[np.ones(len(WEIGHTS)), np.full(len(targets), 0.01)]
    return fit_logistic(rows, hits, penalty, counts)


if __name__ == "__main__":
    main()
