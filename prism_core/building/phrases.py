"""Phrases that a translator renders as one: *ice cream*, *every day*."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from prism_core.building.proposal import Proposal
from prism_core.building.vocabulary import Candidate
from prism_core.dictionary.entry import without_accents
from prism_core.language.sentence import Sentence, Token
from prism_core.language.words import is_function_word

NOUNS = ("NN", "NNS")
_BEFORE_NOUN = frozenset({"NN", "JJ", "VBG", "VBN"})
_OF_TIME = frozenset("every all each this that next last one".split())
LEAST_OF_PHRASE = 3
"""Pairs of words that are seen less often are taken for chance company."""
SHARED_START = 3
"""Letters that a form and an inflected one have in common at least."""


def phrase_candidates(sentences: Iterable[Sentence], *, least: int) -> list[Candidate]:
    """Pairs of words seen at least ``least`` times that may be a noun, or an adverb of time."""
    counts = Counter(pair for sentence in sentences for pair in _pairs(sentence.tokens))
    return [Candidate(text, tag, n) for (text, tag), n in counts.most_common() if n >= least]


def _pairs(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    for first, second in pairwise(tokens):
        if _is_ordinary(first.text) and _is_ordinary(second.text) and second.tag in NOUNS:
            text = f"{first.text} {second.text}"
            if first.text in _OF_TIME and second.tag == "NN":
                yield text, "RB"
            elif first.tag in _BEFORE_NOUN and not is_function_word(first.text):
                yield text, second.tag


def _is_ordinary(word: str) -> bool:
    return word.isalpha() and word.islower()


def without_transparent(proposals: Sequence[Proposal]) -> list[Proposal]:
    """``proposals`` less the phrases whose form is made of the forms of their words.

    Those are translated rightly word by word. A phrase of time counts as opaque: what it becomes
    hangs on its first word, which is never replaced.
    """
    forms: dict[str, set[str]] = defaultdict(set)
    for one in proposals:
        forms[one.word.word].update(without_accents(filled.form) for filled in one.filled)
    return [one for one in proposals if not _is_transparent(one, forms)]


def _is_transparent(proposal: Proposal, forms: Mapping[str, set[str]]) -> bool:
    words = proposal.word.word.split()
    if len(words) == 1 or words[0] in _OF_TIME:
        return False
    shown = [word for filled in proposal.filled for word in without_accents(filled.form).split()]
    return all(any(_akin(form, one) for form in forms[word] for one in shown) for word in words)


def _akin(form: str, word: str) -> bool:
    return form == word or (len(form) > SHARED_START and form[:SHARED_START] == word[:SHARED_START])
