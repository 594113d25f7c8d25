"""The encoder of mechanisms with pools: identifiers out, words replaced, the result checked.

entry: ``PoolEncoder.encode``; then the finder -> surrogates and the mechanism's draft -> compose ->
leak check, again while it objects, or nothing is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import attrgetter
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.encoding.base import NEVER_SEND, OWN_SCOPE, Encoder, compose, withhold
from prism_core.identifiers import (
    DenyList,
    Detector,
    Drawing,
    Identifier,
    KeyedRandom,
    NoSurrogateError,
    RandomFor,
    Scope,
    SurrogateRules,
    Surrogates,
    class_of,
    identifier_text,
    identifiers_of,
    is_part_of_date,
    normal_forms,
    normalise,
    positions,
    remaining,
    secret_of,
    squash,
)
from prism_core.language import Sentence
from prism_core.mechanisms import PoolMechanism
from prism_core.record import Encoded, Kind, Replacement
from prism_core.settings import IdentifierClass

ATTEMPTS = 5
"""Encodings of one sentence that may fail the leak check before it is withheld."""


class PoolEncoder(Encoder):
    """Puts surrogates for identifiers and substitutes for words, and looks whether one leaks.

    ``names`` and what ``detectors`` find are identifiers too. Sentences that show a term of
    ``never``, or hold an identifier of a class of ``withhold``, are not sent.
    """

    mechanism: PoolMechanism
    most_draws = 3
    looks_for_identifiers = True

    def __init__(
        self,
        dictionary: Dictionary,
        mechanism: PoolMechanism,
        names: Iterable[str] = (),
        never: Iterable[str] = (),
        surrogates: SurrogateRules | None = None,
        withhold: Iterable[IdentifierClass] = (),
        detectors: Sequence[Detector] = (),
    ) -> None:
        super().__init__(dictionary, mechanism, names, never, detectors)
        self._surrogates = Surrogates(dictionary, surrogates)
        self._withhold = frozenset(withhold)

    def cut(self, sentence: Sentence, deny_list: DenyList) -> Sentence:
        """``sentence`` with its tokens cut at identifiers."""
        return self._finder.find(sentence, deny_list)[0]

    def identifiers(self, sentence: Sentence) -> tuple[str, ...]:
        """What ``sentence`` adds to the archive's deny list."""
        return self._finder.forms(sentence, dates=not self._surrogates.rules.shifts_dates)

    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:
        """Whether there is anything to translate: more than names, numbers, codes and marks."""
        is_kept = self.dictionary.language.is_function_word
        if any(token.text.islower() and is_kept(token.text) for token in sentence.tokens):
            return True
        cut, identifiers = self._finder.find(sentence, deny_list)
        restored_as_they_are = positions(
            identifier for identifier in identifiers if identifier.kind is not Kind.WORD
        )
        return any(
            position not in restored_as_they_are and any(c.isalpha() for c in token.text)
            for position, token in enumerate(cut.tokens)
        )

    def encode(
        self, sentence: Sentence, deny_list: DenyList, rng: Random, scope: Scope = OWN_SCOPE
    ) -> Encoded:
        """x_pub and H of ``sentence``, or ``withheld`` with its reason and nothing to send.

        Equal identifiers get equal surrogates within the sentence, and within ``scope`` unless
        one may not be sent in this very sentence.

        Reasons: ``never-send`` (the user's list), ``unknown-word`` and ``withheld-class`` (by
        policy), ``no-substitute`` (every draw was forbidden), ``leak`` (the check failed
        ``ATTEMPTS`` times).
        """
        cut, found = self._finder.find(sentence, deny_list)
        identifiers = [
            identifier for identifier in found if _names_something(identifier_text(cut, identifier))
        ]
        if self._withhold and any(
            class_of(identifier.label) in self._withhold for identifier in identifiers
        ):
            return withhold(compose(cut, (), identifiers), "withheld-class")
        shifted = self._surrogates.shifted(cut, identifiers, scope.dates, rng)
        own = [
            identifier_text(cut, identifier)
            for identifier in identifiers
            if identifier.position not in shifted.surrogates
        ]
        own += shifted.own
        reason = "leak"
        for attempt in range(ATTEMPTS):
            forbidden = _Forbidden(cut, own, deny_list, self._finder.is_ordinary)
            random_for = _random_for(scope, attempt, rng)
            drawing = Drawing(
                self._surrogates, cut, random_for, forbidden.surrogate, shifted.surrogates
            )
            draft = self._draft(cut, identifiers, forbidden, drawing, rng)
            if isinstance(draft, str):
                reason = draft
                continue
            encoded = compose(cut, draft, identifiers)
            if self._leak_check.shows_never_sent(encoded.text):
                reason = NEVER_SEND
            elif not self._leak_check.leaks(encoded.text, own, deny_list, self._finder.is_ordinary):
                return encoded
        return withhold(compose(cut, (), identifiers), reason)

    def exchange(
        self,
        sentence: Sentence,
        encoded: Encoded,
        position: int,
        deny_list: DenyList,
        rng: Random,
    ) -> Encoded | None:
        """See ``Encoder.exchange``. The draw is the mechanism's, from the same pool, and what comes
        of it is checked as any encoding is; None too where more is known by now that must not be
        shown, so that ``sentence`` would be encoded otherwise."""
        cut, found = self._finder.find(sentence, deny_list)
        identifiers = [
            identifier for identifier in found if _names_something(identifier_text(cut, identifier))
        ]
        if compose(cut, encoded.record, identifiers).text != encoded.text:
            return None
        moved = self._surrogates.rules.shifts_dates
        own = [
            identifier.word
            for identifier in identifiers_of(encoded)
            if not (moved and is_part_of_date(identifier, self.dictionary.language))
        ]
        forbidden = _Forbidden(cut, own, deny_list, self._finder.is_ordinary)
        drawn = self.mechanism.redraw(
            cut, positions(identifiers), encoded.record, position, forbidden.word, rng
        )
        if drawn is None:
            return None
        record = [drawn if one.position == position else one for one in encoded.record]
        exchanged = compose(cut, record, identifiers)
        shows = self._leak_check.shows_never_sent(exchanged.text) or self._leak_check.leaks(
            exchanged.text, own, deny_list, self._finder.is_ordinary
        )
        return None if shows else exchanged

    def remaining(self, encoded: Encoded, deny_list: DenyList) -> Counter[IdentifierClass]:
        """The identifiers that x_pub, as it was stored and sent, shows to one who reads it alone.

        They are those of the sentence itself, and those that the archive knows by now. Where dates
        are shifted, a day or a year that two of them share tells nothing.
        """
        moved = self._surrogates.rules.shifts_dates
        own = [
            ""
            if moved and is_part_of_date(identifier, self.dictionary.language)
            else identifier.word
            for identifier in identifiers_of(encoded)
        ]
        shown = self._leak_check.shown(encoded.text, own, deny_list, self._finder.is_ordinary)
        return remaining(encoded, shown)

    def _draft(
        self,
        sentence: Sentence,
        identifiers: list[Identifier],
        forbidden: _Forbidden,
        drawing: Drawing,
        rng: Random,
    ) -> list[Replacement] | str:
        draft = self.mechanism.choose(sentence, positions(identifiers), forbidden.word, rng)
        if draft.withheld:
            return draft.withheld
        try:
            surrogates = [
                self._surrogate(sentence, identifier, forbidden, drawing)
                for identifier in identifiers
            ]
        except NoSurrogateError:
            return "no-substitute"
        return sorted([*draft.record, *surrogates], key=attrgetter("position"))

    def _surrogate(
        self,
        sentence: Sentence,
        identifier: Identifier,
        forbidden: _Forbidden,
        drawing: Drawing,
    ) -> Replacement:
        text = identifier_text(sentence, identifier)
        surrogate = drawing.draw(identifier, text)
        forbidden.add(surrogate)
        entry = self.dictionary.calendar_entry(text) if identifier.kind is Kind.WORD else None
        tag = entry.tag if entry else identifier.label
        return Replacement(
            identifier.position, identifier.length, text, surrogate, identifier.kind, tag
        )


def _names_something(text: str) -> bool:
    """Whether ``text`` is more than a mark: the hyphen of a double name is sent as it is."""
    return text.isalnum() or any(map(str.isalnum, text))


def _random_for(scope: Scope, attempt: int, rng: Random) -> RandomFor:
    """What the surrogates of one attempt are drawn from: another one after one that leaked."""
    if scope.identifiers is None:
        return lambda _name: rng
    return KeyedRandom(secret_of(scope.identifiers, "attempt", str(attempt))).of


class _Forbidden:
    """What may not be drawn for one sentence: its own identifiers, and what the archive denies."""

    def __init__(
        self,
        sentence: Sentence,
        own: Sequence[str],
        deny_list: DenyList,
        is_ordinary: Callable[[str], bool],
    ) -> None:
        self._own = {normalise(part) for text in own for part in [text, *text.split()]}
        self._own_squashed = [form for form in map(squash, own) if len(form) > 1]
        self._all_squashed = "\n".join(self._own_squashed)
        self._sentence = sentence
        self._deny_list = deny_list
        self._is_ordinary = is_ordinary
        self._drawn: set[str] = set()

    @cached_property
    def _present(self) -> frozenset[str]:
        return frozenset(normal_forms(self._sentence.words))

    def word(self, word: str) -> bool:
        """For ordinary words: only identifiers count, since more would tell of the original."""
        form = normalise(word)
        if form in self._own:
            return True
        return self._deny_list.has_normal(form) and self._deny_list.covers(
            word.capitalize(), ordinary=self._is_ordinary(word)
        )

    def surrogate(self, text: str) -> bool:
        """For surrogates, which may not show a word of the sentence nor repeat themselves."""
        squashed = squash(text)
        if squashed in self._drawn or normalise(text) in self._present:
            return True
        if text in self._deny_list or self._deny_list.numbers_among((squashed,)):
            return True
        if not self._own_squashed:
            return False
        return squashed in self._all_squashed or any(map(squashed.__contains__, self._own_squashed))

    def add(self, surrogate: str) -> None:
        """Do not draw ``surrogate`` again."""
        self._drawn.add(squash(surrogate))
