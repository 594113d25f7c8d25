"""Answer a data protection officer's questions about a run from its counts, in plain words.

Entry: ``make_answer``; one function for each question -> ``OfficerAnswers``, which the page, the
terminal and the mail show. No text of a document can be in it: it is made of counts, and of names
in the settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.connections import is_this_machine
from prism_core.errors import describe_failures
from prism_core.report.reading import Receiver
from prism_core.report.rendering import number, percent
from prism_core.report.rows import RunFacts
from prism_core.report.totals import RunTotals

_PROGRAMS: Final = ("apertium", "fake", "firefox", "local")
"""Translators that are programs on this machine; a server here may pass on the texts it gets."""
NOTHING_TO_DO: Final = "Nothing."
_NO_TEXT: Final = "No text was shown to anybody."


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
    away = _elsewhere(receivers)
    title, left = _describe_left(facts, receivers, away)
    return OfficerAnswers(
        title,
        (
            ("Did anything leave this machine?", left),
            ("To whom?", tuple(_describe_receivers(facts, receivers, away))),
            ("What was protected?", tuple(_describe_protected(facts, totals))),
            (
                "What was not protected?",
                tuple(_describe_unprotected(facts, totals, away)) or (_NO_TEXT,),
            ),
            ("Has a person looked at it?", (_describe_review(totals),)),
            ("What is kept, how long, and how is it erased?", tuple(_describe_kept(totals, away))),
            (
                "What is to be done?",
                tuple(_list_tasks(facts, totals, receivers)) or (NOTHING_TO_DO,),
            ),
        ),
        good=not totals.identifiers_remaining,
        silent=tuple(_list_silent(receivers)),
    )


def _elsewhere(receivers: Sequence[Receiver]) -> list[Receiver]:
    """Return the receivers that are not on this machine."""
    return [receiver for receiver in receivers if not is_this_machine(receiver.host)]


def _describe_left(
    facts: RunFacts, receivers: Sequence[Receiver], away: Sequence[Receiver]
) -> tuple[str, tuple[str, ...]]:
    if away:
        whom = " and ".join(dict.fromkeys(f"{r.provider} at {r.host}" for r in away))
        requests, texts, characters = (
            _count(sum(getattr(receiver, f"{name}s") for receiver in away), name)
            for name in ("request", "text", "character")
        )
        return f"Altered text left this machine, to {whom}", (
            f"Yes: sentences in which words were replaced by others; {texts} with {characters}, in "
            f"{requests}.",
            "No file, no name of a file, and no record of what was replaced was sent.",
        )
    if facts.sees == "clear" and not receivers and facts.provider not in _PROGRAMS:
        return _describe_asked_here(f"{facts.provider} at {facts.endpoint_host}, in clear")
    if facts.sees == "clear" and not receivers:
        return "Nothing left this machine: it was translated here", (
            f"No. The translator, {facts.provider}, is a program on this machine. It had the text "
            "as it is, and no text went over a network in this run.",
        )
    if not receivers:
        return "Nothing left this machine: no translator was asked", (
            "No. No translator was asked in this run. Figures below are of what earlier runs sent "
            "of these documents, if there are any; the reports of those runs say to whom.",
        )
    servers = [receiver for receiver in receivers if receiver.provider not in _PROGRAMS]
    if not servers:
        return "Nothing left this machine", (
            "No. The translator is a program on this machine, and no text went over a network in "
            "this run.",
        )
    named = " and ".join(f"{server.provider} at {server.host}" for server in servers)
    return _describe_asked_here(named)


def _describe_asked_here(named: str) -> tuple[str, tuple[str, ...]]:
    return "Nothing left this machine, as far as PRISM can see", (
        f"No, as far as PRISM can see: it asked {named}, which is on this machine. If that is a "
        "gateway that hands texts on to somebody else, they did leave: ask who runs it.",
    )


def _describe_receivers(
    facts: RunFacts, receivers: Sequence[Receiver], away: Sequence[Receiver]
) -> Iterator[str]:
    if not away:
        local = ", ".join(
            f"{receiver.provider} ({_count(receiver.requests, 'request')}{unanswered})"
            if (unanswered := _count_unanswered(receiver))
            else receiver.provider
            for receiver in receivers
        )
        asked = f" Asked on it: {local}." * bool(local)
        yield f"Nobody outside this machine.{asked}"
        return
    for receiver in away:
        unanswered = _count_unanswered(receiver)
        model = f" ({facts.provider_model})" * bool(
            facts.provider_model and receiver.provider == facts.provider
        )
        requests = _count(receiver.requests, "request")
        yield (
            f"{receiver.provider}{model} at {receiver.host}: {requests}{unanswered}. "
            "Whoever runs it may have kept what it was sent."
        )
    for label, value in (
        ("For what purpose", facts.purpose),
        ("How long it is kept there", facts.retention),
        ("Where in the world that is", facts.region),
    ):
        yield f"{label}, as the operator states: {value or 'not stated'}."


def _list_silent(receivers: Sequence[Receiver]) -> Iterator[str]:
    for receiver in receivers:
        if receiver.failures and receiver.unanswered == receiver.requests:
            failed = f"{_count(receiver.requests, 'request')}{_count_unanswered(receiver)}"
            yield f"{receiver.provider} at {receiver.host} answered nothing: {failed}"


def _count_unanswered(receiver: Receiver) -> str:
    """Say how many requests got no answer, and of what they failed; empty if all got one."""
    if not receiver.unanswered:
        return ""
    classes = f" ({describe_failures(receiver.failures)})" * bool(receiver.failures)
    return f", {number(receiver.unanswered)} of them without an answer{classes}"


def _describe_local_model(facts: RunFacts) -> str:
    """Describe, from the model's card, whose text it was trained on."""
    entries = (entry for entry in facts.local_models if entry.startswith("withheld: "))
    card = next(entries, "")
    if "epsilon=unstated" in card or not card:
        return "It is not stated whose text that model was trained on."
    if "trained=public" in card:
        return "That model was trained on public text."
    return f"Whose text that model was trained on is protected as its card says: {card[10:]}."


def _describe_protected(facts: RunFacts, totals: RunTotals) -> Iterator[str]:
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
            "A replaced word, taken alone, could stand for any of at least "
            f"{number(totals.pool_smallest)} words. A reader who has similar texts can guess from "
            "the words around it which one it is."
        )
    if telling and totals.identifiers_remaining == 0:
        yield (
            "A second check read what was sent, and found none of the "
            f"{number(totals.identifiers_detected)} names, numbers and codes that were recognised."
        )
    if totals.sentences_withheld:
        withheld = _count(totals.sentences_withheld, "sentence")
        yield f"Withheld, and not sent, to be safe: {withheld}."
    if totals.sentences_by_local_model and facts.sees != "clear":
        yield (
            "A model on this machine translated "
            f"{_count(totals.sentences_by_local_model, 'sentence')} that must not be sent, or not "
            "again, or that it is likely to translate better; nothing was sent for that. "
            f"{_describe_local_model(facts)}"
        )


def _describe_unprotected(
    facts: RunFacts, totals: RunTotals, away: Sequence[Receiver]
) -> Iterator[str]:
    if totals.requests and not away:
        yield "All that follows was shown to the translator on this machine alone."
    if totals.identifiers_remaining:
        yield (
            f"{number(totals.identifiers_remaining)} of the names, numbers and codes that are "
            "known by now occur in the text that was sent."
        )
    elif totals.identifiers_remaining is None and totals.tokens_kept:
        yield "This run did not check if names or numbers occur in the text that was sent."
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
                f"In {_count(totals.sentences_in_clear, 'sentence')} there was nothing to replace"
                + (
                    ": most such are a heading or a few function words."
                    if facts.hidden_words == "all"
                    else "."
                )
            )
        yield (
            "The length, grammar and punctuation of each sentence can be seen; and a name or "
            "number that was not recognised is counted nowhere: recognition is never complete."
        )
    for caution in facts.cautions:
        yield f"{caution[:1].upper()}{caution[1:]}."


def _describe_review(totals: RunTotals) -> str:
    if not totals.sentences:
        return (
            "No document was translated anew in this run. Of the translations of earlier runs, "
            f"{_count(totals.sentences_to_look_at, 'sentence')} should still be looked at."
        )
    if not totals.sentences_reviewed:
        return "No: the translations are a machine's, and nobody has handed in a review of them."
    return (
        f"Of {_count(totals.sentences, 'sentence')} a person gave or confirmed "
        f"{number(totals.sentences_reviewed)}; the page of each document says who. The others are "
        "a machine's."
    )


def _describe_kept(totals: RunTotals, away: Sequence[Receiver]) -> Iterator[str]:
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
            f"The translations of {_count(absent, 'document')} that are no longer in the archive, "
            "or not under that name, are still kept."
        )
    yield (
        "If the key is stolen: it opens nothing alone, but whoever also has OUT/.prism, or a copy "
        "of that, can read every sentence. Replace it at once: prism key rotate OUT --destroy-old."
    )


def _list_tasks(facts: RunFacts, totals: RunTotals, receivers: Sequence[Receiver]) -> Iterator[str]:
    away = _elsewhere(receivers)
    if facts.stopped:
        yield (
            f"The run ended early: {facts.stopped} What was answered is kept, and the same command "
            "goes on where it stopped."
        )
    for silent in () if facts.stopped else _list_silent(receivers):
        yield f"Find out why {silent}. Others were asked instead."
    if totals.identifiers_remaining:
        seen = "as disclosed to those named above" if away else "as seen by the translator"
        yield (
            f"Treat the {number(totals.identifiers_remaining)} names, numbers and codes that were "
            f"found in what was sent {seen}; the table of documents shows where. Put them into "
            "the list that the setting identifiers.names_file names, before the next run."
        )
    if totals.documents_failed:
        yield (
            f"{_count(totals.documents_failed, 'document')} could not be translated: see the "
            "reasons and the advice below."
        )
    if totals.documents_pictures:
        yield (
            f"{_count_with_verb(totals.documents_pictures, 'picture', 'was', 'were')} not read: if "
            "one shows text that is to be translated, put it into a PDF and use --ocr."
        )
    if totals.documents_partly:
        yield (
            f"{_count_with_verb(totals.documents_partly, 'document', 'is', 'are')} partly in the "
            "source language: the table of documents shows which, and how much of it."
        )
    if totals.sentences_to_look_at:
        yield (
            f"{_count(totals.sentences_to_look_at, 'sentence')} should be looked at, being in the "
            "source language or with a word that may be wrong: prism review export OUT FILE.xlf "
            f"lists {'it' if totals.sentences_to_look_at == 1 else 'them'}."
        )
    if totals.places_to_look_at:
        yield (
            f"{_count(totals.places_to_look_at, 'other place')} should be looked at, such as a "
            "picture, a column or an attachment: the table of documents names them."
        )
    settings = {"purpose": facts.purpose, "retention": facts.retention, "region": facts.region}
    if away and (missing := [f"report.{name}" for name, value in settings.items() if not value]):
        yield (
            "Ask the operator to state what is missing under “To whom?”, in the settings: "
            f"{', '.join(missing)}."
        )


def _count(count: int, noun: str) -> str:
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def _count_with_verb(count: int, noun: str, one: str, several: str) -> str:
    return f"{_count(count, noun)} {one if count == 1 else several}"
