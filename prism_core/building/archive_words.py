"""Which words of an archive a translator may be asked for, and which public words choose_groups them.

Asking for a word tells that it occurs in the archive, among the decoys. So only words are asked
for that name nobody: what was an identifier anywhere in the archive, is written with a capital
anywhere in the middle of a sentence, is a public name or is on a list of the user is left out.

Entry: ``ArchiveWords``: ``add`` every sentence, then ``words``; ``PublicWords``
``choose_groups`` them, ``withhold_never_sent`` keeps back what shows a term of the user.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter

from prism_core.building.frame_queries import Ask
from prism_core.building.word_candidates import Candidate
from prism_core.dictionary import Dictionary
from prism_core.identifiers import DenyList, IdentifierFinder, LeakCheck, normalise
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.resources import shipped_word_order

SHORTEST = 3
"""Letters of a word that is asked for; shorter ones are mostly initials and codes."""
SMALLEST_GROUP = 24
"""Words of one tag that are asked for together at least."""
_LETTERS = re.compile(r"[^\W\d_]+")


class ArchiveWords:
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
            or bool(self._check.shown(word, (), self._deny_list, lambda _word: False))
        )


def withhold_never_sent(ask: Ask, check: LeakCheck) -> Ask:
    """``ask`` for those texts that show none of the user's never-send terms.

    The others are not sent, and have the empty answer, as what a translator refuses. Single words
    that may be asked for can show a term together, or in the public sentence they are put in.
    """

    def ask_allowed(texts: Sequence[str]) -> list[str]:
        allowed = [not check.shows_never_sent(text) for text in texts]
        answers = iter(ask([text for text, may in zip(texts, allowed, strict=True) if may]))
        return [next(answers) if may else "" for may in allowed]

    return ask_allowed


@dataclass(frozen=True, slots=True)
class HiddenWords:
    """What is asked for: whole ``groups``, and common words as ``padding``, known to be decoys.

    ``own`` are the archive's among them. ``unlisted`` are words of the archive that nothing hides:
    they stand in no public source, or in one that has too few like them; they are not asked for.
    """

    groups: tuple[tuple[Candidate, ...], ...]
    padding: tuple[Candidate, ...]
    own: tuple[Candidate, ...]
    unlisted: tuple[Candidate, ...]

    @property
    def asked(self) -> list[Candidate]:
        """Everything, in the order of the groups."""
        return [*(word for group in self.groups for word in group), *self.padding]


class PublicWords:
    """Words of public text and lists, however rare, that an archive's are hidden among.

    Those that ``dictionary`` lacks, and of which ``left_out`` is false, are parted into groups of
    ``size`` (``group_words``) without a look at an archive. So what is asked tells of a group that
    some word of it is the archive's, and nothing of which.
    """

    def __init__(
        self,
        words: Iterable[Candidate],
        dictionary: Dictionary,
        left_out: Callable[[str], bool],
        size: int,
    ) -> None:
        plain = [one for one in words if _may_be_asked(one.word, dictionary.language)]
        known = [one for one in plain if dictionary.knows(one.word)]
        lacking = [
            one for one in plain if not dictionary.knows(one.word) and not left_out(one.word)
        ]
        self._common = sorted(known, key=lambda one: (-one.count, one.word))
        self._group_of = {
            (one.word, one.tag): group for group in group_words(lacking, size) for one in group
        }
        self._tags: dict[str, str] = {}
        for word, tag in sorted(self._group_of):
            self._tags.setdefault(word, tag)

    def choose_groups(self, own: Iterable[Candidate]) -> HiddenWords:
        """Each group that has one of ``own`` in it, whole.

        Words of a tag that are fewer than ``SMALLEST_GROUP`` in all are kept padding by common
        words that the dictionary has, since a frame is read off many.
        """
        touched: dict[Candidate, tuple[Candidate, ...]] = {}
        hidden, unlisted = [], []
        for one in own:
            is_public = (one.word, one.tag) in self._group_of
            tag = one.tag if is_public else self._tags.get(one.word)
            if tag is None:
                unlisted.append(one)
                continue
            hidden.append(Candidate(one.word, tag, one.count))
            group = self._group_of[one.word, tag]
            touched[group[0]] = group
        counts = Counter(one.tag for group in touched.values() for one in group)
        padding: list[Candidate] = []
        for tag, count in sorted(counts.items()):
            of_tag = {one.word: one for one in reversed(self._common) if one.tag == tag}
            padding += list(reversed(of_tag.values()))[: max(0, SMALLEST_GROUP - count)]
        groups = tuple(touched[first] for first in sorted(touched, key=attrgetter("tag", "word")))
        return HiddenWords(groups, tuple(padding), tuple(hidden), tuple(unlisted))


def group_words(words: Iterable[Candidate], size: int) -> list[tuple[Candidate, ...]]:
    """``words`` in groups of ``size`` and a few more, each of one tag and of words much alike.

    About as frequent in public text, and neighbours in the shipped order by meaning, spelling and
    frequency; words that are not in it stand by their endings. Follows from ``words`` and ``size``
    alone. A tag with fewer than ``size`` words is left out.
    """
    places = {word: place for place, word in enumerate(read_words_by_meaning())}
    counts: Counter[tuple[str, str]] = Counter()
    for word in words:
        counts[word.tag, word.word] += word.count

    def likeness(key: tuple[str, str]) -> tuple[str, int, int, str]:
        tag, word = key
        band = counts[key].bit_length()  # they double: 0, 1, 2 and 3, 4 to 7 …
        return tag, band, places.get(word, len(places)), word[::-1]

    groups: list[tuple[Candidate, ...]] = []
    for _, keys in groupby(sorted(counts, key=likeness), key=itemgetter(0)):
        of_tag = tuple(Candidate(word, tag, counts[tag, word]) for tag, word in keys)
        starts = [size * n for n in range(len(of_tag) // size)]
        ends = [*starts[1:], len(of_tag)]
        groups += [of_tag[start:end] for start, end in zip(starts, ends, strict=bool(starts))]
    return groups


def read_words_by_meaning() -> list[str]:
    """The shipped order of words; what stands together is much alike."""
    lines = gzip.decompress(shipped_word_order().read_bytes()).decode().splitlines()
    return [line for line in lines if not line.startswith("#")]


def _may_be_asked(word: str, language: Language) -> bool:
    """A single lower-case word of plain letters that is no function word."""
    plain = word.isalpha() and word.islower() and len(word) >= SHORTEST
    return plain and not language.is_function_word(word)
