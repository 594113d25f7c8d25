"""Encoder of mechanisms with pools: replaces identifiers and words, and checks the result.

Entry: ``PoolEncoder.encode``; then the finder -> surrogates and the mechanism's selection ->
compose -> leak check; after ``ATTEMPTS`` failures nothing is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from operator import attrgetter
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.encoding.adjacent_words import (
    accent_verbs,
    adjust_articles,
    fit_elisions,
    fit_possessives,
    read_pronouns,
)
from prism_core.encoding.base import (
    NEVER_SEND,
    OWN_SCOPE,
    Encoder,
    compose,
    withhold,
)
from prism_core.identifiers import (
    CheckDigits,
    DenyList,
    Detector,
    ForbiddenWords,
    Identifier,
    Leaks,
    RandomFactory,
    Scope,
    SentenceSurrogates,
    Surrogates,
    class_of,
    count_remaining,
    normalise,
    squash,
    token_positions,
)
from prism_core.language import Sentence
from prism_core.languages import AmountKind
from prism_core.mechanisms import PoolMechanism
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.settings import IdentifierClass

ATTEMPTS = 5
"""Encodings of one sentence that may fail the leak check before it is withheld."""
_IN_WORDS = frozenset(AmountKind)
"""Labels of amounts, which are restored in words of the target language."""


class PoolEncoder(Encoder):
    """Encoder that replaces identifiers and words, and checks the result for leaks.

    ``names`` and the findings of ``detectors`` are identifiers too. Sentences that show a term of
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
        check_digits: CheckDigits = "fail",
        withhold: Iterable[IdentifierClass] = (),
        detectors: Sequence[Detector] = (),
    ) -> None:
        super().__init__(dictionary, mechanism, names, never, detectors)
        self._surrogates = Surrogates(dictionary, check_digits)
        self._withhold = frozenset(withhold)

    def cut(self, sentence: Sentence, deny_list: DenyList) -> Sentence:
        """Return ``sentence`` with its tokens cut at identifiers, and tagged as it is encoded."""
        return self._cut_at_identifiers(sentence, deny_list)[0]

    def fit(self, cut: Sentence, encoded: Encoded) -> Sentence:
        """Apply ``fit_possessives``, ``adjust_articles`` and ``fit_elisions``, in this order."""
        return self._fit_kept_tokens(next(self._find_readings(cut, encoded), cut), encoded.record)

    def _fit_kept_tokens(self, cut: Sentence, record: Sequence[Replacement]) -> Sentence:
        language = self.dictionary.language
        for fit in (fit_possessives, adjust_articles, fit_elisions):
            cut = fit(cut, record, language)
        return cut

    def _find_readings(self, cut: Sentence, encoded: Encoded) -> Iterator[Sentence]:
        """Yield ``cut`` with its pronouns as they may have been read when ``encoded`` was made."""
        for reading in read_pronouns(cut, encoded.record, self.dictionary.language):
            if self._compose(reading, encoded.record, ()).text == encoded.text:
                yield reading

    def identifiers(self, sentence: Sentence) -> tuple[str, ...]:
        """Return the forms that ``sentence`` adds to the archive's deny list."""
        return self._finder.collect_denied_forms(sentence)

    def needs_translator(self, sentence: Sentence, deny_list: DenyList) -> bool:
        """Return True if there is more to translate than names, numbers, codes and marks."""
        is_kept = self.dictionary.language.is_function_word
        if any(token.text.islower() and is_kept(token.text) for token in sentence.tokens):
            return True
        cut, identifiers = self._cut_at_identifiers(sentence, deny_list)
        restored_as_they_are = token_positions(
            identifier
            for identifier in identifiers
            if identifier.kind is not Kind.WORD
            and not (identifier.kind is Kind.NUMBER and identifier.label in _IN_WORDS)
        )
        return any(
            position not in restored_as_they_are and any(c.isalpha() for c in token.text)
            for position, token in enumerate(cut.tokens)
        )

    def encode(
        self, sentence: Sentence, deny_list: DenyList, rng: Random, scope: Scope = OWN_SCOPE
    ) -> Encoded:
        """Return x_pub and H of ``sentence``, or ``withheld`` as the reason to send nothing.

        Equal identifiers get equal surrogates within the sentence, and within ``scope`` unless one
        may not be sent in this very sentence.

        Reasons: ``never-send`` (the user's list), ``unknown-word`` and ``withheld-class`` (by
        policy), ``no-substitute`` (every draw was forbidden), ``leak`` (the check failed
        ``ATTEMPTS`` times).
        """
        cut, identifiers = self._cut_at_identifiers(sentence, deny_list)
        if not self._withhold.isdisjoint(class_of(identifier.label) for identifier in identifiers):
            nothing = compose(cut, (), self.dictionary.language, identifiers)
            return withhold(nothing, "withheld-class")
        openly, blindly = list[str](), list[str]()
        for identifier in identifiers:
            text, label, kind = identifier.text_in(cut), identifier.label, identifier.kind
            is_blind = self._surrogates.draws_blindly(label, kind, text)
            (blindly if is_blind else openly).append(text)
        forbidden, hidden = ForbiddenWords(openly), token_positions(identifiers)
        reason = "leak"
        for attempt in range(ATTEMPTS):
            selection = self.mechanism.choose(cut, hidden, forbidden.forbids_word, rng)
            surrogates: list[Replacement] | None = []
            if identifiers and not selection.withheld:
                shown = forbidden.forbid_beside(_yield_visible_words(cut, selection.record, hidden))
                random_for = scope.random_for(attempt, rng)
                drawing = SentenceSurrogates(self._surrogates, cut, random_for, shown)
                surrogates = drawing.replace(identifiers)
            if selection.withheld or surrogates is None:
                reason = selection.withheld or "no-substitute"
                continue
            record = sorted([*selection.record, *surrogates], key=attrgetter("position"))
            readings = list(read_pronouns(cut, record, self.dictionary.language))
            encoded = self._compose(_draw_reading(readings, rng), record, identifiers)
            if self._leak_check.shows_never_sent(encoded.text):
                reason = NEVER_SEND
            elif not self._find_leaks(encoded, (openly, blindly), deny_list):
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
        """Draw the lost replacements again, words from the same pools; see ``Encoder.redraw``.

        Returns None too if more is known by now that must not be shown, so that ``sentence`` would
        be encoded otherwise.
        """
        cut, identifiers = self._cut_at_identifiers(sentence, deny_list)
        readings = list(self._find_readings(cut, encoded))
        if not readings:
            return None
        cut = _draw_reading(readings, rng)
        hidden_texts = self._surrogates.list_hidden_texts(encoded)
        forbidden = ForbiddenWords(list(filter(None, hidden_texts[0])))
        hidden, forbids = token_positions(identifiers), forbidden.forbids_word
        for attempt in range(ATTEMPTS):
            words = list(encoded.record)
            for index, replacement in enumerate(encoded.record):
                at = replacement.position
                if at in lost and encoded.fates[at] is not Fate.IDENTIFIER:
                    drawn = self.mechanism.redraw(cut, hidden, words, at, forbids, rng)
                    if drawn is None:
                        return None
                    words[index] = drawn
            random_for = scope.random_for(attempt, rng)
            surrogates = self._redraw_surrogates(
                cut, identifiers, encoded, lost, forbidden, random_for
            )
            if surrogates is None:
                continue
            record = [surrogates.get(replacement.position, replacement) for replacement in words]
            again = self._compose(cut, record, identifiers)
            if not self._find_leaks(again, hidden_texts, deny_list):
                return again
        return None

    def _compose(
        self, cut: Sentence, record: Sequence[Replacement], identifiers: Sequence[Identifier]
    ) -> Encoded:
        """Compose x_pub with kept tokens adjusted to adjacent substitutes; see ``compose``."""
        language = self.dictionary.language
        written = accent_verbs(cut, record, language)
        return compose(self._fit_kept_tokens(cut, written), written, language, identifiers)

    def _redraw_surrogates(
        self,
        cut: Sentence,
        identifiers: Sequence[Identifier],
        encoded: Encoded,
        lost: Collection[int],
        forbidden: ForbiddenWords,
        random_for: RandomFactory,
    ) -> dict[int, Replacement] | None:
        """Draw others for the ``lost`` surrogates, by position; equal identifiers stay equal.

        None is one that ``encoded`` shows. Returns None if every draw for one is forbidden.
        """
        previous = {replacement.position: replacement for replacement in encoded.record}
        replaced = [identifier for identifier in identifiers if identifier.position in previous]
        shown = {squash(previous[identifier.position].substitute) for identifier in replaced}
        text_of = {identifier: normalise(identifier.text_in(cut)) for identifier in replaced}
        lost_texts = {text for identifier, text in text_of.items() if identifier.position in lost}
        visible = _yield_visible_words(cut, encoded.record, token_positions(identifiers))
        is_visible = forbidden.forbid_beside(visible)

        def is_forbidden(text: str) -> bool:
            return squash(text) in shown or is_visible(text)

        drawing = SentenceSurrogates(self._surrogates, cut, random_for, is_forbidden)
        drawn = drawing.replace(known for known, text in text_of.items() if text in lost_texts)
        return None if drawn is None else {known.position: known for known in drawn}

    def remaining(self, encoded: Encoded, deny_list: DenyList) -> Counter[IdentifierClass]:
        """Count the identifiers that a reader of x_pub alone can see in it; see ``Encoder``."""
        return count_remaining(
            encoded,
            self._find_leaks(encoded, self._surrogates.list_hidden_texts(encoded), deny_list),
        )

    def class_bits(self, encoded: Encoded) -> list[float]:
        """Return the bits of words that the dictionary knows; see ``Encoder.class_bits``."""
        words = [known for known in encoded.record if known.kind is Kind.WORD]
        return [self.mechanism.class_bits(word) for word in words if word.surface is None]

    def _find_leaks(
        self, encoded: Encoded, hidden: tuple[Sequence[str], Sequence[str]], deny_list: DenyList
    ) -> Leaks:
        """Return what the leak check finds of ``hidden``; see ``Surrogates.list_hidden_texts``."""
        openly, blindly = hidden
        return self._leak_check.find_leaks(
            encoded.text, openly, deny_list, self._finder.is_ordinary, encoded.drawn, blindly
        )

    def _cut_at_identifiers(
        self, sentence: Sentence, deny_list: DenyList
    ) -> tuple[Sentence, list[Identifier]]:
        """Return ``sentence`` cut at its identifiers, and the identifiers without mere marks.

        The hyphen of a double name is such a mark and is sent as it is.
        """
        cut, all_found = self._finder.find(sentence, deny_list)
        found = []
        for identifier in all_found:
            text = identifier.text_in(cut)
            behind = cut.words[identifier.position + 1 : identifier.position + 3]
            is_initial = len(text) == 1 and behind[:1] == ["-"] and behind[-1].islower()
            if is_initial and self.dictionary.phrase(text + "".join(behind)) is not None:
                continue  # the first letter of a word that is hidden as a whole: *X-ray*
            if identifier.kind is not Kind.NAME or any(map(str.isalnum, text)):
                found.append(identifier)
        found = self._drop_inside_terms(cut, found)
        return self._finder.retag_ordinary_words(cut, found), found

    def _drop_inside_terms(self, cut: Sentence, found: list[Identifier]) -> list[Identifier]:
        """Return ``found`` without the parts of glossary terms, as of *Hodgkin lymphoma*."""
        glossary = self.dictionary.glossary
        if not (glossary and found):
            return found
        terms = [{*range(at, at + length)} for at, length, _ in glossary.find(cut)]
        of_each = ((identifier, token_positions([identifier])) for identifier in found)
        outside = [known for known, at in of_each if not any(map(at.issubset, terms))]
        # An identifier that no remaining term covers counts as an identifier again.
        hidden = token_positions(outside)
        terms = [{*range(at, at + length)} for at, length, _ in glossary.find(cut, hidden)]
        inside = token_positions(found) - hidden
        return outside if inside.issubset(set().union(*terms)) else found


def _draw_reading(readings: Sequence[Sentence], rng: Random) -> Sentence:
    return rng.choice(readings) if len(readings) > 1 else readings[0]


def _yield_visible_words(
    cut: Sentence, record: Iterable[Replacement], identifiers: Iterable[int]
) -> Iterator[str]:
    """Yield what the translator sees of ``cut`` besides the surrogates at ``identifiers``."""
    hidden = set(identifiers)
    for replacement in record:
        hidden.update(replacement.positions)
        yield replacement.substitute
    yield from (token.text for place, token in enumerate(cut.tokens) if place not in hidden)
