"""Asks hostile servers from a process of its own, and prints what came and how much memory it took.

``python -m tests.translators.hostile_asking '[[settings, ...], kinds, times, slow]'``: each
translator is asked once to know the quiet size of the process, and then for each kind ``times``
times at once; for the ``slow`` kind one that waits for no more than half a second.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from prism_core.errors import TranslatorError
from prism_core.settings import TranslatorSettings
from prism_core.translators import make_provider

TEXTS = ["The boats left the old harbour.", "Nobody cares about Wellington."]


async def fault_of(translator: Any) -> str:
    try:
        if translator.name == "openai-batch":
            answers = await translator.results("batch_1", {"r1": TEXTS, "r2": TEXTS})
            return " ".join(sorted(type(one).__name__ for one in answers.values())) or "nothing"
        return str(await translator.translate(TEXTS, "en", "es"))
    except TranslatorError as error:
        return type(error).__name__


async def main(
    everyone: list[dict[str, Any]], kinds: list[str], times: int, slow: str
) -> list[Any]:
    """The kind, the translator, the faults and the megabytes beside the quiet size, of each."""
    found = []
    made = [(make(settings, 60), make(settings, 0.5)) for settings in everyone]
    for patient, _ in made:
        await fault_of(patient)
    quiet = peak()
    for patient, hasty in made:
        for kind in kinds:
            asked = hasty if kind == slow else patient
            faults = await asyncio.gather(*[fault_of(asked) for _ in range(times)])
            found.append((kind, asked.name, " ".join(sorted(set(faults))), peak() - quiet))
        await patient.close()
        await hasty.close()
    return found


def make(settings: dict[str, Any], seconds: float) -> Any:
    chosen = TranslatorSettings.choose(**settings, timeout_seconds=seconds)
    return make_provider(chosen, "en", "es")


def peak() -> int:
    """The most megabytes that this process has had; what ``resource`` says counts its parent."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) // 1024


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(*json.loads(sys.argv[1])))))  # noqa: T201
