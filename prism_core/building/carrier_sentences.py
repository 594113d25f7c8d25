"""Carriers: running sentences of public text in which several words are replaced at once.

A word takes the place of another of its own class, as it will when a text is encoded; so one
translation of a carrier, beside that of the untouched sentence, tries out every word put into it.
See docs/dictionary.md.

Entry: ``choose_carriers``, then ``CarrierSentences.probes``: every word in a place of its class.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.building.frame_queries import is_one_sentence
from prism_core.dictionary import CALENDAR_TAGS, Entry
from prism_core.language import Sentence
from prism_core.languages import Language

SHORTEST, LONGEST = 10, 22
"""Length of a carrier, in tokens."""
MOST_WORDS = 4
"""Words put into one carrier; places next to each other are never both filled."""
ENOUGH_PLACES = 20
"""A class with fewer places is tried out in those of the next wider class."""

Class = tuple[str, ...]
"""A tag, then the parts of an agreement class from the coarsest on; fewer parts are wider."""


@dataclass(frozen=True, slots=True)
class Swap:
    """In a carrier, ``original`` was replaced by ``substitute``."""

    original: Entry
    substitute: Entry


@dataclass(frozen=True, slots=True)
class Probe:
    """A carrier with ``swaps`` made: ``text`` is translated."""

    carrier: int
    text: str
    swaps: tuple[Swap, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    position: int
    original: Entry
    article: str
    """What stands before it and must fit; empty where that is no indefinite article."""


class CarrierSentences:
    """The sentences that serve as carriers, and the places they offer."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        entries: Mapping[tuple[str, str], Entry],
        language: Language,
    ) -> None:
        self._language = language
        self._sentences = sentences
        self._places = [list(_places(sentence, entries, language)) for sentence in sentences]
        self._count = Counter(
            wide for places in self._places for place in places for wide in _classes(place.original)
        )

    def probes(self, words: Sequence[Entry], rng: Random) -> list[Probe]:
        """Put every word into one carrier, in a place of its class, several to a carrier.

        Words that no place fits, once all carriers were used, are left out.
        """
        queues: dict[Class, deque[Entry]] = defaultdict(deque)
        for word in rng.sample(words, len(words)):
            classes = _classes(word)  # the narrowest with places enough, else the widest
            wide = next((one for one in classes if self._count[one] >= ENOUGH_PLACES), classes[-1])
            queues[wide].append(word)
        probes: list[Probe] = []
        while any(queues.values()):
            before = len(probes)
            order = rng.sample(range(len(self._sentences)), len(self._sentences))
            probes.extend(filter(None, (self._fill(index, queues) for index in order)))
            if len(probes) == before:
                break
        return probes

    def _fill(self, index: int, queues: Mapping[Class, deque[Entry]]) -> Probe | None:
        filled: dict[int, Swap] = {}
        for place in self._places[index]:
            if place.position - 1 not in filled and len(filled) < MOST_WORDS:
                word = self._next_word(place, queues)
                if word is not None:
                    filled[place.position] = Swap(place.original, word)
        if not filled:
            return None
        text = "".join(
            (surface(filled[i].substitute, self._language) if i in filled else token.text)
            + token.whitespace
            for i, token in enumerate(self._sentences[index].tokens)
        )
        return Probe(index, text.strip(), tuple(filled.values()))

    def _next_word(self, place: _Place, queues: Mapping[Class, deque[Entry]]) -> Entry | None:
        for wide in _classes(place.original):
            queue = queues.get(wide)
            if queue and place.article in (
                "",
                self._language.fitting_article(surface(queue[0], self._language)),
            ):
                return queue.popleft()
        return None


def choose_carriers(sentences: Iterable[Sentence], rng: Random, *, most: int) -> list[Sentence]:
    """At most ``most`` sentences of a fitting length, at random; each ends at its one full stop."""
    fitting = [
        sentence
        for sentence in sentences
        if SHORTEST <= len(sentence.tokens) <= LONGEST and is_one_sentence(sentence.text.strip())
    ]
    rng.shuffle(fitting)
    return fitting[:most]


def surface(entry: Entry, language: Language) -> str:
    """The word of ``entry`` as it is written in running text."""
    has_capital = entry.tag in CALENDAR_TAGS and not language.dates.small_months
    return entry.word.capitalize() if has_capital else entry.word


def _classes(entry: Entry) -> list[Class]:
    """The classes of ``entry``, the narrowest first, its bare tag last."""
    parts = (entry.tag, *entry.agreement_parts)
    return [parts[:length] for length in range(len(parts), 0, -1)]


def _places(
    sentence: Sentence, entries: Mapping[tuple[str, str], Entry], language: Language
) -> Iterator[_Place]:
    previous = ""
    for position, token in enumerate(sentence.tokens):
        lower = token.text.lower()
        may_tell = token.text[:1].isupper() or language.dates.small_months
        tag = language.calendar_tag(token.text) if may_tell else ""
        entry = entries.get((lower, tag or token.tag))
        if position and entry is not None and token.text == surface(entry, language):
            article = previous if language.is_indefinite_article(previous) else ""
            yield _Place(position, entry, article)
        previous = lower
