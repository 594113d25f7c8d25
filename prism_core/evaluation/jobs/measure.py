"""Measuring a dictionary: how often its words come back from each translator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from prism_core.building.jobs import parse_parallel, write_dictionary
from prism_core.dictionary import read_dictionary
from prism_core.errors import ConfigurationError
from prism_core.evaluation import AnsweredText, measure_rates, read_answered
from prism_core.language import LanguageModel
from prism_core.recovery import MeasuredRates, read_rates, write_rates
from prism_core.settings import Settings


def measure_dictionary(
    dictionary: Path,
    parallel: Sequence[str],
    output: Path,
    settings: Settings,
    most: int | None = None,
) -> Mapping[str, MeasuredRates]:
    """Write ``dictionary`` with the rates measured in ``parallel`` (``TEXT:TRANSLATION:NAME``).

    The texts must not be what it was built from. Of each, ``most`` lines count. Those of
    other translators that the file states already stay. ``output`` may be the same file; its
    entries are unchanged. ``settings`` are those of a run with the dictionary. Gives all that the
    file now states. Raises ``ConfigurationError``.
    """
    if not parallel:
        raise ConfigurationError(
            "nothing to measure on: give --parallel TEXT:TRANSLATION:NAME, a text that the "
            "dictionary was not built from and what the translator made of it"
        )
    model = LanguageModel.load(settings.source, settings.language.model)
    texts: dict[str, list[AnsweredText]] = defaultdict(list)
    for said in parallel:
        source, answers, translator = parse_parallel(said)
        texts[translator].append(read_answered(source, answers, model, "", most))
    stored = read_dictionary(dictionary)
    rates = {**read_rates(stored.provenance), **measure_rates(settings, texts)}
    write_dictionary(stored.entries, {**stored.provenance, **write_rates(rates)}, output)
    return rates
