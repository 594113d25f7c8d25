"""Check a document against the budget of its policy before it is sent.

If it is over the budget, the next stronger treatment is tried.
"""

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
    """The treatment of a document, its estimated privacy score and the decision of the gate.

    ``privacy_score`` is None where it was not estimated; ``gate`` is a ``GateDecision`` as text.
    """

    treatment: Treatment
    privacy_score: float | None = None
    gate: str = ""


class Refused(DocumentError):
    """Error for a document that must not be sent as it would be, or that is not worth sending.

    ``treatment`` is the last one tried, ``gate`` the decision of the gate.
    """

    def __init__(
        self,
        failure: DocumentFailure,
        advice: str | None = None,
        treatment: Treatment = NO_POLICY,
        gate: str = "",
    ) -> None:
        super().__init__(failure, advice)
        self.treatment = treatment
        self.gate = gate


Sentences = Mapping[Treatment, Collection[Sentence]]
"""Sentences of a document by the treatment that names their pair of languages."""


def choose_treatment(run: Run, policy: PolicySettings | None, sentences: Sentences) -> Judgement:
    """Return the weakest treatment of ``policy`` that keeps a document in its budget.

    ``sentences`` are encoded on trial; nothing of that is kept or sent. Where the settings send
    nothing, each document stays here of which its policy admits a translator. It stays here, too,
    if no treatment suffices or no translator may see it, and withheld sentences are translated here
    (``Treatment.kept_here``). Otherwise raises ``Refused`` (``over-budget``,
    ``withheld-by-policy``).
    """
    if policy is None and not run.job.settings.stays:
        return Judgement(NO_POLICY, _score_for_report(run, NO_POLICY, sentences))
    if policy is None:
        return Judgement(NO_POLICY.kept_here())
    if not any(map(policy.admits, run.job.settings.translators)):
        advice = _NOBODY.format(policy=policy.name)
        return _keep_here(run, policy, DocumentFailure.WITHHELD, advice, Treatment(policy.name))
    if run.job.settings.stays:
        return Judgement(Treatment(policy.name).kept_here())
    treatment, why = NO_POLICY, ""
    for treatment in policy.treatments(run.job.settings.mechanism):
        score, why = _check_budget(run, policy, treatment, sentences)
        if not why and score is None:
            score = _score_for_report(run, treatment, sentences)
        if not why:
            return Judgement(treatment, score)
    advice = _OVER_BUDGET.format(policy=policy.name, why=why)
    return _keep_here(run, policy, DocumentFailure.OVER_BUDGET, advice, treatment)


def _keep_here(
    run: Run, policy: PolicySettings, failure: DocumentFailure, advice: str, treatment: Treatment
) -> Judgement:
    """Keep the document here; raises ``Refused`` unless withheld sentences are translated here."""
    if (policy.on_withheld or run.job.settings.on_withheld) != "local":
        raise Refused(failure, advice, treatment)
    return Judgement(treatment.kept_here())


def _score_for_report(run: Run, treatment: Treatment, sentences: Sentences) -> float | None:
    """Return the privacy score, where the settings want it in the report of every document."""
    return _score(run, treatment, sentences) if run.job.settings.report.privacy_scores else None


def _score(run: Run, treatment: Treatment, sentences: Sentences) -> float | None:
    """Return the privacy score; for a document in several languages the lowest of them."""
    scores = (
        estimate_privacy(run.encoder(treatment.in_source(pair.source)), group, SystemRandom())
        for pair, group in sentences.items()
    )
    return min((score for score in scores if score is not None), default=None)


def _check_budget(
    run: Run, policy: PolicySettings, treatment: Treatment, sentences: Sentences
) -> tuple[float | None, str]:
    """Return the privacy score and a description of what is over the budget.

    The score is None where the policy does not ask for it or there are no words; the description is
    empty where nothing is over the budget.
    """
    no_identifiers = DenyList()
    if policy.max_epsilon is not None:
        epsilon = compose(
            epsilon_of_sends(
                encoder.mechanism.epsilon_word, len(encoder.cut(sentence, no_identifiers).tokens), 1
            )
            for pair, group in sentences.items()
            for encoder in [run.encoder(treatment.in_source(pair.source))]
            for sentence in group
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
