"""Translate on this machine, check the result, and translate again what has faults.

Entry: ``translate_checked`` -> ``_other_ways`` of a text that failed the checks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from prism_core.drafts.faults import CODE, Checked, Fault, find_faults
from prism_core.errors import Rejected
from prism_core.language import Sentence
from prism_core.languages import load_language
from prism_core.translators import Translator

_AT_ONCE = 32
_CLAUSE = re.compile(r"(?<=[;:,—–])\s+|(?<=\))\s+|\s+(?=\()")
"""Places where a sentence may be cut: what stands on both sides is translated well alone."""
_FEWEST_LETTERS = 12
"""Fewest letters of a part: shorter ones are translated badly."""
_FEWEST_OF_WORD = 4
"""Fewest letters of a word that is to be translated."""
_STAND_IN = "Q{number}"
"""Code that models copy."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Translation of a sentence made here; ``faults`` are those that no other way avoided."""

    text: str
    faults: frozenset[Fault] = frozenset()


async def translate_checked(
    model: Translator, sentences: Sequence[Sentence], source: str, target: str
) -> list[Draft | None]:
    """Translate ``sentences`` with ``model``, from ``source`` to ``target`` (ISO 639-1).

    A sentence whose translation has faults is translated again: in other letter case, with its
    codes as shorter ones, and in parts. The translation with the fewest faults is returned. None
    stands for a sentence that the model does not take. Raises as ``Translator.translate``.
    """
    language = load_language(source)

    def check(sentence: Sentence, answer: str) -> Checked:
        return find_faults(sentence, answer, language, target)

    drafts: list[Draft | None] = []
    at_once = min(_AT_ONCE, model.limits.texts_per_request)
    for start in range(0, len(sentences), at_once):
        batch = sentences[start : start + at_once]
        usual = [_usual_way(sentence.text) for sentence in batch]
        answers = await _translate_all(model, [text for text, _ in usual], source, target)
        for sentence, (_, finish), answer in zip(batch, usual, answers, strict=True):
            checked = None if answer is None else check(sentence, finish(answer))
            best = None if checked is None else Draft(checked.text, checked.faults)
            for texts, join in _other_ways(sentence.text) if best is None or best.faults else ():
                parts = await _translate_all(model, texts, source, target)
                if None in parts:
                    continue
                other = check(sentence, join([part for part in parts if part is not None]))
                if best is None or len(other.faults) < len(best.faults):
                    best = Draft(other.text, other.faults)
                if not best.faults:
                    break
            unusable = best is not None and Fault.UNUSABLE in best.faults
            drafts.append(None if unusable else best)
    return drafts


async def _translate_all(
    model: Translator, texts: Sequence[str], source: str, target: str
) -> list[str | None]:
    """Translate ``texts``; None stands for one that the model does not take."""
    try:
        return [*await model.translate(texts, source, target)]
    except Rejected:  # translating each by itself shows which
        if len(texts) == 1:
            return [None]
    return [
        answer for text in texts for answer in await _translate_all(model, [text], source, target)
    ]


def _usual_way(text: str) -> tuple[str, Callable[[str], str]]:
    """Return the text to translate for ``text``, and how its translation is finished.

    Models know few words in capitals, so these are translated as a sentence.
    """
    return (text.capitalize(), str.upper) if _has_upper_words(text) else (text, str)


def _has_upper_words(text: str) -> bool:
    return text.isupper() and any(len(word) >= _FEWEST_OF_WORD for word in text.split())


def _other_ways(text: str) -> Iterator[tuple[list[str], Callable[[list[str]], str]]]:
    """Yield texts to translate in place of ``text``, and how their translations are joined.

    The last is ``text`` itself, where it may be nothing but names.
    """
    if _has_upper_words(text):
        yield [text], "".join
    codes = list(dict.fromkeys(CODE.findall(text)))
    if codes:
        stand_ins = {_STAND_IN.format(number=n): code for n, code in enumerate(codes, 2)}
        shorter = text
        for stand_in, code in stand_ins.items():
            shorter = shorter.replace(code, stand_in)

        def put_back(parts: list[str]) -> str:
            restored = parts[0]
            for stand_in, code in stand_ins.items():
                restored = restored.replace(stand_in, code)
            return restored

        yield [shorter], put_back
    parts = _cut(text)
    if len(parts) > 1:
        yield parts, " ".join
    if not any(word.islower() and len(word) >= _FEWEST_OF_WORD for word in text.split()):
        yield [], lambda _: text


def _cut(text: str) -> list[str]:
    """Return the clauses of ``text``, none of them short."""
    parts: list[str] = []
    for part in _CLAUSE.split(text):
        if parts and sum(map(str.isalpha, parts[-1])) < _FEWEST_LETTERS:
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    if len(parts) > 1 and sum(map(str.isalpha, parts[-1])) < _FEWEST_LETTERS:
        parts[-2:] = [" ".join(parts[-2:])]
    return parts
