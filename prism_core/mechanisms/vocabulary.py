"""V: the public set of surface words that PRISM-R draws from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from prism_core.dictionary import CLOSED_TAGS, FUNCTION_TAG, Dictionary
from prism_core.errors import ConfigurationError

MARKS = frozenset(
    [*""".,;:?!()[]{}"'“”‘’«»-–—…/&%+=*#@$€£|<>~""", "...", "--", "''", "``", "?!", "!!", "!!!"]
)
"""Punctuation marks and signs, as the tokenizer cuts them."""

_SLOT_MARK = "MARK"
SurfaceSlot = tuple[str, str]
"""Slot that a surface alone shows: part of speech, and agreement class or capital."""


class WordSet:
    """A public set of surface words, distinct and case-sensitive, in a fixed order."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._members = frozenset(words)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, surface: str) -> bool:
        return surface in self._members

    def uniform(self, rng: Random) -> str:
        """Draw a word of the set; each is equally likely."""
        return self.words[rng.randrange(len(self.words))]


class Vocabulary(WordSet):
    """V: lower-case dictionary words, function words in lower case and capitalised, and marks.

    It follows from the dictionary and the threshold τ alone, which are public: a dictionary word
    belongs to it iff one of its senses has a confidence of at least τ, a function word iff the
    dictionary says how to undo it. Surfaces are distinct and case-sensitive, so a uniform draw
    over ``words`` (sorted) is uniform over surfaces. Names, numbers, capitalised content words,
    months and weekdays are outside.

    ``among``, where it is given, has in lower case the words to which V is narrowed beforehand.

    Raises ``ConfigurationError`` when V would have fewer than ``minimum`` words.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        threshold: float,
        minimum: int = 2,
        marks: frozenset[str] = MARKS,
        among: Collection[str] | None = None,
    ) -> None:
        language = dictionary.language
        self._dictionary = dictionary
        self._marks = marks
        content = {
            entry.word
            for entry in dictionary
            if entry.confidence >= threshold
            and entry.word.islower()
            and not (entry.is_phrase or entry.tag in CLOSED_TAGS)
            and not language.is_function_word(entry.word)
        }
        grammar = set[str]()
        for entry in dictionary:
            if entry.tag == FUNCTION_TAG:  # a clitic (*'s*) has no capital, *I* no small letter
                word = entry.word
                is_capital = word.capitalize() in language.words.always_capital
                grammar |= {word} if not is_capital else set()
                grammar |= {word.capitalize()} if is_capital or word.isalpha() else set()
        words = content | grammar
        if among is not None:
            words = {word for word in words if word.lower() in among}
        super().__init__(sorted(words | marks))
        if len(self.words) < max(2, minimum) or not content & words:
            further = "" if among is None else ", or use word vectors that have more of its words"
            raise ConfigurationError(
                f"The dictionary has only {len(self.words)} words to draw from, fewer than "
                "mechanism.minimum_pool. Use a larger dictionary or lower mechanism.threshold"
                f"{further}."
            )

    def slot(self, surface: str) -> SurfaceSlot:
        """Return the slot of a word of V, that of its most confident sense."""
        if surface in self._marks:
            return _SLOT_MARK, ""
        senses = [e for e in self._dictionary.senses(surface) if e.tag not in CLOSED_TAGS]
        if self._dictionary.language.is_function_word(surface) or not senses:
            return FUNCTION_TAG, "capital" if surface[:1].isupper() else ""
        return senses[0].tag, senses[0].agreement
