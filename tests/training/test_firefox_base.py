"""Models of Firefox Translations: read as their engine reads them, clipped exactly, run by it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from benchmarks.firefox_forward import c_function, compare, engine_answers, exponential
from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.model_card import read_guarantee
from prism_core.resources import installed_folder
from prism_core.training import (
    FirefoxModel,
    SubwordVocabulary,
    Watch,
    find_clipping,
    freeze,
    load_firefox_model,
)
from prism_core.training.firefox_base import read_marian, write_marian
from prism_core.training.ghost import clip_by_ghosts, find_obstacle
from prism_core.training.gradients import clip_one_by_one, trainable
from prism_core.training.jobs.train import TrainingRecipe, train
from prism_core.training.transformer import END, losses
from prism_core.translators import ModelFiles
from prism_core.translators.adapters.firefox import FirefoxSettings, FirefoxTranslator
from tests.training.conftest import made_up_batch

LINES = [
    "O médico falou com a paciente.",
    "A febre durou três dias, e a tosse, uma semana.",
    "O contrato termina em março de 2024.",
    "Chove.",
    "O exame de sangue mostrou 7,2 g/dl de hemoglobina; o doente foi internado no mesmo dia.",
]

_IS_LIGHT = re.compile(r"(?!decoder_ff_logit).*_(ln_scale|ln_bias|b[qkvof12])$").match


@pytest.fixture(scope="module")
def folder() -> Path:
    return installed_folder("pt", "en")


@pytest.fixture
def student(folder: Path) -> tuple[FirefoxModel, SubwordVocabulary]:
    return load_firefox_model(folder)


def test_every_line_is_translated_as_by_the_engine(folder: Path) -> None:
    assert not compare(folder, LINES)


def test_exponentials_have_all_bits_of_those_that_the_engine_uses() -> None:
    values = torch.linspace(-100, 80, 20_001)
    assert torch.equal(exponential(values), values.clone().apply_(c_function("expf")))
    assert not torch.equal(values.double().exp().float(), exponential(values))


def test_with_frozen_embeddings_ghost_norms_are_those_of_one_example_at_a_time(
    student: tuple[FirefoxModel, SubwordVocabulary],
) -> None:
    model, batch = student[0], made_up_batch(3, 2)
    assert find_obstacle(model).endswith("share a weight (tied)")
    freeze(model, ["embeddings"])
    assert find_clipping(model) == ("ghost", "")
    found, true = (c(model, batch, losses, 1.0) for c in (clip_by_ghosts, clip_one_by_one))
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)
    assert "embedding.weight" not in found.total
    for name, part in true.total.items():
        torch.testing.assert_close(found.total[name], part, rtol=1e-3, atol=1e-5)


def test_without_matrices_normalisations_and_inner_biases_are_trained_exactly(
    student: tuple[FirefoxModel, SubwordVocabulary],
) -> None:
    model, batch = student[0], made_up_batch(3, 2)
    freeze(model, ["matrices"])
    assert find_clipping(model) == ("ghost", "")
    trained = trainable(model)
    size = model.vocabulary_size
    assert all(weight.dim() == 1 and len(weight) < size for weight in trained.values())
    assert {"encoder.maps.l1_ffn_W1.bias", "decoder.norms.l1_context_Wo.weight"} <= {*trained}
    found, true = (c(model, batch, losses, 1.0) for c in (clip_by_ghosts, clip_one_by_one))
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)


def test_an_unaltered_model_is_written_as_it_was(
    folder: Path, student: tuple[FirefoxModel, SubwordVocabulary], tmp_path: Path
) -> None:
    content = ModelFiles.find(folder).model.read_bytes()
    assert write_marian(read_marian(content)) == content
    student[0].save(tmp_path, student[1], "pten")
    assert ModelFiles.find(tmp_path).model.read_bytes() == content


def test_an_altered_model_is_run_by_the_engine_as_it_was_trained(
    student: tuple[FirefoxModel, SubwordVocabulary], tmp_path: Path
) -> None:
    model, vocabulary = student
    before = engine_answers(installed_folder("pt", "en"), LINES)
    with torch.no_grad():  # outgrows the scale of its 8 bits, and lets the end come sooner
        model.decoder.maps["l2_ffn_W2"].weight *= 1.5
        model.output.bias[END] += 1
    model.save(tmp_path, vocabulary, "pten")
    assert not compare(tmp_path, LINES)
    assert engine_answers(tmp_path, LINES) != before


def test_what_is_no_such_model_is_refused(folder: Path, tmp_path: Path) -> None:
    files = ModelFiles.find(folder)
    (tmp_path / "vocab.pten.spm").write_bytes(files.source_vocabulary.read_bytes())
    with pytest.raises(Misconfigured, match=r"no model\.\*\.bin"):
        load_firefox_model(tmp_path)
    content = files.model.read_bytes()
    for wrong in (
        content[:100_000],
        content.replace(b"dec-cell: ssru", b"dec-cell: gru1"),
        content.replace(b"decoder_l2_rnn_bf", b"decoder_l2_rnn_bx"),
    ):
        (tmp_path / "model.pten.bin").write_bytes(wrong)
        with pytest.raises(ConfigurationError, match="cannot be trained"):
            load_firefox_model(tmp_path)


@pytest.fixture
def recipe(folder: Path, tmp_path: Path) -> TrainingRecipe:
    memory = tmp_path / "memory.tsv"
    rows = (f"{line}\t{line}\tdoc{n % 6}" for n, line in enumerate(LINES * 3))
    memory.write_text("\n".join(rows), encoding="utf-8")
    return TrainingRecipe(
        (memory,),
        tmp_path / "model",
        source="es",
        target="en",
        epsilon=8.0,
        passes=2,
        rate=1e-4,
        base=folder,
    )


def test_a_model_trained_from_it_is_what_firefox_runs_with_its_guarantee(
    recipe: TrainingRecipe,
) -> None:
    trained = train(recipe, Watch())
    assert (trained.way, trained.unusable) == ("ghost", "")
    files = [ModelFiles.find(place).model for place in (recipe.output, recipe.base or Path())]
    after, before = (read_marian(file.read_bytes()) for file in files)
    altered = {name for name in before if before[name] != after[name]}
    assert altered == {name for name in before if _IS_LIGHT(name)}
    plan = trained.card.plan
    assert plan is not None
    assert (plan.lot, plan.steps) == (6, 2)  # few weights: all documents at once
    assert "MPL-2.0" in trained.card.base
    assert read_guarantee(recipe.output).startswith("epsilon=8 ")
    engine = FirefoxTranslator(FirefoxSettings(folder=recipe.output), "es", "en")
    answers = asyncio.run(engine.translate(LINES[:1], "es", "en"))
    asyncio.run(engine.close())
    assert "doctor" in answers[0]
    again = replace(recipe, base=recipe.output, output=recipe.output.with_name("again"))
    with pytest.raises(ConfigurationError, match="of a private one"):
        train(again, Watch())


def test_a_public_model_made_from_it_is_a_base(recipe: TrainingRecipe) -> None:
    public = replace(recipe, epsilon=None, passes=1, freeze=("embeddings", "encoder"))
    train(public, Watch())
    train(replace(public, base=public.output, output=public.output.with_name("next")), Watch())
    assert read_guarantee(public.output) == "trained=public"
