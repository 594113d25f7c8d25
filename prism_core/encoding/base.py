"""What both encoders have in common: how x_pub is composed, and what becomes of an answer.

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
    Way,
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
from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.mechanisms import Mechanism
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.settings import IdentifierClass

VERSION = "10"
"""Raised when the same settings and dictionary would encode differently."""
NEVER_SEND = "never-send"
"""Why a sentence is withheld that shows a term of the user's list."""
UNRESTORED = "unrestored"
"""Why a sentence is withheld that was sent, and did not come back whole."""
OWN_SCOPE = Scope()
"""Of a sentence that shares its surrogates with no other."""


class Encoder(ABC):
    """Encodes and decodes sentences for one language pair. Stateless: H travels in ``Encoded``.

    ``version`` identifies dictionary, mechanism and code; two encoders of one version treat a
    sentence alike. ``most_draws``: different encodings of one sentence that may be sent.
    ``looks_for_identifiers``: names and numbers are recognised, counted and replaced by surrogates.
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
        """``sentence`` with the tokens that ``encode`` replaces or keeps as a whole."""

    def look(self, sentence: Sentence) -> Sentence:
        """``sentence`` as all else may be given it, with the identifiers that it shows by itself:
        they are found once."""
        return self._finder.attach_findings(sentence) if self.looks_for_identifiers else sentence

    @abstractmethod
    def identifiers(self, sentence: Sentence) -> tuple[str, ...]:
        """What ``sentence`` adds to the archive's deny list."""

    def fit(self, cut: Sentence, encoded: Encoded) -> Sentence:  # noqa: ARG002
        """``cut`` with its kept tokens as they are sent in ``encoded``, an encoding of it."""
        return cut

    def add_identifiers(self, deny_list: DenyList, sentences: Iterable[Sentence]) -> DenyList:
        """``deny_list``, with what each of ``sentences`` adds to it."""
        for sentence in sentences:
            for form in self.identifiers(sentence):
                deny_list.add(form)
        return deny_list

    def may_cut(self, sentence: Sentence, parts: Iterable[Sentence]) -> bool:
        """Whether its ``parts`` are as safe as ``sentence``: the identifiers found in them are the
        same, and no term that may never be sent is cut in two."""
        if self._leak_check.shows_never_sent(sentence.text):
            return False
        return self._found(sentence) == [one for part in parts for one in self._found(part)]

    def _found(self, sentence: Sentence) -> list[tuple[str, str]]:
        cut, identifiers = self._finder.find(sentence)
        return [(one.label, one.text_in(cut)) for one in identifiers]

    @abstractmethod
    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:
        """Whether there is anything to translate."""

    @abstractmethod
    def encode(
        self, sentence: Sentence, deny_list: DenyList, rng: Random, scope: Scope = OWN_SCOPE
    ) -> Encoded:
        """x_pub and H of ``sentence``, or ``withheld`` with its reason and nothing to send."""

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
        """``encoded``, the encoding of ``sentence``, with what stands at the positions ``lost``
        alone drawn anew, and never as it was; None where that cannot be, or may not be sent."""

    @abstractmethod
    def remaining(self, encoded: Encoded, deny_list: DenyList) -> Counter[IdentifierClass]:
        """The identifiers that x_pub, as it was stored and sent, shows to one who reads it alone.

        They are those of the sentence itself, and those that the archive knows by now; none where
        nobody looked for them.
        """

    def class_bits(self, encoded: Encoded) -> list[float]:  # noqa: ARG002
        """Bits that the pool of each substitute told of its word, where draws are from pools."""
        return []

    def decode(
        self,
        encoded: Encoded,
        answer: str,
        linked: Mapping[int, Span] | None = None,
        ways: Collection[Way] = tuple(Way),
    ) -> Decoded:
        """y_pri from what came back for ``encoded.text``: that itself, if nothing is undone.

        ``linked``: where the translator says that substitutes stand; see ``link_places``. They are
        looked for in ``ways`` alone.
        """
        if not self.mechanism.restores:
            return Decoded(answer, 0, 0, 0, 0)
        return decode(encoded, answer, self.dictionary, linked, ways)

    def decode_draws(
        self, draws: Sequence[AnsweredDraw], ways: Collection[Way] = tuple(Way)
    ) -> tuple[Encoded, Decoded]:
        """y_pri from all ``draws`` of a sentence together; see ``decoding.decode_draws``."""
        if not self.mechanism.restores:
            return draws[-1].encoded, self.decode(draws[-1].encoded, draws[-1].answer)
        return decode_draws(draws, self.dictionary, ways)

    def encode_again(
        self,
        sentence: Sentence,
        draws: Sequence[AnsweredDraw],
        deny_list: DenyList,
        rng: Random,
        scope: Scope = OWN_SCOPE,
    ) -> Encoded:
        """What to send after ``draws``, none or all that came back and could not be restored.

        The last one with what its answer lost drawn anew, and every other word as it was: a
        translator that drops words sees no second encoding of those that it gave back. Withheld as
        ``UNRESTORED`` where that would be more than ``most_redrawn`` in all, or may not be sent.
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
    """Return how many of ``to_restore`` replacements of a sentence may be drawn anew in all.

    One in four, rounded up. Of an honest answer one or two of eight are lost; more is no
    translation, or one that is made to ask.
    """
    return math.ceil(to_restore / 4)


def compose(
    sentence: Sentence,
    record: Sequence[Replacement],
    language: Language,
    identifiers: Sequence[Identifier] = (),
) -> Encoded:
    """x_pub: the tokens of ``sentence`` with the replacements of ``record`` in their places."""
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
    drawn = tuple(
        (start, start + len(one.substitute))
        for one in record
        if one.kind is not _KEPT
        for start in [starts[one.position] + one.written.index(one.substitute)]
    )
    labels = tuple(identifier.label for identifier in identifiers)
    fates = _fates(sentence, record, identifiers, language)
    return Encoded(text, tuple(record), fates, labels=labels, drawn=drawn)


def adjust_articles(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> Sentence:
    """``sentence`` with each article before something replaced fitted to what stands for that.

    *An* would tell that it began with a vowel; what is written follows from the substitute, which
    is sent anyway. Marks between the two are passed over. A capital letter that is no beginning is
    an article only if it is tagged as one: *vitamin A*.
    """
    forms, lower = language.words.indefinite_articles, map(str.lower, sentence.words)
    articles = {i for i, word in enumerate(lower) if word in forms}
    if not articles:
        return sentence
    tokens = list(sentence.tokens)
    articles -= {i for one in record for i in range(one.position, one.position + one.length)}
    articles -= {i for i in articles if i and _is_letter(tokens[i]) and tokens[i].tag != "DT"}
    for one in record:
        before = one.position - 1
        while before >= 0 and not any(map(str.isalnum, tokens[before].text)):
            before -= 1
        if before in articles:
            text = language.fitting_article(one.substitute)
            if tokens[before].text[0].isupper():  # in capitals only where everything else is
                rest = (token.text for i, token in enumerate(tokens) if i not in articles)
                text = text.upper() if "".join(rest).isupper() else text.capitalize()
            tokens[before] = tokens[before]._replace(text=text)
    return Sentence(tuple(tokens))


def _is_letter(token: Token) -> bool:
    return len(token.text) == 1 and token.text.isupper()


def withhold(encoded: Encoded, reason: str) -> Encoded:
    """``encoded`` with nothing left to send, nor to restore."""
    return Encoded("", (), encoded.fates, withheld=reason, labels=encoded.labels)


_KEPT, _UNKNOWN = Kind.KEPT, Kind.UNKNOWN
_GRAMMAR, _MARK = Fate.GRAMMAR, Fate.MARK


def _fates(
    sentence: Sentence,
    record: Iterable[Replacement],
    identifiers: Iterable[Identifier],
    language: Language,
) -> tuple[Fate, ...]:
    fates: list[Fate | None] = [None] * len(sentence.tokens)
    replaced, unknown, identifier = Fate.REPLACED, Fate.UNKNOWN, Fate.IDENTIFIER
    for replacement in record:
        kind, place, length = replacement.kind, replacement.position, replacement.length
        if kind is not _KEPT:
            fate = unknown if kind is _UNKNOWN else replaced
            fates[place : place + length] = [fate] * length
    for place, length, *_ in identifiers:
        fates[place : place + length] = [identifier] * length
    words = zip(fates, sentence.words, strict=True)
    return tuple(fate or _fate_in_clear(word, language) for fate, word in words)


def _fate_in_clear(word: str, language: Language) -> Fate:
    if language.is_function_word(word):
        return _GRAMMAR
    if not any(map(str.isalnum, word)):
        return _MARK
    parts = word.replace("’", "'").split("'")  # n't and 's have theirs within
    return _GRAMMAR if all(map(language.is_function_word, filter(None, parts))) else Fate.KEPT
