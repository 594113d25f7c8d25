"""Archive as it is sent, together with what its judge knows.

Entry: an ``Observer``: ``observe``, ``observe_decoys`` and ``observe_repeats`` encode as the main
job does, and look up the pool of each replaced word; ``mark_guessed`` adds the guesses.
``observe_controls`` encodes other words in their places, to see what chance is;
``observe_probe`` what an attack makes up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from prism_core.encoding import Encoder
from prism_core.errors import PrismError
from prism_core.evaluation.adversaries.base import (
    DECOY,
    Hidden,
    Original,
    ProbeArchive,
    Repeated,
    Request,
    SentRequest,
    Words,
)
from prism_core.evaluation.adversaries.public_rules import Guess, PublicPools
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.mechanisms import PoolMechanism, in_case_of
from prism_core.record import Encoded, Kind, Replacement

Documents = Sequence[Sequence[Sentence]]
_MANY = 1_000_000
"""Number of choices for codes and addresses, which nobody guesses."""


@dataclass(frozen=True)
class Observer:
    """Observer that encodes as the main job does, and records what the judge must know.

    ``pools`` and ``guess`` follow the public rules of the encoder's mechanism.
    """

    encoder: Encoder
    pools: PublicPools
    guess: Guess
    rng: Random
    deny_list: DenyList

    def observe(self, documents: Documents) -> Iterator[SentRequest]:
        """Yield the requests for ``documents``, in order; equal sentences once."""
        seen: set[str] = set()
        at = 0
        for number, document in enumerate(documents):
            made = []
            for sentence in document:
                text = sentence.text.strip()
                if text not in seen:
                    seen.add(text)
                    made += self._observe_sentence(number, at, sentence)
                at += 1
            yield from mark_guessed(made, self.guess)

    def observe_controls(self, documents: Documents, count: int) -> list[list[SentRequest]]:
        """Return what would be sent of ``documents`` with other words, ``count`` times.

        The judge's words are those of ``documents``, in the same places. None for a mechanism that
        treats other words otherwise.
        """
        if not self.encoder.mechanism.public_rules.draws_blindly:
            return []
        controls: list[list[SentRequest]] = [[] for _ in range(count)]
        seen: set[str] = set()
        at = 0
        for number, document in enumerate(documents):
            made: list[list[SentRequest]] = [[] for _ in controls]
            for sentence in document:
                text = sentence.text.strip()
                looked_at = sentence if text in seen else self._look(sentence)
                own = None if text in seen else self.encode(looked_at)
                seen.add(text)
                if own:
                    for control in made:
                        other = self._encode_other(looked_at, own)
                        control.append(self._request(number, at, *other, own))
                at += 1
            for control, sent in zip(controls, made, strict=True):
                control += mark_guessed(sent, self.guess)
        return controls

    def observe_decoys(self, sentences: Iterable[Sentence]) -> Iterator[SentRequest]:
        """Yield the requests for public ``sentences``, encoded without knowing the archive."""
        blind = replace(self, deny_list=DenyList())
        made = [
            request
            for public in sentences
            for request in blind._observe_sentence(DECOY, None, public)
        ]
        for sent in made:
            yield from mark_guessed([sent], self.guess)

    def observe_repeats(
        self, sentences: Iterable[Sentence], nights: int, *, control: bool = False
    ) -> Iterator[Repeated]:
        """Yield the replaced words of ``sentences``, each encoded afresh for so many ``nights``.

        They are those of the first night; where a later night kept one, it stands itself. As a
        ``control`` other words were encoded in their places, the same ones every night.
        """
        for sentence in map(self._look, sentences):
            own = self.encode(sentence)
            if own is None:
                continue
            shown, first = (sentence, own) if not control else self._encode_other(sentence, own)
            looked_at = self._look(shown)
            later = (self.encode(looked_at, is_sent=True) for _ in range(1, nights))
            drawn = [first, *(encoded for encoded in later if encoded)]
            if len(drawn) < nights:
                continue
            records = [
                {replacement.position: replacement for replacement in night.record}
                for night in drawn
            ]
            for replacement in [kept for kept in own.record if kept.kind is not Kind.KEPT]:
                draws = [night.get(replacement.position) for night in records]
                written = tuple(draw.substitute if draw else replacement.word for draw in draws)
                yield Repeated(replacement.word, replacement.kind, written, choices_of(replacement))

    def observe_probe(
        self, family: str, secret: str, sentences: Iterable[Sentence]
    ) -> ProbeArchive:
        """Encode ``sentences``, each alone, as a probe; withheld ones leave nothing."""
        sent = (self.encode(sentence, is_sent=True) for sentence in sentences)
        return ProbeArchive(family, secret, tuple(encoded.text for encoded in sent if encoded))

    def encode(self, sentence: Sentence, *, is_sent: bool = False) -> Encoded | None:
        """Encode ``sentence`` as it would be sent; None if nothing is sent.

        One that breaks the encoder is withheld, as the job withholds it. Whether anything of it
        need be translated is not asked where it ``is_sent`` in any case.
        """
        try:
            if not (is_sent or self.encoder.needs_translator(sentence, self.deny_list)):
                return None
            encoded = self.encoder.encode(sentence, self.deny_list, self.rng)
        except PrismError:
            raise
        except Exception:  # noqa: BLE001 (one odd sentence; the others are attacked all the same)
            return None
        return None if encoded.withheld else encoded

    def _look(self, sentence: Sentence) -> Sentence:
        """Find the identifiers of ``sentence``, once for all its encodings.

        One that breaks the encoder stays as it is, for ``encode`` to withhold.
        """
        try:
            return sentence if sentence.found else self.encoder.look(sentence)
        except Exception:  # noqa: BLE001 (see ``encode``)
            return sentence

    def _observe_sentence(
        self, document: int, at: int | None, sentence: Sentence
    ) -> list[SentRequest]:
        sentence = self._look(sentence)
        encoded = self.encode(sentence)
        if encoded is None:
            return []
        cut = self.encoder.cut(sentence, self.deny_list)
        return [self._request(document, at, cut, encoded, encoded)]

    def _request(
        self, document: int, at: int | None, cut: Sentence, encoded: Encoded, own: Encoded
    ) -> SentRequest:
        """Build the request of ``cut``; ``own`` holds the words that the judge expects."""
        tokens = tokens_sent(self.encoder.fit(cut, encoded), encoded)
        places = {position: place for place, (position, _) in enumerate(tokens)}
        words = {replacement.position: replacement.word for replacement in own.record}
        record = [
            replacement for replacement in encoded.record if replacement.kind is not Kind.KEPT
        ]
        spell = self.pools.spell
        hidden = tuple(
            Hidden(
                document,
                (document, at),
                spell(words[replacement.position]),
                spell(replacement.substitute),
                *self.pools.find(cut, replacement),
                places[replacement.position],
                self._shown_class(replacement),
            )
            for replacement in record
            if replacement.pool
        )
        request = Request(tuple(text for _, text in tokens), frozenset())
        replaced = frozenset(places[replacement.position] for replacement in record)
        return SentRequest(request, document, at, replaced, hidden)

    def _shown_class(self, replacement: Replacement) -> str:
        mechanism = self.encoder.mechanism
        return mechanism.shown_class(replacement) if isinstance(mechanism, PoolMechanism) else ""

    def _encode_other(self, sentence: Sentence, own: Encoded) -> tuple[Sentence, Encoded]:
        """Encode ``sentence``, cut, with other words that are treated alike.

        Each word that ``own`` replaced becomes one of those that draw from its pool, by chance. One
        that would then be treated otherwise stays: it makes a phrase with the next, or is a name.
        """
        cut = self.encoder.cut(sentence, self.deny_list)
        treated = self._treated(cut, own)
        others = {
            replacement.position: in_case_of(self.rng.choice(words), replacement.word)
            for replacement in own.record
            if replacement.pool and replacement.length == 1
            if (words := self.pools.find(cut, replacement)[0].single)
        }
        while others:
            shown = Sentence(
                tuple(
                    token._replace(text=others.get(position, token.text))
                    for position, token in enumerate(cut.tokens)
                )
            )
            encoded = self.encode(shown)
            if encoded and len(encoded.fates) != len(shown.tokens):  # a name or number within
                shown = self.encoder.cut(shown, self.deny_list)
            differing = treated ^ self._treated(shown, encoded) if encoded else treated
            if encoded and not differing:
                return shown, encoded
            moved = {position for position, _ in differing} & others.keys()
            for position in moved or list(others):
                del others[position]
        return cut, self.encode(sentence) or own

    def _treated(self, cut: Sentence, encoded: Encoded) -> set[tuple[int, Hashable]]:
        """Return the place of each replacement with its length, kind and pool."""
        return {
            (
                replacement.position,
                (
                    replacement.length,
                    replacement.kind,
                    replacement.pool and self.pools.find(cut, replacement)[0],
                ),
            )
            for replacement in encoded.record
        }


def mark_guessed(made: Sequence[SentRequest], guess: Guess) -> Iterator[SentRequest]:
    """Mark in the requests of one document the places that ``guess`` takes for substitutes."""
    found: list[set[int]] = [set() for _ in made]
    for index, position in guess([sent.request.tokens for sent in made]):
        found[index].add(position)
    for sent, places in zip(made, found, strict=True):
        yield replace(sent, request=Request(sent.request.tokens, frozenset(places)))


def originals(documents: Documents) -> tuple[Original, ...]:
    """Return every sentence of ``documents``, in order."""
    return tuple(
        Original(number, words(sentence))
        for number, document in enumerate(documents)
        for sentence in document
    )


def words(sentence: Sentence) -> Words:
    """Return the tokens of ``sentence``, without white space."""
    return tuple(token.text for token in sentence.tokens if token.text.strip())


def choices_of(replacement: Replacement) -> int:
    """Count the choices of a blind guess at ``replacement``: its pool, or all its shapes."""
    if replacement.pool:
        return replacement.pool
    digits = sum(c.isdigit() for c in replacement.word)
    if replacement.kind is not Kind.NUMBER or not digits:
        return _MANY
    return 10 if digits == 1 else int(9 * 10 ** (digits - 1))


def tokens_sent(sentence: Sentence, encoded: Encoded) -> list[tuple[int, str]]:
    """Return the sent tokens with their positions in ``sentence``, without white space."""
    replaced = {replacement.position: replacement for replacement in encoded.record}
    tokens, position = [], 0
    while position < len(sentence.tokens):
        replacement = replaced.get(position)
        text = replacement.substitute if replacement else sentence.tokens[position].text
        if text.strip():
            tokens.append((position, text))
        position += replacement.length if replacement else 1
    return tokens
