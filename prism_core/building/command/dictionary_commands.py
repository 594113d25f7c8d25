"""Commands ``prism dictionary …``: build, extend, merge, explain and compare dictionaries.

Entry: a function for each command -> ``building.jobs`` or ``building`` -> ``dictionary_console``.
Like the rest of the command line they import nothing heavy before it is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flows.command import command, open_console, options, settings_of
from prism_core.errors import ConfigurationError, ExitCode

_INSPECT_HELP = """
Show a dictionary's entries of a word, and how it would be hidden.

Without a word: how many words of each tag may be drawn for a translator, how often they are \
expected to come back from it, and the share of typical sentences that one send restores. The \
rates are those that prism dictionary measure wrote, or estimated where it did not.

[bold]Examples[/]

  prism dictionary inspect house

  prism dictionary inspect --translator google

  prism dictionary inspect lease --dictionary mine.parquet --translator openai
"""


dictionary_app = typer.Typer(
    help="Make, extend, correct, explain and compare dictionaries.", no_args_is_help=True
)

OutputFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="The file to write.", show_default=False)
]


Texts = Annotated[
    list[Path] | None,
    typer.Option("--text", help="Public source text, UTF-8, a sentence a line. May be repeated."),
]
WordLists = Annotated[
    list[Path] | None,
    typer.Option(help="A list of further public words, each with its tag. May be repeated."),
]
NewDictionary = Annotated[
    Path | None, typer.Option("--output", "-o", show_default="FROM-TO.parquet")
]
Method = Annotated[str, typer.Option(help="packed, frames, paper or corpus.")]
Least = Annotated[int, typer.Option(min=1, help="Leave out words seen less often.")]
Calls = Annotated[int, typer.Option(min=1, help="paper: sentences for every word.")]
ParallelTexts = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TEXT:TRANSLATION:NAME",
        help="corpus: two files, line by line, and who translated.",
    ),
]
MeasuredTexts = Annotated[
    list[str],
    typer.Option(
        "--parallel",
        metavar="TEXT:TRANSLATION:NAME",
        help="Two files, line by line, and who translated. May be repeated.",
    ),
]
PairFiles = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE:NAME", help="corpus: a translation memory, TMX or two columns."),
]
Licence = Annotated[str, typer.Option(help="Licence to state in the file.", show_default=False)]
CarryingTexts = Annotated[
    list[Path],
    typer.Option(
        "--text", help="Public text: its sentences carry the words, its rare words are decoys."
    ),
]
SendAtOnce = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before sending.")]
DecoyRate = Annotated[
    int, typer.Option(min=1, help="Public words that hide each word of the archive, at least.")
]
Unlisted = Annotated[
    bool,
    typer.Option("--unlisted", help="Ask also for words in no public source, which nothing hides."),
]


@command(dictionary_app, "build")
def build(
    text: Texts = None,
    words: WordLists = None,
    to: options.Target = None,
    source: options.Source = None,
    output: NewDictionary = None,
    method: Method = "packed",
    least: Least = 2,
    calls: Calls = 2000,
    parallel: ParallelTexts = None,
    memory: PairFiles = None,
    licence: Licence = "",
    translator: options.WhoTranslates = None,
    engine: options.RunBy = "local",
    settings: options.SettingsFile = None,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Build a dictionary from public text and a translator.

    The words of the text are put into public sentences, and these are sent to the translator.
    Nothing else is sent, so the text must not be sensitive. To resume a build that was stopped, run
    the same command again. With [bold]corpus[/] nothing is sent: the words are learned from
    sentences that are translated already.

    [bold]Examples[/]

      prism dictionary build --text news.en --to es --dry-run

      prism dictionary build --text news.en --text stories.en --to es --output en-es.parquet

      prism dictionary build --to fr --method corpus --parallel news.en:news.fr:google

      prism dictionary build --to fr --method corpus --memory office.tmx:house-style

    [bold]Methods[/]

      packed  several short sentences to a text, then running sentences until a word is settled
      frames  the same with one sentence to a text, for translators that mix up neighbours
      paper   the paper's method: --calls sentences for every word; for reproduction, and expensive
      corpus  from translated sentences: --parallel, --memory
    """
    flags = {"source": source, "target": to, "translator.name": translator}
    from prism_core.building.command.dictionary_console import (
        print_built,
        print_estimate,
        show_build,
    )
    from prism_core.building.jobs import build as job
    from prism_core.building.jobs import make_build_recipe

    recipe = make_build_recipe(
        settings_of(settings, flags),
        method=method,
        texts=text or (),
        words=words or (),
        parallel=parallel or (),
        memory=memory or (),
        output=output,
        least=least,
        calls=calls,
        licence=licence,
    )
    if dry_run:
        with open_console(stderr=True, quiet=quiet or as_json).status("reading; nothing is sent"):
            expected = job.estimate_build(recipe)
        print_estimate(open_console(), expected, as_json=as_json)
        return
    with show_build(open_console(stderr=True, quiet=quiet or as_json)) as watch:
        if engine == "prefect":
            from flows import enter_prefect
            from flows.build_dictionary import run_build_as_flow

            enter_prefect(flags, settings)
            built = run_build_as_flow(recipe, settings)
        else:
            built = job.run_build(recipe, watch)
    print_built(built, quiet=quiet, as_json=as_json)


@command(dictionary_app, "extend")
def extend(
    dictionary: Annotated[Path, typer.Argument(help="The dictionary to extend.")],
    archive: options.Archive,
    text: CarryingTexts,
    output: OutputFile = None,
    decoys: DecoyRate = 9,
    unlisted: Unlisted = False,
    least: Least = 1,
    yes: SendAtOnce = False,
    translator: options.WhoTranslates = None,
    experimental: options.Experimental = None,
    settings: options.SettingsFile = None,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Add the words of an archive that a dictionary lacks.

    A word that the dictionary lacks stays untranslated. This command asks the translator for it.
    The translator thereby learns that the word occurs somewhere in the archive or is a decoy. Only
    single lower-case words are asked for, each inside public sentences, in random order, mixed with
    public words; never a name, a number, an identifier, or a word that is also seen with a capital.
    A word that no public source has is not asked for, since nothing could hide it;
    [bold]--unlisted[/] asks for these too, and says how many there are.

    [bold]Examples[/]

      prism dictionary extend en-es.parquet contracts/ --text news.en --dry-run

      prism dictionary extend en-es.parquet contracts/ --text news.en --decoys 19 --output mine.parquet
    """  # noqa: E501 (an example is one line)
    from prism_core.building.command.dictionary_console import print_built, print_plan, show_build
    from prism_core.building.jobs import extend as job

    flags: dict[str, object] = {"translator.name": translator, "dictionary.path": dictionary}
    flags["language.experimental"] = experimental
    wanted = job.Extension(
        dictionary=dictionary,
        archive=archive,
        texts=tuple(text),
        output=output or dictionary,
        settings=settings_of(settings, {**flags, **_read_language_pair(dictionary)}),
        decoys=decoys,
        least=least,
        unlisted=unlisted,
    )
    silent = quiet or as_json
    with open_console(stderr=True, quiet=silent).status("reading the archive; nothing is sent"):
        plan = job.plan_extension(wanted)
    print_plan(open_console(stderr=not dry_run), plan, as_json=as_json and dry_run, quiet=silent)
    if dry_run or not plan.words:
        return
    if not yes and not typer.confirm("Send them?", err=True):
        raise typer.Exit(ExitCode.OK)
    with show_build(open_console(stderr=True, quiet=silent)) as watch:
        built = job.run_extension(wanted, plan, watch)
    print_built(built, quiet=quiet, as_json=as_json)


@dictionary_app.command(help=_INSPECT_HELP)
def inspect(
    word: Annotated[
        str | None, typer.Argument(help="A source word.", show_default="all together")
    ] = None,
    dictionary: Annotated[
        Path | None, typer.Option(help="The file.", show_default="the one the settings name")
    ] = None,
    to: options.Target = None,
    source: options.Source = None,
    translator: options.WhoTranslates = None,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Explain a word; the help text is ``_INSPECT_HELP``."""
    from prism_core.building import inspect_file, survey_file
    from prism_core.building.command.dictionary_console import print_inspection, print_overview
    from prism_core.resources import shipped_dictionary

    flags = {"source": source, "target": to, "translator.name": translator}
    found = settings_of(settings, flags)
    path = dictionary or found.dictionary.path or shipped_dictionary(found.source, found.target)
    if word is None:
        overview = survey_file(path, found.translator.name, found.mechanism)
        print_overview(open_console(), overview, as_json=as_json)
        return
    inspection = inspect_file(word, path, found.translator.name, found.mechanism)
    print_inspection(open_console(), inspection, found.mechanism, as_json=as_json)


@command(dictionary_app, "measure")
def measure(
    dictionary: Annotated[Path, typer.Argument(help="The dictionary to measure.")],
    parallel: MeasuredTexts,
    lines: Annotated[
        int | None, typer.Option(min=1, help="Use this many lines of each text, evenly spread.")
    ] = None,
    output: OutputFile = None,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure how often a dictionary's words come back from each translator, and write it into the file.

    This needs text that the dictionary was not built from, and the translator's real output for it,
    line by line; nothing is sent. The text is encoded as usual and the roles are swapped, as by
    prism evaluate roles. The file then states for each translator how many words were found, by
    confidence, and the texts on which that was measured: never a word of the text. Its entries do
    not change. Plans, runs and inspect use these rates; a translator without any is estimated.

    [bold]Example[/]

      prism dictionary measure en-es.parquet --parallel news.en:news.google.es:google --parallel news.en:news.microsoft.es:microsoft
    """  # noqa: E501 (the first line is its summary)
    from prism_core.building.command.dictionary_console import print_measured
    from prism_core.evaluation.jobs import measure_dictionary

    destination = output or dictionary
    flags = {**_read_language_pair(dictionary), "dictionary.path": dictionary}
    flags["language.experimental"] = True  # nothing is sent
    found = settings_of(settings, flags, asks_nobody=True)
    rates = measure_dictionary(dictionary, parallel, destination, found, lines)
    print_measured(destination, rates, as_json=as_json)


@dictionary_app.command()
def merge(
    dictionaries: Annotated[list[Path], typer.Argument(help="One dictionary or more.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")],
    treebank: Annotated[
        Path | None,
        typer.Option(
            help="A treebank of the target language (CoNLL-U): forms get their number, gender, "
            "person and tense by the endings in it, and words the inflections that texts show."
        ),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT:TRANSLATION[:NAME]",
            help="Public text and its translation, line by line. Decoding uses the translations "
            "of a word there if it finds none of its forms. Several translations of one text "
            "show how articles change with their nouns. Texts that name a neural translator "
            "also give the recovery rate of each word. May be repeated.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Merge dictionaries of one language pair, or add features and figures to one.

    Entries of different translators are all kept. Of two entries of one word, tag and translator
    the later built is kept; of two built on one day, that of the dictionary named last.
    """
    from prism_core.building.command.dictionary_console import print_merged
    from prism_core.building.jobs import merge_dictionaries

    parts, total = merge_dictionaries(dictionaries, output, treebank, beside or ())
    print_merged(output, parts, total, as_json=as_json)


@dictionary_app.command()
def diff(
    before: Annotated[Path, typer.Argument(metavar="A", help="A dictionary.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Another, or a later one.")],
    words: Annotated[
        bool, typer.Option("--words", help="Show the words, not only counts.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Show the entries that A or B alone has, and those that changed."""
    from prism_core.building import compare_dictionaries
    from prism_core.building.command.dictionary_console import print_difference
    from prism_core.dictionary import read_dictionary

    found = compare_dictionaries(read_dictionary(before), read_dictionary(after))
    print_difference(open_console(), found, words=words, as_json=as_json)


def _read_language_pair(dictionary: Path) -> dict[str, object]:
    """Return the language pair stated in a dictionary, as flags."""
    from prism_core.dictionary import read_dictionary

    origin = read_dictionary(dictionary).provenance
    if not origin.get("source") or not origin.get("target"):
        raise ConfigurationError(
            f"{dictionary} does not say which languages it is for; rebuild it."
        )
    return {"source": origin["source"], "target": origin["target"]}
