from random import Random

import pytest

from prism_core.evaluation.further_mechanisms.no_decode import NoDecode
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.kinds.prism_star import PrismStarRatio, PrismStarThreshold
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns, sentence


@pytest.mark.parametrize(
    ("ratio", "inner"), [(None, PrismStarThreshold), (0.5, PrismStarRatio)], ids=["tau", "ratio"]
)
def test_what_is_sent_is_what_the_prism_star_inside_it_sends(ratio, inner) -> None:
    words = dictionary(*nouns(30))
    star = MechanismSettings.choose(ratio=ratio, minimum_pool=5)
    bare = make_mechanism(star, words)
    wrapped = make_mechanism(
        MechanismSettings.choose(name="no-decode", ratio=ratio, minimum_pool=5), words
    )
    assert isinstance(bare, inner)
    assert isinstance(wrapped, NoDecode)
    one = sentence("baak/NN", "zorgle/NN", "the/DT")
    drafts = [m.choose(one, frozenset(), lambda _: False, Random(4)) for m in (bare, wrapped)]
    assert drafts[0] == drafts[1]
    assert (wrapped.epsilon_word, wrapped.vocabulary) == (bare.epsilon_word, bare.vocabulary)
