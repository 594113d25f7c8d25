"""Several short sentences in one text: each costs a share of a call."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

_SENTENCE = re.compile(r"[^.!?]*[.!?]+")

Ask = Callable[[Sequence[str]], list[str]]


def ask_packed(ask: Ask, sentences: Sequence[str], size: int) -> list[str]:
    """The translation of each sentence, ``size`` of them to a text, in order.

    Every sentence must end with a full stop and hold no other. An answer with more or fewer
    sentences than were sent is not guessed at: its sentences are asked one by one.
    """
    packs = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    answers = ask([" ".join(pack) for pack in packs])
    parts = [_unpacked(answer) for answer in answers]
    doubtful = [i for i, pack in enumerate(packs) if len(parts[i]) != len(pack)]
    alone = iter(ask(list(chain.from_iterable(packs[i] for i in doubtful))) if doubtful else [])
    for index in doubtful:
        parts[index] = [next(alone) for _ in packs[index]]
    return list(chain.from_iterable(parts))


def is_one_sentence(text: str) -> bool:
    """Whether ``text`` can be packed: it ends with its only full stop."""
    return _SENTENCE.findall(text) == [text] and text[-2:-1] not in ".!?"


def _unpacked(answer: str) -> list[str]:
    found = _SENTENCE.findall(answer)
    whole = "".join(found) == answer.rstrip()
    return [part.strip() for part in found] if whole else []
