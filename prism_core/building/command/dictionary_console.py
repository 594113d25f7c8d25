"""Terminal output of the dictionary commands: progress, estimates, summaries, entries.

Entry: ``show_build`` while a dictionary is built; then a ``print_…`` for each sub-command.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import Console

from flows.command import (
    Bar,
    duration,
    escape,
    make_table,
    open_console,
    print_fact,
    print_line,
    show_until_done,
)
from prism_core.building import (
    TYPICAL_REPLACED_WORDS,
    BuildEstimate,
    DictionaryOverview,
    Difference,
    Inspection,
)
from prism_core.building.jobs import build
from prism_core.dictionary import Entry
from prism_core.recovery import MeasuredRates
from prism_core.settings import MechanismSettings

if TYPE_CHECKING:
    from pathlib import Path

    from prism_core.building.jobs import build, extend

_SHOWN_FORMS = 8


def show_build(console: Console) -> AbstractContextManager[build.BuildWatch]:
    """Show a build until the block ends."""
    watch, started = build.BuildWatch(), time.monotonic()

    def bars(watch: build.BuildWatch) -> list[Bar]:
        now = watch.progress()
        note = f"texts or so, {now.requests:,} requests, {now.known:,} known before"
        return [Bar(watch.stage, now.settled, watch.expected, note)]

    def line(watch: build.BuildWatch) -> str:
        now = watch.progress()
        asked = f"{now.settled:,} of about {watch.expected:,} texts, " if now.asked else ""
        sent = f"{now.requests:,} requests, " if now.asked else ""
        return f"{watch.stage}: {asked}{sent}{duration(time.monotonic() - started)}"

    return show_until_done(console, watch, bars=bars, line=line, width=20, start=watch.stage)


def print_estimate(console: Console, expected: BuildEstimate, *, as_json: bool) -> None:
    """Print the estimated volume of a build."""
    if as_json:
        _print_json(console, asdict(expected))
        return
    seconds, cost = "at the translator's own pace: no rate is set", expected.cost
    if expected.seconds is not None:
        seconds = f"{duration(expected.seconds)} or longer"
    unpriced = "not known: the translator states no price"
    is_range = expected.least_texts < expected.texts
    least, most = (f"{expected.least_texts:,} to ", "at most ") if is_range else ("", "")
    rows: list[tuple[str, str | int]] = [
        ("words to look up", expected.words),
        ("texts", f"{least}{expected.texts:,}"),
        ("characters", f"{most}{expected.characters:,}"),
        ("requests", f"{most}{expected.requests:,}"),
        ("time", seconds),
        ("cost", unpriced if cost is None else f"{cost:,.2f} {expected.currency}"),
    ]
    console.print(make_table("would be sent, about", ">", rows=rows))
    console.print("[dim]nothing was sent, nothing was written[/]")


def print_built(built: build.BuildSummary, *, quiet: bool, as_json: bool) -> None:
    """Print the result of a build, and its cost by tag."""
    console = open_console(quiet=quiet and not as_json)
    if as_json:
        content = {**asdict(built), "output": str(built.output), "entries": built.entries}
        _print_json(console, content)
        return
    characters = built.characters / built.texts if built.texts else 0.0
    table = make_table("tag", ">entries", ">calls an entry", ">characters an entry")
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
    print_fact(console, "dictionary", built.output)


def print_plan(console: Console, plan: extend.ExtensionPlan, *, as_json: bool, quiet: bool) -> None:
    """Print how many words of an archive would be queried; never the words."""
    if as_json:
        _print_json(console, plan.count_words())
        return
    if quiet:
        return
    rows = [(name.replace("_", " "), count) for name, count in plan.count_words().items()]
    console.print(make_table("words of the archive that the dictionary lacks", ">", rows=rows))
    for line in plan.list_remarks():
        print_line(console, line)


def _serialise_entry(entry: Entry) -> dict[str, object]:
    """Return an entry for JSON output, without the entries of other translators."""
    plain = {k: v for k, v in entry._asdict().items() if k != "others"}
    return {**plain, "forms": [form._asdict() for form in entry.forms]}


def print_inspection(
    console: Console, found: Inspection, settings: MechanismSettings, *, as_json: bool
) -> None:
    """Print the entries of a word, and whether it is replaced."""
    if as_json:
        content = {
            "word": found.word,
            "senses": [
                {**asdict(sense), "entry": _serialise_entry(sense.entry)} for sense in found.senses
            ],
            "verdict": found.verdict,
            "near": found.near,
            "stored": [_serialise_entry(entry) for entry in found.stored],
        }
        _print_json(console, content)
        return
    for sense in found.senses:
        console.print(f"\n[bold]{escape(found.word)}[/] {sense.entry.tag}: {escape(sense.why)}")
        console.print(f"  pool        {sense.pool:,} words, {sense.drawn:,} drawn", highlight=False)
        console.print(f"  class       {escape(sense.entry.agreement or '(not known)')}")
        console.print(f"  confidence  {sense.entry.confidence:.2f}", highlight=False)
        console.print(f"  calls       {sense.entry.calls:.2f}", highlight=False)
        forms = (
            (escape(form.text), f"{form.score:,.1f}", " ".join(form.features))
            for form in sense.entry.forms[:_SHOWN_FORMS]
        )
        console.print(make_table("form", ">score", ">features", rows=forms))
    if found.senses:
        stored = (
            (e.tag, e.translator, e.method, e.built, f"{e.confidence:.2f}", e.forms[0].text)
            for e in found.stored
        )
        headings = ("in the file as", "translator", "method", "built", "confidence", "first form")
        console.print(make_table(*headings, rows=(map(escape, row) for row in stored)))
        minimum = f"threshold {settings.threshold:g}, minimum pool {settings.minimum_pool}"
        console.print(f"[dim]{minimum}; identifiers are replaced first[/]", highlight=False)
    else:
        console.print(f"[bold]{escape(found.word)}[/]: {escape(found.verdict)}", soft_wrap=True)
    if found.near:
        print_line(console, f"near it: {', '.join(found.near)}")


def print_overview(console: Console, found: DictionaryOverview, *, as_json: bool) -> None:
    """Print how many words of each tag may be drawn, and how many are expected to come back."""
    if as_json:
        _print_json(console, {**asdict(found), "drawn": found.drawn})
        return
    rows = [
        (tag.tag, tag.hidden, tag.drawn, f"{tag.rate:.0%}" if tag.drawn else "–")
        for tag in found.tags
        if tag.hidden
    ]
    console.print(make_table("tag", ">hidden", ">may be drawn", ">come back", rows=rows))
    origin = (
        f"measured on {'; '.join(found.corpora)}" if found.corpora else "estimated from confidence"
    )
    print_line(
        console,
        f"{found.translator}: {found.drawn:,} words may be drawn; of sentences of "
        f"{TYPICAL_REPLACED_WORDS} replaced words {found.first_send:.0%} are expected to be "
        f"restored at the first send ({origin})",
    )


def print_measured(output: Path, rates: Mapping[str, MeasuredRates], *, as_json: bool) -> None:
    """Print the measured rates in a file, by translator and evidence."""
    if as_json:
        tables = {
            translator: {
                "corpora": table.corpora,
                "rates": [[" ".join(group), *rate] for group, rate in table.by_group.items()],
            }
            for translator, table in rates.items()
        }
        _print_json(open_console(), {"output": str(output), "measured": tables})
        return
    rows = [
        (translator, " ".join(group), f"{rate.share:.1%}", rate.words)
        for translator, table in rates.items()
        for group, rate in sorted(table.by_group.items())
    ]
    headings = "translator", "kind, step of confidence", ">come back", ">words seen"
    open_console().print(make_table(*headings, rows=rows))
    print_fact(open_console(), "dictionary", output)


def print_merged(output: Path, parts: list[int], entries: int, *, as_json: bool) -> None:
    """Print how many entries were read and how many were written."""
    if as_json:
        _print_json(open_console(), {"output": str(output), "read": parts, "entries": entries})
        return
    read = " + ".join(f"{part:,}" for part in parts)
    open_console().print(f"{read} entries read, {entries:,} written", highlight=False)
    print_fact(open_console(), "dictionary", output)


def print_difference(console: Console, found: Difference, *, words: bool, as_json: bool) -> None:
    """Print counts of the differences, and with ``words`` the words."""
    groups = {
        "added": [_name_entry(entry) for entry in found.added],
        "removed": [_name_entry(entry) for entry in found.removed],
        "first form": [_name_entry(change.after) for change in found.changed if change.first_form],
        "confidence": [_name_entry(change.after) for change in found.changed if change.confidence],
        "class": [_name_entry(change.after) for change in found.changed if change.agreement],
    }
    if as_json:
        counts = {name.replace(" ", "_"): len(group) for name, group in groups.items()}
        content: dict[str, object] = {**counts, "unchanged": found.unchanged}
        if words:
            content["words"] = {name.replace(" ", "_"): group for name, group in groups.items()}
        _print_json(console, content)
        return
    table = make_table("difference", ">")
    for name, group in groups.items():
        changed = "" if name in ("added", "removed") else " changed"
        table.add_row(name + changed, f"{len(group):,}")
    table.add_row("unchanged", f"{found.unchanged:,}")
    console.print(table)
    for name, group in groups.items() if words else ():
        if group:
            console.print(f"[bold]{name}[/]: {escape(', '.join(group))}", soft_wrap=True)


def _name_entry(entry: Entry) -> str:
    return f"{entry.word}/{entry.tag}"


def _print_json(console: Console, content: object) -> None:
    console.print_json(json.dumps(content), indent=None)
