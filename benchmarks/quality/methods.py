"""The methods that are compared, each as what is sent of a sentence and what its reader gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Protocol

from benchmarks import reference
from benchmarks.quality.corpora import Corpus, story_sentences
from benchmarks.quality.translation import LANGUAGES, TRANSLATOR, CachedTranslator
from benchmarks.reference import WordDictionary
from prism_core.decoding import Decoded
from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.parquet import load_dictionary
from prism_core.encoder import Encoder
from prism_core.identifiers.deny_list import DenyList
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Encoded, Tagger, make_mechanism
from prism_core.resources import PROJECT, shipped_dictionary
from prism_core.settings import load_settings

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
NODECODE_THRESHOLDS = (0.5, 0.7, 0.9)
RATIOS = (0.1, 0.2, 0.3, 0.5)
PROBABILITIES = (0.1, 0.2, 0.3, 0.5)
REFERENCE_RATIOS = (0.3, 0.5, 0.6, 0.7)
CACHE = PROJECT / ".benchmark-cache"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one sentence.

    ``sent`` has x_pub of every draw that was sent; ``text`` is what the reader gets: y_pri, or the
    source where the sentence was withheld, never restored, or left nothing to translate.
    ``restored`` says whether the last answer held every substitute, so that it was decoded.
    """

    text: str
    sent: tuple[str, ...] = ()
    restored: bool = False

    @property
    def restored_at_once(self) -> bool:
        """Whether the first answer held every substitute."""
        return self.restored and len(self.sent) == 1


class Method(Protocol):
    """A way to translate a corpus: what it is called, and its strength as it is printed."""

    @property
    def name(self) -> str:
        """What the method is called."""
        ...

    @property
    def setting(self) -> str:
        """Its strength, as it is printed."""
        ...

    @property
    def draws(self) -> bool:
        """Whether two runs may differ."""
        ...

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:
        """One outcome a sentence of ``corpus``, in order."""
        ...


@dataclass(frozen=True)
class Plain:
    """No protection: the source is sent. Its row has the ceiling of QS and the floor of PPS."""

    name: str = "plain"
    setting: str = ""
    draws: bool = False

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:  # noqa: ARG002 (draws nothing)
        """See ``Method``."""
        texts = zip(corpus.private, translate(corpus.private), strict=True)
        return [Outcome(text, (source,), restored=True) for source, text in texts]


@dataclass(frozen=True)
class Pipeline:
    """PRISM as the main job runs it, with the settings in ``flags``; NoDecode too.

    All of the corpus is read first, for the deny list. A sentence with a substitute that did not
    come back is encoded and sent again as often as the encoder allows, then left as it was; equal
    sentences are sent once.
    """

    name: str
    setting: str
    flags: Mapping[str, object]
    tagger: Tagger | None = None
    draws: bool = True

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:
        """See ``Method``."""
        mechanism = load_settings(flags=self.flags).mechanism
        dictionary = _dictionary()
        encoder = Encoder(dictionary, make_mechanism(mechanism, dictionary, self.tagger))
        archive = _Archive(corpus, encoder, rng)
        outcomes = {text: Outcome(text) for text in corpus.private}
        waiting = archive.sendable
        for _ in range(encoder.most_draws):
            sent = archive.encoded(waiting)
            answers = translate([one.text for one in sent.values()])
            waiting = []
            for (text, one), answer in zip(sent.items(), answers, strict=True):
                decoded = encoder.decode(one, answer)
                outcomes[text] = self._after(outcomes[text], one, decoded, encoder)
                if decoded.unrestored:
                    waiting.append(text)
        return [outcomes[text] for text in corpus.private]

    def _after(self, before: Outcome, sent: Encoded, decoded: Decoded, encoder: Encoder) -> Outcome:
        return Outcome(
            text=before.text if decoded.unrestored else decoded.text,
            sent=(*before.sent, sent.text),
            restored=encoder.mechanism.restores and not decoded.unrestored,
        )


@cache
def _dictionary() -> Dictionary:
    """The shipped dictionary, as the translator that is asked prefers it."""
    return load_dictionary(shipped_dictionary(*LANGUAGES), TRANSLATOR)


class _Archive:
    """A corpus read as the main job reads it; ``sendable`` are its distinct sentences."""

    def __init__(self, corpus: Corpus, encoder: Encoder, rng: Random) -> None:
        self._encoder = encoder
        self._rng = rng
        self._sentences = dict(zip(corpus.private, corpus.sentences, strict=True))
        self._deny_list = DenyList()
        for sentence in corpus.sentences:
            for form in self._encoder.identifiers(sentence):
                self._deny_list.add(form)
        self.sendable = [
            text
            for text, sentence in self._sentences.items()
            if self._encoder.needs_translator(sentence, self._deny_list)
        ]

    def encoded(self, texts: Sequence[str]) -> dict[str, Encoded]:
        """A draw for each of ``texts``, less those that may not be sent."""
        drawn = {
            text: self._encoder.encode(self._sentences[text], self._deny_list, self._rng)
            for text in texts
        }
        return {text: one for text, one in drawn.items() if not one.withheld}


@dataclass(frozen=True)
class Reference:
    """The paper's own procedure (``benchmarks.reference``).

    A document is encoded as a whole. ``restored`` of a sentence: every substitute in it was found.
    Nothing is sent again, and nothing held back: the paper takes what comes out.
    """

    ratio: float
    dictionary: WordDictionary
    name: str = "reference"
    draws: bool = False

    @property
    def setting(self) -> str:
        """The share of replaced tokens."""
        return f"r={self.ratio:g}"

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:  # noqa: ARG002 (draws nothing)
        """See ``Method``."""
        return [
            outcome
            for document in corpus.documents
            for outcome in self._document(document, translate)
        ]

    def _document(
        self, document: tuple[Sentence, ...], translate: CachedTranslator
    ) -> list[Outcome]:
        sent, history = reference.encode(document, self.dictionary, self.ratio)
        texts, found = reference.decode(translate(sent), history, self.dictionary)
        lost = {one.sentence for one in history if one not in found}
        return [
            Outcome(text, (x_pub,), restored=index not in lost)
            for index, (text, x_pub) in enumerate(zip(texts, sent, strict=True))
        ]


def _references(model: LanguageModel, translate: CachedTranslator) -> list[Method]:
    """The paper's procedure with an entry for every word of MC160, those of the test included.

    That is the paper's setting, by the words of its examples, and more than an archive's owner
    has. D, into which the words are put, are the other stories.
    """
    others = story_sentences(model, ["train", "dev"])
    known = [*others, *story_sentences(model, ["test"])]
    words = {(t.text, t.tag) for one in known for t in one.tokens if t.text.isalpha()}
    dictionary = reference.cached(CACHE, others, words, translate, reference.Plan())
    return [Reference(ratio, dictionary) for ratio in REFERENCE_RATIOS]


METHODS: Mapping[str, Callable[[LanguageModel, CachedTranslator], list[Method]]] = {
    "plain": lambda *_: [Plain()],
    "threshold": lambda *_: [_by_threshold("threshold", "prism-star", tau) for tau in THRESHOLDS],
    "ratio": lambda *_: [
        Pipeline("ratio", f"r={ratio:g}", {"mechanism.ratio": ratio}) for ratio in RATIOS
    ],
    "prism-r": lambda *_: [_by_chance("prism-r", r) for r in PROBABILITIES],
    "nested": lambda model, _: [_by_chance("nested", r, model.retag) for r in PROBABILITIES],
    "mixture": lambda *_: [_by_chance("mixture", r) for r in PROBABILITIES],
    "nodecode": lambda *_: [
        _by_threshold("nodecode", "no-decode", tau) for tau in NODECODE_THRESHOLDS
    ],
    "reference": _references,
}
"""Each method at the strengths that are printed."""
DEFAULT_METHODS = ("plain", "threshold", "ratio", "prism-r", "nodecode", "reference")


def _by_threshold(name: str, mechanism: str, tau: float) -> Method:
    flags = {"mechanism.name": mechanism, "mechanism.threshold": tau}
    return Pipeline(name, f"tau={tau:g}", flags)


def _by_chance(name: str, r: float, tagger: Tagger | None = None) -> Method:
    flags = {"mechanism.name": name, "mechanism.replace_probability": r}
    return Pipeline(name, f"r={r:g}", flags, tagger)
