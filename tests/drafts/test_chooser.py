"""Choice between a fused translation and the draft of the model on this machine."""

from __future__ import annotations

import pytest

from prism_core.drafts import AlignedDraft, FusionCounts, count_fusion, prefers_local

DRAFT = AlignedDraft(
    "As casas pequenas estão vazias.",
    {(4, 9): (9, 17), (10, 16): (3, 8), (21, 26): (24, 30)},
)
RESTORED = "As casa pequenas estão vazio hoje."
WORDS = {(4, 9): (8, 16), (10, 16): (3, 7), (21, 26): (23, 28)}
CHANGES = {(3, 7): "casas", (23, 28): "vazias"}
FUSED = "As casas pequenas estão vazias hoje."
ALIKE = FusionCounts(10, 8, 0, 0, 20, 20, 0.0, 0.9, 0.95)
"""A sentence whose words stand in the draft too."""


def test_words_are_counted_by_what_the_draft_says_of_them() -> None:
    counts = count_fusion(RESTORED, WORDS, CHANGES, DRAFT, FUSED, weak=1)
    assert (counts.put_in, counts.supported, counts.changed, counts.weak) == (3, 1, 2, 1)
    assert (counts.words, counts.drafted) == (6, 5)
    assert counts.longer > 0
    assert counts.shared_words == pytest.approx(10 / 11)
    assert 0 < counts.shared_runs < 1


@pytest.mark.parametrize("text", ["", "As casas pequenas estão vazias."])
def test_equal_texts_agree_wholly(text: str) -> None:
    counts = count_fusion(text, {}, {}, AlignedDraft(text, {}), text, weak=0)
    assert (counts.longer, counts.shared_words, counts.shared_runs) == (0, 1, 1)


def test_a_translation_that_has_little_in_common_with_the_draft_is_not_written() -> None:
    assert not prefers_local(ALIKE)
    assert prefers_local(ALIKE._replace(supported=1, weak=4, shared_words=0.2, shared_runs=0.1))
