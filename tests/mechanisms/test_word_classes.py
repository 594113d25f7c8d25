from prism_core.mechanisms import WordClass
from prism_core.mechanisms.word_classes import WordClasses
from tests.words import dictionary, entry, sentence

WORDS = dictionary(
    entry("ice"), entry("cream"), entry("ice cream", confidence=0.9),
    entry("next", "JJ"), entry("week"), entry("next week", "RB", confidence=0.9),
)  # fmt: skip


def lengths(*words: str, identifiers: frozenset[int] = frozenset()) -> dict[int, int]:
    found = WordClasses(WORDS, phrases_from=0.5).of_all(sentence(*words), identifiers)
    return {position: word.length for position, word in found.items()}


def test_a_phrase_is_one_word() -> None:
    assert lengths("cold/JJ", "ice/NN", "cream/NN", "ice/NN") == {0: 1, 1: 2, 3: 1}


def test_a_phrase_without_the_confidence_is_two_words() -> None:
    words = sentence("ice/NN", "cream/NN")
    assert len(WordClasses(WORDS, phrases_from=0.95).of_all(words, frozenset())) == 2
    assert len(WordClasses(WORDS).of_all(words, frozenset())) == 2


def test_a_phrase_never_covers_an_identifier() -> None:
    assert lengths("ice/NN", "cream/NN", identifiers=frozenset({1})) == {0: 1}
    assert lengths("ice/NN", "cream/NN", identifiers=frozenset({0})) == {1: 1}


def test_next_week_is_an_adverb_only_where_nothing_determines_it() -> None:
    assert lengths("next/JJ", "week/NN") == {0: 2}
    assert lengths("the/DT", "next/JJ", "week/NN") == {0: 1, 1: 1, 2: 1}


def test_only_the_fixed_list_makes_a_word_grammar() -> None:
    found = WordClasses(WORDS).of_all(sentence("the/NN", "zorgle/DT"), frozenset())
    assert [word.kind for word in found.values()] == [WordClass.GRAMMAR, WordClass.UNKNOWN]


def test_no_word_is_remembered_but_public_ones() -> None:
    classes = WordClasses(WORDS)
    found = classes.of_all(sentence("Ice/NN", "./.", "Zorgle/NN", "the/DT"), frozenset())
    again = classes.of_all(sentence("the/DT", "Zorgle/NN", "./.", "Ice/NN"), frozenset())
    assert list(found.values()) == list(again.values())[::-1]
    assert "Zorgle" not in {text for text, _ in classes._public}
