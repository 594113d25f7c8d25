"""Request of ``prism train``, and the checks before anything is read.

Entry: ``check_recipe``; then ``plan_training`` with the number of examples, for the noise and δ.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    from prism_core.training import ModelPart, NoisePlan, Sampling, Unit

_LIBRARIES = ("torch", "dp_accounting", "sentencepiece", "ctranslate2")
_UNITS = ("document", "sentence")
_LOTS_A_PASS = 8
_LARGE_DELTA = 0.2
"""Threshold of N δ, the probability that one of N examples is given away whole."""
_LANGUAGE = re.compile("[a-z]{2,3}")
HEAD = 64
"""Width of an attention head."""
_FEW = 1000
_MOST_EPSILON = 100.0
"""Maximum ε: above it a guarantee says nothing, and finding its noise takes minutes."""


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """Request of ``prism train``.

    ``epsilon`` None: the text is public and nothing is protected. ``delta`` None: at most a tenth
    of 1 / N. ``sentences``: the most of a document that count. ``largest``: of a truncated lot.
    ``base``: the folder of a public model to begin from: by ``prism train --public``, of
    transformers or of Firefox Translations. ``freeze``, parts that are not trained, ``lot``,
    ``passes`` and ``rate`` None: see ``course``. ``devices``: one or several, the first with the
    optimiser.
    """

    files: tuple[Path, ...]
    output: Path
    source: str = "en"
    target: str = "es"
    epsilon: float | None = None
    delta: float | None = None
    unit: Unit = "document"
    sampling: Sampling = "poisson"
    lot: int | None = None
    largest: int | None = None
    passes: int | None = None
    clip: float = 1.0
    rate: float | None = None
    sentences: int | None = None
    longest: int = 128
    base: Path | None = None
    freeze: tuple[ModelPart, ...] | None = None
    vocabulary_from: tuple[Path, ...] = ()
    vocabulary_size: int = 8000
    width: int = 256
    layers: int = 3
    devices: tuple[str, ...] = ("cpu",)
    keep_seconds: float = 60.0

    @property
    def course(self) -> Course:
        """Course of the training, with defaults for what is not requested.

        Each trained weight has noise of its own. So of a model of Firefox Translations, private
        training takes normalisations and biases alone, in few large steps.
        """
        from prism_core.training import is_firefox_model

        is_firefox = self.base is not None and is_firefox_model(self.base)
        few: tuple[ModelPart, ...] = (
            ("matrices",) if is_firefox and self.epsilon is not None else ()
        )
        freeze = few if self.freeze is None else self.freeze
        smallest_lot, passes, rate = (256, 4, 9e-3) if "matrices" in freeze else (1, 30, 1e-3)
        passes = passes if self.passes is None else self.passes
        return Course(freeze, smallest_lot, passes, rate if self.rate is None else self.rate)


class Course(NamedTuple):
    """Course of a training.

    ``freeze``: parts that are not trained; ``smallest_lot``: the least that a lot holds, or all
    examples; ``passes`` over the examples; ``rate``: the highest of Adam.
    """

    freeze: tuple[ModelPart, ...]
    smallest_lot: int
    passes: int
    rate: float


def check_privacy(epsilon: float | None, *, public: bool) -> None:
    """Raise ``ConfigurationError`` unless either an ε is given or the text is ``public``."""
    if public == (epsilon is not None):
        raise ConfigurationError(
            "say how private the model has to be, --epsilon 5, or that its text is --public"
        )


def check_extra() -> None:
    """Raise ``ConfigurationError`` if the extra ``train`` is not installed."""
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise ConfigurationError(
            f"training needs {', '.join(missing)}: pip install 'prism-translate[train]' "
            "(docs/training.md says how to get the small build of PyTorch)"
        )


def check_recipe(recipe: TrainingRecipe) -> None:
    """Raise ``ConfigurationError`` for a recipe that cannot be trained, before anything is read."""
    from prism_core.training import check_devices

    languages = recipe.source, recipe.target
    if len({*languages}) < 2 or not all(map(_LANGUAGE.fullmatch, languages)):
        raise ConfigurationError("two languages are named by their codes: --from en --to es")
    if recipe.unit not in _UNITS:
        raise ConfigurationError(f"a unit is one of {', '.join(_UNITS)}")
    if recipe.width < HEAD or recipe.width % HEAD:
        raise ConfigurationError(f"the width is a multiple of {HEAD}, not {recipe.width}")
    course = recipe.course
    for name, value in (("--clip", recipe.clip), ("--learning-rate", course.rate)):
        if not 0 < value < math.inf:
            raise ConfigurationError(f"{name} is a number over 0")
    if min(course.passes, recipe.layers, recipe.sentences or 1) < 1:
        raise ConfigurationError("passes, layers and sentences are at least 1")
    private = {file.resolve() for file in recipe.files} if recipe.epsilon is not None else set()
    if any(file.resolve() in private for file in recipe.vocabulary_from):
        raise ConfigurationError(
            "--vocabulary-from names the private text: pieces learned from it would tell its words"
        )
    check_devices(recipe.devices)
    if recipe.epsilon is None and len(recipe.devices) > 1:
        raise ConfigurationError("training on public text goes on one device: name one")
    if recipe.base is not None:
        _check_base(recipe.base)


def plan_training(recipe: TrainingRecipe, examples: int) -> tuple[NoisePlan, float]:
    """Return the plan with the noise for the requested ε, and δ. Raises ``ConfigurationError``."""
    from prism_core.training import NoisePlan, find_noise

    if recipe.epsilon is None or not 0 < recipe.epsilon <= _MOST_EPSILON:
        raise ConfigurationError(
            f"ε is a number over 0, and at most {_MOST_EPSILON:g}, where hardly anything is "
            "promised any more: --epsilon 5"
        )
    delta = recipe.delta
    if delta is None:
        delta = 10.0 ** -(math.ceil(math.log10(max(examples, 2))) + 1)
    if not delta < 1 / examples:
        raise ConfigurationError(
            f"δ {delta:g} lets one of {examples:,} examples be given away; take far less than "
            f"{1 / examples:.2g}"
        )
    course = recipe.course
    lot = max(math.ceil(examples / _LOTS_A_PASS), min(examples, course.smallest_lot))
    lot = recipe.lot or min(lot, recipe.largest or lot)
    steps = course.passes * math.ceil(examples / lot)
    plan = NoisePlan(examples, lot, steps, 1.0, recipe.sampling, recipe.largest)
    return find_noise(plan, recipe.epsilon, delta), delta


def cautions_of(plan: NoisePlan, unit: str, pairs: int, delta: float) -> list[str]:
    """List why a guarantee is weaker than its ε sounds, or the model worse than its data.

    ``pairs`` is the number of pairs in all documents.
    """
    found = []
    if unit == "document" and pairs == plan.examples > 1:
        found.append("each document has one sentence: see that it is a document that is named")
    if delta * plan.examples > _LARGE_DELTA:
        found.append(f"δ is large: it may give away {delta * plan.examples:.0%} of one document")
    if unit == "sentence":
        found.append("one sentence is protected, not a document: what several tell is not")
    if plan.sampling == "shuffled":
        found.append("shuffled lots gain no privacy; poisson needs far less noise")
    if plan.examples < _FEW:
        found.append(f"{plan.examples:,} examples are few: at a small ε hardly anything is learned")
    return found


def _check_base(base: Path) -> None:
    """Raise ``ConfigurationError`` for a base that is private, or not stated to be public.

    A model of others is taken to be public.
    """
    from prism_core.model_card import is_public, is_stated
    from prism_core.training import ModelFolder, is_of_others

    own = base.parent if base.name == "transformers" else base
    places = {base, own}
    private = any(ModelFolder(p).began or (is_stated(p) and not is_public(p)) for p in places)
    if private or not (is_of_others(base) or is_public(base)):
        raise ConfigurationError(
            f"{base} is no model that prism train --public made: of a private one the ε would add "
            "up, which is not counted"
        )
