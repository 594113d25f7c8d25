"""Settings of PRISM*: words to hide and to draw, and the treatment of unknown words.

Entry: ``StarSettings``, which ``prism-star`` and ``no-decode`` (``prism-lab``) share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, Self

from pydantic import Field

from prism_core.settings import HiddenWords, MechanismFigures, MechanismSettings

UnknownWords = Literal["source", "withhold", "keep"]

_KINDS: Sequence[HiddenWords] = ("none", "telling", "all")
_SHOWN = {
    "none": (
        "ordinary words are sent as they are: only names, numbers and codes are hidden. The "
        "translator reads what each sentence says, and a name that is not recognised"
    ),
    "telling": (
        "ordinary words are sent as they are: only names, numbers, codes, unknown words and words "
        "listed as telling something of a person (illness, family, occupation) are hidden. The "
        "translator reads much of what each sentence says, and telling words that are not listed"
    ),
}


class StarSettings(MechanismSettings):
    """Options of PRISM*: words to hide and to draw, and the treatment of unknown words.

    ``draw_from`` in [0, 1] is the least sureness of a word that may be drawn as a substitute. By
    default every hidden word may be drawn for a translator that was asked for each word of the
    dictionary. For any other translator the default is the value that the dictionary states, or
    else ``DRAW_FROM``.

    ``hidden_words`` are the content words that are replaced: all, the telling ones
    (``Language.telling``), or none. Identifiers, and terms of the user's glossary, always are.

    ``unknown_words`` decides on a content word outside the dictionary: it is replaced and restored
    as the source word (``source``), its sentence is withheld (``withhold``), or it is sent in clear
    (``keep``). With ``draws`` that are ``plausible``, PRISM* prefers words that public text has
    beside the words that the translator sees, where counts of them ship for the source language.
    With ``uniform`` each word of a pool is equally likely.
    """

    bounds_epsilon: ClassVar[bool] = False
    looks_for_identifiers: ClassVar[bool] = True

    draw_from: float | None = Field(default=None, ge=0, le=1)
    hidden_words: HiddenWords = "all"
    unknown_words: UnknownWords = "source"
    draws: Literal["plausible", "uniform"] = "plausible"

    def figures(self) -> MechanismFigures:
        """Return the figures; see ``MechanismSettings``."""
        return MechanismFigures(
            threshold=self.threshold,
            draw_from=self.draw_from,
            minimum_pool=self.minimum_pool,
            hidden_words=self.hidden_words,
            unknown_words=self.unknown_words,
            draws=self.draws,
        )

    def drawn_from(self, stated: float | None) -> float:
        """Return the least sureness of drawn words; see ``MechanismSettings``."""
        return super().drawn_from(stated) if self.draw_from is None else self.draw_from

    def shown(self) -> str:
        """Return what is sent in clear; see ``MechanismSettings``."""
        return _SHOWN.get(self.hidden_words, "")

    def stronger(self) -> Iterator[Self]:
        """Yield settings with more kinds of words to hide."""
        for kind in _KINDS[_KINDS.index(self.hidden_words) + 1 :]:
            yield self.model_copy(update={"hidden_words": kind})
