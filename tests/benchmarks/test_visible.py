import pytest

from benchmarks.visible import measure
from prism_core.language import LanguageModel


def test_what_is_in_clear_is_marks_grammar_and_words_of_its_phrases() -> None:
    model = LanguageModel.load("en")
    lines = ["The week after, she took the blue letter to the clinic in spite of the snow."]
    sentences = [one for line in model.annotate(lines) for one in line]
    row = measure(sentences, model)
    parts = [row[name] for name in ("punctuation", "function", "content")]
    assert row["kept"] == pytest.approx(sum(parts))
    assert all(part > 0 for part in parts)
