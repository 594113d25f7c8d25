"""The gate: before a document is sent, is enough of it expected to come back, or what then?

Entry: ``pass_gate`` with the treatment that the policies chose -> ``foresee`` -> ``_decide``.
``Foresight`` is what the store and the report keep of it: numbers and classes, no text.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from random import SystemRandom
from typing import Any

import numpy as np

from prism_core.errors import DocumentFailure
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.prospects import FeatureReader, Prospect
from prism_core.record import Encoded
from prism_core.report import SentenceRow
from prism_core.settings import AUTO, GateSettings, PolicySettings, Treatment
from prism_core.stages.judging import Judgement, Refused, Sentences
from prism_core.stages.run import Run
from prism_core.state import SentenceStatus, StoredDocument

_MOST = 100
"""Sentences of a document that are tried; of a longer one so many by chance."""
_CLOSE, _SURE = 0.05, 2.0
_ADVICE = (
    "{said}, and the settings ask for {asked}. Nothing of it was sent; translate it otherwise, or "
    "lower what gate asks for."
)
_NOT_KNOWN = "The gate cannot tell what would come back of it ({why})"


@dataclass(frozen=True, slots=True)
class Foresight:
    """What the gate ``decided`` of a document and ``why``, and the prospect it was decided by.

    ``restored`` and ``loss`` are None where nothing was predicted; ``sentences`` were tried.
    """

    decided: str
    why: str
    sentences: int
    restored: float | None = None
    loss: float | None = None

    @classmethod
    def of(cls, decided: str, why: str, prospect: Prospect) -> Foresight:
        """The same of ``prospect``."""
        if not prospect.is_known:
            return cls(decided, why, prospect.sentences)
        restored, loss = round(prospect.restored, 4), round(prospect.loss, 2)
        return cls(decided, why, prospect.sentences, restored, loss)

    @classmethod
    def read(cls, stored: str) -> Foresight | None:
        """What ``stored`` says; None where the gate was off."""
        return cls(**json.loads(stored)) if stored else None

    def __str__(self) -> str:
        return json.dumps(asdict(self))


def pass_gate(
    run: Run, policy: PolicySettings | None, judgement: Judgement, sentences: Sentences
) -> Judgement:
    """``judgement`` of a document of ``sentences``, or another that its prospects ask for.

    Raises ``Refused`` (``withheld-by-gate``) when nothing of it is to be sent. What is tried for it
    is drawn apart from what will be sent, and thrown away.
    """
    gate, treatment = run.job.settings.gate, judgement.treatment
    if not gate.is_on or treatment.stays_here or not any(sentences.values()):
        return judgement
    prospect = foresee(run, treatment, sentences)
    why = shortfall(gate, prospect)
    if not why:
        for stronger in _stronger(run, treatment) if gate.strengthen else ():
            found = foresee(run, stronger, sentences)
            if not shortfall(gate, found):
                return _judge(judgement, stronger, Foresight.of("strengthen", "", found))
        return _judge(judgement, treatment, Foresight.of("send", "", prospect))
    for other in _others(run, policy, treatment) if prospect.is_known else ():
        found = foresee(run, other, sentences)
        if not shortfall(gate, found):
            return _judge(judgement, other, Foresight.of(gate.below, why, found))
    decided = gate.otherwise
    if prospect.is_known and gate.below in ("send", "withhold", "local"):
        decided = gate.below
    told = Foresight.of(decided, why, prospect)
    if decided == "withhold":
        raise Refused(DocumentFailure.NOT_WORTH, _advise(gate, prospect), treatment, str(told))
    return _judge(judgement, treatment.kept_here() if decided == "local" else treatment, told)


def foresee(run: Run, treatment: Treatment, sentences: Sentences) -> Prospect:
    """What is expected of a document of ``sentences`` under ``treatment``.

    Where several translators share it, what is expected of the one that restores least; of a
    document in several languages the mean over its sentences.
    """
    parts = [
        _foresee_pair(run, treatment.in_source(pair.source), list(theirs))
        for pair, theirs in sentences.items()
        if theirs
    ]
    return _join(parts)


def _join(parts: Sequence[Prospect]) -> Prospect:
    """One prospect of all ``parts`` of a document; unknown where one is, or there is none."""
    if not parts:
        return Prospect(0, unknown="too-few-sentences")
    unknown = next((one for one in parts if not one.is_known), None)
    if unknown is not None or len(parts) == 1:
        return unknown or parts[0]
    counts = [part.sentences for part in parts]

    def mean(values: Iterable[float]) -> float:
        return sum(a * b for a, b in zip(values, counts, strict=True)) / sum(counts)

    _, restored, loss, spread, _ = zip(*parts, strict=True)
    return Prospect(sum(counts), mean(restored), mean(loss), mean(spread))


def _foresee_pair(run: Run, treatment: Treatment, sentences: list[Sentence]) -> Prospect:
    settings = run.job.under(treatment).settings
    shared = settings.mixing.routing == "split"
    names = [one.name for one in (settings.translators if shared else settings.translators[:1])]
    tables = [run.gate_model(treatment).table(name) for name in names]
    if None in tables:
        return Prospect(len(sentences), unknown="translator")
    encoder, rng = run.encoder(treatment), SystemRandom()
    some = rng.sample(sentences, _MOST) if len(sentences) > _MOST else sentences
    deny_list = encoder.add_identifiers(DenyList(), sentences)
    features, withheld = FeatureReader(encoder).draw(some, deny_list, rng)
    sends, redraws = encoder.most_draws, settings.decoding.redraws
    mechanism = encoder.mechanism.name
    found = [
        table.predict(features, withheld, mechanism, sends, redraws) for table in tables if table
    ]
    worst: Prospect = min(found, key=lambda one: one.restored if one.is_known else -math.inf)
    return worst


def shortfall(gate: GateSettings, prospect: Prospect) -> str:
    """Why ``prospect`` does not suffice: ``restored``, ``loss``, or why it is not known."""
    if not prospect.is_known:
        return prospect.unknown
    if gate.minimum_restored is not None and not prospect.restored >= gate.minimum_restored:
        return "restored"  # so is what is no number
    if gate.maximum_loss is not None and not prospect.loss <= gate.maximum_loss:
        return "loss"
    return ""


def _others(run: Run, policy: PolicySettings | None, treatment: Treatment) -> Iterator[Treatment]:
    """What may be tried instead of ``treatment``, the best first.

    Documents under a policy are never weakened: somebody said how strongly they are hidden.
    """
    gate, settings = run.job.settings.gate, run.job.under(treatment).settings
    if gate.below == "other-translator":
        yield from (treatment.with_gate("asks", n) for n in range(1, len(settings.translators)))
    elif gate.below == "weaken" and policy is None and gate.weakest_threshold is not None:
        count = sum(1 for _ in settings.mechanism.weaker(gate.weakest_threshold))
        yield from (treatment.with_gate("weaker", n) for n in range(count))


def _stronger(run: Run, treatment: Treatment) -> Iterator[Treatment]:
    """The stronger forms of ``treatment``, the strongest first."""
    count = sum(1 for _ in run.job.under(treatment).settings.mechanism.stronger())
    return (treatment.with_gate("stronger", n) for n in reversed(range(count)))


def _judge(judgement: Judgement, treatment: Treatment, told: Foresight) -> Judgement:
    return Judgement(treatment, judgement.privacy_score, str(told))


def _advise(gate: GateSettings, prospect: Prospect) -> str:
    asked = []
    if gate.minimum_restored is not None:
        asked.append(f"at least {gate.minimum_restored:.0%} restored")
    if gate.maximum_loss is not None:
        asked.append(f"a loss of at most {gate.maximum_loss:g} points of chrF")
    said = _NOT_KNOWN.format(why=prospect.unknown)
    if prospect.is_known:
        said = (
            f"Of its sentences {prospect.restored:.0%} are expected to be restored, with a loss of "
            f"{max(prospect.loss, 0):.1f} points of chrF"
        )
    return _ADVICE.format(said=said, asked=" and ".join(asked))


def foresee_encoded(run: Run, document: StoredDocument, seen: set[str]) -> tuple[Prospect, int]:
    """What is expected of ``document`` as it is encoded, and how many characters of it wait to be
    sent, less those of sentences that were ``seen`` in another; for its translator, the first of
    several."""
    stored = run.store.sentences.of_document(document.id).values()
    characters = 0
    sent: dict[str, list[Encoded]] = {}
    withheld = Counter[str]()
    for one in stored:
        if one.status in (SentenceStatus.ENCODED, SentenceStatus.SENT) and one.encoded:
            sent.setdefault(one.source, []).append(one.encoded)
            characters += len(one.encoded.text) * (one.id not in seen)
            seen.add(one.id)
        withheld[one.source] += one.status is SentenceStatus.WITHHELD
    parts = []
    for source, encodings in sent.items():
        treatment = document.treatment.in_source(source if run.job.source == AUTO else "")
        encoder, settings = run.encoder(treatment), run.job.under(treatment).settings
        reader = FeatureReader(encoder)
        rows = np.array([reader.read(one) for one in encodings[:_MOST]])
        table = run.gate_model(treatment).table(settings.translator.name)
        if table is None:
            return Prospect(len(rows), unknown="translator"), 0
        tried = encoder.most_draws, settings.decoding.redraws
        parts.append(table.predict(rows, withheld[source], encoder.mechanism.name, *tried))
    return _join(parts), characters


def gate_columns(document: StoredDocument, rows: Sequence[SentenceRow]) -> dict[str, Any]:
    """What the gate predicted and decided, and what came back, by the columns of the report.

    A share that differs from what was predicted by more than ``_SURE`` standard errors of chance,
    and ``_CLOSE``, makes it too hopeful or too careful.
    """
    told, sent = Foresight.read(document.prospect), {row.sentence_id: row for row in rows}
    was_sent = [row for row in sent.values() if row.sends]
    back = sum(row.words_restored >= row.words_to_restore for row in was_sent)
    real = back / len(was_sent) if was_sent else None
    predicted = told.restored if told else None
    over = 0.0
    if real is not None and predicted is not None:
        chance = math.sqrt(predicted * (1 - predicted) / len(was_sent))
        over = predicted - real
        over = 0.0 if abs(over) <= max(_CLOSE, _SURE * chance) else over
    return {
        "gate": told.decided if told else "",
        "gate_reason": told.why if told else "",
        "gate_restored": predicted,
        "gate_loss": max(told.loss, 0.0) if told and told.loss is not None else None,
        "sent_restored": real,
        "gate_predicted": int(real is not None and predicted is not None),
        "gate_too_hopeful": int(over > 0),
        "gate_too_careful": int(over < 0),
    }
