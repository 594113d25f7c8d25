"""The encoder: identifiers out, ordinary words replaced, the result checked, or nothing sent."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from random import Random

from prism_core.decoding import Decoded, decode
from prism_core.dictionary.dictionary import Dictionary
from prism_core.dictionary.parquet import load_dictionary
from prism_core.identifiers import (
    DenyList,
    Detector,
    Drawing,
    Identifier,
    IdentifierFinder,
    KeyedRandom,
    LeakCheck,
    NoSurrogateError,
    RandomFor,
    Scope,
    SurrogateRules,
    Surrogates,
    class_of,
    further_detectors,
    identifier_text,
    identifiers_of,
    is_part_of_date,
    normal_forms,
    normalise,
    positions,
    read_terms,
    remaining,
    secret_of,
    squash,
)
from prism_core.language.function_words import is_function_word
from prism_core.language.resegment import join_letters
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Mechanism, Tagger, make_mechanism
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.resources import shipped_dictionary
from prism_core.settings.identifier_classes import IdentifierClass
from prism_core.settings.sections import Settings

VERSION = "3"
"""Raised when the same settings and dictionary would encode differently."""
MOST_DRAWS = 3
"""Different encodings of one sentence that are sent at most: the first, and two more."""
ATTEMPTS = 5
"""Encodings of one sentence that may fail the leak check before it is withheld."""

_OWN_SCOPE = Scope()
_RULES = SurrogateRules()
NEVER_SEND = "never-send"
"""Why a sentence is withheld that shows a term of the user's list."""


class Encoder:
    """Encodes and decodes sentences for one language pair. Stateless: H travels in ``Encoded``.

    ``version`` identifies dictionary, mechanism and code; two encoders of one version treat a
    sentence alike.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        mechanism: Mechanism,
        names: Iterable[str] = (),
        never: Iterable[str] = (),
        surrogates: SurrogateRules = _RULES,
        withhold: Iterable[IdentifierClass] = (),
        detectors: Sequence[Detector] = (),
    ) -> None:
        self.dictionary = dictionary
        self.mechanism = mechanism
        self._finder = IdentifierFinder(dictionary, names, detectors)
        self._surrogates = Surrogates(dictionary, surrogates)
        self._leak_check = LeakCheck(never)
        self._withhold = frozenset(withhold)
        parts = [VERSION, dictionary.digest, *(type(one).__name__ for one in detectors)]
        self.version = hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]

    @classmethod
    def load(
        cls,
        settings: Settings,
        tagger: Tagger | None = None,
        load: Callable[[Path, str], Dictionary] = load_dictionary,
    ) -> Encoder:
        """The encoder that ``settings`` describe. Raises ``ConfigurationError``.

        ``tagger`` (``LanguageModel.retag``) serves the mechanism that needs one, nested; ``load``
        gives the dictionary at a path for a translator.
        """
        path = settings.dictionary.path or shipped_dictionary(settings.source, settings.target)
        dictionary = load(path, settings.translator.name)
        return cls(
            dictionary,
            make_mechanism(settings.mechanism, dictionary, tagger),
            read_terms(settings.identifiers.names_file),
            read_terms(settings.identifiers.never_send_file),
            SurrogateRules(settings.identifiers.checksums, settings.identifiers.dates == "shift"),
            settings.identifiers.withhold,
            further_detectors(presidio=settings.identifiers.presidio),
        )

    def with_mechanism(self, mechanism: Mechanism) -> Encoder:
        """This encoder, its word lists included, with another ``mechanism``."""
        other = copy(self)
        other.mechanism = mechanism
        return other

    @property
    def most_draws(self) -> int:
        """Different encodings of one sentence that may be sent.

        One alone under a mechanism that treats every token: whether a sentence is sent again would
        tell whether a word that got lost in the answer had been replaced.
        """
        return 1 if self.mechanism.treats_every_token else MOST_DRAWS

    def identifiers(self, sentence: Sentence) -> tuple[str, ...]:
        """What ``sentence`` adds to the archive's deny list."""
        if self.mechanism.treats_every_token:
            return ()
        return self._finder.forms(sentence, dates=not self._surrogates.rules.shifts_dates)

    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:
        """Whether there is anything to translate: more than names, numbers, codes and marks.

        Under a mechanism that treats every token, all sentences with a token do: what is sent may
        not depend on what the tokens are.
        """
        if self.mechanism.treats_every_token:
            return any(token.text.strip() for token in sentence.tokens)
        if any(token.text.islower() and is_function_word(token.text) for token in sentence.tokens):
            return True
        cut, identifiers = self._finder.find(sentence, deny_list)
        restored_as_they_are = positions(one for one in identifiers if one.kind is not Kind.WORD)
        return any(
            position not in restored_as_they_are and any(c.isalpha() for c in token.text)
            for position, token in enumerate(cut.tokens)
        )

    def encode(
        self, sentence: Sentence, deny_list: DenyList, rng: Random, scope: Scope = _OWN_SCOPE
    ) -> Encoded:
        """x_pub and H of ``sentence``, or ``withheld`` with its reason and nothing to send.

        Equal identifiers get equal surrogates within the sentence, and within ``scope`` unless
        one may not be sent in this very sentence.

        Reasons: ``never-send`` (the user's list), ``unknown-word`` and ``withheld-class`` (by
        policy), ``no-substitute`` (every draw was forbidden), ``leak`` (the check failed
        ``ATTEMPTS`` times).
        """
        if self.mechanism.treats_every_token:
            return self._encode_once(sentence, rng)
        cut, found = self._finder.find(sentence, deny_list)
        identifiers = [one for one in found if _names_something(identifier_text(cut, one))]
        if self._withhold and any(class_of(one.label) in self._withhold for one in identifiers):
            return _withheld(cut, identifiers, "withheld-class")
        shifted = self._surrogates.shifted(cut, identifiers, scope.dates, rng)
        own = [
            identifier_text(cut, one)
            for one in identifiers
            if one.position not in shifted.surrogates
        ]
        own += shifted.own
        reason = "leak"
        for attempt in range(ATTEMPTS):
            forbidden = _Forbidden(cut, own, deny_list, self._finder.is_ordinary)
            random_for = _random_for(scope, attempt, rng)
            drawing = self._surrogates.for_sentence(
                cut, random_for, forbidden.surrogate, shifted.surrogates
            )
            draft = self._draft(cut, identifiers, forbidden, drawing, rng)
            if isinstance(draft, str):
                reason = draft
                continue
            encoded = _compose(cut, draft, identifiers)
            if self._leak_check.shows_never_sent(encoded.text):
                reason = NEVER_SEND
            elif not self._leak_check.leaks(encoded.text, own, deny_list, self._finder.is_ordinary):
                return encoded
        return _withheld(cut, identifiers, reason)

    def remaining(self, encoded: Encoded, deny_list: DenyList) -> Counter[IdentifierClass]:
        """The identifiers that x_pub, as it was stored and sent, shows to one who reads it alone.

        They are those of the sentence itself, and those that the archive knows by now. Where dates
        are shifted, a day or a year that two of them share tells nothing.
        """
        moved = self._surrogates.rules.shifts_dates
        own = [
            "" if moved and is_part_of_date(one) else one.word for one in identifiers_of(encoded)
        ]
        shown = self._leak_check.shown(encoded.text, own, deny_list, self._finder.is_ordinary)
        return remaining(encoded, shown)

    def decode(self, encoded: Encoded, answer: str) -> Decoded:
        """y_pri from what came back for ``encoded.text``: that itself, if nothing is undone."""
        if not self.mechanism.restores:
            return Decoded(answer, 0, 0, 0, 0)
        return decode(encoded, answer, self.dictionary)

    def _encode_once(self, sentence: Sentence, rng: Random) -> Encoded:
        """One draw that reads each token alone; withheld only for what is never sent."""
        joined = join_letters(sentence)
        draft = self.mechanism.choose(joined, self._finder.listed(joined), _nothing, rng)
        encoded = _compose(joined, list(draft.record), [])
        reason = draft.withheld
        if not reason and self._leak_check.shows_never_sent(encoded.text):
            reason = NEVER_SEND
        return Encoded("", (), encoded.fates, withheld=reason) if reason else encoded

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
            surrogates = [self._surrogate(sentence, one, forbidden, drawing) for one in identifiers]
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


def _compose(
    sentence: Sentence, record: list[Replacement], identifiers: list[Identifier]
) -> Encoded:
    """x_pub: the tokens of ``sentence`` with the replacements of ``record`` in their places."""
    tokens = sentence.tokens
    pieces = [token.text + token.whitespace for token in tokens]
    for one in record:
        first, length = one.position, one.length
        pieces[first] = _written(one) + tokens[first + length - 1].whitespace
        if length > 1:
            pieces[first + 1 : first + length] = [""] * (length - 1)
    text = "".join(pieces).strip()
    fates = _fates(sentence, record, identifiers)
    return Encoded(text, tuple(record), fates, labels=_labels(identifiers))


def _withheld(sentence: Sentence, identifiers: list[Identifier], reason: str) -> Encoded:
    fates = _fates(sentence, (), identifiers)
    return Encoded("", (), fates, withheld=reason, labels=_labels(identifiers))


def _labels(identifiers: Iterable[Identifier]) -> tuple[str, ...]:
    return tuple(one.label for one in identifiers)


def _written(one: Replacement) -> str:
    if one.space_before or one.space_after:
        return " " * one.space_before + one.substitute + " " * one.space_after
    return one.substitute


def _nothing(_word: str) -> bool:
    """For a mechanism that may not know of other words: no word is forbidden."""
    return False


_KEPT, _UNKNOWN = Kind.KEPT, Kind.UNKNOWN


def _fates(
    sentence: Sentence, record: Iterable[Replacement], identifiers: list[Identifier]
) -> tuple[Fate, ...]:
    fates = [Fate.KEPT] * len(sentence.tokens)
    replaced, unknown, identifier = Fate.REPLACED, Fate.UNKNOWN, Fate.IDENTIFIER
    for one in record:
        kind, place, length = one.kind, one.position, one.length
        if kind is not _KEPT:
            fate = unknown if kind is _UNKNOWN else replaced
            fates[place : place + length] = [fate] * length
    for place, length, *_ in identifiers:
        fates[place : place + length] = [identifier] * length
    return tuple(fates)
