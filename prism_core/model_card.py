"""Card of a trained model, with the privacy guarantee that it states.

A model that ``prism train`` made has ``card.json`` in its folder, with digests of its weights.

Entry: ``read_guarantee``; ``is_public`` and ``is_stated`` for single facts.
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

_WEIGHTS = (
    *("model.bin", "model.*.bin", "training/weights.pt"),
    *("*.safetensors", "pytorch_model*.bin"),
)


def weight_digests(folder: Path) -> dict[str, str]:
    """Return the digest of each file of weights in ``folder``, by its name. Raises ``OSError``."""
    found = {}
    for path in sorted(path for name in _WEIGHTS for path in folder.glob(name)):
        with path.open("rb") as file:
            found[str(path.relative_to(folder))] = file_digest(file, "sha256").hexdigest()
    return found


def _read_card(folder: Path) -> dict[str, Any]:
    """Return the card in ``folder``; empty if it is missing, or belongs to other weights."""
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
        present = weight_digests(folder)
        return card if present and present.items() <= card["weights"].items() else {}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def is_public(folder: Path) -> bool:
    """Return True if the card says that the model was trained on public text alone."""
    card = _read_card(folder)
    return bool(card) and card.get("plan", "") is None and card.get("epsilon", "") is None


def is_stated(folder: Path) -> bool:
    """Return True if ``folder`` has a card, whatever it says."""
    return (folder / CARD).exists()


def read_guarantee(folder: Path) -> str:
    """Return the guarantee in ``folder`` on one line without text: its ε, δ and unit.

    A model of public text gives ``trained=public``; without a card of its weights the line is
    ``epsilon=unstated``.
    """
    if is_public(folder):
        return "trained=public"
    card = _read_card(folder)
    try:
        epsilon, delta, unit = float(card["epsilon"]), float(card["delta"]), card["unit"]
    except (ValueError, LookupError, TypeError):
        return "epsilon=unstated"
    return f"epsilon={epsilon:.4g} delta={delta:.3g} unit={unit if unit in UNITS else 'unstated'}"
