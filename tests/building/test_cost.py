from prism_core.building.builder import DictionaryBuilder
from prism_core.building.estimates import estimate_entries
from prism_core.translators import Limits
from tests.building.test_builder import PLAN, carriers, vocabulary
from tests.words import ENGLISH


class Parrot:
    """Gives every text back in capitals, and counts."""

    def __init__(self) -> None:
        self.texts = self.characters = 0

    def __call__(self, texts):
        self.texts += len(texts)
        self.characters += sum(map(len, texts))
        return [text.upper() for text in texts]


def test_the_estimate_is_near_what_a_build_sends() -> None:
    parrot = Parrot()
    DictionaryBuilder(parrot, ENGLISH, PLAN).build(vocabulary(), carriers())
    expected = estimate_entries(vocabulary(), carriers(), ENGLISH, PLAN, Limits(1, 1000), None)
    assert parrot.texts / 2 < expected.texts < parrot.texts * 2
    assert parrot.characters / 2 < expected.characters < parrot.characters * 2
