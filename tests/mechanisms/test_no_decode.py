from random import Random

import pytest

from prism_core.mechanisms import NoDecode, PrismStarRatio, PrismStarThreshold, make_mechanism
from prism_core.settings.sections import MechanismSettings
from tests.words import dictionary, nouns, sentence


@pytest.mark.parametrize(
    ("ratio", "inner"), [(None, PrismStarThreshold), (0.5, PrismStarRatio)], ids=["tau", "ratio"]
)
def test_what_is_sent_is_what_the_prism_star_inside_it_sends(ratio, inner) -> None:
    words = dictionary(*nouns(30))
    star = MechanismSettings(ratio=ratio, minimum_pool=5)
    bare = make_mechanism(star, words)
    wrapped = make_mechanism(star.model_copy(update={"name": "no-decode"}), words)
    assert isinstance(bare, inner)
    assert isinstance(wrapped, NoDecode)
    one = sentence("baak/NN", "zorgle/NN", "the/DT")
    drafts = [m.choose(one, frozenset(), lambda _: False, Random(4)) for m in (bare, wrapped)]
    assert drafts[0] == drafts[1]
    assert (wrapped.epsilon_word, wrapped.vocabulary) == (bare.epsilon_word, bare.vocabulary)
