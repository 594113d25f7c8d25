"""What every benchmark needs: its options, CPU time of a call, and one way to print the result."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")


def cpu_seconds(work: Callable[[], Result]) -> tuple[Result, float]:
    """What ``work`` gives, and the CPU seconds of this process it took."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def argument_parser(description: str | None) -> argparse.ArgumentParser:
    """Options described by the docstring of a benchmark, ``--json`` among them."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one JSON list instead of lines")
    return parser


def add_text_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a benchmark over the first lines of a file, from a language to another."""
    parser.add_argument("file", type=Path)
    parser.add_argument("--from", dest="source", default="en")
    parser.add_argument("--to", default="pt")
    parser.add_argument("--lines", type=int, default=1000)


def show(rows: list[Mapping[str, object]], *, as_json: bool) -> None:
    """Print ``rows`` as JSON, or as lines of ``name=value``."""
    if as_json:
        print(json.dumps(rows, ensure_ascii=False))
        return
    for row in rows:
        print("  ".join(f"{name}={_short(value)}" for name, value in row.items()))


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
