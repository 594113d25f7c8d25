"""What share of an archive's own sentences is expected to come back, and what follows from it.

Entry: before anything is sent ``sample_unsent`` -> ``expect_sample`` with whom the settings name,
or another; ``check_expected`` stops a run that is not worth it. Later ``most_redraws`` bounds what
is sent again, and ``check_losses`` stops a run whose translator loses more than that explains.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from random import SystemRandom

from prism_core.dictionary import ExpectedRates, called
from prism_core.encoding import Encoder, Expectation, draw_shares, is_told_by, load_encoder
from prism_core.errors import ConfigurationError, LosesTooMuch, PrismError
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.settings import TranslatorSettings, Treatment
from prism_core.stages.run import Run, Wave

_SAMPLE = 200
"""Sentences of which a share is estimated at most: its standard error is at most .035."""
_AT_ONCE = 25
_READ = 1000
"""Sentences that are read for it at most, of documents in no order."""
_ENOUGH = 100
"""Sentences from which on a share of them says something."""
_ERROR = 0.03
"""The standard error of a share with which no further sentence is asked."""
_SLACK = 0.1
"""Encodings a sentence that may be sent beside those that are expected to be needed."""
_MORE = 0.15
"""What a translator may lose beside what is expected: rates are those of text that makes sense."""
_DEVIATIONS = 3.1

Sample = Mapping[Treatment, Sequence[Sentence]]
"""Sentences by the treatment of the document that they were found in."""


def sample_unsent(run: Run, found: Sequence[Wave]) -> Sample:
    """Some of the sentences of the waves ``found`` of which nothing was sent yet."""
    rng = SystemRandom()
    chunks = [chunk for wave in found for chunk in wave]
    read: list[tuple[Treatment, Sentence]] = []
    for chunk in rng.sample(chunks, len(chunks)):
        for treatment, group in run.by_treatment(chunk).items():
            if treatment.stays_here:
                continue
            for batch in run.store.sentences.to_encode(group, "", source=treatment.source):
                read += [(treatment, sentence) for _, sentence in batch]
                if len(read) >= _READ:
                    break
        if len(read) >= _READ:
            break
    drawn: dict[Treatment, list[Sentence]] = {}
    for treatment, sentence in rng.sample(read, min(_SAMPLE, len(read))):
        drawn.setdefault(treatment, []).append(sentence)
    return drawn


def expect_sample(
    run: Run, sample: Sample, translator: TranslatorSettings | None = None
) -> Expectation | None:
    """What is expected of ``sample`` with ``translator``; without one, with whom the run asks.

    None where nothing would be sent.
    """
    draws: list[list[float]] = []
    for treatment, sentences in sample.items():
        settings = run.job.under(treatment).settings
        if translator is None or translator.name == settings.translator.name:
            encoder = run.encoder(treatment)
        else:
            asked = settings.model_copy(update={"translator": translator})
            model = run.model(settings.source)
            encoder = load_encoder(asked, model.retag)
        deny_list, _ = run.known_identifiers(treatment)
        rates = ExpectedRates(encoder.dictionary)
        theirs: list[list[float]] = []
        for start in range(0, len(sentences), _AT_ONCE):
            if len(theirs) >= _ENOUGH and is_told_by(theirs, _ERROR):
                break
            some = sentences[start : start + _AT_ONCE]
            theirs += [_draw(encoder, sentence, deny_list, rates) for sentence in some]
        draws += theirs
    return Expectation.of(draws, run.job.settings.decoding.redraws)


def _draw(
    encoder: Encoder, sentence: Sentence, deny_list: DenyList, rates: ExpectedRates
) -> list[float]:
    """See ``draw_shares``; of a sentence that breaks the encoder nothing will be sent."""
    try:
        return draw_shares(encoder, sentence, deny_list, SystemRandom(), rates.of)
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (as when it is encoded: it stays here, the rest goes on)
        return []


def check_expected(run: Run, found: Sequence[Wave]) -> None:
    """Raise ``ConfigurationError`` when too little is expected to be restored: see ``Expectation``.

    Nothing of the waves ``found`` was sent yet. ``translator.accept_losses`` lets it go on.
    Documents under a bounded ε have no say: whether they are sent may not follow from their words.
    What is expected is kept in the store, if it is of a sample that tells something: a run that
    goes on has the rest of the archive left.
    """
    settings = run.job.settings
    if settings.translator.accept_losses:
        return
    sample = {
        treatment: sentences
        for treatment, sentences in sample_unsent(run, found).items()
        if not run.encoder(treatment).bounds_epsilon
    }
    if not sample:
        return
    expected = expect_sample(run, sample)
    if expected is None:
        return
    if not expected.is_too_little:
        if expected.sentences >= _ENOUGH or run.store.kept("expected") is None:
            run.store.keep("expected", json.dumps(expected).encode())
        return
    draws = run.encoder(next(iter(sample))).most_draws
    raise ConfigurationError(
        f"with {settings.translator.name} only {expected.within_draws:.0%} of the sentences are "
        f"expected to be restored (within {draws} sends; {expected.first_send:.0%} by the first); "
        f"the others would be sent for nothing and stay as they are. {_reason(run, sample)} "
        "Nothing was sent. prism plan compares translators; prism dictionary build makes a "
        "dictionary for one; --accept-losses (translator.accept_losses = true) runs all the same."
    )


def most_redraws(run: Run) -> float:
    """How many encodings beside the first a sentence of ``run`` may have, on average.

    As many as are expected to be needed and ``_SLACK``, at most ``decoding.redraws``.
    """
    most, expected = run.job.settings.decoding.redraws, _kept(run)
    return most if expected is None else min(most, expected.further + _SLACK)


def check_losses(run: Run) -> None:
    """Raise ``LosesTooMuch`` when ``losses_of``; ``translator.accept_losses`` lets it go on."""
    settings = run.job.settings
    if settings.translator.accept_losses or not (told := losses_of(run)):
        return
    raise LosesTooMuch(
        f"{settings.translator.name} left out words of {told}. It may do so to be sent other "
        "encodings of them, so it is sent no more; what was answered is kept. Look at what came "
        "back (the report counts the words that were found), and ask another translator; "
        "--accept-losses (translator.accept_losses = true) goes on all the same."
    )


def losses_of(run: Run) -> str:
    """How many answers of ``run`` lost something, where that is far more than expected; or empty.

    Of documents under a bounded ε none is counted: what an answer lost follows from which words
    were replaced, and so would whether the rest is sent.

    The share of sentences that did is tested against the expected one and ``_MORE``, by the normal
    approximation of the binomial distribution: chance alone gives such a number once in a thousand.
    """
    expected = _kept(run)
    counted = run.store.redraws.count(run.job.run_id, run.job.bounded_treatments)
    if expected is None or counted.answered < _ENOUGH:
        return ""
    share = min(1.0, 1 - expected.first_send + _MORE)
    spread = math.sqrt(counted.answered * share * (1 - share))
    if counted.lost <= counted.answered * share + _DEVIATIONS * spread:
        return ""
    return (
        f"{counted.lost:,} of {counted.answered:,} sentences, where "
        f"{1 - expected.first_send:.0%} was expected"
    )


def _kept(run: Run) -> Expectation | None:
    kept = run.store.kept("expected")
    return None if kept is None else Expectation(*json.loads(kept))


def _reason(run: Run, sample: Sample) -> str:
    """Why so little is expected, as far as the dictionary tells."""
    dictionary = run.encoder(next(iter(sample))).dictionary
    source = run.job.under(next(iter(sample))).source
    name, pair = run.job.settings.translator.name, f"{source}-{run.job.target}"
    asked = {row.translator for entry in dictionary for row in entry.rows} - {""}
    whose = f"it has the words of {', '.join(sorted(asked))}" if asked else "it names nobody"
    measured = ExpectedRates(dictionary).measured
    if called(name) not in asked:
        return f"The {pair} dictionary has no evidence of what {name} writes: {whose}."
    if measured is None:
        return f"How often the words of the {pair} dictionary come back from {name} was estimated."
    corpora = ", ".join(measured.corpora)
    return f"So few words of the {pair} dictionary were found in its output ({corpora})."
