"""Folder of a model: what CTranslate2 runs, its card, and in ``training/`` its checkpoints.

    model.bin config.json *_vocabulary.json source.spm target.spm    for ``--translator local``
    MODEL_CARD.md card.json                                          its guarantee
    training/ledger.jsonl kept.pt vocabulary.spm                     to resume a killed training
    training/weights.pt                                              to begin another one from

Nothing of it holds text. The guarantee of the last model covers all checkpoints. The ``Card`` says
how the model was trained, what its guarantee is, and what that does not cover.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from prism_core.errors import ConfigurationError, OutputError, StateError, StoreInUse
from prism_core.files import atomic_write, make_folder
from prism_core.model_card import CARD, UNITS, weight_digests
from prism_core.training.ctranslate2_export import read_export
from prism_core.training.firefox_base import FirefoxModel, is_firefox_model, load_firefox_model
from prism_core.training.lot_sampling import NoisePlan
from prism_core.training.subwords import SubwordVocabulary
from prism_core.training.transformer import BROKEN, ModelShape, Transformer

PAGE = "MODEL_CARD.md"

_PUBLIC = """It was trained without any protection: its text has to be public."""

_SAMPLINGS = {
    "poisson": "Poisson: each example by itself with probability q",
    "truncated-poisson": "Poisson, cut off at the largest lot; what that costs is in δ",
    "shuffled": "shuffled: each example once a pass. **No privacy is gained by the order**, and "
    "none is counted",
}

NOT_COVERED = (
    "Each model counts by itself: of several trained on one memory the ε add up, and so do "
    "trials to choose settings, unless they were made on other text.",
    "The number of examples is published; that it does not change is part of the guarantee.",
    "The vocabulary and the base are taken to be public.",
    "The loss that is shown while it trains is private: whoever sees it sees more than the model. "
    "It is written nowhere.",
    "A name in many documents is protected less than one in a single document.",
    "Noise is drawn from the operating system and added in floating point; attacks on its last "
    "bits are made harder, not excluded.",
    "Time and memory that the training took are not hidden from who watches the machine.",
)


class ModelFolder:
    """Folder in which one model is, or will be; creating the object changes nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._training = folder / "training"

    @property
    def ledger(self) -> Path:
        """Path of the ledger of a private model."""
        return self._training / "ledger.jsonl"

    @property
    def checkpoint(self) -> Path:
        """Path of the checkpoint."""
        return self._training / "kept.pt"

    @property
    def began(self) -> bool:
        """True if a private training was begun here."""
        return self.ledger.exists() or self.checkpoint.exists()

    def make(self) -> None:
        """Make the folders, for their owner alone. Raises ``OutputError``."""
        try:
            make_folder(self._training)
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
            file = (self._training / "lock").open("ab")
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
            with atomic_write(self._training / "vocabulary.spm") as file:
                file.write(vocabulary.model)
        except OSError as error:
            raise OutputError(f"{self.folder} cannot be written: {error.strerror}") from None

    def vocabulary(self) -> SubwordVocabulary:
        """Load the saved vocabulary, or the one that goes with what CTranslate2 runs.

        Raises ``ConfigurationError`` if there is none.
        """
        kept = self._training / "vocabulary.spm"
        try:
            return SubwordVocabulary(
                (kept if kept.exists() else self.folder / "source.spm").read_bytes()
            )
        except (OSError, RuntimeError):
            raise self._no_model() from None

    def save_weights(self, model: Transformer) -> None:
        """Save the trained model exactly. Raises ``OSError``."""
        content = {"shape": asdict(model.shape), "model": model.state_dict()}
        with atomic_write(self._training / "weights.pt") as file:
            torch.save(content, file)

    def weights(self, dropout: float) -> Transformer:
        """Load the saved model, or that of CTranslate2 in a folder without ``training/``.

        Raises ``ConfigurationError`` if there is none.
        """
        path = self._training / "weights.pt"
        try:
            if not path.exists():
                return read_export(self.folder, dropout)
            content = torch.load(path, weights_only=True, map_location="cpu")
            model = Transformer(ModelShape(**content["shape"]), dropout)
            model.load_state_dict(content["model"])
        except BROKEN:
            raise self._no_model() from None
        return model

    def load(self, dropout: float = 0.0) -> tuple[Transformer | FirefoxModel, SubwordVocabulary]:
        """Load the model in the folder with its vocabulary, also one of Firefox Translations.

        Raises ``ConfigurationError`` if there is none.
        """
        if is_firefox_model(self.folder):
            return load_firefox_model(self.folder)
        return self.weights(dropout), self.vocabulary()

    def _no_model(self) -> ConfigurationError:
        return ConfigurationError(
            f"{self.folder} holds no model that prism train made (training/weights.pt and "
            "training/vocabulary.spm, or model.bin and source.spm)"
        )


@dataclass(frozen=True, slots=True)
class Card:
    """Card of a model; ``epsilon`` and the rest of the guarantee are None for public text."""

    source: str
    target: str
    parameters: int
    base: str
    epsilon: float | None = None
    epsilon_rdp: float | None = None
    delta: float | None = None
    unit: str | None = None
    sentences: int | None = None
    clip: float | None = None
    plan: NoisePlan | None = None
    ledger: str | None = None
    """Hash of the ledger's last line."""

    def page(self) -> str:
        """Return the card as a page for people."""
        begin = f"# A translator from {self.source} to {self.target}\n\n"
        begin += f"{self.parameters:,} weights; began from {self.base}. Made by `prism train`.\n\n"
        if self.plan is None or self.epsilon is None:
            return f"{begin}## Privacy\n\n{_PUBLIC}\n"
        plan, unit = self.plan, self.unit or ""
        cut = f"; of each the first {self.sentences:,} sentences count" if self.sentences else ""
        rows = [
            ("ε (privacy loss distributions)", f"{self.epsilon:.4g}"),
            ("ε (Rényi divergences), for comparison", f"{self.epsilon_rdp:.4g}"),
            ("δ", f"{self.delta:.3g}"),
            ("what is protected", f"{UNITS[unit]}{cut}"),
            ("sampling", _SAMPLINGS[plan.sampling]),
            ("examples N, lot L, q", f"{plan.examples:,}, {plan.lot:,}, {plan.rate:.4g}"),
            ("largest lot", f"{plan.largest:,}" if plan.largest else "any"),
            ("steps", f"{plan.steps:,}"),
            ("noise σ, norm C, divisor", f"{plan.noise:.4f}, {self.clip:g}, {plan.lot:,}"),
            ("accountant", "dp-accounting; neighbours: an example emptied (zero-out)"),
            ("last hash of the ledger", f"`{self.ledger}`"),
        ]
        table = "".join(f"| {name} | {value} |\n" for name, value in rows)
        limits = "".join(f"- {line}\n" for line in NOT_COVERED)
        return f"{begin}## Privacy\n\n| | |\n| --- | --- |\n{table}\n## Not covered\n\n{limits}"

    def write(self, folder: Path) -> None:
        """Write the card to ``folder``, for programs and people, with digests of the weights.

        Raises ``OSError``.
        """
        content = {
            **asdict(self),
            "weights": weight_digests(folder),
            "not_covered": NOT_COVERED if self.plan else [_PUBLIC],
        }
        for name, text in (
            (CARD, json.dumps(content, indent=1, ensure_ascii=False) + "\n"),
            (PAGE, self.page()),
        ):
            with atomic_write(folder / name) as file:
                file.write(text.encode())
