"""Speed and memory of source languages beside those of English, in turns in one run.

    python -m benchmarks.source_speed [--lines 400] [--turns 3]

The same news, line by line, that stands in all four languages (FLORES dev: translated by people),
so that a line costs what its content costs. ``model`` and ``encode`` are milliseconds of processor
time for a line: the language model alone, and identifiers, draws and leak check; ``of_english`` is
the median over turns of the sum by that of English. ``decode`` puts back what comes back as it was
sent. ``memory`` are the megabytes that a process holds at most in all of this, one language alone.

Entry: ``main``; ``measure_turn`` is one turn of a language.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.attacks import load
from benchmarks.measure import argument_parser, cpu_seconds, show
from prism_core.encoding import Encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.record import Encoded

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
_LANGUAGES = ("en", "es", "fr", "de")
_FOLDERS = {"en": "en-es", "es": "es-en", "fr": "fr-en", "de": "de-en"}
_STEPS = ("model", "encode", "decode")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--lines", type=int, default=400)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--alone", choices=_LANGUAGES, help="print the memory of one and end")
    arguments = parser.parse_args()
    texts = {code: read_lines(code, arguments.lines) for code in _LANGUAGES}
    if arguments.alone:
        measure_turn(*load(arguments.alone), texts[arguments.alone])
        (peak,) = re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text("ascii"))
        print(int(peak) // 1024)
        return
    loaded = {code: load(code) for code in _LANGUAGES}
    turns = defaultdict[str, list[list[float]]](list)
    for _ in range(arguments.turns):
        for code in _LANGUAGES:
            turns[code].append(measure_turn(*loaded[code], texts[code]))
    english = [sum(turn) for turn in turns["en"]]
    rows: list[dict[str, object]] = []
    for code in _LANGUAGES:
        ratios = [sum(turn) / own for turn, own in zip(turns[code], english, strict=True)]
        steps = (median(times) for times in zip(*turns[code], strict=True))
        told = {step: 1e3 * t / arguments.lines for step, t in zip(_STEPS, steps, strict=True)}
        memory = measure_memory(code, arguments.lines)
        rows.append({"language": code} | told | {"of_english": median(ratios), "memory": memory})
    show(rows, as_json=arguments.json)


def read_lines(code: str, most: int) -> list[str]:
    """The first lines of FLORES dev in one language."""
    file = SHARED / "wmt" / _FOLDERS[code] / f"flores-dev.{code}"
    return file.read_text("utf-8").splitlines()[:most]


def measure_turn(encoder: Encoder, model: LanguageModel, lines: list[str]) -> list[float]:
    """Seconds of processor time for each of the steps."""

    def annotate() -> list[Sentence]:
        return [one for group in model.annotate(lines) for one in group]

    def encode() -> list[Encoded]:
        known, rng = encoder.add_identifiers(DenyList(), sentences), Random(7)
        return [encoder.encode(sentence, known, rng) for sentence in sentences]

    sentences, first = cpu_seconds(annotate)
    encoded, second = cpu_seconds(encode)
    sent = [one for one in encoded if not one.withheld]
    _, third = cpu_seconds(lambda: [encoder.decode(one, one.text) for one in sent])
    return [first, second, third]


def measure_memory(code: str, lines: int) -> int:
    """What a process of its own holds at most for a language."""
    command = [sys.executable, "-m", "benchmarks.source_speed", "--alone", code]
    command += ["--lines", str(lines)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(answer.stdout)


if __name__ == "__main__":
    main()
