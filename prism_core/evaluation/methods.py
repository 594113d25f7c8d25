"""Compared methods: what each sends of a sentence, gets back, and gives its reader.

Substitutes are drawn from the generator that is passed in. Here that is a seeded one, so that a
sweep can be repeated and resumed; it must never be in a run over private documents.

Entry: ``methods_of`` names gives, by ``METHODS``, each at every strength of its sweep; then
``MethodSetting.run``, one of the ``send_…``; ``send_encoded`` encodes as the main job does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

from prism_core.decoding import STRONG, AnsweredDraw, Decoded, SearchStrategy
from prism_core.dictionary import Dictionary
from prism_core.encoding import VERSION as ENCODING_VERSION
from prism_core.encoding import Encoder, make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation import paper_procedures
from prism_core.evaluation.corpora import Corpus, Translate
from prism_core.evaluation.local_model import LocalModel
from prism_core.evaluation.paper_procedures import WordDictionary
from prism_core.identifiers import DenyList
from prism_core.mechanisms import Tagger, make_mechanism
from prism_core.recovery import redraw_allowance
from prism_core.settings import DecodingSettings, MechanismSettings


@dataclass(frozen=True, slots=True)
class SentenceOutcome:
    """Outcome of one sentence.

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

    def after_draw(
        self, sent: str, answer: str, decoded: Decoded, *, restores: bool
    ) -> SentenceOutcome:
        """Return the outcome after another draw was ``sent``, answered and decoded."""
        is_lost = bool(decoded.unrestored)
        return SentenceOutcome(
            self.text if is_lost else decoded.text,
            (*self.sent, sent),
            (*self.answers, answer),
            restores and not is_lost,
        )

    @property
    def restored_at_once(self) -> bool:
        """True if the first answer held every substitute."""
        return self.restored and len(self.sent) == 1


SendCorpus = Callable[[Corpus, Translate, Random], list[SentenceOutcome]]
"""Function that returns one outcome a sentence of a corpus, in order."""


@dataclass(frozen=True)
class MethodSetting:
    """Method of translating a corpus, at one strength.

    ``setting`` is the strength as it is printed, empty for a method that has none; ``draws`` says
    whether two runs may differ; ``version`` changes when the same seed would give something else.
    """

    name: str
    run: SendCorpus
    setting: str = ""
    draws: bool = False
    version: str = "1"


def send_plain(corpus: Corpus, translate: Translate, rng: Random) -> list[SentenceOutcome]:  # noqa: ARG001 (draws nothing)
    """Send the source, without protection: the ceiling of QS and the floor of PPS."""
    pairs = zip(corpus.private, translate(corpus.private), strict=True)
    return [
        SentenceOutcome(text or own, (own,), (text,), restored=bool(text)) for own, text in pairs
    ]


def send_nothing(corpus: Corpus, translate: Translate, rng: Random) -> list[SentenceOutcome]:  # noqa: ARG001 (asks nobody)
    """Give the reader nothing either: what an evaluator knows without any text."""
    return [SentenceOutcome("", withheld=True) for _ in corpus.private]


def send_locally(
    model: LocalModel,
    corpus: Corpus,
    translate: Translate,  # noqa: ARG001 (asks nobody)
    rng: Random,  # noqa: ARG001 (draws nothing)
) -> list[SentenceOutcome]:
    """Translate in clear on this machine: what costs no privacy, and so the baseline of quality."""
    return [SentenceOutcome(text) for text in model.translate(corpus.sentences)]


def prism_method(name: str, setting: str, encoder: Encoder) -> MethodSetting:
    """Build PRISM as the main job runs it: ``encoder`` over a whole corpus."""
    run = partial(send_encoded, encoder)
    return MethodSetting(name, run, setting, draws=True, version=encoder.version)


def send_encoded(
    encoder: Encoder, corpus: Corpus, translate: Translate, rng: Random
) -> list[SentenceOutcome]:
    """Encode and send a corpus, read whole for the deny list; equal sentences are sent once."""
    sentences = dict(zip(corpus.private, corpus.sentences, strict=True))
    deny_list = encoder.add_identifiers(DenyList(), corpus.sentences)
    outcomes = {text: SentenceOutcome(text) for text in corpus.private}
    waiting = [t for t, own in sentences.items() if encoder.needs_translator(own, deny_list)]
    draws: dict[str, list[AnsweredDraw]] = {text: [] for text in waiting}
    room = redraw_allowance(len(waiting), DecodingSettings().redraws)
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
        is_last = draw + 1 == encoder.most_draws
        strategies = frozenset(SearchStrategy) if is_last else STRONG
        waiting = []
        for (text, encoded), answer in zip(sent.items(), answers, strict=True):
            decoded = _LOST
            if answer:
                draws[text].append(AnsweredDraw(encoded, answer))
                _, decoded = encoder.decode_draws(draws[text], strategies)
            outcomes[text] = outcomes[text].after_draw(
                encoded.text, answer, decoded, restores=encoder.mechanism.restores
            )
            if answer and decoded.unrestored:
                waiting.append(text)
    return [outcomes[text] for text in corpus.private]


_LOST = Decoded("", restored=0, fallback=0, unrestored=1, untranslated=0)
"""Result without a usable answer: nothing to decode."""


def send_as_the_paper(
    name: str,
    ratio: float,
    build: Callable[[bool], WordDictionary],
    corpus: Corpus,
    translate: Translate,
    rng: Random,
) -> list[SentenceOutcome]:
    """Run one of the paper's own procedures, with the share ``ratio`` of the words replaced."""
    by_chance = name == "reference-r"
    outcomes = []
    for document in corpus.documents:
        dictionary = build(not by_chance)
        if by_chance:
            drawn = paper_procedures.encode_at_random(document.sentences, dictionary, ratio, rng)
        else:
            drawn = paper_procedures.encode(document.sentences, dictionary, ratio)
        sent, history = drawn
        answers = translate(sent)
        texts, found = paper_procedures.decode(answers, history, dictionary)
        if name == "reference-no-decode":
            texts = answers
        lost = {substitution.sentence for substitution in history if substitution not in found}
        triples = zip(sent, answers, texts, strict=True)
        outcomes += [
            SentenceOutcome(text, (x_pub,), (y_pub,), restored=index not in lost)
            for index, (x_pub, y_pub, text) in enumerate(triples)
        ]
    return outcomes


THRESHOLDS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
RATIOS = (0.1, 0.2, 0.3, 0.5)
PROBABILITIES = (0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
TABLE_PROBABILITIES = (0.1, 0.25, 0.5, 0.75, 0.9)
MIXTURE_R = 0.1
"""r of the mixture, whose sweep is over β: from little more than PRISM-R to the table alone."""
REFERENCE_RATIOS = (0.1, 0.3, 0.5, 0.7)
IDENTIFIERS_ONLY = MechanismSettings.choose(hidden_words="none", unknown_words="keep")
"""Nothing but identifiers is hidden, by surrogates: better than a tool with placeholders, since T
treats them as it treats names."""
EPSILONS = (3.0, 5.0, 8.0, 10.0, 15.0, 20.0)
"""ε per unit of Euclidean distance between GloVe's vectors, from no word unchanged to all."""


@dataclass(frozen=True)
class Tools:
    """Tools that methods are built with.

    Our dictionary, the tagger (nested), the builder of the dictionary of the paper's procedures,
    with tags or without, which is expensive, word vectors (dx, pup), and the model on this machine
    (local).
    """

    dictionary: Dictionary
    tagger: Tagger
    reference: Callable[[bool], WordDictionary]
    vectors: Path | None = None
    local: LocalModel | None = None


Sweep = Callable[[Tools], Sequence[MethodSetting]]
SettingsOf = Callable[[float], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Contender:
    """Method as people name it, at every strength that is measured.

    ``colour`` (of Okabe and Ito's palette, which people of every colour vision tell apart) and
    ``marker`` are those of its curve; one without them is drawn in no figure of curves.
    """

    label: str
    sweep: Sweep
    colour: str = ""
    marker: str = ""


def check_methods(names: Iterable[str]) -> None:
    """Raise ``ConfigurationError`` for a name that is not known."""
    if unknown := sorted(set(names) - METHODS.keys()):
        raise ConfigurationError(
            f"There is no method {unknown[0]}: choose from {', '.join(METHODS)}."
        )


def methods_of(names: Collection[str], tools: Tools) -> list[MethodSetting]:
    """Build the methods of ``names`` at every strength, in the order of ``METHODS``.

    Raises ``ConfigurationError`` for a name that is not known.
    """
    check_methods(names)
    return [method for name in METHODS if name in names for method in METHODS[name].sweep(tools)]


def _sweep(name: str, sign: str, strengths: Iterable[float], of: SettingsOf) -> Sweep:
    """Build PRISM at each of ``strengths``: the mechanism has the settings ``of`` it."""

    def sweep(tools: Tools) -> list[MethodSetting]:
        return [
            _prism(name, f"{sign}={strength:g}", MechanismSettings.choose(**of(strength)), tools)
            for strength in strengths
        ]

    return sweep


def _prism(name: str, setting: str, settings: MechanismSettings, tools: Tools) -> MethodSetting:
    mechanism = make_mechanism(settings, tools.dictionary, tools.tagger)
    return prism_method(name, setting, make_encoder(tools.dictionary, mechanism))


def _sweep_by_chance(name: str) -> Sweep:
    """Build methods that replace each word at random, at every probability."""
    return _sweep(name, "r", PROBABILITIES, lambda r: {"name": name, "replace_probability": r})


def _sweep_by_distance(name: str) -> Sweep:
    """Build methods that replace each word by a near one, at every ε."""
    return lambda tools: [_near(name, epsilon, tools) for epsilon in EPSILONS]


def _near(name: str, epsilon: float, tools: Tools) -> MethodSetting:
    """Build a method whose mechanism is made when it runs: each has tables of its own."""
    settings = MechanismSettings.choose(name=name, epsilon=epsilon, vectors=tools.vectors)

    def run(corpus: Corpus, translate: Translate, rng: Random) -> list[SentenceOutcome]:
        mechanism = make_mechanism(settings, tools.dictionary, tools.tagger)
        return send_encoded(make_encoder(tools.dictionary, mechanism), corpus, translate, rng)

    digest = hashlib.sha256(f"{ENCODING_VERSION} {tools.dictionary.digest} ".encode())
    if tools.vectors is not None and tools.vectors.is_file():
        digest.update(tools.vectors.read_bytes())
    return MethodSetting(name, run, f"ε={epsilon:g}", draws=True, version=digest.hexdigest()[:16])


def _sweep_of_the_paper(name: str, ratios: Iterable[float], *, draws: bool = False) -> Sweep:
    """Build one of the paper's own procedures at every ratio."""
    return lambda tools: [
        MethodSetting(
            name, partial(send_as_the_paper, name, ratio, tools.reference), f"r={ratio:g}", draws
        )
        for ratio in ratios
    ]


def _local(model: LocalModel | None) -> list[MethodSetting]:
    if model is None:
        return []
    return [MethodSetting("local", partial(send_locally, model), version=model.digest())]


METHODS: Mapping[str, Contender] = {
    "plain": Contender("no protection", lambda _: [MethodSetting("plain", send_plain)]),
    "empty": Contender("empty text", lambda _: [MethodSetting("empty", send_nothing)]),
    "local": Contender("local, in clear", lambda tools: _local(tools.local)),
    "prism-star-threshold": Contender(
        "PRISM* threshold (default)",
        _sweep("prism-star-threshold", "τ", THRESHOLDS, lambda tau: {"threshold": tau}),
        "#0072B2",
        "o",
    ),
    "prism-star-ratio": Contender(
        "PRISM* ratio",
        _sweep("prism-star-ratio", "r", RATIOS, lambda r: {"name": "prism-star-ratio", "ratio": r}),
        "#E69F00",
        "s",
    ),
    "prism-r": Contender("PRISM-R", _sweep_by_chance("prism-r"), "#009E73", "^"),
    "nested": Contender("nested", _sweep_by_chance("nested"), "#56B4E9", "v"),
    "mixture": Contender(
        "mixture",
        _sweep(
            "mixture",
            "β",
            TABLE_PROBABILITIES,
            lambda beta: {
                "name": "mixture",
                "replace_probability": MIXTURE_R,
                "table_probability": beta,
            },
        ),
        "#CC79A7",
        "D",
    ),
    "dx": Contender("d_X with decoding", _sweep_by_distance("dx"), "#882255", "<"),
    "pup": Contender("PUP", _sweep_by_distance("pup"), "#999933", ">"),
    "no-decode": Contender(
        "NoDecode",
        _sweep("no-decode", "τ", THRESHOLDS, lambda tau: {"name": "no-decode", "threshold": tau}),
        "#8C8C8C",
        "X",
    ),
    "identifiers-only": Contender(
        "identifiers only",
        lambda tools: [_prism("identifiers-only", "", IDENTIFIERS_ONLY, tools)],
        "#000000",
        "*",
    ),
    "reference": Contender(
        "the paper's procedure",
        _sweep_of_the_paper("reference", REFERENCE_RATIOS),
        "#D55E00",
        "P",
    ),
    "reference-no-decode": Contender(
        "the paper's, NoDecode",
        _sweep_of_the_paper("reference-no-decode", REFERENCE_RATIOS),
        "#8C8C8C",
        "x",
    ),
    "reference-r": Contender(
        "the paper's, PRISM-R",
        _sweep_of_the_paper("reference-r", PROBABILITIES, draws=True),
        "#009E73",
        "1",
    ),
}
"""Measured methods."""
COLOURS = {name: method.colour for name, method in METHODS.items() if method.colour}
MARKERS = {name: method.marker for name, method in METHODS.items() if method.marker}
BY_VECTORS = ("dx", "pup")
"""Methods measured only when named, or with word vectors: none ship."""
FOR_REPRODUCTION = ("reference-no-decode", "reference-r")
"""Methods measured only when named: the paper's other two, over its own dictionary."""
FRAME = ("plain", "empty")
"""Methods measured with any other: without them no score says anything."""
