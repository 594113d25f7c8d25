"""What an archive is turned into for the adversaries: pools, places and guesses that are true."""

from random import Random

from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries.base import DECOY
from prism_core.evaluation.adversaries.cases import Sending, make_case, public_knowledge
from prism_core.evaluation.adversaries.observer import Observer
from prism_core.evaluation.adversaries.public_rules import (
    RatioPools,
    ThresholdPools,
    best_ranked,
    guess_all,
    guess_by_score,
)
from prism_core.evaluation.further_mechanisms.prism_star_ratio import PrismStarRatio
from prism_core.identifiers import DenyList
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from tests.words import dictionary, entry, nouns, sentence

NOUNS = nouns(30)
WEAK = entry("week", confidence=0.1, score=1.0)
DICTIONARY = dictionary(*NOUNS, WEAK, entry("run", "VB"), entry("eat", "VB"))
FIRST, SECOND = NOUNS[0].word, NOUNS[1].word
DOCUMENTS = [
    [sentence("the/DT", f"{FIRST}/NN", "and/CC", f"{SECOND}/NN", "./.")],
    [
        sentence("the/DT", "week/NN", f"{FIRST}/NN", "./."),
        sentence("the/DT", f"{FIRST}/NN", "and/CC", f"{SECOND}/NN", "./."),
    ],
]


def observing(mechanism, pools, guess, never=()) -> Observer:
    encoder = make_encoder(DICTIONARY, mechanism, never=never)
    archive = [sentence for document in DOCUMENTS for sentence in document]
    deny_list = encoder.add_identifiers(DenyList(), archive)
    return Observer(encoder, pools, guess, Random(1), deny_list)


def by_the_threshold(*never: str) -> Observer:
    return observing(
        PrismStarThreshold(DICTIONARY, 0.7, 2, "source"),
        ThresholdPools(DICTIONARY, 0.7, 2, {}),
        guess_all(DICTIONARY.language),
        never,
    )


def test_what_the_encoder_withholds_is_not_seen() -> None:
    seen = by_the_threshold("and")
    assert [(one.document, one.original) for one in seen.observe(DOCUMENTS)] == [(1, 1)]
    assert [seen.encode(one) is None for one in DOCUMENTS[1]] == [False, True]


def test_equal_sentences_are_sent_once() -> None:
    sent = list(by_the_threshold().observe(DOCUMENTS))
    assert [(one.document, one.original) for one in sent] == [(0, 0), (1, 1)]
    assert [hidden.word for one in sent for hidden in one.hidden] == [FIRST, SECOND, "week", FIRST]
    assert [one.replaced for one in sent] == [{1, 3}, {1, 2}]


def test_the_place_of_a_replaced_word_is_that_of_its_substitute() -> None:
    for one in by_the_threshold().observe(DOCUMENTS):
        assert [one.request.tokens[h.place] for h in one.hidden] == [
            h.substitute for h in one.hidden
        ]


def test_the_pool_of_a_substitute_is_that_it_was_drawn_from() -> None:
    hidden = [h for one in by_the_threshold().observe(DOCUMENTS) for h in one.hidden]
    drawn = frozenset(noun.word for noun in NOUNS)
    assert {frozenset(one.pool.order) for one in hidden} == {drawn | {WEAK.word}}
    assert {one.substitute for one in hidden} <= drawn
    assert all(one.rivals == (one.pool,) for one in hidden)


def test_a_sentence_that_takes_a_whole_pool_draws_the_rest_from_its_tag() -> None:
    few = [entry(f"d{n.word}", agreement="h") for n in NOUNS[:2]]
    unsure = [entry(f"e{n.word}", agreement="h", confidence=0.1) for n in NOUNS[:2]]
    known = dictionary(*NOUNS, *few, *unsure)
    encoder = make_encoder(known, PrismStarThreshold(known, 0.7, 2, "source"))
    pools, guess = ThresholdPools(known, 0.7, 2, {}), guess_all(known.language)
    said = sentence("the/DT", *(f"{one.word}/NN" for one in (*few, *unsure)), "./.")
    (sent,) = Observer(encoder, pools, guess, Random(1), DenyList()).observe([[said]])
    assert all(one.substitute in one.pool.order for one in sent.hidden)
    assert sorted(len(one.pool) for one in sent.hidden) == [4, 4, 32, 32]


def test_the_places_of_the_threshold_are_guessed_from_what_is_sent() -> None:
    sent = list(by_the_threshold().observe(DOCUMENTS))
    assert [one.request.guessed for one in sent] == [one.replaced for one in sent]


def test_the_places_of_the_ratio_are_guessed_by_score() -> None:
    figures = {"a": 3.0, "b": 2.0, "c": 1.0}
    assert best_ranked([["c", "a"], ["b", "x"]], lambda t: figures.get(t, 0.0), 0.5) == [
        (0, 1),
        (1, 0),
    ]
    observer = observing(
        PrismStarRatio(DICTIONARY, 0.4, 2, "source"),
        RatioPools(DICTIONARY, 2, {}),
        guess_by_score(DICTIONARY, 0.4),
    )
    (one,) = observer.observe(DOCUMENTS[:1])
    assert one.request.guessed == one.replaced == {1, 3}


def test_a_word_is_drawn_anew_every_night_and_stays_the_same_word() -> None:
    repeated = list(by_the_threshold().observe_repeats([DOCUMENTS[0][0]], 20))
    assert [one.word for one in repeated] == [FIRST, SECOND]
    assert all(len(one.draws) == 20 and len(set(one.draws)) > 3 for one in repeated)
    assert all(one.choices == len([*NOUNS, WEAK]) for one in repeated)


def arranged(sending: Sending):
    observer = by_the_threshold()
    documents = [[sentence("the/DT", f"{n.word}/NN", f"{i}x/CD")] for i, n in enumerate(NOUNS)]
    sent = list(observer.observe(documents))
    decoys = list(observer.observe_decoys(one for document in documents for one in document))
    public = public_knowledge(DICTIONARY, [("a", "b")])
    return make_case(sent, documents, (), public, sending, Random(2), decoys)


def test_without_mixing_documents_come_in_their_order() -> None:
    documents = [one.document for one in arranged(Sending(mixing=False)).sent]
    assert documents == sorted(documents)
    assert [one.document for one in arranged(Sending()).sent] != documents


def test_decoys_are_strewn_among_the_requests_and_judged_by_nobody() -> None:
    for mixing in (True, False):
        found = arranged(Sending(mixing, decoy_rate=0.5))
        documents = [one.document for one in found.sent]
        assert documents.count(DECOY) == len(NOUNS) / 2
        assert documents[-15:] != [DECOY] * 15
        assert DECOY not in {one.document for one in found.real}
        assert DECOY not in {one.document for one in found.hidden}
