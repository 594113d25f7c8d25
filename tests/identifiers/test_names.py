import pytest

from prism_core.identifiers.names import NameDetector
from prism_core.language import LanguageModel, Sentence
from tests.words import dictionary, entry, sentence

ORDINARY = [entry(w) for w in ("agreement", "services", "hope", "brown", "group", "march")]
ORDINARY += [
    entry("cut", "VB"),
    entry("march", "MONTH"),
    entry("june", "MONTH"),
    entry("friday", "WEEKDAY"),
]


def names(*words: str, listed=()) -> list[str]:
    sent = sentence(*words)
    found = NameDetector(dictionary(*ORDINARY), listed).find(sent)
    return [sent.tokens[one.position].text for one in found if one.label != "DATE"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Kovacs/NNP", "left/VBD"], ["Kovacs"]),
        (["the/DT", "Zorgle/NN", "left/VBD"], ["Zorgle"]),
        (["Hope/NNP/PER", "left/VBD"], ["Hope"]),
        (["Mr./NNP", "Brown/NNP"], ["Brown"]),
        (
            ["Hartwell/NNP/ORG", "Services/NNP/ORG", "Group/NNP/ORG"],
            ["Hartwell", "Services", "Group"],
        ),
        (["Olivia/NNP", "Brown/JJ", "left/VBD"], ["Olivia", "Brown"]),
        (["Agreement/NN", "Olivia/NNP"], ["Olivia"]),
        (["this/DT", "Agreement/NNP", "binds/VBZ"], []),
        (["The/DT", "services/NNS"], []),
        (["USA/NNP"], ["USA"]),
        (["I/PRP", "left/VBD"], []),
        (["Dr./NNP", "will/MD"], ["will"]),
        (["the/DT", "dr/NN", "will/MD"], []),
        (["Judge/NN", "de/FW", "la/FW", "Kovacs/NNP"], ["de", "la", "Kovacs"]),
        (["Will/NNP", "Zorgle/NNP"], ["Will", "Zorgle"]),
        (["Will/MD", "it/PRP"], []),
        (["An/NNP/PER", "left/VBD"], ["An"]),
        (["Plaintiff/NNP/PER", "Zorgle/NNP", "left/VBD"], ["Zorgle"]),
        (["the/DT", "Defendant/NNP/PER", "left/VBD"], []),
        (["Brown/NNP/PER"], ["Brown"]),
        (["Group/NNP/PER"], []),
        (["Group/NNP/PER", ":/:"], []),
        (["saw/VBD", "Brown/JJ", "there/RB"], ["Brown"]),
        (["BROWN/NNP", "GROUP/NNP"], []),
        (["Zorgle/NNP", "van/IN", "der/DT", "Kovacs/NNP"], ["Zorgle", "van", "der", "Kovacs"]),
        (["Zorgle/NNP", "&/CC", "Services/NNPS"], ["Zorgle", "Services"]),
        (["Kovacs/NNP", "S.r.l./NNP", "left/VBD"], ["Kovacs", "S.r.l."]),
        (["name/NN", ":/:", "Services/NNS"], ["Services"]),
        (["PARTIES/NNPS", "AND/NNP", "ZORGLES/NNP"], ["ZORGLES"]),
    ],
)
def test_an_unknown_capital_is_a_name_until_shown_otherwise(words, expected) -> None:
    assert names(*words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["Kitchen/NNP/PER", "chairs/NNS", "broke/VBD"], []),
        (["normal/JJ", "./.", "Spleen/NNP/PER", "enlarged/JJ"], []),
        (["NURSING/NNP/PER", "NOTES/NNP/PER"], []),
        (["Terms/NNP/PER", "of/IN", "Kitchen/NNP/LOC", "Hygiene/NNP"], []),
        (["they/PRP", "saw/VBD", "the/DT", "Chaplain/NNP/PER"], []),
        (["the/DT", "Kitchen/NNP", "Hope/NNP", "rose/VBD"], []),
        (["Past/NNP", "Medical/NNP", "History/NNP"], []),
        (["Daughter/NNP/PER", "Olivia/NNP/PER", "left/VBD"], ["Olivia"]),
        (["Chest/NNP", "CT/NNP", "showed/VBD", "that/IN"], ["CT"]),
        (["from/IN", "Sister/NNP/PER", "Olivia/NNP/PER"], ["Olivia"]),
    ],
)
def test_a_word_that_is_hardly_ever_a_name_is_none_where_its_capital_says_nothing(
    words, expected
) -> None:
    assert names(*words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["they/PRP", "saw/VBD", "Kitchen/NNP/PER", "leave/VB"], ["Kitchen"]),
        (["she/PRP", "has/VBZ", "Kitchen/NNP/PER"], ["Kitchen"]),
        (["Mr./NNP", "Kitchen/NNP", "left/VBD"], ["Kitchen"]),
        (["Surname/NN", ":/:", "Kitchen/NN"], ["Kitchen"]),
        (["Olivia/NNP/PER", "Kitchen/NNP/PER"], ["Olivia", "Kitchen"]),
        (["OLIVIA/NNP", "KITCHEN/NN"], ["OLIVIA", "KITCHEN"]),
        (["Zorgle/NNP", "&/CC", "Kitchen/NN"], ["Zorgle", "Kitchen"]),
        (["saw/VBD", "the/DT", "Strait/NNP/LOC", "of/IN", "Zorgle/NNP"], ["Strait", "Zorgle"]),
        (["the/DT", "CARE/NNP/LOC", "trial/NN"], ["CARE"]),
        (["saw/VBD", "Kitchen/NNP", "CT/NNP", "there/RB"], ["Kitchen", "CT"]),
        (["Hope/NNP/PER", "Services/NNP"], ["Hope", "Services"]),
        (["Will/NNP", "Kitchen/NNP"], ["Will", "Kitchen"]),
        (["PATIENT/NN", ":/:", "BAKER/NN", ",/,", "ROSE/NN"], ["BAKER", "ROSE"]),
        (["Baker/NN", ",/,", "Rose/NN", "left/VBD"], ["Baker", "Rose"]),
    ],
)
def test_such_a_word_and_one_that_is_a_name_too_stay_names_where_anything_says_so(
    words, expected
) -> None:
    assert names(*words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["memo/NN", "to/IN", "Will/MD"], ["Will"]),
        (["MEMO/NN", "TO/IN", "WILL/MD"], ["WILL"]),
        (["State/NN", "v/IN", "Will/MD"], ["Will"]),
        (["Will/MD", "signed/VBD", "it/PRP"], ["Will"]),
        (["Will/MD", "'s/POS", "services/NNS"], ["Will"]),
        (["Will/MD", "and/CC", "she/PRP", "left/VBD"], ["Will"]),
        (["we/PRP", "asked/VBD", "Will/MD"], ["Will"]),
        (["From/IN", ":/:", "Will/MD"], ["Will"]),
        (["Will/MD", "the/DT", "services/NNS", "end/VB"], []),
        (["May/MD", "I/PRP", "come/VB"], []),
        (["the/DT", "services/NNS", "May/MD", "cut/VBD"], []),
        (["THE/DT", "SERVICES/NNS", "MAY/MD", "IN/IN", "MARCH/NNP"], []),
        (["THE/DT", "SERVICES/NNS", "WILL/MD", "END/VBN"], []),
        (["Could/MD", "signed/VBD"], []),
        (["ANNA/NNP", "MAY/MD", "SIGNED/VBD", "IT/PRP"], ["ANNA", "MAY"]),
        (["ANNA/NNP", "MAY/MD", "SIGN/VB", "IT/PRP"], ["ANNA"]),
    ],
)
def test_an_auxiliary_with_a_capital_is_a_name_where_no_auxiliary_can_stand(
    words, expected
) -> None:
    assert names(*words) == expected


def test_the_users_list_counts_in_any_case_and_spelling() -> None:
    assert names("mr/NN", "müller/NN", listed=["Muller GmbH"]) == ["müller"]


def test_months_are_dates_not_names() -> None:
    words = ("in/IN", "June/NNP", "they/PRP", "march/VBP", "on/IN", "March/NN", "2/CD", "March/NN")
    found = NameDetector(dictionary(*ORDINARY)).find(sentence(*words))
    assert [(one.position, one.label) for one in found] == [(1, "DATE"), (5, "DATE"), (7, "DATE")]


def listed(*words: str, terms: list[str]) -> list[str]:
    return names(*words, listed=terms)


def test_a_listed_name_is_found_inflected_and_in_any_order() -> None:
    terms = ["Rosa Hope", "Müller"]
    assert listed("Hope/NN", ",/,", "Rosa/NN", terms=terms) == ["Hope", "Rosa"]
    assert listed("the/DT", "muellers/NNS", terms=terms) == ["muellers"]
    assert listed("rosa's/NN", "group/NN", terms=terms) == ["rosa's"]


def test_a_function_word_of_a_listed_term_counts_within_the_whole_term_only() -> None:
    terms = ["Bank of Zorgle", "Will"]
    assert listed("bank/NN", "of/IN", "zorgle/NN", terms=terms) == ["bank", "of", "zorgle"]
    assert listed("a/DT", "group/NN", "of/IN", "us/PRP", terms=terms) == []
    assert listed("so/RB", "Will/MD", "will/MD", terms=terms) == ["Will"]


def test_a_listed_name_with_a_hyphen_is_found_however_it_is_cut() -> None:
    words = ("al/NN", "-/HYPH", "sayed/NN", "left/VBD")
    assert listed(*words, terms=["Al-Sayed"]) == ["al", "sayed"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["our/PRP$", "Hope/NN", "Services/NNS", "closed/VBD"], []),
        (["a/DT", "Hope/NNP", "services/NNS", "day/NN"], ["Hope"]),
        (["she/PRP", "is/VBZ", "Hope/NNP", "of/IN", "Services/NNS"], []),
        (["she/PRP", "is/VBZ", "Hope/NNP", "of/IN", "Zorgle/NNP"], ["Hope", "Zorgle"]),
        (["Services/NNS", "and/CC", "Hope/NN", "Agreement/NN"], []),
        (["Al/NNP", "Zorgle/NNP", ",/,", "Hope/NNP", "of/IN", "Services/NNS"], ["Al", "Zorgle"]),
        (["Services/NNS", "of/IN", "Hope/NNP", "Agreement/NN"], ["Hope"]),
        (["fix/VB", "the/DT", "Kitchen/NN", "before/IN", "Hope/NNP"], []),
        (["the/DT", "kitchen/NN", "before/IN", "Hope/NNP"], ["Hope"]),
        (["the/DT", "Kitchen/NN", "saw/VBD", "Hope/NNP/PER"], ["Hope"]),
        (
            ["the/DT", "Kitchen/NN", "of/IN", "Hope/NNP", "&/CC", "Daughter/NN"],
            ["Hope", "Daughter"],
        ),
        (["at/IN", "Hope/NNP/PER", "Friday/NNP/PER"], ["Hope"]),
        (["Friday/NNP/PER", "Zorgle/NNP/PER", "left/VBD"], ["Friday", "Zorgle"]),
    ],
)
def test_a_name_that_is_a_word_is_one_where_capitals_are_given_to_nouns(words, expected) -> None:
    assert names(*words) == expected


def test_what_is_hardly_ever_a_name_is_tagged_as_the_word_it_is() -> None:
    words = dictionary(entry("trade"), entry("fair", "JJ"), entry("fair", confidence=0.3))
    sent = sentence("the/DT", "Trade/NNP/ORG", "Fair/NNP/ORG", "of/IN", "Zorgle/NNP/LOC")
    tokens = NameDetector(words).retag_ordinary_words(sent, {4}).tokens
    assert [(token.tag, token.entity) for token in tokens[1:3]] == [("NN", ""), ("NN", "")]
    assert tokens[4] == sent.tokens[4]


def test_a_possessive_mark_between_two_names_stays() -> None:
    (sent,) = LanguageModel.load("en").sentences("He stayed at Scotland's Hotel.")
    found = NameDetector(dictionary(*ORDINARY)).find(sent)
    assert [sent.tokens[one.position].text for one in found] == ["Scotland", "Hotel"]


def test_words_that_hyphens_join_between_names_are_hidden() -> None:
    parts = ("Zorgle/NNP/LOC", "-/HYPH", "next/RB", "-/HYPH", "the/DT", "-/HYPH", "Trade/NN")
    tokens = tuple(token._replace(whitespace="") for token in sentence(*parts).tokens)
    town = Sentence(tokens)
    found = NameDetector(dictionary(entry("trade"))).find(town)
    assert [town.words[one.position] for one in found] == ["Zorgle", "next", "the", "Trade"]
