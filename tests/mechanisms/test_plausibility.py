from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from random import Random

import pytest

from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.mechanisms.plausibility import Plausibility, load_plausibility
from scripts.word_counts import count_words
from tests.words import ENGLISH, dictionary, entry, nouns, sentence

POOL = nouns(30)
FIRST, OTHER = POOL[0].word, POOL[1].word
DRAWS = 3000


@pytest.fixture
def known(tmp_path, monkeypatch) -> Plausibility:
    """Text in which one word of the pool follows *old*, and another is followed by *sleeps*."""
    lines = [
        *[["the", "old", FIRST, "sleeps"]] * 40,
        *[["the", OTHER, "eats"]] * 10,
        *[["the", "young", word.word, "eats"] for word in POOL for _ in range(2)],
    ]
    path = tmp_path / "en.npz"
    count_words(lines, path)
    monkeypatch.setattr(
        "prism_core.mechanisms.plausibility.shipped_ngrams",
        lambda source: tmp_path / f"{source}.npz",
    )
    found = load_plausibility(ENGLISH)
    assert found is not None
    return found


def draws(known: Plausibility, left: str, right: str) -> Counter:
    rng = Random(5)
    return Counter(known.draw(POOL, left, right, rng).word for _ in range(DRAWS))


def test_a_word_that_text_has_beside_what_is_seen_is_drawn_more_often(known) -> None:
    beside, apart = draws(known, "old", "sleeps"), draws(known, "", "")
    assert beside[FIRST] > 0.7 * DRAWS > apart[FIRST]


def test_every_word_of_a_pool_may_be_drawn_whatever_stands_beside_it(known) -> None:
    assert draws(known, "old", "sleeps").keys() == {word.word for word in POOL}
    assert draws(known, "unheard", "unseen").keys() == {word.word for word in POOL}


def test_the_weights_of_a_pool_are_the_counts_of_its_words_beside_what_is_seen(known) -> None:
    places, weights = known._find_neighbours(POOL, known._number["old"], "left")
    assert places == [POOL.index(entry) for entry in POOL if entry.word == FIRST]
    assert len(weights) == 1
    unseen = known._find_neighbours(POOL, known._number["sleeps"], "left")
    assert unseen[0] is None
    assert unseen is known._find_neighbours(POOL, None, "")


def test_the_surest_words_are_drawn_most_often_and_no_word_never(known) -> None:
    sureness = dict.fromkeys(POOL[:15], 0.96) | dict.fromkeys(POOL[15:], 0.94)
    pool = [entry._replace(sureness=sure) for entry, sure in sureness.items()]
    rng = Random(5)
    drawn = Counter(known.draw(pool, "", "unheard", rng).sureness for _ in range(DRAWS))
    assert 0.05 * DRAWS < drawn[0.94] < 0.25 * DRAWS


def test_there_is_no_plausibility_for_a_language_without_counts(known) -> None:
    assert load_plausibility(replace(ENGLISH, code="yy")) is None


def test_no_draw_hangs_on_which_article_stands_beside_it(tmp_path, monkeypatch) -> None:
    """*An* would tell how the hidden word begins that follows it."""
    path = tmp_path / "en.npz"
    lines = [["a", FIRST, "eats", "a"]] * 30 + [["an", OTHER, "eats", "an"]] * 30
    count_words(lines, path)
    monkeypatch.setattr("prism_core.mechanisms.plausibility.shipped_ngrams", lambda _: path)
    known = load_plausibility(ENGLISH)
    mechanism = PrismStarThreshold(dictionary(*POOL), 0.5, 5, "keep", plausibility=known)
    chosen = [
        Counter(
            mechanism.choose(sent, frozenset(), lambda _: False, Random(seed)).record[0].substitute
            for seed in range(DRAWS // 5)
        )
        for article in ("a", "an")
        for sent in [sentence(f"{article}/DT", f"{POOL[-1].word}/NN", f"{article}/DT")]
    ]
    assert chosen[0] == chosen[1]
    assert chosen[0][FIRST] > 100 < chosen[0][OTHER], "words that either stands before"


def substitutes(mechanism, word: str, identifiers=frozenset()) -> Counter:
    """What is drawn for ``word`` between two words that are kept, or that are identifiers."""
    sent = sentence("the/DT", "old/JJ", f"{word}/NN", "sleeps/VBZ")
    rng = Random(11)
    chosen = (
        mechanism.choose(sent, identifiers, lambda _: False, rng).record for _ in range(DRAWS)
    )
    return Counter(record[0].substitute for record in chosen)


def test_plausible_draws_tell_nothing_of_the_word_that_is_hidden(known) -> None:
    """Two originals of a class, one the likeliest word there, have one distribution of draws."""
    mechanism = PrismStarThreshold(dictionary(*POOL), 0.5, 5, "keep", plausibility=known)
    likeliest, other = substitutes(mechanism, FIRST), substitutes(mechanism, POOL[-1].word)
    assert likeliest[FIRST] > 0.7 * DRAWS, "what is kept beside it is looked at"
    words = likeliest.keys() | other.keys()
    statistic = sum((likeliest[w] - other[w]) ** 2 / (likeliest[w] + other[w]) for w in words)
    assert statistic < len(words) + 5 * sqrt(2 * len(words))
    uniform = PrismStarThreshold(dictionary(*POOL), 0.5, 5, "keep")
    assert substitutes(uniform, FIRST)[FIRST] < 2 * DRAWS / len(POOL)


def test_an_identifier_beside_a_word_is_not_looked_at(known) -> None:
    """What is put there is drawn apart, and what stood there is hidden."""
    mechanism = PrismStarThreshold(dictionary(*POOL), 0.5, 5, "keep", plausibility=known)
    assert substitutes(mechanism, OTHER, frozenset({1, 3}))[FIRST] < 0.5 * DRAWS


SMALL = [entry(word, agreement="h") for word in ("hack", "heck", "hick")]
"""A class too small for a pool of its own: its words draw from those of the other."""
CLASSES = {"own pool": [word.word for word in POOL], "wider pool": [word.word for word in SMALL]}


def drawn(mechanism, words: Sequence[str], seed: int) -> list[tuple[str, int]]:
    """The substitutes for three ``words``, that of the second drawn again, and their pools."""
    first, second, third = (f"{word}/NN" for word in words)
    sent = sentence("the/DT", "old/JJ", first, second, "and/CC", "the/DT", third, "sleeps/VBZ")
    rng = Random(seed)
    record = mechanism.choose(sent, frozenset(), lambda _: False, rng).record
    again = mechanism.redraw(sent, frozenset(), record, 3, lambda _: False, rng)
    return [(one.substitute, one.pool) for one in (*record, again)]


@pytest.mark.parametrize("name", CLASSES)
def test_the_same_chance_draws_the_same_substitutes_whatever_is_hidden(known, name) -> None:
    """What is drawn is a function of random numbers, the pools and what is seen.

    So for any two originals of the same classes it is distributed alike, all substitutes of a
    sentence jointly: from the class's own pool or a wider one, and where one is drawn again.
    """
    found = dictionary(*POOL, *SMALL)
    mechanism = PrismStarThreshold(found, 0.5, 5, "keep", plausibility=known)
    rng, words = Random(2), CLASSES[name]
    for seed in range(200):
        one, other = (drawn(mechanism, rng.choices(words, k=3), seed) for _ in range(2))
        assert one == other


class NeverItself(PrismStarThreshold):
    def choose(self, sentence, identifiers, forbidden, rng):
        own = {token.text for token in sentence.tokens}
        return super().choose(sentence, identifiers, lambda w: w in own or forbidden(w), rng)


def test_a_draw_that_hangs_on_the_word_differs_by_it(known) -> None:
    mechanism = NeverItself(dictionary(*POOL), 0.5, 5, "keep", plausibility=known)
    words = [[FIRST] * 3, [POOL[7].word] * 3]
    assert any(
        drawn(mechanism, words[0], seed) != drawn(mechanism, words[1], seed) for seed in range(20)
    )
