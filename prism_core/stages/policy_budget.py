"""Before a document is sent: is it within the budget of its policy, and if not, what would be?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from random import SystemRandom

from prism_core.accounting import compose, epsilon_of_sends
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.privacy_score import estimate_privacy
from prism_core.settings import NO_POLICY, PolicySettings, Treatment
from prism_core.stages.run import Run

_NOBODY = "Its policy ({policy}) lets no translator see it; nothing of it was sent."
_OVER_BUDGET = (
    "It stays over the budget of its policy ({policy}) whatever is replaced: {why}. Nothing of it "
    "was sent."
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The treatment of a document, the PPS that was estimated under it, where one was, and what the
    gate says of it (see ``gate``)."""

    treatment: Treatment
    privacy_score: float | None = None
    prospect: str = ""


class Refused(DocumentError):
    """Nobody may see the document, or not as it would be sent, or it is not worth it; ``treatment``
    is the last tried, ``prospect`` what the gate says."""

    def __init__(
        self,
        failure: DocumentFailure,
        advice: str | None = None,
        treatment: Treatment = NO_POLICY,
        prospect: str = "",
    ) -> None:
        super().__init__(failure, advice)
        self.treatment = treatment
        self.prospect = prospect


Sentences = Mapping[Treatment, Collection[Sentence]]
"""Those of a document by what names the pair of languages that they are translated by."""


def judge(run: Run, policy: PolicySettings | None, sentences: Sentences) -> Judgement:
    """The weakest treatment of ``policy`` that keeps a document of ``sentences`` in its budget.

    Sentences are encoded on trial for it; nothing of that is kept or sent. Where no treatment does,
    or nobody may see the document, it stays here (``Treatment.kept_here``) if what is withheld is
    translated here; else raises ``Refused`` (``over-budget``, ``withheld-by-policy``).
    """
    if policy is None:
        return Judgement(NO_POLICY, _score_for_report(run, NO_POLICY, sentences))
    if not any(map(policy.admits, run.job.settings.translators)):
        advice = _NOBODY.format(policy=policy.name)
        return _keep_here(run, policy, DocumentFailure.WITHHELD, advice, Treatment(policy.name))
    treatment, why = NO_POLICY, ""
    for treatment in policy.treatments(run.job.settings.mechanism):
        score, why = _judge_treatment(run, policy, treatment, sentences)
        if not why and score is None:
            score = _score_for_report(run, treatment, sentences)
        if not why:
            return Judgement(treatment, score)
    advice = _OVER_BUDGET.format(policy=policy.name, why=why)
    return _keep_here(run, policy, DocumentFailure.OVER_BUDGET, advice, treatment)


def _keep_here(
    run: Run, policy: PolicySettings, failure: DocumentFailure, advice: str, treatment: Treatment
) -> Judgement:
    """Raises ``Refused`` unless what is withheld under ``policy`` is translated here."""
    if (policy.on_withheld or run.job.settings.on_withheld) != "local":
        raise Refused(failure, advice, treatment)
    return Judgement(treatment.kept_here())


def _score_for_report(run: Run, treatment: Treatment, sentences: Sentences) -> float | None:
    """The PPS, where the settings want it in the report of every document."""
    return _score(run, treatment, sentences) if run.job.settings.report.privacy_scores else None


def _score(run: Run, treatment: Treatment, sentences: Sentences) -> float | None:
    """The PPS; of a document in several languages that of the one with the least."""
    scores = (
        estimate_privacy(run.encoder(treatment.in_source(pair.source)), theirs, SystemRandom())
        for pair, theirs in sentences.items()
    )
    return min((score for score in scores if score is not None), default=None)


def _judge_treatment(
    run: Run, policy: PolicySettings, treatment: Treatment, sentences: Sentences
) -> tuple[float | None, str]:
    """The PPS, None where it is not asked for or of no words; and what is over the budget, if
    anything."""
    nothing = DenyList()
    if policy.max_epsilon is not None:
        epsilon = compose(
            epsilon_of_sends(encoder.mechanism.epsilon_word, len(encoder.cut(s, nothing).tokens), 1)
            for pair, theirs in sentences.items()
            for encoder in [run.encoder(treatment.in_source(pair.source))]
            for s in theirs
        )
        if epsilon > policy.max_epsilon:
            allowed = f"the policy allows {policy.max_epsilon:.4g}"
            return None, f"its epsilon is {epsilon:.4g}, {allowed}"
    if policy.min_privacy_score is None:
        return None, ""
    score = _score(run, treatment, sentences)
    if score is None or score >= policy.min_privacy_score:
        return score, ""
    return score, f"its PPS is {score:.2f}, the policy asks for {policy.min_privacy_score:.2f}"
