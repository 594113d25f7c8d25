"""Decoding of one sentence from several encodings and their answers.

One answer may have what another lost. Two answers to encodings that differ in one substitute show
where it stands, whatever form it has there.

Entry: ``decode_draws`` -> each answer alone -> ``find_pair``, where they differ -> ``join`` two
that agree -> by elimination, if allowed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prism_core.alignment import Span, Translation
from prism_core.decoding.decoded import STRONG, Decoded, SearchStrategy
from prism_core.decoding.decoder import decode
from prism_core.decoding.joining import MOST_LOST, TOKEN, join
from prism_core.decoding.linked import link_places
from prism_core.dictionary import Dictionary, common_start
from prism_core.record import Encoded


class AnsweredDraw(NamedTuple):
    """Encoding of a sentence, its answer (y_pub), and the translator's links by position."""

    encoded: Encoded
    answer: str
    linked: Mapping[int, Span] | None = None

    @classmethod
    def of(cls, source: str, encoded: Encoded, answer: Translation) -> AnsweredDraw:
        """Return the draw ``encoded`` of ``source`` with ``answer`` and its plausible links."""
        return cls(encoded, answer.text, link_places(source, encoded, answer))


def decode_draws(
    draws: Sequence[AnsweredDraw],
    dictionary: Dictionary,
    strategies: Collection[SearchStrategy] = tuple(SearchStrategy),
) -> tuple[Encoded, Decoded]:
    """Decode the ``draws`` of one sentence (at least one, in order) to the best result they allow.

    Returns it with the encoding to whose record its places belong. Substitutes are searched for by
    ``strategies``, elimination last. If not all are found, the result is that of the last draw.
    """
    surer = STRONG.intersection(strategies)
    alone = [_decode(draw, dictionary, surer) for draw in draws]
    last, earlier = len(draws) - 1, range(len(draws) - 2, -1, -1)
    if not alone[last].unrestored:
        return draws[last].encoded, alone[last]
    for other in earlier if SearchStrategy.PAIR in strategies else ():
        for draw, paired in find_pair(draws[last], draws[other], dictionary.function_forms):
            decoded = _decode(draw, dictionary, surer, paired)
            if not decoded.unrestored:
                return draw.encoded, decoded
    for other in earlier:
        encoded = draws[last].encoded, draws[other].encoded
        joined = join(*encoded, alone[last], alone[other], dictionary.function_forms)
        if joined is not None:
            return encoded[0], joined
    for index in (last, *earlier) if SearchStrategy.ELIMINATION in strategies else ():
        decoded = _decode(draws[index], dictionary, strategies)
        if not decoded.unrestored:
            return draws[index].encoded, decoded
    return draws[last].encoded, alone[last]


def _decode(
    draw: AnsweredDraw,
    dictionary: Dictionary,
    strategies: Collection[SearchStrategy],
    paired: Mapping[int, Span] | None = None,
) -> Decoded:
    return decode(draw.encoded, draw.answer, dictionary, draw.linked, strategies, paired=paired)


def find_lost(draw: AnsweredDraw, dictionary: Dictionary) -> frozenset[int]:
    """Return the positions of substitutes of ``draw`` that its answer alone does not show."""
    found = _decode(draw, dictionary, STRONG).strategies
    return frozenset(known.position for known in draw.encoded.replaced) - found.keys()


def needs_links(draw: AnsweredDraw, dictionary: Dictionary) -> bool:
    """Return True if links could change what is found: if the answer alone leaves any doubt."""
    return _decode(draw, dictionary, STRONG).restored < draw.encoded.to_restore


def find_redrawn(draws: Sequence[AnsweredDraw]) -> frozenset[int]:
    """Return the positions whose substitute is not the same in all of ``draws``."""
    seen: dict[int, set[str]] = defaultdict(set)
    for draw in draws:
        for replacement in draw.encoded.record:
            seen[replacement.position].add(replacement.substitute)
    return frozenset(position for position, texts in seen.items() if len(texts) > 1)


def find_pair(
    first: AnsweredDraw, second: AnsweredDraw, function_forms: Collection[str]
) -> list[tuple[AnsweredDraw, dict[int, Span]]]:
    """Return two draws, each with the place of the one substitute in which their encodings differ.

    That is where the answers differ. Function words that both have at its edges are left out,
    because articles follow the word. The result is empty if the encodings differ in more, or the
    answers in anything but one place of one to ``MOST_LOST`` words.
    """
    redrawn = find_redrawn((first, second))
    spans = None
    if len(redrawn) == 1:
        spans = find_difference(first.answer, second.answer, function_forms)
    places = zip((first, second), spans or (), strict=False)
    return [(draw, dict.fromkeys(redrawn, span)) for draw, span in places]


def find_difference(
    first: str, second: str, function_forms: Collection[str]
) -> tuple[Span, Span] | None:
    """Find the one place of a few words in which two texts differ; see ``find_pair``."""
    tokens = [list(TOKEN.finditer(text)) for text in (first, second)]
    words = [[match[0] for match in matches] for matches in tokens]
    start = common_start(*words)
    end = common_start(*(tokens[start:][::-1] for tokens in words))
    middles = [tokens[start : len(tokens) - end] for tokens in words]
    while all(middles) and all(tokens[0].lower() in function_forms for tokens in middles):
        start, middles = start + 1, [tokens[1:] for tokens in middles]
    while all(middles) and all(tokens[-1].lower() in function_forms for tokens in middles):
        end, middles = end + 1, [tokens[:-1] for tokens in middles]
    may_be_substitutes = all(  # few, no marks, one content word
        len(tokens) <= MOST_LOST
        and all(map(str.isalpha, tokens))
        and any(word.lower() not in function_forms for word in tokens)
        for tokens in middles
    )
    if not ((start or end) and may_be_substitutes):
        return None
    one, other = ((found[start].start(), found[len(found) - end - 1].end()) for found in tokens)
    return one, other
