"""Candidates for dictionary entries, with their tags: words of public text or a list, and phrases.

A phrase is a pair of words that a translator renders as one: *ice cream*, *every day*.

Entry: ``settle_genders`` and ``lowercase_nouns``, then ``find_candidates`` and
``find_phrase_candidates`` read public text; ``read_word_list`` reads a list.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from prism_core.building.corpus_occurrences import NOUNS
from prism_core.dictionary import CALENDAR_TAGS, WordKey
from prism_core.errors import ConfigurationError
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language, read_words
from prism_core.resources import shipped_words

SMALLEST_SHARE = 0.1
"""Share of a word's occurrences below which a tag is taken for a tagger's error."""


SMALLEST_SHARE_OF_KIND = 0.3
"""Same share for tags that differ in gender, number or person alone."""


LEAST_SURE_OF_TAG = 6
"""Occurrences from which a tag is taken for right, whatever the ending (*mujeres, análisis*)."""
LEAST_ARTICLES = 2
"""Number of articles before a noun that are needed to determine its gender."""
LEAST_ARTICLE_SHARE = 0.9
"""Share of these articles that must agree."""


@dataclass(frozen=True, slots=True)
class WordCandidate:
    """Word to build an entry for; ``count`` is its number of occurrences under this tag.

    The inflections of one phrase have the same ``family``.
    """

    word: str
    tag: str
    count: int
    family: str = ""

    @property
    def key(self) -> WordKey:
        """Word and tag."""
        return self.word, self.tag

    @property
    def surface(self) -> str:
        """Word as it is written into a frame: names of the calendar are capitalised."""
        return self.word.capitalize() if self.tag in CALENDAR_TAGS else self.word


def settle_genders(sentences: Sequence[Sentence], language: Language) -> list[Sentence]:
    """Give each noun in ``sentences`` the gender that the articles before it show.

    A tagger mistakes the gender of a noun that it has seldom seen. Nouns that stand after articles
    of either gender (*el paciente, la paciente*), or after none, stay unchanged.
    """
    article_counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    grammar = language.grammar
    for sentence in sentences if grammar.genders else ():
        for before, token in pairwise(sentence.tokens):
            article, noun = before.text.lower(), token.text.lower()
            shows_gender = article in grammar.genders and penn_tag(token.tag) in NOUNS
            if shows_gender and not re.fullmatch(grammar.any_gender, f"{article} {noun}"):
                article_counts[noun, penn_tag(token.tag)][grammar.genders[article]] += 1
    clear_genders = {
        noun: gender
        for noun, genders in article_counts.items()
        for gender, count in genders.most_common(1)
        if count >= max(LEAST_ARTICLES, LEAST_ARTICLE_SHARE * genders.total())
    }

    def settle(token: Token) -> Token:
        penn = penn_tag(token.tag)
        gender = clear_genders.get((token.text.lower(), penn)) if penn in NOUNS else None
        return token._replace(tag=f"{penn}-{gender}") if gender else token

    return [Sentence(tuple(map(settle, sentence.tokens))) for sentence in sentences]


def lowercase_nouns(sentences: Sequence[Sentence], language: Language) -> list[Sentence]:
    """Lower-case the nouns in ``sentences`` of a language that capitalises all nouns.

    Words can then be told from names as in other languages. A noun keeps its capital, and becomes
    no entry, if it is no plain word and does not end in one of four letters or more
    (*Krankenhausleitung*).
    """
    if not language.words.nouns_have_capitals:
        return list(sentences)
    plain = read_words(language.plain)

    def is_plain(word: str) -> bool:
        endings = (
            word[start:] for start in range(LEAST_PART_LETTERS, len(word) - LEAST_PART_LETTERS + 1)
        )
        return word in plain or any(end in plain for end in endings)

    def write(token: Token) -> Token:
        lower = token.text.lower()
        is_noun = penn_tag(token.tag) in NOUNS and not token.entity and token.text.istitle()
        return token._replace(text=lower) if is_noun and is_plain(lower) else token

    return [Sentence(tuple(map(write, sentence.tokens))) for sentence in sentences]


def find_candidates(
    sentences: Iterable[Sentence], language: Language, *, least: int = 2
) -> list[WordCandidate]:
    """Find every open-class word seen at least ``least`` times, commonest first, and closed sets.

    Only lower-case words of at least two letters count: a name in the text never becomes an entry.
    """
    counts = Counter(
        (token.text, token.tag)
        for sentence in sentences
        for token in sentence.tokens
        if token.tag in language.frames.of_tags
        and len(token.text) > 1
        and _is_lower_case(token.text)
        and not language.is_function_word(token.text)
    )
    totals: Counter[str] = Counter()
    kind_totals: Counter[tuple[str, str]] = Counter()
    for (word, tag), count in counts.items():
        totals[word] += count
        kind_totals[word, penn_tag(tag)] += count
    forms = language.frames.forms
    found = [
        WordCandidate(word, tag, count)
        for (word, tag), count in counts.most_common()
        if count >= least
        and count >= SMALLEST_SHARE * totals[word]
        and count >= SMALLEST_SHARE_OF_KIND * kind_totals[word, penn_tag(tag)]
        and (count >= LEAST_SURE_OF_TAG or re.fullmatch(forms.get(tag, ".*"), word))
    ]
    return found + _list_closed_sets({c.key for c in found}, language)


def _list_closed_sets(present: set[tuple[str, str]], language: Language) -> list[WordCandidate]:
    days = language.dates
    numerals = language.frames.numerals
    beside_nouns = {  # a noun's gender shows in the translation of the adjective beside it
        word: None
        for tag in NOUNS
        for frame in language.frames.of_tags.get(tag, ())
        for word in re.findall(r"\w+", frame.text.lower())
        if language.frames.agreement and not language.is_function_word(word)
    }
    sets = (
        ("MONTH", days.months),
        ("WEEKDAY", days.weekdays),
        ("CD", numerals),
        ("JJ", beside_nouns),
    )
    return [
        WordCandidate(word, tag, 0)
        for tag, words in sets
        for word in words
        if (word, tag) not in present
    ]


_BEFORE_NOUN = frozenset({"NN", "JJ", "VBG", "VBN"})
LEAST_PART_LETTERS = 4
"""Minimum letters of the parts of a compound."""
LEAST_PHRASE_COUNT = 3
"""Count below which a pair of words is taken for a chance co-occurrence."""


def find_phrase_candidates(
    sentences: Iterable[Sentence], language: Language, *, least: int
) -> list[WordCandidate]:
    """Find pairs of words that may be a noun, or an adverb of time.

    They are seen at least ``least`` times, and ``LEAST_PHRASE_COUNT`` times.
    """
    least = max(least, LEAST_PHRASE_COUNT)
    counts = Counter(
        pair for sentence in sentences for pair in _find_pairs(sentence.tokens, language)
    )
    return [WordCandidate(text, tag, n) for (text, tag), n in counts.most_common() if n >= least]


def _find_pairs(tokens: Sequence[Token], language: Language) -> Iterator[tuple[str, str]]:
    for first, second in pairwise(tokens):
        if (
            _is_lower_case(first.text)
            and _is_lower_case(second.text)
            and penn_tag(second.tag) in NOUNS
        ):
            text = f"{first.text} {second.text}"
            if first.text in language.frames.of_time and penn_tag(second.tag) == "NN":
                yield text, "RB"
            elif penn_tag(first.tag) in _BEFORE_NOUN and not language.is_function_word(first.text):
                yield text, second.tag


def _is_lower_case(word: str) -> bool:
    return word.isalpha() and word.islower()


def read_shipped_word_list(language: Language) -> list[WordCandidate]:
    """Read the candidates of the list that ships for ``language``; empty if none ships."""
    path = shipped_words(language.code)
    return read_word_list(path, language) if path.exists() else []


def read_word_list(path: Path, language: Language) -> list[WordCandidate]:
    """Read the candidates of a list: a word, a tab and a Penn tag a line, gzipped or not.

    Lines that start with # are comments. The count is 0, because no text shows the words. Raises
    ``ConfigurationError`` with the line that is wrong.
    """
    try:
        content = path.read_bytes()
        raw = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        lines = raw.decode("utf-8").splitlines()
    except (OSError, EOFError, UnicodeDecodeError, gzip.BadGzipFile):
        raise ConfigurationError(f"The word list {path} cannot be read as UTF-8 text.") from None
    found = [
        (number, line.split("\t"))
        for number, line in enumerate(lines, start=1)
        if line and not line.startswith("#")
    ]
    for number, fields in found:
        if len(fields) != 2 or fields[1] not in language.frames.of_tags:
            raise ConfigurationError(
                f"Line {number} of {path} is not a word, a tab and one of the tags "
                f"{', '.join(language.frames.of_tags)}."
            )
    return [WordCandidate(word, tag, 0) for _, (word, tag) in found]
