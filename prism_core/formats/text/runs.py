"""A paragraph as runs of text with looks, breaks and anchors, and what becomes of it.

Entry: a ``Line`` of ``TextRun``s; then ``unite`` makes ``Group``s, of which ``Placed`` says what
becomes of them, and ``Loss`` what could not be kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from prism_core.alignment import Translation
from prism_core.formats.base import notices

_FILE_NAME: Final = re.compile(r"\S+\.\w{2,5}")
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text of one ``look``, equal for runs that look alike. A format adds where it stands.

    ``owner`` is the number of the link, field or content control around it, 0 outside. ``hard``
    says that something which must keep its place stands before it.
    """

    text: str
    look: str = ""
    owner: int = 0
    hard: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """A tab or a line break, which the text shows as ``\\t`` or ``\\n``."""

    text: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Anything else that stays where it is while text moves around it: a note mark, a picture."""

    text: str = ""


ANCHOR: Final = Anchor()
R = TypeVar("R", bound=TextRun)
Line = Sequence[R | Break | Anchor]
"""A paragraph in order."""


@dataclass(frozen=True, slots=True)
class Group(Generic[R]):
    """Neighbouring ``runs`` that look alike; ``hard``: an anchor or the edge of a link precedes."""

    runs: tuple[R, ...]
    hard: bool = False

    @property
    def text(self) -> str:
        """What they say together."""
        return "".join(run.text for run in self.runs)

    @property
    def look(self) -> str:
        """How they look; blanks among them may look otherwise."""
        return self.runs[0].look

    @property
    def owner(self) -> int:
        """Whose they are."""
        return self.runs[0].owner

    @property
    def carrier(self) -> R:
        """The first of them with words: new text goes there, and the others become empty."""
        return max(self.runs, key=lambda run: bool(run.text.strip()))


def unite(line: Sequence[R | Anchor]) -> list[Group[R]]:
    """Neighbours that look alike, with nothing in between; blanks go with what precedes them."""
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
    """``text`` takes the place of what ``group`` says, between texts of other looks.

    ``ahead`` and ``behind`` it come texts in order, each with the run that it looks like.
    """

    group: Group[R]
    text: str
    ahead: tuple[tuple[str, R], ...] = ()
    behind: tuple[tuple[str, R], ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the group says something else now."""
        return self.text != self.group.text

    def texts(self) -> Iterator[tuple[R, str]]:
        """The runs of the group with what they say now: one all of it, the others nothing."""
        carrier = self.group.carrier
        return ((run, self.text if run is carrier else "") for run in self.group.runs)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a translation could not keep: changes of formatting, and the places of breaks.

    ``texts`` counts translations that do not fit where they belong: the source stays there.
    """

    formats: int = 0
    breaks: int = 0
    texts: int = 0

    def __add__(self, other: Loss) -> Loss:
        """Both together."""
        return Loss(
            self.formats + other.formats, self.breaks + other.breaks, self.texts + other.texts
        )

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices that count it."""
        return notices(
            {
                "formatting-simplified": self.formats,
                "breaks-moved": self.breaks,
                "texts-too-long": self.texts,
            }
        )


Placement = tuple[list[Placed[R]], int]
"""A line group by group (read in order, all texts are the translation), and its lost looks."""


def has_words(text: str) -> bool:
    """Whether ``text`` has letters or digits."""
    return any(map(str.isalnum, text))


def is_description(text: str) -> bool:
    """Whether a description has words, and is not only the name of a file."""
    return has_words(text) and not _FILE_NAME.fullmatch(text)


def edges_of(text: str) -> tuple[str, str]:
    """The white space before the words of ``text``, and behind them."""
    start = len(text) - len(text.lstrip())
    return text[:start], text[start + len(text.strip()) :]


def clean_translation(translation: Translation) -> Translation:
    """``translation`` with line breaks as newlines and without characters that XML forbids.

    One that is clean comes back itself, its alignment included.
    """
    text = translation.text
    if "\r" not in text and not _ILLEGAL.search(text):
        return translation
    return Translation(_ILLEGAL.sub("", re.sub(r"\r\n?", "\n", text)))
