"""The job behind ``prism train``: from files of translations to a folder with a model and its card.

Entry: ``train``. The guarantee is settled before the first step: documents are counted, the noise
for the wished ε is found, the ledger is opened with both. See ``prism_core.training``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from prism_core.errors import ConfigurationError, OutputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prism_core.training import (
        Card,
        Example,
        ModelFolder,
        NoisePlan,
        Part,
        Pieces,
        Pretrained,
        Sampling,
        SubwordVocabulary,
        Transformer,
        Unit,
        Watch,
    )

    Model = Transformer | Pretrained

_LIBRARIES = ("torch", "dp_accounting", "sentencepiece", "ctranslate2")
_UNITS = ("document", "sentence")
_LOTS_A_PASS = 8
_DROPOUT = 0.1
_HEAD = 64
"""The width of a head of attention."""


@dataclass(frozen=True, slots=True)
class TrainingRecipe:
    """What ``prism train`` was asked for.

    ``epsilon`` None: the text is public and nothing is protected. ``delta`` None: at most a tenth
    of 1 / N. ``lot`` None: an eighth of the examples. ``sentences``: the most of a document that
    count. ``largest``: of a truncated lot. ``base``: the folder of a public model to begin from, by
    ``prism train --public`` or of transformers. ``freeze``: parts that are not trained.
    ``devices``: one or several, the first of them with the optimiser.
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
    passes: int = 30
    clip: float = 1.0
    rate: float = 1e-3
    sentences: int | None = None
    longest: int = 128
    base: Path | None = None
    freeze: tuple[Part, ...] = ()
    vocabulary_from: tuple[Path, ...] = ()
    vocabulary_size: int = 8000
    width: int = 256
    layers: int = 3
    devices: tuple[str, ...] = ("cpu",)
    keep_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Trained:
    """What became of it. ``way``: how gradients were clipped, "" where none were; ``left_out``:
    why it was not the fastest way. ``unusable``: why ``local`` cannot run it, "" where it can."""

    folder: Path
    card: Card
    examples: int
    sentences: int
    repeated: int
    way: str = ""
    left_out: str = ""
    unusable: str = ""

    @property
    def cautions(self) -> list[str]:
        """What makes the guarantee weaker than its ε sounds."""
        plan = self.card.plan
        found = cautions_of(plan, self.card.unit or "") if plan else [_PUBLIC]
        return [*found, self.unusable] if self.unusable else found


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What a training would be.

    ``noise_share``: the deviation of the noise in one direction, over the sum of as many clipped
    gradients as are expected; there are as many directions as weights.
    """

    plan: NoisePlan
    delta: float
    epsilon: float
    epsilon_rdp: float
    sentences: int
    noise_share: float
    cautions: list[str]


_PUBLIC = "nothing is protected: whatever is in the text can be in the model"
_FEW = 1000


def cautions_of(plan: NoisePlan, unit: str) -> list[str]:
    """What makes a guarantee weaker than its ε sounds, or the model worse than its data."""
    found = []
    if unit == "sentence":
        found.append("one sentence is protected, not a document: what several tell is not")
    if plan.sampling == "shuffled":
        found.append("shuffled lots gain no privacy; poisson needs far less noise")
    if plan.examples < _FEW:
        found.append(f"{plan.examples:,} examples are few: at a small ε hardly anything is learned")
    return found


def rehearse(recipe: TrainingRecipe) -> Rehearsed:
    """Read, count and find the noise; nothing is trained or written."""
    check_extra()
    from prism_core.training import epsilon_of, read_documents

    documents = read_documents(recipe.files, recipe.source, recipe.target, recipe.unit)
    plan, delta = plan_training(recipe, len(documents.pairs))
    return Rehearsed(
        plan,
        delta,
        epsilon_of(plan, delta),
        epsilon_of(plan, delta, "rdp"),
        sum(map(len, documents.pairs)),
        plan.noise / plan.lot,
        cautions_of(plan, recipe.unit),
    )


def check_privacy(epsilon: float | None, *, public: bool) -> None:
    """Raise ``ConfigurationError`` unless either an ε is given or the text is ``public``."""
    if public == (epsilon is not None):
        raise ConfigurationError(
            "say how private the model has to be, --epsilon 5, or that its text is --public"
        )


def check_extra() -> None:
    """Raise ``ConfigurationError`` where the extra ``train`` is not installed."""
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise ConfigurationError(
            f"training needs {', '.join(missing)}: pip install 'prism-translate[train]' "
            "(docs/training.md says how to get the small build of PyTorch)"
        )


def plan_training(recipe: TrainingRecipe, examples: int) -> tuple[NoisePlan, float]:
    """The plan with the noise that the wished ε needs, and δ. Raises ``ConfigurationError``."""
    from prism_core.training import NoisePlan, find_noise

    if recipe.epsilon is None or not 0 < recipe.epsilon < math.inf:
        raise ConfigurationError("ε is a number over 0: --epsilon 5")
    delta = recipe.delta or 10.0 ** -(math.ceil(math.log10(max(examples, 2))) + 1)
    if delta >= 1 / examples:
        raise ConfigurationError(
            f"δ {delta:g} lets one of {examples:,} examples be given away; take far less than "
            f"{1 / examples:.2g}"
        )
    lot = recipe.lot or math.ceil(examples / _LOTS_A_PASS)
    steps = recipe.passes * math.ceil(examples / lot)
    plan = NoisePlan(examples, lot, steps, 1.0, recipe.sampling, recipe.largest)
    return find_noise(plan, recipe.epsilon, delta), delta


def train(recipe: TrainingRecipe, watch: Watch) -> Trained:
    """Train, export and write the card; goes on with what a killed one left in the folder.

    Raises ``ConfigurationError``, ``StateError`` and ``OutputError``.
    """
    check_extra()
    from prism_core.training import (
        ModelFolder,
        check_devices,
        encode_documents,
        freeze,
        read_documents,
    )

    check_devices(recipe.devices)
    if recipe.epsilon is None and len(recipe.devices) > 1:
        raise ConfigurationError("training on public text goes on one device: name one")
    if recipe.unit not in _UNITS:
        raise ConfigurationError(f"a unit is one of {', '.join(_UNITS)}")
    if recipe.width % _HEAD:
        raise ConfigurationError(f"the width is a multiple of {_HEAD}, not {recipe.width}")

    documents = read_documents(
        recipe.files,
        recipe.source,
        recipe.target,
        "sentence" if recipe.epsilon is None else recipe.unit,
    )
    is_private = recipe.epsilon is not None
    planned = plan_training(recipe, len(documents.pairs)) if is_private else None
    folder = ModelFolder(recipe.output)
    if planned is None and folder.began:
        raise ConfigurationError(f"{recipe.output} holds a private training; name another folder")
    folder.make()
    watch.stage = "learning the vocabulary"
    vocabulary, model = _prepare(recipe, folder)
    examples = encode_documents(documents.pairs, vocabulary, recipe.longest, recipe.sentences)
    freeze(model, recipe.freeze)
    model.to(recipe.devices[0])
    folder.drop_cards()
    card, way, reason = _learn(recipe, folder, model, examples, planned, watch)
    watch.stage = "writing the model"
    unusable = _write(folder, model.eval().cpu(), vocabulary, card)
    sentences = sum(len(one.sources) for one in examples)
    return Trained(
        recipe.output, card, len(documents.pairs), sentences, documents.again, way, reason, unusable
    )


def _prepare(
    recipe: TrainingRecipe, folder: ModelFolder
) -> tuple[SubwordVocabulary, Transformer] | tuple[Pieces, Pretrained]:
    """The vocabulary and the model to begin with: of the base, or new from public text."""
    from prism_core.training import (
        ModelFolder,
        ModelShape,
        Transformer,
        find_pretrained,
        learn_vocabulary,
        load_pretrained,
        public_texts,
    )

    if recipe.base is not None:
        _check_base(recipe.base)
        if (theirs := find_pretrained(recipe.base)) is not None:
            return load_pretrained(theirs, recipe.source, recipe.target)
        base = ModelFolder(recipe.base)
        vocabulary, model = base.vocabulary(), base.weights(_DROPOUT)
    else:
        if folder.began:
            vocabulary = folder.vocabulary()
        else:
            texts = public_texts(recipe.vocabulary_from, recipe.source, recipe.target)
            vocabulary = learn_vocabulary(texts, recipe.vocabulary_size)
        width, layers = recipe.width, recipe.layers
        shape = ModelShape(len(vocabulary), width, width // _HEAD, 4 * width, layers, layers)
        model = Transformer(shape, _DROPOUT)
    folder.save_vocabulary(vocabulary)
    return vocabulary, model


def _check_base(base: Path) -> None:
    """Raise ``ConfigurationError`` for a base that is private, or that nobody says is public. A
    model of others is taken to be."""
    from prism_core.training import ModelFolder, find_pretrained, is_public, is_stated

    own = base.parent if base.name == "transformers" else base
    places = {base, own}
    private = any(ModelFolder(p).began or (is_stated(p) and not is_public(p)) for p in places)
    if private or (find_pretrained(base) is None and not is_public(base)):
        raise ConfigurationError(
            f"{base} is no model that prism train --public made: of a private one the ε would add "
            "up, which is not counted"
        )


def _learn(
    recipe: TrainingRecipe,
    folder: ModelFolder,
    model: Model,
    examples: Sequence[Example],
    planned: tuple[NoisePlan, float] | None,
    watch: Watch,
) -> tuple[Card, str, str]:
    from prism_core.training import (
        Card,
        Effort,
        LedgerTerms,
        Pretrained,
        PrivacyLedger,
        epsilon_of,
        find_way,
        learn_in_clear,
        learn_privately,
    )

    base = "a public model" if recipe.base else "nothing"
    if isinstance(model, Pretrained):
        base = f"a {model.kind} of others, which is taken to be public"
    weights = sum(weight.numel() for weight in model.parameters())
    card = Card(recipe.source, recipe.target, weights, base)
    effort = Effort(recipe.rate, devices=recipe.devices, keep_seconds=recipe.keep_seconds)
    if planned is None:
        learn_in_clear(model, examples, recipe.passes, effort, watch)
        return card, "", ""
    plan, delta = planned
    terms = LedgerTerms(recipe.unit, recipe.sentences, recipe.clip, recipe.epsilon or 0.0, delta)
    way, reason = find_way(model)
    effort = replace(effort, way=way)
    ledger = PrivacyLedger.open(folder.ledger, plan, terms)
    try:
        learn_privately(
            model, examples, plan, recipe.clip, delta, ledger, folder.kept, effort, watch
        )
    finally:
        ledger.close()
    card = replace(
        card,
        epsilon=epsilon_of(plan, delta),
        epsilon_rdp=epsilon_of(plan, delta, "rdp"),
        delta=delta,
        unit=recipe.unit,
        sentences=recipe.sentences,
        clip=recipe.clip,
        plan=plan,
        ledger=ledger.head,
    )
    return card, way, reason


def _write(
    folder: ModelFolder, model: Model, vocabulary: SubwordVocabulary | Pieces, card: Card
) -> str:
    """Gives why ``local`` cannot run it, "" where it can."""
    from prism_core.training import Pieces, Pretrained, export_model, save_pretrained

    unusable = ""
    try:
        if isinstance(model, Pretrained):
            assert isinstance(vocabulary, Pieces)  # noqa: S101
            unusable = save_pretrained(model, vocabulary, folder.folder)
            card.write(folder.folder / "transformers")
        else:
            assert not isinstance(vocabulary, Pieces)  # noqa: S101
            folder.save_weights(model)
            export_model(model, vocabulary, folder.folder)
        card.write(folder.folder)
    except OSError as error:
        raise OutputError(f"{folder.folder} cannot be written: {error.strerror}") from None
    return unusable
