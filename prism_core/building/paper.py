"""The paper's way to an entry: N calls for each word, for reproduction.

For a word w of tag s and N sentences S of D that have a token of that tag, R = T(S) and R_w =
T(S with one such token replaced by w). Then p(w, s, v) = Pr[v in R_w] / Pr[v in R] (eq. 14), where
a target word counts once a sentence, and c(w, s) = max_v p(w, s, v) (eq. 15).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.building.frame_queries import Ask
from prism_core.building.word_candidates import Candidate
from prism_core.dictionary import Entry, Form, target_tokens
from prism_core.language import Sentence

MOST_FORMS = 12
_ASKED_TOGETHER = 200
"""Words whose sentences are asked for in one go."""


@dataclass(frozen=True, slots=True)
class PaperPlan:
    """``calls`` is N, the sentences of each tag; ``seed`` chooses them and the token replaced."""

    calls: int = 2000
    seed: int = 20240717


@dataclass(frozen=True, slots=True)
class _ReplacedToken:
    """A sentence of D, its own translation, and the token that is replaced in it."""

    sentence: Sentence
    position: int
    plain: frozenset[str]

    def replace_word(self, word: str) -> str:
        pieces = [token.text + token.whitespace for token in self.sentence.tokens]
        pieces[self.position] = word + self.sentence.tokens[self.position].whitespace
        return "".join(pieces).strip()


class PaperBuilder:
    """One build; ``calls`` counts the texts that were translated.

    A target word that R never has would have an infinite ratio; it counts as seen in half a
    sentence there. ``confidence`` is the share of R_w that has the first form where R has not.
    """

    def __init__(self, translate: Ask, plan: PaperPlan | None = None) -> None:
        self._translate = translate
        self._plan = plan or PaperPlan()
        self.calls = 0

    def build(self, words: Sequence[Candidate], sentences: Iterable[Sentence]) -> list[Entry]:
        """An entry for every word of ``words`` whose tag the sentences have."""
        places = self._places({word.tag for word in words}, list(sentences))
        able = [word for word in words if places.get(word.tag)]
        entries: list[Entry | None] = []
        for start in range(0, len(able), _ASKED_TOGETHER):
            group = able[start : start + _ASKED_TOGETHER]
            answers = iter(
                self._ask(
                    [p.replace_word(word.surface) for word in group for p in places[word.tag]]
                )
            )
            for word in group:
                replaced = [frozenset(target_tokens(next(answers))) for _ in places[word.tag]]
                entries.append(_entry(word, places[word.tag], replaced))
        return [entry for entry in entries if entry is not None]

    def _ask(self, texts: Sequence[str]) -> list[str]:
        self.calls += len(texts)
        return self._translate(texts)

    def _places(
        self, tags: set[str], sentences: Sequence[Sentence]
    ) -> dict[str, list[_ReplacedToken]]:
        """For each tag up to N sentences that have it, each with one of its tokens of that tag."""
        rng = Random(self._plan.seed)
        chosen: dict[str, list[tuple[Sentence, int]]] = defaultdict(list)
        for tag in sorted(tags):
            offering = []
            for sentence in sentences:
                tokens = enumerate(sentence.tokens)
                found = [i for i, token in tokens if token.tag == tag and token.text.islower()]
                if found:
                    offering.append((sentence, found))
            taken = rng.sample(offering, min(len(offering), self._plan.calls))
            chosen[tag] = [(sentence, rng.choice(found)) for sentence, found in taken]
        pairs = [pair for places in chosen.values() for pair in places]
        answers = iter(self._ask([sentence.text.strip() for sentence, _ in pairs]))
        return {
            tag: [
                _ReplacedToken(s, at, frozenset(target_tokens(next(answers)))) for s, at in places
            ]
            for tag, places in chosen.items()
        }


def _entry(
    word: Candidate, places: Sequence[_ReplacedToken], replaced: Sequence[frozenset[str]]
) -> Entry | None:
    number = len(places)
    replace_word = Counter(v for answer in replaced for v in answer if v.isalpha())
    without = Counter(v for place in places for v in place.plain)
    ratios = {v: (n / number) / (max(without[v], 0.5) / number) for v, n in replace_word.items()}
    ranked = sorted(ratios.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FORMS]
    if not ranked:
        return None
    first = ranked[0][0]
    seen = sum(first in r and first not in p.plain for r, p in zip(replaced, places, strict=True))
    return Entry(
        word=word.word,
        tag=word.tag,
        forms=tuple(Form(v, p) for v, p in ranked),
        agreement="",
        confidence=seen / number,
        calls=number,
    )
