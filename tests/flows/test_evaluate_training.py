"""``prism evaluate training``: figures of public text in the card, and an audit that shows."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.evaluation.jobs.evaluate_model import FileScores, write_into_card
from prism_core.training import Card, NoisePlan, Watch
from prism_core.training.jobs.train import TrainingRecipe, train
from tests.flows.conftest import Prism

WORDS = dict(zip("one two three four".split(), "uno dos tres cuatro".split(), strict=True))


def lines(seed: int, name: str) -> Iterator[str]:
    chance = random.Random(seed)
    for n in range(16):
        said = [chance.choice(list(WORDS)) for _ in range(4)]
        meant = [*map(WORDS.get, said), WORDS[chance.choice(list(WORDS))]]  # the last: by heart
        yield f"{' '.join(said)}\t{' '.join(meant)}\t{name}{n}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen documents of a training, sixteen others, and the model that knows the first."""
    import torch  # here: to collect tests takes no seconds

    torch.set_num_threads(1)  # tests run beside each other
    folder = tmp_path_factory.mktemp("audited")
    for seed, name in enumerate(("members", "others")):
        (folder / f"{name}.tsv").write_text("\n".join(lines(seed, name)), encoding="utf-8")
    public = folder / "public.txt"
    public.write_text("\n".join([*WORDS, *WORDS.values()] * 4), encoding="utf-8")
    recipe = TrainingRecipe(
        (folder / "members.tsv",),
        folder / "model",
        passes=60,
        rate=5e-3,
        vocabulary_from=(public,),
        vocabulary_size=300,
        width=64,
        layers=1,
    )
    train(recipe, Watch())
    return folder


def test_an_audit_finds_what_was_learned_by_heart(prism: Prism, folder: Path) -> None:
    given = ("--members", folder / "members.tsv", "--others", folder / "others.tsv")
    ended = prism("evaluate", "training", folder / "model", *given, "--json")
    assert ended.code == ExitCode.OK, ended
    found = json.loads(ended.out)
    (attack,) = found["audit"]["attacks"]
    assert (found["epsilon"], attack["name"]) == (None, "loss")
    assert attack["low"] > 0.7
    assert 0 < attack["epsilon"] <= attack["reach"]
    shown = prism("evaluate", "training", folder / "model", *given, "--reference", folder / "model")
    assert "likelihood ratio" in shown.out
    assert not any(word in shown.out for word in WORDS.values())


def test_figures_of_public_text_go_into_the_card_once(prism: Prism, folder: Path) -> None:
    given = ("--public", folder / "members.tsv", "--card")
    for _ in range(2):
        ended = prism("evaluate", "training", folder / "model", *given)
        assert ended.code == ExitCode.OK, ended
    page = (folder / "model/MODEL_CARD.md").read_text(encoding="utf-8")
    assert page.count("## Quality") == page.count("| members.tsv | 16 |") == 1
    card = json.loads((folder / "model/card.json").read_text(encoding="utf-8"))
    assert card["quality"][0]["chrf"][0] > 30
    assert card["epsilon"] is None


def test_a_text_that_the_model_cannot_take_counts_against_it(prism: Prism, folder: Path) -> None:
    endless = folder / "endless.tsv"
    endless.write_text(f"one two three\tuno dos tres\n{'one ' * 600}\tuno\n", encoding="utf-8")
    ended = prism("evaluate", "training", folder / "model", "--public", endless, "--json")
    assert ended.code == ExitCode.OK, ended
    assert json.loads(ended.out)["qualities"][0]["sentences"] == 2


def test_a_bertscore_has_a_column_and_an_encoder_that_is_not_there_is_refused(
    prism: Prism, folder: Path
) -> None:
    given = ("--public", folder / "members.tsv", "--bertscore", folder / "bert-base")
    ended = prism("evaluate", "training", folder / "model", *given)
    assert ended.code == ExitCode.BAD_CONFIGURATION, ended
    assert "no encoder" in ended.err
    scored = FileScores("a.tsv", 9, (1, 0, 2), (3, 2, 4), (0.91234, 0.9, 0.92), "bert-base")
    write_into_card(folder / "model", [scored])
    page = (folder / "model/MODEL_CARD.md").read_text(encoding="utf-8")
    assert "| chrF | BERTScore (bert-base) |" in page
    assert "| 3.0 [2.0, 4.0] | 0.912 [0.900, 0.920] |" in page


def test_canaries_try_the_plan_of_the_card_and_a_public_model_has_none(
    prism: Prism, folder: Path, tmp_path: Path
) -> None:
    plan = NoisePlan(40, 40, 2, 1.2)
    card = Card("en", "es", 1, "nothing", 5.0, 5.0, 1e-5, "document", None, 1.0, plan, "")
    card.write(tmp_path)
    ended = prism("evaluate", "training", tmp_path, "--canaries", "1000", "--json")
    assert ended.code == ExitCode.OK, ended
    found = json.loads(ended.out)["canaries"]
    assert 0 < found["proved"] < min(found["implied"], found["claimed"], found["reach"])
    ended = prism("evaluate", "training", folder / "model", "--canaries", "1000")
    assert ended.code == ExitCode.BAD_CONFIGURATION, ended
    assert "no guarantee" in ended.err


def test_half_an_audit_is_refused(prism: Prism, folder: Path) -> None:
    ended = prism("evaluate", "training", folder / "model", "--members", folder / "members.tsv")
    assert ended.code == ExitCode.BAD_CONFIGURATION, ended
    assert "--others" in ended.err
