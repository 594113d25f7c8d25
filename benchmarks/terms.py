"""How often a term of a glossary stands in a translation that is made on this machine.

    python -m benchmarks.terms news.en --to pt

The terms are frequent nouns of the text. Their translations are drawn from those of all nouns: the
model would write none of them by itself. Sentences are counted by their number of terms.

Entry: ``main`` -> ``measure``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from prism_core.dictionary import Dictionary, load_dictionary, with_terms
from prism_core.dictionary.glossary import Term
from prism_core.drafts import Fault, draft_sentences
from prism_core.language import LanguageModel, Sentence
from prism_core.resources import shipped_dictionary
from prism_core.settings import TranslatorSettings

_MOST_FREQUENT = slice(20, 120)
_SURE = 0.8


def draw_terms(sentences: Sequence[Sentence], dictionary: Dictionary, rng: Random) -> list[Term]:
    """Draw translations for frequent nouns of ``sentences``."""
    seen = Counter(
        token.text
        for sentence in sentences
        for token in sentence.tokens
        if token.tag == "NN" and token.text.islower() and dictionary.find(token.text, "NN")
    )
    nouns = [
        entry.forms.texts[0]
        for entry in dictionary
        if entry.tag == "NN" and entry.confidence > _SURE and entry.forms.texts[0].isalpha()
    ]
    words = [word for word, _ in seen.most_common()][_MOST_FREQUENT]
    return [Term(row, word, (rng.choice(nouns),), "NN") for row, word in enumerate(words)]


def measure(sentences: Sequence[Sentence], source: str, target: str, most: int) -> list[str]:
    """Translate the first ``most`` of ``sentences`` with a term; return the lines of the report."""
    model = TranslatorSettings.choose(name="firefox")
    dictionary = load_dictionary(shipped_dictionary(source, target), model.name)
    glossary = with_terms(dictionary, draw_terms(sentences, dictionary, Random(1))).glossary
    counts = [len(list(glossary.find(sentence))) for sentence in sentences]
    chosen = [(s, n) for s, n in zip(sentences, counts, strict=True) if n][:most]
    drafts = draft_sentences(model, [s for s, _ in chosen], source, target, (), glossary)
    total: Counter[bool] = Counter()
    have: Counter[bool] = Counter()
    for (_, count), draft in zip(chosen, drafts, strict=True):
        total[count > 1] += 1
        have[count > 1] += draft is not None and Fault.TERM not in draft.faults
    names = {False: "one term", True: "several"}
    return [f"{name}: {have[n]} of {total[n]} have them all" for n, name in names.items()]


def main() -> None:
    """Measure the lines of a file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--from", dest="source", default="en")
    parser.add_argument("--to", default="pt")
    parser.add_argument("--sentences", type=int, default=400)
    asked = parser.parse_args()
    language = LanguageModel.load(asked.source, None, lemmas=False)
    lines = asked.file.read_text(encoding="utf-8").splitlines()
    sentences = [sentence for line in lines for sentence in language.sentences(line)]
    print("\n".join(measure(sentences, asked.source, asked.to, asked.sentences)))


if __name__ == "__main__":
    main()
