"""What a data protection officer asks of a run, answered from its counts in plain words.

Entry: ``answer_of``; one function a question -> ``Answer``, which the page, the terminal and the
mail show. No text of a document can be in it: it is made of counts, and of names in the settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.connections import is_this_machine
from prism_core.report.reading import Receiver
from prism_core.report.rendering import number, percent
from prism_core.report.run_rows import RunFacts
from prism_core.report.totals import RunTotals

_PROGRAMS: Final = ("apertium", "local", "fake")
"""Translators that are programs here; any other on this machine may hand on what it is sent."""
NOTHING_TO_DO: Final = "Nothing."


@dataclass(frozen=True, slots=True)
class Answer:
    """``title`` says whether anything left; ``points`` are questions, each with its sentences; the
    last is what is to be done. ``good`` is false where something is to be looked at first."""

    title: str
    points: tuple[tuple[str, tuple[str, ...]], ...]
    good: bool

    @property
    def to_do(self) -> tuple[str, ...]:
        """What somebody should do now, the most urgent first."""
        return self.points[-1][1]


def answer_of(facts: RunFacts, totals: RunTotals, receivers: Sequence[Receiver]) -> Answer:
    """The answers; ``receivers`` are those that the run recorded a request to."""
    away = [one for one in receivers if not is_this_machine(one.host)]
    title, left = _what_left(receivers, away)
    return Answer(
        title,
        (
            ("Did anything leave this machine?", left),
            ("To whom?", tuple(_to_whom(facts, receivers, away))),
            ("What was protected?", tuple(_protected(facts, totals))),
            ("What was not protected?", tuple(_not_protected(facts, totals, away))),
            ("Has a person looked at it?", (_looked_at(totals),)),
            ("What is kept, how long, and how is it erased?", tuple(_kept(totals, away))),
            ("What is to be done?", tuple(_to_do(facts, totals, away)) or (NOTHING_TO_DO,)),
        ),
        good=not totals.identifiers_remaining,
    )


def _what_left(
    receivers: Sequence[Receiver], away: Sequence[Receiver]
) -> tuple[str, tuple[str, ...]]:
    if away:
        whom = " and ".join(dict.fromkeys(f"{one.provider} at {one.host}" for one in away))
        requests, texts, characters = (
            _many(sum(getattr(one, f"{name}s") for one in away), name)
            for name in ("request", "text", "character")
        )
        return f"Altered text left this machine, to {whom}", (
            f"Yes: sentences in which words were replaced by others; {texts} with {characters}, in "
            f"{requests}.",
            "No file, no name of a file, and no record of what was replaced was sent.",
        )
    if not receivers:
        return "Nothing left this machine: no translator was asked", (
            "No. No translator was asked in this run. Figures below are of what earlier runs sent "
            "of these documents, if there are any; the reports of those runs say to whom.",
        )
    servers = [one for one in receivers if one.provider not in _PROGRAMS]
    if not servers:
        return "Nothing left this machine", (
            "No. The translator is a program on this machine, and no text went over a network in "
            "this run.",
        )
    named = " and ".join(f"{one.provider} at {one.host}" for one in servers)
    return "Nothing left this machine, as far as PRISM can see", (
        f"No, as far as PRISM can see: it asked {named}, which is on this machine. If that is a "
        "gateway that hands texts on to somebody else, they did leave: ask who runs it.",
    )


def _to_whom(
    facts: RunFacts, receivers: Sequence[Receiver], away: Sequence[Receiver]
) -> Iterator[str]:
    if not away:
        here = ", ".join(dict.fromkeys(one.provider for one in receivers)) or "nobody"
        yield f"Nobody outside this machine. Asked on it: {here}."
        return
    for one in away:
        unanswered = f", {number(one.unanswered)} of them without an answer" * bool(one.unanswered)
        model = f" ({facts.provider_model})" * bool(
            facts.provider_model and one.provider == facts.provider
        )
        yield (
            f"{one.provider}{model} at {one.host}: {_many(one.requests, 'request')}{unanswered}. "
            "Whoever runs it may have kept what it was sent."
        )
    for label, value in (
        ("For what purpose", facts.purpose),
        ("How long it is kept there", facts.retention),
        ("Where in the world that is", facts.region),
    ):
        yield f"{label}, as the operator states: {value or 'not stated'}."


def _of_local_model(facts: RunFacts) -> str:
    """What the card of the model says for whose text it was trained on."""
    said = next((said for said in facts.local_models if said.startswith("withheld: ")), "")
    if "epsilon=unstated" in said or not said:
        return "Nothing is stated of whose text that model was trained on."
    if "trained=public" in said:
        return "That model was trained on public text."
    return f"Whose text that model was trained on is protected as its card says: {said[10:]}."


def _protected(facts: RunFacts, totals: RunTotals) -> Iterator[str]:
    hidden = totals.tokens_replaced + totals.tokens_identifier + totals.tokens_unknown
    telling = hidden + totals.kept_words
    if not telling:
        yield "No word was sent, so nothing had to be."
    else:
        yield (
            f"Of the {number(telling)} words, names and numbers that were sent and carry meaning, "
            f"{number(hidden)} ({percent(hidden, telling)}) were replaced before: "
            f"{number(totals.tokens_replaced)} words by other words of the same kind, "
            f"{number(totals.tokens_identifier)} names, numbers and codes by invented ones, "
            f"{number(totals.tokens_unknown)} words that PRISM does not know by others."
        )
    if totals.pool_smallest is not None:
        yield (
            "A replaced word by itself stands for one of some "
            f"{number(totals.pool_smallest)} words at least. Which, can be guessed from the words "
            "around it, the better the more texts of the kind somebody has."
        )
    if totals.identifiers_remaining == 0:
        yield (
            "A second check read what was sent, and found none of the "
            f"{number(totals.identifiers_detected)} names, numbers and codes that were recognised."
        )
    if totals.sentences_withheld:
        yield f"Of {_many(totals.sentences_withheld, 'sentence')} nothing was sent, to be safe."
    if totals.sentences_by_local_model:
        yield (
            f"{_many(totals.sentences_by_local_model, 'sentence')} that might not be sent, or no "
            "more, a model on this machine translated; nothing of them left for that. "
            + _of_local_model(facts)
        )


def _not_protected(facts: RunFacts, totals: RunTotals, away: Sequence[Receiver]) -> Iterator[str]:
    if totals.requests and not away:
        yield "All that follows was shown to the translator on this machine alone."
    if totals.identifiers_remaining:
        yield (
            f"{number(totals.identifiers_remaining)} of the names, numbers and codes that are "
            "known by now stand in what was sent."
        )
    elif totals.identifiers_remaining is None and totals.tokens_kept:
        yield "Whether names or numbers stand in what was sent was not checked in this run."
    if totals.tokens_kept:
        hidden = totals.tokens_replaced + totals.tokens_identifier + totals.tokens_unknown
        share = percent(totals.kept_words, hidden + totals.kept_words)
        yield (
            f"{number(totals.kept_words)} words that carry meaning ({share} of them) were sent as "
            f"they are, as were {number(totals.kept_grammar)} function words (the, of, not) and "
            f"{number(totals.kept_marks)} punctuation marks and signs."
        )
        if totals.sentences_in_clear:
            yield (
                f"In {_many(totals.sentences_in_clear, 'sentence')} there was nothing to replace: "
                "most such are a heading or a few function words."
            )
        yield (
            "The length, grammar and punctuation of each sentence can be seen; and a name or "
            "number that was not recognised is counted nowhere: recognition is never complete."
        )
    for caution in facts.cautions:
        yield f"{caution[:1].upper()}{caution[1:]}."


def _looked_at(totals: RunTotals) -> str:
    if not totals.sentences:
        return "No document was translated anew in this run, so there was nothing to look at."
    if not totals.sentences_reviewed:
        return "No: the translations are a machine's, and nobody has handed in a review of them."
    return (
        f"Of {_many(totals.sentences, 'sentence')} a person gave or confirmed "
        f"{number(totals.sentences_reviewed)}; the page of each document says who. The others are "
        "a machine's."
    )


def _kept(totals: RunTotals, away: Sequence[Receiver]) -> Iterator[str]:
    yield (
        "On this machine, until somebody destroys it: the translations; this report, which holds "
        "no text and no names of files; and, encrypted, each sentence with what was sent for it. "
        "The last can be destroyed by age: prism state purge OUT --documents-older-than DAYS."
    )
    yield (
        "To erase a person, delete the documents in the archive, then run prism translate IN OUT "
        "--prune: it destroys what was made and kept of them alone, but not in backups"
        + (", nor at those named above." if away else ".")
    )
    if absent := totals.documents_gone + totals.documents_renamed:
        yield (
            f"Of {_many(absent, 'document')} that the archive has no more, or not under that name, "
            "the translation is still kept."
        )
    yield (
        "If the key is stolen: it opens nothing alone, but whoever also has OUT/.prism, or a copy "
        "of that, can read every sentence. Replace it at once: prism key rotate OUT --destroy-old."
    )


def _to_do(facts: RunFacts, totals: RunTotals, away: Sequence[Receiver]) -> Iterator[str]:
    if totals.identifiers_remaining:
        seen = "as disclosed to those named above" if away else "as seen by the translator"
        yield (
            f"Treat the {number(totals.identifiers_remaining)} names, numbers and codes that were "
            f"found in what was sent {seen}; the table of documents shows where. Put them into "
            "the list that the setting identifiers.names_file names, before the next run."
        )
    if totals.documents_failed:
        yield (
            f"{_many(totals.documents_failed, 'document')} could not be translated: see below why, "
            "and what helps."
        )
    if totals.documents_pictures:
        yield (
            f"{_many(totals.documents_pictures, 'picture')} were not read: if one shows text that "
            "is to be translated, put it into a PDF and use --ocr."
        )
    if left := totals.sentences_withheld + totals.sentences_unrestored:
        yield (
            f"{_many(left, 'sentence')} stayed in the source language: prism review export OUT "
            "FILE.xlf gives them to a person to translate."
        )
    if totals.sentences_unsure:
        yield (
            f"{_many(totals.sentences_unsure, 'translated sentence')} should be looked at, since a "
            "word may be wrong: prism review export OUT FILE.xlf lists them."
        )
    settings = {"purpose": facts.purpose, "retention": facts.retention, "region": facts.region}
    if away and (missing := [f"report.{name}" for name, said in settings.items() if not said]):
        yield (
            "Ask the operator to state what is missing under “To whom?”, in the settings: "
            f"{', '.join(missing)}."
        )


def _many(count: int, what: str) -> str:
    return f"{number(count)} {what}{'' if count == 1 else 's'}"
