"""Encoder of mechanisms that decide on every token by chance: one draw, no look-up."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from prism_core.encoding.base import NEVER_SEND, OWN_SCOPE, Encoder, compose, withhold
from prism_core.identifiers import DenyList, Scope
from prism_core.language import Sentence, join_letters
from prism_core.mechanisms import TokenMechanism
from prism_core.record import Encoded


class TokenEncoder(Encoder):
    """Encoder that decides on each token by nothing but the token's own surface.

    ``names`` are always replaced. At most one encoding of a sentence is sent: a second one would
    reveal that a word lost in the answer had been replaced.
    """

    mechanism: TokenMechanism
    most_draws = 1
    looks_for_identifiers = False

    def cut(self, sentence: Sentence, deny_list: DenyList) -> Sentence:  # noqa: ARG002
        """Return ``sentence`` with words that run together joined."""
        return join_letters(sentence, self.dictionary.language)

    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:  # noqa: ARG002
        """Return True for any sentence with a token, since this may not depend on the tokens."""
        return any(token.text.strip() for token in sentence.tokens)

    def encode(
        self,
        sentence: Sentence,
        deny_list: DenyList,
        rng: Random,
        scope: Scope = OWN_SCOPE,  # noqa: ARG002
    ) -> Encoded:
        """Draw once, reading each token alone; withhold only what must never be sent."""
        joined = self.cut(sentence, deny_list)
        selection = self.mechanism.choose(joined, self._finder.find_listed(joined), rng)
        encoded = compose(joined, selection.record, self.dictionary.language)
        reason = selection.withheld
        if not reason and self._leak_check.shows_never_sent(encoded.text):
            reason = NEVER_SEND
        return withhold(encoded, reason) if reason else encoded

    def redraw(
        self,
        sentence: Sentence,
        encoded: Encoded,
        lost: Collection[int],
        deny_list: DenyList,
        rng: Random,
        scope: Scope = OWN_SCOPE,
    ) -> None:
        """Return None: a sentence is sent once."""
