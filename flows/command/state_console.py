"""Print what ``prism state`` and ``prism key`` show: counts, times, and losses of a destruction.

Entry: ``print_overview``; ``losses_of_all`` or ``losses_of_old``; for keys ``print_facts`` and
``losses_of_key``.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from typing import Any

import typer
from rich.console import Console

from flows.command.command_line import escape, make_table, print_fact
from prism_core.cipher import fingerprint
from prism_core.errors import StateError
from prism_core.settings import Job, KeySettings
from prism_core.state import DocumentStatus, SentenceStatus, StatePlace, UserKey


def print_overview(console: Console, place: StatePlace, *, as_json: bool) -> None:
    """Print the store in three tables, and the waiting work in one line.

    In JSON, on one line, times are in seconds since the epoch.
    """
    found = place.overview()
    documents, sentences = found.documents_waiting, found.sentences_waiting
    if as_json:
        more = {"documents_waiting": documents, "sentences_waiting": sentences}
        typer.echo(json.dumps(asdict(found) | more))
        return
    waiting = "nothing"
    if documents or sentences:
        waiting = (
            f"{documents:,} documents, {sentences:,} sentences; the next run continues with them"
        )
    for name, counts, statuses in (
        ("documents", dict[str, int](found.documents.items()), DocumentStatus),
        ("sentences", dict[str, int](found.sentences.items()), SentenceStatus),
    ):
        rows = ((str(s), counts[s], s.meaning) for s in statuses if counts.get(s))
        console.print(make_table(name, ">", "", rows=rows))
    table = make_table("runs", "began (UTC)", ">took", "ended", ">requests", ">characters")
    for run in found.runs:
        began = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(run.started))
        took, ended = "", f"running or interrupted, at {run.stage or 'the start'}"
        if run.finished is not None:
            took, ended = f"{run.finished - run.started:,.0f} s", run.outcome
        table.add_row(run.id, began, took, ended, f"{run.requests:,}", f"{run.characters:,}")
    if found.runs_known > len(found.runs):
        table.add_row(f"… and {found.runs_known - len(found.runs):,} earlier")
    console.print(table)
    size = found.bytes
    shown = f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"
    for label, value in (
        ("state", f"{found.place}, {shown}, version {found.version}"),
        ("deny list", f"{found.identifiers:,} names and numbers"),
        ("batches", f"{found.batches:,} in progress at a provider"),
        ("waiting", waiting),
    ):
        print_fact(console, label, value)


def losses_of_all(place: StatePlace, *, with_key: bool) -> list[str]:
    """Return what is lost when everything is destroyed."""
    try:
        found = place.overview()
    except StateError:  # damaged or of another version: it can still be destroyed
        losses = ["the state cannot be read: whatever it holds is destroyed"]
    else:
        losses = [
            f"{found.sentences_in_flight:,} sentences were sent and are not decoded yet: their "
            "answers, paid or not, can never be decoded",
            f"{found.batches:,} batches in progress at a provider continue there, are billed, and "
            "can never be collected",
            f"{found.documents_translated:,} translated documents are no longer known: the next "
            "run translates them again",
            f"the encodings of {sum(found.sentences.values()):,} sentences are lost: a further run "
            "sends them in new ones, and the translator can compare the two",
            "the file names of ids in earlier reports are lost (prism audit names)",
            f"the deny list of {found.identifiers:,} names and numbers is lost, and learned again",
        ]
    if with_key:
        losses.append("every other archive whose state has the same key can never be opened again")
    else:
        losses.append("copies of it, in backups or snapshots, can still be opened with the key")
    return losses


def losses_of_old(documents: int, sentences: int, shared: int, days: float) -> list[str]:
    """Return what is lost when old documents' material is destroyed."""
    return [
        f"the mappings, answers and translations of {sentences:,} sentences of {documents:,} "
        f"documents finished more than {days:g} days ago are destroyed: an answer to one of them "
        "can never be decoded again",
        f"{shared:,} of their sentences stay, because other documents hold them too",
        "the documents are still skipped while they, their translations and the settings are "
        "unchanged; otherwise their sentences are sent again, in a new encoding",
        "the deny list stays: it protects future documents",
        "the data keys of runs of which nothing is left are destroyed with it",
        "copies of it, in backups or snapshots, can still be opened with the key of their time "
        "(prism key rotate --destroy-old)",
    ]


_DAY = 86_400


def key_facts(settings: KeySettings) -> dict[str, Any]:
    """Return the key's place and fingerprint, and when a key file was made; never the key."""
    user_key = UserKey(settings)
    key, file = user_key.find(), user_key.file
    return {
        "place": user_key.place,
        "fingerprint": None if key is None else fingerprint(key),
        "made": file.stat().st_mtime if file is not None and file.exists() else None,
    }


def store_facts(job: Job) -> dict[str, Any]:
    """Return the user keys of the archive's state, and since when."""
    place = StatePlace.of(job)
    place.check_exists()
    keys = ({"fingerprint": key.fingerprint, "since": key.since} for key in place.user_keys())
    return {"state_keys": list(keys)}


def print_facts(console: Console, facts: dict[str, Any], *, as_json: bool) -> None:
    """Print facts for a person, or on one line of JSON with times in seconds since the epoch."""
    if as_json:
        console.print(json.dumps(facts), soft_wrap=True, highlight=False, markup=False)
        return
    lines = [("key", facts["fingerprint"] or "none yet; the first run makes one")]
    lines.append(("place", facts["place"]))
    if facts["made"]:
        days = (time.time() - facts["made"]) / _DAY
        lines.append(("made", f"{_day(facts['made'])}, {days:,.0f} days ago"))
    for key in facts.get("state_keys", ()):
        same = "this key" if key["fingerprint"] == facts["fingerprint"] else key["fingerprint"]
        lines.append(("state", f"opens with {same}, since {_day(key['since'])}"))
    for label, value in lines:
        console.print(f"[dim]{label:<6}[/] {escape(value)}", soft_wrap=True, highlight=False)


def losses_of_key(key_fingerprint: str, job: Job | None) -> list[str]:
    """Return what is lost with a key of the user."""
    losses = [
        "every state, sealed memory and unfinished dictionary build with the key "
        f"{key_fingerprint} can never be opened again, copies of them included"
    ]
    if job is None:
        return [
            *losses,
            "which archives these are is recorded nowhere: check one with prism key show OUT",
        ]
    try:
        fingerprints = [key.fingerprint for key in StatePlace.of(job).user_keys()]
        found = StatePlace.of(job).overview()
    except StateError:
        return [*losses, f"{job.output}: its state cannot be read"]
    if key_fingerprint not in fingerprints:
        return [*losses, f"{job.output} is not among them"]
    return [
        *losses,
        f"{job.output}: {found.sentences_in_flight:,} sentences were sent and are not decoded yet; "
        "their answers, paid or not, can never be",
        f"{job.output}: {found.documents_translated:,} translated documents are no longer known; "
        "purge the state (prism state purge --all), and a run sends everything again",
        "the file names of ids in its reports are lost",
    ]


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))
