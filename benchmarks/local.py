"""Measure the model on this machine: speed, what its checks mark, and digits that they miss.

    python -m benchmarks.local news.en --to pt --lines 5000

Sentences without a mark are compared once more, by their digits alone; those that differ are
printed for a person to read, so the lines must be public.

Entry: ``main`` -> ``measure``.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
from collections import Counter

from benchmarks.measure import add_text_options
from prism_core.drafts import draft_sentences
from prism_core.language import LanguageModel, Sentence
from prism_core.settings import TranslatorSettings


def measure(sentences: list[Sentence], source: str, target: str) -> list[str]:
    """Translate ``sentences``, and return the lines of the report."""
    began = time.process_time()
    firefox = TranslatorSettings.choose(name="firefox")
    drafts = draft_sentences(firefox, sentences, source, target)
    seconds = time.process_time() - began
    faults: Counter[str] = Counter()
    differing = []
    for sentence, draft in zip(sentences, drafts, strict=True):
        faults.update(["not translated"] if draft is None else map(str, draft.faults))
        if draft is not None and not draft.faults:
            digits = [Counter(re.findall(r"\d+", text)) for text in (sentence.text, draft.text)]
            if digits[0] != digits[1]:
                differing += [sentence.text, f"    {draft.text}"]
    marked = sum(draft is None or bool(draft.faults) for draft in drafts)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        f"{len(sentences)} sentences, {len(sentences) / seconds:.0f} a second of one core",
        f"{memory:.0f} MB at most, the language model included",
        f"marked: {marked}; {', '.join(f'{name} {n}' for name, n in faults.most_common())}",
        f"not marked, with other digits: {len(differing) // 2}",
        *differing,
    ]


def main() -> None:
    """Measure the lines of a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_text_options(parser)
    asked = parser.parse_args()
    lines = asked.file.read_text(encoding="utf-8").splitlines()[: asked.lines]
    language = LanguageModel.load(asked.source, None, lemmas=False)
    sentences = [sentence for line in lines for sentence in language.sentences(line)]
    sys.stdout.write("\n".join(measure(sentences, asked.source, asked.to)) + "\n")


if __name__ == "__main__":
    main()
