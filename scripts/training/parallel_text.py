"""Public text in Spanish and English, sentence by sentence, for the translator that ships.

    python -m scripts.training.parallel_text --output pairs.tsv

From the folder of ``PRISM_SHARED_DATA``: news and encyclopedia with human translations (WMT 2008 to
2012, FLORES dev), what two commercial translators made of those, and text in one of the languages
that Apertium (GPL data; ``eng-spa`` 0.8.1) translates into the other. ``wmt13``, ``wmt22``,
``flores-test`` and ``mtedx_test`` are not touched, and what is a line of ``wmt13`` or
``flores-test`` too is left out. A line: Spanish, tab, English, tab, what it is (``human``;
``commercial``: one side is a translator's; ``back``: the Spanish is Apertium's, ``forward``: the
English is). About ten minutes of a core, nearly all of it Apertium's.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import spacy
from spacy.tokens import DocBin

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
_NEWS = ("wmt08", "wmt09", "wmt10", "wmt11", "wmt12")
_ENGLISH = {
    "en-de": ("iwslt17", "wmt14", "wmt15", "wmt16", "wmt17", "wmt18", "wmt19", "wmt20", "wmt21"),
    "en-fr": ("iwslt17", "wmt14", "wmt15"),
}
_MOST_CHARACTERS = 240
_SENTENCE_ENDS = re.compile(r"(?<=[.;:?!]) +(?=[A-ZÁÉÍÓÚÑ¿¡])|\n")


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    output = parser.parse_args().output
    english = _short(_english())
    spanish = _short(_spanish())
    rows = [
        *((*pair, "human") for pair in _human()),
        *((*pair, "commercial") for pair in _commercial()),
        *zip(_ask(english, "eng-spa"), english, ["back"] * len(english), strict=True),
        *zip(spanish, _ask(spanish, "spa-eng"), ["forward"] * len(spanish), strict=True),
    ]
    held = set(_held_back())
    with output.open("w", encoding="utf-8") as file:
        for row in dict.fromkeys(rows):
            if all(part.strip() for part in row) and held.isdisjoint(row):
                file.write("\t".join(row) + "\n")


def _held_back() -> Iterator[str]:
    for name in ("flores-test", "wmt13"):
        yield from _lines(SHARED / "wmt/es-en" / f"{name}.es")
        yield from _lines(SHARED / "wmt/en-es" / f"{name}.en")


def _human() -> Iterator[tuple[str, str]]:
    for name in (*_NEWS, "flores-dev"):
        source = _lines(SHARED / "wmt/es-en" / f"{name}.es")
        yield from zip(source, _lines(SHARED / "wmt/en-es" / f"{name}.en"), strict=True)


def _commercial() -> Iterator[tuple[str, str]]:
    for name in (*_NEWS, "flores-dev"):
        source = _lines(SHARED / "wmt/es-en" / f"{name}.es")
        target = _lines(SHARED / "wmt/en-es" / f"{name}.en")
        for maker in ("google", "microsoft"):
            english = _lines(SHARED / "wmt/es-en" / f"{name}.{maker}.en")
            yield from zip(source, english, strict=True)
            spanish = _lines(SHARED / "wmt/en-es" / f"{name}.{maker}.es")
            yield from zip(spanish, target, strict=True)


def _english() -> Iterator[str]:
    for pair, names in _ENGLISH.items():
        for name in names:
            yield from _lines(SHARED / "wmt" / pair / f"{name}.en")
    blank = spacy.blank("en")
    for name in ("ewt_train", "gumfree_train"):
        for document in (
            DocBin().from_disk(SHARED / "english" / f"{name}.spacy").get_docs(blank.vocab)
        ):
            yield from (" ".join(sentence.text.split()) for sentence in document.sents)


def _spanish() -> Iterator[str]:
    for name in _NEWS:
        yield from _lines(SHARED / "wmt/es-en" / f"{name}.es")
    for line in _lines(SHARED / "spanish/es_gsd-ud-dev.conllu"):
        if line.startswith("# text = "):
            yield line.removeprefix("# text = ")
    with gzip.open(SHARED / "spanish/meddocan.jsonl.gz", "rt", encoding="utf-8") as file:
        for record in map(json.loads, file):
            if record["part"] == "train":
                yield from _SENTENCE_ENDS.split(record["text"])


def _short(texts: Iterator[str]) -> list[str]:
    """Each once, without fragments, addresses of mail and web, and what is too long to be learned
    soon."""
    met = dict.fromkeys(" ".join(text.split()) for text in texts)
    return [
        text
        for text in met
        if 12 <= len(text) <= _MOST_CHARACTERS and not re.search("@|www|http", text)
    ]


def _lines(file: Path) -> list[str]:
    return [" ".join(line.split()) for line in file.read_text(encoding="utf-8").split("\n")[:-1]]


def _ask(texts: Sequence[str], mode: str) -> list[str]:
    done = subprocess.run(  # noqa: S603
        ["apertium", "-u", "-f", "line", mode],  # noqa: S607
        input="\n".join(texts) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    answers = done.stdout.split("\n")[:-1]
    if len(answers) != len(texts):
        raise ValueError(f"Apertium gave {len(answers)} lines for {len(texts)}")
    return [" ".join(answer.split()) for answer in answers]


if __name__ == "__main__":
    main()
