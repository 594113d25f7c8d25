"""Figures of all attacks on data subjects: of methods over a benchmark, or of a finished run.

Entry: ``measure_methods``, ``measure_sent`` -> ``Measured``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random, SystemRandom

from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.errors import ConfigurationError
from prism_core.evaluation.findings import Finding
from prism_core.evaluation.subjects.archive import observe_subjects
from prism_core.evaluation.subjects.attacks import Guessed, attack_subjects
from prism_core.evaluation.subjects.model_attack import Ask, ask_about
from prism_core.evaluation.subjects.records import Subject, read_subjects
from prism_core.evaluation.subjects.senders import IN_CLEAR, STRENGTHS, Protected, Senders
from prism_core.resources import shipped_dictionary
from prism_core.settings import Settings
from prism_core.stages import Run

MOST_SUBJECTS = 400


@dataclass(frozen=True, slots=True)
class Measured:
    """What the attacks infer from what one ``method`` sends of ``subjects``.

    ``guesses`` are about subjects, ``findings`` about hidden words.
    """

    method: str
    subjects: tuple[str, ...]
    guesses: tuple[Guessed, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def shown(self) -> list[Finding]:
        """Findings of all attacks."""
        return [*(guess.finding for guess in self.guesses), *self.findings]

    def as_row(self) -> Mapping[str, object]:
        """Return the figures, and the hits on each subject, without names and text."""
        figures = []
        for found in self.shown:
            low, high = found.interval()
            figures.append({**asdict(found), "low": low, "high": high, "verdict": found.verdict})
        hits = {
            subject: {guess.attack: guess.hits.get(at) for guess in self.guesses}
            for at, subject in enumerate(self.subjects)
        }
        return {"method": self.method, "findings": figures, "subjects": hits}


def measure_methods(
    file: Path,
    methods: Sequence[str],
    settings_of: Callable[[str], Settings],
    ask: Ask | None = None,
    most: int | None = None,
    seed: int | None = None,
) -> Iterator[Measured]:
    """Measure each of ``methods`` (those of PRISM) on ``most`` subjects of ``file``.

    Nothing is sent but to ``ask``. ``settings_of`` makes the settings of a strength. Substitutes
    are drawn from OS entropy without a ``seed``. Raises ``ConfigurationError``.
    """
    subjects = read_subjects(file)[:most]
    if len(subjects) < 2:
        raise ConfigurationError(f"{file} has less than two subjects: nobody can be confused.")
    settings = settings_of("standard")
    dictionary = load_dictionary(
        settings.dictionary.path or shipped_dictionary(settings.source, settings.target),
        settings.translator.name,
    )
    senders = Senders(subjects, settings_of, SystemRandom() if seed is None else Random(seed))
    for method in methods or (IN_CLEAR, *STRENGTHS):
        yield _measure(method, subjects, senders.send_by(method), dictionary, ask)


def measure_sent(view: Run, run_id: str, ask: Ask | None = None) -> Measured:
    """Measure what the run ``run_id`` really sent; of many documents a sample is taken.

    Raises ``ConfigurationError`` where nothing was sent of two documents.
    """
    dictionary = view.encoder(view.first_pair).dictionary
    subjects, sent = observe_subjects(view, run_id, dictionary)
    if len(subjects) < 2:
        raise ConfigurationError(
            f"Something was sent of {len(subjects)} documents in {view.job.output}: there is "
            "nobody to confuse a subject with."
        )
    chosen = sorted(SystemRandom().sample(range(len(subjects)), min(MOST_SUBJECTS, len(subjects))))
    protected = Protected(tuple(sent[at] for at in chosen))
    return _measure("sent", [subjects[at] for at in chosen], protected, dictionary, ask)


def _measure(
    method: str,
    subjects: Sequence[Subject],
    protected: Protected,
    dictionary: Dictionary,
    ask: Ask | None,
) -> Measured:
    asked = ask_about(subjects, protected.sent, ask) if ask else ()
    found = (*attack_subjects(subjects, protected.sent, dictionary), *asked)
    return Measured(
        method,
        tuple(subject.name for subject in subjects),
        tuple(guess for guess in found if guess.hits),
        protected.findings,
    )
