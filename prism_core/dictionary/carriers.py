"""Carriers: running sentences of public text into which several words are put at once.

One translation of a carrier tests every word packed into it; its untouched translation T(S) is
made once and cached. From both comes eq. 14, presence per sentence, and the share of carriers in
which a word's form came back, which is what decoding depends on. See docs/dictionary.md.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from prism_core.dictionary.tokens import target_tokens
from prism_core.dictionary.vocabulary import MONTHS, WEEKDAYS, Candidate
from prism_core.language.sentence import Sentence, Token

SHORTEST, LONGEST = 10, 22
"""Length of a carrier, in tokens."""
MOST_WORDS = 3
"""Words put into one carrier; places next to each other are never both filled."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A carrier with words put in: ``text`` is translated, ``words`` are tested by it."""

    carrier: int
    text: str
    words: tuple[Candidate, ...]


@dataclass(slots=True)
class Evidence:
    """What the probes of one word showed: in how many a target word was new."""

    probes: int = 0
    calls: float = 0.0
    answers: list[tuple[list[str], frozenset[str]]] = field(default_factory=list)
    """Target tokens of each answer, and the tokens of that carrier's own translation."""
    new: Counter[str] = field(default_factory=Counter)


class Carriers:
    """The sentences that serve as carriers, and the places they offer to each tag."""

    def __init__(self, sentences: Iterable[Sentence], rng: Random, *, most: int) -> None:
        fitting = [s for s in sentences if SHORTEST <= len(s.tokens) <= LONGEST]
        rng.shuffle(fitting)
        self.sentences = fitting[:most]
        self._places = [_places(sentence) for sentence in self.sentences]

    def probes(self, words: Sequence[Candidate], rng: Random) -> list[Probe]:
        """Put every word into one carrier, at a place of its tag, several to a carrier.

        Words of a tag that has no place left after all carriers were used twice are left out.
        """
        queues: dict[str, deque[Candidate]] = defaultdict(deque)
        for word in rng.sample(words, len(words)):
            queues[word.tag].append(word)
        probes: list[Probe] = []
        while any(queues.values()):
            before = len(probes)
            order = rng.sample(range(len(self.sentences)), len(self.sentences))
            probes.extend(filter(None, (self._fill(index, queues) for index in order)))
            if len(probes) == before:
                break
        return probes

    def _fill(self, index: int, queues: dict[str, deque[Candidate]]) -> Probe | None:
        filled: dict[int, Candidate] = {}
        for position, tag in self._places[index]:
            free = position - 1 not in filled and len(filled) < MOST_WORDS
            if free and queues[tag]:
                filled[position] = queues[tag].popleft()
        if not filled:
            return None
        tokens = self.sentences[index].tokens
        text = "".join(
            (filled[i].surface if i in filled else token.text) + token.whitespace
            for i, token in enumerate(tokens)
        )
        return Probe(index, text.strip(), tuple(filled.values()))


def weigh(
    probe: Probe, answer: str, baseline: str, evidence: dict[tuple[str, str], Evidence]
) -> None:
    """Count what ``answer`` shows beyond ``baseline``, for every word of ``probe``."""
    tokens, plain = target_tokens(answer), frozenset(target_tokens(baseline))
    new = set(tokens) - plain
    for word in probe.words:
        entry = evidence.setdefault((word.word, word.tag), Evidence())
        entry.probes += 1
        entry.calls += 1 / len(probe.words)
        entry.answers.append((tokens, plain))
        entry.new.update(new)


def _places(sentence: Sentence) -> list[tuple[int, str]]:
    return [
        (position, _place_tag(token))
        for position, token in enumerate(sentence.tokens)
        if position and _offers_place(token)
    ]


def _offers_place(token: Token) -> bool:
    return token.text.isalpha() and (token.text.islower() or _place_tag(token) != token.tag)


def _place_tag(token: Token) -> str:
    lower = token.text.lower()
    if token.text[:1].isupper():
        return "MONTH" if lower in MONTHS else "WEEKDAY" if lower in WEEKDAYS else token.tag
    return token.tag
