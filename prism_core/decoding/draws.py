"""What several encodings of one sentence and their answers tell together.

What one answer has lost another may have, and two answers to encodings that differ in one
substitute show where that stands, whatever form it has there.

Entry: ``decode_draws`` -> each answer by itself -> ``find_pair``, where they differ -> ``join`` two
that agree -> by elimination, if asked to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.decoding.decode import decode
from prism_core.decoding.decoded import STRONG, Decoded, Way
from prism_core.decoding.joining import MOST_LOST, TOKEN, join
from prism_core.dictionary import Dictionary
from prism_core.record import Encoded, Kind


class Draw(NamedTuple):
    """One encoding of a sentence, what came back for it (y_pub), and where in that its translator
    says that substitutes stand, by their positions."""

    encoded: Encoded
    answer: str
    linked: Mapping[int, Span] | None = None


def decode_draws(
    draws: Sequence[Draw], dictionary: Dictionary, ways: Collection[Way] = tuple(Way)
) -> tuple[Encoded, Decoded]:
    """The best that the ``draws`` of one sentence (at least one, the last one last) give together.

    With it the encoding whose record its places are of. Substitutes are looked for in ``ways``, by
    elimination last. When not all is found, it is what the last draw gives.
    """
    surer = STRONG.intersection(ways)
    alone = [_decode(draw, dictionary, surer) for draw in draws]
    last, earlier = len(draws) - 1, range(len(draws) - 2, -1, -1)
    if not alone[last].unrestored:
        return draws[last].encoded, alone[last]
    for other in earlier if Way.PAIR in ways else ():
        for draw, paired in find_pair(draws[last], draws[other], dictionary.function_forms):
            decoded = _decode(draw, dictionary, surer, paired)
            if not decoded.unrestored:
                return draw.encoded, decoded
    for other in earlier:
        encoded = draws[last].encoded, draws[other].encoded
        joined = join(*encoded, alone[last], alone[other], dictionary.function_forms)
        if joined is not None:
            return encoded[0], joined
    for index in (last, *earlier) if Way.ELIMINATION in ways else ():
        decoded = _decode(draws[index], dictionary, ways)
        if not decoded.unrestored:
            return draws[index].encoded, decoded
    return draws[last].encoded, alone[last]


def _decode(
    draw: Draw,
    dictionary: Dictionary,
    ways: Collection[Way],
    paired: Mapping[int, Span] | None = None,
) -> Decoded:
    return decode(draw.encoded, draw.answer, dictionary, draw.linked, ways, paired=paired)


def lost_alone(draws: Sequence[Draw], dictionary: Dictionary) -> int | None:
    """The position of the ordinary word to exchange in the last of ``draws`` before it is sent on.

    It is the only one that was not found. None where there are several, where it is none for which
    another word could be drawn, or where the last draw is such an exchange already.
    """
    if not draws or any(find_exchanged(draws[-1].encoded, d.encoded) for d in draws[:-1]):
        return None
    encoded = draws[-1].encoded
    decoded = _decode(draws[-1], dictionary, STRONG)
    lost = [
        replacement
        for replacement in encoded.record
        if replacement.kind is not Kind.KEPT and replacement.position not in decoded.ways
    ]
    return lost[0].position if len(lost) == 1 and lost[0].kind is Kind.WORD else None


def find_exchanged(first: Encoded, second: Encoded) -> tuple[int] | None:
    """The position at which alone both have different substitutes; None if there is no such."""
    if len(first.record) != len(second.record):
        return None
    pairs = list(zip(first.record, second.record, strict=True))
    different = [one.position for one, other in pairs if one.substitute != other.substitute]
    alike = all(one[:3] == other[:3] and one.kind == other.kind for one, other in pairs)
    return (different[0],) if alike and len(different) == 1 else None


def find_pair(
    first: Draw, second: Draw, function_forms: Collection[str]
) -> list[tuple[Draw, dict[int, Span]]]:
    """Each of two draws with the place of the one substitute in which their encodings differ.

    That is where the answers differ. Function words that both have at its edges are left out, since
    articles follow the word. Empty where the encodings differ in more, or the answers in anything
    but one place of one to ``MOST_LOST`` words.
    """
    exchanged = find_exchanged(first.encoded, second.encoded)
    if exchanged is None:
        return []
    spans = find_difference(first.answer, second.answer, function_forms)
    if spans is None:
        return []
    return [(draw, {exchanged[0]: span}) for draw, span in zip((first, second), spans, strict=True)]


def find_difference(
    first: str, second: str, function_forms: Collection[str]
) -> tuple[Span, Span] | None:
    """Where two texts differ, if that is one place of a few words in each; see ``find_pair``.

    Texts that share nothing at an end are not two answers of one kind.
    """
    tokens = [list(TOKEN.finditer(text)) for text in (first, second)]
    words = [[match[0] for match in matches] for matches in tokens]
    start = _count_shared(*words)
    end = _count_shared(*(own[start:][::-1] for own in words))
    middles = [own[start : len(own) - end] for own in words]
    while all(middles) and all(own[0].lower() in function_forms for own in middles):
        start, middles = start + 1, [own[1:] for own in middles]
    while all(middles) and all(own[-1].lower() in function_forms for own in middles):
        end, middles = end + 1, [own[:-1] for own in middles]
    if not (start or end) or not all(_may_be_one(own, function_forms) for own in middles):
        return None
    one, other = (
        (matches[start].start(), matches[len(matches) - end - 1].end()) for matches in tokens
    )
    return one, other


def _may_be_one(words: Sequence[str], function_forms: Collection[str]) -> bool:
    """Whether ``words`` may stand for one substitute: few, no marks, a content word among them."""
    return (
        len(words) <= MOST_LOST
        and all(word.isalpha() for word in words)
        and any(word.lower() not in function_forms for word in words)
    )


def _count_shared(first: Sequence[str], second: Sequence[str]) -> int:
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    return sum(1 for _ in shared)
