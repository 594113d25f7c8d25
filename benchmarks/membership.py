"""Does a model tell what it was trained on? A membership audit, private models and one by heart.

    python -m benchmarks.membership [--seed 0 …] [--write]

A coin decides of each of 400 captions of Multi30k whether a small model (half a million weights,
begun from 3,000 public captions) is fine-tuned on it: without protection for 60 passes, until it
knows them by heart, and with ε 8 and 1 for 20. Then the attacks of ``prism_core.training`` guess.
``--write`` stores the rows in ``docs/evaluation/training.jsonl``. About a minute of a core
a seed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from random import Random

import torch

from benchmarks.measure import argument_parser, show
from benchmarks.training_runs import LONGEST, Budget, captions, fine_tune, small_base, store
from prism_core.training import audit_membership, encode_documents, losses_of

BUDGETS = (
    Budget(None, passes=60, rate=2e-3),
    Budget(8.0, passes=20, lot=50),
    Budget(1.0, passes=20, lot=50),
)


def main() -> None:
    """Train, audit, print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--seed", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    rows = []
    for row in audits(arguments.seed):
        rows.append(row)
        if arguments.write:
            store(row)
    show(rows, as_json=arguments.json)


def audits(seeds: Sequence[int]) -> Iterator[Mapping[str, object]]:
    """A row for each budget, seed and attack."""
    base, vocabulary = small_base(captions("train", 0, 3000), passes=6)
    candidates = encode_documents(captions("train", 20_000, 20_400), vocabulary, LONGEST, None)
    known = losses_of(base, candidates)
    for seed in seeds:
        coin = Random(seed)
        inside = [coin.random() < 0.5 for _ in candidates]
        members = [one for one, chosen in zip(candidates, inside, strict=True) if chosen]
        chosen = torch.tensor(inside).numpy()
        for budget in BUDGETS:
            model = copy.deepcopy(base)
            cost = fine_tune(model, members, budget)
            found = losses_of(model, candidates)
            delta = 0.0 if budget.epsilon is None else budget.delta
            audit = audit_membership(
                found[chosen], found[~chosen], delta, (known[chosen], known[~chosen])
            )
            for attack in audit.attacks:
                yield {
                    "benchmark": "membership",
                    "corpus": "multi30k",
                    "sampling": budget.sampling,
                    "epsilon": budget.epsilon,
                    "seed": seed,
                    "members": audit.members,
                    "others": audit.others,
                    "attack": attack.name,
                    "auc": round(attack.auc, 3),
                    "low": round(attack.low, 3),
                    "high": round(attack.high, 3),
                    "proved": round(attack.epsilon, 3),
                    "reach": round(attack.reach, 3),
                    "seconds": cost["cpu_seconds"],
                }


if __name__ == "__main__":
    main()
