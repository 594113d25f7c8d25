"""Identifiers that are caught, by class: in generated documents, and names in annotated text.

    python -m benchmarks.identifiers [--json] [--model NAME] [--case as-is|lower|upper]
                                     [--copies 12] [--seed 1]

Rows of ``documents, class, precision, recall, found, in_clear, n`` over filled templates
(``benchmarks/identifier_recall.py`` says what each is): ``tuned`` are those that the patterns were
made with, ``mended`` and ``unseen`` those that were written by someone who had not looked at a
pattern, of which the first have mended patterns since; ``listed`` are all, for names with the
user's list of them. ``--copies`` is how often each template is filled, 0 leaves these rows out.

Then rows of ``treebank, class, recall, in_clear, n`` on text that the language model was not
trained on. A name counts as caught when every word of it is replaced by a surrogate, and as
``in_clear`` when a word of it, other than a function word, is sent as it is. The difference are
names of which a word was taken for an ordinary one and replaced as such.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from random import SystemRandom

from benchmarks.identifier_documents import GROUPS, documents
from benchmarks.identifier_recall import Reader, measure_documents
from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList, IdentifierFinder
from prism_core.language import LanguageModel
from prism_core.languages import load_language
from prism_core.record import Fate
from prism_core.settings import load_settings
from scripts.training.treebank import read_gold

ENGLISH = load_language("en")

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
CASES: dict[str, Callable[[str], str]] = {"as-is": str, "lower": str.lower, "upper": str.upper}
TREEBANKS = ("ewt_test", "gumfree_test")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--model")
    parser.add_argument("--case", choices=CASES, default="as-is")
    parser.add_argument("--copies", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    model, encoder = LanguageModel.load("en", arguments.model), load_encoder(load_settings())
    rows = measure_generated(model, encoder, arguments.copies, arguments.seed)
    for treebank in TREEBANKS:
        rows += measure(treebank, model, encoder, CASES[arguments.case])
    show(rows, as_json=arguments.json)


def measure_generated(
    model: LanguageModel, encoder: Encoder, copies: int, seed: int
) -> list[dict[str, object]]:
    """The rows over filled templates; none where there are no copies."""
    reader = Reader(model, encoder, SystemRandom())
    rows: list[dict[str, object]] = []
    for group in GROUPS:
        made = documents(group, copies, seed)
        rows += measure_documents(made, group, reader, encoder, listed=False)
    made = chain.from_iterable(documents(group, copies, seed) for group in GROUPS)
    rows += measure_documents(made, "listed", reader, encoder, listed=True)
    return [row for row in rows if row["documents"] != "listed" or row["class"] == "name"]


def measure(
    treebank: str, model: LanguageModel, encoder: Encoder, case: Callable[[str], str]
) -> list[dict[str, object]]:
    """One row for each class of names in ``treebank``, its text in ``case``."""
    seen: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    clear: Counter[str] = Counter()
    finder = IdentifierFinder(encoder.dictionary)
    for gold in read_gold(SHARED / f"english/{treebank}.spacy"):
        text = case(gold.text)
        if len(text) != len(gold.text):
            continue  # a sign that changes length with its case would move every offset
        fates = character_fates(text, model, encoder, finder)
        for start, end, label in gold.entities:
            words = [
                fates[start + match.start()]
                for match in re.finditer(r"[^\W\d_]+", gold.text[start:end])
                if not ENGLISH.is_function_word(match.group())
            ]
            seen[label] += 1
            caught[label] += all(fate is Fate.IDENTIFIER for fate in words)
            clear[label] += any(fate.in_clear for fate in words)
    return [
        {
            "treebank": treebank,
            "class": label,
            "recall": caught[label] / seen[label],
            "in_clear": clear[label] / seen[label],
            "n": seen[label],
        }
        for label in sorted(seen)
    ]


def character_fates(
    text: str, model: LanguageModel, encoder: Encoder, finder: IdentifierFinder
) -> list[Fate]:
    """What became of each character of ``text``; white space counts as kept."""
    fates: list[Fate] = []
    for sentence in model.sentences(text):
        cut, _ = finder.find(sentence)
        encoded = encoder.encode(sentence, DenyList(), SystemRandom())
        for token, fate in zip(cut.tokens, encoded.fates, strict=True):
            fates += [fate] * len(token.text) + [Fate.KEPT] * len(token.whitespace)
    return fates


if __name__ == "__main__":
    main()
