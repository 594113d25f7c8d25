"""Trial of every strength on this machine: what each sends in clear, and what it costs.

The model on this machine stands in for the translator. The same sentences are encoded, translated
by it and decoded at each strength, and compared with what it makes of them in clear. Nothing is
sent or stored.

Entry: ``try_strengths`` -> ``_try_strength`` for each of ``STRENGTHS``; ``measure_chrf`` compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from random import SystemRandom
from typing import Final

from prism_core import drafts, encoding
from prism_core.dictionary import load_dictionary
from prism_core.identifiers import Scope
from prism_core.language import Sentence
from prism_core.record import Encoded, Fate
from prism_core.settings import Settings, Strength, without_strength
from prism_core.stages.decode import Drafted, restore
from prism_core.stages.encode import encode_sentence, redraw_lost
from prism_core.stages.gate import sample_unsent
from prism_core.stages.run import Run, Wave
from prism_core.state import Answered
from prism_core.translation_memory import SingleWordTranslations

STRENGTHS: Final[tuple[Strength, ...]] = ("identifiers-only", "light", "standard")
"""The strengths that differ in the words they hide."""
LOCAL = "local"
"""Name of the trial of which nothing leaves this machine."""
_TRIED = 40
_WITH_MEANING = (Fate.KEPT, Fate.REPLACED, Fate.IDENTIFIER, Fate.UNKNOWN)
_LONGEST = 6
_BETA_SQUARED = 4


@dataclass(frozen=True, slots=True)
class StrengthTrial:
    """Result of a trial of one strength.

    Of ``sentences`` that need a translator ``restored`` came back complete at the first send. Of
    their ``words`` that carry meaning ``in_clear`` would be sent as they are. ``chrf`` compares the
    restored sentences with the same model's translation in clear; None if there are none, and for
    ``LOCAL``, which is that translation.
    """

    strength: str
    sentences: int
    restored: int
    words: int
    in_clear: int
    chrf: float | None


def try_strengths(
    run: Run, found: Sequence[Wave], drafter: drafts.Drafter
) -> tuple[StrengthTrial, ...]:
    """Try every strength on at most 40 random sentences of the waves ``found``.

    The first trial is ``LOCAL``, then they come from the weakest on. Mixing does not count, since
    sentences are tried one by one. The result is empty where no sentence needs a translator.
    """
    unsent = list(chain.from_iterable(sample_unsent(run, found).values()))
    sentences = SystemRandom().sample(unsent, min(_TRIED, len(unsent)))
    drafted = drafter.draft([sentence.text for sentence in sentences])
    tried = {str(n): pair for n, pair in enumerate(zip(sentences, drafted, strict=True))}
    settings, load = run.job.settings, cache(load_dictionary)
    sections = "source", "target", "language", "dictionary", "identifiers", "translator"
    table = {name: getattr(settings, name) for name in sections}
    table["mechanism"] = without_strength(settings.mechanism)
    trials = []
    for strength in STRENGTHS:
        chosen = Settings.model_validate({**table, "strength": strength})
        encoder = encoding.load_encoder(chosen, run.model().retag, load)
        trials.append(_try_strength(run, encoder, strength, drafter, tried))
    most = max(trials, key=lambda trial: trial.words)
    local = StrengthTrial(LOCAL, most.sentences, most.sentences, most.words, 0, None)
    return (local, *trials) if most.sentences else ()


def _try_strength(
    run: Run,
    encoder: encoding.Encoder,
    strength: str,
    drafter: drafts.Drafter,
    tried: Mapping[str, tuple[Sentence, drafts.AlignedDraft]],
) -> StrengthTrial:
    """Encode, translate and decode the sentences ``tried``, each with its draft."""
    job, rng, dictionary = run.job, SystemRandom(), encoder.dictionary
    deny_list, _ = run.known_identifiers()
    alone = SingleWordTranslations(job.source, job.target, dictionary.is_term)
    sentences = {row_id: sentence for row_id, (sentence, _) in tried.items()}
    drawn = [
        (row_id, encode_sentence(encoder, alone, sentence, (), deny_list, rng, Scope()))
        for row_id, sentence in sentences.items()
    ]
    encoded = [(row_id, made) for row_id, made in drawn if isinstance(made, Encoded)]
    sendable = [(row_id, made) for row_id, made in encoded if not made.withheld]
    if not encoder.bounds_epsilon:
        sendable = redraw_lost(drafter, encoder, sentences, sendable, deny_list, rng, {})
    answers = drafter.answer([made.text for _, made in sendable])
    texts, references = [], []
    for (row_id, made), answer in zip(sendable, answers, strict=True):
        sentence, draft = tried[row_id]
        answered = Answered(row_id, sentence.text, made, answer, encoder.most_draws)
        drafted = Drafted(answered.all_answers, draft)
        restored = restore(encoder, job.settings.decoding, drafted, answered, marks_help=False)
        if restored.text is not None:
            texts.append(restored.text)
            references.append(draft.text)
    fates = Counter(chain.from_iterable(made.fates for _, made in sendable))
    words = sum(fates[fate] for fate in _WITH_MEANING)
    chrf = measure_chrf(texts, references)
    return StrengthTrial(strength, len(encoded), len(texts), words, fates[Fate.KEPT], chrf)


def measure_chrf(texts: Sequence[str], references: Sequence[str]) -> float | None:
    """Return chrF2 of ``texts``, in [0, 100], as sacrebleu computes it; None without n-grams."""
    precisions, recalls = [], []
    for length in range(1, _LONGEST + 1):
        ours = [_count_grams(text, length) for text in texts]
        theirs = [_count_grams(text, length) for text in references]
        made, wanted = (sum(map(Counter.total, counted)) for counted in (ours, theirs))
        if made and wanted:
            shared = sum((a & b).total() for a, b in zip(ours, theirs, strict=True))
            precisions.append(shared / made)
            recalls.append(shared / wanted)
    if not precisions:
        return None
    precision, recall = (sum(shares) / len(shares) for shares in (precisions, recalls))
    weighted = _BETA_SQUARED * precision + recall
    return 100 * (1 + _BETA_SQUARED) * precision * recall / weighted if weighted else 0.0


def _count_grams(text: str, length: int) -> Counter[str]:
    joined = "".join(text.split())
    return Counter(joined[n : n + length] for n in range(len(joined) - length + 1))
