from prism_core.mechanisms import Pools
from tests.words import dictionary, entry, nouns


def of_class(words, agreement: str):
    return [word._replace(agreement=agreement) for word in words]


ALL = nouns(20)
FEMININE = of_class(ALL[:8], "la | n")
ALSO_VERBS = of_class(ALL[8:11], "la | n v")
MASCULINE = of_class(ALL[11:], "el | n")


def pool_of(word, minimum: int) -> set[str]:
    pools = Pools(dictionary(*FEMININE, *ALSO_VERBS, *MASCULINE), 0.5, minimum)
    return {one.word for one in pools.for_entry(word).drawn}


def test_a_pool_that_is_large_enough_holds_the_words_of_one_class() -> None:
    assert pool_of(FEMININE[0], 5) == {one.word for one in FEMININE}


def test_a_small_pool_widens_part_by_part() -> None:
    assert pool_of(ALSO_VERBS[0], 5) == {one.word for one in FEMININE}
    assert pool_of(ALSO_VERBS[0], 15) == {one.word for one in ALL}


def test_a_word_has_no_pool_where_even_the_widest_is_too_small() -> None:
    assert pool_of(FEMININE[0], 21) == set()


def test_a_phrase_never_stands_in() -> None:
    phrase = entry("ice cream", agreement="la | n")
    pools = Pools(dictionary(phrase, *FEMININE), 0.5, 5)
    assert phrase not in pools.for_entry(phrase).behind
    assert len(pools.for_entry(phrase).drawn) == len(FEMININE)


def test_an_unknown_word_is_hidden_among_words_the_translator_leaves_alone() -> None:
    left = [entry(one.word, "LEFT-NN", [one.word])._replace(agreement="") for one in ALL[:6]]
    pools = Pools(dictionary(*FEMININE, *ALSO_VERBS, *MASCULINE, *left), 0.5, 5)
    found = pools.for_unknown("NN")
    assert {one.tag for one in found} == {"LEFT-NN"}
    scarce = Pools(dictionary(*FEMININE, *left[:2]), 0.5, 5)
    assert {one.tag for one in scarce.for_unknown("NN")} == {"NN"}


def test_a_rare_form_of_a_verb_is_sent_as_another_form_and_as_no_noun() -> None:
    verbs = [entry(f"{one.word}e", "VBP-3S", [f"{one.word}e"]) for one in ALL[:8]]
    rare = entry("fuese", "VBP-S3S", ["were"])
    pools = Pools(dictionary(*FEMININE, *MASCULINE, *verbs, rare), 0.5, 5)
    assert {one.tag for one in pools.for_unknown("VBP-S3S")} == {"VBP-3S"}
    assert {one.tag for one in pools.for_unknown("UH")} == {"NN"}


def test_a_comparative_of_a_small_class_is_sent_as_an_adverb() -> None:
    adverbs = [entry(f"{one.word}ly", "RB", [f"{one.word}ly"]) for one in ALL[:8]]
    pools = Pools(dictionary(*FEMININE, *MASCULINE, *adverbs), 0.5, 5)
    assert {one.tag for one in pools.for_unknown("RBR")} == {"RB"}


def test_a_word_of_a_small_class_is_hidden_and_never_drawn() -> None:
    """Drawn from the wider pool, it could have come from its few like alone."""
    for word in ALL:
        drawn = pool_of(word, 5)
        assert not drawn & {one.word for one in ALSO_VERBS}
        behind = {own.word for own in ALL if drawn == pool_of(own, 5)}
        assert len(behind) >= 5


def test_small_classes_that_make_a_pool_together_are_drawn() -> None:
    small = [*of_class(ALL[:3], "la | n"), *of_class(ALL[3:6], "la | v")]
    pools = Pools(dictionary(*small), 0.5, 5)
    assert len(pools.for_entry(small[0]).drawn) == 6


def sure_of(words, count: int):
    """``words``, the first ``count`` of which the translator surely writes."""
    return [word._replace(sureness=0.95 if i < count else 0.5) for i, word in enumerate(words)]


def test_the_sure_words_of_a_class_are_drawn_and_all_are_hidden_among_each_other() -> None:
    pools = Pools(dictionary(*sure_of(ALL, 8)), 0.5, 5, draw_from=0.9)
    found = [pools.for_entry(word) for word in ALL]
    assert {id(pool) for pool in found} == {id(found[0])}
    assert [word.word for word in found[0].drawn] == [word.word for word in ALL[:8]]
    assert [word.word for word in found[0].behind] == [word.word for word in ALL]
    assert pools.count_behind(ALL[0]) == len(ALL)


def test_a_class_with_few_sure_words_draws_its_surest_and_never_fewer_than_the_minimum() -> None:
    words = [word._replace(sureness=i / 100) for i, word in enumerate(ALL)]
    pools = Pools(dictionary(*words), 0.5, 5, draw_from=0.9)
    drawn = pools.for_entry(words[0]).drawn
    assert [word.word for word in drawn] == [word.word for word in ALL[-5:]]


def test_a_class_without_any_evidence_keeps_its_whole_pool() -> None:
    pools = Pools(dictionary(*sure_of(ALL, 0)), 0.5, 5, draw_from=0.9)
    assert len(pools.for_entry(ALL[0]).drawn) == len(ALL)


def test_a_small_class_hides_among_the_sure_words_of_the_next_wider_one() -> None:
    pools = Pools(dictionary(*sure_of(FEMININE, 5), *ALSO_VERBS), 0.5, 5, draw_from=0.9)
    hidden = pools.for_entry(ALSO_VERBS[0])
    assert {word.word for word in hidden.drawn} == {word.word for word in FEMININE[:5]}


def test_a_word_that_offends_is_hidden_like_any_other_and_never_drawn() -> None:
    offending = of_class([entry("bastard")], "la | n")
    pools = Pools(dictionary(*FEMININE, *offending), 0.5, 5)
    pool = pools.for_entry(offending[0])
    assert pool is pools.for_entry(FEMININE[0])
    assert offending[0] in pool.behind
    assert offending[0] not in pool.drawn
    assert offending[0] not in pools.list_drawn("NN")


def test_under_a_threshold_that_few_reach_likely_words_are_drawn_and_doubtful_ones_never() -> None:
    sure, likely, doubtful = (
        [word._replace(word=f"{word.word}{n}", confidence=confidence) for word in nouns(6)]
        for n, confidence in enumerate((0.95, 0.6, 0.4))
    )
    few = Pools(dictionary(*sure, *likely, *doubtful), 0.9, 5)
    assert set(few.for_entry(sure[0]).drawn) == {*sure, *likely}
    assert few.for_entry(doubtful[0]) is few.for_entry(sure[0]), "hidden, though not drawn"
    many = [word._replace(word=f"{word.word}m") for word in nouns(60)]
    enough = Pools(dictionary(*many, *likely), 0.9, 5)
    assert set(enough.for_entry(likely[0]).drawn) == set(many)
    low = Pools(dictionary(*sure, *likely, *doubtful), 0.3, 5)
    assert set(low.for_entry(sure[0]).drawn) == {*sure, *likely, *doubtful}


def test_a_noun_with_the_forms_of_its_adjective_is_hidden_and_not_drawn() -> None:
    """What came back for it would not tell as what the translator read it."""
    asked = [one._replace(method="packed") for one in FEMININE]
    same = [one._replace(tag="JJ") for one in asked[:2]]
    other = asked[3]._replace(tag="JJ").replace_forms([asked[3].forms[0]._replace(text="otro")])
    told = Pools(dictionary(*asked, *same, other), 0.5, 5).for_entry(asked[0])
    assert {one.word for one in told.drawn} == {one.word for one in asked[2:]}
    assert len(told.behind) == len(asked)
    few = Pools(dictionary(*asked, *same, other), 0.5, 7).for_entry(asked[0])
    assert len(few.drawn) == len(asked)
