from random import Random

from prism_core.evaluation.further_mechanisms.no_decode import NoDecode
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns, sentence


def test_what_is_sent_is_what_the_prism_star_inside_it_sends() -> None:
    words = dictionary(*nouns(30))
    bare = make_mechanism(MechanismSettings.choose(minimum_pool=5), words)
    wrapped = make_mechanism(MechanismSettings.choose(name="no-decode", minimum_pool=5), words)
    assert isinstance(bare, PrismStarThreshold)
    assert isinstance(wrapped, NoDecode)
    one = sentence("baak/NN", "zorgle/NN", "the/DT")
    drafts = [m.choose(one, frozenset(), lambda _: False, Random(4)) for m in (bare, wrapped)]
    assert drafts[0] == drafts[1]
    assert (wrapped.epsilon_word, wrapped.vocabulary) == (bare.epsilon_word, bare.vocabulary)
