"""Code and data within a text: files in armour, patches, dumps, markup, source code.

They hold no prose, and a translation would break them. Entry: ``find_code`` returns their spans;
``is_code``, ``looks_like_code``, ``is_table`` and ``is_json`` judge a whole text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_QUOTE: Final = re.compile(r"(?:(?:[ \t]?>)+ ?)?")
"""Marks before a quoted line; a patch is discussed with them."""

_ARMOURED: Final = tuple(
    (re.compile(first), re.compile(last))
    for first, last in (
        (r"-----BEGIN [A-Z0-9 ]{1,60}-----", r"-----END [A-Z0-9 ]{1,60}-----"),
        (r"\(This file must be converted with BinHex", r"(?!\().*:$"),
        (r"=ybegin ", r"=yend "),
        (r"%!PS", r"%%EOF"),
    )
)
"""First and last line of files that stand in a text; one without its end is no file."""
_LONGEST_ARMOUR: Final = 100_000
"""Greatest number of lines of a file that stands in a text."""
_UUENCODED: Final = re.compile(r"begin(?:-base64)? [0-7]{3,4}(?: |$)")
_UUENCODED_LINE: Final = re.compile(r"[ -`]{2,90}|[+\-0-9A-Za-z]{2,90}|[A-Za-z0-9+/=]{1,80}|`")
_BASE64: Final = re.compile(
    r"(?=\S*\d)(?=\S*[A-Z])(?=\S*[a-z])[A-Za-z0-9+/_-]{56,}={0,2}|M[ -`]{60}"
)
_BASE64_END: Final = re.compile(r"[A-Za-z0-9+/_-]{2,}={0,2}")
_SHORT_BASE64: Final = re.compile(r"(?=\S*[\d+/=])[A-Za-z0-9+/_-]{2,}={0,2}")

_PATCH_START: Final = re.compile(
    r"diff (?:-\S* )*\S+ \S+|Index: \S+|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@|\*{15}"
)
_PATCH_HEAD: Final = re.compile(
    r" \S.* \| +(?:\d+ ?[+-]*|Bin .*)$| \d+ files? changed,.*$"
    r"|diff -|Index: |=======|index [0-9a-f]+\.\.|(?:new|deleted) file mode|(?:old|new) mode "
    r"|(?:dis)?similarity index|(?:rename|copy) (?:from|to) |Binary files |GIT binary patch"
    r"|(?:---|\+\+\+|\*\*\*) \S|\*{15}$|retrieving revision|RCS file: |Property changes on: "
)
_PATCH_LINE: Final = re.compile(r"[ +\-!\\\t](?!- ?$)|$")
_HUNK: Final = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_CONTEXT: Final = re.compile(r"(?:\*\*\*|---) \d+(?:,\d+)? (?:\*{4}|-{4})$")
_LONGEST_HEAD: Final = 200
"""Greatest number of lines before the first change of a patch."""
_STATISTICS: Final = re.compile(r" \S.* \| +(?:\d+ ?[+-]*|Bin .*)$| \d+ files? changed,.*$")
_EDITS: Final = re.compile(r"\d+(?:,\d+)?[acd]\d+(?:,\d+)?$")
_EDITED: Final = re.compile(r"[<>](?: |$)|---$|\d+(?:,\d+)?[acd]\d+(?:,\d+)?$|\\ No newline")

_DUMP: Final = re.compile(r"(?:0x)?[0-9A-Fa-f]{4,16}[:h]?[ \t]+(?:[0-9A-Fa-f]{2,8}[ \t:-]+){4,}")
_MARKUP: Final = re.compile(r"\s*<[/!?]?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>(?:.*>)?\s*$")
_RECORD: Final = re.compile(r'\s*(?:"[^"]*"\s*:.*[,{\[\]}\d"el]|[\[{\]}]+,?)\s*$')
_SOURCE: Final = re.compile(
    r"\s*(?:#\s*(?:include|define|ifn?def|endif|else|pragma)\b|#!/|import [\w.]+;?$"
    r"|from [\w.]+ import |(?:def|fn|func|function|sub) [\w.]+ ?\(?.*[{:]$|class \w+.*[:{]$"
    r"|(?:public|private|protected|static|const|var|let|return)\b.*[;{(]$"
    r"|(?:if|for|while|else|elif|switch|try|do)\b.*[{:]$|.*\)\s*\{$|[{}]+[;,)]*$|\}\s*else\b.*"
    r"|//|/\*|\*/|;;+ |\((?:def\w*|let|setq|lambda|cond|if|progn|use-package|require)\b.*"
    r"|return [\w.]+(?:\(.*\))?$|.*\)\)+;?$|@\w+(?:\(.*\))?$"
    r"|(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|FROM|WHERE)\b.*[;,(]?$"
    r"|[\w.$\[\]>\"'-]+\s*(?:[-+*/|&:.]?=|<-)\s*(?:[\"'\[({$&*-]|[\w.]+\(|\w+\.\w|\d+\w*;?$"
    r"|(?:[Tt]rue|[Ff]alse|null|None|new)\b).*|\$?\w+(?:\.|->|::|_)\w+\(.*\);?$"
    r"|.*([A-Za-z_]\(|[=<>\[\]]|::|->).*;$"
    r"|[A-Z][A-Z0-9_]+\s*[:+?]?=\s*\S|.*\$[({][\w:.=]+[)}]|.*\s\\$|@\w+ |(?:fi|done|esac|then|do)$"
    r"|(?:if|while) \[ |echo [\"'$-]|export \w+=|\$ \w|(?:sudo|rm|cp|mv|chmod|mkdir) [-\w./~$*]"
    r"|Exception in |Caused by: |Traceback |at [\w.$<>]+\(.*\)$"
    r"|File \".*\", line \d|[a-z]+(?:-[a-z]+)*:\s?[^;]*;$|[.#\w][^!?]* \{$)"
)
_COMMENT: Final = re.compile(r"\s*#|$")
"""Line that may stand between lines of code, and is none."""
_BLOCKS: Final = ((_DUMP, 2), (_MARKUP, 4), (_RECORD, 4), (_SOURCE, 4))
"""Lines of data and of code, and how many of them in a row no prose has."""

_LONGEST_LINE: Final = 500
"""Greatest length of a line of code."""

_CODE_LINE: Final = re.compile(
    r"\s*(#include\b|#!/|import [\w.]+;?$|from [\w.]+ import |def \w+\(.*:$|class \w+.*[:{]$"
    r"|(public|private|static|const|var|let|function|return)\b.*[;{(]$|.*[{}]$|//|/\*"
    r"|\S+( \S+)?;$|.*([A-Za-z_]\(|[=<>\[\]]|::|->).*;$)"  # items of a list end so, too
)


def find_code(text: str) -> list[tuple[int, int]]:
    """Return the spans of code and data in ``text``: whole lines, without the last line break."""
    starts = [match.start() for match in _LINE.finditer(text)]
    raw = [text[start:end].rstrip("\r\n") for start, end in pairwise(starts)]
    quotes = [_QUOTE.match(line) for line in raw]
    lines = [
        line[quote.end() :] if quote else line for line, quote in zip(raw, quotes, strict=True)
    ]
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(lines):
        end = max((find(lines, index) for find in _FINDERS), default=index)
        end = max(end, _find_edits(raw, index))
        while end > index and not lines[end - 1].strip():
            end -= 1
        if end > index:
            spans.append((starts[index], starts[end - 1] + len(raw[end - 1])))
        index = max(end, index + 1)
    return spans


def is_code(text: str) -> bool:
    """Return True if ``text`` is code or data, but for less than a quarter of its lines."""
    spans = find_code(text)
    starts = [0, *(end for _, end in spans)]
    ends = [*(start for start, _ in spans), len(text)]
    outside = "".join(text[start:end] for start, end in zip(starts, ends, strict=True))
    small = bool(spans) and len(_worded(outside)) * 4 < len(_worded(text))
    return small or looks_like_code(outside)


def is_table(text: str) -> bool:
    """Return True if every line has the same two separators or more, few with a blank behind."""
    rows = [line for line in text.splitlines() if line.strip()]
    rows = rows[:3] + rows[3:-1]  # the last may be cut
    for separator in ",;":
        counts = {row.count(separator) for row in rows}
        separators = sum(row.count(separator) for row in rows)
        spaced = sum(row.count(f"{separator} ") + row.endswith(separator) for row in rows)
        if len(rows) >= 3 and len(counts) == 1 and min(counts) >= 2 and spaced * 2 < separators:
            return True
    return False


def is_json(text: str) -> bool:
    """Return True for a JSON object or array, or lines of them; the start decides if cut."""
    if re.match(r'\s*(\{\s*("|\}\s*$)|\[\s*([\[{"]|-?\d+\s*[,\]]))', text) is None:
        return False
    try:
        json.loads(text.strip().splitlines()[0] if "}\n{" in text else text)
    except (ValueError, RecursionError):
        # Long JSON is cut at the head; prose in brackets has no quoted key with a colon.
        return re.match(r'\s*\[?\s*\{\s*"[^"\n]*"\s*:', text) is not None
    return True


def looks_like_code(text: str) -> bool:
    """Return True for source code: at least half of the first lines look like statements."""
    lines = [line for line in text.splitlines() if line.strip()][:60]
    if lines and lines[0].startswith("#!"):
        return True
    hits = sum(1 for line in lines if _CODE_LINE.match(line))
    return len(lines) >= 4 and hits * 2 >= len(lines)


def _worded(text: str) -> list[str]:
    return [line for line in text.splitlines() if any(map(str.isalnum, line))]


def _find_armour(lines: Sequence[str], index: int) -> int:
    for first, last in _ARMOURED:
        if first.match(lines[index]):
            most = min(len(lines), index + _LONGEST_ARMOUR)
            ends = (i for i in range(index + 1, most) if last.match(lines[i]))
            return next(ends, index - 1) + 1
    if not _UUENCODED.match(lines[index]):
        return index
    end = index + 1
    while end < len(lines) and lines[end] != "end" and _UUENCODED_LINE.fullmatch(lines[end]):
        end += 1
    return end + 1 if end < len(lines) and lines[end].strip() in ("end", "====") else index


def _find_base64(lines: Sequence[str], index: int) -> int:
    end = index
    while end < len(lines) and _BASE64.fullmatch(lines[end].strip()):
        end += 1
    if end == index:
        return index
    last = _BASE64_END if end - index > 1 else _SHORT_BASE64
    return end + (end < len(lines) and last.fullmatch(lines[end].strip()) is not None)


def _find_patch(lines: Sequence[str], index: int) -> int:
    """Return the end of a patch; statistics about it come before it."""
    if not (_PATCH_START.match(lines[index]) or _STATISTICS.match(lines[index])):
        first = lines[index].startswith(("--- ", "*** ", "+++ "))
        follows = index + 1 < len(lines) and lines[index + 1].startswith(("+++ ", "--- ", "@@ -"))
        if not (first and follows):
            return index
    end, sure, left = index, False, 0
    while end < len(lines):
        line = lines[end]
        counts = _HUNK.match(line)
        if counts:
            left = sum(int(count or 1) for count in counts.groups())
        elif left > 0 and _PATCH_LINE.match(line):
            left -= 1 if line[:1] in ("+", "-") else 2
        elif _CONTEXT.match(line):
            left = _LONGEST_HEAD  # its lines are not counted as easily
        elif line.strip() and not _PATCH_HEAD.match(line):
            break
        sure = sure or left > 0
        end += 1
        if end - index > _LONGEST_HEAD and not sure:
            break
    statistics = all(_STATISTICS.match(line) for line in lines[index:end] if line.strip())
    return end if sure or statistics else index


def _find_edits(lines: Sequence[str], index: int) -> int:
    """Return the end of a patch as ``diff`` writes it without context; it looks like a quote."""
    end = index
    if _EDITS.match(lines[index]):
        while end < len(lines) and _EDITED.match(lines[end]):
            end += 1
    return end if end > index + 1 else index


def _find_block(pattern: re.Pattern[str], fewest: int, lines: Sequence[str], index: int) -> int:
    """Return the end of a block of lines of code: every fifth line, and one more, may differ."""
    if len(lines[index]) > _LONGEST_LINE or not pattern.match(lines[index]):
        return index
    hits, others, end = 0, 0, index
    for position in range(index, len(lines)):
        if len(lines[position]) <= _LONGEST_LINE and pattern.match(lines[position]):
            hits, end = hits + 1, position + 1
        elif not _COMMENT.match(lines[position].strip()):
            others += 1
            if others * 4 > hits + 4:
                break
    return end if hits >= fewest else index


_FINDERS: Final[tuple[Callable[[Sequence[str], int], int], ...]] = (
    _find_armour,
    _find_base64,
    _find_patch,
    *(partial(_find_block, pattern, fewest) for pattern, fewest in _BLOCKS),
)
