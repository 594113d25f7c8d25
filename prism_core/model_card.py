"""The card of a trained model: reading the guarantee that it states.

A model that ``prism train`` made has ``card.json`` in its folder, with digests of its weights.
"""

from __future__ import annotations

import json
from hashlib import file_digest
from pathlib import Path
from typing import Any

CARD = "card.json"

UNITS = {
    "document": "one whole document, with all its sentences",
    "sentence": "one sentence pair. **This is the weaker unit**: what several sentences tell "
    "together (a patient, a case) is protected less, k sentences by about k times ε",
}

_WEIGHTS = ("model.bin", "training/weights.pt", "*.safetensors", "pytorch_model*.bin")


def weight_digests(folder: Path) -> dict[str, str]:
    """Of each file of weights in ``folder``, by its name there. Raises ``OSError``."""
    found = {}
    for path in sorted(path for name in _WEIGHTS for path in folder.glob(name)):
        with path.open("rb") as file:
            found[str(path.relative_to(folder))] = file_digest(file, "sha256").hexdigest()
    return found


def _card_of(folder: Path) -> dict[str, Any]:
    """The card in ``folder``, empty where there is none, or where it is of other weights than are
    there: files that were mixed up show; who forges both is not found out."""
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
        there = weight_digests(folder)
        return card if there and there.items() <= card["weights"].items() else {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def is_public(folder: Path) -> bool:
    """Whether the card in ``folder`` says that its model was trained on public text alone."""
    card = _card_of(folder)
    return bool(card) and card.get("plan", "") is None and card.get("epsilon", "") is None


def is_stated(folder: Path) -> bool:
    """Whether ``folder`` has a card, whatever it says."""
    return (folder / CARD).exists()


def read_guarantee(folder: Path) -> str:
    """What the card in ``folder`` says of its model, on one line without text: its ε, δ and unit;
    that it is ``public``; or that nothing is ``stated``, where there is no card of its weights."""
    if is_public(folder):
        return "trained=public"
    card = _card_of(folder)
    try:
        epsilon, delta, unit = float(card["epsilon"]), float(card["delta"]), card["unit"]
    except (ValueError, LookupError, TypeError):
        return "epsilon=unstated"
    return f"epsilon={epsilon:.4g} delta={delta:.3g} unit={unit if unit in UNITS else 'unstated'}"
