"""Which forms of a composed dictionary hold: those that public lines show, or that come back.

By way of English *trama* becomes a plot, and that a *Grundstück*. Two things tell such a form: in
lines of both languages it does not stand where its word does, and by the way back it does not lead
to the word. A word that is in lines is judged by these, a rare one by the way back.

Entry: ``prove_entries``: ``_Lines`` and ``_Back`` -> a weight for each form -> ``_prove``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prism_core.building.corpus_forms import LEAST_STEM, get_stem
from prism_core.dictionary import FUNCTION_TAG, Entry, target_tokens
from prism_core.languages import Language
from scripts.composing import METHOD

ENOUGH = 4
"""Lines of a word from which a form that none of them shows is left out, whatever comes back."""
LEAST_LIFT = 4.0
"""So many times more often than elsewhere a form stands in the lines of its word."""
SHRINKAGE = 2.0
"""Lines that the confidence of both ways counts for."""
LEAST_WEIGHT = 0.08
"""A form of less than this share of the best one's weight is left out."""


def prove_entries(
    entries: Iterable[Entry],
    back: Iterable[Entry],
    lines: Iterable[tuple[str, str]],
    target: Language,
) -> list[Entry]:
    """``entries`` with the forms that hold, best first; those without any are left out.

    ``back`` are entries composed from the target to the source, ``lines`` public source lines and
    translations of them; a line may come several times. A form's score is multiplied by the share
    of its word's lines that show it, of a rare word by how surely it comes back; the confidence is
    the share of lines that show any, drawn towards that of both ways. Function words of ``target``
    are forms of function words alone. Names stay as they are.
    """
    seen, returned = _Lines.read(lines), _Back.read(back)
    made = (
        _prove(entry, seen, returned, target) if entry.method == METHOD else entry
        for entry in entries
    )
    return [entry for entry in made if entry is not None]


def _prove(entry: Entry, seen: _Lines, returned: _Back, target: Language) -> Entry | None:
    where = seen.of(entry.word)
    is_grammar = entry.tag == FUNCTION_TAG
    weights = {
        form.text: _weigh(entry.word, _stem(form.text), where, seen, returned)
        for form in entry.forms
        if is_grammar or not target.is_function_word(form.text.lower())
    }
    least = LEAST_WEIGHT * max(weights.values(), default=0.0)
    kept = [form for form in entry.forms if weights.get(form.text, 0.0) > least]
    if not kept:
        return None
    shown = frozenset[int]().union(*(seen.showing(_stem(form.text)) & where for form in kept))
    confidence = (len(shown) + SHRINKAGE * entry.confidence) / (len(where) + SHRINKAGE)
    weighed = (form._replace(score=form.score * weights[form.text]) for form in kept)
    return entry._replace(confidence=confidence, sureness=confidence).replace_forms(
        sorted(weighed, key=lambda form: (-form.score, form.text))
    )


def _weigh(word: str, stem: str, where: frozenset[int], seen: _Lines, returned: _Back) -> float:
    """How well the form that begins with ``stem`` fits the lines ``where`` its word is."""
    shown = len(seen.showing(stem) & where)
    if shown and shown >= LEAST_LIFT * len(where) * seen.share(stem):
        return shown / len(where)
    return returned.share(stem, word) / (len(where) + 1) if len(where) < ENOUGH else 0.0


@dataclass(frozen=True)
class _Lines:
    """The lines by the words in them, and by what the words of their translations begin with."""

    count: int
    by_word: Mapping[str, frozenset[int]]
    by_stem: Mapping[str, frozenset[int]]
    texts: Sequence[str]

    @classmethod
    def read(cls, lines: Iterable[tuple[str, str]]) -> _Lines:
        numbers: dict[str, int] = {}
        by_word: dict[str, set[int]] = defaultdict(set)
        by_stem: dict[str, set[int]] = defaultdict(set)
        for source, translation in lines:
            number = numbers.setdefault(source, len(numbers))
            for token in set(target_tokens(translation)):
                for start in _starts(token):
                    by_stem[start].add(number)
        texts = [f" {' '.join(target_tokens(source))} " for source in numbers]
        for number, text in enumerate(texts):
            for token in text.split():
                by_word[token].add(number)
        return cls(len(numbers), _freeze(by_word), _freeze(by_stem), texts)

    def of(self, word: str) -> frozenset[int]:
        """The lines that ``word`` is in; of several words, one after the other."""
        tokens = target_tokens(word)
        found = self.by_word.get(tokens[0], frozenset()) if tokens else frozenset()
        whole = f" {' '.join(tokens)} "
        return frozenset(one for one in found if whole in self.texts[one]) if tokens[1:] else found

    def showing(self, stem: str) -> frozenset[int]:
        """The lines in whose translations a word begins with ``stem``."""
        return self.by_stem.get(stem, frozenset())

    def share(self, stem: str) -> float:
        """The share of all lines that these are."""
        return len(self.showing(stem)) / self.count


@dataclass(frozen=True)
class _Back:
    """What forms become by the way back, by all that they may be taken to begin with."""

    ways: Mapping[str, Sequence[tuple[str, float]]]

    @classmethod
    def read(cls, entries: Iterable[Entry]) -> _Back:
        ways: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for entry in entries:
            total = sum(entry.forms.scores)
            for start in _starts(_head(entry.word)):
                ways[start] += [(_head(form.text), form.score / total) for form in entry.forms]
        return cls(ways)

    def share(self, stem: str, word: str) -> float:
        """How much of what begins with ``stem`` leads to ``word``, in [0, 1]."""
        own = _stem(word)
        return max(
            (share for text, share in self.ways.get(stem, ()) if text.startswith(own)), default=0.0
        )


def _starts(token: str) -> Iterator[str]:
    """All that begins ``token`` and may be the stem of an inflection of it."""
    return (token[:end] for end in range(min(LEAST_STEM, len(token)), len(token) + 1))


def _head(text: str) -> str:
    return max(target_tokens(text), key=len, default="")


def _freeze(found: Mapping[str, set[int]]) -> dict[str, frozenset[int]]:
    return {key: frozenset(numbers) for key, numbers in found.items()}


def _stem(text: str) -> str:
    return get_stem(_head(text))
