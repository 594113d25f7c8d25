"""Build a dictionary from parallel text, with no call to a translator.

    python -m flows.corpus_dictionary wmt/en-fr --to fr --output dictionaries/en-fr.parquet

The folder holds ``NAME.en`` and ``NAME.TRANSLATOR.fr``, line by line. Only words and their
translations go into the dictionary, and none that the text does not have at least twice in lower
case. ``prism dictionary merge`` puts the rows beside those of other translators.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prism_core.dictionary.corpus_names import unchanged_names
from prism_core.dictionary.entry import Entry
from prism_core.dictionary.from_corpus import entries_from_corpus
from prism_core.dictionary.names import read_names
from prism_core.dictionary.parallel_text import ParallelText, read_parallel_folder
from prism_core.dictionary.parquet import save_dictionary
from prism_core.errors import PrismError
from prism_core.language.model import LanguageModel
from prism_core.resources import shipped_names


def build(text: ParallelText, day: str) -> list[Entry]:
    """The entries of ``text``, and of the public names that its translators leave unchanged."""
    sentences = text.annotate(LanguageModel.load())
    entries = entries_from_corpus(sentences, text.targets, built=day)
    return entries + unchanged_names(sentences, text.targets, read_names(shipped_names()), day)


def main(
    folder: Annotated[Path, typer.Argument(help="NAME.SOURCE and NAME.TRANSLATOR.TARGET files.")],
    output: Annotated[Path, typer.Option(help="The Parquet file to write.")],
    target: Annotated[str, typer.Option("--to", help="Target language.")],
    source: Annotated[str, typer.Option("--from", help="Source language.")] = "en",
    translators: Annotated[str, typer.Option(help="Their names, with commas.")] = (
        "google,microsoft"
    ),
    licence: Annotated[str, typer.Option(help="Under which the file is offered.")] = "",
) -> None:
    """Build a dictionary from parallel text."""
    console = Console(stderr=True)
    names = translators.split(",")
    day = datetime.now(UTC).date().isoformat()
    try:
        text = read_parallel_folder(folder, source, target, names)
        entries = build(text, day)
        provenance = {
            "source": source,
            "target": target,
            "translator": translators,
            "built": day,
            "text": ", ".join(f"{folder.name}/{file}" for file in text.files),
            "sentences": str(len(text.lines)),
            "calls": "0",
            "licence": licence,
        }
        save_dictionary(entries, provenance, output)
    except PrismError as error:
        console.print(f"[red]{error}[/red]")
        raise typer.Exit(error.exit_code) from None
    console.print(f"{len(entries):,} entries written to {output}")


if __name__ == "__main__":
    typer.run(main)
