"""Model of a paragraph: runs of text with looks, breaks and anchors, and their translation.

Entry: a ``Line`` of ``TextRun``s; ``unite`` makes ``Group``s of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from prism_core.alignment import Translation
from prism_core.formats.base import notices

_WORDS: Final = re.compile(r"[^\W\d_]{2,}.*\s")
"""Pattern of alternative text in words, unlike the file names that programs put there."""
_FILE_NAME: Final = re.compile(r"\S+\.\w{2,5}")
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text of one ``look``, a string equal for runs formatted alike. Formats add the location.

    ``owner`` is the number of the link, field or content control around it, 0 outside. ``hard``
    says that something which must keep its place stands before it.
    """

    text: str
    look: str = ""
    owner: int = 0
    hard: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    r"""Tab or line break, which the text shows as ``\t`` or ``\n``."""

    text: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Other content that stays in place while text moves around it, such as a note mark."""

    text: str = ""


ANCHOR: Final = Anchor()
R = TypeVar("R", bound=TextRun)
Line = Sequence[R | Break | Anchor]
"""Paragraph in order."""


@dataclass(frozen=True, slots=True)
class Group(Generic[R]):
    """Neighbouring ``runs`` formatted alike; ``hard``: an anchor or the edge of a link precedes."""

    runs: tuple[R, ...]
    hard: bool = False

    @property
    def text(self) -> str:
        """Text of all runs together."""
        return "".join(run.text for run in self.runs)

    @property
    def look(self) -> str:
        """Look of the runs; blanks among them may differ."""
        return self.runs[0].look

    @property
    def owner(self) -> int:
        """Owner of the runs."""
        return self.runs[0].owner

    @property
    def carrier(self) -> R:
        """First run with words: new text goes there, and the others become empty."""
        return max(self.runs, key=lambda run: bool(run.text.strip()))


def unite(line: Sequence[R | Anchor]) -> list[Group[R]]:
    """Unite neighbouring runs with one look; blanks join the run before them."""
    groups: list[tuple[list[R], bool]] = []
    anchored = False
    for run in line:
        if isinstance(run, Anchor):
            anchored = True
            continue
        last = groups[-1][0][0] if groups else None
        hard = anchored or run.hard or (last is not None and last.owner != run.owner)
        if last and not hard and (last.look == run.look or not run.text.strip()):
            groups[-1][0].append(run)
        else:
            groups.append(([run], hard))
        anchored = False
    return [Group(tuple(runs), hard) for runs, hard in groups]


@dataclass(frozen=True, slots=True)
class Placed(Generic[R]):
    """New ``text`` of ``group``, and texts ``ahead`` and ``behind``, each formatted like a run."""

    group: Group[R]
    text: str
    ahead: tuple[tuple[str, R], ...] = ()
    behind: tuple[tuple[str, R], ...] = ()

    @property
    def is_new(self) -> bool:
        """True if the text of the group changes."""
        return self.text != self.group.text

    def texts(self) -> Iterator[tuple[R, str]]:
        """Return the runs of the group with their new texts: one gets all, the others nothing."""
        carrier = self.group.carrier
        return ((run, self.text if run is carrier else "") for run in self.group.runs)


@dataclass(frozen=True, slots=True)
class Loss:
    """Counts of lost formatting, of moved breaks, and of ``texts`` that do not fit and stay."""

    formats: int = 0
    breaks: int = 0
    texts: int = 0

    def __add__(self, other: Loss) -> Loss:
        """Add the counts of both."""
        return Loss(
            self.formats + other.formats, self.breaks + other.breaks, self.texts + other.texts
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices that count the losses."""
        return notices(
            {
                "formatting-simplified": self.formats,
                "breaks-moved": self.breaks,
                "texts-too-long": self.texts,
            }
        )


Placement = tuple[list[Placed[R]], int]
"""Line group by group (its texts in order are the translation), and the number of lost looks."""


def has_words(text: str) -> bool:
    """Return True if ``text`` has letters or digits."""
    return any(map(str.isalnum, text))


def has_letter(text: str) -> bool:
    """Return True if ``text`` has anything to translate at all, unlike numbers and bullets."""
    return any(map(str.isalpha, text))


def has_several_words(text: str) -> bool:
    """Return True if a description or tip has several words, unlike file names and addresses."""
    return _WORDS.search(text) is not None


def is_description(text: str) -> bool:
    """Return True if a description has words, and is not only the name of a file."""
    return has_words(text) and not _FILE_NAME.fullmatch(text)


def edges_of(text: str) -> tuple[str, str]:
    """Return the white space before the words of ``text``, and after them."""
    start = len(text) - len(text.lstrip())
    return text[:start], text[start + len(text.strip()) :]


def clean_translation(translation: Translation) -> Translation:
    """Return ``translation`` without characters that XML forbids; itself if it is clean."""
    text = translation.text
    if "\r" not in text and not _ILLEGAL.search(text):
        return translation
    return Translation(_ILLEGAL.sub("", re.sub(r"\r\n?", "\n", text)))
