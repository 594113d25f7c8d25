"""Outcomes of public documents that were encoded and came back, from which the gate learns.

Two ways. ``observe_run``: text is really encoded, sent, sent again and decoded, as a run does; for
a translator at hand. ``observe_roles``: roles are swapped (see ``role_swap``), with a translator's
own output, without a call: a sentence counts as restored when its own words are found in its real
translation; the loss is what two decodings cost the others, one to put the drawn words in and one
to put the own words back.

Entry: ``read_bundles`` -> ``observe_run`` or ``observe_roles``, with the settings of several
strengths, of which each document gets some.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np

from prism_core.encoding import Encoder
from prism_core.evaluation.corpora import (
    CorpusDocument,
    RawDocument,
    Texts,
    Translate,
    prepare,
    read_aligned,
    read_utf8,
)
from prism_core.evaluation.methods import SentenceOutcome, send_encoded
from prism_core.evaluation.metrics import CHRF
from prism_core.evaluation.recovery_fitting import Observation
from prism_core.evaluation.role_swap import read_back, swap_roles
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.recovery import FEATURES, Trials

SIZES = (5, 8, 15, 30, 60)
"""Lines of a document whose collection has none; adjacent lines share an article."""
_TELLING = 5
"""Restored sentences from which a document's loss can be judged."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Public document: its lines, a translator's answers to them (or none), and references."""

    name: str
    lines: tuple[str, ...]
    references: tuple[str, ...]
    answers: tuple[str, ...] = ()


def read_bundles(
    source: Path, reference: Path, answers: Path | None = None, most: int | None = None
) -> list[Bundle]:
    """Read documents of ``SIZES`` lines, in turn, from files that agree line by line.

    Raises ``ConfigurationError`` when they have not as many lines.
    """
    files = [source, reference, *([answers] if answers else [])]
    rng = Random(len(read_utf8(source).removesuffix("\n").split("\n")))
    rows = iter(read_aligned(files, most))
    found: list[Bundle] = []
    while rows_of_one := list(islice(rows, rng.choice(SIZES))):
        lines, references, *told = zip(*rows_of_one, strict=True)
        name = f"{source.name}/{len(found)}"
        found.append(Bundle(name, lines, references, *(tuple(map(unescape, t)) for t in told)))
    return [bundle for bundle in found if len(bundle.lines) >= SIZES[0]]


def observe_run(
    encoders: Sequence[Encoder],
    bundles: Sequence[Bundle],
    model: LanguageModel,
    translate: Translate,
    repeats: int = 2,
    seed: int = 1,
) -> Iterator[Observation]:
    """Encode, send and decode each of ``bundles`` with random ``encoders``.

    Documents with one encoder are one archive. ``translate`` is asked for x_pub, and for x_pri to
    know what is lost: the text must be public.
    """
    raw = tuple(RawDocument(bundle.name, bundle.lines, bundle.references) for bundle in bundles)
    corpus = prepare(Texts("gate", raw, True, ""), model, translate, frozenset())
    direct = iter(corpus.direct)
    plain = {
        document.name: tuple(islice(direct, len(document.sentences)))
        for document in corpus.documents
    }
    rng = Random(seed)
    theirs: dict[int, list[CorpusDocument]] = {}
    for document in corpus.documents:
        for place in rng.sample(range(len(encoders)), min(repeats, len(encoders))):
            theirs.setdefault(place, []).append(document)
    for place, documents in sorted(theirs.items()):
        encoder, own = encoders[place], replace(corpus, documents=tuple(documents))
        outcomes = iter(send_encoded(encoder, own, translate, rng))
        deny_list = encoder.add_identifiers(DenyList(), own.sentences)
        for document in documents:
            came = list(islice(outcomes, len(document.sentences)))
            yield _observe(encoder, document, came, plain[document.name], deny_list, rng)


def _observe(
    encoder: Encoder,
    document: CorpusDocument,
    outcomes: Sequence[SentenceOutcome],
    plain: Sequence[str],
    deny_list: DenyList,
    rng: Random,
) -> Observation:
    trials, rows, restored = Trials(encoder), [], []
    for sentence, outcome in zip(document.sentences, outcomes, strict=True):
        if outcome.sent and not (tried := encoder.encode(sentence, deny_list, rng)).withheld:
            rows.append(trials.read(tried))
            restored.append(outcome.restored or not encoder.mechanism.restores)
    texts, told = iter(outcome.text for outcome in outcomes), iter(plain)
    read = [" ".join(islice(texts, len(line))) for line in document.lines]
    best = [" ".join(islice(told, len(line))) for line in document.lines]
    features = np.array(rows).reshape(-1, len(FEATURES))
    own_texts = [sentence.text.strip() for sentence in document.sentences]
    private = [" ".join(sentence.text.strip() for sentence in line) for line in document.lines]
    return Observation(
        document.name,
        encoder.mechanism.name,
        features,
        np.array(restored, dtype=bool),
        sum(outcome.withheld for outcome in outcomes),
        CHRF.compare(best, document.references) - CHRF.compare(read, document.references),
        sum(outcome.text == own for outcome, own in zip(outcomes, own_texts, strict=True))
        / len(outcomes),
        CHRF.compare(best, document.references) - CHRF.compare(private, document.references),
        features,
    )


def observe_roles(
    encoders: Sequence[Encoder],
    bundles: Sequence[Bundle],
    model: LanguageModel,
    repeats: int = 1,
    seed: int = 1,
) -> Iterator[Observation]:
    """Swap roles in each of ``bundles``, which have answers, with random ``encoders``."""
    rng = Random(seed)
    for bundle in bundles:
        lines = list(map(Sentence.join, model.annotate(list(bundle.lines))))
        for place in rng.sample(range(len(encoders)), min(repeats, len(encoders))):
            yield _observe_swapped(encoders[place], bundle, lines, rng)


def _observe_swapped(
    encoder: Encoder, bundle: Bundle, lines: Sequence[Sentence], rng: Random
) -> Observation:
    trials, rows, drawn, restored, withheld = Trials(encoder), [], [], [], 0
    back: list[tuple[str, str, str]] = []
    for line, answer, reference in zip(lines, bundle.answers, bundle.references, strict=True):
        encoded = encoder.encode(line, DenyList(), rng)
        if encoded.withheld:
            withheld += 1
            continue
        rows.append(trials.read(swap_roles(encoded, line.text.strip())))
        drawn.append(trials.read(encoded))
        again = read_back(encoder, encoded, line.text.strip(), answer)
        restored.append(again is not None)
        if again is not None:
            back.append((again, answer, reference))
    decoded, answers, references = zip(*back, strict=True) if back else ((), (), ())
    own = [line.text.strip() for line in lines]
    lost = CHRF.compare(answers, references) - CHRF.compare(decoded, references)
    return Observation(
        bundle.name,
        encoder.mechanism.name,
        np.array(rows).reshape(-1, len(FEATURES)),
        np.array(restored, dtype=bool),
        withheld,
        lost if len(back) >= _TELLING else math.nan,
        0.0,
        CHRF.compare(bundle.answers, bundle.references) - CHRF.compare(own, bundle.references),
        np.array(drawn).reshape(-1, len(FEATURES)),
    )
