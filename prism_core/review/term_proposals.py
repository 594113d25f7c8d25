"""Terms that follow from corrections: where one word or phrase alone was replaced by another.

They are proposals, in the form of a glossary (``source,target``) that the user reads, keeps what is
right of, and names in the settings; nothing else reads them.

Entry: ``propose_term`` for each correction; ``write_terms``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.errors import ConfigurationError
from prism_core.translation_memory import write_memory

Term = tuple[str, str]
"""What it is called in the source, and in the target."""
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_MOST_WORDS = 4


def check_terms_file(file: Path) -> None:
    """Raise ``ConfigurationError`` unless ``file`` may be written as a glossary."""
    if file.suffix.lower() != ".csv":
        raise ConfigurationError(f"{file}: proposals for a glossary are called NAME.csv")
    if file.exists():
        raise ConfigurationError(f"{file} exists already; name another file for the proposals")


def propose_term(source: str, before: Translation, said: str) -> Term | None:
    """The term that follows when a person wrote ``said`` for ``before``, which translated
    ``source``; None unless one stretch of a few words changed of which it is known what they stand
    for."""
    old, new = list(_WORD.finditer(before.text)), list(_WORD.finditer(said))
    compared = SequenceMatcher(None, [m[0] for m in old], [m[0] for m in new], autojunk=False)
    changed = [code for code in compared.get_opcodes() if code[0] != "equal"]
    if (
        len(changed) != 1
        or changed[0][0] != "replace"
        or len(old) == len(old[slice(*changed[0][1:3])])
    ):
        return None
    _, first, last, here, there = changed[0]
    gone = old[first].start(), old[last - 1].end()
    spans = [
        match.source
        for match in before.matches
        if gone[0] <= match.target[0] < match.target[1] <= gone[1]
    ]
    stood = source[min(a for a, _ in spans) : max(b for _, b in spans)] if spans else ""
    put = said[new[here].start() : new[there - 1].end()]
    if not all(_is_term(text) for text in (stood, put)):
        return None
    if source.startswith(stood) and stood[1:].islower() and put[1:].islower():
        stood, put = stood.lower(), put.lower()  # a capital that begins the sentence
    return stood, put


def _is_term(text: str) -> bool:
    """Whether it is a few words without punctuation or figures between."""
    words = _WORD.findall(text)
    spelt = " ".join(words) == text and not any(map(str.isdigit, text))
    return spelt and 0 < len(words) <= _MOST_WORDS and any(map(str.isalpha, text))


def write_terms(file: Path, terms: Iterable[Term]) -> int:
    """Write ``terms``, each once, to ``file`` for its owner alone; gives how many.

    Raises as ``write_memory``.
    """
    rows = sorted(set(terms))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("source", "target"), *rows])
    write_memory(file, iter((text.getvalue().encode(),)), None)
    return len(rows)
