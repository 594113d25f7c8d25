"""Spanish as a source, measured on what it was not trained on.

    python -m benchmarks.spanish tags --docs FOLDER            # of scripts.training.foreign
    python -m benchmarks.spanish tags --language fr --docs FOLDER
    python -m benchmarks.spanish restored [--sentences 150]    # ClinSpEn dev, es to en
    python -m benchmarks.spanish restored --text wmt13.es

``tags``: shares of a test set's tokens (F): the whole tag, the slot (function words and marks count
as one class each), its Penn tag, and sentences. ``restored``: sentences with every replacement put
back after the first send, chrF to the translation of the private text, and in what is sent the
article-noun and noun-adjective pairs that disagree by Apertium's own analyser.
``benchmarks.foreign_names`` tells what is found of names.

Entry: ``main``, then ``measure_tags`` or ``measure_restored``.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence, penn_tag
from prism_core.languages import Language, load_language
from prism_core.record import Encoded, Fate
from prism_core.settings import load_settings
from prism_core.translators import make_translator
from scripts.training.accuracy import AnnotatedText
from scripts.training.treebank import read_gold

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
ANALYSER = Path("/usr/share/apertium/apertium-eng-spa/spa-eng.automorf.bin")
SPANISH = load_language("es")
_FLAGS = {"source": "es", "target": "en", "language.experimental": True}
_READINGS = re.compile(r"\^([^/$]+)/([^$]*)\$")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("part", choices=("tags", "restored"))
    parser.add_argument("--language", default="es")
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--dictionary", type=Path)
    parser.add_argument("--text", type=Path, help="a sentence a line, instead of ClinSpEn dev")
    parser.add_argument("--sentences", type=int, default=150)
    arguments = parser.parse_args()
    model = LanguageModel.load(arguments.language, arguments.model)
    if arguments.part == "tags":
        paths = sorted(arguments.docs.glob("*_test.spacy"))
        language = load_language(arguments.language)
        rows = [measure_tags(model, path, language) for path in paths]
    else:
        flags = {**_FLAGS, "dictionary.path": arguments.dictionary}
        encoder = load_encoder(load_settings(flags=flags))
        lines = list(_read_lines(arguments.text))
        rows = [asyncio.run(measure_restored(encoder, model, lines, arguments.sentences))]
    show(rows, as_json=arguments.json)


def measure_tags(model: LanguageModel, path: Path, language: Language) -> dict[str, object]:
    """The row of one test set."""
    right, total = Counter[str](), 0
    sentences = [0, 0]
    for gold in read_gold(path):
        found = AnnotatedText.of(next(model.annotate([gold.text])))
        tags = _with_pronouns(found)
        total += len(gold.tags) + len(tags)
        views = {"tag": str, "slot": str, "penn": penn_tag}
        for name, view in views.items():
            by_place = [
                {
                    (
                        start,
                        end,
                        tag if name == "tag" else view(_slot(gold.text[start:end], tag, language)),
                    )
                    for start, end, tag in one
                }
                for one in (gold.tags, tags)
            ]
            right[name] += 2 * len(by_place[0] & by_place[1])
        sentences[0] += 2 * len(gold.sentences & found.sentences)
        sentences[1] += len(gold.sentences) + len(found.sentences)
    shares = {name: round(count / total, 4) for name, count in right.items()}
    return {"treebank": path.stem, **shares, "sentence": round(sentences[0] / sentences[1], 4)}


def _with_pronouns(found: AnnotatedText) -> set[tuple[int, int, str]]:
    """The tags of ``found``, a verb and the pronouns written to it as one, as in treebanks."""
    joined: list[tuple[int, int, str]] = []
    for start, end, tag in sorted(found.tags):
        before = joined[-1] if joined else (0, 0, "")
        is_written_to = before[1] == start and before[2].startswith("VB") and tag == "PRP"
        if is_written_to and found.text[start].isalpha():
            joined[-1] = before[0], end, f"{penn_tag(before[2])}-CL"
        else:
            joined.append((start, end, tag))
    return set(joined)


def _slot(word: str, tag: str, language: Language) -> str:
    if language.is_function_word(word):
        return "FUNCTION"
    return tag if any(map(str.isalpha, word)) else "MARK"


def _read_lines(text: Path | None) -> Iterator[str]:
    if text:
        yield from text.read_text("utf-8").splitlines()
    else:
        for case in json.loads((SHARED / "clinspen/dev.json").read_text("utf-8")):
            yield case["es"]


async def measure_restored(
    encoder: Encoder, model: LanguageModel, lines: Sequence[str], most: int
) -> dict[str, object]:
    """The figures of sentences that are sent once."""
    from sacrebleu.metrics import CHRF

    every = [one for group in model.annotate(lines) for one in group]
    sentences = Random(7).sample(every, min(most, len(every)))
    known, rng = encoder.add_identifiers(DenyList(), every), Random(7)
    encoded = [encoder.encode(sentence, known, rng) for sentence in sentences]
    sent = [(one, two) for one, two in zip(sentences, encoded, strict=True) if not two.withheld]
    translator = make_translator(load_settings(flags=_FLAGS).translator, "es", "en")
    answers = await translator.translate([two.text for _, two in sent], "es", "en")
    direct = await translator.translate([one.text.strip() for one, _ in sent], "es", "en")
    await translator.close()
    decoded = [encoder.decode(two, answer) for (_, two), answer in zip(sent, answers, strict=True)]
    whole = [place for place, one in enumerate(decoded) if not one.unrestored]
    score = CHRF().corpus_score(
        [decoded[place].text for place in whole], [[direct[place] for place in whole]]
    )
    pairs = [pair for one, two in sent for pair in changed_pairs(encoder.cut(one, known), two)]
    analyses = analyse({word for before, after in pairs for word in (*before, *after)})
    judged = [agree(after, analyses) for before, after in pairs if agree(before, analyses) is True]
    judged = [one for one in judged if one is not None]
    return {
        "sentences": len(sentences),
        "withheld": len(sentences) - len(sent),
        "restored": round(len(whole) / max(1, len(sent)), 4),
        "chrf": round(score.score, 1),
        "untranslated": sum(decoded[place].untranslated for place in whole),
        "pairs": len(judged),
        "disagree": round(judged.count(False) / max(1, len(judged)), 4),
    }


def changed_pairs(
    cut: Sentence, encoded: Encoded
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Neighbours of one noun phrase, as they were and as they are sent, if one was replaced."""
    sent = sent_words(cut, encoded)
    if sent is None:
        return
    for place, (left, right) in enumerate(pairwise(cut.tokens)):
        kinds = penn_tag(left.tag)[:2], penn_tag(right.tag)[:2]
        fates = set(encoded.fates[place : place + 2])
        is_phrase = kinds in (("DT", "NN"), ("NN", "JJ"), ("JJ", "NN"), ("NN", "VB"))
        if "VB" in kinds and penn_tag(right.tag) != "VBN":
            continue
        if is_phrase and Fate.REPLACED in fates and fates <= {Fate.REPLACED, Fate.GRAMMAR}:
            yield (left.text, right.text), (sent[place], sent[place + 1])


def sent_words(cut: Sentence, encoded: Encoded) -> list[str] | None:
    """The word sent in place of each token; None if they cannot be told one by one."""
    words = re.findall(r"\S+", encoded.text)
    gaps = [token.text + token.whitespace for token in cut.tokens]
    starts = list(accumulate(map(len, gaps), initial=0))
    groups = [word.strip(".,;:()«»\"'¿?¡!") for word in words]
    own = re.findall(r"\S+", cut.text)
    if len(own) != len(words):
        return None
    place_of = [match.start() for match in re.finditer(r"\S+", cut.text)]
    found = []
    for start, token in zip(starts, cut.tokens, strict=False):
        index = max(i for i, at in enumerate(place_of) if at <= max(start, place_of[0]))
        found.append(groups[index] if token.text == own[index].strip(".,;:()«»\"'¿?¡!") else "")
    return found


def analyse(words: Iterable[str]) -> dict[str, set[tuple[str, str]]]:
    """The genders and numbers that Apertium's analyser allows each word; empty if unknown."""
    text = "\n".join(sorted(word.lower() for word in words if word))
    program = ["lt-proc", str(ANALYSER)]
    answer = subprocess.run(program, input=text, capture_output=True, text=True, check=True).stdout
    found: dict[str, set[tuple[str, str]]] = {}
    for word, readings in _READINGS.findall(answer):
        tags = [set(re.findall(r"<(\w+)>", reading)) for reading in readings.split("/")]
        found[word] = {
            (gender, number)
            for one in tags
            if one & {"n", "adj", "det", "pp"}
            for gender in (("m", "f") if "mf" in one or "GD" in one else one & {"m", "f"})
            for number in (("sg", "pl") if "sp" in one or "ND" in one else one & {"sg", "pl"})
        }
    return found


def agree(pair: tuple[str, str], analyses: dict[str, set[tuple[str, str]]]) -> bool | None:
    """Whether two words can agree; None if one of them is unknown."""
    one, two = (analyses.get(word.lower(), set()) for word in pair)
    return bool(one & two) if one and two else None


if __name__ == "__main__":
    main()
