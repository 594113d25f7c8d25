"""Apertium, the real programs: one answer a sentence, whatever stands around it."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.errors import BadAnswer, Misconfigured, Transient
from prism_core.settings import TranslatorSettings
from prism_core.translators.adapters.apertium import (
    ApertiumSettings,
    ApertiumTranslator,
    from_stream,
    to_stream,
)
from tests.shared_data import shared

SPOILER = "It is not known what the assets will be worth."
"""``known`` has tags that the tagger was not trained on; it then forgets what unknown words are."""
VICTIM = "Otherwise there reputedly looms the threat."


@pytest.fixture
def apertium() -> Iterator[ApertiumTranslator]:
    translator = ApertiumTranslator(TranslatorSettings.choose(), "en", "es")
    yield translator
    asyncio.run(translator.close())


def translate(translator: ApertiumTranslator, *texts: str) -> list[str]:
    return asyncio.run(translator.translate(texts, "en", "es"))


def programs() -> set[int]:
    """The programs of Apertium that run under this process (zombies do not).

    Those of other tests may be among them, and end meanwhile.
    """
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            program = status.with_name("exe").readlink().name
        except OSError:
            continue
        is_running_here = int(fields[1]) == os.getpid() and fields[0] != "Z"
        if is_running_here and program.startswith(("apertium", "cg-", "lrx-", "lsx-", "lt-")):
            found.add(int(status.parent.name))
    return found


def wait_until(condition: object, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def test_translates_english_into_spanish(apertium: ApertiumTranslator) -> None:
    assert translate(apertium, "The red house is old.") == ["La casa roja es vieja."]


def test_news_comes_out_the_same_singly_and_in_batches(apertium: ApertiumTranslator) -> None:
    lines = shared("wmt/en-es/wmt09.en").read_text(encoding="utf-8").splitlines()
    sentences = [line.strip() for line in lines if line.strip()][:200]
    singly = [translate(apertium, sentence)[0] for sentence in sentences]
    assert translate(apertium, *sentences) == singly
    assert translate(apertium, *sentences[::-1]) == singly[::-1]


def test_a_word_that_spoils_the_tagger_spoils_no_other_sentence(
    apertium: ApertiumTranslator,
) -> None:
    (alone,) = translate(apertium, VICTIM)
    assert translate(apertium, VICTIM, SPOILER, VICTIM)[::2] == [alone, alone]
    assert translate(apertium, VICTIM) == [alone]


def test_white_space_around_a_text_is_kept_and_none_is_added_inside(
    apertium: ApertiumTranslator,
) -> None:
    assert translate(apertium, "  \tThe house. ") == ["  \tLa casa. "]
    (answer,) = translate(apertium, "Today, when it dropped by two percent, he left.")
    assert "  " not in answer


def test_unknown_words_come_back_without_a_mark(apertium: ApertiumTranslator) -> None:
    (answer,) = translate(apertium, "The zzyzx met Qwertyuiop.")
    assert "zzyzx" in answer
    assert "Qwertyuiop" in answer
    assert not set("*@#") & set(answer)


def test_the_last_word_is_not_taken_for_an_abbreviation_with_the_end_mark(
    apertium: ApertiumTranslator,
) -> None:
    without, with_point = translate(apertium, "We went to the U.S", "We went to the U.S.")
    assert without.endswith("U.S")
    assert with_point.endswith("EE.UU.")


def test_a_thousand_sentences_do_not_stall_the_pipes(apertium: ApertiumTranslator) -> None:
    texts = [f"The house number {n} is very old and very small." for n in range(1000)]
    answers = translate(apertium, *texts)
    assert all(str(n) in answer for n, answer in enumerate(answers))


def test_programs_are_kept_between_calls(apertium: ApertiumTranslator) -> None:
    translate(apertium, "One.")
    before = programs()
    translate(apertium, "Two.")
    assert before
    assert programs() <= before


def test_closing_ends_the_programs(apertium: ApertiumTranslator) -> None:
    before = programs()
    translate(apertium, "One.")
    asyncio.run(apertium.close())
    assert programs() <= before


def test_a_program_that_dies_is_a_transient_fault_and_is_replaced(
    apertium: ApertiumTranslator,
) -> None:
    before = programs()
    translate(apertium, "One.")
    for program in programs() - before:
        os.kill(program, 9)
    wait_until(lambda: programs() <= before)
    with pytest.raises(Transient):
        translate(apertium, "Two.")
    assert translate(apertium, "The house.") == ["La casa."]


def test_a_stall_is_a_transient_fault_and_leaves_no_program_behind() -> None:
    before = programs()
    hasty = ApertiumTranslator(TranslatorSettings.choose(timeout_seconds=0.0001), "en", "es")
    with pytest.raises(Transient):
        translate(hasty, "One.")
    assert programs() <= before


@pytest.mark.parametrize("after_seconds", [0.0, 0.05, 0.5])
def test_cancelling_ends_the_programs(apertium: ApertiumTranslator, after_seconds: float) -> None:
    before = programs()
    many = ["The house is very old and very small."] * 10_000

    async def give_up() -> None:
        task = asyncio.ensure_future(apertium.translate(many, "en", "es"))
        await asyncio.sleep(after_seconds)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    started = time.monotonic()
    asyncio.run(give_up())
    assert time.monotonic() - started < 15, "it went on to the end, which takes half a minute"
    wait_until(lambda: programs() <= before)


def test_programs_see_no_text_in_their_arguments_and_no_key_in_their_environment(
    apertium: ApertiumTranslator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    before = programs()
    translate(apertium, "The canary sings.")
    started = programs() - before
    assert started
    for program in started:
        seen = (
            Path(f"/proc/{program}/cmdline").read_bytes()
            + Path(f"/proc/{program}/environ").read_bytes()
        )
        assert b"canary" not in seen


@pytest.mark.parametrize("program", ["apertium", "prism-has-no-such-program"])
@pytest.mark.parametrize(
    ("target", "advice"),
    [
        ("ca", "apt-get install apertium-eng-cat."),
        ("gl", "apt-get install apertium-en-gl."),
        ("hbs", "apt-get install apertium-hbs-eng."),
        ("pt", "prism models add en-pt."),
        ("fr", "Add a model of Firefox, if there is one: prism models add en-fr."),
        ("de", "--translator deepl, azure, google, openai, libretranslate or local."),
    ],
)
def test_what_is_missing_is_said_with_what_helps_for_the_pair(
    program: str, target: str, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APERTIUM_DATADIR", str(tmp_path))  # a machine that has no pair at all
    with pytest.raises(Misconfigured) as missing:
        ApertiumTranslator(ApertiumSettings(program=program), "en", target)
    assert advice in str(missing.value)
    assert "apt-get" not in str(missing.value) or "deepl" not in str(missing.value)


def test_a_mode_can_be_named() -> None:
    back = ApertiumTranslator(TranslatorSettings.choose(mode="spa-eng"), "es", "en")
    assert asyncio.run(back.translate(["La casa."], "es", "en")) == ["The house."]
    asyncio.run(back.close())


def test_another_pair_than_it_was_made_for_is_refused(apertium: ApertiumTranslator) -> None:
    with pytest.raises(Misconfigured):
        asyncio.run(apertium.translate(["Das Haus."], "de", "es"))


@pytest.mark.parametrize("text", ["a [b] c", "\\", "\\[", "~", "[~]", "a.[]", "$^/@<>{}", "x."])
def test_the_stream_format_gives_back_what_it_was_given(text: str) -> None:
    assert from_stream(to_stream(text)) == text


@pytest.mark.parametrize("answer", [b"", b"no end", b"\xff.[]"])
def test_an_answer_without_its_end_is_not_used(answer: bytes) -> None:
    assert from_stream(answer) is None


def test_programs_that_complain_at_length_go_on(apertium: ApertiumTranslator) -> None:
    """The tagger writes more to standard error than a pipe holds, which somebody has to read."""
    spoilers = ", ".join([SPOILER.rstrip(".")] * 450)
    started = time.monotonic()
    many, plain = translate(apertium, f"{spoilers}.", VICTIM)
    assert many.count(",") == 449
    assert [plain] == translate(apertium, VICTIM)
    assert time.monotonic() - started < 60, "it waited for a pipe that nobody read"


def test_a_program_that_answers_without_end_is_a_bad_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "modes").mkdir()
    (tmp_path / "modes" / "en-es.mode").write_text("yes")
    monkeypatch.setenv("APERTIUM_DATADIR", str(tmp_path))
    before = programs()
    translator = ApertiumTranslator(TranslatorSettings.choose(), "en", "es")
    with pytest.raises(BadAnswer):
        translate(translator, "The red house is old.")
    assert programs() <= before
