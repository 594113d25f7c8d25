"""How good the shipped dictionary is, judged by what it was not built from.

    python -m benchmarks.dictionary [--json] [--sentences 1500]

Rows of ``measure, value, n``:

* ``precision``: a word of held-out public text is looked up; did the direct translation of its
  sentence by the same translator hold one of its forms?
* ``agreement``: did the translation by two other, commercial translators, whose output the
  dictionary has never seen?
* ``coverage``: the share of content words of that text that are replaced at the default threshold.

The held-out text is MCTest (stories) and ClinSpEn (clinical cases) for precision and coverage, and
the news text with the two translators' output for agreement.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.measure import show
from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.entry import Entry
from prism_core.dictionary.parquet import load_dictionary
from prism_core.dictionary.tokens import target_tokens
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.mechanisms.word_classes import WordClass, classify
from prism_core.resources import shipped_dictionary
from prism_core.settings import MechanismSettings
from prism_core.translators import TranslatorSettings, make_translator

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
THRESHOLD = MechanismSettings().threshold


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--sentences", type=int, default=1500)
    arguments = parser.parse_args()
    dictionary = load_dictionary(shipped_dictionary("en", "es"))
    model = LanguageModel.load()
    result: list[dict[str, object]] = []
    for name, lines in (("stories", stories()), ("clinical", clinical())):
        sentences = list(_annotate(model, lines[: arguments.sentences]))
        answers = asyncio.run(translated([one.text.strip() for one in sentences]))
        result += [_coverage(name, dictionary, sentences)]
        result += [_precision(f"precision, {name}", dictionary, sentences, [answers])]
    news = SHARED / "wmt/en-es"
    lines = (news / "wmt13.en").read_text("utf-8").splitlines()[: arguments.sentences]
    others = [
        (news / f"wmt13.{who}.es").read_text("utf-8").splitlines()[: arguments.sentences]
        for who in ("google", "microsoft")
    ]
    whole = [
        Sentence(tuple(token for one in found for token in one.tokens))
        for found in model.annotate(lines)
    ]
    result.append(_precision("agreement, news", dictionary, whole, others))
    show(result, as_json=arguments.json)


def stories() -> list[str]:
    """The paragraphs of the MCTest stories."""
    rows = (SHARED / "mctest/mc160.test.tsv").read_text("utf-8").splitlines()
    return [p for row in rows for p in row.split("\t")[2].split("\\newline") if p.strip()]


def clinical() -> list[str]:
    """The English sentences of the clinical cases."""
    return [case["en"] for case in json.loads((SHARED / "clinspen/train.json").read_text("utf-8"))]


def _annotate(model: LanguageModel, lines: Iterable[str]) -> Iterable[Sentence]:
    for found in model.annotate(lines):
        yield from (one for one in found if one.text.strip())


def _confident(dictionary: Dictionary, sentence: Sentence) -> list[Entry]:
    words = (classify(token, dictionary) for token in sentence.tokens if token.text.islower())
    return [w.entry for w in words if w.entry and w.entry.confidence >= THRESHOLD]


def _precision(
    name: str,
    dictionary: Dictionary,
    sentences: Sequence[Sentence],
    translations: Sequence[Sequence[str]],
) -> dict[str, object]:
    found = total = 0
    for sentence, *answers in zip(sentences, *translations, strict=True):
        text = " ".join(["", *target_tokens(" ".join(answers)), ""])
        for entry in _confident(dictionary, sentence):
            total += 1
            found += any(f" {form.text} " in text for form in entry.forms)
    return {"measure": name, "value": found / total, "n": total}


def _coverage(
    name: str, dictionary: Dictionary, sentences: Sequence[Sentence]
) -> dict[str, object]:
    content = confident = 0
    for sentence in sentences:
        words = [t for t in sentence.tokens if t.text.isalpha() and t.text.islower()]
        content += sum(classify(t, dictionary).kind is not WordClass.GRAMMAR for t in words)
        confident += len(_confident(dictionary, sentence))
    return {"measure": f"coverage, {name}", "value": confident / content, "n": content}


async def translated(texts: Sequence[str]) -> list[str]:
    """What Apertium makes of ``texts``."""
    translator = make_translator(TranslatorSettings(name="apertium"), "en", "es")
    answers: list[str] = []
    for start in range(0, len(texts), 200):
        answers += await translator.translate(texts[start : start + 200], "en", "es")
    await translator.close()
    return answers


if __name__ == "__main__":
    main()
