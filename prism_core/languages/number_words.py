"""Values of numbers in words: *two thousand five hundred and six* is 2506.

Entry: ``NumberReader.read``, at an index of a list of words in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.languages.numbers import Numbers

_HUNDRED = 100
_MOST = 10**13


class NumberReader:
    """Reader of the numbers in words of one language; ``large``: a hundred and the magnitudes."""

    def __init__(self, numbers: Numbers) -> None:
        self._words = numbers
        self.large = frozenset([numbers.hundred, *numbers.magnitudes])
        self._first = next((word for word in numbers.digits if numbers.up_to_9[word] == 1), "")
        values = (numbers.up_to_9, numbers.from_10, numbers.by_ten)
        self._in_tables = frozenset(
            [*numbers.noughts, *(word for table in values for word in table)]
        )

    def split_compound(self, word: str) -> Sequence[str]:
        """Split a one-word number that no table has: *neuntausend|zweihundert*."""
        within, tables = self._words.magnitude_within, self._in_tables
        if not within or within not in word or word in tables:
            return (word,)
        before, _, after = word.partition(within)
        before = {"": self._first, "ein": self._first}.get(before, before)
        if before == self._words.hundred:
            before = f"ein{before}"
        after = after.removeprefix(self._words.plus[0]) if after not in tables else after
        parts = (before, within, after) if after else (before, within)
        return parts if tables.issuperset({*parts} - {within}) else (word,)

    def read(self, words: Sequence[str], index: int) -> tuple[str, int]:
        """Return digits and end of the number that begins at ``index``; no digits if none does."""
        word = word_at(words, index)
        if word.isdigit():
            return word, index + 1
        if word in self._words.noughts:
            return "0", index + 1
        if word in self._words.times:
            digit, end = self.read(words, index + 1)
            return digit * self._words.times[word], end
        value, end = self.read_cardinal(words, index)
        return (str(value), end) if end > index else ("", index)

    def read_cardinal(self, words: Sequence[str], index: int) -> tuple[int, int]:
        """Return value and end of *two thousand five hundred and six*; else 0 and ``index``."""
        total, end, most = 0, index, _MOST
        while True:
            value, after = self._read_below_thousand(words, end)
            magnitude = self._words.magnitudes.get(word_at(words, after), 1) if value else 1
            if not value or magnitude >= most:
                return total, end
            total += value * magnitude
            end, most = after + (magnitude > 1), magnitude
            if magnitude == 1:
                return total, end
            higher = self._words.magnitudes.get(word_at(words, end), 1)
            if higher > magnitude:  # *dos mil millones*
                total, end, most = total * higher, end + 1, higher
            end = self._skip_and(words, end)

    def _read_below_thousand(self, words: Sequence[str], index: int) -> tuple[int, int]:
        word, hundreds = word_at(words, index), {self._words.hundred, self._words.hundredth}
        value, end = self._read_below_hundred(words, index)
        if word in self._words.one and word_at(words, index + 1) in self.large:
            value, end = 1, index + 1
        elif word in self._words.bare:
            value = 1
        elif value and value % _HUNDRED == 0:  # *doscientos cinco*
            rest, after = self._read_below_hundred(words, self._skip_and(words, end))
            return (value + rest, after) if 0 < rest < _HUNDRED else (value, end)
        following = word_at(words, end)
        plural = following.removesuffix("s") if end > index else ""  # *deux cents*
        if not value or not {following, plural}.intersection(hundreds):
            return value, end
        rest, after = self._read_below_hundred(words, self._skip_and(words, end + 1))
        return value * _HUNDRED + rest, after if rest else end + 1

    def _read_below_hundred(self, words: Sequence[str], index: int) -> tuple[int, int]:
        word, after = word_at(words, index), word_at(words, index + 1)
        value = self._words.up_to_9.get(word) or self._words.from_10.get(word) or 0
        if value == 4 and after in self._words.twenties:
            tens, end = 80, index + 2
        elif word in self._words.by_ten:
            tens, end = self._words.by_ten[word], index + 1
        elif value == 10 and self._words.with_teens:  # *dix-sept*
            tens, end = value, index + 1
        else:
            return value, index + bool(value)
        rest, after_rest = self._read_below_hundred(words, self._skip_and(words, end))
        most = 20 if tens in self._words.with_teens else 10
        return (tens + rest, after_rest) if 0 < rest < most else (tens, end)

    def _skip_and(self, words: Sequence[str], index: int) -> int:
        """Return the index after *and* if a number follows it, else ``index``."""
        follows = (
            word_at(words, index) in self._words.plus
            and self._read_below_hundred(words, index + 1)[0]
        )
        return index + bool(follows)


def word_at(words: Sequence[str], index: int) -> str:
    """Return the word at ``index``; empty past the end."""
    return words[index] if index < len(words) else ""
