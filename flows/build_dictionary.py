"""Build a dictionary: public text and a translator in, one Parquet file out.

    python -m flows.build_dictionary --text news.en --target es --output dictionaries/en-es.parquet

Everything sent to the translator is made of the text given here, which must not be sensitive.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from prism_core.dictionary.builder import BuildPlan, DictionaryBuilder
from prism_core.dictionary.entry import Entry
from prism_core.dictionary.names import read_names, stable_names
from prism_core.dictionary.parquet import save_dictionary
from prism_core.dictionary.vocabulary import candidates
from prism_core.errors import PrismError
from prism_core.language.model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.resources import shipped_names
from prism_core.translators import Translator, TranslatorSettings, make_translator

BATCH = 500
LICENCE = "GPL-2.0-only: derived from the data of Apertium; offered apart from the code"


def build_dictionary(
    texts: Sequence[Path],
    source: str,
    target: str,
    output: Path,
    least: int,
    plan: BuildPlan,
    say: Callable[[str], None],
) -> list[Entry]:
    """Read, choose words, ask the translator, check names, and write ``output``."""
    sentences = list(read_sentences(texts))
    words = candidates(sentences, least=least)
    say(f"{len(sentences):,} sentences of text, {len(words):,} words to look up")
    translator = make_translator(TranslatorSettings(name="apertium"), source, target)
    with asyncio.Runner() as runner:
        translate = _in_batches(translator, source, target, runner, say)
        builder = DictionaryBuilder(translate, plan)
        entries = builder.build(words, sentences)
        entries += stable_names(read_names(shipped_names()), translate)
        runner.run(translator.close())
    provenance = {
        "source": source,
        "target": target,
        "translator": translator.name,
        "built": datetime.now(UTC).date().isoformat(),
        "text": ", ".join(sorted({path.parent.name + "/" + path.name for path in texts})),
        "sentences": str(len(sentences)),
        "calls": str(builder.calls),
        "licence": LICENCE,
    }
    save_dictionary(entries, provenance, output)
    return entries


def read_sentences(texts: Iterable[Path]) -> Iterable[Sentence]:
    """The annotated sentences of every distinct line of ``texts``."""
    lines = {line.strip(): None for path in texts for line in path.read_text("utf-8").splitlines()}
    for sentences in LanguageModel.load().annotate(lines):
        yield from sentences


def _in_batches(
    translator: Translator,
    source: str,
    target: str,
    runner: asyncio.Runner,
    say: Callable[[str], None],
) -> Callable[[Sequence[str]], list[str]]:
    def translate(texts: Sequence[str]) -> list[str]:
        answers: list[str] = []
        for start in range(0, len(texts), BATCH):
            batch = [text or "." for text in texts[start : start + BATCH]]
            answers += runner.run(translator.translate(batch, source, target))
        say(f"{len(texts):,} texts translated")
        return answers

    return translate


def main(
    text: Annotated[list[Path], typer.Option(help="Public source text, a sentence a line.")],
    output: Annotated[Path, typer.Option(help="The Parquet file to write.")],
    source: Annotated[str, typer.Option("--from", help="Source language.")] = "en",
    target: Annotated[str, typer.Option("--to", help="Target language.")] = "es",
    least: Annotated[int, typer.Option(help="Leave out words seen less often.")] = 2,
    probes: Annotated[int, typer.Option(help="Running sentences each word is tested in.")] = 8,
) -> None:
    """Build a dictionary from public text and a translator."""
    console = Console(stderr=True)
    try:
        plan = BuildPlan(probes=probes)
        entries = build_dictionary(text, source, target, output, least, plan, console.print)
    except PrismError as error:
        console.print(f"[red]{error}[/red]")
        raise typer.Exit(error.exit_code) from None
    console.print(f"{len(entries):,} entries written to {output}")


if __name__ == "__main__":
    typer.run(main)
