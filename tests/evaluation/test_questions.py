from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation import read_mctest
from tests.shared_data import shared

ROW = (
    "set.0\tAuthor: 1\tA dog ran.\\newline \\newlineIt hid.\t"
    "one: Who ran?\tA cat\tA dog\tA cow\tA pig\tmultiple: What: then?\tSat\tLay\tHid\tWept"
)


def written(folder: Path, row: str, key: str) -> tuple[Path, Path]:
    stories, answers = folder / "s.tsv", folder / "s.ans"
    stories.write_text(row + "\n", "utf-8")
    answers.write_text(key + "\n", "utf-8")
    return stories, answers


def test_a_story_has_its_paragraphs_questions_and_right_answers(tmp_path: Path) -> None:
    (story,) = read_mctest(*written(tmp_path, ROW, "B\tC"))
    assert story.lines == ("A dog ran.", "It hid.")
    assert [question.text for question in story.questions] == ["Who ran?", "What: then?"]
    assert [q.choices[q.answer] for q in story.questions] == ["A dog", "Hid"]


def test_a_row_of_mc500_with_its_properties_and_tabs_is_read(tmp_path: Path) -> None:
    row = ROW.replace("Author: 1", "Author: 1;Work Time(s): 73;Qual. score: 97;Creativity Words: a")
    (story,) = read_mctest(
        *written(tmp_path, row.replace("A dog ran", "\\tabA dog\\tabran"), "B\tC")
    )
    assert story.lines == ("A dog ran.", "It hid.")


def test_the_shared_test_set_is_read_whole() -> None:
    stories = read_mctest(shared("mctest/mc160.test.tsv"), shared("mctest/mc160.test.ans"))
    assert len(stories) == 60
    assert {len(story.questions) for story in stories} == {4}


@pytest.mark.parametrize("key", ["B", "B\tC\tA", "B\tE", "B\tC\nA\tA"])
def test_answers_of_another_set_are_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(ConfigurationError):
        read_mctest(*written(tmp_path, ROW, key))


def test_a_missing_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"s\.tsv"):
        read_mctest(tmp_path / "s.tsv", tmp_path / "s.ans")
