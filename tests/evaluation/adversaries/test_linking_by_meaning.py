"""What was sent is linked by what it means where a model of sentence embeddings is given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.adversaries import Case, attack_case
from prism_core.evaluation.adversaries.base import Original, Request, SentRequest
from prism_core.evaluation.adversaries.cases import public_knowledge
from prism_core.evaluation.adversaries.linking import load_embedder
from prism_core.evaluation.findings import Finding
from tests.evaluation.embeddings import save_model
from tests.words import dictionary, nouns

WORDS = [f"word{i}" for i in range(60)]
SYNONYMS = [f"alike{i}" for i in range(60)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    return save_model(folder, list(zip(WORDS, SYNONYMS, strict=True)))


def archive(model: Path | None, code: Callable[[int], str]) -> Case:
    """Sentences of one structure, the word of each replaced by ``code`` of its number."""
    embedder = load_embedder(model) if model else None
    public = public_knowledge(dictionary(*nouns(3)), [("the", "word")], (), embedder)
    sent = [SentRequest(Request(("the", code(i), "."), frozenset({1})), i, i) for i in range(60)]
    originals = [Original(i, ("the", word, ".")) for i, word in enumerate(WORDS)]
    return Case(tuple(sent), tuple(originals), (), public, ordered=False)


def linked(case: Case) -> dict[str, Finding]:
    return {one.attack: one for one in attack_case(case, Random(1), {"linking by meaning"})}


def test_rows_have_length_one_and_unknown_words_none(model: Path) -> None:
    rows = load_embedder(model)([("the", "word3"), ("word3", "alike3"), ("quite", "unknown")])
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 0])
    assert rows[0] @ rows[1] > 0.9


def test_substitutes_of_like_meaning_give_the_original_away(model: Path) -> None:
    found = linked(archive(model, lambda i: SYNONYMS[i]))
    assert set(found) == {"link-meaning@10", "link-both@10"}
    assert found["link-meaning@10"].value > 0.9
    assert found["link-both@10"].value > 0.9


def test_substitutes_of_any_meaning_do_not(model: Path) -> None:
    rng = Random(3)
    found = linked(archive(model, lambda _: rng.choice(SYNONYMS)))
    assert not any(one.differs_from_chance(0.999) for one in found.values())


def test_without_a_model_nothing_is_linked_by_meaning() -> None:
    assert linked(archive(None, lambda i: SYNONYMS[i])) == {}


def test_a_folder_without_a_model_is_told(tmp_path: Path, model: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"lacks config\.json, model\.safetensors"):
        load_embedder(tmp_path)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (tmp_path / name).write_text("{")
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_embedder(tmp_path)
