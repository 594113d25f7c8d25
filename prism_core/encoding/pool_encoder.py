"""The encoder of mechanisms with pools: identifiers out, words replaced, the result checked.

entry: ``PoolEncoder.encode``; then the finder -> surrogates and the mechanism's draft -> compose ->
leak check, again while it objects, or nothing is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.encoding.base import (
    NEVER_SEND,
    OWN_SCOPE,
    Encoder,
    adjust_articles,
    compose,
    withhold,
)
from prism_core.encoding.elision import accent_verbs, fit_elisions, read_pronouns
from prism_core.encoding.possessives import fit_possessives
from prism_core.identifiers import (
    DenyList,
    Detector,
    ForbiddenWords,
    Identifier,
    Leaks,
    RandomFactory,
    Scope,
    SentenceSurrogates,
    SurrogateRules,
    Surrogates,
    class_of,
    count_remaining,
    normalise,
    squash,
    token_positions,
)
from prism_core.language import Sentence
from prism_core.mechanisms import PoolMechanism
from prism_core.record import Encoded, Fate, Kind, Replacement
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
        """``sentence`` with its tokens cut at identifiers, and tagged as it is encoded."""
        return self._find(sentence, deny_list)[0]

    def fit(self, cut: Sentence, encoded: Encoded) -> Sentence:
        """See ``fit_possessives``, ``adjust_articles`` and ``fit_elisions``, in this order."""
        return self._fit(next(self._readings(cut, encoded), cut), encoded.record)

    def _fit(self, cut: Sentence, record: Sequence[Replacement]) -> Sentence:
        language = self.dictionary.language
        for fit in (fit_possessives, adjust_articles, fit_elisions):
            cut = fit(cut, record, language)
        return cut

    def _readings(self, cut: Sentence, encoded: Encoded) -> Iterator[Sentence]:
        """``cut`` with its pronouns as they may have been read when ``encoded`` was made."""
        for reading in read_pronouns(cut, encoded.record, self.dictionary.language):
            if self._compose(reading, encoded.record, ()).text == encoded.text:
                yield reading

    def identifiers(self, sentence: Sentence) -> tuple[str, ...]:
        """What ``sentence`` adds to the archive's deny list."""
        return self._finder.collect_denied_forms(
            sentence, dates=not self._surrogates.rules.shifts_dates
        )

    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:
        """Whether there is anything to translate: more than names, numbers, codes and marks."""
        is_kept = self.dictionary.language.is_function_word
        if any(token.text.islower() and is_kept(token.text) for token in sentence.tokens):
            return True
        cut, identifiers = self._find(sentence, deny_list)
        restored_as_they_are = token_positions(
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
        cut, identifiers = self._find(sentence, deny_list)
        if not self._withhold.isdisjoint(class_of(one.label) for one in identifiers):
            nothing = compose(cut, (), self.dictionary.language, identifiers)
            return withhold(nothing, "withheld-class")
        shifted = self._surrogates.shift_dates(cut, identifiers, scope.dates, rng)
        own: tuple[list[str], list[str]] = [], [*shifted.own]
        for one in identifiers:
            if one.position not in shifted.surrogates:
                text = one.text_in(cut)
                own[self._surrogates.draws_blindly(one.label, one.kind, text)].append(text)
        reason, forbidden, hidden = "leak", ForbiddenWords(own[0]), token_positions(identifiers)
        for attempt in range(ATTEMPTS):
            draft = self.mechanism.choose(cut, hidden, forbidden.forbids_word, rng)
            surrogates: list[Replacement] | None = []
            if identifiers and not draft.withheld:
                shown = forbidden.forbid_beside(_visible_words(cut, draft.record, hidden))
                random_for = scope.random_for(attempt, rng)
                drawing = SentenceSurrogates(
                    self._surrogates, cut, random_for, shown, shifted.surrogates
                )
                surrogates = drawing.replace(identifiers)
            if draft.withheld or surrogates is None:
                reason = draft.withheld or "no-substitute"
                continue
            record = sorted([*draft.record, *surrogates], key=attrgetter("position"))
            readings = list(read_pronouns(cut, record, self.dictionary.language))
            reading = rng.choice(readings) if len(readings) > 1 else readings[0]
            encoded = self._compose(reading, record, identifiers)
            if self._leak_check.shows_never_sent(encoded.text):
                reason = NEVER_SEND
            elif not self._shown(encoded, own, deny_list):
                return encoded
        return withhold(compose(cut, (), self.dictionary.language, identifiers), reason)

    def redraw(
        self,
        sentence: Sentence,
        encoded: Encoded,
        lost: Collection[int],
        deny_list: DenyList,
        rng: Random,
        scope: Scope = OWN_SCOPE,
    ) -> Encoded | None:
        """See ``Encoder.redraw``. Words are drawn by the mechanism, from the same pools, and
        surrogates as in ``encode``; what comes of it is checked as any encoding is.

        None too where more is known by now that must not be shown, so that ``sentence`` would be
        encoded otherwise, and for a date that is shifted: there is but one for it.
        """
        cut, identifiers = self._find(sentence, deny_list)
        readings = list(self._readings(cut, encoded))
        if not readings:
            return None
        cut = rng.choice(readings) if len(readings) > 1 else readings[0]
        shifted = self._surrogates.shift_dates(cut, identifiers, scope.dates, rng)
        if not shifted.surrogates.keys().isdisjoint(lost):
            return None
        own = self._surrogates.list_hidden_texts(encoded)
        forbidden = ForbiddenWords(list(filter(None, own[0])))
        for attempt in range(ATTEMPTS):
            words = self._redraw_words(cut, identifiers, encoded, lost, forbidden, rng)
            if words is None:
                return None
            random_for = scope.random_for(attempt, rng)
            surrogates = self._redraw_surrogates(
                cut, identifiers, encoded, lost, forbidden, random_for
            )
            if surrogates is None:
                continue
            record = [surrogates.get(one.position, one) for one in words]
            again = self._compose(cut, record, identifiers)
            if not self._shown(again, own, deny_list):
                return again
        return None

    def _compose(
        self, cut: Sentence, record: Sequence[Replacement], identifiers: Sequence[Identifier]
    ) -> Encoded:
        """See ``compose``; kept tokens stand as they are sent beside the substitutes."""
        language = self.dictionary.language
        written = accent_verbs(cut, record, language)
        return compose(self._fit(cut, written), written, language, identifiers)

    def _redraw_words(
        self,
        cut: Sentence,
        identifiers: Sequence[Identifier],
        encoded: Encoded,
        lost: Collection[int],
        forbidden: ForbiddenWords,
        rng: Random,
    ) -> list[Replacement] | None:
        """The record of ``encoded`` with other words for those that were ``lost``, one by one."""
        record = list(encoded.record)
        for index, one in enumerate(record):
            if one.position in lost and encoded.fates[one.position] is not Fate.IDENTIFIER:
                drawn = self.mechanism.redraw(
                    cut,
                    token_positions(identifiers),
                    record,
                    one.position,
                    forbidden.forbids_word,
                    rng,
                )
                if drawn is None:
                    return None
                record[index] = drawn
        return record

    def _redraw_surrogates(
        self,
        cut: Sentence,
        identifiers: Sequence[Identifier],
        encoded: Encoded,
        lost: Collection[int],
        forbidden: ForbiddenWords,
        random_for: RandomFactory,
    ) -> dict[int, Replacement] | None:
        """Others for the surrogates of ``encoded`` that were ``lost``, by position; equal
        identifiers get equal ones again, and none is one that the sentence was sent with."""
        was = {one.position: one for one in encoded.record}
        places = [one for one in identifiers if one.position in was]
        anew = {normalise(one.text_in(cut)) for one in places if one.position in lost}
        shown = {squash(was[one.position].substitute) for one in places}

        visible = _visible_words(cut, encoded.record, token_positions(identifiers))
        is_beside = forbidden.forbid_beside(visible)

        def is_forbidden(text: str) -> bool:
            return squash(text) in shown or is_beside(text)

        drawing = SentenceSurrogates(self._surrogates, cut, random_for, is_forbidden)
        drawn = drawing.replace(one for one in places if normalise(one.text_in(cut)) in anew)
        return None if drawn is None else {one.position: one for one in drawn}

    def remaining(self, encoded: Encoded, deny_list: DenyList) -> Counter[IdentifierClass]:
        """The identifiers that x_pub, as it was stored and sent, shows to one who reads it alone.

        They are those of the sentence itself, and what was not drawn of those that the archive
        knows by now. Where dates are shifted, a day or a year that two of them share tells nothing.
        """
        return count_remaining(
            encoded, self._shown(encoded, self._surrogates.list_hidden_texts(encoded), deny_list)
        )

    def class_bits(self, encoded: Encoded) -> list[float]:
        """See ``Encoder.class_bits``; of words that the dictionary knows."""
        words = (one for one in encoded.record if one.kind is Kind.WORD and one.surface is None)
        return [self.mechanism.class_bits(one) for one in words]

    def _shown(
        self, encoded: Encoded, own: tuple[Sequence[str], Sequence[str]], deny_list: DenyList
    ) -> Leaks:
        """What the leak check objects to; ``own``: see ``Surrogates.own_of``."""
        is_ordinary = self._finder.is_ordinary
        return self._leak_check.find_leaks(
            encoded.text, own[0], deny_list, is_ordinary, encoded.drawn, own[1]
        )

    def _find(self, sentence: Sentence, deny_list: DenyList) -> tuple[Sentence, list[Identifier]]:
        """``sentence`` cut at its identifiers, and these less mere marks: the hyphen of a double
        name is sent as it is."""
        cut, found = self._finder.find(sentence, deny_list)
        found = [
            one
            for one in found
            if one.kind is not Kind.NAME or any(map(str.isalnum, one.text_in(cut)))
        ]
        found = [one for one in found if not self._begins_word(cut, one)]
        found = self._outside_terms(cut, found)
        return self._finder.retag_ordinary_words(cut, found), found

    def _begins_word(self, cut: Sentence, one: Identifier) -> bool:
        """Whether it is the letter that a word of the dictionary begins with, which is hidden as a
        whole: *X-ray*."""
        text = one.text_in(cut)
        behind = cut.words[one.position + 1 : one.position + 3]
        if len(text) > 1 or behind[:1] != ["-"] or not behind[-1].islower():
            return False
        return self.dictionary.phrase(text + "".join(behind)) is not None

    def _outside_terms(self, cut: Sentence, found: list[Identifier]) -> list[Identifier]:
        """``found`` less what stands within a term of the user's glossary, which is hidden as one:
        *Hodgkin lymphoma*, *type 2 diabetes*."""
        glossary = self.dictionary.glossary
        if not (glossary and found):
            return found
        terms = [{*range(at, at + length)} for at, length, _ in glossary.find(cut)]
        outside = [
            one
            for one in found
            if not any(term.issuperset(token_positions([one])) for term in terms)
        ]
        # What of it is in no term any more is an identifier after all.
        hidden = token_positions(outside)
        terms = [{*range(at, at + length)} for at, length, _ in glossary.find(cut, hidden)]
        inside = token_positions(found) - hidden
        return outside if inside.issubset(set().union(*terms)) else found


def _visible_words(
    cut: Sentence, record: Iterable[Replacement], identifiers: Iterable[int]
) -> Iterator[str]:
    """What the translator sees of ``cut`` beside the surrogates at the places ``identifiers``."""
    hidden = set(identifiers)
    for replacement in record:
        hidden.update(range(replacement.position, replacement.position + replacement.length))
        yield replacement.substitute
    yield from (token.text for place, token in enumerate(cut.tokens) if place not in hidden)
