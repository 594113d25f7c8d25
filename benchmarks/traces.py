"""Traces of substitutions: what a restored translation has otherwise than that of the direct text.

Entry: ``find_traceless``.
"""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.building.carrier_sentences import Swap
from prism_core.dictionary import target_tokens

WINDOW = 2
"""Number of words on each side of a restored one that must equal those of T(S)."""


def find_traceless(
    swaps: Sequence[Swap], answer: Sequence[str], baseline: Sequence[str]
) -> list[bool | None]:
    """Return for each of ``swaps`` if ``answer``, restored, reads like ``baseline`` around it.

    The result is None when the substitute is not in ``answer`` at all. Both texts are tokens of the
    target language.
    """
    tokens: list[tuple[str, int | None]] = [(token, None) for token in answer]
    found = [_restore(index, swap, tokens) for index, swap in enumerate(swaps)]
    text = f" {' '.join(baseline)} "
    results: list[bool | None] = []
    for index, restored in enumerate(found):
        positions = [position for position, (_, owner) in enumerate(tokens) if owner == index]
        if restored:
            window = tokens[max(0, positions[0] - WINDOW) : positions[-1] + 1 + WINDOW]
            results.append(f" {' '.join(token for token, _ in window)} " in text)
        else:
            results.append(None)
    return results


def _restore(index: int, swap: Swap, tokens: list[tuple[str, int | None]]) -> bool:
    """Replace the substitute by the original in ``tokens``; return False if it is missing."""
    for text in swap.substitute.longest_first:
        words = [(word, None) for word in target_tokens(text)]
        for position in range(len(tokens) - len(words) + 1):
            if tokens[position : position + len(words)] == words:
                features = swap.substitute.forms.features_of(text)
                restored = target_tokens(swap.original.inflect(text, features))
                tokens[position : position + len(words)] = [(word, index) for word in restored]
                return True
    return False
