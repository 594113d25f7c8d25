"""What attacks reached, as rows of JSON that whoever runs them leaves in the folder of results."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path

from prism_core.errors import ConfigurationError

FILE = "attacks.jsonl"


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One attack on one method: the share it finds with its 95 % bounds, and that of chance.

    ``python -m benchmarks.adversaries --store attacks.jsonl`` writes such rows.
    """

    method: str
    setting: str
    attack: str
    value: float
    chance: float
    low: float
    high: float
    n: int


def read_attacks(folder: Path) -> list[AttackRow]:
    """The rows in ``attacks.jsonl`` of ``folder``; none where there is no such file.

    Raises ``ConfigurationError`` for a file that is of another kind.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    names = [field.name for field in fields(AttackRow)]
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        return [AttackRow(**{name: row[name] for name in names}) for row in rows]
    except (ValueError, KeyError, TypeError):
        raise ConfigurationError(
            f"{path} does not hold rows of attacks, one object of JSON a line with "
            f"{', '.join(names)}: move it away."
        ) from None
