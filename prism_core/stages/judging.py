"""Before a document is sent: is it within the budget of its policy, and if not, what would be?"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import SystemRandom

from prism_core.accounting import compose, epsilon_of_sends
from prism_core.encoding import Encoder
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.evaluation import estimate_privacy
from prism_core.language import Sentence
from prism_core.settings import NO_POLICY, PolicySettings, Treatment
from prism_core.stages.run import Run

_NOBODY = "Its policy ({policy}) lets no translator see it; nothing of it was sent."
_OVER_BUDGET = (
    "It stays over the budget of its policy ({policy}) whatever is replaced: {why}. Nothing of it "
    "was sent."
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The treatment of a document, and the PPS that was estimated under it, where one was."""

    treatment: Treatment
    privacy_score: float | None = None


class Refused(DocumentError):
    """Nobody may see the document, or not as it would be sent; ``treatment`` is the last tried."""

    def __init__(
        self, failure: DocumentFailure, advice: str | None = None, treatment: Treatment = NO_POLICY
    ) -> None:
        super().__init__(failure, advice)
        self.treatment = treatment


def judge(run: Run, policy: PolicySettings | None, sentences: Collection[Sentence]) -> Judgement:
    """The weakest treatment of ``policy`` that keeps a document of ``sentences`` in its budget.

    Sentences are encoded on trial for it; nothing of that is kept or sent. Raises
    ``Refused`` (``over-budget``) where no treatment does, and where nobody may see the
    document (``withheld-by-policy``).
    """
    if policy is None:
        return Judgement(NO_POLICY, _score_for_report(run, run.encoder(), sentences))
    if not any(map(policy.admits, run.job.settings.translators)):
        advice = _NOBODY.format(policy=policy.name)
        raise Refused(DocumentFailure.WITHHELD, advice, Treatment(policy.name))
    treatment, why = NO_POLICY, ""
    for treatment in policy.treatments(run.job.settings.mechanism):
        encoder = run.encoder(treatment)
        score, why = _judge_treatment(policy, encoder, sentences)
        if not why and score is None:
            score = _score_for_report(run, encoder, sentences)
        if not why:
            return Judgement(treatment, score)
    advice = _OVER_BUDGET.format(policy=policy.name, why=why)
    raise Refused(DocumentFailure.OVER_BUDGET, advice, treatment)


def _score_for_report(run: Run, encoder: Encoder, sentences: Collection[Sentence]) -> float | None:
    """The PPS, where the settings want it in the report of every document."""
    if not run.job.settings.report.privacy_scores:
        return None
    return estimate_privacy(encoder, sentences, SystemRandom())


def _judge_treatment(
    policy: PolicySettings, encoder: Encoder, sentences: Collection[Sentence]
) -> tuple[float | None, str]:
    """The PPS, None where it is not asked for or of no words; and what is over the budget, if
    anything."""
    of_a_word = encoder.mechanism.epsilon_word
    if policy.max_epsilon is not None:
        epsilon = compose(epsilon_of_sends(of_a_word, len(s.tokens), 1) for s in sentences)
        if epsilon > policy.max_epsilon:
            allowed = f"the policy allows {policy.max_epsilon:.4g}"
            return None, f"its epsilon is {epsilon:.4g}, {allowed}"
    if policy.min_privacy_score is None:
        return None, ""
    score = estimate_privacy(encoder, sentences, SystemRandom())
    if score is None or score >= policy.min_privacy_score:
        return score, ""
    return score, f"its PPS is {score:.2f}, the policy asks for {policy.min_privacy_score:.2f}"
