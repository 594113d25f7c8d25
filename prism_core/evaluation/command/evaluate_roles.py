"""``prism evaluate roles``: how much a run would restore from a translator's real output.

Entry: ``roles`` reads both files, then a row for each threshold -> ``_print_rows``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from flows.command import escape, make_table, open_console, options, print_line

_Text = Annotated[Path, typer.Option(help="The source text, about a sentence a line.")]
_Answers = Annotated[Path, typer.Option(help="Its translation, line by line.")]
_Pair = Annotated[str, typer.Option(metavar="FROM-TO", help="Languages, such as en-es.")]
_Translator = Annotated[
    str, typer.Option(metavar="NAME", help="Translator whose evidence in the dictionary is used.")
]
_Corpus = Annotated[str, typer.Option(help="Name of the text.", show_default="file's name")]
_Taus = Annotated[
    list[float] | None,
    typer.Option(min=0, max=1, help="Threshold τ; repeat it.", show_default="settings'"),
]
_Lines = Annotated[
    int | None, typer.Option(min=1, help="Use N lines, evenly spread.", show_default="all")
]
_Other = Annotated[
    Path | None,
    typer.Option(
        help="Expect for the sentences of this text instead: yours, of which there is no answer.",
        show_default=False,
    ),
]
_Sample = Annotated[
    int | None,
    typer.Option(
        min=1, help="Show N found words, to be read; public text alone.", show_default=False
    ),
]
_Reference = Annotated[
    Path | None,
    typer.Option(help="A person's translations, line by line.", show_default=False),
]
_Local = Annotated[
    bool,
    typer.Option("--local", help="With --reference: compare with the model on this machine."),
]
_Seed = Annotated[int, typer.Option(min=0, help="Seed of the draws.")]


_LINES = {"all": "lines", "restored": "lines that are restored"}
_NAMES = {
    "remote": "remote, in clear",
    "prism": "prism, at best",
    "local": "local, in clear",
}


def roles(
    source: _Text,
    answers: _Answers,
    pair: _Pair,
    translator: _Translator,
    corpus: _Corpus = "",
    tau: _Taus = None,
    sentences: _Lines = None,
    expected_for: _Other = None,
    sample: _Sample = None,
    reference: _Reference = None,
    local: _Local = False,
    seed: _Seed = 1,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Say how much a translator's real output would let a run restore; nobody is asked.

    Needed is a text and what the translator made of it, line by line. The text is encoded as usual
    and the roles are swapped: its own words count as what was sent, the translation as what came
    back, and our decoder looks for each replaced word. A row for each τ:

    [bold]words_found[/], [bold]sentences_found[/]: ordinary words and numbers whose translation was
    found, and lines with all of theirs; [bold]sentences_found_elimination[/] with the decoder's
    weak ways too

    [bold]expected_first_send[/], [bold]expected_three_draws[/]: sentences that a run would restore.
    Substitutes are drawn as a run does, and each counts with the rate at which it, or words with
    evidence of its kind, were found

    [bold]reference[/]: with --reference, chrF and BLEU against a person's translation. First of the
    translator in clear, and with --local of the model on this machine, which exposes nothing. Then,
    on the lines that are restored, of what a run would make of them at best. With the differences

    [bold]wrong_form[/]: restored words in another number, gender, person or tense than what stood
    there

    It is an estimate: the text makes sense and what a run sends does not, words are taken to be
    lost independently, and of a dictionary that was built from this very text it is too good. 300
    lines take seconds.

    [bold]Examples[/]

      prism evaluate roles --source wmt13.en --answers wmt13.google.es --pair en-es --translator google --tau 0.2 --tau 0.9

      prism evaluate roles --source flores-dev.en --answers flores-dev.google.pt --pair en-pt --translator google --reference flores-dev.pt --local

      prism evaluate roles --source news.en --answers news.deepl.es --pair en-es --translator deepl --expected-for contracts.txt --json
    """  # noqa: E501 (an example is one line)
    from prism_core.errors import ConfigurationError
    from prism_core.evaluation import LocalModel, read_answered, read_sentences, role_row
    from prism_core.language import LanguageModel
    from prism_core.settings import load_settings

    language, _, target = pair.partition("-")
    if not target:
        raise ConfigurationError(f"{pair} is no pair of languages: write it as en-es.")
    if local and reference is None:
        raise ConfigurationError("--local is compared by a person's translation: add --reference.")
    model = LanguageModel.load(language)
    text = read_answered(source, answers, model, corpus, sentences, reference)
    if local:
        text = text.with_local(LocalModel(language, target))
    own = None if expected_for is None else read_sentences(expected_for, model, sentences)
    rows = []
    thresholds: list[float | None] = [*tau] if tau else [None]
    for threshold in thresholds:
        flags = {"source": language, "target": target, "mechanism.threshold": threshold}
        flags |= {"language.experimental": True}  # nothing is sent
        treatment = load_settings(settings, os.environ, flags, asks_nobody=True)
        rows.append(role_row(treatment, text, translator, seed=seed, drawn_for=own, sample=sample))
    _print_rows(rows, as_json=as_json)


def _print_rows(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print each row of ``role_row`` as a column, with a sample of words below."""
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, separators=(",", ":")))
        return
    console = open_console()
    for row in rows:
        if "reference" in row:
            _print_comparison(console, row)
    if "tau" not in rows[0]:
        print_line(console, f"No dictionary for {rows[0]['pair']}: nothing is known of PRISM.")
        return
    names = [name for name in rows[0] if name not in ("tau", "precision_sample", "reference")]
    figures = ([name.replace("_", " "), *(_figure(row[name]) for row in rows)] for name in names)
    console.print(make_table("", *(f">τ {row['tau']:g}" for row in rows), rows=figures))
    for row in rows:
        sample = row["precision_sample"]
        for word, form, way in sample if isinstance(sample, list) else ():
            print_line(console, escape(f"{word} → {form} ({way})"))


def _print_comparison(console: Console, row: Mapping[str, Any]) -> None:
    """Print the scores against a person's translation, and sacrebleu's signatures."""
    from prism_core.evaluation import BoundedFigure

    compared, rows = row["reference"], []
    for lines, heading in _LINES.items():
        if lines not in compared:
            continue
        rows.append([f"[bold]{compared[lines]['lines']} {heading}[/]", "", ""])
        for name, found in {**compared[lines]["scores"], **compared[lines]["differences"]}.items():
            cells = (BoundedFigure(**figure).written(1) for figure in found.values())
            rows.append([f"  {_NAMES.get(name, name.replace('-', '−'))}", *map(escape, cells)])
    title = "against a person's translation"
    if "tau" in row:
        title += f", τ {row['tau']:g}"
    signatures = compared["signatures"]
    console.print(make_table(title, *(f">{metric}" for metric in signatures), rows=rows))
    for metric, signature in signatures.items():
        print_line(console, f"[dim]{metric}: {escape(signature)}[/]")


def _figure(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))
