"""Figures of a translator's real output, without a call: roles swapped.

A natural sentence S and its real translation G stand for x_pub and y_pub. S is encoded as usual,
its record is inverted (the words of S are the substitutes, what was drawn are the originals), and G
is decoded. That tells of each replaced word whether its translation is found. Natural text asks
for frequent words most, and makes sense; a run draws words of a slot alike. So what a run would
restore is expected by drawing for sentences as a run does, and multiplying the rates of what was
drawn.

entry: ``read_answered``, ``load_roles_encoder``, ``measure_roles`` (``swap`` -> ``fit_rates`` ->
draws), ``role_row``.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import chain, islice
from pathlib import Path
from random import Random
from statistics import fmean
from typing import TypeVar

from prism_core.decoding import SearchStrategy
from prism_core.dictionary import Dictionary, canonical_translator, load_dictionary
from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.corpora import PUBLISHED, read_aligned, read_utf8, sentences_of
from prism_core.evaluation.local_model import LocalModel
from prism_core.evaluation.overlap import compare_with_reference
from prism_core.evaluation.role_swap import (
    FormCategories,
    Swapped,
    SwappedPlace,
    fit_rates,
    read_back,
    swap,
)
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import PoolMechanism
from prism_core.record import Kind
from prism_core.recovery import Forecast, MeasuredRates, Trials
from prism_core.resources import shipped_dictionary
from prism_core.settings import Settings

_Row = TypeVar("_Row")


@dataclass(frozen=True)
class AnsweredText:
    """The sentences of each line, and the ``translations`` of the lines.

    ``public``: the source is a published one, by what it holds. ``references`` are a person's
    translations of the lines, and ``local`` those of the model on this machine; empty if not given.
    """

    corpus: str
    answers: str
    lines: Sequence[Sequence[Sentence]]
    translations: Sequence[str]
    public: bool = False
    references: Sequence[str] = ()
    local: Sequence[str] = ()

    def with_local(self, model: LocalModel) -> AnsweredText:
        """Add the translations of ``model``. Raises as ``LocalModel.translate``."""
        answers = iter(model.translate(list(chain(*self.lines))))
        return replace(self, local=[" ".join(islice(answers, len(line))) for line in self.lines])


@dataclass(frozen=True)
class RoleFigures:
    """Shares in [0, 1]; None where there was nothing to be counted.

    ``words_found``: of the ordinary words and numbers. ``sentences_found``: of the lines with one,
    those of which all were found; ``sentences_found_elimination``: with the decoder's weak
    ways too. ``expected_first_send``, ``expected_three_draws``: of the sentences that a run would
    send, those it would restore. ``wrong_form``: of the restored words of known category, those of
    another one than what stood there, but nouns with which all that stands beside them agrees:
    an article that was mended. ``precision_sample``: word, found form, and the ``SearchStrategy``.
    """

    words_found: float | None
    sentences_found: float | None
    sentences_found_elimination: float | None
    expected_first_send: float | None
    expected_three_draws: float | None
    wrong_form: float | None
    precision_sample: list[tuple[str, str, str]] | None = None


def read_answered(
    source: Path,
    answers: Path,
    model: LanguageModel,
    corpus: str = "",
    most: int | None = None,
    reference: Path | None = None,
) -> AnsweredText:
    """Read the lines of ``source`` and ``answers`` that hold text; ``most`` of them, evenly spread.

    ``reference`` holds a person's translations. Raises ``ConfigurationError`` when the files have
    not as many lines, or none.
    """
    rows = read_aligned([source, answers, *([reference] if reference else [])])
    if not rows:
        raise ConfigurationError(f"{source} and {answers} hold no text.")
    lines, translations, *references = zip(*_spread(rows, most), strict=True)
    return AnsweredText(
        corpus or source.name.partition(".")[0],
        answers.name,
        list(model.annotate(lines)),
        [unescape(translation) for translation in translations],
        hashlib.sha256(source.read_bytes()).hexdigest() in PUBLISHED,
        *references,
    )


def read_sentences(path: Path, model: LanguageModel, most: int | None = None) -> list[Sentence]:
    """Read the sentences of ``path``, as a run cuts them; ``most`` of them, evenly spread.

    Raises ``ConfigurationError`` when it cannot be read or holds none.
    """
    sentences = list(sentences_of(model, read_utf8(path).removesuffix("\n").split("\n")))
    if not sentences:
        raise ConfigurationError(f"{path} holds no text.")
    return _spread(sentences, most)


def _spread(rows: list[_Row], most: int | None) -> list[_Row]:
    if most is None or most >= len(rows):
        return rows
    return [rows[place * len(rows) // most] for place in range(most)]


def load_roles_encoder(
    settings: Settings,
    translator: str,
    load: Callable[[Path, str], Dictionary] = load_dictionary,
) -> Encoder:
    """Load the encoder of ``settings`` for ``translator``, which may have any name.

    A source language that is experimental will do, since nothing is sent, and so will a translator
    that sees the text as it is; ``load`` gives the dictionary at a path for a translator. Raises
    ``ConfigurationError`` for a mechanism whose record cannot be inverted.
    """
    accepted = settings.language.model_copy(update={"experimental": True})
    settings = settings.model_copy(update={"language": accepted})
    encoder = load_encoder(settings, load=lambda path, _: load(path, translator))
    if not isinstance(encoder.mechanism, PoolMechanism) or not encoder.mechanism.restores:
        raise ConfigurationError(
            f"What {encoder.mechanism.name} replaces cannot be swapped with what it draws: set "
            "mechanism.name to prism-star."
        )
    return encoder


def measure_roles(
    encoder: Encoder,
    text: AnsweredText,
    rng: Random,
    *,
    drawn_for: Sequence[Sentence] | None = None,
    sample: int | None = None,
    redraws: float = math.inf,
) -> RoleFigures:
    """Measure every figure of ``text``.

    What a run would restore is expected of the sentences of ``drawn_for``, by the rates of
    ``text``; without it of those of ``text``. So many found places as ``sample`` says are shown
    with their words: raises ``ConfigurationError`` for text that is not known to be public.
    """
    if sample is not None and not text.public:
        raise ConfigurationError(
            f"{text.corpus} is not known to be public, so no words of it are shown: leave out "
            "--sample, or add its digest to PUBLISHED in prism_core/evaluation/corpora.py."
        )
    swapped = swap_lines(encoder, text, rng)
    trials = Trials(encoder, fit_rates(swapped, encoder.dictionary).rate_of)
    shares = (
        trials.restored_by_send(sentence, DenyList(), rng)
        for sentence in (chain(*text.lines) if drawn_for is None else drawn_for)
    )
    forecast = Forecast.from_sentences(shares, redraws)
    asked = [sentence for sentence in swapped if sentence.counted]
    counted = [place for sentence in asked for place in sentence.counted]
    return RoleFigures(
        words_found=_mean(place.shown is not None for place in counted),
        sentences_found=_mean(sentence.all_found for sentence in asked),
        sentences_found_elimination=_mean(sentence.all_found_weakly for sentence in asked),
        expected_first_send=forecast.first_send if forecast.is_known else None,
        expected_three_draws=forecast.restored if forecast.is_known else None,
        wrong_form=_wrong_forms(counted, FormCategories(encoder.dictionary)),
        precision_sample=None if sample is None else _sample(counted, sample, rng),
    )


def swap_lines(encoder: Encoder, text: AnsweredText, rng: Random) -> list[Swapped]:
    """Swap the roles of each line of ``text``, but of those that would not be sent."""
    pairs = zip(_whole_lines(text), text.translations, strict=True)
    return [found for pair in pairs if (found := swap(encoder, *pair, rng)) is not None]


def _whole_lines(text: AnsweredText) -> list[Sentence]:
    return [Sentence(tuple(chain(*(part.tokens for part in line)))) for line in text.lines]


def _compare(text: AnsweredText, encoder: Encoder | None, rng: Random) -> dict[str, object]:
    """Compare the translations of ``text`` with its references; PRISM's with an ``encoder``."""
    clear = {"remote": text.translations} | ({"local": text.local} if text.local else {})
    prism: list[str | None] = []
    if encoder is not None:
        for line, answer in zip(_whole_lines(text), text.translations, strict=True):
            encoded = encoder.encode(line, DenyList(), rng)
            own = line.text.strip()
            prism.append(None if encoded.withheld else read_back(encoder, encoded, own, answer))
    return compare_with_reference(clear, prism, text.references)


def measure_rates(
    settings: Settings, texts: Mapping[str, Sequence[AnsweredText]], *, seed: int = 1
) -> dict[str, MeasuredRates]:
    """Measure the recovery rates of the dictionary of ``settings`` in each translator's ``texts``.

    By what dictionaries call it: whoever uses that one has these rates. Raises as
    ``load_roles_encoder``.
    """
    measured = {}
    for translator, answered in texts.items():
        encoder = load_roles_encoder(settings, translator)
        swapped = [s for text in answered for s in swap_lines(encoder, text, Random(seed))]
        corpora = [f"{text.corpus}, {len(text.lines)} lines" for text in answered]
        measured[canonical_translator(translator)] = fit_rates(
            swapped, encoder.dictionary
        ).measured(corpora)
    return measured


def role_row(
    settings: Settings,
    text: AnsweredText,
    translator: str,
    *,
    seed: int = 1,
    drawn_for: Sequence[Sentence] | None = None,
    sample: int | None = None,
) -> dict[str, object]:
    """Return the figures of ``measure_roles`` with the encoder of ``settings``, as a row.

    With references, ``reference`` has the comparison with them. For a pair without a dictionary it
    has the translations in clear, and there are no other figures.
    """
    pair = f"{settings.source}-{settings.target}"
    head: dict[str, object] = {"pair": pair, "corpus": text.corpus, "answers": text.answers}
    dictionary = settings.dictionary.path or shipped_dictionary(settings.source, settings.target)
    if text.references and not dictionary.exists():
        return {**head, "reference": _compare(text, None, Random(seed))}
    encoder = load_roles_encoder(settings, translator)
    figures = measure_roles(
        encoder,
        text,
        Random(seed),
        drawn_for=drawn_for,
        sample=sample,
        redraws=settings.decoding.redraws,
    )
    row = {**head, "tau": settings.mechanism.threshold, **vars(figures)}
    if text.references:
        row["reference"] = _compare(text, encoder, Random(seed))
    return row


def _wrong_forms(places: Iterable[SwappedPlace], categories: FormCategories) -> float | None:
    differ = [
        different and not place.agrees
        for place in places
        if place.shown is not None and place.replacement.kind is Kind.WORD
        for different in [categories.differ(place.shown, place.inserted)]
        if different is not None
    ]
    return _mean(differ)


def _sample(places: Iterable[SwappedPlace], most: int, rng: Random) -> list[tuple[str, str, str]]:
    found = [
        (place.replacement.substitute, place.shown, place.strategy or SearchStrategy.FORM)
        for place in places
        if place.shown is not None
    ]
    return rng.sample(found, min(most, len(found)))


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return fmean(found) if found else None
