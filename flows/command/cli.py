"""The ``prism`` command: parse the options, run the job, report how it ended.

Nothing heavy is imported before it is needed: ``prism --help`` loads neither a language model nor
Prefect, and ``--engine local`` never loads Prefect at all.

Entry: ``main`` -> ``app`` -> ``translate`` -> ``run_and_summarise``, or a sub-command.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer
from typer.core import TyperGroup

import flows
from flows.command import options
from flows.command.audit import audit_app
from flows.command.command_line import EXIT_CODES, command, escape, open_console, settings_of
from flows.command.key import key_app
from flows.command.memory import memory_app
from flows.command.models import models_app
from flows.command.plan import plan, show_plan
from flows.command.running import run_and_summarise
from flows.command.state import state_app
from flows.command.watch import watch
from prism_core.errors import ConfigurationError, ExitCode, InternalFault, PrismError
from prism_core.plugins import find_entry_points, how_to_install

if TYPE_CHECKING:
    from pydantic import BaseModel

    from prism_core.settings import Settings

_HELP = """
Translate confidential archives on this machine, or with translators you need not trust.

A model on this machine sees the text as it is. For a translator elsewhere every sentence is \
encoded: names, numbers and content words are replaced, and restored in the translation that comes \
back. A report records what was sent.
"""

_PLUGIN_COMMANDS = {
    "dictionary": "dictionary",
    "evaluate": "lab",
    "gate": "lab",
    "reproduce": "lab",
    "review": "cat",
    "serve": "cat",
    "terms": "cat",
    "train": "train",
}
"""Commands of other distributions, each with the extra that installs it."""


class CommandGroup(TyperGroup):
    """Group of the program's commands.

    It names a missing distribution, and lets Ctrl-C end any command with one message and its own
    exit code. An interrupted command may put the meaning of its interruption into the exception.
    """

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command, or None. Raises ``ConfigurationError`` if its extra is missing."""
        found = super().get_command(ctx, cmd_name)
        if found is None and cmd_name in _PLUGIN_COMMANDS:
            advice = how_to_install(_PLUGIN_COMMANDS[cmd_name])
            raise ConfigurationError(f"prism {cmd_name} is not installed. {advice}")
        return found

    def invoke(self, ctx: Any) -> Any:
        """Run the requested command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interruption:
            message = str(interruption) or (
                "interrupted; all answers received so far are kept. Run the same command again to "
                "continue."
            )
            open_console(stderr=True).print(f"prism: {escape(message)}", soft_wrap=True)
            raise typer.Exit(ExitCode.INTERRUPTED) from None


app = typer.Typer(
    name="prism",
    cls=CommandGroup,
    help=_HELP,
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
settings_app = typer.Typer(
    help="Show or check settings, without running anything.", no_args_is_help=True
)
app.add_typer(settings_app, name="settings")
app.add_typer(audit_app, name="audit")
app.add_typer(memory_app, name="memory")
app.add_typer(state_app, name="state")
app.add_typer(key_app, name="key")
app.add_typer(models_app, name="models")
command(app, "plan")(plan)
command(app, "watch")(watch)
for _plugin in find_entry_points("prism.commands").values():
    with suppress(ImportError):  # not installed here: reported when its command is called
        _plugin.load()(app)

NewFolder = Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the translations.")]
PdfKind = Annotated[
    Literal["pdf", "docx"] | None,
    typer.Option(
        help="Rebuild a PDF page by page, or as a Word file with flowing text (NAME.pdf.docx).",
        show_default="pdf",
    ),
]
Ocr = Annotated[
    bool | None,
    typer.Option("--ocr/--no-ocr", help="Read scanned pages with OCR.", show_default="no-ocr"),
]

Marked = Annotated[
    bool | None,
    typer.Option(
        "--mark-untranslated/--no-mark-untranslated",
        help="Mark sentences in the documents that are not translated or are unsure.",
        show_default="no-mark-untranslated",
    ),
]


@command(app, "translate")
def translate(
    archive: options.Archive,
    output: NewFolder,
    to: options.Target = None,
    source: options.Source = None,
    translator: options.Translators = None,
    strength: options.HowStrongly = None,
    send: options.Sending = None,
    memory: options.Memories = None,
    pdf_output: PdfKind = None,
    ocr: Ocr = None,
    mark_untranslated: Marked = None,
    prune: options.Prune = None,
    copy_untranslated: options.CopyUntranslated = None,
    engine: options.RunBy = "local",
    shards: options.Shards = None,
    max_cost: options.MaxCost = None,
    accept_losses: options.AcceptLosses = None,
    experimental: options.Experimental = None,
    settings: options.SettingsFile = None,
    dry_run: options.DryRun = False,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Translate every document in IN, and write a folder of the same structure to OUT.

    Office and OpenDocument files, RTF, PDF, e-mail, web pages, Markdown and plain text keep their
    format. A document that cannot be translated is reported with a class and advice. To continue an
    interrupted run, run the same command again. Documents that have not changed are skipped.

    [bold]Examples[/]

      prism translate contracts/ contracts-es/ --to es

      prism translate contracts/ contracts-es/ --to es --dry-run

      prism translate mail/ mail-es/ --translator openai --settings prism.toml

      prism translate mail/ mail-es/ --translator openai-batch --settings prism.toml

      prism translate mail/ mail-es/ --to es --engine prefect

      prism translate mail/ mail-es/ --to es --translator deepl --max-cost 5

      prism translate contracts/ contracts-es/ --memory ours.tmx

    [bold]What is written[/]

      OUT                    the translations
      OUT/prism-report/      the report of what was sent: index.html for an auditor, and Parquet
      OUT/.prism/            the encrypted state, which allows unchanged documents to be skipped

    {strength}

    To see the price, and what would not be translated, run: prism plan IN --to es

    API keys are read from the environment (OPENAI_API_KEY), never from settings or options.
    """
    flags = {
        **options.run_flags(source, to, translator),
        "translator.max_cost": max_cost,
        "translator.accept_losses": accept_losses,
        "language.experimental": experimental,
        "strength": strength,
        "send": send,
        "memory.files": memory,
        "documents.pdf_output": pdf_output,
        "documents.ocr": ocr,
        "documents.mark_untranslated": mark_untranslated,
        "documents.prune": prune,
        "documents.copy_untranslated": copy_untranslated,
        "shards.count": shards,
    }
    from prism_core import jobs
    from prism_core.stages import Folders, check_translators, pick_any_pair

    job = jobs.prepare_job(archive, output, settings, flags)
    Folders(job).check()
    if dry_run:
        from prism_core.jobs import planning

        check_translators(job.under(pick_any_pair(job)))
        asked = [job.settings.translator]
        show_plan(lambda: planning.plan(job, asked, 10), quiet=quiet, as_json=as_json)
        return
    if engine != "local":
        flows.enter_prefect(flags, settings)

    def run() -> None:
        if engine == "local":
            jobs.translate(job)
        else:
            flows.run_translation_as_flow(job, settings)  # Prefect loads while progress is shown

    raise typer.Exit(run_and_summarise(job, run, quiet=quiet, as_json=as_json))


@settings_app.command("show")
def show_settings(settings: options.SettingsFile = None) -> None:
    """Print every setting with the value it has here, as TOML that can be edited and used."""
    typer.echo(settings_as_toml(settings_of(settings)), nl=False)


@settings_app.command("check")
def check_settings(settings: options.SettingsFile = None) -> None:
    """Check a settings file, the environment and your lists; exit with 2 on an error."""
    from prism_core.identifiers import read_terms

    found = settings_of(settings)
    lists = found.identifiers.names_file, found.identifiers.never_send_file
    for file in (*lists, found.mixing.decoys_file):
        read_terms(file)
    typer.echo("the settings are valid")


def settings_as_toml(settings: Settings) -> str:
    """Return every setting with its value as TOML, unset ones as comments; it reads back equal."""
    return "\n".join(_yield_toml(settings)) + "\n"


def _yield_toml(section: BaseModel, prefix: str = "") -> Iterator[str]:
    from pydantic import BaseModel

    from prism_core.settings import MechanismSettings

    values = section.model_dump(mode="json")
    tables: list[tuple[str, str, BaseModel]] = []
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            tables.append((prefix + name, f"[{prefix}{name}]", value))
        elif isinstance(value, tuple) and any(isinstance(part, BaseModel) for part in value):
            tables += [(prefix + name, f"[[{prefix}{name}]]", part) for part in value]
        elif value is None:
            yield f"# {name} = (not set)" if field.default is None else f'{name} = "none"'
        else:
            yield f"{name} = {json.dumps(values.get(name, value), ensure_ascii=False)}"
    if isinstance(section, MechanismSettings):
        for name, _ in section.added_fields():
            yield f"# {name} = (for {', '.join(section.users_of(name))})"
    for inner, heading, table in tables:
        yield f"\n{heading}"
        yield from _yield_toml(table, f"{inner}.")


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        typer.echo(f"prism {installed('prism-translate')}")
        raise typer.Exit


def main() -> NoReturn:
    """Run the program; every error ends in one message and a documented exit code.

    SIGTERM, which a machine sends at shutdown, ends it like Ctrl-C.
    """
    signal.signal(signal.SIGTERM, _handle_sigterm)
    try:
        app()
    except PrismError as error:
        _exit_with_error(error)
    except Exception as error:  # noqa: BLE001 - its message may quote a document
        _exit_with_error(InternalFault.from_exception(error))
    sys.exit(ExitCode.OK)


def _handle_sigterm(_number: int, frame: FrameType | None) -> None:
    handler = signal.getsignal(signal.SIGINT)  # a waiting event loop has its own handler
    if not callable(handler):
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)


def _exit_with_error(error: PrismError) -> NoReturn:
    open_console(stderr=True).print(f"[bold red]prism:[/] {escape(str(error))}", soft_wrap=True)
    sys.exit(error.exit_code)
