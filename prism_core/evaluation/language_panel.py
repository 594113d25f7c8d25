"""A language model as adversary and reader, through any endpoint that speaks OpenAI's interface.

The adversary is given x_pub, which has left the machine anyway. The reader is given y_pri, which
is the private text in another language: to an endpoint that is not on this machine it may only go
where the text is public (``Equipment.away``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from prism_core.building.asking import Asking
from prism_core.errors import Misconfigured
from prism_core.evaluation.answer_sheet import prompt, read_answers
from prism_core.evaluation.corpora import Corpus
from prism_core.evaluation.mctest import Question
from prism_core.evaluation.methods import Outcome
from prism_core.evaluation.panel import Verdict, read_texts, sent_texts
from prism_core.settings.addresses import is_this_machine
from prism_core.settings.translators import ModelSettings
from prism_core.translators import (
    AnswerChecks,
    Limits,
    Promptable,
    make_translator,
    override_limits,
)

LIMITS = Limits(
    texts_per_request=1, characters_per_request=60_000, concurrency=4, paced_concurrency=64
)
ANSWER_SHARE = 0.125
"""What a budget counts for an answer, to what it would count for a translation. Four letters are
far less than that, and the talk around them mostly is."""
CHECKS = AnswerChecks(shortest_ratio=0.0, allow_unchanged=True)
"""An answer is short, and no translation; that it can be read is not for the scheduler to say."""


class Examinee:
    """A language model as the scheduler sees a translator: prompts in, what it writes out.

    Retries, pace, cost cap and record of requests are the scheduler's, as for a translator.
    """

    name = "openai"

    def __init__(self, settings: ModelSettings) -> None:
        self._model = _language_model(settings)
        self.endpoint = self._model.endpoint
        self.local = is_this_machine(self.endpoint)
        self.limits = override_limits(settings, LIMITS)
        price = self._model.price
        answers = price.answers if price else None
        if price is not None and answers is not None:
            price = replace(price, answers=answers * ANSWER_SHARE)
        self.price = price

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:  # noqa: ARG002 (asked about a text, in whatever language it is)
        """What the model writes to each of ``texts``; raises as ``Translator`` says."""
        return list(await asyncio.gather(*(self._model.ask(text) for text in texts)))

    async def close(self) -> None:
        """Close the connections."""
        await self._model.close()


def _language_model(settings: ModelSettings) -> Promptable:
    model = make_translator(settings, "", "")  # of no languages: it is not asked to translate
    if not isinstance(model, Promptable):
        raise Misconfigured(
            f"{settings.name} is no language model: it cannot be asked about a text. Take openai, "
            "with the address of any server that speaks its interface."
        )
    return model


class LanguagePanel:
    """One language model on both sides. The questions stay in the language they were asked in.

    A question whose answer cannot be read counts as a blind guess, one in as many as there are
    choices, and is counted as unread. ``ask`` keeps what was answered by what was asked, so no
    prompt is paid for twice.
    """

    def __init__(self, name: str, ask: Asking) -> None:
        self.name = name
        self._ask = ask

    def verdicts(self, corpus: Corpus, outcomes: Sequence[Outcome]) -> list[Verdict]:
        """See ``Panel``."""
        asked = [document.asked for document in corpus.documents]
        adversary = self._answered(sent_texts(corpus, outcomes), asked)
        reader = self._answered(read_texts(corpus, outcomes), asked)
        return [
            Verdict(len(questions), *_score(one, questions), *_score(other, questions))
            for questions, one, other in zip(asked, adversary, reader, strict=True)
        ]

    def _answered(
        self, texts: Sequence[str], asked: Sequence[Sequence[Question]]
    ) -> list[list[int | None]]:
        prompts = [prompt(t, q) if q else "" for t, q in zip(texts, asked, strict=True)]
        return [
            read_answers(answer, questions)
            for answer, questions in zip(self._ask(prompts), asked, strict=True)
        ]


def panel_name(settings: ModelSettings, endpoint: str) -> str:
    """What stands for the panel in stored results: model, endpoint, how it is asked."""
    return f"llm {settings.model} at {endpoint}, temperature {settings.temperature}"


def _score(picked: Sequence[int | None], questions: Sequence[Question]) -> tuple[float, int]:
    """Right answers, a blind guess for each that could not be read, and the number of these."""
    right = sum(
        1 / len(question.choices) if one is None else float(one == question.answer)
        for one, question in zip(picked, questions, strict=True)
    )
    return right, sum(one is None for one in picked)
