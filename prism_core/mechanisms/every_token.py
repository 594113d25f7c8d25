"""What the mechanisms have in common that decide on every token by its own surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from prism_core.dictionary.dictionary import FUNCTION_TAG, Dictionary
from prism_core.language.function_words import is_function_word
from prism_core.language.sentence import Sentence, Token
from prism_core.mechanisms.base import Kind, Replacement
from prism_core.mechanisms.word_classes import WordClass, classify

_NOT = ("n't", "n’t")


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent for a token: the word, the tag it was drawn under (empty: none), its pool."""

    word: str
    tag: str
    pool: int


def record_of(
    sentence: Sentence, sent: Mapping[int, Sent], dictionary: Dictionary
) -> tuple[Replacement, ...]:
    """H for tokens of ``sentence`` that go out as ``sent`` (by position), in source order.

    A blank is put between two words that would run into each other. Where it goes depends on what
    is sent alone, so it tells nothing more; a kept token beside such a blank is recorded as its
    own substitute.
    """
    shown = [sent[i].word if i in sent else token.text for i, token in enumerate(sentence.tokens)]
    before: set[int] = set()
    after: set[int] = set()
    for left, right in pairwise(range(len(shown))):
        if sentence.tokens[left].whitespace or not _run_together(shown[left], shown[right]):
            continue
        if left in sent:
            after.add(left)
        else:
            before.add(right)
    return tuple(
        _replacement(
            sentence.tokens[i],
            i,
            sent.get(i, Sent(sentence.tokens[i].text, "", 0)),
            dictionary,
            spaces=(i in before, i in after),
        )
        for i in sorted(sent.keys() | before)
    )


def _replacement(
    token: Token, position: int, sent: Sent, dictionary: Dictionary, *, spaces: tuple[bool, bool]
) -> Replacement:
    kind, tag = _own_entry(token, dictionary)
    before, after = spaces
    return Replacement(
        position, 1, token.text, sent.word, kind, tag, sent.pool, sent.tag, before, after
    )


def _own_entry(token: Token, dictionary: Dictionary) -> tuple[Kind, str]:
    """How a token is put back: by the entry it has, or as it is. Local; nothing of it is sent."""
    if not any(c.isalnum() for c in token.text):
        return Kind.WORD, token.tag
    if dictionary.find(token.text, FUNCTION_TAG) is not None:
        return Kind.WORD, FUNCTION_TAG
    word = classify(token, dictionary)
    if word.kind is WordClass.ENTRY and word.entry is not None:
        return Kind.WORD, word.entry.tag
    return Kind.UNKNOWN, token.tag


def _run_together(left: str, right: str) -> bool:
    """Whether two words without a blank between them would be read as one.

    *can*, *not* and *do*, *n't* are as the source has them.
    """
    if not (left[-1:].isalnum() and right[:1].isalnum()):
        return False
    return not (is_function_word(left) and (is_function_word(right) or right.lower() in _NOT))


def hidden_positions(sentence: Sentence) -> Sequence[int]:
    """The tokens that are words; white space is structure and stays."""
    return [i for i, token in enumerate(sentence.tokens) if token.text.strip()]
