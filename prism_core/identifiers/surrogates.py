"""Generation of surrogates: replacements of the same form that decoding can restore.

Entry: ``SentenceSurrogates`` for each sentence. ``replace`` calls ``draw`` for each identifier,
which asks ``Surrogates.draw_candidate`` until a candidate has the required check digits and is not
forbidden (see ``ForbiddenWords``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.identifiers import spans
from prism_core.identifiers.base import DrawLike, Identifier
from prism_core.identifiers.checksums import CheckDigits, make_surrogate_check
from prism_core.identifiers.date_surrogates import is_drawn_date, random_date
from prism_core.identifiers.detectors import blind_labels, detector_classes
from prism_core.identifiers.format_preserving import (
    are_initials,
    code_like,
    day_like,
    fix_ordinal_ending,
    initials_like,
    is_closed,
    number_like,
)
from prism_core.identifiers.leak_check import list_identifiers
from prism_core.identifiers.normal_form import drop_invisible, normal_forms, normalise, squash
from prism_core.identifiers.scopes import RandomFactory
from prism_core.language import Sentence, Token
from prism_core.languages import AmountKind, Language
from prism_core.record import Encoded, Kind, Replacement

IsForbidden = Callable[[str], bool]
"""Function that is True for a surrogate that shows what it hides, or is in the text already."""

DRAWS = 200
DRAWS_OF_SAME_LENGTH = 40
CANDIDATES = 5000
"""Most codes drawn until one has the required check digits; in the rarest class one in two hundred
has them."""


@cache
def _special_surrogates() -> dict[str, DrawLike]:
    """Return the functions that draw surrogates with a special form, by label."""
    special: dict[str, DrawLike] = {**spans.SURROGATES}
    for detector in detector_classes():
        special |= detector.surrogates
    return special


class NoSurrogateError(Exception):
    """Error raised when every draw was forbidden; the sentence is withheld."""


class Surrogates:
    """Source of surrogates for the identifiers of one language pair, with such check digits."""

    def __init__(self, dictionary: Dictionary, check_digits: CheckDigits = "fail") -> None:
        self._names = dictionary.names
        self._language = dictionary.language
        self._dictionary = dictionary
        self.check_digits = check_digits

    def list_hidden_texts(self, encoded: Encoded) -> tuple[list[str], list[str]]:
        """List the texts of identifiers that must not be visible, as two lists in order.

        The first has those that may occur nowhere in the sent text, the second those whose
        surrogates are drawn blindly; each entry is empty in the other list.
        """
        openly, blindly = list[str](), list[str]()
        for replacement in list_identifiers(encoded):
            text = replacement.word
            is_blind = self.draws_blindly(replacement.tag, replacement.kind, text)
            openly.append(text * (not is_blind))
            blindly.append(text * is_blind)
        return openly, blindly

    def draws_blindly(self, label: str, kind: Kind, text: str) -> bool:
        """Return True if the surrogate is drawn from all possible values, ``text`` included."""
        if label in blind_labels() or is_closed(text, kind):
            return True
        return is_drawn_date(label, kind, text)

    def calendar_tag(self, text: str) -> str:
        """Return the tag of a month or a weekday; empty for any other word."""
        entry = self._dictionary.calendar_entry(text)
        return entry.tag if entry else ""

    def draw_candidate(
        self, sentence: Sentence, identifier: Identifier, text: str, longer: int, rng: Random
    ) -> str:
        """Draw a text in the form of ``text``, ``longer`` digits or letters longer."""
        if identifier.kind is Kind.NUMBER:
            numbers = self._language.numbers
            text = numbers.in_digits(text) or numbers.in_groups(text)
            if day := self._day_of_month(sentence.tokens, identifier, text):
                return fix_ordinal_ending(day_like(day, rng) + text[len(day) :], numbers)
            drawn_date = random_date(text, rng) if identifier.label == "DATE" else None
            like = _special_surrogates().get(identifier.label, number_like)
            if identifier.label == AmountKind.ORDINAL:
                number = like(text, longer, rng)
                return number + numbers.ordinal_ending(int(number))
            return drawn_date or fix_ordinal_ending(like(text, longer, rng), numbers)
        if identifier.kind is Kind.CODE:
            return _special_surrogates().get(identifier.label, code_like)(text, longer, rng)
        if identifier.kind is Kind.WORD:
            tag = self.calendar_tag(text)
            word = rng.choice(self._dictionary.by_tag[tag]).word if tag else text
            is_small = text.islower() and self._language.dates.small_months
            return word if is_small else word.capitalize()
        if are_initials(text):
            return initials_like(text, rng, self._language.is_function_word)
        names = self._names[name_class(sentence.tokens, identifier.position, self._language)]
        names = names or max(self._names.values(), key=len)
        if not names:
            raise NoSurrogateError  # the dictionary has no names at all
        return rng.choice(names)

    def _day_of_month(self, tokens: Sequence[Token], identifier: Identifier, text: str) -> str:
        """Return the digits of ``text`` if it is a day, perhaps an ordinal; else empty."""
        day = re.fullmatch(rf"([1-9]|[12]\d|3[01]){self._language.numbers.ordinal}?", text)
        beside = (identifier.position - 1, identifier.position + identifier.length)
        words = [tokens[i].text if 0 <= i < len(tokens) else "" for i in beside]
        is_day = identifier.label == "DATE" and words[0][-1:] not in ("'", "’")
        is_day = is_day or any(self._dictionary.find(word, "MONTH") for word in words)
        return day[1] if day and is_day else ""


class SentenceSurrogates:
    """Surrogates of one sentence: equal for equal identifiers, different for different ones.

    They depend on ``random_for`` and the identifier alone, except where a draw is forbidden.
    """

    def __init__(
        self,
        surrogates: Surrogates,
        sentence: Sentence,
        random_for: RandomFactory,
        is_forbidden: IsForbidden,
    ) -> None:
        self._surrogates = surrogates
        self._sentence = sentence
        self._random_for = random_for
        self._is_forbidden = is_forbidden
        self._drawn: dict[tuple[Kind, str], str] = {}
        self._taken: set[str] = set()

    def replace(self, identifiers: Iterable[Identifier]) -> list[Replacement] | None:
        """Return a replacement for each identifier; None if every draw for one is forbidden."""
        replacements = []
        for identifier in identifiers:
            text = identifier.text_in(self._sentence)
            try:
                surrogate = self.draw(identifier, text)
            except NoSurrogateError:
                return None
            position, length, label, kind = identifier
            tag = self._surrogates.calendar_tag(text) if kind is Kind.WORD else ""
            replacements.append(Replacement(position, length, text, surrogate, kind, tag or label))
        return replacements

    def draw(self, identifier: Identifier, text: str) -> str:
        """Draw a surrogate for ``text``. Raises ``NoSurrogateError``.

        The surrogate is never ``text`` itself, unless the text is one of a closed set or a date.
        Then it is drawn from the whole set, whatever ``text`` is and whatever else is in the
        sentence or the archive. Other identifiers of the sentence get other surrogates, so those of
        one set are a uniformly drawn permutation: it reveals which of them are equal, and nothing
        else.
        """
        key = identifier.kind, normalise(text)
        if key not in self._drawn:
            self._drawn[key] = self._draw_new(identifier, text, "\0".join(key))
            self._taken.add(_comparison_form(self._drawn[key]))
        surrogate = self._drawn[key]
        capitals = identifier.kind in (Kind.NAME, Kind.WORD) and text.isupper() and len(text) > 1
        return surrogate.upper() if capitals else surrogate

    def _draw_new(self, identifier: Identifier, text: str, key: str) -> str:
        rng = self._random_for(key)
        text = text if text.isascii() else drop_invisible(text)  # translators drop it
        draw_candidate = self._surrogates.draw_candidate
        if self._surrogates.draws_blindly(identifier.label, identifier.kind, text):
            for _ in range(DRAWS):  # if none is left that is not taken, one that is
                surrogate = draw_candidate(self._sentence, identifier, text, 0, rng)
                if _comparison_form(surrogate) not in self._taken:
                    break
            return surrogate
        form = normalise(text)
        fits = make_surrogate_check(text, identifier.label, self._surrogates.check_digits)
        for attempt in range(DRAWS):
            longer = attempt // DRAWS_OF_SAME_LENGTH
            for _ in range(CANDIDATES):
                surrogate = draw_candidate(self._sentence, identifier, text, longer, rng)
                if fits(surrogate):
                    break
            else:
                raise NoSurrogateError
            if (
                normalise(surrogate) != form
                and _comparison_form(surrogate) not in self._taken
                and not self._is_forbidden(surrogate)
            ):
                return surrogate
        raise NoSurrogateError


def _comparison_form(surrogate: str) -> str:
    """Return the letters and digits that distinguish surrogates; a sign stays as it is."""
    return squash(surrogate) or surrogate


class ForbiddenWords:
    """Words forbidden as draws for one sentence: those that show one of its ``own`` identifiers.

    Identifiers that are drawn blindly are not among these. What the archive knows from elsewhere
    has no influence: if a public name were never drawn because the archive has it, its absence from
    all sent texts would reveal it.
    """

    def __init__(self, own: Sequence[str]) -> None:
        self._own = {normalise(part) for text in own for part in [text, *text.split()]}
        self._own_squashed = [form for form in map(squash, own) if len(form) > 1]
        self._all_squashed = "\n".join(self._own_squashed)

    def forbids_word(self, word: str) -> bool:
        """Return True if an ordinary word must not be drawn."""
        return normalise(word) in self._own

    def forbids_surrogate(self, text: str) -> bool:
        """Return True for a surrogate that is part of an identifier or contains one."""
        if self.forbids_word(text):
            return True
        if not self._own_squashed:
            return False
        squashed = squash(text)
        return squashed in self._all_squashed or any(map(squashed.__contains__, self._own_squashed))

    def forbid_beside(self, shown: Iterable[str]) -> IsForbidden:
        """Return a test that also forbids surrogates like the words in ``shown``.

        The text shows these words already, so decoding could not distinguish the surrogate from
        them.
        """
        forms = frozenset(normal_forms(list(shown)))
        return lambda text: normalise(text) in forms or self.forbids_surrogate(text)


def name_class(tokens: Sequence[Token], position: int, language: Language) -> str:
    """Return the list a name is drawn from: a person's first name, a place, else a surname.

    A place of several words (*New York*) is treated like a person's name. Between two places, or a
    surname and another, translators insert words or change the order.
    """
    token = tokens[position]
    before, after = (
        0 <= beside < len(tokens)
        and tokens[beside].entity == token.entity
        and not language.is_function_word(tokens[beside].text)
        for beside in (position - 1, position + 1)
    )
    if token.entity == "LOC" and not (before or after):
        return "PLACE"
    return "GIVEN" if token.entity in ("PER", "LOC") and after and not before else "SURNAME"
