"""Surrogates: what stands in for an identifier, of the same shape, and found again by decoding.

Entry: a ``Drawing`` for each sentence; ``replace`` -> ``draw`` for each identifier, which asks
``Surrogates.candidate`` until one has the check digits that are asked for and is not forbidden
(``ForbiddenWords``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from types import MappingProxyType

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.identifiers import patterns
from prism_core.identifiers.base import DrawLike, Identifier
from prism_core.identifiers.checksums import CheckDigits, make_surrogate_check
from prism_core.identifiers.counting import list_identifiers
from prism_core.identifiers.detectors import blind_labels, detector_classes
from prism_core.identifiers.normal_form import drop_invisible, normal_forms, normalise, squash
from prism_core.identifiers.surrogates.date_surrogates import (
    ShiftedDates,
    is_drawn_date,
    is_part_of_date,
    random_date,
    shift_dates,
)
from prism_core.identifiers.surrogates.format_preserving import (
    are_initials,
    code_like,
    day_like,
    fix_ordinal_ending,
    initials_like,
    is_closed,
    number_like,
)
from prism_core.identifiers.surrogates.scopes import SECRET_BYTES, RandomFactory
from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.record import Encoded, Kind, Replacement

IsForbidden = Callable[[str], bool]
"""Whether a surrogate may not be sent: it shows what it hides, or stands in the text already."""

DRAWS = 200
DRAWS_OF_SAME_LENGTH = 40
CANDIDATES = 5000
"""Codes that are drawn until the check digits of one are as asked for; right ones have one in two
hundred of the rarest class."""
_NOTHING_SETTLED: Mapping[int, str] = MappingProxyType({})


@cache
def _special_surrogates() -> dict[str, DrawLike]:
    """How identifiers of a label are drawn that are more than digits and letters by chance."""
    special: dict[str, DrawLike] = {**patterns.SURROGATES}
    for detector in detector_classes():
        special |= detector.surrogates
    return special


class NoSurrogateError(Exception):
    """Every draw was forbidden; the sentence is withheld."""


@dataclass(frozen=True, slots=True)
class SurrogateRules:
    """What surrogates are like: their check digits, and whether dates are shifted, not drawn."""

    check_digits: CheckDigits = "fail"
    shifts_dates: bool = False


class Surrogates:
    """Draws surrogates for the identifiers of one language pair."""

    def __init__(self, dictionary: Dictionary, rules: SurrogateRules | None = None) -> None:
        self._names = dictionary.names
        self._language = dictionary.language
        self._dictionary = dictionary
        self.rules = rules or SurrogateRules()
        months = dictionary.language.dates.months
        if self.rules.shifts_dates and not all(dictionary.find(m, "MONTH") for m in months):
            raise ConfigurationError(
                "The dictionary lacks a month, so dates cannot be shifted (identifiers.dates). Use "
                'another dictionary, or identifiers.dates = "random".'
            )

    def shift_dates(
        self,
        sentence: Sentence,
        identifiers: Sequence[Identifier],
        secret: bytes | None,
        rng: Random,
    ) -> ShiftedDates:
        """What stands for the dates of ``sentence``; nothing unless they are to be shifted.

        Without a ``secret`` of its document the sentence is shifted by one of its own.
        """
        if not self.rules.shifts_dates:
            return ShiftedDates({}, ())
        secret = secret or rng.randbytes(SECRET_BYTES)
        return shift_dates(sentence, identifiers, secret, self._dictionary)

    def list_hidden_texts(self, encoded: Encoded) -> tuple[list[str], list[str]]:
        """The identifiers of ``encoded``, in order, as nobody may see them in what is sent: those
        that may stand nowhere in it, and those that were drawn blindly; empty in the other list.

        Where dates are shifted, a part of one is empty in both: a day or a year that two of them
        share tells nothing.
        """
        moved, language = self.rules.shifts_dates, self._language
        replacements = list_identifiers(encoded)
        texts = [
            "" if moved and is_part_of_date(replacement, language) else replacement.word
            for replacement in replacements
        ]
        blind = [
            self.draws_blindly(replacement.tag, replacement.kind, replacement.word)
            for replacement in replacements
        ]
        pairs = list(zip(texts, blind, strict=True))
        return [text * (not drawn) for text, drawn in pairs], [
            text * drawn for text, drawn in pairs
        ]

    def draws_blindly(self, label: str, kind: Kind, text: str) -> bool:
        """Whether what stands for ``text`` is drawn from all there is, ``text`` itself included."""
        if label in blind_labels() or is_closed(text, kind):
            return True
        return is_drawn_date(label, kind, text, self._language.dates)

    def calendar_tag(self, text: str) -> str:
        """The tag of a month or a weekday; empty for any other word."""
        entry = self._dictionary.calendar_entry(text)
        return entry.tag if entry else ""

    def draw_candidate(
        self, sentence: Sentence, identifier: Identifier, text: str, longer: int, rng: Random
    ) -> str:
        """Something that looks like ``text``; with ``longer``, by so many digits or letters."""
        if identifier.kind is Kind.NUMBER:
            numbers = self._language.numbers
            text = numbers.in_digits(text) or numbers.in_groups(text)
            if day := self._day_of_month(sentence.tokens, identifier, text):
                return fix_ordinal_ending(day_like(day, rng) + text[len(day) :], numbers)
            drawn_date = (
                random_date(text, rng, self._language.dates) if identifier.label == "DATE" else None
            )
            like = _special_surrogates().get(identifier.label, number_like)
            return drawn_date or fix_ordinal_ending(like(text, longer, rng), numbers)
        if identifier.kind is Kind.CODE:
            return _special_surrogates().get(identifier.label, code_like)(text, longer, rng)
        if identifier.kind is Kind.WORD:
            tag = self.calendar_tag(text)
            word = rng.choice(self._dictionary.by_tag[tag]).word if tag else text
            is_small = text.islower() and self._language.dates.small_months
            return word if is_small else word.capitalize()
        return self._name_like(sentence.tokens, identifier.position, text, rng)

    def _day_of_month(self, tokens: Sequence[Token], identifier: Identifier, text: str) -> str:
        """The digits of ``text``, if it is a day, maybe as an ordinal; empty if it is none."""
        day = re.fullmatch(rf"([1-9]|[12]\d|3[01]){self._language.numbers.ordinal}?", text)
        beside = (identifier.position - 1, identifier.position + identifier.length)
        words = [tokens[i].text if 0 <= i < len(tokens) else "" for i in beside]
        is_day = identifier.label == "DATE" and words[0][-1:] not in ("'", "’")
        is_day = is_day or any(self._dictionary.find(word, "MONTH") for word in words)
        return day[1] if day and is_day else ""

    def _name_like(self, tokens: Sequence[Token], position: int, text: str, rng: Random) -> str:
        if are_initials(text):
            return initials_like(text, rng, self._language.is_function_word)
        class_names = self._names[name_class(tokens, position, self._language)]
        names = class_names or max(self._names.values(), key=len)
        if not names:
            raise NoSurrogateError  # the dictionary has no names at all
        return rng.choice(names)


class SentenceSurrogates:
    """The surrogates of one sentence: equal identifiers get equal ones, different ones others.

    They follow from ``random_for`` and the identifier alone, but for draws that are forbidden here.
    ``settled`` are surrogates that are not to be drawn, by position.
    """

    def __init__(
        self,
        surrogates: Surrogates,
        sentence: Sentence,
        random_for: RandomFactory,
        is_forbidden: IsForbidden,
        settled: Mapping[int, str] = _NOTHING_SETTLED,
    ) -> None:
        self._surrogates = surrogates
        self._sentence = sentence
        self._random_for = random_for
        self._is_forbidden = is_forbidden
        self._settled = settled
        self._drawn: dict[tuple[Kind, str], str] = {}
        self._taken: set[str] = set()

    def replace(self, identifiers: Iterable[Identifier]) -> list[Replacement] | None:
        """What stands for each of ``identifiers``; None where every draw for one is forbidden."""
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
        """A surrogate for ``text``. Raises ``NoSurrogateError``.

        Never ``text`` itself, unless it is one of a closed set or a date: then it is drawn from
        all of them, whatever ``text`` is and whatever else stands in the sentence or the archive.
        Other identifiers of the sentence have others, so those of one set are a permutation of it
        that is drawn uniformly: it tells which of them are equal, and nothing else.
        """
        surrogate = self._settled.get(identifier.position)
        if surrogate is not None:
            self._taken.add(_comparison_form(surrogate))
            return surrogate
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
        if self._surrogates.draws_blindly(identifier.label, identifier.kind, text):
            return self._draw_from_all(identifier, text, rng)
        form = normalise(text)
        fits = make_surrogate_check(text, identifier.label, self._surrogates.rules.check_digits)
        for attempt in range(DRAWS):
            longer = attempt // DRAWS_OF_SAME_LENGTH
            for _ in range(CANDIDATES):
                draw_candidate = self._surrogates.draw_candidate
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

    def _draw_from_all(self, identifier: Identifier, text: str, rng: Random) -> str:
        """Any that stands for no other; where there is none left, for another too."""
        for _ in range(DRAWS):
            surrogate = self._surrogates.draw_candidate(self._sentence, identifier, text, 0, rng)
            if _comparison_form(surrogate) not in self._taken:
                break
        return surrogate


def _comparison_form(surrogate: str) -> str:
    """Its letters and digits, by which surrogates are told apart; a sign by itself."""
    return squash(surrogate) or surrogate


class ForbiddenWords:
    """What may not be drawn for one sentence: what would show one of its ``own`` identifiers, less
    those that are drawn blindly.

    What the archive knows from elsewhere has no say: a public name that is never drawn since it
    stands in the archive would be told by its absence from all that is sent.
    """

    def __init__(self, own: Sequence[str]) -> None:
        self._own = {normalise(part) for text in own for part in [text, *text.split()]}
        self._own_squashed = [form for form in map(squash, own) if len(form) > 1]
        self._all_squashed = "\n".join(self._own_squashed)

    def forbids_word(self, word: str) -> bool:
        """For ordinary words."""
        return normalise(word) in self._own

    def forbids_surrogate(self, text: str) -> bool:
        """For surrogates, which may be no part of an identifier and hold none."""
        if self.forbids_word(text):
            return True
        if not self._own_squashed:
            return False
        squashed = squash(text)
        return squashed in self._all_squashed or any(map(squashed.__contains__, self._own_squashed))

    def forbid_beside(self, shown: Iterable[str]) -> IsForbidden:
        """For surrogates in a text that shows these words already: another one like them could not
        be told from them when it is undone."""
        forms = frozenset(normal_forms(list(shown)))
        return lambda text: normalise(text) in forms or self.forbids_surrogate(text)


def name_class(tokens: Sequence[Token], position: int, language: Language) -> str:
    """Which list a name is drawn from: a person's first name, a place, else a surname.

    A place of several words (*New York*) is written as a person's name is: between two places, or
    a surname and another, translators put words of their own, or change their order.
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
