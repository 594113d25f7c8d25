"""Sentences and dictionaries that tests make by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prism_core.dictionary import Dictionary, Entry, Form
from prism_core.language import Sentence, Token
from prism_core.languages import load_language

ENGLISH = load_language("en")
MONTHS = (
    "january february march april may june july august september october november december".split()
)
SPANISH_MONTHS = (
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
).split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def sentence(*words: str) -> Sentence:
    """Tokens written ``text/TAG`` or ``text/TAG/ENTITY``, a space after each."""
    tokens = []
    for word in words:
        text, tag, *entity = word.split("/")
        tokens.append(Token(text, " ", tag, entity=entity[0] if entity else ""))
    return Sentence(tuple(tokens))


def entry(
    word: str,
    tag: str = "NN",
    forms: Iterable[str] = (),
    *,
    agreement: str = "g",
    confidence: float = 0.95,
    score: float = 100.0,
) -> Entry:
    """An entry whose forms default to the word itself with a mark."""
    texts = tuple(forms) or (f"{word}o",)
    made = tuple(Form(text, score, (f"f{i}",)) for i, text in enumerate(texts))
    return Entry(word, tag, made, agreement, confidence, calls=1)


def names() -> list[Entry]:
    """A few public names of each class."""
    given = [entry(n, "GIVEN", [n]) for n in ("Edith", "Oscar", "Wanda", "Hugo", "Nora")]
    surnames = [entry(n, "SURNAME", [n]) for n in ("Baxter", "Quinn", "Talbot", "Vickers", "Nash")]
    return given + surnames + [entry(n, "PLACE", [n]) for n in ("Denver", "Leeds", "Perth")]


def dictionary(*entries: Entry) -> Dictionary:
    """A dictionary of ``entries`` and a few names."""
    return Dictionary([*entries, *names()], {}, "test")


def nouns(count: int, *, agreement: str = "g", confidence: float = 0.95) -> list[Entry]:
    """``count`` nouns of one class, all different."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [f"b{letters[i // 26]}{letters[i % 26]}k" for i in range(count)]
    return [entry(word, agreement=agreement, confidence=confidence) for word in words]


def calendar_words() -> Dictionary:
    """A dictionary of months, days of the week, nouns and names."""
    months = [entry(m, "MONTH", [form]) for m, form in zip(MONTHS, SPANISH_MONTHS, strict=True)]
    weekdays = [entry(day, "WEEKDAY", [f"{day}s"]) for day in _WEEKDAYS]
    return Dictionary([*months, *weekdays, *nouns(40), *names()], {}, "calendar")


def with_one_article(text: str) -> str:
    """``text`` with *a* for *an*: a translator writes its own, those of tests give it back as it
    was fitted to what was sent."""
    return re.sub(r"\b(a)n\b", r"\1", text, flags=re.IGNORECASE)
