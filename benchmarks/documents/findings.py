"""What a check finds in one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Finding:
    """``count`` times something is not as it should be; ``noticed``: the report tells of it.

    ``pages`` are those to look at, from 1; ``of`` is what ``count`` is a share of, where it is one.
    """

    name: str
    check: str
    count: int
    noticed: bool = False
    pages: tuple[int, ...] = field(default=())
    of: int = 0


def summed(findings: Iterable[Finding]) -> Iterator[Mapping[str, object]]:
    """A row for each check: in how many files, how often, and how often without a notice."""
    checks: dict[str, list[Finding]] = {}
    for finding in findings:
        checks.setdefault(finding.check, []).append(finding)
    for check, found in sorted(checks.items()):
        row = {
            "check": check,
            "files": sum(one.count > 0 for one in found),
            "count": sum(one.count for one in found),
            "without_notice": sum(one.count for one in found if not one.noticed),
        }
        yield row | ({"of": of} if (of := sum(one.of for one in found)) else {})
