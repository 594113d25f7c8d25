"""Choice between a fused translation and the draft of the model on this machine."""

from __future__ import annotations

import pytest

from prism_core.drafts import prefers_local
from prism_core.drafts.fusion import measure_agreement
from prism_core.margins import find_lead

DRAFT = "As casas pequenas estão vazias."
NEAR, FAR = "As casas pequenas estão vazias hoje.", "Hoje não há ninguém nas casinhas."


@pytest.mark.parametrize("text", ["", DRAFT])
def test_equal_texts_agree_wholly(text: str) -> None:
    assert measure_agreement(text, text) == 1


def test_an_answer_is_written_where_the_translator_leads_by_more_than_it_lost() -> None:
    assert not prefers_local(NEAR, DRAFT, lead=8)
    assert prefers_local(FAR, DRAFT, lead=8)


@pytest.mark.parametrize("text", [DRAFT, NEAR, FAR])
def test_a_translator_that_was_not_measured_is_never_written(text: str) -> None:
    assert prefers_local(text, DRAFT, find_lead("en", "pt", "libretranslate"))


def test_the_lead_of_a_translator_is_the_least_that_was_measured() -> None:
    assert find_lead("en", "pt", "google") == pytest.approx(4.1)
