"""The gate: is enough expected to come back, before anything is sent?

One forecast (``prism_core.recovery``) is held against a threshold twice. Of each document
``decide_document`` asks for ``gate.minimum_restored`` and ``gate.maximum_loss``; of all documents
together ``check_run`` asks for ``LEAST_RESTORED``, unless ``translator.accept_losses`` lifts that.
A document is forecast by the model of its translator, a run by the recovery rates of its words
alone, since these are known of every translator.

Entry: ``decide_document`` -> ``_forecast_document``; ``check_run`` -> ``sample_unsent`` ->
``forecast_sample``. Once answers come ``redraw_budget`` bounds what is sent again, ``check_losses``
stops a run that loses more than was forecast, and ``gate_columns`` compares the two.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from random import SystemRandom
from typing import Any

import numpy as np

from prism_core import encoding
from prism_core.errors import ConfigurationError, DocumentFailure, LosesTooMuch, PrismError
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Encoded
from prism_core.recovery import Forecast, RecoveryRates, Trials, Vector
from prism_core.report import SentenceRow
from prism_core.settings import AUTO, TranslatorSettings, Treatment
from prism_core.stages.policy_budget import Judgement, Refused, Sentences
from prism_core.stages.run import Run, Wave
from prism_core.state import SentenceStatus, StoredDocument

_MOST = 100
"""Sentences of a document that are tried; of a longer one so many by chance."""
_SAMPLE = 200
"""Sentences that a run is forecast by at most: the standard error is at most .035."""
_READ = 1000
"""Sentences that are read for that at most, of documents in no order."""
_ENOUGH = 100
"""Fewest sentences of which a share says something."""
_SLACK = 0.1
"""Encodings a sentence that may be sent beside those that are forecast to be needed."""
_MORE = 0.15
"""What a translator may lose beside the forecast: rates are those of text that makes sense."""
_DEVIATIONS = 3.1
_CLOSE, _SURE = 0.05, 2.0


@dataclass(frozen=True, slots=True)
class GateDecision:
    """The decision of the gate for a document, as the store and the report keep it: no text.

    ``restored`` and ``loss`` are None where nothing was predicted; ``sentences`` were tried.
    """

    decided: str
    why: str
    sentences: int
    restored: float | None = None
    loss: float | None = None

    @classmethod
    def from_forecast(cls, decided: str, why: str, forecast: Forecast) -> GateDecision:
        """Return the decision that goes by ``forecast``, which may be unknown."""
        if not forecast.is_known:
            return cls(decided, why, forecast.sentences)
        restored, loss = round(forecast.restored, 4), round(forecast.loss, 2)
        return cls(decided, why, forecast.sentences, restored, loss)

    @classmethod
    def read(cls, stored: str) -> GateDecision | None:
        """Read a stored decision; None where the gate was off."""
        return cls(**json.loads(stored)) if stored else None

    def __str__(self) -> str:
        return json.dumps(asdict(self))


def decide_document(run: Run, judgement: Judgement, sentences: Sentences) -> Judgement:
    """Return ``judgement`` of a document of ``sentences``, or what its forecast asks for instead.

    Trial encodings are drawn apart from what will be sent, and thrown away.

    Raises:
        Refused: Nothing of the document is to be sent (``withheld-by-gate``).
    """
    gate, treatment = run.job.settings.gate, judgement.treatment
    if not gate.is_on or treatment.stays_here or not any(sentences.values()):
        return judgement
    forecast = _forecast_document(run, treatment, sentences)
    why = forecast.shortfall(gate.minimum_restored, gate.maximum_loss)
    decided = "send" if not why else gate.below if forecast.is_known else gate.otherwise
    told = str(GateDecision.from_forecast(decided, why, forecast))
    if decided == "withhold":
        asked = []
        if gate.minimum_restored is not None:
            asked.append(f"at least {gate.minimum_restored:.0%} restored")
        if gate.maximum_loss is not None:
            asked.append(f"a loss of at most {gate.maximum_loss:g} points of chrF")
        advice = (
            f"{forecast.describe()}, and the settings ask for {' and '.join(asked)}. Nothing of it "
            "was sent; translate it otherwise, or lower what gate asks for."
        )
        raise Refused(DocumentFailure.NOT_WORTH, advice, treatment, told)
    chosen = treatment.kept_here() if decided == "local" else treatment
    return Judgement(chosen, judgement.privacy_score, told)


def _forecast_document(run: Run, treatment: Treatment, sentences: Sentences) -> Forecast:
    """Return the forecast of a document of ``sentences`` under ``treatment``.

    Where several translators share it, that of the one that restores least; of a document in
    several languages the mean over its sentences.
    """
    parts, rng = [], SystemRandom()
    for pair, group in sentences.items():
        if not group:
            continue
        in_pair = treatment.in_source(pair.source)
        settings, model = run.job.under(in_pair).settings, run.recovery_model(in_pair)
        is_shared = settings.mixing.routing == "split"
        translators = settings.translators if is_shared else settings.translators[:1]
        if not all(model.table(chosen.name) for chosen in translators):
            parts.append(Forecast(len(group), unknown="translator"))
            continue
        encoder = run.encoder(in_pair)
        some = rng.sample(list(group), _MOST) if len(group) > _MOST else list(group)
        deny_list = encoder.add_identifiers(DenyList(), list(group))
        tried = Trials(encoder).draw(some, deny_list, rng)
        forecasts = [_predict(run, in_pair, chosen.name, *tried) for chosen in translators]
        parts.append(min(forecasts, key=lambda f: f.restored if f.is_known else -math.inf))
    return Forecast.join(parts)


def _predict(
    run: Run, treatment: Treatment, translator: str, features: Vector, withheld: int
) -> Forecast:
    encoder, redraws = run.encoder(treatment), run.job.under(treatment).settings.decoding.redraws
    table = run.recovery_model(treatment).table(translator)
    if table is None:
        return Forecast(len(features), unknown="translator")
    name, sends = encoder.mechanism.name, encoder.most_draws
    return table.predict(features, withheld, name, sends, redraws)


def forecast_encoded(run: Run, document: StoredDocument, seen: set[str]) -> tuple[Forecast, int]:
    """Return the forecast of ``document`` as it is encoded, and its characters that wait.

    It is that for its translator, the first of several. Sentences that were ``seen`` in another
    document do not count for the characters; those of this one are added.
    """
    characters = 0
    sent: dict[str, list[Encoded]] = {}
    withheld = Counter[str]()
    for stored in run.store.sentences.of_document(document.id).values():
        if stored.status in (SentenceStatus.ENCODED, SentenceStatus.SENT) and stored.encoded:
            sent.setdefault(stored.source, []).append(stored.encoded)
            characters += len(stored.encoded.text) * (stored.id not in seen)
            seen.add(stored.id)
        withheld[stored.source] += stored.status is SentenceStatus.WITHHELD
    parts = []
    for source, encodings in sent.items():
        treatment = document.treatment.in_source(source if run.job.source == AUTO else "")
        trials = Trials(run.encoder(treatment))
        features = np.array([trials.read(encoded) for encoded in encodings[:_MOST]])
        translator = run.job.under(treatment).settings.translator.name
        parts.append(_predict(run, treatment, translator, features, withheld[source]))
    return Forecast.join(parts), characters


Sample = Mapping[Treatment, Sequence[Sentence]]
"""Sentences by the treatment of the document that they were found in."""


def sample_unsent(run: Run, found: Sequence[Wave]) -> Sample:
    """Draw some of the sentences of the waves ``found`` of which nothing was sent yet."""
    chunks = [chunk for wave in found for chunk in wave]
    unsent = (
        (treatment, sentence)
        for chunk in SystemRandom().sample(chunks, len(chunks))
        for treatment, group in run.by_treatment(chunk).items()
        if not treatment.stays_here
        for batch in run.store.sentences.to_encode(group, "", source=treatment.source)
        for _, sentence in batch
    )
    read = list(islice(unsent, _READ))
    drawn: dict[Treatment, list[Sentence]] = {}
    for treatment, sentence in SystemRandom().sample(read, min(_SAMPLE, len(read))):
        drawn.setdefault(treatment, []).append(sentence)
    return drawn


def forecast_sample(
    run: Run, sample: Sample, translator: TranslatorSettings | None = None
) -> Forecast:
    """Return the forecast of ``sample`` with ``translator``; without one, with the run's own."""
    shares: list[list[float]] = []
    for treatment, sentences in sample.items():
        settings = run.job.under(treatment).settings
        encoder = run.encoder(treatment)
        if translator is not None and translator.name != settings.translator.name:
            asked = settings.model_copy(update={"translator": translator})
            encoder = encoding.load_encoder(asked, run.model(settings.source).retag)
        deny_list, _ = run.known_identifiers(treatment)
        trials = Trials(encoder)
        shares += [_try_sentence(trials, sentence, deny_list) for sentence in sentences]
    return Forecast.from_sentences(shares, run.job.settings.decoding.redraws)


def _try_sentence(trials: Trials, sentence: Sentence, deny_list: DenyList) -> list[float]:
    try:
        return trials.restored_by_send(sentence, deny_list, SystemRandom())
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (as when it is encoded: it stays here, the rest goes on)
        return []


def check_run(run: Run, found: Sequence[Wave]) -> None:
    """Stop a run of which too little is forecast to be restored (``Forecast.is_too_little``).

    Nothing of the waves ``found`` was sent yet. Documents under a bounded ε have no say: whether
    they are sent may not follow from their words. The forecast is kept in the store, if its sample
    is large enough to tell something: a run that goes on has only the rest of the archive left.

    Raises:
        ConfigurationError: Too little comes back, and ``translator.accept_losses`` is not set.
    """
    settings = run.job.settings
    if settings.translator.accept_losses:
        return
    sample = {
        treatment: sentences
        for treatment, sentences in sample_unsent(run, found).items()
        if not run.encoder(treatment).bounds_epsilon
    }
    forecast = forecast_sample(run, sample)
    if not forecast.is_known:
        return
    if not forecast.is_too_little:
        if forecast.sentences >= _ENOUGH or run.store.kept("forecast") is None:
            run.store.keep("forecast", json.dumps(forecast).encode())
        return
    treatment = next(iter(sample))
    encoder, pair = run.encoder(treatment), f"{run.job.under(treatment).source}-{run.job.target}"
    why = RecoveryRates(encoder.dictionary).describe_evidence(settings.translator.name, pair)
    raise ConfigurationError(
        f"with {settings.translator.name} only {forecast.restored:.0%} of the sentences are "
        f"expected to be restored (within {encoder.most_draws} sends; {forecast.first_send:.0%} by "
        f"the first); the others would be sent for nothing and stay as they are. {why} "
        "Nothing was sent. prism plan compares translators; prism dictionary build makes a "
        "dictionary for one; --accept-losses (translator.accept_losses = true) runs all the same."
    )


def redraw_budget(run: Run) -> float:
    """Return how many encodings beside the first a sentence of ``run`` may have, on average.

    As many as are forecast to be needed and ``_SLACK``, at most ``decoding.redraws``.
    """
    most, forecast = run.job.settings.decoding.redraws, _read_forecast(run)
    return most if forecast is None else min(most, forecast.further + _SLACK)


def check_losses(run: Run) -> None:
    """Stop a run whose translator loses far more than was forecast.

    Raises:
        LosesTooMuch: It does (``describe_losses``), and ``translator.accept_losses`` is not set.
    """
    settings = run.job.settings
    if settings.translator.accept_losses or not (losses := describe_losses(run)):
        return
    raise LosesTooMuch(
        f"{settings.translator.name} left out words of {losses}. It may do so to be sent other "
        "encodings of them, so it is sent no more; what was answered is kept. Look at what came "
        "back (the report counts the words that were found), and ask another translator; "
        "--accept-losses (translator.accept_losses = true) goes on all the same."
    )


def describe_losses(run: Run) -> str:
    """Say how many answers of ``run`` lost something, if far more than forecast; else empty.

    Of documents under a bounded ε none is counted: what an answer lost follows from which words
    were replaced, and so would whether the rest is sent. The share is tested against the forecast
    and ``_MORE``, by the normal approximation of the binomial distribution: chance alone gives such
    a number once in a thousand.
    """
    forecast = _read_forecast(run)
    counted = run.store.redraws.count(run.job.run_id, run.job.bounded_treatments)
    if forecast is None or counted.answered < _ENOUGH:
        return ""
    share = min(1.0, 1 - forecast.first_send + _MORE)
    spread = math.sqrt(counted.answered * share * (1 - share))
    if counted.lost <= counted.answered * share + _DEVIATIONS * spread:
        return ""
    return (
        f"{counted.lost:,} of {counted.answered:,} sentences, where "
        f"{1 - forecast.first_send:.0%} was expected"
    )


def _read_forecast(run: Run) -> Forecast | None:
    kept = run.store.kept("forecast")
    return None if kept is None else Forecast(*json.loads(kept))


def gate_columns(document: StoredDocument, rows: Sequence[SentenceRow]) -> dict[str, Any]:
    """Return the decision, the forecast and the outcome, by the columns of the report.

    A share that differs from the forecast by more than ``_SURE`` standard errors of chance, and
    ``_CLOSE``, makes it too hopeful or too careful.
    """
    decision, sent = GateDecision.read(document.gate), {row.sentence_id: row for row in rows}
    was_sent = [row for row in sent.values() if row.sends]
    back = sum(row.words_restored >= row.words_to_restore for row in was_sent)
    real = back / len(was_sent) if was_sent else None
    predicted = decision.restored if decision else None
    over = 0.0
    if real is not None and predicted is not None:
        chance = math.sqrt(predicted * (1 - predicted) / len(was_sent))
        over = predicted - real
        over = 0.0 if abs(over) <= max(_CLOSE, _SURE * chance) else over
    return {
        "gate": decision.decided if decision else "",
        "gate_reason": decision.why if decision else "",
        "gate_restored": predicted,
        "gate_loss": max(decision.loss, 0.0) if decision and decision.loss is not None else None,
        "sent_restored": real,
        "gate_predicted": int(real is not None and predicted is not None),
        "gate_too_hopeful": int(over > 0),
        "gate_too_careful": int(over < 0),
    }
