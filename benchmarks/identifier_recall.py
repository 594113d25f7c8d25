"""What the detectors find in documents whose identifiers are known, and what would be sent of them.

Documents are read as plain text, cut into sentences and encoded as in a run. An identifier counts
as found (``recall``) when every word of it is part of identifiers of its class; of names and
geography either will do, since both are replaced by public names. ``found`` counts it whatever
the class, ``in_clear`` when a word of it, other than a function word, would be sent as it is.
``precision`` is the share of what is reported as a class that overlaps an identifier of it; what
is reported as ``other`` is every remaining number, so it has none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

from benchmarks.identifier_documents import Document, Truth
from prism_core.encoding import Encoder
from prism_core.formats.plain import split_plain
from prism_core.identifiers import DenyList, IdentifierFinder, class_of
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import load_language
from prism_core.settings import IdentifierClass
from prism_core.stages.segmentation import lay_out

ENGLISH = load_language("en")

_WORD = re.compile(r"[^\W_]+")
_NAMING = {IdentifierClass.NAME, IdentifierClass.GEOGRAPHY}
NO_IDENTIFIER = -1


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of one letter or digit: in which identifier it is, of which class, sent or "
    "not."""

    identifier: int = NO_IDENTIFIER
    of_class: IdentifierClass | None = None
    in_clear: bool = False


@dataclass
class Tally:
    """Counts of identifiers by class, over documents."""

    known: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    clear: Counter[str] = field(default_factory=Counter)
    reported: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)

    def rows(self, documents: str) -> list[dict[str, object]]:
        """One row a class that is known of; None where there is no precision."""
        return [
            {
                "documents": documents,
                "class": one,
                "precision": self._precision(one),
                "recall": self.right[one] / self.known[one],
                "found": self.found[one] / self.known[one],
                "in_clear": self.clear[one] / self.known[one],
                "n": self.known[one],
            }
            for one in map(str, IdentifierClass)
            if self.known[one]
        ]

    def _precision(self, one: str) -> float | None:
        if one == IdentifierClass.OTHER or not self.reported[one]:
            return None
        return self.true[one] / self.reported[one]


class Reader:
    """Reads documents as a run does: paragraphs, sentences, identifiers, encodings."""

    def __init__(self, model: LanguageModel, encoder: Encoder, rng: Random) -> None:
        self._model = model
        self._encoder = encoder
        self._rng = rng

    def seen(self, text: str, finder: IdentifierFinder) -> list[Seen | None]:
        """What became of each letter and digit of ``text``; None where it is copied unread."""
        plain = _letters_and_digits(text)
        seen: list[Seen | None] = []
        for piece, sentence in self._pieces(text):
            place = plain.index(_letters_and_digits(piece), len(seen))
            seen += [None] * (place - len(seen))
            seen += (
                self._of_sentence(sentence, finder, place)
                if sentence
                else [None] * len(_letters_and_digits(piece))
            )
        return seen + [None] * (len(plain) - len(seen))

    def _pieces(self, text: str) -> Iterator[tuple[str, Sentence | None]]:
        """The sentences of ``text``, and between them what is copied."""
        segments = split_plain(text).segments
        layout, of_source = lay_out(segments, lambda _: "en", lambda _: self._model)
        found = of_source.get("en", {})
        for segment in layout:
            for piece in segment.pieces:
                if isinstance(piece, str):
                    yield piece, None
                else:
                    sentence = found[piece.sentence]
                    yield sentence.text, sentence

    def _of_sentence(
        self, sentence: Sentence, finder: IdentifierFinder, first: int
    ) -> Iterator[Seen]:
        """Identifiers are numbered from ``first``, which no other sentence begins with."""
        cut, identifiers = finder.find(sentence)
        sent = self._encoder.needs_translator(sentence, DenyList())
        encoded = self._encoder.encode(sentence, DenyList(), self._rng)
        of_token = {
            place: (first + number, class_of(one.label))
            for number, one in enumerate(identifiers)
            for place in range(one.position, one.position + one.length)
        }
        fates = encoded.fates if len(encoded.fates) == len(cut.tokens) else ()
        for place, token in enumerate(cut.tokens):
            clear = sent and not encoded.withheld and fates[place].in_clear
            number, of_class = of_token.get(place, (NO_IDENTIFIER, None))
            for _ in _letters_and_digits(token.text):
                yield Seen(number, of_class, clear)


def _letters_and_digits(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def count(document: Document, seen: Sequence[Seen | None], tally: Tally) -> None:
    """Add what was ``seen`` in ``document`` to ``tally``; what was copied unread counts nowhere."""
    place_of = [0, *accumulate(map(str.isalnum, document.text))]
    for truth in document.truths:
        of_truth = seen[place_of[truth.start] : place_of[truth.end]]
        if None not in of_truth:
            _count_known(truth, _words(document, truth, seen, place_of), tally)
    classes: dict[int, str] = {}
    true: set[int] = set()
    known = _known(document, place_of)
    for place, one in enumerate(seen):
        if one is not None and one.of_class is not None:
            classes[one.identifier] = one.of_class
            if known.get(place) in _alike(one.of_class):
                true.add(one.identifier)
    for identifier, of_class in classes.items():
        if of_class is not IdentifierClass.OTHER:
            tally.reported[of_class] += 1
            tally.true[of_class] += identifier in true


_FILLERS = frozenset({"day", "s"})
"""Words of an identifier that say nothing: *10th day of July*, *'s-Hertogenbosch*."""


def _words(
    document: Document, truth: Truth, seen: Sequence[Seen | None], place_of: Sequence[int]
) -> list[Seen]:
    """What was seen of the words of an identifier, function words and fillers left out."""
    text = document.text.replace("\u00ad", "-")
    found: list[Seen] = []
    for word in _WORD.finditer(text, truth.start, truth.end):
        if not (ENGLISH.is_function_word(word.group()) or word.group() in _FILLERS):
            found += filter(None, seen[place_of[word.start()] : place_of[word.end()]])
    return found


def _count_known(truth: Truth, words: Sequence[Seen], tally: Tally) -> None:
    wanted = _alike(IdentifierClass(truth.of_class))
    tally.known[truth.of_class] += 1
    tally.right[truth.of_class] += all(one.of_class in wanted for one in words)
    tally.found[truth.of_class] += all(one.of_class is not None for one in words)
    tally.clear[truth.of_class] += any(one.in_clear for one in words)


def _known(document: Document, place_of: Sequence[int]) -> dict[int, IdentifierClass]:
    return {
        place: IdentifierClass(truth.of_class)
        for truth in document.truths
        for place in range(place_of[truth.start], place_of[truth.end])
    }


def _alike(of_class: IdentifierClass) -> set[IdentifierClass]:
    return _NAMING if of_class in _NAMING else {of_class}


def measure_documents(
    documents: Iterable[Document], label: str, reader: Reader, encoder: Encoder, *, listed: bool
) -> list[dict[str, object]]:
    """Rows over ``documents``; ``listed`` gives the finder the names in each as the user's list."""
    tally = Tally()
    finder = IdentifierFinder(encoder.dictionary)
    for document in documents:
        if listed:
            finder = IdentifierFinder(encoder.dictionary, document.names)
        count(document, reader.seen(document.text, finder), tally)
    return tally.rows(label)
