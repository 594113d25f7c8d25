"""Folder of a model: what CTranslate2 runs, the card, and in ``training/`` its checkpoints.

    model.bin config.json *_vocabulary.json source.spm target.spm    for ``--translator local``
    MODEL_CARD.md card.json                                          its guarantee
    training/ledger.jsonl kept.pt vocabulary.spm                     to resume a killed training
    training/weights.pt                                              to begin another one from

Nothing of it holds text. The guarantee of the last model covers all checkpoints.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import torch

from prism_core.errors import ConfigurationError, OutputError, StateError, StoreInUse
from prism_core.files import atomic_write, make_folder
from prism_core.model_card import CARD
from prism_core.training.card import PAGE
from prism_core.training.ctranslate2_export import read_export
from prism_core.training.subwords import SubwordVocabulary
from prism_core.training.transformer import BROKEN, ModelShape, Transformer


class ModelFolder:
    """Folder in which one model is, or will be; creating the object changes nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._grown = folder / "training"

    @property
    def ledger(self) -> Path:
        """Path of the ledger of a private model."""
        return self._grown / "ledger.jsonl"

    @property
    def kept(self) -> Path:
        """Path of the checkpoint."""
        return self._grown / "kept.pt"

    @property
    def began(self) -> bool:
        """True if a private training was begun here."""
        return self.ledger.exists() or self.kept.exists()

    def make(self) -> None:
        """Make the folders, for their owner alone. Raises ``OutputError``."""
        try:
            make_folder(self._grown)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be made: {error.strerror}") from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other training out of the folder while the block lasts.

        Two at once could leave the card of one beside the weights of the other. Makes the folder.
        Raises ``StoreInUse`` if there is another training, and ``OutputError``.
        """
        self.make()
        try:
            file = (self._grown / "lock").open("ab")
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written: {error.strerror}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise StoreInUse(f"{self.folder} is in use: another training is in it.") from None
            yield

    def check_ledger(self, head: str) -> None:
        """Raise ``StateError`` if the card states another end of the ledger than ``head``.

        This ledger is then an older copy, and the loss spent since is missing from it.
        """
        try:
            card = json.loads((self.folder / CARD).read_text(encoding="utf-8"))
            stated = card["ledger"]
        except (OSError, ValueError, LookupError, TypeError):
            return
        if stated and stated != head:
            raise StateError(
                f"{self.ledger} does not end as {CARD} states: it is an older copy, or another. "
                "Put the ledger back, or begin again in another folder: what was spent before "
                "still counts."
            )

    def drop_cards(self) -> None:
        """Delete the cards of an older model. Raises ``OutputError``.

        While the next model grows, and if its training is killed, the folder then claims nothing.
        """
        try:
            for name in (CARD, PAGE):
                (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written: {error.strerror}") from None

    def save_vocabulary(self, vocabulary: SubwordVocabulary) -> None:
        """Save the vocabulary of the model. Raises ``OutputError``."""
        try:
            with atomic_write(self._grown / "vocabulary.spm") as file:
                file.write(vocabulary.model)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written: {error.strerror}") from None

    def vocabulary(self) -> SubwordVocabulary:
        """Load the saved vocabulary, or the one that goes with what CTranslate2 runs.

        Raises ``ConfigurationError`` if there is none.
        """
        kept = self._grown / "vocabulary.spm"
        try:
            return SubwordVocabulary(
                (kept if kept.exists() else self.folder / "source.spm").read_bytes()
            )
        except (OSError, RuntimeError):
            raise self._no_model() from None

    def save_weights(self, model: Transformer) -> None:
        """Save the trained model exactly. Raises ``OSError``."""
        content = {"shape": asdict(model.shape), "model": model.state_dict()}
        with atomic_write(self._grown / "weights.pt") as file:
            torch.save(content, file)

    def weights(self, dropout: float) -> Transformer:
        """Load the saved model, or that of CTranslate2 in a folder without ``training/``.

        Raises ``ConfigurationError`` if there is none.
        """
        try:
            if not (self._grown / "weights.pt").exists():
                return read_export(self.folder, dropout)
            content = torch.load(self._grown / "weights.pt", weights_only=True, map_location="cpu")
            model = Transformer(ModelShape(**content["shape"]), dropout)
            model.load_state_dict(content["model"])
        except BROKEN:
            raise self._no_model() from None
        return model

    def _no_model(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self.folder} holds no model that prism train made (training/weights.pt and "
            "training/vocabulary.spm, or model.bin and source.spm)"
        )
