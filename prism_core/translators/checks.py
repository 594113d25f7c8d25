"""Checks that an answer is a translation of its text, since a translator is not trusted.

The checks are cheap, know no language and err on the side of doubt: a doubtful answer is requested
once more, alone, and then the sentence is reported as failed. No check quotes a text.

A provider that answers texts in their order, without ids, is not trusted to keep that order. A
missing or additional answer changes the count. Answers that changed places, or one answer given for
two texts, are detected where texts hold tokens that translators keep (numbers, names), or differ in
most words. The decoder catches the rest: it does not find a text's substitutes in the answer to
another text. Where a dictionary is at hand, answers are held against all texts of their request, so
that this is rare. It is asked for every word that was sent, replaced or not: so what is sent again
says nothing about which words were replaced.

Entry: ``AnswerChecks.faults_of`` -> ``fault_of``, for one answer, and ``find_misplaced``;
``translate_in_order`` -> ``texts_to_send`` -> ``check_places``, for answers without ids.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from prism_core.alignment import Translation
from prism_core.controls import added_controls
from prism_core.errors import BadAnswer, Rejected

_UNSENDABLE = re.compile("[\0\n\r\ud800-\udfff]")


def first_unsendable(texts: Sequence[str]) -> int | None:
    """Return the index of the first text that is not one line of valid characters, or None."""
    return next((n for n, text in enumerate(texts) if _UNSENDABLE.search(text)), None)


class AnswerFault(StrEnum):
    """Faults of an answer, as the ledger and the report name them."""

    EMPTY = "empty-answer"
    TOO_LONG = "answer-too-long"
    TOO_SHORT = "answer-too-short"
    UNTRANSLATED = "answer-untranslated"
    CONTROL_CHARACTERS = "answer-control-characters"
    MISPLACED = "answer-misplaced"


Forms = Callable[[str], Collection[str]]
"""Returns the words, in lower case, that may stand for a word of a text in its answer."""


@dataclass(frozen=True, slots=True)
class AnswerChecks:
    """Thresholds of the checks of one answer.

    An answer may have ``longest_ratio`` times the characters of its text and ``slack`` more. It
    must have ``shortest_ratio`` times the characters beyond ``brief`` (Chinese needs a fifth of
    English). A text with at least ``words_to_translate`` lower-case words must not come back
    unchanged, unless ``allow_unchanged`` says that the translator changes nothing on purpose.
    Answers that changed places are found by the ``forms`` of words, if these are known.
    """

    longest_ratio: float = 3.0
    slack: int = 80
    shortest_ratio: float = 0.1
    brief: int = 20
    words_to_translate: int = 4
    allow_unchanged: bool = False
    forms: Forms | None = None

    @classmethod
    def for_translator(cls, translator: object, forms: Forms | None = None) -> Self:
        """Return the checks of the answers of ``translator``."""
        unchanged = bool(getattr(translator, "answers_unchanged", False))
        return cls(allow_unchanged=unchanged, forms=forms)

    def faults_of(
        self, texts: Sequence[str], answers: Sequence[str | None]
    ) -> list[AnswerFault | None]:
        """Return the first fault of each answer of a request; an answer that is None has none."""
        given = list(zip(texts, answers, strict=True))
        faults = [None if answer is None else self.fault_of(text, answer) for text, answer in given]
        if self.forms is not None:
            whole = [n for n, answer in enumerate(answers) if answer and faults[n] is None]
            for place in find_misplaced([(texts[n], answers[n] or "") for n in whole], self.forms):
                faults[whole[place]] = AnswerFault.MISPLACED
        return faults

    def fault_of(self, text: str, answer: str) -> AnswerFault | None:
        """Return the first fault of ``answer`` to ``text``; None when it may be used."""
        if not text.strip():
            return None if not answer.strip() else AnswerFault.TOO_LONG
        if not answer.strip():
            return AnswerFault.EMPTY
        if len(answer) > self.longest_ratio * len(text) + self.slack:
            return AnswerFault.TOO_LONG
        if len(answer) < self.shortest_ratio * (len(text) - self.brief):
            return AnswerFault.TOO_SHORT
        if added_controls(text, answer):
            return AnswerFault.CONTROL_CHARACTERS
        unchanged = not self.allow_unchanged and _normalize(text) == _normalize(answer)
        if unchanged and len(_LOWER_CASE_WORD.findall(text)) >= self.words_to_translate:
            return AnswerFault.UNTRANSLATED
        return None


_LETTERS = r"[^\W\d_A-Z]"
_LOWER_CASE_WORD = re.compile(
    rf"(?<!\S)[^\w\s]*{_LETTERS}{{2,}}(?:['’-]{_LETTERS}+)*[^\w\s]*(?!\S)"
)
"""Lower-case words between spaces. Only these count, since names, abbreviations and addresses may
rightly stay unchanged."""


def _normalize(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


Ask = Callable[[list[str]], Awaitable[list[str]]]
AskMarked = Callable[[list[str]], Awaitable[list[Translation | None]]]

_WORD = re.compile(r"\w+")
_ALIKE = 0.5
"""Share of common words from which two texts may well have the same translation."""


async def translate_in_order(texts: Sequence[str], ask: Ask) -> list[str]:
    """Return the answers of ``ask`` to the texts that are not blank; blank ones stay, unsent.

    White space around a text is not sent either, and is restored around its answer. Raises
    ``Rejected`` for a text that is not one line, ``BadAnswer`` when there is not one answer for
    each text or an answer is clearly in the wrong place.
    """

    async def ask_unmarked(asked: list[str]) -> list[Translation | None]:
        return [Translation(answer) for answer in await ask(asked)]

    answers = await align_in_order(texts, ask_unmarked)
    return [answer.text for answer in answers if answer is not None]


async def align_in_order(texts: Sequence[str], ask: AskMarked) -> list[Translation | None]:
    """Translate as ``translate_in_order`` does, with alignments; a damaged answer is None."""
    places, asked = _find_nonblank(texts), texts_to_send(texts)
    try:
        answers = await ask(asked) if asked else []
    except Rejected as rejected:  # a text is named by its place among all of them
        if rejected.index is not None and 0 <= rejected.index < len(places):
            rejected.index = places[rejected.index]
        raise
    if len(answers) != len(asked):
        raise BadAnswer(f"{len(answers)} answers came for {len(asked)} texts.")
    whole = [(text, got.text) for text, got in zip(asked, answers, strict=True) if got is not None]
    check_places([text for text, _ in whole], [answer for _, answer in whole])
    framed: list[Translation | None] = [Translation(text) for text in texts]
    for place, answer in zip(places, answers, strict=True):
        before, _, after = texts[place].partition(texts[place].strip())
        framed[place] = answer and answer.framed(before, after)
    return framed


def texts_to_send(texts: Sequence[str]) -> list[str]:
    """Return the non-blank texts, stripped. Raises ``Rejected`` for one of several lines."""
    if (index := first_unsendable(texts)) is not None:
        raise Rejected("A text is not one line of valid characters.", index)
    return [texts[place].strip() for place in _find_nonblank(texts)]


def _find_nonblank(texts: Sequence[str]) -> list[int]:
    return [place for place, text in enumerate(texts) if text.strip()]


def check_places(texts: Sequence[str], answers: Sequence[str]) -> None:
    """Raise ``BadAnswer`` unless ``answers`` may well be those to ``texts``, in their order."""
    if len(answers) != len(texts):
        raise BadAnswer(f"{len(answers)} answers came for {len(texts)} texts.")
    first: dict[str, set[str]] = {}
    for text, answer in zip(texts, answers, strict=True):
        words = {word.casefold() for word in _WORD.findall(text)}
        other = first.setdefault(answer, words)
        if len(words & other) < _ALIKE * len(words | other):
            raise BadAnswer("The same answer came for texts that have little in common.")
    # A token that one text alone has must not be missing from its answer, but in another's.
    holders = Counter(word for text in texts for word in set(_WORD.findall(text.casefold())))
    found = [_find_preserved_tokens(answer) for answer in answers]
    finders = Counter(token for tokens in found for token in tokens)
    for text, answer in zip(texts, answers, strict=True):
        alone = {token for token in _find_preserved_tokens(text) if holders[token.casefold()] == 1}
        missing = alone and alone.isdisjoint(_WORD.findall(answer))
        if missing and any(finders[token] for token in alone):
            raise BadAnswer("An answer stands where the answer to another text belongs.")


def _find_preserved_tokens(text: str) -> set[str]:
    """Return numbers of two digits and more, and capitalised words that do not begin the text."""
    words = _WORD.findall(text)
    numbers = {word for word in words if word.isdecimal() and len(word) > 1}
    return numbers | {word for word in words[1:] if len(word) > 2 and word[0].isupper()}


def find_misplaced(request: Sequence[tuple[str, str]], forms: Forms) -> list[int]:
    """Return the places of the answers of ``request`` that may belong to others of its texts.

    A word counts the more, the fewer answers show it. If another answer shows more of a text than
    its own does, by more than one word that stands in a single answer, answers changed places. Then
    only those are kept that show more of their own text than any other answer does.
    """
    holders: dict[str, set[int]] = {}
    for place, (_, answer) in enumerate(request):
        for word in _WORD.findall(answer.lower()):
            holders.setdefault(word, set()).add(place)
    doubtful, exchanged, margin = [], False, math.log(max(1, len(request)))
    for place, (text, _) in enumerate(request):
        scores = [0.0] * len(request)
        for word in {*_WORD.findall(text)}:
            found = {at for form in forms(word) for at in holders.get(form, ())}
            for at in found:
                scores[at] += margin - math.log(len(found))
        own = scores[place]
        others = max((score for at, score in enumerate(scores) if at != place), default=0.0)
        exchanged = exchanged or others > own + margin
        if own <= others:
            doubtful.append(place)
    return doubtful if exchanged else []
