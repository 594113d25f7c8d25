"""Builder by the paper's method: N calls for each word, for reproduction.

For a word w of tag s and N sentences S of D that have a token of that tag, R = T(S) and R_w = T(S
with one such token replaced by w). Then p(w, s, v) = Pr[v in R_w] / Pr[v in R] (eq. 14), where a
target word counts once a sentence, and c(w, s) = max_v p(w, s, v) (eq. 15).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.building.frame_queries import Translate
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import Entry, Form, target_tokens
from prism_core.language import Sentence

MOST_FORMS = 12
_WORDS_AT_ONCE = 200
"""Number of words whose sentences are sent together."""


@dataclass(frozen=True, slots=True)
class PaperPlan:
    """Plan of a build: ``calls`` is N, ``seed`` chooses the sentences and the tokens replaced."""

    calls: int = 2000
    seed: int = 20240717


@dataclass(frozen=True, slots=True)
class _ReplacedToken:
    """Sentence of D, its own translation, and the token that is replaced in it."""

    sentence: Sentence
    position: int
    plain: frozenset[str]

    def replace_word(self, word: str) -> str:
        pieces = [token.text + token.whitespace for token in self.sentence.tokens]
        pieces[self.position] = word + self.sentence.tokens[self.position].whitespace
        return "".join(pieces).strip()


class PaperBuilder:
    """Builder for one build.

    A target word that R never has would have an infinite ratio; it counts as seen in half a
    sentence there. ``confidence`` is the share of R_w that has the first form where R has not.
    """

    def __init__(self, translate: Translate, plan: PaperPlan | None = None) -> None:
        self._translate = translate
        self._plan = plan or PaperPlan()

    def build(self, words: Sequence[WordCandidate], sentences: Iterable[Sentence]) -> list[Entry]:
        """Build an entry for every word of ``words`` whose tag the sentences have."""
        chosen = self._choose_tokens({word.tag for word in words}, list(sentences))
        usable = [word for word in words if chosen.get(word.tag)]
        entries: list[Entry | None] = []
        for start in range(0, len(usable), _WORDS_AT_ONCE):
            group = usable[start : start + _WORDS_AT_ONCE]
            answers = iter(
                self._translate(
                    [
                        token.replace_word(word.surface)
                        for word in group
                        for token in chosen[word.tag]
                    ]
                )
            )
            for word in group:
                replaced = [frozenset(target_tokens(next(answers))) for _ in chosen[word.tag]]
                entries.append(_make_entry(word, chosen[word.tag], replaced))
        return [entry for entry in entries if entry is not None]

    def _choose_tokens(
        self, tags: set[str], sentences: Sequence[Sentence]
    ) -> dict[str, list[_ReplacedToken]]:
        """Choose for each tag up to N sentences that have it, and one token of that tag in each."""
        rng = Random(self._plan.seed)
        chosen: dict[str, list[tuple[Sentence, int]]] = defaultdict(list)
        for tag in sorted(tags):
            suitable = []
            for sentence in sentences:
                tokens = enumerate(sentence.tokens)
                found = [i for i, token in tokens if token.tag == tag and token.text.islower()]
                if found:
                    suitable.append((sentence, found))
            sample = rng.sample(suitable, min(len(suitable), self._plan.calls))
            chosen[tag] = [(sentence, rng.choice(found)) for sentence, found in sample]
        pairs = [pair for pairs_of_tag in chosen.values() for pair in pairs_of_tag]
        answers = iter(self._translate([sentence.text.strip() for sentence, _ in pairs]))
        return {
            tag: [
                _ReplacedToken(sentence, position, frozenset(target_tokens(next(answers))))
                for sentence, position in pairs_of_tag
            ]
            for tag, pairs_of_tag in chosen.items()
        }


def _make_entry(
    word: WordCandidate, tokens: Sequence[_ReplacedToken], replaced: Sequence[frozenset[str]]
) -> Entry | None:
    total = len(tokens)
    with_word = Counter(form for answer in replaced for form in answer if form.isalpha())
    without = Counter(form for token in tokens for form in token.plain)
    ratios = {
        form: (count / total) / (max(without[form], 0.5) / total)
        for form, count in with_word.items()
    }
    ranked = sorted(ratios.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_FORMS]
    if not ranked:
        return None
    first = ranked[0][0]
    seen = sum(
        first in answer and first not in ratio.plain
        for answer, ratio in zip(replaced, tokens, strict=True)
    )
    return Entry(
        word=word.word,
        tag=word.tag,
        forms=tuple(Form(form, ratio) for form, ratio in ranked),
        agreement="",
        confidence=seen / total,
        calls=total,
    )
