"""What ``prism key`` shows: fingerprints, times and counts; and what a destruction takes away."""

from __future__ import annotations

import json
import time
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from prism_core.cipher import fingerprint
from prism_core.errors import StateError
from prism_core.settings.job import Job
from prism_core.settings.sections import KeySettings
from prism_core.state import data_keys, overview, places, purging, user_key

_DAY = 86_400


def key_facts(settings: KeySettings) -> dict[str, Any]:
    """Where the key is, its fingerprint and, of a file, when it was made; never the key."""
    key, file = user_key.existing_key(settings), user_key.key_file(settings)
    return {
        "place": user_key.key_place(settings),
        "fingerprint": None if key is None else fingerprint(key),
        "made": file.stat().st_mtime if file is not None and file.exists() else None,
    }


def store_facts(job: Job) -> dict[str, Any]:
    """Which key the archive's state has, since when, and the data keys of its runs."""
    folder, url = job.state_folder, job.settings.state.url
    places.check_has_state(folder, url)
    return {
        "state_keys": [
            {"fingerprint": key.fingerprint, "since": key.since}
            for key in data_keys.keys_of(folder, url)
        ],
        "run_keys": [
            {"run": one.run, "made": one.made, "sentences": one.sentences}
            for one in purging.run_keys(folder, url)
        ],
    }


def print_facts(console: Console, facts: dict[str, Any], *, as_json: bool) -> None:
    """For a person, or on one line of JSON with times in seconds since the epoch."""
    if as_json:
        console.print(json.dumps(facts), soft_wrap=True, highlight=False, markup=False)
        return
    lines = [("key", facts["fingerprint"] or "none yet; the first run makes one")]
    lines.append(("place", facts["place"]))
    if facts["made"]:
        days = (time.time() - facts["made"]) / _DAY
        lines.append(("made", f"{_day(facts['made'])}, {days:,.0f} days ago"))
    for one in facts.get("state_keys", ()):
        same = "this key" if one["fingerprint"] == facts["fingerprint"] else one["fingerprint"]
        lines.append(("state", f"opens with {same}, since {_day(one['since'])}"))
    for label, value in lines:
        console.print(f"[dim]{label:<6}[/] {escape(value)}", soft_wrap=True, highlight=False)
    if facts.get("run_keys"):
        console.print(_run_table(facts["run_keys"]))


def losses_of_key(named: str, job: Job | None) -> list[str]:
    """What goes with a key of the user's."""
    losses = [
        f"every state, sealed memory and dictionary build under way with the key {named} can "
        "never be opened again, copies of them included"
    ]
    if job is None:
        return [
            *losses,
            "which archives these are is written nowhere: prism key show OUT tells of one",
        ]
    try:
        at = job.state_folder, job.settings.state.url
        theirs = [key.fingerprint for key in data_keys.keys_of(*at)]
        found = overview.read_overview(*at)
    except StateError:
        return [*losses, f"{job.output}: its state cannot be read"]
    if named not in theirs:
        return [*losses, f"{job.output} is not among them"]
    return [
        *losses,
        f"{job.output}: {found.sentences_in_flight:,} sentences were sent and are not decoded yet; "
        "their answers, paid or not, can never be",
        f"{job.output}: {found.documents_translated:,} translated documents are no longer known; "
        "purge the state (prism state purge --all), and a run sends everything afresh",
        "the ids in its reports can no longer be told from each other by name",
    ]


def _run_table(keys: list[dict[str, Any]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("run")
    table.add_column("data key made (UTC)")
    table.add_column("sentences", justify="right")
    for one in keys:
        table.add_row(one["run"], _day(one["made"]), f"{one['sentences']:,}")
    return table


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))
