"""Sampling of the substitutes of one sentence, with stand-ins for words without an entry.

Entry: ``Draw.draw_free`` a pool, by ``visible_beside`` where draws are plausible ->
``make_replacement``.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING

from prism_core.dictionary import GLOSSARY, Dictionary, Entry
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.mechanisms.base import Forbidden
from prism_core.mechanisms.pools import Pools
from prism_core.mechanisms.word_classes import in_case_of
from prism_core.record import Kind, Replacement

if TYPE_CHECKING:
    from prism_core.mechanisms.plausibility import Plausibility

DRAWS = 100
"""Attempts to draw a substitute that is free."""

Beside = tuple[str, str]
"""Words that the translator sees to the left and the right of a word."""
NOTHING: Beside = ("", "")


def visible_beside(
    sentence: Sentence,
    position: int,
    length: int,
    record: Sequence[Replacement],
    replaced: Container[int],
    language: Language,
) -> Beside:
    """Return what the translator sees to the left and the right of a word, in lower case.

    This is the last substitute of ``record``, or a kept word; it is empty for a word at another of
    the ``replaced`` positions. Articles and similar words count as one (``Language.neutral_form``),
    since only a draw decides which of them is sent.
    """

    def read_kept(index: int) -> str:
        is_kept = 0 <= index < len(sentence.tokens) and index not in replaced
        word = sentence.tokens[index].text.lower() if is_kept else ""
        return language.neutral_form(word)

    left = read_kept(position - 1)
    if record and record[-1].position + record[-1].length == position:
        left = record[-1].substitute.lower()
    return left, read_kept(position + length)


def draw_stand_in(
    sentence: Sentence,
    position: int,
    pools: Pools,
    draw: Draw,
    beside: Beside = NOTHING,
    length: int = 1,
) -> Replacement | None:
    """Draw a substitute for a word without an entry or without a pool."""
    tag, text = sentence.tokens[position].tag, text_at(sentence, position, length)
    pool = pools.for_unknown(tag, text)
    case = case_at(position, text)
    chosen = draw.draw_free(pool, *beside, case)
    if chosen is None:  # the sentence has taken its words
        pool = pools.list_drawn(tag) or pools.list_drawn(pools.coarsest_tag)
        chosen = draw.draw_free(pool, *beside, case)
    return make_replacement(
        text, position, chosen, Kind.UNKNOWN, len(pools.select_hiding(pool)), length
    )


def text_at(sentence: Sentence, position: int, length: int) -> str:
    """Return the ``length`` tokens from ``position`` on, as they are written."""
    if length == 1:
        return sentence.tokens[position].text
    *before, last = sentence.tokens[position : position + length]
    return "".join(token.text + token.whitespace for token in before) + last.text


def make_replacement(
    text: str, position: int, chosen: Entry | None, kind: Kind, pool: int, length: int = 1
) -> Replacement | None:
    """Put ``chosen`` of ``pool`` words in the place of ``text``; None where none was found."""
    if chosen is None:
        return None
    substitute = in_case_of(chosen.word, case_at(position, text))
    return Replacement(position, length, text, substitute, kind, chosen.tag, pool)


def case_at(position: int, text: str) -> str:
    """Return the case pattern for a substitute of ``text``; *X-ray* has no capital."""
    is_letter = position > 0 and text[1:2] == "-" and text[2:].islower()
    return text.lower() if is_letter else text


class Draw:
    """Draws of one sentence: substitutes that differ from each other and from kept words.

    No form of a substitute is one of another substitute or of a kept word, in any reading that the
    ``dictionary`` has of it: decoding could not tell them apart. Nor is a substitute a word of
    ``grammar``, in lower case.

    Where a capital stands, no word of ``names`` is drawn, which are words that are names too
    (*Brown*): a translator would leave it as it is. The capital is sent, so this reveals nothing of
    the word. A word that makes a phrase with a word that the translator sees beside it, by
    ``pairs`` of words (*look* before *for*), is not drawn either: it would come back as something
    else.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        kept: Sequence[Entry],
        forbidden: Forbidden,
        rng: Random,
        plausibility: Plausibility | None = None,
        names: Collection[str] = (),
        pairs: Collection[Beside] = (),
        grammar: Iterable[str] = (),
    ) -> None:
        self._dictionary = dictionary
        self._plausibility = plausibility
        self._pairs = pairs
        self._names = names
        self._words = {*grammar, *(entry.word for entry in kept)}
        self._forms = {form for entry in kept for form in self._list_forms(entry)}
        self._forbidden = forbidden
        self._rng = rng

    def draw_free(
        self, pool: Sequence[Entry], left: str = "", right: str = "", case: str = ""
    ) -> Entry | None:
        """Draw a word of ``pool`` that is free to be sent in this ``case`` (a pattern).

        Without a ``plausibility`` each word is equally likely; with one, the chance depends on the
        words that the translator sees to the ``left`` and the ``right``. Returns None when no free
        word was found.
        """
        has_capital = in_case_of("a", case) != "a"
        for _ in range(DRAWS if pool else 0):
            if self._plausibility is None:
                entry = pool[self._rng.randrange(len(pool))]
            else:
                entry = self._plausibility.draw(pool, left, right, self._rng)
            if has_capital and entry.word in self._names:
                continue
            is_in_phrase = (left, entry.word) in self._pairs or (entry.word, right) in self._pairs
            if not is_in_phrase and self.take_if_free(entry):
                return entry
        return None

    def take_if_free(self, entry: Entry) -> bool:
        """Take ``entry`` if it is free; return True if it was."""
        word = entry.word
        if word in self._words:
            return False
        forms = self._list_forms(entry)
        if not self._forms.isdisjoint(forms) or self._forbidden(word):
            return False
        self._words.add(word)
        self._forms.update(forms)
        return True

    def _list_forms(self, entry: Entry) -> set[str]:
        """List the forms of all readings; a term of the user's glossary decides no draw."""
        senses = self._dictionary.senses(entry.word)
        others = [sense.forms.texts for sense in senses if sense.translator != GLOSSARY]
        return {*entry.forms.texts}.union(*others)
