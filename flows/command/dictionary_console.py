"""What a person at a terminal sees of a dictionary: progress, estimates, summaries, entries.

Entry: ``show_build`` while one is built; then a ``print_…`` for each sub-command.
"""

from __future__ import annotations

import json
import threading
import time
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from flows.command.command_line import print_fact, print_line
from flows.command.display import bars_on, duration, looks, now_and_then, show_until_done
from prism_core.building import BuildEstimate, Difference, Inspection, Sense
from prism_core.dictionary import Entry
from prism_core.jobs import building
from prism_core.settings import MechanismSettings

if TYPE_CHECKING:
    from pathlib import Path

    from prism_core.jobs import building, extension

_SHOWN_FORMS = 8
_SHOWN_BAD_ROWS = 50


def show_build(console: Console) -> AbstractContextManager[building.Watch]:
    """Show a build until the block ends: a bar on a terminal, else a line every ten seconds."""
    return show_until_done(console, building.Watch(), bars=_bar, lines=_lines)


def _bar(console: Console, watch: building.Watch, over: threading.Event) -> None:
    with bars_on(console, 20) as bars:
        texts = bars.add_task(watch.stage, total=None, note="")
        for _ in looks(over):
            with suppress(Exception):  # the build itself meets the same trouble, and says so
                now = watch.standing()
                bars.update(
                    texts,
                    description=watch.stage,
                    total=watch.expected or None,
                    completed=now.settled,
                    note=f"texts or so, {now.requests:,} requests, {now.known:,} known before",
                )


def _lines(console: Console, watch: building.Watch, over: threading.Event) -> None:
    started = time.monotonic()
    console.print(watch.stage, highlight=False)
    for _ in now_and_then(over):
        with suppress(Exception):
            now = watch.standing()
            asked = f"{now.settled:,} of about {watch.expected:,} texts, " if now.asked else ""
            sent = f"{now.requests:,} requests, " if now.asked else ""
            passed = duration(time.monotonic() - started)
            print_line(console, f"{watch.stage}: {asked}{sent}{passed}")


def print_estimate(console: Console, expected: BuildEstimate, *, as_json: bool) -> None:
    """What a build would send."""
    if as_json:
        console.print_json(json.dumps(asdict(expected)), indent=None)
        return
    table = _table("would be sent, about", "")
    for name, value in _estimated(expected):
        table.add_row(name, value)
    console.print(table)
    console.print("[dim]nothing was sent, nothing was written[/]")


def _estimated(expected: BuildEstimate) -> list[tuple[str, str]]:
    own_pace = "at the translator's own pace: no rate is set"
    seconds = own_pace if expected.seconds is None else f"{duration(expected.seconds)} or longer"
    cost = "not known: the translator states no price"
    if expected.cost is not None:
        cost = f"{expected.cost:,.2f} {expected.currency}"
    return [
        ("words to look up", f"{expected.words:,}"),
        ("texts", f"{expected.texts:,}"),
        ("characters", f"{expected.characters:,}"),
        ("requests", f"{expected.requests:,}"),
        ("time", seconds),
        ("cost", cost),
    ]


def print_built(built: building.Built, *, quiet: bool, as_json: bool) -> None:
    """What a build gave, and what it cost by tag."""
    console = Console(quiet=quiet and not as_json)
    if as_json:
        content = {**asdict(built), "output": str(built.output), "entries": built.entries}
        console.print_json(json.dumps(content), indent=None)
        return
    characters = built.characters / built.texts if built.texts else 0.0
    table = _table("tag", "entries", "calls an entry", "characters an entry")
    for total in built.tags:
        calls = total.calls / total.entries
        table.add_row(total.tag, f"{total.entries:,}", f"{calls:.2f}", f"{calls * characters:,.0f}")
    console.print(table)
    console.print(
        f"{built.entries:,} entries for {built.words:,} words; {built.texts:,} texts asked, "
        f"{built.requests:,} requests, {built.characters:,} characters, {duration(built.seconds)}",
        highlight=False,
        soft_wrap=True,
    )
    _place(console, "dictionary", built.output)


def print_plan(
    console: Console, plan: extension.ExtensionPlan, *, as_json: bool, quiet: bool
) -> None:
    """How many words of an archive would be asked for; never which."""
    content = plan.counts()
    if as_json:
        console.print_json(json.dumps(content), indent=None)
        return
    if quiet:
        return
    table = _table("words of the archive that the dictionary lacks", "")
    for name, count in content.items():
        table.add_row(name.replace("_", " "), f"{count:,}")
    console.print(table)
    for line in plan.remarks():
        print_line(console, line)


def print_imported(imported: building.Imported, *, as_json: bool) -> None:
    """How many terms were taken, and why the others were not."""
    if as_json:
        bad = [asdict(one) for one in imported.bad]
        content = {"output": str(imported.output), "entries": imported.entries, "bad": bad}
        Console().print_json(json.dumps(content), indent=None)
        return
    errors = Console(stderr=True)
    for one in imported.bad[:_SHOWN_BAD_ROWS]:
        print_line(errors, f"line {one.line}: {escape(one.reason)}")
    if len(imported.bad) > _SHOWN_BAD_ROWS:
        errors.print(f"… and {len(imported.bad) - _SHOWN_BAD_ROWS:,} more rows", highlight=False)
    console = Console()
    console.print(
        f"{imported.entries:,} terms added, {len(imported.bad):,} rows left out", highlight=False
    )
    _place(console, "dictionary", imported.output)


def _entry(entry: Entry) -> dict[str, object]:
    """An entry as JSON has it; those of other translators are given by themselves."""
    plain = {k: v for k, v in entry._asdict().items() if k != "others"}
    return {**plain, "forms": [form._asdict() for form in entry.forms]}


def _sense(sense: Sense) -> dict[str, object]:
    plain = {f.name: getattr(sense, f.name) for f in fields(sense)}
    return {**plain, "entry": _entry(sense.entry)}


def print_inspection(
    console: Console, found: Inspection, settings: MechanismSettings, *, as_json: bool
) -> None:
    """The entries of a word, and what becomes of it."""
    if as_json:
        content = {
            "word": found.word,
            "senses": [_sense(one) for one in found.senses],
            "verdict": found.verdict,
            "near": found.near,
            "stored": [_entry(one) for one in found.stored],
        }
        console.print_json(json.dumps(content), indent=None)
        return
    for sense in found.senses:
        console.print(f"\n[bold]{escape(found.word)}[/] {sense.entry.tag}: {escape(sense.why)}")
        after = f", {sense.after_article:,} after a/an" if sense.pool else ""
        console.print(
            f"  pool        {sense.pool:,} words, {sense.drawn:,} drawn{after}", highlight=False
        )
        console.print(f"  class       {escape(sense.entry.agreement or '(not known)')}")
        console.print(f"  confidence  {sense.entry.confidence:.2f}", highlight=False)
        console.print(f"  calls       {sense.entry.calls:.2f}", highlight=False)
        console.print(_forms(sense.entry))
    if found.senses:
        console.print(_sources(found.stored))
        minimum = f"threshold {settings.threshold:g}, minimum pool {settings.minimum_pool}"
        console.print(f"[dim]{minimum}; identifiers are replaced first[/]", highlight=False)
    else:
        console.print(f"[bold]{escape(found.word)}[/]: {escape(found.verdict)}", soft_wrap=True)
    if found.near:
        print_line(console, f"near it: {', '.join(found.near)}")


def _forms(entry: Entry) -> Table:
    table = _table("form", "score", "features")
    for form in entry.forms[:_SHOWN_FORMS]:
        table.add_row(escape(form.text), f"{form.score:,.1f}", " ".join(form.features))
    return table


def _sources(stored: tuple[Entry, ...]) -> Table:
    table = _table("in the file as", "translator", "method", "built", "confidence", "first form")
    for entry in stored:
        table.add_row(
            entry.tag,
            escape(entry.translator),
            entry.method,
            entry.built,
            f"{entry.confidence:.2f}",
            escape(entry.forms[0].text),
        )
    return table


def print_merged(output: Path, parts: list[int], entries: int, *, as_json: bool) -> None:
    """How many entries went in, and how many came out."""
    if as_json:
        content = {"output": str(output), "read": parts, "entries": entries}
        Console().print_json(json.dumps(content), indent=None)
        return
    read = " + ".join(f"{part:,}" for part in parts)
    Console().print(f"{read} entries read, {entries:,} written", highlight=False)
    _place(Console(), "dictionary", output)


def print_difference(console: Console, found: Difference, *, words: bool, as_json: bool) -> None:
    """Counts of what differs, and with ``words`` the words."""
    groups = {
        "added": [_named(entry) for entry in found.added],
        "removed": [_named(entry) for entry in found.removed],
        "first form": [_named(one.after) for one in found.changed if one.first_form],
        "confidence": [_named(one.after) for one in found.changed if one.confidence],
        "class": [_named(one.after) for one in found.changed if one.agreement],
    }
    if as_json:
        counts = {name.replace(" ", "_"): len(group) for name, group in groups.items()}
        content: dict[str, object] = {**counts, "unchanged": found.unchanged}
        if words:
            content["words"] = {name.replace(" ", "_"): group for name, group in groups.items()}
        console.print_json(json.dumps(content), indent=None)
        return
    table = _table("difference", "")
    for name, group in groups.items():
        changed = "" if name in ("added", "removed") else " changed"
        table.add_row(name + changed, f"{len(group):,}")
    table.add_row("unchanged", f"{found.unchanged:,}")
    console.print(table)
    for name, group in groups.items() if words else ():
        if group:
            console.print(f"[bold]{name}[/]: {escape(', '.join(group))}", soft_wrap=True)


def _named(entry: Entry) -> str:
    return f"{entry.word}/{entry.tag}"


def _place(console: Console, label: str, path: Path) -> None:
    print_fact(console, label, path)


def _table(*headings: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place == 0 or len(headings) > 4 else "right")
    return table
