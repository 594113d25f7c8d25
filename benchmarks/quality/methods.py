"""The methods that are compared, each as what is sent of a sentence and what its reader gets."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol

from benchmarks.quality.corpora import Corpus
from benchmarks.quality.translation import CachedTranslator
from prism_core.encoder import Encoder
from prism_core.identifiers.deny_list import DenyList
from prism_core.mechanisms import Encoded
from prism_core.settings import load_settings
from prism_core.stages.decode import MOST_DRAWS


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one sentence.

    ``sent`` has x_pub of every draw that was sent; ``text`` is what the reader gets: y_pri, or the
    source where the sentence was withheld, never restored, or left nothing to translate.
    ``restored`` says whether the first answer held every substitute; None when nothing was sent.
    """

    text: str
    sent: tuple[str, ...] = ()
    restored: bool | None = None


class Method(Protocol):
    """A way to translate a corpus. ``setting`` is its strength, as it is printed."""

    name: str
    setting: str

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:
        """One outcome a sentence of ``corpus``, in order."""
        ...


@dataclass(frozen=True)
class Plain:
    """No protection: the source is sent. Its row has the ceiling of QS and the floor of PPS."""

    name: str = "plain"
    setting: str = ""

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:
        """See ``Method``."""
        texts = zip(corpus.private, translate(corpus.private), strict=True)
        return [Outcome(text, (source,), restored=True) for source, text in texts]


@dataclass(frozen=True)
class Pipeline:
    """PRISM as the main job runs it, with the settings in ``flags``.

    All of the corpus is read first, for the deny list. A sentence with a substitute that did not
    come back is encoded and sent again, ``MOST_DRAWS`` times at most, then left as it was; equal
    sentences are sent once.
    """

    name: str
    setting: str
    flags: dict[str, object]
    decodes: bool = True
    """False for NoDecode: the translation of x_pub is what the reader gets."""

    def run(self, corpus: Corpus, translate: CachedTranslator, rng: Random) -> list[Outcome]:
        """See ``Method``."""
        encoder = Encoder.load(load_settings(flags=self.flags))
        deny_list = DenyList()
        for sentence in corpus.sentences:
            for form in encoder.identifiers(sentence):
                deny_list.add(form)
        distinct = dict(zip(corpus.private, corpus.sentences, strict=True))
        outcomes = {text: Outcome(text) for text in distinct}
        waiting = {
            text: sentence
            for text, sentence in distinct.items()
            if encoder.needs_translator(sentence, deny_list)
        }
        for _ in range(MOST_DRAWS):
            encoded = {
                text: encoder.encode(sentence, deny_list, rng) for text, sentence in waiting.items()
            }
            sent = {text: one for text, one in encoded.items() if not one.withheld}
            answers = translate([one.text for one in sent.values()])
            for (text, one), answer in zip(sent.items(), answers, strict=True):
                y_pri = self._read(encoder, one, answer)
                outcomes[text] = self._after(outcomes[text], one, y_pri)
                if y_pri is not None:
                    del waiting[text]
        return [outcomes[text] for text in corpus.private]

    def _read(self, encoder: Encoder, encoded: Encoded, answer: str) -> str | None:
        """What the reader gets of ``answer``; None when a substitute in it was not found."""
        if not self.decodes:
            return answer
        decoded = encoder.decode(encoded, answer)
        return None if decoded.unrestored else decoded.text

    def _after(self, before: Outcome, encoded: Encoded, y_pri: str | None) -> Outcome:
        first = before.restored if before.sent else self.decodes and y_pri is not None
        return Outcome(y_pri or before.text, (*before.sent, encoded.text), first)


def default_methods() -> list[Method]:
    """Every method at the strengths that are printed."""
    thresholds = (0.3, 0.5, 0.7, 0.9)
    ratios = (0.1, 0.2, 0.3, 0.5)
    return [
        Plain(),
        *(threshold(one) for one in thresholds),
        *(Pipeline("ratio", f"r={one:g}", {"mechanism.ratio": one}) for one in ratios),
        *(threshold(one, decodes=False) for one in thresholds),
    ]


def threshold(tau: float, *, decodes: bool = True) -> Pipeline:
    """PRISM* by threshold, or NoDecode at the same τ."""
    name = "threshold" if decodes else "nodecode"
    return Pipeline(name, f"tau={tau:g}", {"mechanism.threshold": tau}, decodes)
