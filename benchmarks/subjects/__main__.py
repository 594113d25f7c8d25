"""What another tool makes of the documents of the Text Anonymization Benchmark, a subject a line.

    python -m benchmarks.subjects FILE TOOL [--pipeline en_core_web_lg] > presidio.jsonl

``TOOL`` is ``presidio``, with all its recognizers, or ``spacy``, which hides every named entity.
Either uses the spaCy pipeline named, that of PRISM without one. ``prism evaluate subjects FILE
--methods in-clear,presidio.jsonl,standard`` then compares the output with PRISM.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from prism_core.evaluation.subjects.records import read_subjects
from prism_core.languages import load_language

Redact = Callable[[Sequence[str]], list[str]]


def presidio(pipeline: str) -> Redact:
    """Presidio, each identifier replaced by its class."""
    from benchmarks.speed import Presidio

    return Presidio(Path(pipeline)).replace


def spacy(pipeline: str) -> Redact:
    """Named entities, each replaced by its label."""
    import spacy

    nlp = spacy.load(pipeline)

    def redact(lines: Sequence[str]) -> list[str]:
        texts = []
        for line, found in zip(lines, nlp.pipe(lines), strict=True):
            text = line
            for entity in reversed(found.ents):
                text = f"{text[: entity.start_char]}<{entity.label_}>{text[entity.end_char :]}"
            texts.append(text)
        return texts

    return redact


TOOLS: Mapping[str, Callable[[str], Redact]] = {"presidio": presidio, "spacy": spacy}
"""Adapters: each loads its tool, which has to be installed, with a spaCy pipeline."""


def main() -> None:
    """Read, redact and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("tool", choices=TOOLS)
    parser.add_argument("--pipeline", default=str(load_language("en").model))
    given = parser.parse_args()
    redact = TOOLS[given.tool](given.pipeline)
    for subject in read_subjects(given.file):
        print(json.dumps({"subject": subject.name, "text": "\n".join(redact(subject.lines))}))


if __name__ == "__main__":
    main()
