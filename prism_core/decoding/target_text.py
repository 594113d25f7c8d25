"""What came back, as words with places, each of which can be claimed once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from prism_core.dictionary.tokens import target_spans

Span = tuple[int, int]

SHORTEST_START = 4
MOST_EDITS = 3


class TargetText:
    """y_pub during decoding. A span that was taken is never found again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = target_spans(text)
        self._places: dict[str, list[int]] = defaultdict(list)
        for index, (word, _, _) in enumerate(self._words):
            self._places[word].append(index)
        self._taken = [False] * len(text)

    def take(self, span: Span) -> None:
        """Mark ``span`` as restored."""
        self._taken[span[0] : span[1]] = [True] * (span[1] - span[0])

    def is_free(self, span: Span) -> bool:
        """Whether no part of ``span`` was taken."""
        return not any(self._taken[span[0] : span[1]])

    def find_words(self, form: str) -> Span | None:
        """The first free place of ``form``, one or several whole words in lower case."""
        words = form.split()
        for index in self._places.get(words[0], ()):
            run = self._words[index : index + len(words)]
            if [word for word, _, _ in run] == words:
                span = (run[0][1], run[-1][2])
                if self.is_free(span):
                    return span
        return None

    def find_text(self, text: str) -> Span | None:
        """The first free place of ``text`` as a whole, any case, inner white space of any width."""
        pattern = r"\s*".join(re.escape(part) for part in re.findall(r"\w+|[^\w\s]", text))
        before = r"(?<!\w)(?<!\d[.,])" if text[:1].isalnum() else ""
        after = r"(?!\w)(?![.,]\d)" if text[-1:].isalnum() else ""
        case = re.IGNORECASE if len(text) > 1 else re.NOFLAG
        return self.find_pattern(before + pattern + after, case)

    def find_pattern(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> Span | None:
        """The first free match of the regular expression ``pattern``."""
        for match in re.finditer(pattern, self.text, flags):
            if self.is_free(match.span()):
                return match.span()
        return None

    def find_near(self, forms: Sequence[str]) -> tuple[Span, int] | None:
        """The only free word near one of ``forms`` (which one is the second value).

        Near is a common start of at least four letters and at most three letters that differ
        after it. None when no word is, or several different words are.
        """
        matches: dict[Span, tuple[int, int]] = {}
        for word, start, end in self._words:
            if self.is_free((start, end)):
                distances = [(_distance(word, form), index) for index, form in enumerate(forms)]
                if distances and min(distances)[0] <= MOST_EDITS:
                    matches[start, end] = min(distances)
        if len(matches) != 1:
            return None
        ((span, (_, index)),) = matches.items()
        return span, index


def _distance(word: str, form: str) -> int:
    """Letters that differ after the common start; larger than any limit for a short start."""
    start = 0
    for one, other in zip(word, form, strict=False):
        if one != other:
            break
        start += 1
    if start < SHORTEST_START or start < min(len(word), len(form)) - 2:
        return MOST_EDITS + 1
    return max(len(word), len(form)) - start
