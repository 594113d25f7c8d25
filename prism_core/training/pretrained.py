"""Pretrained models in the format of transformers: T5, mT5, mBART, Marian (extra ``pretrained``).

Nothing is fetched and no code of the folder is run. The loaded weights are compared with the file
bit by bit, because versions of transformers have mixed up tied weights. The models are called as
our own is, with its numbers of pieces: those of the tokeniser, with padding moved to 0.

Entry: ``find_pretrained`` and ``load_pretrained``; ``Pretrained`` and ``Pieces``;
``save_pretrained``.
"""

from __future__ import annotations

import errno
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from prism_core.errors import ConfigurationError
from prism_core.training.transformer import PADDING

OWN = "transformers"
"""Name of the sub-folder that holds a model in the format of transformers."""

KINDS = ("t5", "mt5", "mbart", "marian")
_EXPORTED = {
    "t5": ("spiece.model", "spiece.model"),
    "mt5": ("spiece.model", "spiece.model"),
    "marian": ("source.spm", "target.spm"),
}
"""Model kinds that ``--translator local`` can run, with the files of their pieces.

mBART is missing: it must be told the languages, which that translator does not do.
"""
_UNSEEN = -1e9
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")


def find_pretrained(folder: Path) -> Path | None:
    """Find a transformers model in ``folder``, there or as ``save_pretrained`` put it."""
    return next((place for place in (folder, folder / OWN) if _is_pretrained(place)), None)


def _is_pretrained(folder: Path) -> bool:
    try:
        kind = json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"]
    except (OSError, ValueError, LookupError, TypeError):
        return False
    return isinstance(kind, str) and any(_weight_files(folder))


class Pretrained(nn.Module):
    """Model of transformers with the interface of ``Transformer``."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self._padding = int(model.config.pad_token_id)

    @property
    def kind(self) -> str:
        """Kind of the model: one of ``KINDS``."""
        return str(self.model.config.model_type)

    @property
    def origin(self) -> str:
        """Words for it in the card of a model that began from it."""
        return f"a {self.kind} of others, which is taken to be public"

    @property
    def vocabulary_size(self) -> int:
        """Size of the vocabulary."""
        return int(self.model.config.vocab_size)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Call the model; masks are made here, because ``vmap`` hides their values."""
        ones = torch.ones(target.shape[1], target.shape[1], device=target.device)
        later = (_UNSEEN * ones).triu(1).expand(len(target), 1, -1, -1)
        unseen = _UNSEEN * (source == PADDING).to(ones)
        scores = self.model(
            input_ids=self._swap(source),
            attention_mask=unseen[:, None, None, :],
            decoder_input_ids=self._swap(target),
            decoder_attention_mask=later,
            use_cache=False,
        ).logits
        if self._padding == PADDING:
            return scores
        places = torch.arange(scores.shape[-1], device=scores.device)
        return scores.index_select(-1, self._swap(places))

    def answers(self, texts: Sequence[str], pieces: Pieces, longest: int = 128) -> list[str]:
        """Translate ``texts`` greedily, with the likeliest piece at each place."""
        self.eval()
        sources = [pieces.source(text) for text in texts]
        widest = max(map(len, sources))
        source = torch.tensor([pieces + [PADDING] * (widest - len(pieces)) for pieces in sources])
        source = source.to(next(self.parameters()).device)
        with torch.no_grad():
            found = self.model.generate(
                input_ids=self._swap(source),
                attention_mask=(source != PADDING).long(),
                max_new_tokens=longest,
                do_sample=False,
                num_beams=1,
                decoder_start_token_id=pieces.starts_with,
                forced_bos_token_id=pieces.begins_with,
            )
        return pieces.texts(found.tolist())

    def _swap(self, pieces: Tensor) -> Tensor:
        if self._padding == PADDING:
            return pieces
        theirs = torch.where(pieces == self._padding, PADDING, pieces)
        return torch.where(pieces == PADDING, self._padding, theirs)


class Pieces:
    """Conversion of text to piece numbers by the tokeniser of a transformers model.

    A piece of the tokeniser's own in a text (``</s>``, ``<pad>``, ``<extra_id_0>``) is left out: it
    would end the sentence, weigh nothing, or be no piece of the model.
    """

    def __init__(self, folder: Path, tokeniser: Any, config: Any, source: str, target: str) -> None:
        self.folder = folder
        self.tokeniser = tokeniser
        self._padding = int(config.pad_token_id)
        special = (token.content for token in tokeniser.added_tokens_decoder.values())
        self._special = re.compile("|".join(map(re.escape, sorted(special, key=len, reverse=True))))
        self.starts_with: int = config.decoder_start_token_id
        """First piece of a decoder's input, by the numbers of the tokeniser."""
        self.begins_with: int | None = None
        """Piece that an answer must begin with: the language, for a multilingual model."""
        if config.model_type == "mbart":
            tokeniser.src_lang, tokeniser.tgt_lang = map(self._language, (source, target))
            labels = tokeniser(text_target="a").input_ids
            code = tokeniser.convert_tokens_to_ids(tokeniser.tgt_lang)
            self.starts_with = labels[-1]
            self.begins_with = code if labels[0] == code else None

    def source(self, text: str) -> list[int]:
        """Return the pieces of ``text`` to be translated."""
        return self._ours(self.tokeniser(self._bare(text)).input_ids)

    def target(self, text: str) -> list[int]:
        """Return the pieces of a translation, after the one that a decoder begins with."""
        pieces: list[int] = self.tokeniser(text_target=self._bare(text)).input_ids
        return self._ours([self.starts_with, *pieces])

    def texts(self, pieces: Sequence[Sequence[int]]) -> list[str]:
        """Decode answers of the model to text."""
        texts: list[str] = self.tokeniser.batch_decode(pieces, skip_special_tokens=True)
        return texts

    def _bare(self, text: str) -> str:
        return " ".join(self._special.sub(" ", text).split())

    def _ours(self, pieces: Sequence[int]) -> list[int]:
        swapped = {PADDING: self._padding, self._padding: PADDING}
        return [swapped.get(piece, piece) for piece in pieces]

    def _language(self, code: str) -> str:
        known = (word for word in self.tokeniser.get_vocab() if re.fullmatch("[a-z]+_[A-Z]+", word))
        for word in known:
            if word.partition("_")[0] == code:
                return str(word)
        raise ConfigurationError(f"the base knows no language {code}")


def load_pretrained(folder: Path, source: str, target: str) -> tuple[Pretrained, Pieces]:
    """Load the model in ``folder``, in training mode, with its tokeniser.

    Raises ``ConfigurationError`` if transformers is missing, for an unknown kind of model, and if a
    weight of the file is not in the model unchanged.
    """
    if find_spec("transformers") is None:
        raise ConfigurationError(
            f"{folder} holds a model of transformers: pip install 'prism-translate[pretrained]'"
        )
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config["model_type"] not in KINDS:
        raise ConfigurationError(
            f"{folder} holds a {config['model_type']}; bases are {', '.join(KINDS)}"
        )
    try:
        model, said = AutoModelForSeq2SeqLM.from_pretrained(
            str(folder),
            local_files_only=True,
            dtype=torch.float32,
            attn_implementation="eager",
            output_loading_info=True,
            trust_remote_code=False,
        )
        tokeniser = AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception:  # noqa: BLE001 - theirs are of many kinds: of pickle, of safetensors
        raise ConfigurationError(f"the model in {folder} cannot be loaded") from None
    wrong = sorted(said["missing_keys"]) or list(_altered(folder, model))
    if wrong:
        raise ConfigurationError(
            f"{folder}: {wrong[0]} is not in the model as it stands in the file; this version of "
            "transformers does not load it as it was saved"
        )
    pieces = Pieces(folder, tokeniser, model.config, source, target)
    return Pretrained(model).train(), pieces


def _altered(folder: Path, model: Any) -> Iterator[str]:
    """Yield the weights of the files, and the lookups of the model, that differ in any bit."""
    loaded, stored = model.state_dict(), _stored(folder)
    shared = next((t for n, t in stored.items() if n.endswith("shared.weight")), None)
    for name, weight in loaded.items():
        true = stored.get(name)
        if true is None and name.endswith("embed_tokens.weight"):
            true = shared
        if true is not None and not torch.equal(weight, true.to(weight)):
            yield name


def _stored(folder: Path) -> dict[str, Tensor]:
    from safetensors.torch import load_file

    found: dict[str, Tensor] = {}
    for file in _weight_files(folder):
        is_safe = file.suffix == ".safetensors"
        found |= load_file(file) if is_safe else torch.load(file, weights_only=True)
    return found


def _weight_files(folder: Path) -> list[Path]:
    """List the weight files that transformers reads: those of the first kind that exists."""
    found = (sorted(folder.glob(pattern)) for pattern in _WEIGHTS)
    return next((files for files in found if files), [])


def save_pretrained(model: Pretrained, pieces: Pieces, folder: Path) -> str:
    """Write ``model`` to ``folder``, for transformers and, if possible, for ``local``.

    Returns the reason why ``local`` cannot run it; "" if it can. Raises ``OSError``.
    """
    from safetensors import SafetensorError
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    own = folder / OWN
    try:
        model.model.save_pretrained(str(own))
    except SafetensorError:
        raise OSError(errno.EIO, "is the disk full?") from None
    pieces.tokeniser.save_pretrained(str(own))
    names = _EXPORTED.get(model.kind)
    if names is None:
        return f"--translator local cannot run it: a {model.kind} has to be told the languages"
    if not all((pieces.folder / name).is_file() for name in names):
        return f"--translator local cannot run it: the base has no {' and '.join(names)}"
    for name, written in zip(names, ("source.spm", "target.spm"), strict=True):
        for place in (own / name, folder / written):
            shutil.copyfile(pieces.folder / name, place)
    from ctranslate2.converters import TransformersConverter

    converted = folder / "converted"
    TransformersConverter(str(own)).convert(str(converted), quantization="int8", force=True)
    for file in converted.iterdir():
        file.replace(folder / file.name)
    converted.rmdir()
    return ""
