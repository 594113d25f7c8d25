"""An archive whose translation is the same whatever substitutes are drawn.

The dictionary and the translator are those of the tests: a word is spelled backwards unless it has
a capital, and the dictionary knows it. Sentences are long, so that no two encodings are equal.
"""

from __future__ import annotations

from email.message import EmailMessage
from itertools import islice
from pathlib import Path
from random import Random

import docx

from tests.stages.archive import ADJECTIVES, NOUNS, VERBS, make_dictionary

NAME = "Zorbanquist"
_SEED = 7
_PARAGRAPHS = 5

SETTINGS = {
    "PRISM_MECHANISM__THRESHOLD": "0.5",
    "PRISM_MECHANISM__MINIMUM_POOL": "2",
    "PRISM_LIMITS__WORKERS": "1",
}


def _sentences() -> list[str]:
    rng = Random(_SEED)

    def clause() -> str:
        subject, thing = rng.sample(NOUNS, 2)
        first, second = rng.sample(ADJECTIVES, 2)
        return f"{first} {subject} {rng.choice(VERBS)} the {second} {thing}"

    return [f"The {clause()} and the {clause()}." for _ in range(200)]


_SENTENCES = _sentences()
CANARIES = (NAME, *_SENTENCES[::17])
"""Searched for: a name that stands nowhere else, and whole sentences of every document."""


def write_fault_archive(folder: Path) -> Path:
    """Write documents of four types into ``folder/in``, and the dictionary beside it."""
    (folder / "in").mkdir(parents=True)
    sentences = iter(_SENTENCES)
    for number in range(14):
        paragraphs = [" ".join(islice(sentences, 2)) for _ in range(_PARAGRAPHS)]
        named = f"Anna {NAME} visited the garden of the doctor {number}."
        _WRITERS[number % len(_WRITERS)](folder / "in" / f"document {number}", [named, *paragraphs])
    make_dictionary(folder / "dictionary.parquet")
    return folder


def _text(path: Path, paragraphs: list[str]) -> None:
    path.with_suffix(".txt").write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")


def _word(path: Path, paragraphs: list[str]) -> None:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    document.save(str(path.with_suffix(".docx")))


def _page(path: Path, paragraphs: list[str]) -> None:
    body = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    page = f"<!DOCTYPE html>\n<html><body>\n{body}</body></html>\n"
    path.with_suffix(".html").write_text(page, encoding="utf-8")


def _mail(path: Path, paragraphs: list[str]) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "anna@example.org", "office@example.org"
    message["Subject"] = "The old letter"
    message["Date"] = "Mon, 02 Mar 2026 09:00:00 +0000"
    message.set_content("\n\n".join(paragraphs) + "\n")
    path.with_suffix(".eml").write_bytes(message.as_bytes())


_WRITERS = (_text, _word, _page, _mail)
