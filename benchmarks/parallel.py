"""How good dictionaries read off parallel text are, on text that they were not read off.

    python -m benchmarks.parallel [--json] [--pair en-fr --without wmt13]

Builds the dictionary of each pair without one test set, and looks every confident lower-case word
of that set up. Rows of ``pair, without, learned, measured, words, present, first, inflected,
coverage, confidence``:

* ``learned``: the translator whose entries are used, or ``all``; ``measured``: the one whose
  translation is looked at. Where they differ, the dictionary has never seen that translator.
* ``present``: the share of words of which any form stands in the translation of the sentence;
  ``first``: of which the first form does, inflected as it happens to be.
* ``inflected``: a word of the same pool is put for the word, in the form that goes where the word
  stood, and the word put back for it, as decoding does: the share that has its own form again.
* ``coverage``: the share of lower-case content words that are confident at the default threshold.
* ``confidence``: the mean confidence the entries claim, to be compared with ``present``.

Takes minutes for each pair: most of it is the word alignment.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.parallel_folder import read_parallel_folder
from prism_core.building import ParallelText, build_corpus_entries
from prism_core.dictionary import Dictionary, Entry, Form, target_tokens
from prism_core.dictionary.preference import for_translator
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import load_language
from prism_core.mechanisms.word_classes import GRAMMAR, classify
from prism_core.settings import MechanismSettings

ENGLISH = load_language("en")

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
TRANSLATORS = ("google", "microsoft")
HELD_OUT = {"en-fr": "wmt13", "en-es": "wmt13", "en-de": "wmt22"}
THRESHOLD = MechanismSettings.choose().threshold


def main() -> None:
    """Build, measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--pair", choices=sorted(HELD_OUT))
    parser.add_argument("--without", help="The test set that is held out.")
    arguments = parser.parse_args()
    model = LanguageModel.load("en")
    result: list[Mapping[str, object]] = []
    for pair in [arguments.pair] if arguments.pair else sorted(HELD_OUT):
        without = arguments.without or HELD_OUT[pair]
        learned = read(pair, without=(without,))
        entries = build_corpus_entries(learned.annotate(model), learned.targets, ENGLISH)
        result += rows(pair, without, entries, read(pair, only=(without,)), model)
    show(result, as_json=arguments.json)


def read(pair: str, *, without: Sequence[str] = (), only: Sequence[str] = ()) -> ParallelText:
    """The shared parallel text of ``pair``."""
    source, target = pair.split("-")
    folder = SHARED / "wmt" / pair
    return read_parallel_folder(folder, source, target, TRANSLATORS, without=without, only=only)


def rows(
    pair: str, without: str, entries: Sequence[Entry], held_out: ParallelText, model: LanguageModel
) -> Iterator[dict[str, object]]:
    """One row for each translator learned from, and each measured on."""
    sentences = held_out.annotate(model)
    for learned in (*TRANSLATORS, "all"):
        known = [one for one in entries if learned in (one.translator, "all")]
        for measured in TRANSLATORS:
            dictionary = Dictionary(for_translator(known, measured), {}, "")
            names = {"pair": pair, "without": without, "learned": learned, "measured": measured}
            yield names | measure(dictionary, sentences, held_out.targets[measured])


def measure(
    dictionary: Dictionary, sentences: Sequence[Sentence], translations: Sequence[str]
) -> dict[str, object]:
    """``words, present, first, coverage, confidence`` of ``dictionary`` on one translation."""
    content = words = present = first = 0
    claimed = 0.0
    pools = _pools(dictionary)
    inflected: list[bool] = []
    rng = Random(1)
    for sentence, translation in zip(sentences, translations, strict=True):
        text = " ".join(["", *target_tokens(translation), ""])
        for entry in _content(dictionary, sentence):
            content += 1
            if entry is not None and entry.confidence >= THRESHOLD:
                stands = [f" {' '.join(target_tokens(f.text))} " in text for f in entry.forms]
                words += 1
                present += any(stands)
                first += stands[0]
                claimed += entry.confidence
                if any(stands):
                    mate = rng.choice(pools[entry.tag, entry.agreement])
                    inflected.append(_comes_back(entry, entry.forms[stands.index(True)], mate))
    return {
        "words": words,
        "present": present / words,
        "first": first / words,
        "inflected": sum(inflected) / len(inflected),
        "coverage": words / content,
        "confidence": claimed / words,
    }


def _pools(dictionary: Dictionary) -> dict[tuple[str, str], list[Entry]]:
    """The confident entries of each tag and agreement class."""
    pools: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in dictionary:
        if entry.confidence >= THRESHOLD:
            pools[entry.tag, entry.agreement].append(entry)
    return pools


def _comes_back(entry: Entry, stood: Form, mate: Entry) -> bool:
    """Whether ``entry`` is ``stood`` again after ``mate`` stood in its place."""
    there = mate.inflect(stood.text, stood.features)
    shown = next(form for form in mate.forms if form.text == there)
    return entry.inflect(shown.text, shown.features) == stood.text


def _content(dictionary: Dictionary, sentence: Sentence) -> Iterator[Entry | None]:
    for token in sentence.tokens:
        if token.text.islower() and token.text.isalpha():
            word = classify(token, dictionary)
            if word is not GRAMMAR:
                yield word.entry


if __name__ == "__main__":
    main()
