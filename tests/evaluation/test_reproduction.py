"""The papers' tables beside ours: what ships fills what it can, and the rest says what fills it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from flows.command import cli
from prism_core.errors import ConfigurationError
from prism_core.evaluation.methods import METHODS
from prism_core.evaluation.reproduction import NONE, PAPERS, reproduce
from prism_core.evaluation.results import Results
from prism_core.settings import load_settings
from tests.evaluation.measured import FRAME, sweep

PAGES = Path(__file__).parents[2] / "docs" / "evaluation" / "reproduction"
TABLE_1, FIGURE_3 = 0, 1


def rows_of(folder: Path, *, languages: str, translator: str) -> Path:
    results = Results(folder)
    made = [*FRAME, *sweep("reference", ("r=0.1", 0.4, 0.8), ("r=0.5", 0.6, 0.7))]
    for one in made:
        run = replace(one.run, languages=languages, translator=translator)
        results.add(replace(one, run=run))
    return folder


def texts(paper, table: int, rows: Path | None = None) -> list[list[str]]:
    return [[cell.text for cell in row] for row in reproduce(paper, rows).tables[table].rows]


def test_rows_of_a_user_stand_beside_the_paper_and_are_no_longer_missing(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, languages="en-fr", translator="openai gpt-3.5-turbo at OpenAI")
    ((*theirs, ours),) = [
        row[2:] for row in texts("prism", TABLE_1, rows) if row[:2] == ["en-fr, ChatGPT", "PRISM*"]
    ]
    assert theirs[::2] == ["0.482", "0.799"]
    assert theirs[1].startswith("0.470")  # .4 × .8 + .2 × .75
    assert ours.startswith("0.750")
    missing = [fact.partition(":")[0].strip() for fact in reproduce("prism", rows).missing]
    assert missing == ["en-fr, T5", "en-de, T5", "en-de, ChatGPT"]


def test_rows_that_are_not_there_are_told_and_so_are_rows_of_another_paper(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="holds no results"):
        reproduce("prism", tmp_path / "nowhere")
    with pytest.raises(ConfigurationError, match="prism reproduce prism"):
        reproduce("dx", tmp_path)


def test_what_ships_has_a_figure_of_each_of_the_papers_methods() -> None:
    shipped = [row for row in texts("prism", TABLE_1) if "apertium" in row[0]]
    assert {row[1] for row in shipped} == {"NoDecode", "PUP", "PRISM-R", "PRISM*"}
    assert NONE not in {row[3] for row in shipped}
    points = texts("prism", FIGURE_3)
    assert {row[1] for row in points} == {row[1] for row in shipped}
    made = " ".join(reproduce("prism").made)
    assert all(word in made for word in ("version:", "seeds 1", "dictionary with tags", "spacy"))


def test_the_private_training_of_the_paper_has_our_mean_and_deviation_beside_it() -> None:
    rows = {tuple(row[:3]): row[3:5] for row in texts("dp-nmt", 1)}
    assert rows["ClinSpEn-CC", "∞", "shuffled"] == ["5.42 (2.41)", "3.33 (0.20)"]
    assert rows["BSD", "1", "poisson"] == ["0.00 (0.00)", NONE]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_command_that_fills_a_dash_is_one_that_there_is(paper, tmp_path: Path) -> None:
    app = typer.main.get_command(cli.app)
    for fact in reproduce(paper).missing:
        settings = fact.partition("<<'END'\n")[2]
        if settings:
            file = tmp_path / "t.toml"
            file.write_text(settings.partition("END")[0])
            assert load_settings(file, {}, {"target": "fr"}).translator.name in ("local", "openai")
        for line in (line for line in fact.splitlines() if line.startswith("prism ")):
            _, name, *arguments = shlex.split(line)
            command = app.get_command(typer.Context(app), name)
            command.make_context(name, arguments)
            if "--methods" in arguments:
                named = arguments[arguments.index("--methods") + 1]
                assert set(named.split(",")) <= set(METHODS)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_of_a_paper_is_what_the_command_prints(paper) -> None:
    assert (PAGES / f"{paper.replace('-', '_')}.md").read_text("utf-8") == reproduce(
        paper
    ).as_markdown()
