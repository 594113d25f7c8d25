"""Rows of the attack, and what they were measured with."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from prism_core.encoding import VERSION
from prism_core.evaluation.adversaries.base import DECOYS, MIXING
from prism_core.evaluation.adversaries.cases import Sending
from prism_core.evaluation.findings import Finding

EITHER = "either"
"""In the place of a way of sending that cannot matter."""


class Row(TypedDict):
    """What one attack reached against one method."""

    attack: str
    method: str
    setting: str
    mixing: str
    decoys: str
    value: float
    chance: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Results:
    """Rows, with the machine, versions, arguments (the seed among them) and date."""

    rows: Sequence[Row]
    measured: Mapping[str, object]

    @property
    def usual(self) -> list[Row]:
        """The rows of what is sent as PRISM sends it by default: mixed, without decoys."""
        mixed = [one for one in self.rows if one["mixing"] in ("on", EITHER)]
        return [one for one in mixed if one["decoys"] in ("0", EITHER)]

    def write(self, path: Path) -> None:
        """One row a line; of a file of JSON lines the ``usual`` rows alone."""
        if path.suffix == ".jsonl":
            text = "\n".join(json.dumps(one, ensure_ascii=False) for one in self.usual)
        else:
            rows = [json.dumps(one, ensure_ascii=False) for one in self.rows]
            head = json.dumps(self.measured, ensure_ascii=False, indent=1)
            text = f'{{"measured": {head},\n"rows": [\n' + ",\n".join(rows) + "\n]}"
        path.write_text(text + "\n", "utf-8")


def row(
    method: str, setting: str, sending: Sending, matters: Container[str], found: Finding
) -> Row:
    """``found`` as a row; what of ``sending`` does not matter is ``EITHER``."""
    mixing, decoys = "on" if sending.mixing else "off", f"{sending.decoy_rate:g}"
    low, high = found.interval()
    return Row(
        attack=found.attack,
        method=method,
        setting=setting,
        mixing=mixing if MIXING in matters else EITHER,
        decoys=decoys if DECOYS in matters else EITHER,
        value=round(found.value, 5),
        chance=round(found.chance, 5),
        low=round(low, 5),
        high=round(high, 5),
        n=found.n,
    )


def kept(rows: Sequence[Row], arguments: Mapping[str, object]) -> Results:
    """``rows`` as measured now, here."""
    names = ("source", "translator", "documents", "outsiders", "methods", "seed")
    return Results(
        rows,
        {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores",
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "encoder": VERSION,
            **{name: arguments[name] for name in names},
        },
    )


def read(path: Path) -> Results:
    """What ``write`` wrote."""
    found = json.loads(path.read_text("utf-8"))
    return Results(found["rows"], found["measured"])


def joined(parts: Sequence[Results]) -> Results:
    """Results of several runs, of different methods and all else alike."""
    rows = [row for part in parts for row in part.rows]
    methods = list(dict.fromkeys(row["method"] for row in rows))
    return Results(rows, {**parts[-1].measured, "methods": methods})
