"""The methods that are compared, each as what is sent of a sentence and what its reader gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from benchmarks import reference
from benchmarks.quality.corpora import Corpus
from benchmarks.quality.translation import CachedTranslator
from benchmarks.reference import WordDictionary
from prism_core.decoding import Decoded
from prism_core.dictionary.dictionary import Dictionary
from prism_core.encoder import Encoder
from prism_core.identifiers.deny_list import DenyList
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Encoded, Tagger, make_mechanism
from prism_core.settings_sources import load_settings


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
    dictionary: Dictionary
    tagger: Tagger | None = None
    draws: bool = True

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:
        """See ``Method``."""
        mechanism = load_settings(flags=self.flags).mechanism
        encoder = Encoder(self.dictionary, make_mechanism(mechanism, self.dictionary, self.tagger))
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
