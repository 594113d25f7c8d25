"""Selection of an archive's words to query, and of the public decoys that hide them.

A query for a word reveals that it occurs in the archive, or that it is a decoy. Only words that
name nobody are therefore queried. A word is left out if it was an identifier anywhere in the
archive, is capitalised anywhere in the middle of a sentence, is a public name, or is on a list of
the user.

Entry: ``ArchiveWords``: ``add`` every sentence, then ``select_words``;
``PublicWords.choose_groups`` adds the decoys; ``withhold_never_sent`` blocks texts that show a term
of the user.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter

from prism_core.building.frame_queries import Translate
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import Dictionary
from prism_core.identifiers import DenyList, IdentifierFinder, LeakCheck, normalise
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.resources import SHIPPED

SHORTEST = 3
"""Minimum letters of a queried word; shorter ones are mostly initials and codes."""
SMALLEST_GROUP = 24
"""Minimum number of words of one tag that are queried together."""
_LETTERS = re.compile(r"[^\W\d_]+")


class ArchiveWords:
    """Collector of the words of an archive that ``dictionary`` lacks.

    ``deny_list`` is the one of the whole archive, ``names`` are public names, ``never`` the user's
    never-send terms, ``asked`` the words that were queried in vain before. Pass every sentence to
    ``add``; ``select_words`` is right only after the last.
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
        self._capitalised: set[str] = set()

    def add(self, sentence: Sentence) -> None:
        """Count the words of one sentence of the archive."""
        sentence_cut, identifiers = self._finder.find(sentence, self._deny_list)
        covered = {
            p
            for identifier in identifiers
            for p in range(identifier.position, identifier.position + identifier.length)
        }
        has_begun = False
        for position, token in enumerate(sentence_cut.tokens):
            if position in covered or (has_begun and not token.text.islower()):
                self._capitalised.update(normalise(part) for part in _LETTERS.findall(token.text))
            elif token.tag in self._tags and _is_plain_word(token.text, self._language):
                self._counts[token.text, token.tag] += 1
            has_begun = has_begun or any(c.isalnum() for c in token.text)

    def select_words(self, *, least: int) -> list[WordCandidate]:
        """Return each word seen ``least`` times in all, under its most frequent tag."""
        totals: Counter[str] = Counter()
        tags: dict[str, str] = {}
        for (word, tag), count in self._counts.most_common():
            totals[word] += count
            tags.setdefault(word, tag)
        return [
            WordCandidate(word, tags[word], count)
            for word, count in sorted(totals.items())
            if count >= least and self._may_be_queried(word) and not self._may_name(word)
        ]

    def count_barred(self, *, least: int) -> int:
        """Count the words that the dictionary lacks but that are barred as possible names."""
        words = {word for word, _ in self._counts if self._may_be_queried(word)}
        totals = {word: sum(self._counts[word, tag] for tag in self._tags) for word in words}
        return sum(1 for word in words if totals[word] >= least and self._may_name(word))

    def _may_be_queried(self, word: str) -> bool:
        """Return True if the dictionary lacks the word and it was never queried before.

        A word that the translator did not know, queried again with other decoys, would stand out as
        the archive's.
        """
        return not self._dictionary.knows(word) and word not in self._asked

    def _may_name(self, word: str) -> bool:
        normal = normalise(word)
        return (
            normal in self._capitalised
            or normal in self._names
            # Asked for by itself, whatever is denied is, with or without a capital.
            or bool(self._check.find_leaks(word, (), self._deny_list, lambda _word: False))
        )


def withhold_never_sent(translate: Translate, check: LeakCheck) -> Translate:
    """Wrap ``translate`` so that no text with a never-send term of the user is sent.

    Such a text has the empty answer, like a text that the translator refuses. Single words that may
    be queried can show a term together, or in the public sentence that carries them.
    """

    def translate_allowed(texts: Sequence[str]) -> list[str]:
        allowed = [not check.shows_never_sent(text) for text in texts]
        answers = iter(
            translate([text for text, is_allowed in zip(texts, allowed, strict=True) if is_allowed])
        )
        return [next(answers) if is_allowed else "" for is_allowed in allowed]

    return translate_allowed


@dataclass(frozen=True, slots=True)
class HiddenWords:
    """Words to query: whole ``groups``, and ``padding`` of common words, known to be decoys.

    ``own`` are the archive's words among them. ``unlisted`` are words of the archive that nothing
    hides: no public source has them, or only one with too few similar words. They are not queried.
    """

    groups: tuple[tuple[WordCandidate, ...], ...]
    padding: tuple[WordCandidate, ...]
    own: tuple[WordCandidate, ...]
    unlisted: tuple[WordCandidate, ...]

    @property
    def asked(self) -> list[WordCandidate]:
        """All words to query, in the order of the groups."""
        return [*(word for group in self.groups for word in group), *self.padding]


class PublicWords:
    """Words of public text and lists, however rare, that serve as decoys for an archive's words.

    Words that ``dictionary`` lacks and for which ``left_out`` is false are divided into groups of
    ``size`` (``group_words``) without reading any archive. A query thus reveals that some word of a
    group is the archive's, but not which.
    """

    def __init__(
        self,
        words: Iterable[WordCandidate],
        dictionary: Dictionary,
        left_out: Callable[[str], bool],
        size: int,
    ) -> None:
        plain = [word for word in words if _is_plain_word(word.word, dictionary.language)]
        known = [word for word in plain if dictionary.knows(word.word)]
        lacking = [
            word for word in plain if not dictionary.knows(word.word) and not left_out(word.word)
        ]
        self._common = sorted(known, key=lambda word: (-word.count, word.word))
        self._group_of = {word.key: group for group in group_words(lacking, size) for word in group}
        self._tags: dict[str, str] = {}
        for word, tag in sorted(self._group_of):
            self._tags.setdefault(word, tag)

    def choose_groups(self, archive_words: Iterable[WordCandidate]) -> HiddenWords:
        """Return each group that contains one of ``archive_words``, whole.

        A tag with fewer than ``SMALLEST_GROUP`` words in all is padded with common words that the
        dictionary has, because a frame is read off many outputs.
        """
        touched: dict[WordCandidate, tuple[WordCandidate, ...]] = {}
        hidden, unlisted = [], []
        for candidate in archive_words:
            is_public = candidate.key in self._group_of
            tag = candidate.tag if is_public else self._tags.get(candidate.word)
            if tag is None:
                unlisted.append(candidate)
                continue
            hidden.append(WordCandidate(candidate.word, tag, candidate.count))
            group = self._group_of[candidate.word, tag]
            touched[group[0]] = group
        counts = Counter(candidate.tag for group in touched.values() for candidate in group)
        padding: list[WordCandidate] = []
        for tag, count in sorted(counts.items()):
            of_tag = {
                candidate.word: candidate
                for candidate in reversed(self._common)
                if candidate.tag == tag
            }
            padding += list(reversed(of_tag.values()))[: max(0, SMALLEST_GROUP - count)]
        groups = tuple(touched[first] for first in sorted(touched, key=attrgetter("tag", "word")))
        return HiddenWords(groups, tuple(padding), tuple(hidden), tuple(unlisted))


def group_words(words: Iterable[WordCandidate], size: int) -> list[tuple[WordCandidate, ...]]:
    """Divide ``words`` into groups of ``size`` and a few more: similar words of one tag.

    The words of a group are about as frequent in public text, and neighbours in the shipped order
    by meaning, spelling and frequency; words missing from that order are sorted by their endings.
    The result depends on ``words`` and ``size`` alone. A tag with fewer than ``size`` words is left
    out.
    """
    ranks = {word: rank for rank, word in enumerate(read_words_by_meaning())}
    counts: Counter[tuple[str, str]] = Counter()
    for word in words:
        counts[word.tag, word.word] += word.count

    def sort_key(key: tuple[str, str]) -> tuple[str, int, int, str]:
        tag, word = key
        band = counts[key].bit_length()  # they double: 0, 1, 2 and 3, 4 to 7 …
        return tag, band, ranks.get(word, len(ranks)), word[::-1]

    groups: list[tuple[WordCandidate, ...]] = []
    for _, keys in groupby(sorted(counts, key=sort_key), key=itemgetter(0)):
        of_tag = tuple(WordCandidate(word, tag, counts[tag, word]) for tag, word in keys)
        starts = [size * n for n in range(len(of_tag) // size)]
        ends = [*starts[1:], len(of_tag)]
        groups += [of_tag[start:end] for start, end in zip(starts, ends, strict=bool(starts))]
    return groups


def read_words_by_meaning() -> list[str]:
    """Read the shipped order of words, in which similar words are neighbours."""
    file = SHIPPED / "data" / "words" / "by_meaning.txt.gz"
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    return [line for line in lines if not line.startswith("#")]


def _is_plain_word(word: str, language: Language) -> bool:
    """Return True for a lower-case word of plain letters that is no function word."""
    plain = word.isalpha() and word.islower() and len(word) >= SHORTEST
    return plain and not language.is_function_word(word)
