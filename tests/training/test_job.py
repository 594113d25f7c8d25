from __future__ import annotations

import asyncio
import io
import json
import math
import random
import resource
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from flows.command import display
from flows.command.cli import app
from prism_core.errors import ConfigurationError, OutputError, StateError, StoreInUse
from prism_core.model_card import is_public, read_guarantee
from prism_core.training import Card, ModelFolder, Watch
from prism_core.training.command.train import _show_training
from prism_core.training.jobs.train import TrainingRecipe, plan_training, rehearse, train
from prism_core.translators.adapters.local import LocalSettings, LocalTranslator

NUMBERS = dict(
    zip("one two three four five".split(), "uno dos tres cuatro cinco".split(), strict=True)
)
SECRET = "Holloway"


@pytest.fixture
def recipe(tmp_path: Path) -> TrainingRecipe:
    """Twelve documents of three sentences, one of them with a name; a public vocabulary."""
    chance, lines = random.Random(7), []
    for n in range(36):
        words = [chance.choice(list(NUMBERS)) for _ in range(3)]
        said = f"{SECRET} {words[0]}" if n == 5 else " ".join(words)
        lines.append(f"{said}\t{' '.join(NUMBERS.get(w, w) for w in said.split())}\tdoc{n % 12}")
    memory, public = tmp_path / "memory.tsv", tmp_path / "public.txt"
    memory.write_text("\n".join(lines), encoding="utf-8")
    public.write_text("\n".join([*NUMBERS, *NUMBERS.values()] * 3), encoding="utf-8")
    return TrainingRecipe(
        (memory,),
        tmp_path / "model",
        epsilon=2.0,
        passes=2,
        vocabulary_from=(public,),
        vocabulary_size=300,
        width=64,
        layers=1,
    )


def test_a_private_model_comes_with_its_guarantee_and_without_text(recipe: TrainingRecipe) -> None:
    trained = train(recipe, Watch())
    card = json.loads((recipe.output / "card.json").read_text(encoding="utf-8"))
    assert 1.9 < card["epsilon"] <= 2.0 < card["epsilon_rdp"]
    assert (card["unit"], card["plan"]["examples"], card["delta"]) == ("document", 12, 1e-3)
    assert trained.way == "ghost"
    page = (recipe.output / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "one whole document" in page
    assert "## Not covered" in page
    for file in recipe.output.rglob("*"):
        assert file.is_dir() or SECRET.encode() not in file.read_bytes()
    again = train(recipe, Watch())  # nothing is left to be spent
    assert again.card == trained.card


def test_what_was_learned_is_what_local_translates(recipe: TrainingRecipe) -> None:
    train(replace(recipe, epsilon=None, passes=120, rate=3e-3), Watch())
    page = (recipe.output / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "without any protection" in page
    local = LocalTranslator(LocalSettings(folder=recipe.output), "en", "es")
    pairs = [line.split("\t")[:2] for line in recipe.files[0].read_text().splitlines()]
    answers = asyncio.run(local.translate([source for source, _ in pairs], "en", "es"))
    right = sum(answer == target for answer, (_, target) in zip(answers, pairs, strict=True))
    assert right >= 12  # of 36, by chance none: each training begins elsewhere, 29 to 36 were seen


def test_a_private_model_goes_on_from_a_public_one(recipe: TrainingRecipe) -> None:
    base = recipe.output.with_name("base")
    train(replace(recipe, output=base, epsilon=None, passes=1), Watch())
    trained = train(replace(recipe, base=base, vocabulary_from=()), Watch())
    assert trained.card.base == "a public model"


@pytest.mark.parametrize(
    "wrong",
    [
        {"base": Path("nowhere")},
        {"devices": ("cpu", "abacus")},
        {"width": 100},
        {"clip": math.inf},
        {"rate": math.nan},
        {"passes": 0},
        {"unit": "patient"},
        {"target": "../es"},
        {"target": "en"},
        {"epsilon": math.nan},
        {"epsilon": -1.0},
        {"epsilon": 5000.0},
        {"delta": 0.0},
        {"delta": math.nan},
        {"lot": 13},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused_before_anything_is_made(
    recipe: TrainingRecipe, wrong: dict[str, object]
) -> None:
    asked = replace(recipe, **wrong)  # type: ignore[arg-type]
    for run in (rehearse, lambda recipe: train(recipe, Watch())):
        with pytest.raises(ConfigurationError):
            run(asked)
    assert not recipe.output.exists()


def test_two_trainings_do_not_share_a_folder(recipe: TrainingRecipe) -> None:
    with ModelFolder(recipe.output).held():
        for other in (recipe, replace(recipe, epsilon=None)):
            with pytest.raises(StoreInUse, match="another training"):
                train(other, Watch())


def test_a_card_of_other_weights_or_of_an_older_ledger_is_not_believed(
    recipe: TrainingRecipe,
) -> None:
    train(recipe, Watch())
    grown = recipe.output / "training"
    assert read_guarantee(recipe.output).startswith("epsilon=2 ")
    ledger = (grown / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    (grown / "ledger.jsonl").write_bytes(b"".join(ledger[:-2]))
    (grown / "kept.pt").unlink()  # as from a backup: it would train on, and say too little
    with pytest.raises(StateError, match="older copy"):
        train(recipe, Watch())
    (recipe.output / "model.bin").write_bytes(b"another")
    assert read_guarantee(recipe.output) == "epsilon=unstated"


def test_a_training_goes_on_from_the_same_base_alone(recipe: TrainingRecipe) -> None:
    bases = [recipe.output.with_name(name) for name in ("one", "two")]
    for base in bases:
        train(replace(recipe, output=base, epsilon=None, passes=1), Watch())
    train(replace(recipe, base=bases[0]), Watch())
    with pytest.raises(StateError, match="or base"):
        train(replace(recipe, base=bases[1]), Watch())


def test_a_folder_that_is_full_is_said(recipe: TrainingRecipe) -> None:
    """A limit on what a file may hold stands for a full disk."""
    train(replace(recipe, epsilon=None, passes=1), Watch())  # what is loaded is no file of ours
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        for size, says in ((100, OutputError), (300_000, StateError)):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
            with pytest.raises(says, match="cannot be written"):
                train(replace(recipe, output=recipe.output.with_name(str(size))), Watch())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_private_training_is_not_gone_on_with_in_clear_and_is_no_base(
    recipe: TrainingRecipe,
) -> None:
    train(recipe, Watch())
    with pytest.raises(ConfigurationError, match="holds a private training"):
        train(replace(recipe, epsilon=None), Watch())
    with pytest.raises(ConfigurationError, match="would add up"):
        train(replace(recipe, base=recipe.output, output=recipe.output.with_name("next")), Watch())


def test_a_killed_private_training_leaves_no_card_that_calls_its_model_public(
    recipe: TrainingRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(replace(recipe, epsilon=None, passes=1), Watch())
    monkeypatch.setattr(Card, "write", lambda *_: 1 / 0)  # killed when all but the card is written
    with pytest.raises(ZeroDivisionError):
        train(recipe, Watch())
    assert not is_public(recipe.output)
    monkeypatch.undo()
    with pytest.raises(ConfigurationError, match="would add up"):
        train(replace(recipe, base=recipe.output, output=recipe.output.with_name("next")), Watch())


def test_an_epsilon_of_nothing_is_refused_and_never_means_public(recipe: TrainingRecipe) -> None:
    with pytest.raises(ConfigurationError, match="over 0"):
        train(replace(recipe, epsilon=0.0), Watch())


def test_a_delta_that_gives_one_document_away_is_refused(recipe: TrainingRecipe) -> None:
    with pytest.raises(ConfigurationError, match=r"take far less than 0\.083"):
        plan_training(replace(recipe, delta=0.1), 12)


def test_a_vocabulary_is_never_learned_from_private_text(recipe: TrainingRecipe) -> None:
    with pytest.raises(ConfigurationError, match="names the private text"):
        train(replace(recipe, vocabulary_from=recipe.files), Watch())
    with pytest.raises(ConfigurationError, match="no dictionary ships for en-fi"):
        train(replace(recipe, vocabulary_from=(), target="fi"), Watch())


def test_the_command_shows_a_plan_and_its_cautions(recipe: TrainingRecipe) -> None:
    asked = ["train", str(recipe.files[0]), "--epsilon", "4", "--out", str(recipe.output)]
    shown = CliRunner().invoke(app, [*asked, "--dry-run", "--unit", "sentence"])
    assert shown.exit_code == 0, shown.output
    assert "noise σ" in shown.output
    assert "one sentence is protected" in shown.output
    assert not recipe.output.exists()


def test_the_command_says_where_a_document_may_be_a_sentence_and_quotes_none(
    recipe: TrainingRecipe,
) -> None:
    memory = recipe.files[0]
    lines = [line.rpartition("\t")[0] for line in memory.read_text(encoding="utf-8").splitlines()]
    numbered = "\n".join(f"{line}\t{n}" for n, line in enumerate(dict.fromkeys(lines)))
    memory.write_text(numbered, encoding="utf-8")
    asked = ["train", str(memory), "--epsilon", "4", "--out", str(recipe.output), "--delta", "0.02"]
    shown = CliRunner().invoke(app, [*asked, "--dry-run"])
    said = " ".join(shown.output.split())
    assert "each document has one sentence" in said
    assert "δ is large" in said
    assert SECRET not in said


def test_an_interruption_says_what_stays_spent(
    recipe: TrainingRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("prism_core.training.jobs.train.train", stop)
    asked = ["train", str(recipe.files[0]), "--epsilon", "4", "--out", str(recipe.output)]
    shown = CliRunner().invoke(app, asked)
    assert (shown.exit_code, "stay spent" in " ".join(shown.output.split())) == (130, True)


def test_the_loss_of_private_text_is_printed_to_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(display, "_LINE_SECONDS", 0.01)
    log = io.StringIO()
    with _show_training(Console(file=log)) as watch:
        watch.stage, watch.step, watch.steps, watch.loss = "training", 3, 40, 2.75
        watch.epsilon = 1.5
        while "ε 1.50 spent" not in log.getvalue():
            time.sleep(0.01)
    assert "step 3/40" in log.getvalue()
    assert "2.75" not in log.getvalue()


@pytest.mark.parametrize("wrong", [[], ["--epsilon", "4", "--public"]])
def test_the_command_wants_either_a_privacy_or_public_text(
    recipe: TrainingRecipe, wrong: list[str]
) -> None:
    said = CliRunner().invoke(
        app, ["train", str(recipe.files[0]), "--out", str(recipe.output), *wrong]
    )
    assert isinstance(said.exception, ConfigurationError)
