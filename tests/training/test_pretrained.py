"""Models of transformers: loaded as they were saved, clipped exactly, trained and translated with.

The models here are tiny and begin by chance.
"""

from __future__ import annotations

import asyncio
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from tokenizers.decoders import Metaspace as DecodedMetaspace
from tokenizers.models import Unigram
from tokenizers.pre_tokenizers import Metaspace
from tokenizers.processors import TemplateProcessing
from tokenizers.trainers import UnigramTrainer

from prism_core.errors import ConfigurationError
from prism_core.training import Pretrained, Watch, find_clipping, freeze, load_pretrained
from prism_core.training.ghost import add_clipped, clip_by_ghosts
from prism_core.training.gradients import clip_one_by_one, clip_vectorised
from prism_core.training.jobs.train import TrainingRecipe, train
from prism_core.training.transformer import PADDING, losses
from prism_core.translators.adapters.local import LocalSettings, LocalTranslator
from tests.training.conftest import made_up_batch
from tests.training.test_job import NUMBERS

SMALL: dict[str, Any] = {"vocab_size": 90, "d_model": 16}
T5: dict[str, Any] = {"d_kv": 8, "d_ff": 24, "num_layers": 2, "num_decoder_layers": 2}
BART: dict[str, Any] = {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in (("layers", 2), ("attention_heads", 2), ("ffn_dim", 24))
}


def make_model(kind: str) -> Any:
    torch.manual_seed(4)
    if kind == "t5":
        config = transformers.T5Config(**SMALL, **T5, num_heads=2, decoder_start_token_id=0)
        return transformers.T5ForConditionalGeneration(config)
    if kind == "mt5":
        gated = {**T5, "tie_word_embeddings": False, "decoder_start_token_id": 0}
        return transformers.MT5ForConditionalGeneration(
            transformers.MT5Config(**SMALL, **gated, num_heads=2)
        )
    if kind == "mbart":
        config = transformers.MBartConfig(**SMALL, **BART, pad_token_id=1)
        return transformers.MBartForConditionalGeneration(config)
    config = transformers.MarianConfig(**SMALL, **BART, pad_token_id=89, eos_token_id=0)
    return transformers.MarianMTModel(config)


def wrapped(kind: str) -> Pretrained:
    model = make_model(kind)
    model.set_attn_implementation("eager")
    return Pretrained(model).eval()


@pytest.mark.parametrize("kind", ["t5", "mt5", "mbart", "marian"])
def test_scores_are_those_of_transformers_and_padding_is_ours(kind: str) -> None:
    model, batch = wrapped(kind), made_up_batch(2, 2)
    source, target = batch.source[0], batch.target[0]
    padding = model.model.config.pad_token_id
    theirs = [model._swap(one) for one in (source, target)]
    true = model.model(
        input_ids=theirs[0],
        attention_mask=(source != PADDING).long(),
        decoder_input_ids=theirs[1],
    ).logits
    true[..., [PADDING, padding]] = true[..., [padding, PADDING]]
    torch.testing.assert_close(model(source, target), true, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("kind", ["t5", "mbart", "marian"])
def test_norms_of_a_tied_model_are_those_of_one_example_at_a_time(kind: str) -> None:
    model, batch = wrapped(kind), made_up_batch(3, 2)
    clipping, reason = find_clipping(model)
    assert clipping == "vectorised"
    assert reason.endswith("share a weight (tied)")
    found, true = (c(model, batch, losses, 1.0) for c in (clip_vectorised, clip_one_by_one))
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)
    for name, part in true.total.items():
        torch.testing.assert_close(found.total[name], part, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("kind", ["t5", "mt5", "mbart"])
def test_with_frozen_lookups_and_norms_ghosts_are_exact_and_cost_no_gradient_there(
    kind: str,
) -> None:
    model, batch = wrapped(kind), made_up_batch(3, 2)
    whole = sum(weight.numel() for weight in model.parameters())
    freeze(model, ["embeddings", "norms"])
    assert find_clipping(model) == ("ghost", "")
    found, true = (c(model, batch, losses, 1.0) for c in (clip_by_ghosts, clip_one_by_one))
    torch.testing.assert_close(found.norms, true.norms, rtol=1e-4, atol=0)
    assert sum(part.numel() for part in found.total.values()) < 0.9 * whole
    assert not any("shared" in name or "norm" in name for name in found.total)
    add_clipped(model, batch, losses, 1.0, "ghost")
    assert all(weight.grad is None for weight in model.parameters())


def test_all_of_a_model_cannot_be_frozen() -> None:
    with pytest.raises(ConfigurationError, match="nothing is left"):
        freeze(wrapped("t5"), ["encoder", "decoder", "embeddings"])


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tied T5 with pieces for the numbers."""
    folder, written = tmp_path_factory.mktemp("t5"), io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*NUMBERS, *NUMBERS.values()] * 3),
        model_writer=written,
        vocab_size=60,
        hard_vocab_limit=False,
        pad_id=0,
        eos_id=1,
        unk_id=2,
        bos_id=-1,
        minloglevel=2,
    )
    (folder / "spiece.model").write_bytes(written.getvalue())
    said = {"tokenizer_class": "T5Tokenizer", "extra_ids": 0}
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    pieces = sentencepiece.SentencePieceProcessor(model_proto=written.getvalue())
    torch.manual_seed(4)
    config = transformers.T5Config(
        vocab_size=pieces.get_piece_size(),
        d_model=64,
        d_kv=32,
        d_ff=128,
        num_layers=1,
        num_heads=2,
        dropout_rate=0.0,
        decoder_start_token_id=0,
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(str(folder))
    return folder


def test_what_is_loaded_is_bit_by_bit_what_is_in_the_file(folder: Path) -> None:
    model, _ = load_pretrained(folder, "en", "es")
    stored = load_file(folder / "model.safetensors")
    for part in (model.model, model.model.encoder, model.model.decoder):
        assert torch.equal(part.get_input_embeddings().weight, stored["shared.weight"])
    assert torch.equal(model.model.lm_head.weight, stored["shared.weight"])


def test_a_file_without_one_of_the_weights_is_refused(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    stored = load_file(folder / "model.safetensors")
    del stored["encoder.final_layer_norm.weight"]  # transformers would begin it anew
    save_file(stored, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ConfigurationError, match=r"encoder\.final_layer_norm\.weight is not in"):
        load_pretrained(tmp_path, "en", "es")


def write_pieces(folder: Path, kind: str) -> int:
    """A tokeniser as the three kinds of base have it; gives how many pieces a model has then."""
    texts = [*NUMBERS, *NUMBERS.values()] * 3
    if kind == "tokenizer.json":
        fast = Tokenizer(Unigram([("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)], unk_id=2))
        fast.pre_tokenizer, fast.decoder = Metaspace(), DecodedMetaspace()
        special = ["<pad>", "</s>", "<unk>"]
        fast.train_from_iterator(
            texts, UnigramTrainer(vocab_size=60, special_tokens=special, unk_token="<unk>")
        )
        fast.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
        fast.save(str(folder / "tokenizer.json"))
        return fast.get_vocab_size()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=(written := io.BytesIO()),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (folder / "sentencepiece.bpe.model").write_bytes(written.getvalue())
    said = {"tokenizer_class": kind, "src_lang": "en_XX", "tgt_lang": "es_XX"}
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    return sentencepiece.SentencePieceProcessor(model_proto=written.getvalue()).vocab_size() + 60


@pytest.mark.parametrize("kind", ["tokenizer.json", "MBartTokenizer", "MBart50Tokenizer"])
def test_a_base_is_spelled_by_its_own_tokeniser_and_answers_as_it_is_trained(
    tmp_path: Path, kind: str
) -> None:
    size = {"vocab_size": write_pieces(tmp_path, kind), "d_model": 16}
    torch.manual_seed(8)
    if kind == "tokenizer.json":
        config = transformers.T5Config(**size, **T5, num_heads=2, decoder_start_token_id=0)
        transformers.T5ForConditionalGeneration(config).save_pretrained(str(tmp_path))
    else:
        config = transformers.MBartConfig(**size, **BART, pad_token_id=1, init_std=0.5)
        transformers.MBartForConditionalGeneration(config).save_pretrained(str(tmp_path))
    model, pieces = load_pretrained(tmp_path, "en", "es")
    model.eval().model.generation_config.forced_eos_token_id = None  # at the longest answer
    source, target = pieces.source("one two"), pieces.target("uno dos")
    assert pieces.texts([pieces._ours(source), pieces._ours(target)]) == ["one two", "uno dos"]
    unknown = "<extra_id_3>" if kind == "tokenizer.json" else "es_XX"  # no piece, and one of theirs
    for text in ("one <pad> two", f"one </s> two{unknown}"):
        assert pieces.source(text) == source
    prefix = 1 + (pieces.begins_with is not None)
    said = target[:prefix]
    for _ in range(6):
        scores = model(torch.tensor([source]), torch.tensor([said]))
        said = [*said, int(scores[0, -1].argmax())]
    (answer,) = model.answers(["one two"], pieces, longest=6 + prefix - 1)
    ended = pieces._ours([pieces.tokeniser.eos_token_id])[0]
    whole = said[: said.index(ended, prefix)] if ended in said[prefix:] else said
    assert answer == pieces.texts([pieces._ours(whole)])[0] != ""


@pytest.fixture
def recipe(tmp_path: Path, folder: Path) -> TrainingRecipe:
    memory = tmp_path / "memory.tsv"
    lines = [f"{one}\t{two}\tdocument of {one}" for one, two in NUMBERS.items()]
    memory.write_text("\n".join(lines), encoding="utf-8")
    return TrainingRecipe((memory,), tmp_path / "model", base=folder, passes=2)


def test_what_a_fine_tuned_model_says_is_what_local_translates(recipe: TrainingRecipe) -> None:
    trained = train(replace(recipe, epsilon=None, passes=100, rate=5e-3), Watch())
    assert trained.card.base == "a t5 of others, which is taken to be public"
    model, pieces = load_pretrained(recipe.output / "transformers", "en", "es")
    answers = model.answers(list(NUMBERS), pieces)
    assert sum(map(str.__eq__, answers, NUMBERS.values())) >= 3
    local = LocalTranslator(LocalSettings(folder=recipe.output), "en", "es")
    said = asyncio.run(local.translate(list(NUMBERS), "en", "es"))
    assert sum(map(str.__eq__, said, answers)) >= 3  # eight bits, and four beams


def test_a_private_model_of_others_is_gone_on_with_and_is_no_base(recipe: TrainingRecipe) -> None:
    private = replace(recipe, epsilon=4.0, sampling="shuffled", freeze=("embeddings", "norms"))
    trained = train(private, Watch())
    assert (trained.way, trained.left_out, trained.unusable) == ("ghost", "", "")
    assert train(private, Watch()).card == trained.card  # nothing is left to be spent
    open_next = replace(recipe, epsilon=None, output=recipe.output.with_name("next"))
    for base in (recipe.output, recipe.output / "transformers"):
        with pytest.raises(ConfigurationError, match="would add up"):
            train(replace(open_next, base=base), Watch())
