from collections import Counter
from math import sqrt
from random import Random, SystemRandom

import pytest

from prism_core.mechanisms import Selection
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.record import Kind, Replacement
from tests.mechanisms.sampling import is_uniform
from tests.words import dictionary, entry, nouns, sentence

POOL = 30


def never(word: str) -> bool:
    return False


def always(word: str) -> bool:
    return True


def threshold(
    entries, *, tau=0.7, minimum=5, unknown="source", draw_from=0.0
) -> PrismStarThreshold:
    return PrismStarThreshold(dictionary(*entries), tau, minimum, unknown, draw_from=draw_from)


def choose(mechanism, sent, *, identifiers=frozenset(), forbidden=never, rng=None) -> Selection:
    return mechanism.choose(sent, identifiers, forbidden, rng or SystemRandom())


def chi_square(counts: Counter, cells: int, draws: int) -> float:
    expected = draws / cells
    missing = (cells - len(counts)) * expected
    return sum((seen - expected) ** 2 / expected for seen in counts.values()) + missing


def substitutes(mechanism, word: str, draws: int) -> Counter:
    sent = sentence("the/DT", f"{word}/NN", "was/VBD", "there/RB")
    rng = Random(7)
    return Counter(choose(mechanism, sent, rng=rng).record[0].substitute for _ in range(draws))


def test_substitutes_are_uniform_over_the_pool_and_include_the_word_itself() -> None:
    counts = substitutes(threshold(nouns(POOL)), "baak", draws=6000)
    freedom = POOL - 1
    statistic = chi_square(counts, POOL, 6000)
    assert counts["baak"] > 0, "leaving the original out would tell what it is not"
    # Rejects a sampler that is skewed, and one that is too even to be random.
    assert freedom - 5 * sqrt(2 * freedom) < statistic < freedom + 5 * sqrt(2 * freedom)


def test_the_substitute_does_not_depend_on_the_word() -> None:
    mechanism = threshold(nouns(POOL))
    one, other = (substitutes(mechanism, word, 6000) for word in ("baak", "bbak"))
    statistic = sum(
        (one[w] - other[w]) ** 2 / (one[w] + other[w]) for w in one.keys() | other.keys()
    )
    assert statistic < POOL + 5 * sqrt(2 * POOL)


def test_a_word_that_is_never_drawn_is_replaced_by_the_same_draws_as_one_that_is() -> None:
    sure = [word._replace(sureness=0.95 * (i < POOL // 2)) for i, word in enumerate(nouns(POOL))]
    mechanism = threshold(sure, draw_from=0.9)
    drawn, hidden = (substitutes(mechanism, sure[i].word, 6000) for i in (0, POOL - 1))
    assert drawn.keys() == hidden.keys() == {word.word for word in sure[: POOL // 2]}
    freedom = POOL // 2 - 1
    for counts in (drawn, hidden):
        statistic = chi_square(counts, POOL // 2, 6000)
        assert freedom - 5 * sqrt(2 * freedom) < statistic < freedom + 5 * sqrt(2 * freedom)
    assert mechanism.public_rules.draw_from == 0.9
    record = choose(mechanism, sentence("the/DT", f"{sure[0].word}/NN")).record
    assert record[0].pool == POOL, "as many words may stand behind the substitute"


@pytest.mark.parametrize("unknown", ["source", "keep"])
def test_every_word_but_grammar_is_hidden_and_below_the_threshold_none_is_drawn(unknown) -> None:
    unsure = entry("valley", confidence=0.4)
    mechanism = threshold([*nouns(POOL), entry("river", confidence=0.7), unsure], unknown=unknown)
    drawn = set()
    for _ in range(200):
        record = choose(mechanism, sentence("the/DT", "river/NN", "valley/NN")).record
        assert [(one.word, one.kind) for one in record] == [
            ("river", Kind.WORD),
            ("valley", Kind.WORD),
        ]
        drawn |= {one.substitute for one in record}
    assert "river" in drawn
    assert "valley" not in drawn
    assert choose(mechanism, sentence("valley/NN"), forbidden=always).withheld == "no-substitute"
    assert not choose(mechanism, sentence("she/PRP", "did/VBD", "./.")).withheld


def test_a_weak_dictionary_word_that_may_be_a_name_is_never_kept() -> None:
    mechanism = threshold([*nouns(POOL), entry("hope", confidence=0.1)])
    draft = choose(mechanism, sentence("Hope/NNP", "came/VBD"))
    assert (draft.record[0].word, draft.record[0].kind) == ("Hope", Kind.UNKNOWN)


def test_a_weak_dictionary_word_that_may_be_a_name_is_hidden_as_unknown_but_known_again() -> None:
    mechanism = threshold([*nouns(POOL), entry("hopes", "NNS", confidence=0.1)])
    hopes, unknown = (
        choose(mechanism, sentence(f"{word}/NNP"), rng=Random(7)).record[0]
        for word in ("Hopes", "Zorgles")
    )
    assert (hopes.tag, hopes.drawn_as) == ("NNS", unknown.drawn_as)
    assert hopes.substitute == unknown.substitute


def test_substitutes_share_the_agreement_class_of_the_word() -> None:
    feminine = [entry(f"fem{i}", agreement="la _") for i in "abcdefghijkl"]
    mechanism = threshold([*nouns(POOL, agreement="el _"), *feminine])
    for _ in range(50):
        (one,) = choose(mechanism, sentence("fema/NN")).record
        assert one.substitute.startswith("fem")
        assert one.pool == len(feminine)


def test_a_class_below_the_minimum_joins_a_pool_of_its_tag_and_counts_among_its_words() -> None:
    mechanism = threshold([*nouns(POOL), entry("odd", agreement="rare")], minimum=10)
    (one,) = choose(mechanism, sentence("odd/NN")).record
    assert one.pool == POOL + 1


def test_a_word_without_a_pool_is_hidden_as_unknown_words_are_but_known_again() -> None:
    mechanism = threshold([*nouns(POOL), entry("later", "RBR", confidence=0.9)])
    draws = [
        Counter(choose(mechanism, sent, rng=Random(7)).record[0].substitute for _ in range(50))
        for sent in (sentence("later/RBR"), sentence("sooner/RBR"))
    ]
    assert draws[0] == draws[1]
    (one,) = choose(mechanism, sentence("later/RBR")).record
    assert (one.kind, one.tag, one.drawn_as, one.pool) == (Kind.UNKNOWN, "RBR", "NN", POOL)


def test_substitutes_of_one_sentence_differ() -> None:
    words = [f"{e.word}/NN" for e in nouns(4)]
    for _ in range(100):
        record = choose(threshold(nouns(8)), sentence(*words)).record
        assert len({one.substitute for one in record}) == len(record)


def test_no_substitute_shares_a_form_with_a_word_that_is_sent_as_it_is() -> None:
    telling = [entry("asthma"), *map(entry, ("leprosy", "measles", "cholera", "malaria"))]
    entries = [*telling, entry("week"), entry("rabies", forms=["weeko"])]
    mechanism = PrismStarThreshold(dictionary(*entries), 0.7, 5, "source", hidden_words="telling")
    for _ in range(100):
        (drawn,) = choose(mechanism, sentence("week/NN", "asthma/NN")).record
        assert drawn.word == "asthma"
        assert drawn.substitute != "rabies"


def test_a_forbidden_word_is_never_drawn() -> None:
    mechanism = threshold(nouns(6))
    for _ in range(100):
        draft = choose(mechanism, sentence("baak/NN"), forbidden=lambda w: w == "baak")
        assert draft.record[0].substitute != "baak"


def test_function_words_and_marks_are_kept_whatever_their_tag() -> None:
    draft = choose(threshold(nouns(POOL)), sentence("not/NN", "the/NNP", "./.", "Mr./NNP"))
    assert draft.record == ()


def test_a_content_word_mistaken_for_grammar_is_still_replaced() -> None:
    draft = choose(threshold(nouns(POOL)), sentence("Kovacs/IN", "zorgle/DT"))
    assert [one.kind for one in draft.record] == [Kind.UNKNOWN, Kind.UNKNOWN]


@pytest.mark.parametrize(
    ("policy", "kinds", "withheld"),
    [("source", [Kind.UNKNOWN], ""), ("withhold", [], "unknown-word"), ("keep", [], "")],
)
def test_unknown_words_follow_the_policy(policy, kinds, withheld) -> None:
    sent = sentence("Ann/NNP", "zorgle/NN")
    draft = choose(threshold(nouns(POOL), unknown=policy), sent, identifiers=frozenset({0}))
    assert ([one.kind for one in draft.record], draft.withheld) == (kinds, withheld)


def test_identifiers_are_left_to_the_encoder() -> None:
    draft = choose(threshold(nouns(POOL)), sentence("baak/NN"), identifiers=frozenset({0}))
    assert draft.record == ()


def test_no_free_substitute_withholds_the_sentence() -> None:
    draft = choose(threshold(nouns(POOL)), sentence("baak/NN"), forbidden=always)
    assert draft.withheld == "no-substitute"


def test_letter_case_follows_the_slot() -> None:
    record = choose(threshold(nouns(POOL)), sentence("Baak/NN", "BBAK/NN", "bcak/NN")).record
    shapes = [(s.substitute.istitle(), s.substitute.isupper()) for s in record]
    assert shapes == [(True, False), (False, True), (False, False)]


def redrawn(mechanism, word: str, seen: str, draws: int) -> Counter:
    """What ``seen``, which was sent for ``word``, is exchanged for."""
    sent = sentence("the/DT", f"{word}/NN", "was/VBD", "there/RB")
    record = (Replacement(1, 1, word, seen, Kind.WORD, "NN"),)
    rng = Random(7)
    made = [mechanism.redraw(sent, frozenset(), record, 1, never, rng) for _ in range(draws)]
    return Counter(replacement.substitute for replacement in made)


def test_an_exchanged_substitute_is_uniform_over_the_rest_of_its_pool() -> None:
    counts = redrawn(threshold(nouns(POOL)), "baak", "bbak", 6000)
    rest = {noun.word for noun in nouns(POOL)} - {"bbak"}
    assert is_uniform(counts, rest), "the word itself is as likely as any other"


def test_an_exchanged_substitute_tells_nothing_more_of_the_word() -> None:
    mechanism = threshold(nouns(POOL))
    one, other = (redrawn(mechanism, word, "bbak", 6000) for word in ("baak", "bcak"))
    statistic = sum(
        (one[w] - other[w]) ** 2 / (one[w] + other[w]) for w in one.keys() | other.keys()
    )
    assert 0 <= statistic < POOL + 5 * sqrt(2 * POOL)


def test_nothing_is_exchanged_for_what_is_not_hidden_or_where_nothing_is_left() -> None:
    mechanism = threshold(nouns(5))
    sent = sentence("the/DT", "baak/NN", "was/VBD")
    record = (Replacement(1, 1, "baak", "bbak", Kind.WORD, "NN"),)
    rng = Random(7)
    assert mechanism.redraw(sent, frozenset(), record, 0, never, rng) is None
    assert mechanism.redraw(sent, frozenset({1}), record, 1, never, rng) is None
    assert mechanism.redraw(sent, frozenset(), record, 1, always, rng) is None


@pytest.mark.parametrize("word", ["baak", "zorgle"])
def test_a_word_more_often_than_its_pool_has_words_is_hidden_by_others_of_its_tag(word) -> None:
    others = [one._replace(word=f"z{one.word}", agreement="h") for one in nouns(POOL)]
    others = [one.replace_forms([f._replace(text=one.word) for f in one.forms]) for one in others]
    mechanism = threshold([*nouns(POOL), *others])
    made = choose(mechanism, sentence(*[f"{word}/NN"] * (POOL + 5)))
    assert not made.withheld
    assert len({one.substitute for one in made.record}) == POOL + 5


def test_no_word_that_is_a_name_too_is_drawn_where_a_capital_stands() -> None:
    mechanism = threshold([*nouns(20), *map(entry, ("baxter", "quinn", "talbot", "vickers"))])
    rng, drawn = Random(3), {}
    for word in ("Baak", "BAAK", "baak"):
        sent = sentence("the/DT", f"{word}/NN", "was/VBD")
        records = [choose(mechanism, sent, rng=rng).record for _ in range(400)]
        drawn[word] = {record[0].substitute.lower() for record in records}
    assert not {"baxter", "quinn", "talbot", "vickers"} & (drawn["Baak"] | drawn["BAAK"])
    assert {"baxter", "quinn", "talbot", "vickers"} < drawn["baak"]


@pytest.mark.parametrize("word", ["X-ray", "bAak"])
def test_a_capital_that_is_not_sent_decides_no_draw(word: str) -> None:
    """Else a name in small letters would tell which words it does not stand for."""
    mechanism = threshold([*nouns(20), *map(entry, ("baxter", "quinn", "x-ray"))])

    def draws(token: str) -> list[str]:
        sent, rng = sentence("the/DT", f"{token}/NN", "was/VBD"), Random(3)
        return [choose(mechanism, sent, rng=rng).record[0].substitute for _ in range(200)]

    assert draws(word) == draws("baak")


def test_a_likely_phrase_is_one_word_under_any_threshold() -> None:
    """Its words would be hidden one by one, and come back as something else."""
    words = [*nouns(POOL), entry("ice cream", confidence=0.6), entry("at sea", confidence=0.4)]
    sent = sentence("ice/NN", "cream/NN", "at/IN", "sea/NN")
    record = choose(threshold(words, tau=0.9), sent).record
    assert [(one.word, one.length) for one in record] == [("ice cream", 2), ("sea", 1)]
