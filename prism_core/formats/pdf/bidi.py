"""Order the letters of a line for display where some run from the right.

The Unicode bidirectional algorithm (UAX 9, version 15) for one line, whose direction is known.
Marks that would change it within the line (embeddings, overrides, isolates) are passed over.

Entry: ``order_words``, ``order_runs``; then ``_resolve_weak`` (W1-W5), ``_settle_numbers`` (W6, W7)
-> ``_resolve_brackets`` (N0) -> ``_resolve_neutrals`` (N1, N2) -> levels (I1, I2, L1), and the runs
put in order (L2).
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby, takewhile
from typing import Final

_BRACKETS: Final = "()[]{}⁅⁆⁽⁾₍₎〈〉⟦⟧⟨⟩⟪⟫⦅⦆「」『』【】〔〕《》〈〉（）［］｛｝｟｠｢｣"
CLOSING: Final = dict(zip(_BRACKETS[::2], _BRACKETS[1::2], strict=True))
"""Closing bracket of each opening one."""
_PASSED_OVER: Final = frozenset("BN LRE RLE LRO RLO PDF LRI RLI FSI PDI".split())
_NEUTRAL: Final = frozenset(("B", "S", "WS", "ON"))
_BLANK: Final = frozenset(("WS", "S", "B"))
_FROM_RIGHT: Final = frozenset(("R", "EN", "AN"))
"""Classes that count as running from the right beside brackets and neutrals."""
_MOST_OPEN: Final = 63
_KEPT_WHOLE: Final = re.compile(
    r"\+?\d[\d ()./-]{5,}\d|[0-9A-Za-z](?=[!-~]*[A-Za-z])[!-~]*[0-9A-Za-z]", re.ASCII
)
"""Telephone numbers, codes, addresses, and other text of Latin letters and figures."""


def order_words(line: str, from_right: bool) -> list[tuple[list[int], bool]]:
    """Order runs like ``order_runs``, but keep telephone numbers and codes left to right."""
    return order_runs(_KEPT_WHOLE.sub(lambda found: "A" * len(found[0]), line), from_right)


def order_runs(line: str, from_right: bool) -> list[tuple[list[int], bool]]:
    """Return the runs from left to right: indices of characters, and if it runs from the right."""
    base, outer = int(from_right), "R" if from_right else "L"
    classes = [unicodedata.bidirectional(char) or "L" for char in line]
    indices = [index for index, kind in enumerate(classes) if kind not in _PASSED_OVER]
    kinds = _resolve_weak([classes[index] for index in indices], outer)
    _settle_numbers(kinds, outer)
    shown = [unicodedata.normalize("NFC", line[index]) for index in indices]
    _resolve_brackets(shown, [classes[index] for index in indices], kinds, outer)
    _resolve_neutrals(kinds, outer)
    levels, found = [base] * len(line), base  # odd where a character runs from the right
    resolved = dict(zip(indices, kinds, strict=True))
    for index in range(len(line)):
        if index in resolved:
            kind = resolved[index]
            found = 1 if kind == "R" else 2 if base or kind != "L" else 0
        levels[index] = found
    at_end = True
    for index in range(len(line) - 1, -1, -1):  # blanks at the end, and before tabs
        at_end = classes[index] in ("S", "B") or (
            at_end and classes[index] in _BLANK | _PASSED_OVER
        )
        if at_end:
            levels[index] = base
    numbered = groupby(range(len(line)), key=levels.__getitem__)
    runs = [(level, list(indices)) for level, indices in numbered]
    for least in range(max(levels, default=0), 0, -1):
        reordered: list[tuple[int, list[int]]] = []
        for high, group in groupby(runs, key=lambda run: run[0] >= least):
            members = list(group)
            reordered += members[::-1] if high else members
        runs = reordered
    return [(indices, level % 2 == 1) for level, indices in runs]


def _resolve_weak(classes: list[str], outer: str) -> list[str]:
    kinds: list[str] = []
    strong = outer
    for kind in classes:
        kind = (kinds[-1] if kinds else outer) if kind == "NSM" else kind
        if kind in ("L", "R", "AL"):
            strong = kind
        kinds.append("AN" if kind == "EN" and strong == "AL" else kind)
    kinds = ["R" if kind == "AL" else kind for kind in kinds]
    for index in range(1, len(kinds) - 1):
        before, kind, after = kinds[index - 1 : index + 2]
        if before == after and (kind, after) in (("ES", "EN"), ("CS", "EN"), ("CS", "AN")):
            kinds[index] = after
    start = 0
    for kind, group in groupby(list(kinds)):
        end = start + len(list(group))
        is_beside_number = "EN" in (
            kinds[start - 1] if start else "",
            kinds[end] if end < len(kinds) else "",
        )
        if kind == "ET" and is_beside_number:
            kinds[start:end] = ["EN"] * (end - start)
        start = end
    return kinds


def _settle_numbers(kinds: list[str], outer: str) -> None:
    """Make signs beside no number neutral, and let numbers behind Latin letters run like these."""
    strong = outer
    for index, kind in enumerate(kinds):
        if kind in ("L", "R"):
            strong = kind
        elif kind in ("ES", "ET", "CS"):
            kinds[index] = "ON"
        elif kind == "EN" and strong == "L":
            kinds[index] = "L"


def _resolve_brackets(line: list[str], classes: list[str], kinds: list[str], outer: str) -> None:
    """Give both brackets of a pair the direction of their content, else of the text before (N0)."""
    waiting: list[tuple[str, int]] = []
    pairs: list[tuple[int, int]] = []
    for index, char in enumerate(line):
        if kinds[index] != "ON":
            continue
        if char in CLOSING:
            if len(waiting) == _MOST_OPEN:
                break
            waiting.append((CLOSING[char], index))
        depth = next((n for n, (end, _) in enumerate(reversed(waiting), 1) if end == char), 0)
        if depth:
            pairs.append((waiting[-depth][1], index))
            del waiting[-depth:]
    for opened, closed in sorted(pairs):
        inside = set(map(_direction_of, kinds[opened + 1 : closed])) - {""}
        if not inside:
            continue
        side = outer
        if outer not in inside:
            before = (found for kind in kinds[opened - 1 :: -1] if (found := _direction_of(kind)))
            first = next(before, outer) if opened else outer
            side = outer if first == outer else first
        for index in (opened, closed):  # with the marks on them
            end = index + 1 + len(list(takewhile("NSM".__eq__, classes[index + 1 :])))
            kinds[index:end] = [side] * (end - index)


def _resolve_neutrals(kinds: list[str], outer: str) -> None:
    """Give neutrals the direction of both their sides, else that of the line (N1, N2)."""
    start = 0
    for neutral, group in groupby(list(kinds), key=_NEUTRAL.__contains__):
        end = start + len(list(group))
        if neutral:
            left = _direction_of(kinds[start - 1]) if start else outer
            right = _direction_of(kinds[end]) if end < len(kinds) else outer
            kinds[start:end] = [left if left == right else outer] * (end - start)
        start = end


def _direction_of(kind: str) -> str:
    """Return the direction of ``kind`` seen from brackets and neutrals; empty where it has none."""
    return "L" if kind == "L" else "R" if kind in _FROM_RIGHT else ""
