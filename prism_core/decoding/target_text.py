"""Answer of the translator as words with spans, each of which can be claimed once.

Entry: the ``find_…`` methods of ``TargetText``, from the exact form over text of any width to
attached and near forms; then ``take``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from prism_core.alignment import Span
from prism_core.dictionary import common_start, target_spans, target_tokens, without_accents

_MAY_BEGIN = re.compile(r"(?<!\w)(?<!\d[.,])")
_MAY_END = re.compile(r"(?!\w)(?![.,]\d)")
_ENDS = ("", *".!?:")
"""Characters after which a sentence or clause begins; nothing stands before the first."""
SHORTEST_START = 4
SHORTEST_CODE = 4
MOST_EDITS = 3
LEAST_GLUED = 2
MOST_GLUED = 5
MOST_BETWEEN = 6
"""Maximum number of letters between two attached words: *estilo*, for *-like*."""


class TargetText:
    """y_pub during decoding; a span that was taken is never found again."""

    def __init__(self, text: str) -> None:
        self.text = text
        lower = text.lower()
        self._lower = lower if len(lower) == len(text) else None
        self._taken = bytearray(len(text))

    @cached_property
    def _words(self) -> list[tuple[str, int, int]]:
        return target_spans(self.text)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for index, (word, _, _) in enumerate(self._words):
            places[word].append(index)
        return places

    def take(self, span: Span) -> None:
        """Mark ``span`` as restored."""
        self._taken[span[0] : span[1]] = b"\1" * (span[1] - span[0])

    def take_with_blanks(self, span: Span, before: bool, after: bool) -> Span:
        """Take ``span`` and a free blank ``before`` and ``after`` it; return the span taken."""
        start, end = span
        if before and start and self.text[start - 1] == " ":
            start -= self.is_free((start - 1, start))
        if after and self.text[end : end + 1] == " ":
            end += self.is_free((end, end + 1))
        self.take((start, end))
        return start, end

    def only(self, span: Span) -> TargetText:
        """Return the same text, of which all but ``span`` is taken."""
        there = TargetText(self.text)
        there.take((0, span[0]))
        there.take((span[1], len(self.text)))
        return there

    def is_free(self, span: Span) -> bool:
        """Return True if no part of ``span`` was taken."""
        return self._taken.find(1, *span) < 0

    def begins_sentence(self, place: int) -> bool:
        """Return True if the character at ``place`` is the first one of a sentence or clause."""
        return self.text[:place].rstrip()[-1:] in _ENDS

    def free_words(self) -> Iterator[tuple[str, int, int]]:
        """Yield each alphabetic word in lower case, of which no part was taken, with its span."""
        for word, start, end in self._words:
            if word.isalpha() and self.is_free((start, end)):
                yield word, start, end

    def find_form(self, forms: Iterable[str]) -> tuple[Sequence[Span], str] | None:
        """Return every free span of the first of ``forms`` that has one, and that form.

        A form is one or several whole words, in any case; it may hold a hyphen or an apostrophe
        (*week-end*, *main d'œuvre*).
        """
        text, find_taken = self._lower, self._taken.find
        for form in forms:
            lower = form.lower()
            if text is not None and lower not in text and lower.isalnum():
                continue
            spans = [span for span in self._places_of(lower) if find_taken(1, *span) < 0]
            if spans:
                return spans, form
        return None

    def find_around(self, span: Span, phrases: Iterable[str]) -> Span:
        """Return the free span of the first of ``phrases`` around ``span``; else ``span``."""
        for phrase in phrases:
            for start, end in self._places_of(phrase.lower()):
                if start <= span[0] and span[1] <= end and self.is_free((start, end)):
                    return start, end
        return span

    def find_text(self, text: str) -> Span | None:
        """Find the first free span of ``text`` as a whole, in any case and spacing.

        A single letter is found in its own case only. No span is part of a longer code or number.
        """
        for start, end in self._places_of(text.lower()):
            is_same = len(text) > 1 or self.text[start:end] == text
            begins = not text[:1].isalnum() or _MAY_BEGIN.match(self.text, start)
            ends = not text[-1:].isalnum() or _MAY_END.match(self.text, end)
            if is_same and begins and ends and self.is_free((start, end)):
                return start, end
        return None

    def find_spaced(self, code: str) -> Span | None:
        """Find the first free span of the letters and digits of ``code`` in another grouping.

        Translators close up groups (*DE89 3704*) or group them anew. Between two characters stand
        at most two blanks or marks; the case is that of ``code``.
        """
        signs = [re.escape(sign) for sign in code if sign.isalnum()]
        if len(signs) < SHORTEST_CODE:
            return None
        pattern = r"(?<!\w)" + r"[\W_]{0,2}".join(signs) + r"(?!\w)"
        spans = (match.span() for match in re.finditer(pattern, self.text))
        return next(filter(self.is_free, spans), None)

    def _places_of(self, form: str) -> Iterator[Span]:
        """Yield every span of ``form``, in lower case: its words, with any blanks between them."""
        if self._lower is not None and form.isalnum():
            text, start = self._lower, self._lower.find(form)
            while start >= 0:
                end = start + len(form)
                if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
                    yield start, end
                start = text.find(form, start + 1)
            return
        words = target_tokens(form)
        for index in self._places.get(words[0], ()):
            run = self._words[index : index + len(words)]
            if len(words) == 1 or [word for word, _, _ in run] == words:
                yield run[0][1], run[-1][2]

    def right_before(self, place: int, words: str) -> Span | None:
        """Return the span of ``words`` (lower case) right before ``place``, if they are free."""
        head = self.text[:place].rstrip()
        span = len(head) - len(words), len(head)
        whole = head.lower().endswith(words) and not head[: span[0]][-1:].isalnum()
        return span if whole and self.is_free(span) else None

    def find_at_number(self, forms: Sequence[str]) -> tuple[Span, int] | None:
        """Find the first free span of one of ``forms``, attached to a number, and the form's index.

        Some translators attach the parts of a compound (*mujerde87años*). No word holds digits
        itself, so the text before or after them is a word of its own.
        """
        for word, start, end in self._words:
            is_mixed = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
            for index, form in enumerate(forms if is_mixed else ()):
                span = _find_end(form, word, start, end)
                if span and self.is_free(span):
                    return span, index
        return None

    def find_glued(
        self, forms: Sequence[str], others: Collection[str], least: Mapping[str, int]
    ) -> tuple[Span, int] | None:
        """Find one of ``forms`` at an end of the only free word that has it there, longest first.

        Some translators attach words and move accents (*controlándolo*, *mesarobótica*). The rest
        of the word holds one of ``others``, or has three to five letters; ``least`` gives a lower
        minimum for a form. A shorter rest (*alcaldesa*) is more likely another form of the word.
        """
        plain, text = [without_accents(form) for form in forms], without_accents(self.text.lower())
        there = [i for i, form in enumerate(plain) if len(form) >= SHORTEST_START and form in text]
        for index in sorted(there, key=lambda i: -len(plain[i])):
            fewest = least.get(forms[index], LEAST_GLUED + 1)
            spans = set(self._find_glued_places(plain[index], others, fewest))
            if len(spans) == 1:
                return spans.pop(), index
        return None

    def find_accented(self, name: str) -> Span | None:
        """Find the first free word that equals ``name`` except for accents."""
        plain = without_accents(name)
        for _, start, end in self._words:
            if without_accents(self.text[start:end]) == plain and self.is_free((start, end)):
                return start, end
        return None

    def find_glued_name(self, name: str, others: Collection[str]) -> Span | None:
        """Find the only free span of ``name`` in a word that ends with another name.

        The reverse order counts too, each name in its own case: some translators write two names as
        one (*PhelpsdeX* for X-Y Phelps).
        """
        spans = []
        for _, start, end in self._words:
            shown = self.text[start:end]
            for other in others:
                if _are_glued(name, other, shown):
                    spans.append((start, start + len(name)))
                if _are_glued(other, name, shown):
                    spans.append((end - len(name), end))
        free = list(filter(self.is_free, dict.fromkeys(spans)))
        return free[0] if len(free) == 1 else None

    def _find_glued_places(self, form: str, others: Collection[str], least: int) -> Iterator[Span]:
        for word, start, end in self._words:
            shown = without_accents(word)
            span = _find_end(form, shown, start, end) if len(shown) == len(word) else None
            if span and self.is_free(span):
                rest = shown[len(form) :] if span[0] == start else shown[: -len(form)]
                beside = [other for other in others if len(other) >= SHORTEST_START]
                if least <= len(rest) <= MOST_GLUED or any(
                    other in rest and len(rest) - len(other) <= MOST_BETWEEN for other in beside
                ):
                    yield span

    def find_near(
        self, forms: Sequence[str], others: Collection[str], least: Mapping[str, int]
    ) -> tuple[Span, int] | None:
        """Find one of ``forms`` attached, glued or in a near form: its span and its index."""
        found = self.find_form(forms)
        return (
            self.find_at_number(forms)
            or (found and (found[0][0], forms.index(found[1])))
            or self.find_glued(forms, others, least)
            or self.find_similar(forms)
        )

    def find_similar(self, forms: Sequence[str]) -> tuple[Span, int] | None:
        """Find the first span of the only free word near one of ``forms``, and the form's index.

        Near means a common start of at least four letters and at most three differing letters after
        it. Returns None if no word is near, or several different words are.
        """
        matches: dict[Span, tuple[int, int]] = {}
        starts = {form[:SHORTEST_START] for form in forms}
        for word, start, end in self._words:
            if word[:SHORTEST_START] in starts and self.is_free((start, end)):
                distances = [(_distance(word, form), index) for index, form in enumerate(forms)]
                if distances and min(distances)[0] <= MOST_EDITS:
                    matches[start, end] = min(distances)
        if len({self.text[start:end].lower() for start, end in matches}) != 1:
            return None
        (span, (_, index)), *_ = matches.items()
        return span, index


def _find_end(form: str, word: str, start: int, end: int) -> Span | None:
    if word.startswith(form):
        return start, start + len(form)
    return (end - len(form), end) if word.endswith(form) else None


def _are_glued(first: str, last: str, word: str) -> bool:
    """Return True if ``word`` is both with a few letters between; not for *Xavier*."""
    most = MOST_GLUED if len(first) > 1 else 0
    between = len(word) - len(first) - len(last)
    return 0 <= between <= most and word.startswith(first) and word.endswith(last)


def _distance(word: str, form: str) -> int:
    """Count the letters that differ after the common start; above any limit for a short start."""
    start = common_start(word, form)
    if start < SHORTEST_START or start < min(len(word), len(form)) - 2:
        return MOST_EDITS + 1
    return max(len(word), len(form)) - start
