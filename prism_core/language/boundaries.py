"""Boundaries of segments, the units that a tagger gets, and of sentences within them.

A tagger works best on one well-typed paragraph, but archives contain runs of blanks, typographic
quotes, control characters and lines without end. So a segment records its position in the text, and
its ``view`` is what the tagger sees. Every character of the view that is not a blank stands for
exactly one character of the text.

Entry: ``split_segments``; ``lowercase_headline`` changes the view of a headline. Then
``BoundaryRules.mend`` corrects the splitter: ``_forbids_start`` lists the positions where no
sentence begins, ``_is_inside_number`` those within a number, and a boundary moves before an opening
bracket. ``split_long`` handles text without boundaries.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import add
from typing import NamedTuple

from prism_core.languages import Language, read_words
from prism_core.record import DOUBTFUL

# What ends a line, a cell or a page is a sentence boundary whatever a tagger thinks of it.
_HARD_BREAK = re.compile(
    r"[^\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]*[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]*"
)
_WORD = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_SENTENCE_STARTS = ("", *".!?")
_SENTENCE_END = re.compile("[.!?\u2026\u3002\uff01\uff1f]['\"\u2019\u201d)\\]]*\\s+")

# Longer segments cost a tagger memory out of proportion; longer runs without a blank are no words.
_LONGEST_SEGMENT = 8_000
_LONGEST_RUN = 1_000
_OVERLONG = re.compile(rf"\S{{{_LONGEST_RUN + 1}}}")

# Typographic apostrophes and quotation marks.
_STRAIGHT_QUOTES = dict.fromkeys(
    map(ord, "\u2018\u2019\u201a\u201b\u02bc\uff07"), "'"
) | dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\uff02"), '"')
_UNSAFE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class UnpaddedSegment:
    """Characters ``[start, end)`` of a text, with the starts of its stretches without padding."""

    start: int
    end: int
    view: str
    _view_starts: tuple[int, ...]
    _text_starts: tuple[int, ...]

    @classmethod
    def read(cls, text: str, start: int, end: int) -> UnpaddedSegment:
        """Make the segment ``[start, end)`` of ``text``."""
        core = text[start:end].strip()
        view = " ".join(core.split())
        if len(view) == len(core) > 0:  # a single blank between any two words
            first = text.index(core, start)
            return cls(start, end, use_plain_characters(view), (0,), (first,))
        text_starts = tuple(match.start() for match in _WORD.finditer(text, start, end))
        view_starts = tuple(accumulate((len(word) + 1 for word in core.split()), initial=0))
        return cls(start, end, use_plain_characters(view), view_starts, text_starts)

    def offset(self, position: int) -> int:
        """Return the position in the text of the view's ``position``, which is no blank."""
        stretch = bisect_right(self._view_starts, position) - 1
        return self._text_starts[stretch] + position - self._view_starts[stretch]

    def offsets(self, positions: Sequence[int]) -> list[int]:
        """Return ``offset`` of each of several positions."""
        if len(self._text_starts) == 1:
            first = self._text_starts[0]
            return [first + position for position in positions]
        return [self.offset(position) for position in positions]


def split_segments(text: str) -> Iterator[UnpaddedSegment]:
    """Yield the segments of ``text``, without gaps; each includes the white space after it."""
    for match in _HARD_BREAK.finditer(text):
        start = match.start()
        while start < match.end():
            end, window_end = match.end(), start + _LONGEST_SEGMENT
            if overlong := _OVERLONG.search(text, start, min(end, window_end)):
                end = overlong.start() if overlong.start() > start else start + _LONGEST_RUN
            elif end > window_end:
                ends = [found.end() for found in _SENTENCE_END.finditer(text, start, window_end)]
                blank = max(text.rfind(gap, start, window_end) for gap in " \u00a0")
                end = ends[-1] if ends else blank + 1 if blank > start else window_end
            yield UnpaddedSegment.read(text, start, end)
            start = end


def use_plain_characters(text: str) -> str:
    """Return ``text``, of the same length, with straight quotes and without unsafe characters."""
    return _UNSAFE.sub("\ufffd", text.translate(_STRAIGHT_QUOTES))


def lowercase_headline(view: str, language: Language) -> str:
    """Return ``view`` with a headline's words in lower case where they are hardly ever a name.

    A tagger mistakes *General Provisions* and *PAIN WELL CONTROLLED* for names and nouns, because
    capitals carry no information there. The first word of a sentence keeps its capital. Words
    beside a possible name stay as they are, and so does an address.
    """
    words = (match[0] for match in _LETTERS.finditer(view))
    if not all(language.is_function_word(word) for word in words if word.islower()):
        return view
    if re.search(rf"\b(?:{language.places.streets})\b", view):
        return view
    known, roles = read_words(language.plain), read_words(language.role_words)
    also_names = read_words(language.names_that_are_words)
    is_one_word = " " not in view

    def names_nobody(word: str) -> bool:
        lower = word.lower()
        is_name = word.istitle() and lower in also_names  # *Memo to Will*
        is_grammar = language.is_function_word(word) and not is_name
        return is_grammar or lower in known or lower in roles

    def write(match: re.Match[str]) -> str:
        if not all(map(names_nobody, match[0].split(" "))):
            return match[0]  # *Municipality of Port Harcourt*
        begins = not is_one_word and view[: match.start()].rstrip()[-1:] in _SENTENCE_STARTS
        return match[0].capitalize() if begins else match[0].lower()

    return _RUN.sub(write, view)


LONGEST_SENTENCE = 1_000
"""Characters, about 170 words. Replacing and restoring words takes time quadratic in this
length."""
_CLAUSE_ENDS = (";", ":", ",")
_LONGEST_CAPITALS = 4
_LONGEST_NAME_START = 3
"""Words at the beginning of a text that are too few for a sentence without a mark at its end."""
_FEWEST_DIGITS = 6
"""Digits of a number that begins no sentence after a word in lower case."""
DASHES = frozenset("—–")
"""Dashes behind which a heading is split, with a blank on either side."""
_JOINERS = tuple("-‐‑–/_:")
_DAY = re.compile(r"(?<![\d.,])(?:[12]?\d|3[01])\.$")
_OPENER = re.compile(r"[(\[{«]+|[\"'`]+")
_LETTER_END = re.compile(r"(?<!\S)([a-zß-ÿ]+) [A-Z]\.$")
_QUOTE = re.compile(r"[\"']+")
_GROUPED_ADDRESS = re.compile(r"\{[^{}]+\}@")
"""Start of several addresses at one host."""
_LONGEST_GROUP = 40
"""Words within which the host of such addresses is looked for."""


class Guess(NamedTuple):
    """A word, whether a blank precedes it, and whether the splitter begins a sentence here."""

    word: str
    blank_before: bool
    begins: bool


def split_long(words: Sequence[str], gaps: Sequence[str], begins: Sequence[int]) -> list[int]:
    """Return the sentence starts ``begins``, and more where a sentence is too long.

    Positions are of words, without the first. Afterwards no sentence is longer than
    ``LONGEST_SENTENCE`` characters, unless it is a single word. ``gaps`` are the strings after each
    word. A long sentence is split after a semicolon, colon or comma; else between two words in
    lower case, which are no name; else at a blank, or anywhere.
    """
    ends = [0, *accumulate(map(len, map(add, words, gaps)))]
    starts: list[int] = []
    for first, last in pairwise([0, *begins, len(words)]):
        starts += [first] if first else []
        while ends[last] - ends[first] > LONGEST_SENTENCE and last - first > 1:
            limit = bisect_right(ends, ends[first] + LONGEST_SENTENCE) - 1
            limit = max(limit, first + 1)
            cuts = [at for at in range((first + limit) // 2 + 1, limit + 1) if gaps[at - 1]]
            clauses = [at for at in cuts if words[at - 1] in _CLAUSE_ENDS]
            plain = [at for at in cuts if all(map(str.islower, words[at - 1 : at + 1]))]
            plain = [at for at in plain if at < len(words)]
            first = (clauses or plain or cuts or [limit])[-1]
            starts.append(first)
    return starts


class BoundaryRules:
    """Corrections of a splitter's guesses in texts of one language."""

    def __init__(self, language: Language) -> None:
        self._words = language.boundaries
        self._near_names = language.words
        self._months = frozenset((*language.dates.months, *language.dates.short_months))
        self._closer = re.compile(rf"[)\]}}»,;:.!?…%{DOUBTFUL}]+|{self._words.enclitic}")

    def mend(self, guesses: Sequence[Guess]) -> list[bool]:
        """Return, for each word, whether it begins a sentence; the first always does."""
        begins = [False] * len(guesses)
        for index, guess in enumerate(guesses):
            may_begin = guess.begins or self._follows_letter(guesses, index)
            if index and may_begin and not self._forbids_start(guesses, index):
                opener = guesses[index - 1]  # a bracket or quotation mark that opens before it
                opens = opener.blank_before and _OPENER.fullmatch(opener.word)
                begins[index - 1 if opens and not guess.blank_before else index] = True
        grammar, words = self._near_names.function_words, [guess.word for guess in guesses]
        if not DASHES.isdisjoint(words) and all(
            word in grammar for word in words if word.islower() and word.isalpha()
        ):  # a heading: a translator would move the words of a firm across the dash
            for index, guess in enumerate(guesses[2:], start=2):
                dash = guesses[index - 1]
                begins[index] |= dash.word in DASHES and dash.blank_before and guess.blank_before
        if begins:
            begins[0] = True
        return begins

    def _follows_letter(self, guesses: Sequence[Guess], index: int) -> bool:
        """Return True if a sentence ends in a letter, no initial, before: *vitamin A. Then*."""
        word, grammar = guesses[index].word, self._near_names.function_words
        if not (guesses[index].blank_before and word.istitle() and word.lower() in grammar):
            return False
        before = "".join(
            " " * part.blank_before + part.word for part in guesses[max(0, index - 3) : index]
        )
        found = _LETTER_END.search(before)
        return bool(found and found[1] not in grammar)

    def _forbids_start(self, guesses: Sequence[Guess], index: int) -> bool:
        """Return True if no sentence can begin at ``index``, which is not 0."""
        guess, previous = guesses[index], guesses[index - 1].word.lower()
        before = guesses[index - 2].word.lower() if index > 1 else ""
        of_two = before + previous if before.endswith(".") and previous != "." else previous
        if (
            not {previous, of_two}.isdisjoint(self._words.never_last)  # *u. a. Fieber*
            or guess.word.lower() in self._words.never_first
            or self._closer.fullmatch(guess.word)
        ):
            return True
        if _QUOTE.fullmatch(guess.word) and not guess.blank_before:
            return True
        if self._is_inside_number(guesses, index) or self._follows_title_or_label(guesses, index):
            return True
        is_grammar = guess.word.istitle() and guess.word.lower() in self._near_names.function_words
        is_short = index <= _LONGEST_NAME_START and all(g.word.isalnum() for g in guesses[:index])
        if is_grammar and is_short:  # *John |Her left*
            return True
        if guess.word.lower().rstrip(".") in self._months:  # *14. May*
            before = "".join(earlier.word for earlier in guesses[max(0, index - 2) : index])
            if _DAY.search(before):
                return True
        if _QUOTE.fullmatch(previous) and index > 1:
            previous = guesses[index - 2].word
        if previous not in _SENTENCE_STARTS and guess.word[:1] == "{":  # *Contact: {a,b}@host*
            run = "".join(nearby.word for nearby in guesses[index : index + _LONGEST_GROUP])
            return _GROUPED_ADDRESS.match(run) is not None
        return previous == "," and guess.word[:1].islower()

    def _follows_title_or_label(self, guesses: Sequence[Guess], index: int) -> bool:
        """Return True if the word follows a title, or a label that asks for a name (*Surname:*)."""
        position, words = index - 1, self._near_names
        if guesses[position].word.istitle() and guesses[position].word.lower() in words.honorifics:
            return True  # *Judge |Such agreed*
        stop, title = guesses[position], guesses[max(0, index - 2)].word.lower()
        is_cut_short = title in words.sure_titles and f"{title}." in self._words.never_last
        if stop.word == "." and not stop.blank_before and is_cut_short:
            return True  # *los Sres. |Prado*
        while position and guesses[position].word in (".", ":"):
            position -= 1
        marks = {between.word for between in guesses[position + 1 : index]}
        word = guesses[position].word.lower().rstrip(".")
        if word in words.sure_titles and ":" not in marks:
            return not position or guesses[position - 1].word.lower() not in words.before_noun
        return word in words.name_fields | words.name_labels and "." not in marks

    def _is_inside_number(self, guesses: Sequence[Guess], index: int) -> bool:
        """Return True if the word continues a number, or is one that the word before announces."""
        word, previous = guesses[index].word, guesses[index - 1].word
        following = guesses[index + 1].word if index + 1 < len(guesses) else ""
        if not guesses[index].blank_before and (word[:1] in _JOINERS or previous[-1:] in _JOINERS):
            return True
        firm = previous[-1:].isalnum() and word.isupper() and following in self._words.says_which
        if word in self._words.counting or word in self._words.says_which or firm:
            near = guesses[index + 1 : index + 4]
            if any(_has_digit(nearby.word) for nearby in near):
                return True  # *hosp. no. K 4711*, *the policy of Holm S.r.l. is 4711*
        if previous.islower() and previous.isalpha() and _begins_code(guesses, index):
            return True
        if previous[-1:].isalnum():
            return word.lower() in self._words.counting or self._continues_number(
                previous, word, following
            )
        position = index - 1  # of the word that announces it, before its stop or colon
        while guesses[position].word in (".", ":") and position:
            position -= 1
        announcing = guesses[position].word.rstrip(".:").lower()
        code = _has_digit(word) or (word.isupper() and _has_digit(following))
        return code and (
            previous == ":"
            or announcing in self._words.announcing
            or announcing.endswith(self._words.street_ending)
        )

    def _continues_number(self, previous: str, word: str, following: str) -> bool:
        """Return True if two words without a stop between are one number, or word and number."""
        if (
            _is_mixed(previous)
            or _is_mixed(word)
            or (word[:1] == "+" and _has_digit(word + following))
        ):
            return True
        if not _is_code(word):
            return False
        if _has_digit(previous + word):
            return _is_code(previous) or previous.lower() in self._words.announcing
        return _has_digit(following) and (
            previous.islower() or previous.lower() in self._words.announcing
        )


def _begins_code(guesses: Sequence[Guess], index: int) -> bool:
    """Return True if a long number begins here, or a code with capitals: *24-ABT-4*."""
    word = guesses[index].word
    if not word[:1].isdigit():
        return False
    if sum(map(str.isdigit, word)) >= _FEWEST_DIGITS:
        return True
    joiner, after = guesses[index + 1 : index + 2], guesses[index + 2 : index + 3]
    joined = bool(joiner) and joiner[0].word in _JOINERS and not joiner[0].blank_before
    return joined and bool(after) and not after[0].blank_before and after[0].word.isupper()


def _is_code(word: str) -> bool:
    return _has_digit(word) or (word.isupper() and len(word) <= _LONGEST_CAPITALS)


def _is_mixed(word: str) -> bool:
    """Return True if it has digits, capitals and no lower-case letter: *CH-8092*."""
    return word.isupper() and _has_digit(word)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
