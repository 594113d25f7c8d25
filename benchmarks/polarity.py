"""What the check of negations and modal verbs marks in a text and its translation.

    python -m benchmarks.polarity en-es news.en news.es [--show 20]

Printed are the sentences that are marked, and how many with a negation would be if the first one
were taken out of the translation. Read what is shown: the lines must be public.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections import Counter
from html import unescape
from pathlib import Path

from prism_core.drafts import Change, find_changes, load_polarity

_NEGATIONS = {
    "de": r"\b(?:nicht|nie|ohne)\b ?|\bk(?=ein)",
    "en": r"(?<=\w)n't|\b(?:not|no|never|without)\b ?",
    "es": r"\b(?:no|sin|nunca|nadie|ningun[oa]?|ningún)\b ?",
    "fr": r"\bn['’]|\b(?:ne|pas|jamais|aucune?|sans|rien)\b ?",
    "pt": r"\b(?:não|sem|nunca|ninguém|nenhuma?)\b ?",
}


def main() -> None:
    """Compare the lines of two files."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pair")
    parser.add_argument("text", type=Path)
    parser.add_argument("translation", type=Path)
    parser.add_argument("--show", type=int, default=0)
    asked = parser.parse_args()
    source, _, target = asked.pair.partition("-")
    texts = (unescape(file.read_text("utf-8")) for file in (asked.text, asked.translation))
    pairs = list(zip(*(text.splitlines() for text in texts), strict=False))
    asking, writing = load_polarity(source), load_polarity(target)
    if asking is None or writing is None:
        parser.error(f"there is no data for {asked.pair}")
    counted: Counter[str] = Counter()
    shown = 0
    for text, translation in pairs:
        changes = find_changes(text, translation, source, target)
        counted.update(map(str, changes))
        counted["marked"] += bool(changes)
        if changes and shown < asked.show:
            shown += 1
            print(*sorted(changes), text, translation, sep="\n    ")
        once = 0 if target == "fr" else 1
        without = re.sub(_NEGATIONS[target], "", translation, count=once, flags=re.IGNORECASE)
        falls = writing.negations(without).sure < writing.negations(translation).sure
        if not changes and falls and asking.negations(text).sure:
            counted["negation removed"] += 1
            found = Change.NEGATION in find_changes(text, without, source, target)
            counted["negation removed, and marked"] += found
    print(f"{len(pairs)} sentences", *(f"{name}: {n}" for name, n in counted.items()), sep="; ")


if __name__ == "__main__":
    main()
