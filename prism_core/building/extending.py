"""Which words of an archive a translator may be asked for, and which public words hide them.

Asking for a word tells that it occurs in the archive, among the decoys. So only words are asked
for that name nobody: what was an identifier anywhere in the archive, is written with a capital
anywhere in the middle of a sentence, is a public name or is on a list of the user is left out.

Entry: ``OwnWords``: ``add`` every sentence, then ``words``; ``choose_decoys`` hides them,
``withhold_never_sent`` keeps back what shows a term of the user.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.building.paper import Translate
from prism_core.building.vocabulary import Candidate
from prism_core.dictionary import Dictionary
from prism_core.identifiers import DenyList, IdentifierFinder, LeakCheck, normalise
from prism_core.language import Sentence
from prism_core.languages import Language

SHORTEST = 3
"""Letters of a word that is asked for; shorter ones are mostly initials and codes."""
SMALLEST_GROUP = 24
"""Words of one tag that are asked for together at least."""
_LETTERS = re.compile(r"[^\W\d_]+")


class OwnWords:
    """Collects the words of an archive that ``dictionary`` lacks.

    ``deny_list`` is that of the whole archive, ``names`` are public names, ``never`` the user's
    never-send terms, ``asked`` what was asked for in vain before. Give every sentence to ``add``;
    ``words`` is right only after the last.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        finder: IdentifierFinder,
        deny_list: DenyList,
        *,
        names: Iterable[str],
        never: Iterable[str],
        asked: Iterable[str] = (),
    ) -> None:
        self._dictionary, self._language = dictionary, dictionary.language
        self._finder = finder
        self._tags = dictionary.language.frames.of_tags
        self._deny_list = deny_list
        self._names = {normalise(name) for name in names}
        self._check = LeakCheck(dictionary.language, never)
        self._asked = frozenset(asked) | {
            entry.word for left in dictionary.left.values() for entry in left
        }
        self._counts: Counter[tuple[str, str]] = Counter()
        self._barred: set[str] = set()

    def add(self, sentence: Sentence) -> None:
        """Take in one sentence of the archive."""
        cut, identifiers = self._finder.find(sentence, self._deny_list)
        covered = {
            p
            for identifier in identifiers
            for p in range(identifier.position, identifier.position + identifier.length)
        }
        begun = False
        for position, token in enumerate(cut.tokens):
            if position in covered or (begun and not token.text.islower()):
                self._barred.update(normalise(part) for part in _LETTERS.findall(token.text))
            elif token.tag in self._tags and _may_be_asked(token.text, self._language):
                self._counts[token.text, token.tag] += 1
            begun = begun or any(c.isalnum() for c in token.text)

    def words(self, *, least: int) -> list[Candidate]:
        """Each word under the tag it has most often, if it is seen ``least`` times in all."""
        totals: Counter[str] = Counter()
        tags: dict[str, str] = {}
        for (word, tag), count in self._counts.most_common():
            totals[word] += count
            tags.setdefault(word, tag)
        return [
            Candidate(word, tags[word], count)
            for word, count in sorted(totals.items())
            if count >= least and self._is_lacking(word) and not self._is_barred(word)
        ]

    def barred(self, *, least: int) -> int:
        """How many words the dictionary lacks that are not asked for, since they may name."""
        words = {word for word, _ in self._counts if self._is_lacking(word)}
        totals = {word: sum(self._counts[word, tag] for tag in self._tags) for word in words}
        return sum(1 for word in words if totals[word] >= least and self._is_barred(word))

    def _is_lacking(self, word: str) -> bool:
        """Whether to ask at all: what the translator did not know, asked again with other decoys,
        would stand out as the archive's."""
        return not self._dictionary.knows(word) and word not in self._asked

    def _is_barred(self, word: str) -> bool:
        normal = normalise(word)
        return (
            normal in self._barred
            or normal in self._names
            # Asked for by itself, whatever is denied is, with or without a capital.
            or self._check.leaks(word, (), self._deny_list, lambda _word: False)
        )


@dataclass(frozen=True, slots=True)
class DecoyWords:
    """Public words to hide among. ``told_apart`` of them are in the dictionary already, so that
    whoever has it can tell them from the archive's; ``short`` is how many are missing."""

    words: tuple[Candidate, ...]
    told_apart: int
    short: int


def withhold_never_sent(ask: Translate, check: LeakCheck) -> Translate:
    """``ask`` for those texts that show none of the user's never-send terms.

    The others are not sent, and have the empty answer, as what a translator refuses. Single words
    that may be asked for can show a term together, or in the public sentence they are put in.
    """

    def ask_allowed(texts: Sequence[str]) -> list[str]:
        allowed = [not check.shows_never_sent(text) for text in texts]
        answers = iter(ask([text for text, may in zip(texts, allowed, strict=True) if may]))
        return [next(answers) if may else "" for may in allowed]

    return ask_allowed


def choose_decoys(
    words: Sequence[Candidate],
    public: Sequence[Candidate],
    dictionary: Dictionary,
    ratio: float,
    rng: Random,
) -> DecoyWords:
    """``ratio`` public words for each of ``words``, of its tag and about as common in public text.

    ``public`` are the words of public text, however rare. Those the dictionary lacks come first:
    to whoever has the dictionary, any other is a decoy at sight. Where all words of a tag are
    fewer than ``SMALLEST_GROUP``, common public words keep them company, for a frame is read off
    what the translator does with many words.
    """
    taken = {word.word for word in words}
    counts = {(word.word, word.tag): word.count for word in public}
    wanted = {tag: round(ratio * n) for tag, n in Counter(word.tag for word in words).items()}
    chosen: list[Candidate] = []
    company: list[Candidate] = []
    for tag in sorted(wanted):
        usable = [
            candidate
            for candidate in public
            if candidate.tag == tag
            and _may_be_asked(candidate.word, dictionary.language)
            and candidate.word not in taken
        ]
        usable = list({candidate.word: candidate for candidate in reversed(usable)}.values())
        supply = _Supply(usable, dictionary, rng)
        bands = [_band(counts.get((word.word, tag), 0)) for word in words if word.tag == tag]
        hidden = [supply.draw(bands[n % len(bands)]) for n in range(wanted[tag])]
        chosen += [decoy for decoy in hidden if decoy is not None]
        missing = SMALLEST_GROUP - len(bands) - len(hidden)
        company += supply.commonest(missing) if missing > 0 else []
        taken.update(candidate.word for candidate in (*chosen, *company))
    known = [candidate for candidate in (*chosen, *company) if dictionary.knows(candidate.word)]
    return DecoyWords((*chosen, *company), len(known), sum(wanted.values()) - len(chosen))


class _Supply:
    """Public words of one tag, by whether the dictionary has them and by frequency band."""

    def __init__(self, words: Sequence[Candidate], dictionary: Dictionary, rng: Random) -> None:
        self._rng = rng
        self._groups: dict[tuple[bool, int], list[Candidate]] = defaultdict(list)
        for word in words:
            self._groups[dictionary.knows(word.word), _band(word.count)].append(word)

    def draw(self, band: int) -> Candidate | None:
        """One that the dictionary lacks, if there is any, of the nearest band; never twice."""
        filled = [key for key, group in self._groups.items() if group]
        if not filled:
            return None
        group = self._groups[min(filled, key=lambda key: (key[0], abs(key[1] - band), key[1]))]
        return group.pop(self._rng.randrange(len(group)))

    def commonest(self, number: int) -> list[Candidate]:
        """The commonest words that are left, those as common in no order."""
        left = [word for group in self._groups.values() for word in group]
        self._rng.shuffle(left)
        return sorted(left, key=lambda word: -word.count)[:number]


def _band(count: int) -> int:
    """Frequency bands double: 0 and 1, 2 and 3, 4 to 7 …"""
    return max(1, count).bit_length()


def _may_be_asked(word: str, language: Language) -> bool:
    """A single lower-case word of plain letters that is no function word."""
    plain = word.isalpha() and word.islower() and len(word) >= SHORTEST
    return plain and not language.is_function_word(word)
