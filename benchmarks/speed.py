"""What encoding and decoding add to the time that the language model needs, on one core.

    python -m benchmarks.speed [--json] [--sentences 1200]

Rows of ``text, spacy_tokens_per_s, tag_tokens_per_s, encode_tokens_per_s, decode_tokens_per_s,
overhead, words_per_s, presidio_words_per_s, over_presidio, dictionary_load_s, dictionary_mb`` for
news, children's stories and clinical cases, with the answers of the real Apertium. All times are
CPU times of this process.

* The language model alone (``spacy_tokens_per_s``) is spaCy's own ``nlp.pipe`` over the same lines
  and nothing else, with the components that encoding uses; ``tag_tokens_per_s`` is ours, with its
  results copied into plain data.
* ``overhead`` is the time of the whole path divided by that of the language model alone, less 1; it
  is below 0 where all of it takes less.
  The whole path is all that an archive pays for: the language model with its results copied into
  plain data, the identifiers for the deny list, the encoding against that list, the decoding.
* ``words_per_s`` are those of the whole path, ``presidio_words_per_s`` those of Presidio, which
  looks for identifiers by the same spaCy pipeline and replaces what it finds; ``over_presidio`` is
  the ratio of both.
* A text is measured in ``ROUNDS`` parts, the language model alone and the whole path in turns, and
  the median is printed. No part is seen twice, so no cache can know it.
* ``dictionary_load_s`` and ``dictionary_mb`` are what loading the shipped dictionary takes of a
  fresh process: CPU seconds, and the growth of the most memory it ever held.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import SystemRandom
from statistics import median

import spacy
from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine, RecognizerResult
from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
from spacy.language import Language

from benchmarks.dictionary import SHARED, clinical, stories, translated
from benchmarks.measure import argument_parser, cpu_seconds, show
from prism_core.dictionary import load_dictionary
from prism_core.encoding import load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import load_language
from prism_core.record import Encoded
from prism_core.resources import shipped_dictionary
from prism_core.settings import load_settings

ROUNDS = 6
NOT_USED = ["morphologizer", "trainable_lemmatizer"]
"""Components of the language model that encoding does not use, so that they run nowhere here."""


@dataclass(frozen=True)
class Round:
    """CPU seconds of each stage over one part of a text; ``bare`` is the language model alone,
    ``presidio`` all that Presidio does."""

    tokens: int
    words: int
    bare: float
    presidio: float
    annotate: float
    encode: float
    decode: float

    @property
    def whole(self) -> float:
        """The whole path."""
        return self.annotate + self.encode + self.decode

    @property
    def overhead(self) -> float:
        """What the whole path adds to the language model alone, as a share of it."""
        return self.whole / self.bare - 1


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--sentences", type=int, default=1200)
    arguments = parser.parse_args()
    loading = in_fresh_process()
    bench = Bench()
    bench.measure(stories()[-100:])  # the first call of anything pays for what is made lazily
    rows: list[dict[str, object]] = []
    for name, lines in (("news", news()), ("stories", stories()), ("clinical", clinical())):
        chosen = lines[: arguments.sentences]
        size = max(1, len(chosen) // ROUNDS)
        rounds = [bench.measure(chosen[i : i + size]) for i in range(0, size * ROUNDS, size)]
        rows.append({"text": name, **summary(rounds), **loading})
    show(rows, as_json=arguments.json)


def news() -> list[str]:
    """The English lines of the newest news test set."""
    return (SHARED / "wmt/en-es/wmt13.en").read_text("utf-8").splitlines()


def summary(rounds: Sequence[Round]) -> dict[str, float]:
    """The medians over ``rounds``."""
    return {
        "spacy_tokens_per_s": median(one.tokens / one.bare for one in rounds),
        "tag_tokens_per_s": median(one.tokens / one.annotate for one in rounds),
        "encode_tokens_per_s": median(one.tokens / one.encode for one in rounds),
        "decode_tokens_per_s": median(one.tokens / one.decode for one in rounds),
        "overhead": median(one.overhead for one in rounds),
        "words_per_s": median(one.words / one.whole for one in rounds),
        "presidio_words_per_s": median(one.words / one.presidio for one in rounds),
        "over_presidio": median(one.presidio / one.whole for one in rounds),
    }


class Presidio:
    """Presidio's engine with all its recognizers, on the spaCy pipeline in ``folder``."""

    def __init__(self, folder: Path) -> None:
        logging.getLogger("presidio-analyzer").setLevel(logging.CRITICAL)
        names = NerModelConfiguration()
        models = [{"lang_code": "en", "model_name": str(folder)}]
        engine = SpacyNlpEngine(models=models, ner_model_configuration=names)
        self._engine = BatchAnalyzerEngine(AnalyzerEngine(nlp_engine=engine))

    def replace(self, lines: Sequence[str]) -> list[str]:
        """Each of ``lines`` with the kind of each identifier in its place."""
        found = self._engine.analyze_iterator(lines, language="en")
        return [put_kinds(line, results) for line, results in zip(lines, found, strict=True)]


def put_kinds(line: str, results: Iterable[RecognizerResult]) -> str:
    """``line`` with what was found replaced, from the right; of two that overlap, the right one."""
    limit = len(line)
    for one in sorted(results, key=lambda one: (one.start, one.end), reverse=True):
        if one.end <= limit:
            line = f"{line[: one.start]}<{one.entity_type}>{line[one.end :]}"
            limit = one.start
    return line


class Bench:
    """A spaCy pipeline of its own, Presidio on another, and PRISM beside them."""

    def __init__(self) -> None:
        self._bare: Language = spacy.load(load_language("en").model, exclude=NOT_USED)
        self._presidio = Presidio(load_language("en").model)
        self._model = LanguageModel.load("en", lemmas=False)
        self._encoder = load_encoder(load_settings())
        self._rng = SystemRandom()
        gc.freeze()  # as the stages do

    def measure(self, lines: Sequence[str]) -> Round:
        """One round over ``lines``."""
        _, bare = cpu_seconds(lambda: sum(len(doc) for doc in self._bare.pipe(lines)))
        _, presidio = cpu_seconds(lambda: self._presidio.replace(lines))
        annotated, annotate = cpu_seconds(lambda: list(self._model.annotate(lines)))
        sentences = [one for found in annotated for one in found]
        encoded, encode = cpu_seconds(lambda: self._encode(sentences))
        answers = asyncio.run(translated([one.text for one in encoded]))
        pairs = list(zip(encoded, answers, strict=True))
        _, decode = cpu_seconds(lambda: [self._encoder.decode(one, text) for one, text in pairs])
        tokens = sum(len(one.tokens) for one in sentences)
        words = sum(len(line.split()) for line in lines)
        return Round(tokens, words, bare, presidio, annotate, encode, decode)

    def _encode(self, sentences: Sequence[Sentence]) -> list[Encoded]:
        """What the stages read and encode do; what is withheld has no answer and is left out."""
        deny_list = DenyList()
        sentences = list(map(self._encoder.look, sentences))
        for sentence in sentences:
            for form in self._encoder.identifiers(sentence):
                deny_list.add(form)
        encoded = [
            self._encoder.encode(sentence, deny_list, self._rng)
            for sentence in sentences
            if self._encoder.needs_translator(sentence, deny_list)
        ]
        return [one for one in encoded if not one.withheld]


def in_fresh_process() -> dict[str, float]:
    """What loading the shipped dictionary costs a process that has imported the loader."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(loading_cost).result()


def loading_cost() -> dict[str, float]:
    """CPU seconds and growth of the peak memory (10⁶ bytes) of one load, in this process."""
    before = _peak_memory()
    _, seconds = cpu_seconds(lambda: load_dictionary(shipped_dictionary("en", "es"), "apertium"))
    return {"dictionary_load_s": seconds, "dictionary_mb": (_peak_memory() - before) / 1e6}


def _peak_memory() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    main()
