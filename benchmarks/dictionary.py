"""What the shipped dictionary cost, and how good it is, judged by what it was not built from.

    python -m benchmarks.dictionary [--json] [--sentences 1500]

Rows of ``measure, value, n``:

* ``calls per entry``: texts translated in all, for each entry; ``calls for an entry``: those that
  an entry needed itself, without the words that were asked for in vain and the carriers.
* ``precision@1``: confident words are put into stories three times each; the share of them whose
  first form, inflected as a frame has shown it, stands in at least two of the translations.
* ``traceless``: the share of these substitutions that leave no trace once they are undone.
* ``direct``: a word of held-out text is looked up; the share of which a form stands in the direct
  translation of its sentence.
* ``agreement``: the same for the translations by two commercial translators.
* ``coverage``: the share of content words of that text that are confident at the default threshold.

The held-out text is MCTest (stories) and ClinSpEn (clinical cases), and news with the output of the
two other translators.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.traces import find_traceless
from prism_core.building.carrier_sentences import Carriers, choose_carriers
from prism_core.dictionary import Dictionary, Entry, load_dictionary, target_tokens
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import load_language
from prism_core.mechanisms.word_classes import GRAMMAR, classify
from prism_core.resources import shipped_dictionary
from prism_core.settings import MechanismSettings, TranslatorSettings
from prism_core.translators import make_translator

ENGLISH = load_language("en")

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
THRESHOLD = MechanismSettings.choose().threshold
WORDS, ROUNDS, SEED = 1000, 3, 1
"""How many words are tried out, how often, and the seed of both choices."""


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--sentences", type=int, default=1500)
    arguments = parser.parse_args()
    dictionary = load_dictionary(shipped_dictionary("en", "es"), "apertium")
    model = LanguageModel.load("en")
    result = [*_cost(dictionary)]
    held_out = list(_annotate(model, stories()))
    result += _trials(dictionary, held_out)
    for name, lines in (("stories", stories()), ("clinical", clinical())):
        sentences = list(_annotate(model, lines[: arguments.sentences]))
        answers = asyncio.run(translated([one.text.strip() for one in sentences]))
        result += [_coverage(name, dictionary, sentences)]
        result += [_direct(f"direct, {name}", dictionary, sentences, [answers])]
    news = SHARED / "wmt/en-es"
    lines = (news / "wmt13.en").read_text("utf-8").splitlines()[: arguments.sentences]
    others = [
        (news / f"wmt13.{who}.es").read_text("utf-8").splitlines()[: arguments.sentences]
        for who in ("google", "microsoft")
    ]
    whole = list(map(Sentence.join, model.annotate(lines)))
    result.append(_direct("agreement, news", dictionary, whole, others))
    show(result, as_json=arguments.json)


def _cost(dictionary: Dictionary) -> Iterator[dict[str, object]]:
    own = [entry for entry in dictionary if entry.method in ("packed", "frames")]
    total = int(dictionary.provenance["calls"])
    yield {"measure": "calls per entry", "value": total / len(own), "n": len(own)}
    spent = sum(entry.calls for entry in own)
    yield {"measure": "calls for an entry", "value": spent / len(own), "n": len(own)}


def _trials(dictionary: Dictionary, sentences: Sequence[Sentence]) -> Iterator[dict[str, object]]:
    """Confident words in carriers that the builder has not seen."""
    rng = Random(SEED)
    confident = [
        e for e in dictionary if e.confidence >= THRESHOLD and e.tag in ENGLISH.frames.of_tags
    ]
    words = rng.sample(confident, min(WORDS, len(confident)))
    plain = choose_carriers(sentences, rng, most=len(sentences))
    carriers = Carriers(plain, {(e.word, e.tag): e for e in confident}, ENGLISH)
    probes = [probe for _ in range(ROUNDS) for probe in carriers.make_probes(words, rng)]
    baseline = asyncio.run(translated([one.text.strip() for one in plain]))
    answers = asyncio.run(translated([probe.text for probe in probes]))
    seen: Counter[tuple[str, str]] = Counter()
    tried: Counter[tuple[str, str]] = Counter()
    clean: list[bool] = []
    for probe, answer in zip(probes, answers, strict=True):
        tokens = target_tokens(answer)
        clean += map(
            bool, find_traceless(probe.swaps, tokens, target_tokens(baseline[probe.carrier]))
        )
        text = f" {' '.join(tokens)} "
        for swap in probe.swaps:
            one = swap.substitute
            first = [f" {form.text.lower()} " for form in one.forms if form.features]
            tried[one.word, one.tag] += 1
            seen[one.word, one.tag] += any(form in text for form in first)
    right = sum(2 * seen[key] > tried[key] for key in tried)
    yield {"measure": "precision@1", "value": right / len(tried), "n": len(tried)}
    yield {"measure": "traceless", "value": sum(clean) / len(clean), "n": len(clean)}


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


def _direct(
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
        content += sum(classify(t, dictionary) is not GRAMMAR for t in words)
        confident += len(_confident(dictionary, sentence))
    return {"measure": f"coverage, {name}", "value": confident / content, "n": content}


async def translated(texts: Sequence[str]) -> list[str]:
    """What Apertium makes of ``texts``."""
    translator = make_translator(TranslatorSettings.choose(name="apertium"), "en", "es")
    answers: list[str] = []
    for start in range(0, len(texts), 200):
        answers += await translator.translate(texts[start : start + 200], "en", "es")
    await translator.close()
    return answers


if __name__ == "__main__":
    main()
