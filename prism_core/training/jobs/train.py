"""Job of ``prism train``: from files of translations to a folder with a model and its card.

Entry: ``train``. The guarantee is settled before the first step: documents are counted, the noise
for the requested ε is found, and the ledger is opened with both. See ``prism_core.training``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from prism_core.errors import ConfigurationError
from prism_core.training.jobs.training_recipe import (
    HEAD,
    TrainingRecipe,
    cautions_of,
    check_extra,
    check_privacy,
    check_recipe,
    plan_training,
)

__all__ = [
    "Rehearsed",
    "Trained",
    "TrainingRecipe",
    "check_extra",
    "check_privacy",
    "plan_training",
    "rehearse",
    "train",
]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prism_core.training import (
        Card,
        Example,
        Model,
        ModelFolder,
        NoisePlan,
        SubwordTokeniser,
        Watch,
    )

_DROPOUT = 0.1


@dataclass(frozen=True, slots=True)
class Trained:
    """Result of a training.

    ``way``: how gradients were clipped, "" if they were not; ``left_out``: why it was not the
    fastest; ``unusable``: why ``local`` cannot run the model, "" if it can; ``pairs`` were
    read; ``sentences``: those of them that were neither too long nor too many.
    """

    folder: Path
    card: Card
    examples: int
    sentences: int
    repeated: int
    way: str = ""
    left_out: str = ""
    unusable: str = ""
    pairs: int = 0

    @property
    def cautions(self) -> list[str]:
        """Reasons why the guarantee is weaker than its ε sounds."""
        card, found = self.card, [_PUBLIC]
        if card.plan:
            found = cautions_of(card.plan, card.unit or "", self.pairs, card.delta or 0.0)
        return [*found, self.unusable] if self.unusable else found


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """Plan of a training, without training.

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


def rehearse(recipe: TrainingRecipe) -> Rehearsed:
    """Read, count and find the noise; train and write nothing. Refuses what ``train`` refuses."""
    check_extra()
    check_recipe(recipe)
    from prism_core.training import epsilon_of, read_documents

    documents = read_documents(recipe.files, recipe.source, recipe.target, recipe.unit)
    plan, delta = plan_training(recipe, len(documents.pairs))
    pairs = sum(map(len, documents.pairs))
    return Rehearsed(
        plan,
        delta,
        epsilon_of(plan, delta),
        epsilon_of(plan, delta, "rdp"),
        pairs,
        plan.noise / plan.lot,
        cautions_of(plan, recipe.unit, pairs, delta),
    )


def train(recipe: TrainingRecipe, watch: Watch) -> Trained:
    """Train, export and write the card, resuming what a killed training left in the folder.

    Raises ``ConfigurationError``, ``StateError`` and ``OutputError``.
    """
    check_extra()
    from prism_core.training import (
        ModelFolder,
        encode_documents,
        freeze,
        read_documents,
        write_model,
    )

    check_recipe(recipe)
    is_private = recipe.epsilon is not None
    unit = recipe.unit if is_private else "sentence"
    documents = read_documents(recipe.files, recipe.source, recipe.target, unit)
    planned = plan_training(recipe, len(documents.pairs)) if is_private else None
    folder = ModelFolder(recipe.output)
    with folder.held():
        if planned is None and folder.began:
            raise ConfigurationError(
                f"{recipe.output} holds a private training; name another folder"
            )
        watch.stage = "vocabulary"
        model, vocabulary = _begin(recipe, folder)
        examples = encode_documents(documents.pairs, vocabulary, recipe.longest, recipe.sentences)
        freeze(model, recipe.course.freeze)
        model.to(recipe.devices[0])
        card, way, left_out = _learn(recipe, folder, model, vocabulary, examples, planned, watch)
        watch.stage = "writing"
        return Trained(
            recipe.output,
            card,
            examples=len(documents.pairs),
            sentences=sum(len(example.sources) for example in examples),
            repeated=documents.again,
            way=way,
            left_out=left_out,
            unusable=write_model(folder, model.eval().cpu(), vocabulary, card),
            pairs=sum(map(len, documents.pairs)),
        )


def _begin(recipe: TrainingRecipe, folder: ModelFolder) -> tuple[Model, SubwordTokeniser]:
    """Return the model to begin with and its vocabulary: of the base, or new from public text."""
    from prism_core.training import (
        ModelShape,
        SubwordVocabulary,
        Transformer,
        learn_vocabulary,
        load_base,
        public_texts,
    )

    if recipe.base is not None:
        model, vocabulary = load_base(recipe.base, recipe.source, recipe.target, _DROPOUT)
        if isinstance(vocabulary, SubwordVocabulary):
            folder.save_vocabulary(vocabulary)
        return model, vocabulary
    if folder.began:
        learned = folder.vocabulary()
    else:
        texts = public_texts(recipe.vocabulary_from, recipe.source, recipe.target)
        learned = learn_vocabulary(texts, recipe.vocabulary_size)
    width, layers = recipe.width, recipe.layers
    shape = ModelShape(len(learned), width, width // HEAD, 4 * width, layers, layers)
    folder.save_vocabulary(learned)
    return Transformer(shape, _DROPOUT), learned


def _learn(
    recipe: TrainingRecipe,
    folder: ModelFolder,
    model: Model,
    vocabulary: SubwordTokeniser,
    examples: Sequence[Example],
    planned: tuple[NoisePlan, float] | None,
    watch: Watch,
) -> tuple[Card, str, str]:
    from prism_core.training import (
        Card,
        ComputeOptions,
        LedgerTerms,
        PrivacyLedger,
        epsilon_of,
        find_clipping,
        learn_in_clear,
        learn_privately,
    )

    weights = sum(weight.numel() for weight in model.parameters())
    origin = model.origin if recipe.base else "nothing"
    card = Card(recipe.source, recipe.target, weights, origin)
    options = ComputeOptions(
        recipe.course.rate, devices=recipe.devices, keep_seconds=recipe.keep_seconds
    )
    if planned is None:
        folder.drop_cards()
        learn_in_clear(model, examples, recipe.course.passes, options, watch)
        return card, "", ""
    plan, delta = planned
    terms = LedgerTerms(
        recipe.unit,
        recipe.sentences,
        recipe.clip,
        recipe.epsilon or 0.0,
        delta,
        _digest_start(model, vocabulary, has_base=recipe.base is not None),
    )
    clipping, reason = find_clipping(model)
    options = replace(options, clipping=clipping)
    ledger = PrivacyLedger.open(folder.ledger, plan, terms)
    try:
        folder.check_ledger(ledger.head)
        folder.drop_cards()
        learn_privately(
            model, examples, plan, recipe.clip, delta, ledger, folder.checkpoint, options, watch
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
    return card, clipping, reason


def _digest_start(model: Model, vocabulary: SubwordTokeniser, *, has_base: bool) -> str:
    """Digest the public facts of a model before its first step, for resumed trainings.

    A new model begins at random, so its weights are no part of the digest.
    """
    from prism_core.training import SubwordVocabulary

    digest = sha256(vocabulary.model if isinstance(vocabulary, SubwordVocabulary) else b"")
    for name, weight in model.named_parameters():
        digest.update(f"{name} {[*weight.shape]} {weight.requires_grad}\n".encode())
        if has_base:
            digest.update(weight.detach().cpu().contiguous().view(-1).numpy().tobytes())
    return digest.hexdigest()
