"""Pools: the sets that substitutes are drawn from, by slot.

Entry: ``Pools`` of a dictionary; then ``for_entry`` or ``for_unknown`` for a word.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from prism_core.dictionary import ASKED_IN_FRAMES, GLOSSARY, Dictionary, Entry
from prism_core.language import penn_tag
from prism_core.languages import read_pairs, read_telling, read_words, telling_part
from prism_core.settings import HiddenWords

_NOUN = "NN"
_NOUNS = ("NN", "NNS")
_ADJECTIVE = "JJ"
_LETTERS = re.compile(r"[^\W\d_]+")
_SURENESS_POWER = 100
_LEAST_SURE = 0.75


def weigh_sureness(entry: Entry) -> float:
    """Return how much a plausible draw prefers ``entry``: a high power of its sureness."""
    return max(_LEAST_SURE, entry.sureness) ** _SURENESS_POWER


class Slot(NamedTuple):
    """Requirements of a place on its word.

    ``agreement`` holds the parts of a class, coarsest first: fewer parts are a wider class, none
    stands for any.
    """

    tag: str
    agreement: tuple[str, ...] = ()

    def wider(self) -> Slot:
        """Return the next coarser slot; the slot of any class has none."""
        return self._replace(agreement=self.agreement[:-1])

    def widening(self) -> Iterator[Slot]:
        """Yield this slot, then each coarser one, the last for any class."""
        for length in range(len(self.agreement), -1, -1):
            yield Slot(self.tag, self.agreement[:length])


Groups = Mapping[Slot, Sequence[Entry]]


class Pool(NamedTuple):
    """Words that hide each other.

    ``drawn`` are the words that substitutes come from, equally likely for every word hidden here.
    ``behind`` are the public words that are hidden in this pool, including the drawn ones.
    """

    drawn: Sequence[Entry]
    behind: Sequence[Entry]


NO_POOL = Pool((), ())
_Arranged = tuple[Mapping[Slot, Pool], Mapping[Slot, Pool], Groups]
"""Pool of each own slot, largest pool within each slot, and all drawn words of each slot."""
_Selection = Callable[[str, Iterable[Entry]], list[Entry]]
"""Function that returns those words of a tag that may be drawn."""
_PARTS = "abnv"
"""Letters of parts of speech in lists of telling words."""
_LIKE_ADJECTIVES = ("JJR", "JJS", "RB")
"""Tags that a tagger gives an adjective that it does not know."""
_LIKELY = 0.5
"""Confidence from which a word comes back more often than not."""
_SLOTS = 10
"""Multiple of the least size of a pool that is enough words for the slots of a tag."""


class Pools:
    """The words of a dictionary that are hidden, by what they stand for.

    All words are hidden. Those with a confidence of at least ``threshold`` may be drawn; where a
    tag has too few for its slots, words of at least ``_LIKELY``. The words of a slot that has at
    least ``minimum`` are hidden in each other. Words of a sureness of at least ``draw_from`` are
    drawn; where these are fewer than ``minimum``, the ``minimum`` surest of the slot. Words that
    offend (``Language.never_drawn``) are hidden and never drawn.

    The words of a smaller slot join the largest pool within the next wider slot, and are not drawn;
    where there is none, they join the words of that slot. So a word draws from one pool alone, and
    at least ``minimum`` words draw from a pool: several draws of a word reveal no more of it. Words
    that reveal something of a person (``Language.telling``) count as words of the widest slot of
    their tag, known or not: a substitute for one reveals its part of speech, and no class.

    If not all words are hidden (``hidden_words``), the same words are drawn. Behind them are then
    only the words that are hidden: the telling ones, or none.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        threshold: float,
        minimum: int,
        draw_from: float = 0.0,
        hidden_words: HiddenWords = "all",
    ) -> None:
        self._minimum, self._threshold = minimum, threshold
        self._hidden_words = hidden_words
        known = (name.lower() for names in dictionary.names.values() for name in names)
        self.names = read_words(dictionary.language.names_that_are_words).union(known)
        language = dictionary.language
        self._never_drawn = read_words(language.never_drawn)
        self._telling = read_telling(language.telling)
        self._plain = read_words(language.plain)
        lists = language.seldom, language.never_drawn, language.telling
        entries = [*dictionary]
        arranged = dictionary.keep(
            "pools",
            lambda: self._arrange_all(dictionary, draw_from),
            repr((threshold, minimum, draw_from, hidden_words)),
            (*lists, *sorted(Path(__file__).parent.glob("*.py"))),
            partial(_pack, entries),
            partial(_unpack, entries),
        )
        self._hidden_in, self._largest, self._drawn = arranged
        different = {id(pool.drawn): pool for pool in self._hidden_in.values() if pool.drawn}
        self._numbers = {drawn: number for number, drawn in enumerate(different)}
        self._hidden_count = Counter[str]()
        for pool in different.values():
            self._hidden_count[pool.drawn[0].tag] += len(pool.behind)
        self._found: dict[tuple[str, str], Pool] = {}
        self._slot_from_place = bool(dictionary.language.grammar.noun_slots)
        tags = sorted({slot.tag for slot in self._drawn})
        nouns = [tag for tag in tags if penn_tag(tag) == _NOUN]
        self.coarsest_tag = max(nouns, key=lambda tag: len(self.list_drawn(tag)), default=_NOUN)
        """Tag that stands in for a tag without a pool.

        Of nouns with a gender, it is the tag with the most words that may be drawn.
        """
        by_size = sorted(tags, key=lambda tag: len(self.list_drawn(tag)))
        self._kin = {penn_tag(tag): tag for tag in by_size}
        self._left = {
            slot._replace(tag=tag): words
            for tag, left in dictionary.left.items()
            for slot, words in _group_by_slot(self._drop_offensive(left)).items()
        }

    def hides(self, entry: Entry) -> bool:
        """Return True if ``entry`` is replaced everywhere, as terms of the user's glossary are."""
        return (
            self._hidden_words == "all"
            or entry.translator == GLOSSARY
            or self.hides_by_list(entry.word)
        )

    def hides_by_list(self, text: str) -> bool:
        """Return True if ``text``, of any part of speech, is replaced for a telling word."""
        return self._hidden_words == "telling" and not self._telling.isdisjoint(
            product(_split_letters(text), _PARTS)
        )

    def hides_unknown(self, text: str) -> bool:
        """Return True if ``text`` without an entry is replaced: a telling word, or no plain one."""
        return self.hides_by_list(text) or (
            self._hidden_words == "telling" and not self._plain.issuperset(_split_letters(text))
        )

    def select_hiding(self, words: Sequence[Entry]) -> Sequence[Entry]:
        """Return those of ``words`` that are hidden wherever they occur."""
        if self._hidden_words == "all":
            return words
        return [entry for entry in words if self.hides_by_list(entry.word)]

    def for_entry(self, entry: Entry) -> Pool:
        """Return the pool that ``entry`` is hidden in: ``NO_POOL`` when there is none large enough.

        A phrase, or a term of the user's glossary, hides among the words of its slot.
        """
        tells = self._is_telling(entry.word, entry.tag)
        key = entry.tag, "" if tells else entry.agreement
        pool = self._found.get(key)
        if pool is None:
            slot = Slot(entry.tag) if tells else _own_slot(entry)
            homes = (self._largest[wider] for wider in slot.widening() if wider in self._largest)
            pool = self._hidden_in[slot] if slot in self._hidden_in else next(homes, NO_POOL)
            self._found[key] = pool
        return pool

    def _is_telling(self, word: str, tag: str) -> bool:
        """Return True for a word that reveals something of a person.

        A noun phrase that ends in such a word counts too: *breast cancer*. Where these words alone
        are hidden, so does each that is: else few would stand behind a pool of a class.
        """
        if self.hides_by_list(word):
            return True
        part = telling_part(tag)
        head = word.replace("-", " ").rpartition(" ")[2] if part == "n" else word
        return (head, part) in self._telling

    def fits_place(self, entry: Entry, tag: str) -> bool:
        """Return True if what is drawn for ``entry`` fits where its word has ``tag``.

        It does not fit where the words before a noun ask for another slot than the dictionary
        knows: *im Herzen*, of a plural. Any word of ``tag`` is drawn there, as for an unknown word.
        """
        if entry.tag == tag or not self._slot_from_place or not self._drawn.get(Slot(tag)):
            return True
        return not (penn_tag(entry.tag) in _NOUNS and penn_tag(tag) in _NOUNS)

    def count_behind(self, substitute: Entry) -> int:
        """Return the least number of words that may stand behind ``substitute``: its own pool's."""
        return len(self.for_entry(substitute).behind)

    def find_shown(self, substitute: Entry) -> Pool:
        """Return the pool that ``substitute`` is drawn from, which everybody can look up."""
        return self._hidden_in.get(_own_slot(substitute), NO_POOL)

    def number(self, pool: Pool) -> int:
        """Return the index of ``pool`` among all pools; -1 for none."""
        return self._numbers.get(id(pool.drawn), -1)

    def count_hidden(self, tag: str) -> int:
        """Return the number of public words of ``tag`` that hide in a pool."""
        return self._hidden_count[tag]

    def list_drawn(self, tag: str) -> Sequence[Entry]:
        """Return all words of ``tag`` that may be drawn, of whatever class."""
        return self._drawn.get(Slot(tag), ())

    def for_unknown(self, tag: str, word: str = "") -> Sequence[Entry]:
        """Return the pool for ``word`` without an entry, by its ``tag``.

        A telling word hides among the words that known telling words of its tag hide among. For any
        other word the pool holds words that the translator does not know either, so that both are
        treated alike. Where the dictionary has none of the tag, the pool holds any word of the tag,
        else words of the tag of the same part of speech that has most (another person or tense of a
        verb, an adverb for a comparative), else any noun.
        """
        kin = self._kin.get(penn_tag(tag)) or self._kin.get(tag[:2], tag)
        slots = Slot(tag), Slot(kin), Slot(self.coarsest_tag)
        if self._is_telling(word.lower(), tag):
            own = [Slot("JJ")] if tag in _LIKE_ADJECTIVES else []
            homes = (self._largest[slot].drawn for slot in (*own, *slots) if slot in self._largest)
            return next(homes, ())
        pools = (pools.get(slot, ()) for slot in slots for pools in (self._left, self._drawn))
        return next((pool for pool in pools if len(pool) >= self._minimum), ())

    def _arrange_all(self, dictionary: Dictionary, draw_from: float) -> _Arranged:
        """Return the pools of all public words of ``dictionary``."""
        # A phrase is replaced as one, but would show where it was put. A term of the user's
        # glossary would reveal the glossary, and the translator may render it otherwise.
        seldom = read_pairs(dictionary.language.seldom)
        public = (
            e
            for e in dictionary
            if not (e.is_phrase or e.translator == GLOSSARY or (e.word, e.tag) in seldom)
        )
        sure = Counter(entry.tag for entry in dictionary if entry.confidence >= self._threshold)
        has_enough = {tag for tag, n in sure.items() if n >= _SLOTS * self._minimum}
        alike = _find_alike(dictionary) if dictionary.is_asked else frozenset()

        def select_drawable(tag: str, words: Iterable[Entry]) -> list[Entry]:
            least = self._threshold if tag in has_enough else min(self._threshold, _LIKELY)
            able = [entry for entry in self._drop_offensive(words) if entry.confidence >= least]
            distinct = [entry for entry in able if entry.word not in alike]
            return distinct if len(distinct) >= self._minimum else able

        arrange = partial(self._arrange, select_drawable, draw_from)
        by_class = _group_by_slot(public)
        return arrange(self._move_telling(by_class, *arrange(by_class)[:2]))

    def _move_telling(
        self, groups: Groups, hidden_in: Mapping[Slot, Pool], largest: Mapping[Slot, Pool]
    ) -> Groups:
        """Return ``groups`` with telling words moved to the slot of any class of their tag.

        Words that are in the largest pool of that slot already stay.
        """
        moved: dict[Slot, list[Entry]] = defaultdict(list)
        for slot, words in groups.items():
            if hidden_in[slot] is largest.get(Slot(slot.tag)):
                moved[slot] += words
                continue
            for entry in words:
                tells = self._is_telling(entry.word, slot.tag)
                moved[Slot(slot.tag) if tells else slot].append(entry)
        return moved

    def _arrange(self, select: _Selection, draw_from: float, words: Groups) -> _Arranged:
        """Return the pools of ``words``; the largest is given for each slot, own or wider."""
        hidden_in: dict[Slot, Pool] = {}
        largest: dict[Slot, Pool] = {}
        joined: dict[int, list[Entry]] = {}
        drawn: dict[Slot, list[Entry]] = defaultdict(list)
        waiting: dict[Slot, list[Slot]] = {slot: [slot] for slot in words}
        for depth in range(max((len(slot.agreement) for slot in words), default=0), -1, -1):
            for place in [slot for slot in waiting if len(slot.agreement) == depth]:
                own_slots = waiting.pop(place)
                residents = [entry for slot in own_slots for entry in words[slot]]
                behind = [*self.select_hiding(residents)]
                if place in largest:
                    pool = largest[place]
                    joined[id(pool.behind)] += behind
                elif len(able := select(place.tag, residents)) >= self._minimum:
                    if draw_from:
                        surest = sorted([entry.sureness for entry in able], reverse=True)
                        least = min(draw_from, surest[self._minimum - 1])
                        able = [entry for entry in able if entry.sureness >= least]
                    pool = Pool(able, behind)
                    joined[id(behind)] = behind
                    for wider in place.widening():
                        drawn[wider] += pool.drawn
                        largest[wider] = max(
                            largest.get(wider, NO_POOL), pool, key=lambda pool: len(pool.drawn)
                        )
                elif depth:
                    waiting.setdefault(place.wider(), []).extend(own_slots)
                    continue
                else:
                    pool = NO_POOL
                hidden_in.update(dict.fromkeys(own_slots, pool))
        return hidden_in, largest, drawn

    def _drop_offensive(self, words: Iterable[Entry]) -> list[Entry]:
        return [entry for entry in words if entry.word not in self._never_drawn]


def _pack(entries: Sequence[Entry], arranged: _Arranged) -> Any:
    """Return the pools as plain data, with the places of their words in ``entries``."""
    *by_slot, drawn = arranged
    place = {id(entry): number for number, entry in enumerate(entries)}
    pools = {id(pool): pool for found in by_slot for pool in found.values()}
    number = {key: number for number, key in enumerate(pools)}
    return (
        [[[place[id(entry)] for entry in words] for words in pool] for pool in pools.values()],
        [[(*slot, number[id(pool)]) for slot, pool in found.items()] for found in by_slot],
        [(*slot, [place[id(entry)] for entry in words]) for slot, words in drawn.items()],
    )


def _unpack(entries: Sequence[Entry], packed: Any) -> _Arranged:
    """Return the pools that ``_pack`` made plain data of."""
    entry_at = entries.__getitem__
    pools = [Pool(*(list(map(entry_at, places)) for places in pool)) for pool in packed[0]]
    hidden_in, largest = ({Slot(*slot): pools[n] for *slot, n in found} for found in packed[1])
    return hidden_in, largest, {Slot(*slot): list(map(entry_at, at)) for *slot, at in packed[2]}


def _find_alike(dictionary: Dictionary) -> frozenset[str]:
    """Return the words with one form in frames both as a noun and as an adjective (*minor*)."""
    asked: dict[str, dict[str, Entry]] = {tag: {} for tag in (*_NOUNS, _ADJECTIVE)}
    for entry in dictionary:
        if entry.tag in asked and entry.method in ASKED_IN_FRAMES and not entry.is_phrase:
            asked[entry.tag][entry.word] = entry
    adjectives = asked.pop(_ADJECTIVE)
    return frozenset(
        word
        for nouns in asked.values()
        for word in nouns.keys() & adjectives.keys()
        if not set(nouns[word].forms.texts).isdisjoint(adjectives[word].forms.texts)
        and _list_forms_in_frames(nouns[word]) & _list_forms_in_frames(adjectives[word])
    )


def _list_forms_in_frames(entry: Entry) -> set[str]:
    forms = zip(entry.forms.texts, entry.forms.features, strict=True)
    return {text for text, features in forms if any("=" not in feature for feature in features)}


def _own_slot(entry: Entry) -> Slot:
    return Slot(entry.tag, entry.agreement_parts)


def _group_by_slot(words: Iterable[Entry]) -> dict[Slot, list[Entry]]:
    """Group words by their own slots."""
    groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in words:
        groups[entry.tag, entry.agreement].append(entry)
    return {_own_slot(group[0]): group for group in groups.values()}


def _split_letters(text: str) -> list[str]:
    """Return the runs of letters of ``text``, in lower case."""
    return _LETTERS.findall(text.lower())
