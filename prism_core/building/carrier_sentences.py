"""Carrier sentences: running sentences of public text in which several words are replaced at once.

A word takes the place of another of its own class, as it will when a text is encoded. One
translation of a carrier, compared with that of the untouched sentence, tests every word put into
it. See docs/dictionary.md.

Entry: ``choose_carriers``, then ``Carriers.make_probes``: every word in a slot of its
class.
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
"""Maximum number of words put into one carrier; adjacent slots are never both filled."""
ENOUGH_SLOTS = 20
"""Number of slots below which a class is tested in those of the next wider class."""

Class = tuple[str, ...]
"""Tag, then the parts of an agreement class from the coarsest on; fewer parts are wider."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Replacement of ``original`` by ``substitute`` in a carrier."""

    original: Entry
    substitute: Entry


@dataclass(frozen=True, slots=True)
class Probe:
    """Carrier after its ``swaps``: ``text`` is translated."""

    carrier: int
    text: str
    swaps: tuple[Swap, ...]


@dataclass(frozen=True, slots=True)
class _Slot:
    position: int
    original: Entry
    article: str
    """Indefinite article before the word, which must fit its substitute; empty for any other word.
    """


class Carriers:
    """Sentences that serve as carriers, and their slots."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        entries: Mapping[tuple[str, str], Entry],
        language: Language,
    ) -> None:
        self._language = language
        self._sentences = sentences
        self._slots = [list(_find_slots(sentence, entries, language)) for sentence in sentences]
        self._slot_counts = Counter(
            wide for slots in self._slots for slot in slots for wide in _list_classes(slot.original)
        )

    def list_originals(self) -> Iterator[tuple[int, Entry]]:
        """Yield the index of each sentence with each entry that stands in it."""
        for index, slots in enumerate(self._slots):
            for slot in slots:
                yield index, slot.original

    def make_probes(self, words: Sequence[Entry], rng: Random) -> list[Probe]:
        """Put every word into one carrier, in a slot of its class, several to a carrier.

        Words that fit no slot, once all carriers were used, are left out.
        """
        queues: dict[Class, deque[Entry]] = defaultdict(deque)
        for word in rng.sample(words, len(words)):
            classes = _list_classes(word)  # the narrowest with slots enough, else the widest
            wide = next(
                (width for width in classes if self._slot_counts[width] >= ENOUGH_SLOTS),
                classes[-1],
            )
            queues[wide].append(word)
        probes: list[Probe] = []
        while any(queues.values()):
            before = len(probes)
            order = rng.sample(range(len(self._sentences)), len(self._sentences))
            probes.extend(filter(None, (self._fill_carrier(index, queues) for index in order)))
            if len(probes) == before:
                break
        return probes

    def _fill_carrier(self, index: int, queues: Mapping[Class, deque[Entry]]) -> Probe | None:
        filled: dict[int, Swap] = {}
        for slot in self._slots[index]:
            if slot.position - 1 not in filled and len(filled) < MOST_WORDS:
                word = self._pop_fitting_word(slot, queues)
                if word is not None:
                    filled[slot.position] = Swap(slot.original, word)
        if not filled:
            return None
        text = "".join(
            (get_surface_form(filled[i].substitute, self._language) if i in filled else token.text)
            + token.whitespace
            for i, token in enumerate(self._sentences[index].tokens)
        )
        return Probe(index, text.strip(), tuple(filled.values()))

    def _pop_fitting_word(self, slot: _Slot, queues: Mapping[Class, deque[Entry]]) -> Entry | None:
        for wide in _list_classes(slot.original):
            queue = queues.get(wide)
            if queue and slot.article in (
                "",
                self._language.fitting_article(get_surface_form(queue[0], self._language)),
            ):
                return queue.popleft()
        return None


def choose_carriers(sentences: Iterable[Sentence], rng: Random, *, most: int) -> list[Sentence]:
    """Choose at most ``most`` sentences of a suitable length, at random.

    Each ends at its only full stop.
    """
    fitting = [
        sentence
        for sentence in sentences
        if SHORTEST <= len(sentence.tokens) <= LONGEST and is_one_sentence(sentence.text.strip())
    ]
    rng.shuffle(fitting)
    return fitting[:most]


def get_surface_form(entry: Entry, language: Language) -> str:
    """Return the word of ``entry`` as it is written in running text."""
    has_capital = entry.tag in CALENDAR_TAGS and not language.dates.small_months
    return entry.word.capitalize() if has_capital else entry.word


def _list_classes(entry: Entry) -> list[Class]:
    """List the classes of ``entry``, the narrowest first, its bare tag last."""
    parts = (entry.tag, *entry.agreement_parts)
    return [parts[:length] for length in range(len(parts), 0, -1)]


def _find_slots(
    sentence: Sentence, entries: Mapping[tuple[str, str], Entry], language: Language
) -> Iterator[_Slot]:
    previous = ""
    for position, token in enumerate(sentence.tokens):
        lower = token.text.lower()
        may_tell = token.text[:1].isupper() or language.dates.small_months
        tag = language.calendar_tag(token.text) if may_tell else ""
        entry = entries.get((lower, tag or token.tag))
        if position and entry is not None and token.text == get_surface_form(entry, language):
            article = previous if language.is_indefinite_article(previous) else ""
            yield _Slot(position, entry, article)
        previous = lower
