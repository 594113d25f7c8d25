"""The command ``prism train``: a translator of one's own, from private text, with a stated (ε, δ).

Like the rest of the command it imports nothing heavy before it is needed.
"""

from __future__ import annotations

import json
import math
import time
from contextlib import AbstractContextManager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flows.command import make_table, open_console, options, print_cautions, print_fact

if TYPE_CHECKING:
    from rich.console import Console

    from prism_core.training import Watch
    from prism_core.training.jobs import train as job


_INTERRUPTED = {
    True: "interrupted; nothing of it is kept. The same command begins again.",
    False: "interrupted; the steps that were taken are kept, and stay spent. Run the same command "
    "again to go on.",
}


class FrozenPart(StrEnum):
    """Part that is not trained: a ``ModelPart``, as Typer takes no list of literals."""

    EMBEDDINGS = "embeddings"
    ENCODER = "encoder"
    DECODER = "decoder"
    NORMS = "norms"
    MATRICES = "matrices"


Paths = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Translations.")]
OutFolder = Annotated[Path, typer.Option("--out", help="Folder for the model.")]
Epsilon = Annotated[
    float | None, typer.Option(min=0.01, help="ε: the privacy to be kept.", show_default=False)
]
Public = Annotated[
    bool, typer.Option("--public", help="The text is public: train without any protection.")
]
Delta = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="δ.", show_default="at most a tenth of 1 / documents"),
]
ProtectedUnit = Annotated[
    Literal["document", "sentence"],
    typer.Option(help="What is protected as one; sentence is far weaker."),
]
Sampling = Annotated[
    Literal["poisson", "truncated-poisson", "shuffled"],
    typer.Option(help="How lots are drawn; shuffled needs far more noise."),
]
Lot = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Documents a step, expected.",
        show_default="an eighth of all; with frozen matrices all up to 256",
    ),
]
Largest = Annotated[
    int | None,
    typer.Option(min=1, help="truncated-poisson: the most of a step.", show_default=False),
]
Passes = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="How often each document is met, expected.",
        show_default="30; with frozen matrices 4",
    ),
]
Clip = Annotated[float, typer.Option(min=1e-6, help="The norm a gradient is clipped to.")]
Rate = Annotated[
    float | None,
    typer.Option(
        "--learning-rate",
        min=1e-8,
        help="Adam's highest rate.",
        show_default="0.001; with frozen matrices 0.009",
    ),
]
MostSentences = Annotated[
    int | None,
    typer.Option("--sentences", min=1, help="The most of a document.", show_default="all"),
]
Base = Annotated[
    Path | None,
    typer.Option(
        help="A model of public text to begin from: of prism train --public, a folder of "
        "transformers (T5, mT5, mBART, Marian), or firefox:FOLDER.",
        show_default=False,
    ),
]
Freeze = Annotated[
    list[FrozenPart] | None,
    typer.Option(
        help="A part that is not trained. May be repeated. Without matrices only normalisations "
        "and biases are trained.",
        show_default="matrices for firefox:FOLDER with --epsilon, else none",
    ),
]
VocabularyFrom = Annotated[
    list[Path] | None,
    typer.Option(
        help="Public text in both languages. May be repeated.",
        show_default="the dictionary that ships",
    ),
]
VocabularySize = Annotated[int, typer.Option(min=300, help="Pieces at most.")]
Width = Annotated[int, typer.Option(min=64, help="Of a new model; a multiple of 64.")]
Layers = Annotated[int, typer.Option(min=1, max=12, help="Of each side of a new model.")]
Devices = Annotated[str, typer.Option(help="cpu, cuda for a GPU, or several: cuda:0,cuda:1.")]


def train(
    files: Paths,
    out: OutFolder,
    to: options.Target = None,
    source: options.Source = None,
    epsilon: Epsilon = None,
    public: Public = False,
    delta: Delta = None,
    unit: ProtectedUnit = "document",
    sampling: Sampling = "poisson",
    lot: Lot = None,
    largest: Largest = None,
    passes: Passes = None,
    clip: Clip = 1.0,
    learning_rate: Rate = None,
    sentences: MostSentences = None,
    base: Base = None,
    freeze: Freeze = None,
    vocabulary_from: VocabularyFrom = None,
    vocabulary_size: VocabularySize = 8000,
    width: Width = 256,
    layers: Layers = 3,
    devices: Devices = "cpu",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the noise and the steps; train nothing.")
    ] = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    r"""Train a translator on private translations, with a stated (ε, δ).

    What is learned of any one document is bounded: whoever has the model can hardly tell whether
    the document was in the memory. ε says how hardly: 1 is strong, 8 is weak but common, and at 20
    little is promised. Each document's influence is clipped, and noise is added at every step
    (DP-SGD). Nothing leaves this machine. Needs: pip install 'prism-translate\[train]'.

    [bold]Examples[/]

      prism train memory.tmx --to es --epsilon 5 --out model/

      prism train memory.tmx --to es --epsilon 5 --out model/ --dry-run

      prism train public.tsv --to es --public --out base/

      prism train memory.tmx --to es --epsilon 8 --base base/ --out model/

      prism train memory.tmx --to pt --epsilon 8 --base firefox:en-pt/ --out model/

      prism translate letters/ letters-es/ --to es --translator local --settings prism.toml

    [bold]What is read[/]

      .tmx            units; the document in a property x-document, document, file …
      .jsonl, .json   source, target (or en, es …), document (or file_name)
      anything else   source TAB target TAB document

    [bold]How to have a good model[/]

      Noise weighs the same however many documents there are: thousands are needed, hundreds give
      little. Begin from a --base trained on public text. Larger lots and more passes help, and the
      noise is found anew for them; try settings on public text, since every trial on private text
      is a model of its own, and their ε add up.

    A training that was killed goes on with the same command. What it had spent stays spent, in
    OUT/training/ledger.jsonl: with that file gone nobody knows what the model tells.
    """
    from prism_core.training.jobs import train as job

    job.check_privacy(epsilon, public=public)

    recipe = job.TrainingRecipe(
        files=tuple(files),
        output=out,
        source=source or "en",
        target=to or "es",
        epsilon=epsilon,
        delta=delta,
        unit=unit,
        sampling=sampling,
        lot=lot,
        largest=largest,
        passes=passes,
        clip=clip,
        rate=learning_rate,
        sentences=sentences,
        base=base and Path(str(base).removeprefix("firefox:")),
        freeze=tuple(part.value for part in freeze) if freeze else None,
        vocabulary_from=tuple(vocabulary_from or ()),
        vocabulary_size=vocabulary_size,
        width=width,
        layers=layers,
        devices=tuple(devices.split(",")),
    )
    if dry_run:
        _print_plan(job.rehearse(recipe), as_json=as_json)
        return
    job.check_extra()
    try:
        with _show_training(open_console(stderr=True, quiet=quiet or as_json)) as watch:
            trained = job.train(recipe, watch)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(_INTERRUPTED[public]) from None
    _print_trained(trained, quiet=quiet, as_json=as_json)


def _show_training(console: Console) -> AbstractContextManager[Watch]:
    """Show the progress until the block ends.

    The loss is private: it is shown on a terminal alone, since other output ends in a log.
    """
    from flows.command import Bar, duration, show_until_done
    from prism_core.training import Watch

    began: list[float] = []

    def note(watch: Watch) -> str:
        if not began and watch.step:
            began.append(time.monotonic())
            watch.began = watch.step
        is_seen = console.is_terminal and not math.isnan(watch.loss)
        told = [f"loss {watch.loss:.2f}"] if is_seen else []
        told += [f"ε {watch.epsilon:.2f} spent"] if watch.epsilon else []
        taken = watch.step - watch.began
        if taken > 0 and not console.is_terminal:  # where no bar says it
            seconds = (time.monotonic() - began[0]) / taken * (watch.steps - watch.step)
            told.append(f"{duration(seconds)} left")
        return ", ".join(told)

    def bars(watch: Watch) -> list[Bar]:
        return [Bar(watch.stage, watch.step, watch.steps, note(watch))]

    shown = ""

    def line(watch: Watch) -> str:
        nonlocal shown
        before, shown = shown, watch.stage
        if watch.steps:
            shown += f": step {watch.step:,}/{watch.steps:,}, {note(watch)}".rstrip(", ")
        return "" if shown == before else shown

    return show_until_done(console, Watch(), bars=bars, line=line, width=10, start="reading")


def _print_plan(rehearsed: job.Rehearsed, *, as_json: bool) -> None:
    console, plan = open_console(), rehearsed.plan
    if as_json:
        console.print_json(json.dumps(asdict(rehearsed)))
        return
    rows: list[tuple[str, str | int]] = [
        ("examples", plan.examples),
        ("sentences", rehearsed.sentences),
        ("lot, expected", plan.lot),
        ("steps", plan.steps),
        ("noise σ", f"{plan.noise:.3f}"),
        ("ε, δ", f"{rehearsed.epsilon:.3f}, {rehearsed.delta:.3g}"),
        ("ε by Rényi divergences", f"{rehearsed.epsilon_rdp:.3f}"),
        ("noise over the signal, at most", f"{rehearsed.noise_share:.3g}"),
    ]
    console.print(make_table("would be trained", ">", rows=rows))
    print_cautions(console, rehearsed.cautions)


def _print_trained(trained: job.Trained, *, quiet: bool, as_json: bool) -> None:
    console, card = open_console(quiet=quiet and not as_json), trained.card
    if as_json:
        content = {**asdict(trained), "folder": str(trained.folder)}
        console.print_json(json.dumps(content))
        return
    if card.epsilon is not None and card.delta is not None:
        print_fact(console, "ε", f"{card.epsilon:.3f} at δ {card.delta:.3g}, for one {card.unit}")
        print_fact(console, "ε by Rényi divergences", f"{card.epsilon_rdp:.3f}")
    print_fact(console, "trained on", f"{trained.examples:,} examples, {trained.sentences:,} pairs")
    if trained.left_out:
        print_fact(console, "not by ghost clipping", trained.left_out)
    print_cautions(console, trained.cautions)
    print_fact(console, "model", trained.folder)
    print_fact(console, "card", trained.folder / "MODEL_CARD.md")
