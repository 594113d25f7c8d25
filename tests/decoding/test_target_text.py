from prism_core.decoding.restored_numbers import find_number
from prism_core.decoding.target_text import TargetText
from tests.words import ENGLISH


def shown(text: str, span: tuple[int, int] | None) -> str | None:
    return text[slice(*span)] if span else None


def test_a_code_is_found_however_the_translator_spaces_it() -> None:
    for text in ("a DE8937040044 hoy", "a DE 8937.0400-44 hoy"):
        found = shown(text, TargetText(text).find_spaced("DE89 3704 0044"))
        assert found == text[2:-4]


def test_a_code_is_no_part_of_a_longer_one_and_keeps_its_case() -> None:
    for text in ("a DE89370400441 hoy", "a de8937040044 hoy", "a XDE8937040044"):
        assert TargetText(text).find_spaced("DE89 3704 0044") is None
    assert TargetText("a A1 b").find_spaced("A1") is None


def test_a_code_that_was_taken_is_not_found_again() -> None:
    target = TargetText("AB 1234 y AB1234")
    target.take((0, 7))
    assert target.find_spaced("AB-1234") == (10, 16)


def test_a_number_in_groups_is_found_with_other_marks_between_them() -> None:
    for text in ("al (555) 013-2297.", "al 555 - 013 2297.", "al 555/013/2297."):
        found = shown(text, find_number("(555) 013-2297", TargetText(text), ENGLISH.numbers))
        assert found == text[3:-1].removeprefix("(") or found == text[3:-1]
    assert find_number("555 0132", TargetText("al 1555 0132"), ENGLISH.numbers) is None
