"""Word alignment finds the translation whatever the order of words, the same one every time."""

from random import Random

import pytest

from prism_core.building.parallel_alignment import align

GLOSS = {
    "cat": "chat", "dog": "chien", "red": "rouge", "old": "vieux", "sees": "voit", "eats": "mange",
    "fish": "poisson", "house": "maison", "here": "ici", "today": "aujourd'hui", "bread": "pain",
}  # fmt: skip
ADJECTIVES = ("red", "old")
NOUNS = ("cat", "dog", "fish", "house", "bread")


@pytest.fixture(scope="module")
def pairs() -> list[tuple[list[str], list[str]]]:
    """Sentences whose adjectives stand after their nouns in the target language."""
    rng = Random(5)
    made = []
    for _ in range(300):
        subject, thing = rng.sample(NOUNS, 2)
        adjective, verb = rng.choice(ADJECTIVES), rng.choice(("sees", "eats"))
        adverb = rng.choice(("here", "today"))
        source = ["the", adjective, subject, verb, "the", thing, adverb]
        target = ["le", GLOSS[subject], GLOSS[adjective], GLOSS[verb], "le", GLOSS[thing]]
        made.append((source, [*target, GLOSS[adverb]]))
    return made


def test_words_are_linked_to_their_translations_across_a_change_of_order(pairs) -> None:
    links = align(pairs)
    content = [
        (source[i], target[j])
        for (source, target), found in zip(pairs, links, strict=True)
        for i, j in found
        if source[i] != "the"
    ]
    assert sum(GLOSS[word] == form for word, form in content) >= 0.98 * len(content)
    assert len(content) >= 0.98 * sum(len(source) - 2 for source, _ in pairs)


def test_a_word_of_two_is_mostly_linked_to_both(pairs) -> None:
    longer = {"chat": "gros chat", "mange": "a mangé", "pain": "pain blanc", "ici": "par ici"}
    two = [
        (source, [part for word in target for part in longer.get(word, word).split()])
        for source, target in pairs
    ]
    links = align(two)
    spans = [
        [target[j] for i, j in found if source[i] == "cat"]
        for (source, target), found in zip(two, links, strict=True)
        if "cat" in source
    ]
    assert sum(span == ["gros", "chat"] for span in spans) >= 0.6 * len(spans)


def test_a_word_seen_once_claims_no_common_words(pairs) -> None:
    """The sparse prior: without it a rare word is linked to whatever stands around it."""
    rare = (["the", "red", "zebra", "sees", "the", "cat", "here"],
            ["le", "zèbre", "rouge", "voit", "le", "chat", "ici"])  # fmt: skip
    *_, last = align([*pairs, rare])
    assert [rare[1][j] for i, j in last if rare[0][i] == "zebra"] == ["zèbre"]


def test_the_same_pairs_give_the_same_links(pairs) -> None:
    assert align(pairs[:80]) == align(pairs[:80])


def test_empty_and_very_long_sentences_are_left_unaligned(pairs) -> None:
    strange = [([], ["le"]), (["the"], []), (["the"] * 200, ["le"] * 200)]
    links = align([*pairs[:20], *strange])
    assert links[20:] == [[], [], []]
    assert align([]) == []


def test_links_lie_inside_their_sentences(pairs) -> None:
    for (source, target), found in zip(pairs, align(pairs), strict=True):
        assert all(0 <= i < len(source) and 0 <= j < len(target) for i, j in found)
        assert found == sorted(set(found))
