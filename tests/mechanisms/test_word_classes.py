from prism_core.dictionary import Dictionary
from prism_core.language import Sentence, Token
from prism_core.mechanisms.word_classes import GRAMMAR, UNKNOWN, WordClasses, classify
from tests.words import dictionary, entry, sentence

WORDS = dictionary(
    entry("ice"), entry("cream"), entry("ice cream", confidence=0.9),
    entry("next", "JJ"), entry("week"), entry("next week", "RB", confidence=0.9),
)  # fmt: skip


def lengths(*words: str, identifiers: frozenset[int] = frozenset()) -> dict[int, int]:
    found = WordClasses(WORDS, phrases_from=0.5).classify_all(sentence(*words), identifiers)
    return {position: word.length for position, word in found.items()}


def test_a_phrase_is_one_word() -> None:
    assert lengths("cold/JJ", "ice/NN", "cream/NN", "ice/NN") == {0: 1, 1: 2, 3: 1}


def test_a_phrase_of_a_noun_may_have_its_noun_anywhere() -> None:
    words = dictionary(entry("years old", "NNS"), entry("years", "NNS"), entry("old", "JJ"))
    classes = WordClasses(words, phrases_from=0.5)
    assert [*classes.classify_all(sentence("years/NNS", "old/JJ"), frozenset())] == [0]
    assert [*classes.classify_all(sentence("years/VB", "old/JJ"), frozenset())] == [0, 1]


def test_a_phrase_in_capitals_or_with_a_capital_each_is_one_word() -> None:
    assert lengths("Ice/NNP", "Cream/NNP") == {0: 2}
    assert lengths("ICE/NNP", "CREAM/NNP") == {0: 2}
    assert lengths("ice/NN", "Cream/NNP") == {0: 1, 1: 1}
    assert lengths("ICE/NNP", "Cream/NNP") == {0: 1, 1: 1}


def test_a_phrase_without_the_confidence_is_two_words() -> None:
    words = sentence("ice/NN", "cream/NN")
    assert len(WordClasses(WORDS, phrases_from=0.95).classify_all(words, frozenset())) == 2
    assert len(WordClasses(WORDS).classify_all(words, frozenset())) == 2


def test_a_phrase_never_covers_an_identifier() -> None:
    assert lengths("ice/NN", "cream/NN", identifiers=frozenset({1})) == {0: 1}
    assert lengths("ice/NN", "cream/NN", identifiers=frozenset({0})) == {1: 1}


def test_next_week_is_an_adverb_only_where_nothing_determines_it() -> None:
    assert lengths("next/JJ", "week/NN") == {0: 2}
    assert lengths("the/DT", "next/JJ", "week/NN") == {0: 1, 1: 1, 2: 1}


def test_only_the_fixed_list_makes_a_word_grammar() -> None:
    found = WordClasses(WORDS).classify_all(sentence("the/NN", "zorgle/DT"), frozenset())
    assert list(found.values()) == [GRAMMAR, UNKNOWN]


def test_no_word_is_remembered_but_public_ones() -> None:
    classes = WordClasses(WORDS)
    found = classes.classify_all(sentence("Ice/NN", "./.", "Zorgle/NN", "the/DT"), frozenset())
    again = classes.classify_all(sentence("the/DT", "Zorgle/NN", "./.", "Ice/NN"), frozenset())
    assert list(found.values()) == list(again.values())[::-1]
    assert "Zorgle" not in {text for text, _ in classes._public}


LONGER = dictionary(
    entry("as"), entry("result"), entry("time"), entry("look", "VB"), entry("forward", "RB"),
    entry("as a result", "RB"), entry("on time", "RB"), entry("look for", "VB"),
    entry("look forward", "VB"), entry("look forward to", "VB"), entry("in vain", confidence=0.1),
    entry("vain", "JJ"),
)  # fmt: skip


def longer(*words: str) -> dict[int, tuple[int, str]]:
    found = WordClasses(LONGER, phrases_from=0.5).classify_all(sentence(*words), frozenset())
    return {at: (word.length, word.entry.word) for at, word in found.items() if word.entry}


def test_three_tokens_and_function_words_among_them_are_one_word() -> None:
    assert longer("As/IN", "a/DT", "result/NN", "look/VB", "for/IN", "time/NN") == {
        0: (3, "as a result"),
        3: (2, "look for"),
        5: (1, "time"),
    }


def test_the_longest_phrase_at_a_token_wins() -> None:
    found = longer("look/VB", "forward/RB", "to/IN", "time/NN")
    assert found == {0: (3, "look forward to"), 3: (1, "time")}
    assert longer("look/VB", "forward/RB") == {0: (2, "look forward")}


def test_a_phrase_of_a_verb_needs_a_verb_and_an_adverb_no_noun_after_it() -> None:
    assert longer("look/NN", "for/IN", "time/NN") == {0: (1, "look"), 2: (1, "time")}
    assert longer("on/IN", "time/NN") == {0: (2, "on time")}
    assert longer("on/IN", "time/NN", "result/NN") == {1: (1, "time"), 2: (1, "result")}


def test_the_content_words_of_a_phrase_that_is_not_confident_are_words() -> None:
    assert longer("in/IN", "vain/JJ") == {1: (1, "vain")}


def test_a_longer_phrase_never_covers_an_identifier() -> None:
    words = sentence("as/IN", "a/DT", "result/NN")
    found = WordClasses(LONGER, phrases_from=0.5).classify_all(words, frozenset({2}))
    assert found.keys() == {0, 1}
    assert all(word.length == 1 for word in found.values())


def test_a_phrase_of_grammar_with_capitals_of_its_own_is_words() -> None:
    """It names a firm, and none of its words would be found by itself: *Good Morning Ltd*."""

    def kept(*words: str, identifiers: frozenset[int] = frozenset()) -> list[int]:
        found = WordClasses(LONGER, phrases_from=0.5).classify_all(sentence(*words), identifiers)
        return [at for at, word in found.items() if word is GRAMMAR]

    assert kept("Good/JJ", "morning/NN", "all/DT") == [0, 1, 2]
    assert kept("GOOD/JJ", "MORNING/NN", "ALL/DT") == [0, 1, 2]
    assert kept("Good/NNP", "Morning/NNP", "all/DT") == [2]
    assert kept("firm/NN", "good/JJ", "morning/NN") == [1, 2]
    assert kept("firm/NN", "Good/NNP", "Morning/NNP") == []
    assert kept("Good/NNP", "Morning/NNP", "Ltd/NNP", identifiers=frozenset({2})) == []


def test_a_noun_of_several_words_may_begin_with_its_head_and_follow_an_article() -> None:
    known = [entry("rueda", "NN-F"), entry("prensa", "NN-F"), entry("rueda de prensa", "NN-F")]
    spanish = Dictionary(known, {"source": "es"}, "test")
    words = sentence("la/DT", "rueda/NN-F", "de/IN", "prensa/NN-F", "rueda/VBP-3S")
    found = WordClasses(spanish, phrases_from=0.5).classify_all(words, frozenset())
    assert {at: word.length for at, word in found.items()} == {0: 1, 1: 3, 4: 1}


HYPHENS = dictionary(
    entry("long", "JJ"), entry("term"), entry("long-term", "JJ", confidence=0.9),
    entry("front"), entry("house"), entry("in front of the house", "RB", confidence=0.9),
)  # fmt: skip


def hyphened(*words: str) -> dict[int, int]:
    found = WordClasses(HYPHENS, phrases_from=0.5).classify_all(sentence(*words), frozenset())
    return {at: word.length for at, word in found.items() if word is not GRAMMAR}


def test_a_run_of_grammar_is_kept_unless_it_is_part_of_a_longer_phrase() -> None:
    assert hyphened("in/IN", "front/NN", "of/IN", "house/NN") == {3: 1}
    assert hyphened("in/IN", "front/NN", "of/IN", "the/DT", "house/NN") == {0: 5}
    words = sentence("in/IN", "front/NN", "of/IN")
    word_by_word = WordClasses(HYPHENS).classify_all(words, frozenset())
    assert word_by_word[1].entry is HYPHENS.find("front", "NN")


def test_a_word_with_a_hyphen_is_one_word_where_no_blank_is_beside_it() -> None:
    apart = sentence("a/DT", "long/JJ", "-/HYPH", "term/NN", "house/NN")
    first, *others = (token._replace(whitespace="") for token in apart.tokens[1:3])
    joined = Sentence((apart.tokens[0], first, *others, *apart.tokens[3:]))
    classes = WordClasses(HYPHENS, phrases_from=0.5)
    assert classes.classify_all(joined, frozenset())[1].length == 3
    assert classes.classify_all(apart, frozenset())[1].length == 1


SPANISH = Dictionary(
    [
        entry("costa", "NN-F"), entry("causa", "NN-F"), entry("partir", "VB"), entry("sol", "NN-M"),
        entry("inmigrantes", "JJ-P", ["immigrant"], confidence=0.99),
        entry("inmigrantes", "NNS-M", ["immigrants"], confidence=0.9),
        entry("vago", "NN-M", confidence=0.3), entry("vago", "JJ-MS", confidence=0.9),
    ],
    {"source": "es"},
    "test",
)  # fmt: skip


def spanish(*words: str) -> list[str]:
    """The words that are not grammar."""
    sent = sentence(*words)
    found = WordClasses(SPANISH, phrases_from=0.5).classify_all(sent, frozenset())
    return [sent.words[at] for at, word in found.items() if word is not GRAMMAR]


def test_a_phrase_of_grammar_may_end_in_a_contraction() -> None:
    assert spanish("a/IN", "causa/NN-F", "de/IN", "la/DT", "costa/NN-F") == ["costa"]
    assert spanish("a/IN", "causa/NN-F", "del/IN", "sol/NN-M") == ["sol"]
    assert spanish("la/DT", "causa/NN-F", "del/IN", "sol/NN-M") == ["causa", "sol"]


def test_a_capital_within_a_phrase_of_grammar_is_that_of_a_name() -> None:
    assert spanish("a/IN", "costa/NN-F", "de/IN", "ella/PRP") == []
    assert spanish("a/IN", "Costa/NNP", "de/IN", "ella/PRP") == ["Costa"]
    assert spanish("A/IN", "Costa/NNP", "de/IN", "ella/PRP") == ["Costa"]
    assert spanish("A/IN", "Costa/NNP", "De/IN", "Ella/PRP") == ["Costa"]
    assert spanish("A/IN", "costa/NN-F", "de/IN", "ella/PRP") == []
    assert spanish("A/IN", "COSTA/NN-F", "DE/IN", "ELLA/PRP") == []


def test_a_phrase_of_grammar_has_no_word_of_an_identifier_of_its_sentence() -> None:
    sent = sentence("Costa/NNP", "a/IN", "costa/NN-F", "de/IN", "ella/PRP")
    found = WordClasses(SPANISH, phrases_from=0.5).classify_all(sent, frozenset({0}))
    assert [at for at, word in found.items() if word is not GRAMMAR] == [2]


def test_a_word_without_an_entry_of_its_tag_takes_a_sure_one_of_its_part_of_speech() -> None:
    found = {
        tag: classify(Token(word, " ", tag), SPANISH).entry
        for word, tag in (("inmigrantes", "NNS"), ("inmigrantes", "VB"), ("vago", "NN-F"))
    }
    assert [one and one.tag for one in found.values()] == ["NNS-M", "JJ-P", "JJ-MS"]
