"""The last look before anything is sent: does x_pub show something that may not leave?

Independent of how x_pub was made: it reads the finished text alone. One hit and the sentence is
encoded again, then withheld.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from prism_core.identifiers.base import MAIL_DOMAIN, WEB_ADDRESS
from prism_core.identifiers.deny_list import DenyList
from prism_core.identifiers.normal_form import normal_forms, normalise, squash
from prism_core.language.function_words import is_function_word

SHORTEST_SQUASHED = 5
"""Shorter forms are compared as words only: three letters run together occur by chance."""
_WORD = re.compile(r"\w+")
_CONTRACTION = re.compile(r"n['’]t\b|(?<=\w)['’](?:re|ll|ve|s|t|d|m)\b", re.IGNORECASE)
"""Grammar that looks like a word once the apostrophe is gone: *don't* is no Don."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a text shows: places in the list of the sentence's own identifiers, words that the
    archive denies, and whether one of the terms is there that the user never sends. Secret."""

    own: tuple[int, ...] = ()
    denied: tuple[str, ...] = ()
    never_sent: bool = False


class LeakCheck:
    """``never`` are the user's terms that may not be sent in any spelling."""

    def __init__(self, never: Iterable[str] = ()) -> None:
        self._never = tuple(term for term in map(squash, never) if term)

    def shows_never_sent(self, text: str) -> bool:
        """Whether ``text`` shows one of the user's never-send terms, spaced out or not."""
        if not self._never:
            return False
        squashed = squash(text)
        words = {squash(word) for word in _WORD.findall(text)}
        return any(
            term in squashed if len(term) >= SHORTEST_SQUASHED else term in words
            for term in self._never
        )

    def leaks(
        self,
        text: str,
        own: Sequence[str],
        deny_list: DenyList,
        is_ordinary: Callable[[str], bool],
    ) -> bool:
        """Whether ``text`` shows an identifier.

        ``own`` are the identifiers of this very sentence; ``is_ordinary`` tells words that count
        only with the capital they were denied with (dictionary words and function words). The
        reserved domain of surrogate addresses is public, whatever the archive calls its own.
        """
        text, words = _looked_at(text)
        if deny_list.hits(words, is_ordinary):
            return True
        return _shows_own(text, words, own) or self.shows_never_sent(text)

    def shown(
        self,
        text: str,
        own: Sequence[str],
        deny_list: DenyList,
        is_ordinary: Callable[[str], bool],
    ) -> Shown:
        """What of all this ``text`` shows; nothing exactly when ``leaks`` says that it does not."""
        looked_at, words = _looked_at(text)
        hits = deny_list.hits(words, is_ordinary)
        return Shown(
            own=tuple(i for i, one in enumerate(own) if _shows_own(looked_at, words, [one])),
            denied=tuple(words[place] for place in hits),
            never_sent=self.shows_never_sent(looked_at),
        )


def _looked_at(text: str) -> tuple[str, list[str]]:
    """``text`` without what is public or grammar, and its words."""
    for public in (MAIL_DOMAIN, WEB_ADDRESS):
        text = text.replace(public, " ")
    if "'" in text or "’" in text:
        text = _CONTRACTION.sub(" ", text)
    return text, _WORD.findall(text)


def _shows_own(text: str, words: Sequence[str], own: Sequence[str]) -> bool:
    if not own:
        return False
    normal_words = set(normal_forms(words))
    squashed = squash(text)
    for form in own:
        parts = {normalise(part) for part in _WORD.findall(form) if not is_function_word(part)}
        if parts and parts <= normal_words:
            return True
        if len(short := squash(form)) >= SHORTEST_SQUASHED and short in squashed:
            return True
    return False
