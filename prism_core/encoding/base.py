"""Common parts of both encoders: composing x_pub and decoding an answer.

Entry: ``Encoder.needs_translator`` -> ``encode`` (which ends in ``compose`` or ``withhold``) ->
``decode``; ``encode_again`` after answers that could not be restored.
"""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain
from random import Random
from typing import ClassVar

from prism_core.alignment import Span
from prism_core.decoding import (
    AnsweredDraw,
    Decoded,
    SearchStrategy,
    decode,
    decode_draws,
    find_lost,
    find_redrawn,
)
from prism_core.dictionary import Dictionary
from prism_core.identifiers import (
    DenyList,
    Detector,
    Identifier,
    IdentifierFinder,
    LeakCheck,
    Scope,
)
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.mechanisms import Mechanism
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.settings import IdentifierClass

VERSION = "10"
"""Version of the encoding, raised when the same settings and dictionary would encode differently.
"""
NEVER_SEND = "never-send"
"""Reason to withhold a sentence that shows a term of the user's list."""
UNRESTORED = "unrestored"
"""Reason to withhold a sentence that was sent and could not be restored completely."""
OWN_SCOPE = Scope()
"""Scope of a sentence that shares its surrogates with no other."""


class Encoder(ABC):
    """Encoder and decoder of sentences for one language pair. Stateless: H travels in ``Encoded``.

    ``version`` identifies dictionary, mechanism and code; two encoders of one version treat a
    sentence alike. ``most_draws`` is the number of different encodings of one sentence that may be
    sent. ``looks_for_identifiers`` is True if names and numbers are recognised, counted and
    replaced by surrogates.
    """

    most_draws: ClassVar[int]
    looks_for_identifiers: ClassVar[bool]

    def __init__(
        self,
        dictionary: Dictionary,
        mechanism: Mechanism,
        names: Iterable[str] = (),
        never: Iterable[str] = (),
        detectors: Sequence[Detector] = (),
    ) -> None:
        self.dictionary = dictionary
        self.mechanism = mechanism
        self._leak_check = LeakCheck(dictionary.language, never)
        parts = [VERSION, dictionary.digest, *(type(detector).__name__ for detector in detectors)]
        parts += chain.from_iterable(dictionary.names.values())  # some are in no dictionary
        self.version = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]
        self._finder = IdentifierFinder(dictionary, names, detectors, self.version)

    @property
    def bounds_epsilon(self) -> bool:
        """True if the ε of a word is finite.

        Nothing but the mechanism's draws may then decide whether, how often and as what a sentence
        is sent: no other word, no memory, no equal sentence, and not which words were replaced.
        """
        return math.isfinite(self.mechanism.epsilon_word)

    @abstractmethod
    def cut(self, sentence: Sentence, deny_list: DenyList) -> Sentence:
        """Return ``sentence`` with the tokens that ``encode`` replaces or keeps as a whole."""

    def look(self, sentence: Sentence) -> Sentence:
        """Return ``sentence`` with the identifiers it shows by itself, for all further steps."""
        return self._finder.attach_findings(sentence) if self.looks_for_identifiers else sentence

    def identifiers(self, sentence: Sentence) -> tuple[str, ...]:  # noqa: ARG002
        """Return the forms that ``sentence`` adds to the archive's deny list."""
        return ()

    def fit(self, cut: Sentence, encoded: Encoded) -> Sentence:  # noqa: ARG002
        """Return ``cut`` with its kept tokens as they are sent in its encoding ``encoded``."""
        return cut

    def add_identifiers(self, deny_list: DenyList, sentences: Iterable[Sentence]) -> DenyList:
        """Add to ``deny_list`` the identifiers of each of ``sentences``, and return it."""
        for sentence in sentences:
            for form in self.identifiers(sentence):
                deny_list.add(form)
        return deny_list

    def may_cut(self, sentence: Sentence, parts: Iterable[Sentence]) -> bool:
        """Return True if ``parts`` show the same identifiers, and cut no term never to be sent."""
        if self._leak_check.shows_never_sent(sentence.text):
            return False
        return self._find_identifiers(sentence) == [
            identifier for part in parts for identifier in self._find_identifiers(part)
        ]

    def _find_identifiers(self, sentence: Sentence) -> list[tuple[str, str]]:
        cut, identifiers = self._finder.find(sentence)
        return [(identifier.label, identifier.text_in(cut)) for identifier in identifiers]

    @abstractmethod
    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:
        """Return True if there is anything to translate."""

    @abstractmethod
    def encode(
        self, sentence: Sentence, deny_list: DenyList, rng: Random, scope: Scope = OWN_SCOPE
    ) -> Encoded:
        """Return x_pub and H of ``sentence``, or ``withheld`` as the reason to send nothing."""

    @abstractmethod
    def redraw(
        self,
        sentence: Sentence,
        encoded: Encoded,
        lost: Collection[int],
        deny_list: DenyList,
        rng: Random,
        scope: Scope = OWN_SCOPE,
    ) -> Encoded | None:
        """Draw what is ``lost`` of ``encoded`` again, never as before; None if impossible."""

    def remaining(
        self,
        encoded: Encoded,  # noqa: ARG002
        deny_list: DenyList,  # noqa: ARG002
    ) -> Counter[IdentifierClass]:
        """Count the identifiers, also those of the archive, that a reader of x_pub can see."""
        return Counter()

    def class_bits(self, encoded: Encoded) -> list[float]:  # noqa: ARG002
        """Return the bits that the pool of each substitute reveals, where draws are from pools."""
        return []

    def decode(
        self,
        encoded: Encoded,
        answer: str,
        linked: Mapping[int, Span] | None = None,
        strategies: Collection[SearchStrategy] = tuple(SearchStrategy),
    ) -> Decoded:
        """Return y_pri from the answer to ``encoded.text``; the answer if nothing is undone."""
        if not self.mechanism.restores:
            return Decoded(answer, 0, 0, 0, 0)
        return decode(encoded, answer, self.dictionary, linked, strategies)

    def decode_draws(
        self,
        draws: Sequence[AnsweredDraw],
        strategies: Collection[SearchStrategy] = tuple(SearchStrategy),
    ) -> tuple[Encoded, Decoded]:
        """Return y_pri from all ``draws`` of a sentence together; see ``decoding.decode_draws``."""
        if not self.mechanism.restores:
            return draws[-1].encoded, self.decode(draws[-1].encoded, draws[-1].answer)
        return decode_draws(draws, self.dictionary, strategies)

    def encode_again(
        self,
        sentence: Sentence,
        draws: Sequence[AnsweredDraw],
        deny_list: DenyList,
        rng: Random,
        scope: Scope = OWN_SCOPE,
    ) -> Encoded:
        """Return the encoding to send after ``draws`` (none: the first) that were not restored.

        That is the last one, with the words that its answer lost drawn again and every other word
        as it was: a translator that drops words sees no second encoding of those that it gave back.
        The sentence is withheld as ``UNRESTORED`` if more than ``most_redrawn`` words would be
        drawn again in all, or if the result may not be sent.
        """
        if not draws:
            return self.encode(sentence, deny_list, rng, scope)
        last = draws[-1].encoded
        lost = find_lost(draws[-1], self.dictionary)
        again = None
        if lost and len(lost | find_redrawn(draws)) <= most_redrawn(last.to_restore):
            again = self.redraw(sentence, last, lost, deny_list, rng, scope)
        return again or withhold(last, UNRESTORED)


def most_redrawn(to_restore: int) -> int:
    """Return how many of ``to_restore`` replacements of a sentence may be drawn again in all.

    The limit is one in four, rounded up. An honest answer loses one or two of eight. An answer that
    loses more is no translation, or is made to provoke requests.
    """
    return math.ceil(to_restore / 4)


def compose(
    sentence: Sentence,
    record: Sequence[Replacement],
    language: Language,
    identifiers: Sequence[Identifier] = (),
) -> Encoded:
    """Compose x_pub: the tokens of ``sentence`` with the replacements of ``record`` in place."""
    tokens = sentence.tokens
    pieces = [token.text + token.whitespace for token in tokens]
    for replacement in record:
        first, length = replacement.position, replacement.length
        pieces[first] = replacement.written + tokens[first + length - 1].whitespace
        if length > 1:
            pieces[first + 1 : first + length] = [""] * (length - 1)
    whole = "".join(pieces)
    text, cut_off = whole.strip(), len(whole) - len(whole.lstrip())
    starts = list(accumulate(map(len, pieces), initial=-cut_off))
    hidden = [known for known in record if known.kind is not Kind.KEPT]
    begins = [starts[known.position] + known.written.index(known.substitute) for known in hidden]
    ends = (begin + len(known.substitute) for begin, known in zip(begins, hidden, strict=True))
    drawn = tuple(zip(begins, ends, strict=True))
    labels = tuple(identifier.label for identifier in identifiers)
    fates = _find_fates(sentence, record, identifiers, language)
    return Encoded(text, tuple(record), fates, labels=labels, drawn=drawn)


def withhold(encoded: Encoded, reason: str) -> Encoded:
    """Return ``encoded`` with nothing left to send or to restore."""
    return Encoded("", (), encoded.fates, withheld=reason, labels=encoded.labels)


def _find_fates(
    sentence: Sentence,
    record: Iterable[Replacement],
    identifiers: Iterable[Identifier],
    language: Language,
) -> tuple[Fate, ...]:
    """Return what became of each token: of an identifier, of a replaced word, or a kept one."""
    fates: list[Fate | None] = [None] * len(sentence.tokens)
    for replacement in record:
        place, length = replacement.position, replacement.length
        if replacement.kind is not Kind.KEPT:
            fate = Fate.UNKNOWN if replacement.kind is Kind.UNKNOWN else Fate.REPLACED
            fates[place : place + length] = [fate] * length
    for place, length, *_ in identifiers:
        fates[place : place + length] = [Fate.IDENTIFIER] * length
    words = zip(fates, sentence.words, strict=True)
    return tuple(fate or _find_kept_fate(word, language) for fate, word in words)


def _find_kept_fate(word: str, language: Language) -> Fate:
    if language.is_function_word(word):
        return Fate.GRAMMAR
    if not any(map(str.isalnum, word)):
        return Fate.MARK
    parts = word.replace("’", "'").split("'")  # n't and 's contain an apostrophe
    return Fate.GRAMMAR if all(map(language.is_function_word, filter(None, parts))) else Fate.KEPT
