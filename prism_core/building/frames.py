"""Frames: short source sentences with one open place, which a translator fills in by inflecting.

A frame costs one call a word and gives the inflected form for one slot. What the translator
writes *around* the form ("El _", "La _") is the residue, and the residue is the agreement class:
nothing of the target language's grammar is written here. See docs/dictionary.md.

Several such sentences are asked in one text, and each costs a share of a call (``ask_packed``).

Entry: ``ask_packed`` for the sentences of a language's frames, then ``FrameReader.filled``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from prism_core.dictionary import target_tokens
from prism_core.languages import Frame

COMMON_SHARE = 0.04
"""A target token in more than this share of a frame's outputs belongs to the frame."""
LONGEST_FORM = 4
"""A form of more tokens than this is no word translation."""
PLACE = "_"


@dataclass(frozen=True, slots=True)
class Filled:
    """What one frame shows of one word: its form, and the residue around it."""

    feature: str
    form: str
    residue: str


class FrameReader:
    """Reads forms and residues off the outputs of one frame for many words.

    ``outputs`` are the translations of the frame filled with each word. What most outputs share
    is the frame's; the run of tokens they do not share is the word's.
    """

    def __init__(self, frame: Frame, outputs: Sequence[str]) -> None:
        self.frame = frame
        self._tokens = [target_tokens(output) for output in outputs]
        seen = Counter(token for tokens in self._tokens for token in set(tokens))
        threshold = max(3.0, COMMON_SHARE * len(outputs))
        self._common = {token for token, count in seen.items() if count > threshold}

    def filled(self) -> list[Filled | None]:
        """One for each output, in order; None where no single run of tokens is the word's."""
        return [self._read(tokens) for tokens in self._tokens]

    def _read(self, tokens: Sequence[str]) -> Filled | None:
        own = [index for index, token in enumerate(tokens) if token not in self._common]
        if not own or own[-1] - own[0] >= LONGEST_FORM:
            return None
        first, last = own[0], own[-1] + 1
        form = " ".join(tokens[first:last])
        if not form.replace(" ", "").isalpha():
            return None
        residue = " ".join([*tokens[:first], PLACE, *tokens[last:]])
        return Filled(self.frame.feature, form, residue)


_SENTENCE = re.compile(r"[^.!?]*[.!?]+")

Ask = Callable[[Sequence[str]], list[str]]
"""T for one language pair: as many texts back, in order."""


def ask_packed(ask: Ask, sentences: Sequence[str], size: int) -> list[str]:
    """The translation of each sentence, ``size`` of them to a text, in order.

    Every sentence must end with a full stop and hold no other. An answer with more or fewer
    sentences than were sent is not guessed at: its sentences are asked one by one.
    """
    packs = [sentences[start : start + size] for start in range(0, len(sentences), size)]
    answers = ask([" ".join(pack) for pack in packs])
    parts = []
    for answer in answers:
        found = _SENTENCE.findall(answer)
        is_whole = "".join(found) == answer.rstrip()
        parts.append([part.strip() for part in found] if is_whole else [])
    doubtful = [i for i, pack in enumerate(packs) if len(parts[i]) != len(pack)]
    alone = iter(ask(list(chain.from_iterable(packs[i] for i in doubtful))) if doubtful else [])
    for index in doubtful:
        parts[index] = [next(alone) for _ in packs[index]]
    return list(chain.from_iterable(parts))


def is_one_sentence(text: str) -> bool:
    """Whether ``text`` can be packed: it ends with its only full stop."""
    return _SENTENCE.findall(text) == [text] and text[-2:-1] not in ".!?"
