"""Answer a data protection officer's questions about a run from its counts, in plain words.

Entry: ``make_answer`` -> ``OfficerAnswers``, which the page, the terminal and the mail show. Their
words are in ``templates/answer.txt``. No text of a document can be in it: it is made of counts, and
of names in the settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.connections import is_this_machine
from prism_core.report.reading import Receiver
from prism_core.report.rendering import render_text
from prism_core.report.rows import RunFacts
from prism_core.report.totals import RunTotals

_PROGRAMS: Final = ("apertium", "fake", "firefox", "local")
"""Translators that are programs on this machine; a server here may pass on the texts it gets."""
_EMPTY: Final = {
    "What was not protected?": ("No text was shown to anybody.",),
    "What is to be done?": ("Nothing.",),
}
"""Answers to questions where nothing else is to be said."""


@dataclass(frozen=True, slots=True)
class OfficerAnswers:
    """Answers about a run: a title that says whether anything left, then questions with answers.

    ``points`` are questions, each with its sentences; the last one lists what is to be done.
    ``good`` is False if something must be checked first. ``silent`` says of each translator that
    answered nothing how often it failed, and of what.
    """

    title: str
    points: tuple[tuple[str, tuple[str, ...]], ...]
    good: bool
    silent: tuple[str, ...] = ()

    @property
    def to_do(self) -> tuple[str, ...]:
        """Tasks for now, the most urgent first."""
        return self.points[-1][1]


def make_answer(
    facts: RunFacts, totals: RunTotals, receivers: Sequence[Receiver]
) -> OfficerAnswers:
    """Answer the questions; ``receivers`` are those that the run recorded a request to."""
    away = [receiver for receiver in receivers if not is_this_machine(receiver.host)]
    servers = [receiver for receiver in receivers if receiver.provider not in _PROGRAMS]
    asked_here = [f"{server.provider} at {server.host}" for server in servers]
    if facts.sees == "clear" and not receivers and facts.provider not in _PROGRAMS:
        asked_here = [f"{facts.provider} at {facts.endpoint_host}, in clear"]
    # a line break of the operator's would end a paragraph
    purpose, retention, region = (
        " ".join(stated.split()) for stated in (facts.purpose, facts.retention, facts.region)
    )
    settings = {"purpose": purpose, "retention": retention, "region": region}
    cards = (entry for entry in facts.local_models if entry.startswith("withheld: "))
    written = render_text(
        "answer.txt",
        facts=facts,
        t=totals,
        receivers=receivers,
        away=away,
        whom=" and ".join(dict.fromkeys(f"{r.provider} at {r.host}" for r in away)),
        asked_here=" and ".join(asked_here),
        stated=(
            ("For what purpose", purpose),
            ("How long it is kept there", retention),
            ("Where in the world that is", region),
        ),
        missing=[f"report.{name}" for name, value in settings.items() if not value],
        card=next(cards, "").removeprefix("withheld: "),
        unheard=[r for r in receivers if r.failures and r.unanswered == r.requests],
    )
    title, *sections = written.split("\n## ")
    points = []
    for section in sections:
        question, _, answer = section.partition("\n")
        paragraphs = (" ".join(paragraph.split()) for paragraph in answer.split("\n\n"))
        points.append((question, tuple(filter(None, paragraphs)) or _EMPTY.get(question, ())))
    _, silent = points.pop()
    good = not totals.identifiers_remaining
    return OfficerAnswers(title.strip(), tuple(points), good, silent)
