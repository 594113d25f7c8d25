"""PRISM* (Algorithm 2 of the paper) with a public threshold on the words that may be drawn.

Entry: ``make_prism_star``; then ``choose``: classes of the words -> words to hide -> a draw from
the pool of each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from inspect import cleandoc
from random import Random
from typing import TYPE_CHECKING, Literal

from prism_core.dictionary import Dictionary, Entry
from prism_core.language import Sentence, Token
from prism_core.mechanisms.base import (
    Forbidden,
    MechanismSpec,
    PoolMechanism,
    PublicRules,
    Selection,
    Tagger,
)
from prism_core.mechanisms.pools import NO_POOL, Pool, Pools
from prism_core.mechanisms.sampling import (
    Draw,
    case_at,
    draw_stand_in,
    make_replacement,
    text_at,
    visible_beside,
)
from prism_core.mechanisms.star_settings import StarSettings, UnknownWords
from prism_core.mechanisms.word_classes import (
    GRAMMAR,
    WordClass,
    WordClasses,
    list_lower_words,
)
from prism_core.record import Kind, Replacement, Surface
from prism_core.settings import HiddenWords

if TYPE_CHECKING:
    from prism_core.mechanisms.plausibility import Plausibility

_LIKELY_PHRASE = 0.5
"""Least confidence of several words that are a phrase under any higher τ.

Word by word they would be hidden as well, and would come back as something else.
"""


class PrismStarSettings(StarSettings):
    """The ``[mechanism]`` table of prism-star."""

    name: Literal["prism-star"] = "prism-star"


class PrismStarThreshold(PoolMechanism):
    """The default PRISM*, by pools; without ``phrases`` each token is replaced by itself."""

    name = "prism-star-threshold"
    guarantee = cleandoc("""
    Every word but those of grammar is replaced by a draw from its pool.

    A word may be drawn if its confidence is at least τ. Kept are function words and phrases of
    grammar alone.

    Guarantee: given the slot (tag, case, agreement class), the
    substitute is independent of the word, so each replaced word is hidden perfectly among the
    words of its pool (ε = 0 within the pool; no claim across pools, none for kept words, and none
    for sentence structure). The substitute may equal the word by chance: to exclude it would tell
    what the word is not. Draws are repeated only for kept words, for the substitutes before it,
    which the translator sees anyway, and for words that are identifiers in this archive; never for
    a reason that depends on the word.

    Drawn are the words of the pool that the translator writes most surely (``draw_from``), so
    fewer words are drawn than may stand behind each: every word of the pool is replaced by the
    same draw, whether it is itself drawn or not. A plausible draw prefers words that
    public text has beside those that the translator sees there: kept words, and substitutes
    drawn before. The weights follow from the pool and these words, never from the word itself.
    Where a capital stands, which is sent, no word is drawn that is a public name too, and none that
    makes a phrase of the dictionary with a word that is seen beside it.

    Two places never get the same substitute, whether they hold the same word or not: a sentence
    tells by none of them that it has a word twice. Nor do they get two that have a translation in
    common, in any part of speech. Where it has taken the words of a pool, which
    it shows, any other of the same tag is drawn.

    With ``hidden_words = "telling"`` only words of the public list of words that tell something of
    a person are replaced, and words that no public list has; with ``"none"`` only identifiers and
    terms of the user's glossary are. Nothing is claimed for the other words, which are sent as they
    are. A replaced word is then hidden among the telling words of its pool: that a word was
    replaced tells that it is one of them.

    ``hidden_words``, ``threshold`` τ, ``draw_from`` and ``minimum_pool`` are public. A word whose
    widest pool is smaller than ``minimum_pool`` is hidden as an unknown one is. Without
    ``phrases`` each token is replaced by itself.
    """)

    def __init__(
        self,
        dictionary: Dictionary,
        threshold: float,
        minimum_pool: int,
        unknown_words: UnknownWords,
        *,
        hidden_words: HiddenWords = "all",
        draw_from: float = 0.0,
        phrases: bool = True,
        plausibility: Plausibility | None = None,
    ) -> None:
        self._dictionary = dictionary
        self._plausibility = plausibility
        self._threshold = threshold
        self._draw_from = draw_from
        self._minimum_pool = minimum_pool
        phrases_from = min(threshold, _LIKELY_PHRASE) if phrases else math.inf
        self._classes = WordClasses(dictionary, phrases_from=phrases_from)
        self._pools = Pools(dictionary, threshold, minimum_pool, draw_from, hidden_words)
        self._hidden_words = hidden_words
        self._unknown_words = unknown_words

    @property
    def public_rules(self) -> PublicRules:
        """τ, the source of draws, and the least size of a pool."""
        return PublicRules(
            threshold=self._threshold,
            draw_from=self._draw_from,
            minimum_pool=self._minimum_pool,
            hidden_words=self._hidden_words,
        )

    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Selection:
        """Replace every eligible word; see ``PoolMechanism.choose``."""
        hidden, kept, grammar = self._select_hidden(sentence, identifiers)
        if self._unknown_words == "withhold" and not all(
            self._is_known(sentence.tokens[position], word) for position, word in hidden.items()
        ):
            return Selection((), withheld="unknown-word")
        draw = self._open_draw(kept, grammar, forbidden, rng)
        record: list[Replacement] = []
        replaced = identifiers.union(hidden)
        for position, word in hidden.items():
            replacement = self._replace(sentence, position, word, record, replaced, draw)
            if replacement is None:
                return Selection((), withheld="no-substitute")
            record.append(replacement)
        return Selection(tuple(record))

    def redraw(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        record: Sequence[Replacement],
        position: int,
        forbidden: Forbidden,
        rng: Random,
    ) -> Replacement | None:
        """Draw another word of the same pool for the substitute at ``position``, in the same way.

        See ``PoolMechanism.redraw``. The choice depends only on the pool, on what the translator
        sees beside the place, and on the substitutes that it has seen.
        """
        hidden, kept, grammar = self._select_hidden(sentence, identifiers)
        if position not in hidden:
            return None
        words = [replacement for replacement in record if replacement.position in hidden]
        shown = [self._dictionary.find(word.substitute, word.drawn_as) for word in words]
        seen = [entry for entry in shown if entry is not None]
        draw = self._open_draw([*kept, *seen], grammar, forbidden, rng)
        before = [replacement for replacement in words if replacement.position < position]
        replaced = identifiers.union(hidden)
        return self._replace(sentence, position, hidden[position], before, replaced, draw)

    def shown_class(self, replacement: Replacement) -> str:
        """Name the pool that the substitute is from; see ``PoolMechanism.shown_class``."""
        return f"{replacement.drawn_as}/{self._pools.number(self._pool_shown(replacement))}"

    def class_bits(self, replacement: Replacement) -> float:
        """Return log2 of the words of the tag over those behind the pool; see ``PoolMechanism``."""
        behind = len(self._pool_shown(replacement).behind)
        return math.log2(self._pools.count_hidden(replacement.drawn_as) / behind) if behind else 0.0

    def _pool_shown(self, replacement: Replacement) -> Pool:
        entry = self._dictionary.find(replacement.substitute, replacement.drawn_as)
        return NO_POOL if entry is None else self._pools.find_shown(entry)

    def _open_draw(
        self, kept: Sequence[Entry], grammar: Sequence[str], forbidden: Forbidden, rng: Random
    ) -> Draw:
        names, pairs = self._pools.names, self._classes.pairs
        dictionary, plausibility = self._dictionary, self._plausibility
        return Draw(dictionary, kept, forbidden, rng, plausibility, names, pairs, grammar)

    def _select_hidden(
        self, sentence: Sentence, identifiers: frozenset[int]
    ) -> tuple[dict[int, WordClass], Sequence[Entry], Sequence[str]]:
        """Return the words to hide by position, the entries of kept words, and grammar.

        Grammar is in lower case: the words that are kept for a phrase alone (*accordance*).
        """
        tokens, words = sentence.tokens, dict[int, WordClass]()
        is_kept = self._dictionary.language.is_function_word
        grammar: list[str] = []
        for position, word in self._classes.classify_all(sentence, identifiers).items():
            if word is not GRAMMAR:
                words[position] = word
            elif not is_kept(tokens[position].text):
                grammar.append(tokens[position].text.lower())
        named = list_lower_words(sentence, identifiers)
        hidden = {
            position: word
            for position, word in words.items()
            if self._is_hidden(tokens[position : position + word.length], word, named)
        }
        kept = (word.entry for position, word in words.items() if position not in hidden)
        return hidden, list(filter(None, kept)), grammar

    def _is_hidden(self, tokens: Sequence[Token], word: WordClass, named: Set[str]) -> bool:
        """Return True if ``word``, which is ``tokens``, is replaced.

        Where not all words are, a word of one of the ``named`` identifiers is: the leak check finds
        it wherever it stands.
        """
        first, entry = tokens[0], word.entry
        if not self._is_known(first, word) and self._unknown_words != "source":
            return self._unknown_words == "withhold"
        if self._hidden_words == "all":
            return True
        if not named.isdisjoint(token.text.lower() for token in tokens):
            return True
        return self._pools.hides_unknown(first.text) if entry is None else self._pools.hides(entry)

    def _is_known(self, token: Token, word: WordClass) -> bool:
        """Return True if the word hides in its own pool: not below τ for a possible name."""
        if word.entry is None:
            return False
        may_be_name = token.tag in ("NNP", "NNPS") or token.entity != ""
        return word.entry.confidence >= self._threshold or not may_be_name

    def _replace(
        self,
        sentence: Sentence,
        position: int,
        word: WordClass,
        before: Sequence[Replacement],
        replaced: frozenset[int],
        draw: Draw,
    ) -> Replacement | None:
        """Draw a substitute from the pool of ``word``, or as for an unknown word if it has none.

        Words ``before`` it have theirs; those at ``replaced`` positions have one or will have.
        """
        entry, language = word.entry, self._dictionary.language
        beside = visible_beside(sentence, position, word.length, before, replaced, language)
        if entry is None:
            return draw_stand_in(sentence, position, self._pools, draw, beside, word.length)
        token = sentence.tokens[position]
        hiding = entry._replace(tag=word.hides_as) if word.hides_as else entry
        pool = self._pools.for_entry(hiding) if self._is_known(token, word) else NO_POOL
        if not (pool.drawn and self._pools.fits_place(hiding, token.tag)):
            stand_in = draw_stand_in(sentence, position, self._pools, draw, beside, word.length)
            # The text to restore is known.
            return stand_in and stand_in._replace(tag=entry.tag, surface=Surface(stand_in.tag))
        text = text_at(sentence, position, word.length)
        case = case_at(position, text)
        chosen = draw.draw_free(pool.drawn, *beside, case)
        if chosen is None:  # the sentence has taken its words: a list, or a word many times
            chosen = draw.draw_free(self._pools.list_drawn(hiding.tag), *beside, case)
        if chosen is None:
            return None
        hidden_among = len(pool.behind)
        if chosen.agreement != entry.agreement:
            hidden_among = self._pools.count_behind(chosen)
        made = make_replacement(text, position, chosen, Kind.WORD, hidden_among, word.length)
        if made and word.hides_as:  # restored under its own tag
            return made._replace(tag=entry.tag, surface=Surface(chosen.tag))
        return made


def make_prism_star(
    settings: StarSettings, dictionary: Dictionary, _tagger: Tagger | None = None
) -> PrismStarThreshold:
    """Make PRISM* as ``settings`` ask."""
    plausibility = None
    if settings.draws == "plausible":
        from prism_core.mechanisms.plausibility import load_plausibility  # numpy, where it is used

        plausibility = load_plausibility(dictionary.language)
    return PrismStarThreshold(
        dictionary,
        settings.threshold,
        settings.minimum_pool,
        settings.unknown_words,
        hidden_words=settings.hidden_words,
        draw_from=settings.drawn_from(dictionary.draw_from),
        plausibility=plausibility,
    )


MECHANISM = MechanismSpec(PrismStarSettings, make_prism_star)
