"""What never ends and never begins a sentence."""

from itertools import pairwise

import pytest

from prism_core.language.boundaries import LONGEST_SENTENCE, BoundaryRules, Guess, split_long
from tests.words import ENGLISH


def split(text: str) -> list[str]:
    """The sentences of ``text``, where ``|`` stands for a guess and ``_`` for no blank."""
    guesses: list[Guess] = []
    for word in text.split():
        bare = word.lstrip("|_")
        guesses.append(Guess(bare, "_" not in word[:2], "|" in word[:2]))
    sentences: list[str] = []
    for guess, begins in zip(guesses, BoundaryRules(ENGLISH).mend(guesses), strict=True):
        if begins:
            sentences.append(guess.word)
        else:
            sentences[-1] += " " + guess.word
    return sentences


def test_the_first_word_always_begins_a_sentence() -> None:
    assert split("he left") == ["he left"]


@pytest.mark.parametrize("title", ["Mr.", "Dr.", "mrs.", "Prof.", "vs.", "v."])
def test_a_title_before_a_name_ends_no_sentence(title: str) -> None:
    assert len(split(f"so {title} |Blarnov left")) == 1


@pytest.mark.parametrize("closer", [")", ".", ",", "!!", "...", "⍰", "n't"])
def test_closing_signs_begin_no_sentence(closer: str) -> None:
    assert len(split(f"he left |_{closer} she stayed")) == 1


def test_a_closing_quotation_mark_begins_no_sentence() -> None:
    assert len(split("a big ' _Welcome _! |_' to all")) == 1


def test_an_opening_sign_goes_with_the_sentence_it_opens() -> None:
    assert split('he left . " |_She stayed') == ["he left .", '" She stayed']
    assert split("he left . ( |_She stayed") == ["he left .", "( She stayed"]


def test_reported_speech_does_not_end_at_its_comma() -> None:
    assert len(split("' _I know _, _' |she said")) == 1
    assert len(split("I know _, |he knows")) == 1


def test_addresses_at_one_host_stay_with_their_label_and_may_begin_a_sentence() -> None:
    addresses = "|{ _a _, b _} _@ _host _."
    assert len(split(f"Contact _: {addresses}")) == 1
    assert len(split(f"write to us _. {addresses}")) == 2
    assert len(split("the keys are _: |{ _a _, b _} _.")) == 2


def test_other_guesses_are_kept() -> None:
    assert split("he left . |She stayed .") == ["he left .", "She stayed ."]


@pytest.mark.parametrize(
    "text",
    [
        "specimen no. |4711 was sent",
        "hosp. |no _. K 961 769 , admitted",
        "the policy with Holm S.r.l _. |is W94 629",
        "the policy with Holm |JSC is 384568802-01",
        "the policy with Holm Pvt. |Ltd. is W94",
        "the escrow account |78584074-80 , IBAN",
        "Vehicle : registration |24 _- _ABT-4 .",
        "Passport no. : |C01X00990 .",
        "Licence |no. D129",
        "plate AB |339 was",
        "member 4EG9 |_-TE5 left",
        "at 40: |_f4 again",
        "fingerprint reference |N988-4574 )",
        "Palm print : |BIO6591K",
        "registration |1RBC977 , VIN",
        "member ID |AB 1234",
        "in CH-8092 |Zürich ,",
        "on 11 May. |2000 in",
        "on 14 . |May and",
        "on 3. |August 1994 at",
        "hosp. |no. 4711",
        "under Art. |6(1)(f) of it",
        "registration |Y 514 MF",
        "0196 , fax |+34 612 095",
        "0196 , fax |+ 34 612 095",
        "at Hauptstr . |53 in",
    ],
)
def test_no_sentence_ends_within_a_number_nor_before_one_that_is_announced(text: str) -> None:
    assert len(split(text)) == 1


def test_a_sentence_may_begin_with_a_month_after_a_number_that_is_no_day() -> None:
    assert len(split("it was 2014 . |May came")) == 2


def test_a_sentence_may_begin_with_a_number() -> None:
    assert len(split("he said no. |He left")) == 2
    assert len(split("it rained . |12 men left")) == 2
    assert len(split("in summer . |2000 men left")) == 2


def test_no_words_have_no_beginnings() -> None:
    assert BoundaryRules(ENGLISH).mend([]) == []


def cut(text: str, begins: tuple[int, ...] = ()) -> list[str]:
    """``text``, in which words are parted by blanks, cut where it is too long."""
    words = text.split()
    places = [0, *split_long(words, [" "] * len(words), begins), len(words)]
    return [" ".join(words[a:b]) for a, b in pairwise(places)]


def test_a_sentence_without_an_end_is_cut_and_nothing_is_lost() -> None:
    text = " ".join(["the garden of the house"] * 3_000)
    pieces = cut(text)
    assert " ".join(pieces) == text
    assert max(map(len, pieces)) <= LONGEST_SENTENCE
    assert min(map(len, pieces[:-1])) > LONGEST_SENTENCE // 3


def test_a_long_sentence_is_cut_behind_a_clause_and_never_within_a_name() -> None:
    half = "so it was " * 70
    assert cut(f"{half}and then , {half}")[0].endswith("and then ,")
    named = "so it was Anna Quibble " * 90
    assert all(not piece.endswith("Anna") for piece in cut(named))


def test_a_word_longer_than_any_sentence_stands_alone() -> None:
    assert cut("a " + "b" * 5_000 + " c") == ["a", "b" * 5_000, "c"]


def test_sentences_that_are_short_enough_stay_as_they_were_split() -> None:
    assert cut("one two three four", (1, 3)) == ["one", "two three", "four"]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Privileged & Confidential — Halloran & Voss", 2),
        ("Terms of Sale – Zorgle GmbH", 2),
        ("He left — Halloran stayed.", 1),
        ("Halloran—Voss Agreement", 1),
    ],
)
def test_a_heading_is_cut_behind_its_dash_and_a_sentence_is_not(model, text, sentences) -> None:
    found = model.sentences(text)
    assert len(found) == sentences
    assert "".join(one.text for one in found) == text


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("she took vitamin A _. Then he left", 2),
        ("she took vitamin A. Then he left", 2),
        ("it was signed by A. Will", 1),
        ("it was signed by Anna B. Then", 1),
        ("she took vitamin A. Smith left", 1),
    ],
)
def test_a_letter_that_a_noun_announces_may_end_a_sentence(text: str, sentences: int) -> None:
    assert len(split(text)) == sentences
