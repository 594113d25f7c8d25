"""Job of ``prism evaluate training``: how good a trained model is, and what it reveals.

Entry: ``evaluate_model``. Public text with people's translations has BLEU and chrF, which may go
into the model's card. Documents of the training and others that a coin kept out of it have an
audit of membership, which is private: it is counted from private text, and no ε covers it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from prism_core.errors import BadAnswer, ConfigurationError, OutputError, Rejected
from prism_core.files import atomic_write
from prism_core.settings import TranslatorSettings
from prism_core.training.jobs import check_extra
from prism_core.translators import Translator, make_translator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prism_core.evaluation import BoundedFigure
    from prism_core.training import CanaryAudit, Example, MembershipAudit, Unit

_HEADING = "## Quality"
_LONGEST = 128
_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class ModelQuestions:
    """Questions about the model in the folder ``model``.

    ``public``: text that anybody may read, to translate; ``members`` and ``others``: translations
    that it was trained on, and not; ``reference``: a folder with a model of other text.
    ``encoder``: a folder with one of transformers, for BERTScore at its ``layer`` (None: at three
    quarters of its height). ``canaries``: how many made-up documents the plan of its training is
    tried with.
    """

    model: Path
    public: tuple[Path, ...] = ()
    members: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()
    reference: Path | None = None
    encoder: Path | None = None
    layer: int | None = None
    canaries: int = 0


@dataclass(frozen=True, slots=True)
class FileScores:
    """BLEU and chrF of one public file, in [0, 100], with 95 % intervals over its documents.

    ``bertscore``, in [-1, 1]: F₁ by ``encoder``; None where no encoder was given.
    """

    text: str
    sentences: int
    bleu: tuple[float, float, float]
    chrf: tuple[float, float, float]
    bertscore: tuple[float, float, float] | None = None
    encoder: str | None = None


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """Figures of a model; ``epsilon`` is that of its card, None for a model without."""

    qualities: tuple[FileScores, ...]
    audit: MembershipAudit | None
    epsilon: float | None
    unit: str
    canaries: CanaryAudit | None = None


def evaluate_model(asked: ModelQuestions) -> ModelFigures:
    """Measure a model; write nothing. Raises ``ConfigurationError`` for unreadable files."""
    check_extra()
    card = read_card(asked.model)
    languages = str(card["source"]), str(card["target"])
    epsilon = cast("float | None", card["epsilon"])
    unit = cast("Unit", card["unit"] or "sentence")
    qualities = tuple(_quality(asked, file, *languages) for file in asked.public)
    if bool(asked.members) != bool(asked.others):
        raise ConfigurationError(
            "an audit compares documents of the training, --members, with others, --others"
        )
    audit = None
    if asked.members:
        delta = cast("float", card["delta"]) if epsilon is not None else 0.0
        audit = _audit(asked, languages, unit, delta)
    canaries = _try_canaries(card, asked.canaries) if asked.canaries else None
    return ModelFigures(qualities, audit, epsilon, unit, canaries)


def _try_canaries(card: Mapping[str, Any], count: int) -> CanaryAudit:
    from prism_core.training import NoisePlan, audit_canaries

    if card["epsilon"] is None:
        raise ConfigurationError("a model of public text has no guarantee that canaries could try")
    return audit_canaries(NoisePlan(**card["plan"]), card["clip"], card["delta"], count)


def read_card(folder: Path) -> Mapping[str, Any]:
    """Read the card of a model. Raises ``ConfigurationError`` if there is none."""
    from prism_core.model_card import CARD

    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
        for name in ("source", "target", "epsilon", "delta", "unit"):
            card[name]
    except (OSError, ValueError, LookupError, TypeError):
        raise ConfigurationError(
            f"{folder} holds no model that prism train made: its card.json cannot be read"
        ) from None
    return card


def write_into_card(folder: Path, qualities: Sequence[FileScores]) -> None:
    """Write the figures of public text into both forms of the card, replacing older ones.

    Raises ``OutputError``.
    """
    from prism_core.model_card import CARD
    from prism_core.training import PAGE

    card = dict(read_card(folder))
    card["quality"] = [asdict(quality) for quality in qualities]
    heads = ["public text", "sentences", "BLEU", "chrF"]
    encoder = next((quality.encoder for quality in qualities if quality.encoder), None)
    heads += [f"BERTScore ({encoder})"] if encoder else []
    rows = [heads, ["---"] * len(heads), *map(figures_of, qualities)]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    try:
        page = (folder / PAGE).read_text(encoding="utf-8").partition(f"\n{_HEADING}\n")[0]
        for name, text in (
            (CARD, json.dumps(card, indent=1, ensure_ascii=False) + "\n"),
            (PAGE, f"{page}\n{_HEADING}\n\n{table}\n95 % intervals. By sacrebleu.\n"),
        ):
            with atomic_write(folder / name) as file:
                file.write(text.encode())
    except OSError as error:
        raise OutputError(f"{folder} cannot be written: {error.strerror}") from None


def figures_of(quality: FileScores) -> list[str]:
    """Return a table row: the text, its sentences, BLEU, chrF and, if measured, BERTScore."""
    row = [
        quality.text,
        f"{quality.sentences:,}",
        say_bounded(quality.bleu),
        say_bounded(quality.chrf),
    ]
    return row if quality.bertscore is None else [*row, say_bounded(quality.bertscore, 3)]


def say_bounded(figure: tuple[float, float, float], digits: int = 1) -> str:
    """Format a figure between the ends of its interval."""
    value, low, high = (f"{number:.{digits}f}" for number in figure)
    return f"{value} [{low}, {high}]"


def _quality(asked: ModelQuestions, file: Path, source: str, target: str) -> FileScores:
    from prism_core.evaluation import measure_likeness, measure_overlap
    from prism_core.training import is_firefox_model, read_documents

    pairs = [
        pair
        for document in read_documents([file], source, target, "sentence").pairs
        for pair in document
    ]
    name = "firefox" if is_firefox_model(asked.model) else "local"
    settings = TranslatorSettings.choose(name=name, folder=asked.model)
    translator = make_translator(settings, source, target)
    texts = asyncio.run(_answers(translator, [pair.source for pair in pairs], source, target))
    references = [pair.target for pair in pairs]
    found = measure_overlap(texts, references)
    quality = FileScores(file.name, len(pairs), _interval(found["bleu"]), _interval(found["chrf"]))
    if asked.encoder is None:
        return quality
    likeness = measure_likeness(texts, references, asked.encoder, asked.layer)
    return replace(quality, bertscore=_interval(likeness), encoder=asked.encoder.resolve().name)


async def _answers(
    translator: Translator, texts: Sequence[str], source: str, target: str
) -> list[str]:
    """Translate ``texts``; "" for a text that does not end or is too long for the model."""
    found: list[str] = []
    for start in range(0, len(texts), _AT_ONCE):
        some = texts[start : start + _AT_ONCE]
        try:
            found += await translator.translate(some, source, target)
        except (Rejected, BadAnswer):
            if len(some) == 1:
                found.append("")
                continue
            for text in some:
                found += await _answers(translator, [text], source, target)
    return found


def _interval(figure: BoundedFigure) -> tuple[float, float, float]:
    return figure.value or 0.0, figure.low or 0.0, figure.high or 0.0


def _audit(
    asked: ModelQuestions, languages: tuple[str, str], unit: Unit, delta: float
) -> MembershipAudit:
    from prism_core.training import (
        ModelFolder,
        audit_membership,
        encode_documents,
        losses_of,
        read_documents,
    )

    model, vocabulary = ModelFolder(asked.model).load()
    sides: list[list[Example]] = [
        encode_documents(read_documents(files, *languages, unit).pairs, vocabulary, _LONGEST, None)
        for files in (asked.members, asked.others)
    ]
    members, others = (losses_of(model, side) for side in sides)
    known = None
    if asked.reference is not None:
        reference, pieces = ModelFolder(asked.reference).load()
        if pieces.model != vocabulary.model:
            raise ConfigurationError(f"{asked.reference} has other pieces than {asked.model}")
        known = losses_of(reference, sides[0]), losses_of(reference, sides[1])
    return audit_membership(members, others, delta, known)
