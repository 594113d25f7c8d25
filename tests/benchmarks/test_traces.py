from benchmarks.traces import find_traceless
from prism_core.building.carrier_sentences import Swap
from tests.words import entry

HOUSE, BOOK = entry("house", forms=["casa"]), entry("book", forms=["libro"])
DOG, ICE = entry("dog", forms=["perro"]), entry("ice cream", forms=["helado"])
DIRECT = "ella vio la casa roja allí ayer noche .".split()


def test_a_restored_word_among_the_words_of_the_direct_translation_leaves_no_trace() -> None:
    swaps = [Swap(HOUSE, BOOK)]
    assert find_traceless(swaps, "vio el libro allí .".split(), "vio el casa allí .".split()) == [
        True
    ]


def test_a_changed_neighbour_is_a_trace_and_a_far_change_is_none() -> None:
    assert find_traceless([Swap(HOUSE, BOOK)], DIRECT, DIRECT) == [None]
    near = "ella vio el libro roja allí ayer noche .".split()
    far = "él vio la libro roja allí ayer noche .".split()
    assert find_traceless([Swap(HOUSE, BOOK)], near, DIRECT) == [False]
    assert find_traceless([Swap(HOUSE, BOOK)], far, DIRECT) == [True]


def test_each_swap_of_a_carrier_is_judged_by_its_own_surroundings() -> None:
    swaps = [Swap(HOUSE, BOOK), Swap(DOG, ICE)]
    direct = "la casa es de un señor que tiene un perro grande .".split()
    answer = "la libro es de un señor que tiene una helado grande .".split()
    assert find_traceless(swaps, answer, direct) == [True, False]
