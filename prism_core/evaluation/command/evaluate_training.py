"""``prism evaluate training``: how good a trained model is, and what it reveals.

Entry: ``training`` -> ``_print_figures``; the job is ``prism_core.evaluation.jobs.evaluate_model``.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import make_table, open_console, options, print_fact, print_line
from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.evaluation.jobs import evaluate_model


_Model = Annotated[Path, typer.Argument(metavar="MODEL", help="Folder of the model.")]
_Public = Annotated[list[Path] | None, typer.Option(help="Public translations. May be repeated.")]
_Members = Annotated[list[Path] | None, typer.Option(help="Text that it was trained on.")]
_Others = Annotated[list[Path] | None, typer.Option(help="Text that a coin kept out of it.")]
_Reference = Annotated[Path | None, typer.Option(help="A model of other text.", show_default=False)]
_Encoder = Annotated[
    Path | None, typer.Option("--bertscore", help="Folder of an encoder.", show_default=False)
]
_Layer = Annotated[
    int | None, typer.Option(help="Layer to use; by default three quarters up.", show_default=False)
]
_Canaries = Annotated[
    int | None,
    typer.Option(min=100, help="Made-up documents to try the plan with.", show_default=False),
]
_Card = Annotated[bool, typer.Option("--card", help="Put public figures into the card.")]


def training(
    model: _Model,
    public: _Public = None,
    members: _Members = None,
    others: _Others = None,
    reference: _Reference = None,
    bertscore: _Encoder = None,
    bertscore_layer: _Layer = None,
    canaries: _Canaries = None,
    card: _Card = False,
    as_json: options.AsJson = False,
) -> None:
    """Say how good a model of prism train is, and whether it tells what it was trained on.

    [bold]--public FILE[/] is translated and compared with the translations in it: BLEU and chrF,
    with intervals over sentences. With --card the figures go into the model's card, so the text has
    to be public: a score on private text tells of it, and no ε covers that. With --bertscore and
    the folder of an encoder of transformers, BERTScore too.

    [bold]--members FILE --others FILE[/] is an audit: two attacks guess which documents were in the
    training. The area under their curve is .5 where they know nothing. Beside it stands the ε that
    they prove the model to have at least, under the one it states. A coin has to have decided
    beforehand which documents were kept out, else the attacks may tell the texts apart and not the
    training. With --reference, a model of other text with the same pieces (the --base it began
    from), they are far stronger.

    What an audit finds is private, as the text is: it is printed and written nowhere.

    [bold]--canaries N[/] tries the plan of the training (lots, clipping, noise) with N made-up
    documents and an attacker who sees every step. Nothing private is read. Either ε above the one
    that is stated shows that the guarantee does not hold.

    [bold]Examples[/]

      prism evaluate training model/ --public dev.tsv --card

      prism evaluate training model/ --members memory.tmx --others kept-out.tmx --reference base/

      prism evaluate training model/ --canaries 10000
    """
    from prism_core.evaluation.jobs import evaluate_model as job

    if not (public or members or others or canaries):
        raise ConfigurationError("name --public text, --members and --others, or --canaries")
    asked = job.ModelQuestions(
        model,
        public=tuple(public or ()),
        members=tuple(members or ()),
        others=tuple(others or ()),
        reference=reference,
        encoder=bertscore,
        layer=bertscore_layer,
        canaries=canaries or 0,
    )
    figures = job.evaluate_model(asked)
    if card and figures.qualities:
        job.write_into_card(model, figures.qualities)
    _print_figures(figures, as_json=as_json)


def _print_figures(figures: evaluate_model.ModelFigures, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(asdict(figures)))
        return
    from prism_core.evaluation.jobs import evaluate_model as job

    console = open_console()
    if figures.qualities:
        rows = [job.figures_of(quality) for quality in figures.qualities]
        heads = ["public text", "sentences", "BLEU", "chrF", "BERTScore"][: len(rows[0])]
        console.print(make_table(*heads, rows=rows))
    if (tried := figures.canaries) is not None:
        columns = ("ε of the plan", "ε proved", "ε implied", "at most provable")
        bounds = (tried.claimed, tried.proved, tried.implied, tried.reach)
        console.print(make_table(*columns, rows=[[f"{bound:.2f}" for bound in bounds]]))
        if not tried.holds:
            print_line(
                console, "The guarantee does not hold: report this, and do not use the model."
            )
    if figures.audit is None:
        return
    audits = [
        (
            attack.name,
            job.say_bounded((attack.auc, attack.low, attack.high), 3),
            f"{attack.epsilon:.2f}",
            f"{attack.reach:.2f}",
        )
        for attack in figures.audit.attacks
    ]
    columns = ("attack", "AUC (.5 knows nothing)", "ε proved", "at most provable")
    console.print(make_table(*columns, rows=audits))
    stated = "none" if figures.epsilon is None else f"{figures.epsilon:.3g}, for one {figures.unit}"
    print_fact(console, "ε stated", stated)
    if all(attack.is_chance for attack in figures.audit.attacks):
        print_line(console, "No attack does better than chance could.")
