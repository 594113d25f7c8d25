"""Choice, for each sentence, between the fused translation and that of the model on this machine.

What the translator did not see costs quality, the more, the less the fused translation agrees with
the local draft: that was measured on answers to what is really sent (``python -m
benchmarks.chooser``). So it is written where the translator is better, in clear, by more than that.

Entry: ``prefers_local``.
"""

from __future__ import annotations

from collections import Counter

LOSS = 30.0
"""Loss of a sentence that has nothing in common with the draft, in chrF against a person's."""


def prefers_local(fused: str, draft: str, lead: float) -> bool:
    """Return True unless the ``fused`` translation is likely to be better than the ``draft``.

    ``lead``: chrF of the translator in clear, less that of the model on this machine.
    """
    return lead <= LOSS * (1 - measure_agreement(fused, draft))


def measure_agreement(text: str, draft: str) -> float:
    """Return the share (F1) of the runs of three and of six characters that both have."""
    runs, drafted = _count_runs(text), _count_runs(draft)
    total = runs.total() + drafted.total()
    return 2 * (runs & drafted).total() / total if total else 1.0


def _count_runs(text: str) -> Counter[str]:
    letters = "".join(text.split())
    return Counter(letters[n : n + size] for size in (3, 6) for n in range(len(letters) - size + 1))
