"""A place in a translation made here has its own name, or that of the target language."""

import pytest

from prism_core.drafts import Fault
from prism_core.drafts.faults import find_faults
from prism_core.languages import load_language
from tests.words import sentence


def is_marked(name: str, answer: str, target: str = "pt") -> bool:
    words = [f"{word}/NNP/LOC" for word in name.split()]
    asked = sentence("They/PRP", "went/VBD", "to/TO", *words, "again/RB")
    return Fault.NAME in find_faults(asked, answer, load_language("en"), target).faults


@pytest.mark.parametrize(
    ("name", "answer", "target"),
    [
        ("Munich", "Foram a Munique outra vez", "pt"),
        ("Munich", "Sie waren wieder in München", "de"),
        ("Munich", "Foram a Munich outra vez", "pt"),
        ("Columbus", "Foram a Columbus outra vez", "pt"),
        ("South Africa", "Foram à África do Sul outra vez", "pt"),
        ("China", "Foram a terras chinesas outra vez", "pt"),
        ("Czechoslovakia", "Foram à Checoslováquia outra vez", "pt"),
        ("Lake Garden", "Foram ao Lago Jardim outra vez", "pt"),
        ("Kitchen", "Foram à cozinha outra vez", "pt"),
        ("USA", "Foram aos EUA outra vez", "pt"),
    ],
)
def test_a_place_with_its_own_name_or_its_exonym_is_right(name, answer, target) -> None:
    assert not is_marked(name, answer, target)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("Columbus", "Foram a Colombo outra vez"),
        ("Hamburg", "Foram ao Rio de Janeiro outra vez"),
        ("South Africa", "Foram à Nigéria outra vez"),
        ("Munich", "Foram outra vez"),
    ],
)
def test_a_place_with_another_name_is_marked(name, answer) -> None:
    assert is_marked(name, answer)
