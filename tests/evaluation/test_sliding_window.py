import pytest

from prism_core.evaluation import read_mctest
from prism_core.privacy_score import (
    Question,
    SlidingWindow,
    accuracy,
    privacy_score,
)
from tests.shared_data import shared


@pytest.fixture(scope="module")
def mc160() -> tuple[list[str], list[tuple[Question, ...]], SlidingWindow]:
    stories = read_mctest(shared("mctest/mc160.test.tsv"), shared("mctest/mc160.test.ans"))
    stop_words = shared("mctest/stopwords.txt").read_text("utf-8").split()
    return [s.text for s in stories], [s.questions for s in stories], SlidingWindow(stop_words)


def test_the_published_baseline_is_reached(mc160) -> None:
    texts, questions, evaluator = mc160
    assert accuracy(evaluator, texts, questions) == pytest.approx(0.66, abs=0.01)


def test_privacy_of_the_untouched_story_is_what_accuracy_leaves(mc160) -> None:
    texts, questions, evaluator = mc160
    known = accuracy(evaluator, texts, questions)
    assert privacy_score(evaluator, texts, questions) == pytest.approx(1 - known)


def test_an_empty_text_leaves_one_choice_of_four(mc160) -> None:
    texts, questions, evaluator = mc160
    assert privacy_score(evaluator, [""] * len(texts), questions) == pytest.approx(0.75)


def test_a_text_without_any_word_of_the_questions_tells_as_little_as_none(mc160) -> None:
    texts, questions, evaluator = mc160
    assert privacy_score(evaluator, ["qqq xxx zzz"] * len(texts), questions) == pytest.approx(0.75)


def right(text: str, question: str, *choices: str, stop_words: str = "") -> float:
    """The probability of the first choice."""
    asked = Question(question, choices, 0)
    return SlidingWindow(stop_words.split()).answer(text, [asked])[0]


def test_the_choice_that_stands_in_the_text_wins() -> None:
    assert right("Tom had a red boat and a dog.", "What had Tom?", "red boat", "green car") == 1
    assert right("Tom had a red boat and a dog.", "What had Tom?", "green car", "red boat") == 0


def test_equal_choices_share_the_probability() -> None:
    assert right("nothing of it", "Who?", "one", "two", "three") == pytest.approx(1 / 3)


def test_the_nearer_of_two_choices_wins_by_distance() -> None:
    text = "cake for Ann then came a long day of rain and Bob ate bread"
    assert right(text, "What did Ann get?", "cake", "bread") == 1


def test_stop_words_do_not_count_for_distance() -> None:
    text = "x the v near w a b c far"
    assert right(text, "the", "near", "far") == 1
    assert right(text, "the", "near", "far", stop_words="the") == pytest.approx(1 / 2)


def test_a_frequent_word_counts_less_than_a_rare_one() -> None:
    text = "dog q dog q dog q q q q fox"
    assert right(text, "p", "fox", "dog") == 1


def test_documents_and_questions_must_be_as_many() -> None:
    with pytest.raises(ValueError, match="zip"):
        accuracy(SlidingWindow(), ["a", "b"], [()])


def test_a_score_without_a_question_is_refused() -> None:
    with pytest.raises(ValueError, match="no question"):
        accuracy(SlidingWindow(), ["a"], [()])
