"""Card of a trained model: its training, its guarantee, and what the guarantee does not cover."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from prism_core.files import atomic_write
from prism_core.model_card import CARD, UNITS, weight_digests
from prism_core.training.lot_sampling import NoisePlan

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
