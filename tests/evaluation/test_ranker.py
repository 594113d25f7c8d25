"""The trained adversary: what it reads, what it guesses from questions, and its floor on MCTest."""

from __future__ import annotations

from statistics import fmean

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation import read_mctest
from prism_core.evaluation.jobs.evaluate import make_evaluation_recipe
from prism_core.evaluation.panels import OfflinePanel
from prism_core.evaluation.ranker import TRAINING, Ranker, train_ranker
from prism_core.privacy_score import Question, SlidingWindow
from tests.evaluation.corpus import corpus
from tests.shared_data import SHARED_DATA

NAMES = "amber basil cedar dahlia elder fennel ginger hazel iris jasmine laurel myrtle".split()


def story(place: int, right: str) -> tuple[str, list[Question]]:
    """One question, whose answer stands in the text, and is ``right`` among four."""
    names = [NAMES[(place + n) % len(NAMES)] for n in range(4)]
    answer = place % 4
    names[answer] = right or names[answer]
    text = f"Once there was a garden. The gardener {place} planted {names[answer]} there ."
    return text, [Question(f"What did the gardener {place} plant?", tuple(names), answer)]


def test_without_a_text_it_guesses_what_questions_tell_and_the_window_knows_nothing() -> None:
    """The right choice is the longest in every story."""
    lessons = [story(place, "a very long name of a flower") for place in range(24)]
    _, asked = story(25, "some other flower with many words")
    (chance,) = Ranker.train(lessons, ["the", "a"]).answer("", asked)
    assert (chance, SlidingWindow(["the", "a"]).answer("", asked)) == (1.0, [0.25])


def test_where_questions_tell_nothing_it_reads_the_text() -> None:
    ranker = Ranker.train([story(place, "") for place in range(24)], ["the", "a"])
    read = [ranker.answer(*story(place, "")) for place in range(30, 42)]
    assert read == [[1.0]] * 12
    unread = [ranker.answer("", story(place, "")[1])[0] for place in range(30, 42)]
    assert fmean(unread) < 0.6


def test_on_mctest_its_floor_is_above_chance_and_it_reads_as_well_as_the_window() -> None:
    """.40 without a text, .66 with (``docs/measurements/evaluation.md``)."""
    folder = SHARED_DATA / "mctest"
    stories = read_mctest(folder / "mc160.test.tsv", folder / "mc160.test.ans")
    ranker = train_ranker(SHARED_DATA)
    blind = [one for s in stories for one in ranker.answer("", s.questions)]
    reading = [one for s in stories for one in ranker.answer(s.text, s.questions)]
    assert fmean(blind) == pytest.approx(0.40, abs=0.03)
    assert fmean(reading) == pytest.approx(0.66, abs=0.03)


def test_it_is_the_adversary_and_the_reader_stays_the_window() -> None:
    archive = corpus()
    panel = OfflinePanel(Ranker.train([story(place, "") for place in range(24)], ["the"]))
    (first, _), (own, _) = (one.verdicts(archive, []) for one in (panel, OfflinePanel()))
    assert panel.name != OfflinePanel().name
    assert first.reader_right == own.reader_right


def test_it_is_not_measured_on_the_stories_it_was_trained_on() -> None:
    with pytest.raises(ConfigurationError, match=TRAINING):
        make_evaluation_recipe(corpora=[TRAINING], evaluator="ranker", data=SHARED_DATA)
