"""An archive of any size, made of real sentences that occur once each.

Documents of a few lines of news and encyclopedia text (the shared parallel corpora), as text, Word
and mail in turn. The archive of n documents is the first n of a larger one, so two sizes differ in
nothing but their number; names, words and lengths grow as they do in real text. The same seed gives
the same archive.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

import docx
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from prism_core.dictionary import Entry, Form, load_dictionary, save_dictionary
from prism_core.resources import shipped_dictionary

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
LINES = 8
"""Lines of a document, about as many sentences: there is text for 5,000 such documents."""
MIXED = ("text", "word", "mail")
_HEADLINE = "Armed robbery suspects escape hospital: police seek witnesses"
"""Stands in the first document: without function words, so that lines are asked for their language,
which loads what tells languages apart. So every archive has paid for that."""
_FOLDERS = 20
_SEED = 20


def write_archive(
    folder: Path,
    documents: int,
    length: int = LINES,
    kinds: Sequence[str] = MIXED,
) -> Path:
    """Write ``documents`` documents of ``length`` lines into ``folder``, of ``kinds`` in turn.

    Raises ``SystemExit`` when there is not text for so many.
    """
    lines = [_HEADLINE, *shared_lines()]
    if documents * length > len(lines):
        most = len(lines) // length
        raise SystemExit(f"there are different lines for {most:,} documents, not {documents:,}")
    for number in range(documents):
        place = folder / f"folder {number % _FOLDERS:02}"
        place.mkdir(parents=True, exist_ok=True)
        write = WRITERS[kinds[number % len(kinds)]]
        write(place / f"document {number:05}", lines[number * length : (number + 1) * length])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shared_lines() -> list[str]:
    """Every English line of the shared parallel text, once, in an order without meaning."""
    found: set[str] = set()
    for file in SHARED.glob("wmt/*/*.en"):
        found.update(line for line in file.read_text("utf-8").splitlines() if line.strip())
    lines = sorted(found)
    Random(_SEED).shuffle(lines)
    return lines


def _text(path: Path, lines: Sequence[str]) -> None:
    path.with_suffix(".txt").write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def _word(path: Path, lines: Sequence[str]) -> None:
    document = docx.Document()
    for line in lines:
        document.add_paragraph(line)
    document.save(str(path.with_suffix(".docx")))


def _mail(path: Path, lines: Sequence[str]) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "writer@example.org", "reader@example.org"
    message["Subject"] = lines[0].strip()
    message["Date"] = "Mon, 02 Mar 2026 09:00:00 +0000"
    message.set_content("\n\n".join(lines[1:]) + "\n")
    path.with_suffix(".eml").write_bytes(message.as_bytes())


def _pdf(path: Path, lines: Sequence[str]) -> None:
    styles = getSampleStyleSheet()
    paragraphs = [Paragraph(escape(line), styles["BodyText"]) for line in lines]
    SimpleDocTemplate(str(path.with_suffix(".pdf")), invariant=1).build(paragraphs)


WRITERS: Mapping[str, Callable[[Path, Sequence[str]], None]] = {
    "text": _text,
    "word": _word,
    "mail": _mail,
    "pdf": _pdf,
}


def echo_dictionary(path: Path) -> Path:
    """Write the shipped dictionary as one of a translator that leaves every word as it is."""
    shipped = load_dictionary(shipped_dictionary("en", "es"), "apertium")
    entries = [*shipped, *(one for group in shipped.left.values() for one in group)]
    echoed = [
        entry.replace_forms([Form(entry.word, 1.0)])._replace(translator="fake", others=())
        for entry in entries
    ]
    names = [
        Entry(name, tag, (Form(name, 1.0),), "", 1.0, 0.0, "fake", "names")
        for tag, found in shipped.names.items()
        for name in found
    ]
    save_dictionary([*echoed, *names], {"translator": "fake"}, path)
    return path
