"""What the report says of a run without counting: with what it encoded, and whom it asked."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from prism_core.encoding import load_encoder
from prism_core.language import ModelVersion
from prism_core.report import STAGES, RunFacts
from prism_core.settings import AUTO
from prism_core.stages.asking import all_asked
from prism_core.stages.encoders import EncoderFacts
from prism_core.stages.rows import showable
from prism_core.stages.run import Run
from prism_core.stages.translate_here import describe_models


def run_facts(run: Run, started: float, cautions: tuple[str, ...]) -> RunFacts:
    """What is known of the run without counting."""
    job, settings = run.job, run.job.settings
    encoders = _encoder_facts(run)
    pairs = {source: run.model_version(source) for source in encoders}
    source, encoder = next(iter(encoders.items()))
    model = pairs[source]
    first, *others = all_asked(run, run.first_pair)
    to, price = first.to, first.translator.price
    spent: dict[str, Any] = {f"seconds_{name}": round(run.seconds[name], 3) for name in STAGES}
    return RunFacts(
        run_id=job.run_id,
        started_at=datetime.fromtimestamp(started, UTC),
        finished_at=datetime.now(UTC),
        tool_version=version("prism-translate"),
        settings_digest=settings.digest(),
        dictionary_digest=encoder.dictionary_digest,
        dictionary_entries=encoder.dictionary_entries,
        language_model=showable(_name(model)),
        source=job.source,
        pairs=tuple(
            f"{source}-{job.target}: model={showable(_name(model))} "
            f"dictionary={encoders[source].dictionary_digest} "
            f"entries={encoders[source].dictionary_entries}"
            for source, model in pairs.items()
        ),
        target=job.target,
        provider=to.provider,
        provider_model=settings.translator.asked_model,
        endpoint_host=to.endpoint,
        other_translators=tuple(f"{asked.to.provider}@{asked.to.endpoint}" for asked in others),
        routing=settings.mixing.routing,
        decoys=run.store.decoys.count(job.run_id),
        strength=settings.strength,
        cautions=cautions,
        purpose=settings.report.purpose,
        retention=settings.report.retention,
        region=settings.report.region,
        mechanism=encoder.mechanism,
        guarantee=encoder.guarantee,
        vocabulary=encoder.vocabulary,
        **asdict(settings.mechanism.figures()),
        surrogates=settings.identifiers.consistency,
        dates=settings.identifiers.dates,
        epsilon_word=encoder.epsilon_word,
        local_models=tuple(describe_models(job)),
        policies=tuple(policy.describe(settings.mechanism) for policy in settings.policies),
        currency=price.currency if price else None,
        **spent,
    )


def _encoder_facts(run: Run) -> dict[str, EncoderFacts]:
    """What is known of the encoders of the languages that are translated from, by language; where
    that is open, of those that anything of the run is in, else of any."""
    pairs = run.pairs
    if run.job.source == AUTO:
        found = run.store.sentences.sources(run.job.run_id)
        pairs = tuple(pair for pair in pairs if pair.source in found) or pairs[:1]
    if pairs:
        return {run.job.under(pair).source: run.encoder_facts(pair) for pair in pairs}
    # Nothing may be translated from it; the report says how it would be.
    settings = run.job.under(run.first_pair).settings
    accepting = settings.language.model_copy(update={"experimental": True})
    encoder = load_encoder(settings.model_copy(update={"language": accepting}))
    return {settings.source: EncoderFacts.of(encoder)}


def _name(model: ModelVersion) -> str:
    return f"{model.name}-{model.version}-{model.digest[:12]}"
