"""The methods that are compared: what each sends of a sentence, gets back, and gives its reader.

Substitutes are drawn from the generator that is passed in. Here that is a seeded one, so that a
sweep can be repeated and resumed; it must never be in a run over private documents.

Entry: ``Method.run``, one of the ``send_…``; ``send_encoded`` encodes as the main job does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from random import Random

from prism_core.decoding import Decoded, Draw, Way
from prism_core.encoding import Encoder, most_further
from prism_core.evaluation import reference
from prism_core.evaluation.corpora import Corpus, Translate
from prism_core.evaluation.reference import WordDictionary
from prism_core.identifiers import DenyList
from prism_core.settings import DecodingSettings


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """What became of one sentence.

    ``sent`` has x_pub of every draw that was sent and ``answers`` y_pub of each; ``text`` is what
    the reader gets: y_pri, or the source where the sentence was withheld, never restored, or left
    nothing to translate. ``restored`` says whether the last answer held every substitute, so that
    it was decoded; ``withheld`` that nothing of it may be sent.
    """

    text: str
    sent: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    restored: bool = False
    withheld: bool = False

    @property
    def restored_at_once(self) -> bool:
        """Whether the first answer held every substitute."""
        return self.restored and len(self.sent) == 1


Run = Callable[[Corpus, Translate, Random], list[SentenceOutcome]]
"""One outcome a sentence of a corpus, in order."""


@dataclass(frozen=True)
class Method:
    """A way to translate a corpus, at one strength.

    ``setting`` is the strength as it is printed, empty for a method that has none; ``draws`` says
    whether two runs may differ; ``version`` changes when the same seed would give something else.
    """

    name: str
    run: Run
    setting: str = ""
    draws: bool = False
    version: str = "1"


def send_plain(corpus: Corpus, translate: Translate, rng: Random) -> list[SentenceOutcome]:  # noqa: ARG001 (draws nothing)
    """No protection: the source is sent. The ceiling of QS and the floor of PPS."""
    pairs = zip(corpus.private, translate(corpus.private), strict=True)
    return [
        SentenceOutcome(text or own, (own,), (text,), restored=bool(text)) for own, text in pairs
    ]


def send_nothing(corpus: Corpus, translate: Translate, rng: Random) -> list[SentenceOutcome]:  # noqa: ARG001 (asks nobody)
    """The reader gets nothing either: what an evaluator knows without any text."""
    return [SentenceOutcome("", withheld=True) for _ in corpus.private]


def prism_method(name: str, setting: str, encoder: Encoder) -> Method:
    """PRISM as the main job runs it: ``encoder`` over a whole corpus."""
    run = partial(send_encoded, encoder)
    return Method(name, run, setting, draws=True, version=encoder.version)


def send_encoded(
    encoder: Encoder, corpus: Corpus, translate: Translate, rng: Random
) -> list[SentenceOutcome]:
    """All of the corpus is read first, for the deny list; equal sentences are sent once.

    A sentence with a substitute that did not come back is sent again with that drawn anew, as often
    as the encoder allows and ``most_further`` does in all, then left as it was.
    """
    sentences = dict(zip(corpus.private, corpus.sentences, strict=True))
    deny_list = encoder.add_identifiers(DenyList(), corpus.sentences)
    outcomes = {text: SentenceOutcome(text) for text in corpus.private}
    waiting = [t for t, own in sentences.items() if encoder.needs_translator(own, deny_list)]
    draws: dict[str, list[Draw]] = {text: [] for text in waiting}
    room = most_further(len(waiting), DecodingSettings().redraws)
    for draw in range(encoder.most_draws):
        drawn = {
            text: encoder.encode_again(sentences[text], draws[text], deny_list, rng)
            for text in waiting
        }
        sent = {text: encoded for text, encoded in drawn.items() if not encoded.withheld}
        if draw:
            sent = dict(islice(sent.items(), room))
            room -= len(sent)
        answers = translate([encoded.text for encoded in sent.values()])
        for text in drawn.keys() - sent.keys():
            outcomes[text] = replace(outcomes[text], withheld=not outcomes[text].sent)
        waiting = []
        for (text, encoded), answer in zip(sent.items(), answers, strict=True):
            before, decoded = outcomes[text], _LOST
            if answer:
                draws[text].append(Draw(encoded, answer))
                is_last = draw + 1 == encoder.most_draws
                ways = set(Way) if is_last else set(Way) - {Way.ELIMINATION}
                _, decoded = encoder.decode_draws(draws[text], ways)
            outcomes[text] = SentenceOutcome(
                before.text if decoded.unrestored else decoded.text,
                (*before.sent, encoded.text),
                (*before.answers, answer),
                encoder.mechanism.restores and not decoded.unrestored,
            )
            if answer and decoded.unrestored:
                waiting.append(text)
    return [outcomes[text] for text in corpus.private]


_LOST = Decoded("", restored=0, fallback=0, unrestored=1, untranslated=0)
"""No answer that can be used: nothing to decode."""


def reference_method(ratio: float, build: Callable[[], WordDictionary]) -> Method:
    """The paper's own procedure (``reference``), with the share ``ratio`` of tokens replaced.

    ``build`` is called when the dictionary is first needed.
    """
    return Method("reference", partial(send_as_the_paper, ratio, build), f"r={ratio:g}")


def send_as_the_paper(
    ratio: float,
    build: Callable[[], WordDictionary],
    corpus: Corpus,
    translate: Translate,
    rng: Random,  # noqa: ARG001 (draws nothing)
) -> list[SentenceOutcome]:
    """A document is encoded as a whole. ``restored`` of a sentence: every substitute was found.

    Nothing is sent again, and nothing held back: the paper takes what comes out.
    """
    outcomes = []
    for document in corpus.documents:
        dictionary = build()
        sent, history = reference.encode(document.sentences, dictionary, ratio)
        answers = translate(sent)
        texts, found = reference.decode(answers, history, dictionary)
        lost = {substitution.sentence for substitution in history if substitution not in found}
        triples = zip(sent, answers, texts, strict=True)
        outcomes += [
            SentenceOutcome(text, (x_pub,), (y_pub,), restored=index not in lost)
            for index, (x_pub, y_pub, text) in enumerate(triples)
        ]
    return outcomes
