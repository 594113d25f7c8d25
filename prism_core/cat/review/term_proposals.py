"""Term proposals from corrections that replaced a single word or phrase.

They have the form of a glossary (``source,target``). The user reads it, keeps the right rows, and
names it in the settings; nothing else reads it.

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

ProposedTerm = tuple[str, str]
"""Term in the source language, and in the target language."""
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_MOST_WORDS = 4


def check_terms_file(file: Path) -> None:
    """Raise ``ConfigurationError`` unless ``file`` may be written as a glossary."""
    if file.suffix.lower() != ".csv":
        raise ConfigurationError(f"{file}: a file of glossary proposals must be named NAME.csv")
    if file.exists():
        raise ConfigurationError(f"{file} exists already; name another file for the proposals")


def propose_term(source: str, before: Translation, corrected: str) -> ProposedTerm | None:
    """Return the term that follows from replacing ``before``, a translation of ``source``.

    ``corrected`` is the reviewer's version. Returns None unless exactly one stretch of a few words
    changed, and the source words aligned to it are known.
    """
    old, new = list(_WORD.finditer(before.text)), list(_WORD.finditer(corrected))
    compared = SequenceMatcher(None, [m[0] for m in old], [m[0] for m in new], autojunk=False)
    changed = [code for code in compared.get_opcodes() if code[0] != "equal"]
    if (
        len(changed) != 1
        or changed[0][0] != "replace"
        or len(old) == len(old[slice(*changed[0][1:3])])
    ):
        return None
    _, first, last, new_first, new_last = changed[0]
    removed = old[first].start(), old[last - 1].end()
    spans = [
        match.source
        for match in before.matches
        if removed[0] <= match.target[0] < match.target[1] <= removed[1]
    ]
    source_term = source[min(a for a, _ in spans) : max(b for _, b in spans)] if spans else ""
    target_term = corrected[new[new_first].start() : new[new_last - 1].end()]
    if not all(_is_term(text) for text in (source_term, target_term)):
        return None
    if source.startswith(source_term) and source_term[1:].islower() and target_term[1:].islower():
        return source_term.lower(), target_term.lower()  # a capital that begins the sentence
    return source_term, target_term


def _is_term(text: str) -> bool:
    """Return True for a few words without punctuation or digits between them."""
    words = _WORD.findall(text)
    is_plain = " ".join(words) == text and not any(map(str.isdigit, text))
    return is_plain and 0 < len(words) <= _MOST_WORDS and any(map(str.isalpha, text))


def write_terms(file: Path, terms: Iterable[ProposedTerm]) -> int:
    """Write ``terms``, each once, for the owner alone; return their number."""
    rows = sorted(set(terms))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("source", "target"), *rows])
    write_memory(file, iter((text.getvalue().encode(),)), None)
    return len(rows)
