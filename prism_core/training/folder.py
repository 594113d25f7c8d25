"""The folder of a model: what CTranslate2 runs, the card, and in ``training/`` what it grew from.

    model.bin config.json *_vocabulary.json source.spm target.spm    for ``--translator local``
    MODEL_CARD.md card.json                                          what it guarantees
    training/ledger.jsonl kept.pt vocabulary.spm                     to go on when it was killed
    training/weights.pt                                              to begin another one from

Nothing of it holds text. All models on the way are covered by the guarantee of the last.
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
from prism_core.training.export import read_export
from prism_core.training.model import BROKEN, ModelShape, Transformer
from prism_core.training.vocabulary import SubwordVocabulary


class ModelFolder:
    """Where one model is, or will be. Making one changes nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._grown = folder / "training"

    @property
    def ledger(self) -> Path:
        """Its ledger, if it is private."""
        return self._grown / "ledger.jsonl"

    @property
    def kept(self) -> Path:
        """The model on the way."""
        return self._grown / "kept.pt"

    @property
    def began(self) -> bool:
        """Whether a private training was begun here."""
        return self.ledger.exists() or self.kept.exists()

    def make(self) -> None:
        """Make the folders, for their owner alone. Raises ``OutputError``."""
        try:
            make_folder(self._grown)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be made: {error.strerror}") from None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other training out of the folder, which is made, while the block lasts: two
        at once could leave the card of one beside the weights of the other.

        Raises ``StoreInUse`` where there is one, and ``OutputError``.
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
        """Raise ``StateError`` where the card states another end of the ledger than ``head``: then
        this ledger is an older copy, and what was spent since is missing from it."""
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
        """Take away what says of an older model how it was trained: while the next one grows, and
        where that is killed, a folder claims nothing. Raises ``OutputError``."""
        try:
            for name in (CARD, PAGE):
                (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written: {error.strerror}") from None

    def save_vocabulary(self, vocabulary: SubwordVocabulary) -> None:
        """Keep what the model's numbers mean. Raises ``OutputError``."""
        try:
            with atomic_write(self._grown / "vocabulary.spm") as file:
                file.write(vocabulary.model)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written: {error.strerror}") from None

    def vocabulary(self) -> SubwordVocabulary:
        """The one that was kept, or that goes with what CTranslate2 runs. Raises
        ``ConfigurationError`` where there is none."""
        kept = self._grown / "vocabulary.spm"
        try:
            return SubwordVocabulary(
                (kept if kept.exists() else self.folder / "source.spm").read_bytes()
            )
        except (OSError, RuntimeError):
            raise self._no_model() from None

    def save_weights(self, model: Transformer) -> None:
        """Keep the trained model exactly. Raises ``OSError``."""
        content = {"shape": asdict(model.shape), "model": model.state_dict()}
        with atomic_write(self._grown / "weights.pt") as file:
            torch.save(content, file)

    def weights(self, dropout: float) -> Transformer:
        """The model that was kept; where it is not there, as in a folder without
        ``training/``, the one of eight bits that CTranslate2 runs. Raises ``ConfigurationError``
        where there is none."""
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
