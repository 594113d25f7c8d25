from collections.abc import Iterator

import pytest

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.identifiers.finder import IdentifierFinder
from prism_core.identifiers.lists import DenyList
from prism_core.record import Kind
from tests.words import dictionary, entry, sentence

WORDS = dictionary(entry("agreement"), entry("brown", "JJ"))


def forms(*words: str) -> tuple[str, ...]:
    return IdentifierFinder(WORDS).collect_denied_forms(sentence(*words))


def test_an_ordinary_word_next_to_a_name_is_not_denied_elsewhere() -> None:
    assert forms("Zorgle/NNP", "Agreement/NNP") == ("Zorgle",)


def test_a_persons_name_is_denied_though_it_is_an_ordinary_word() -> None:
    assert forms("Mr./NNP", "Brown/NNP/PER") == ("Brown",)


def test_short_numbers_and_dates_are_not_denied_elsewhere() -> None:
    assert forms("on/IN", "14/CD", "of/IN", "2024/CD", "file/NN", "48-213/CD") == ("48-213",)


def test_shapes_win_over_names_and_every_identifier_is_whole_tokens() -> None:
    cut, found = IdentifierFinder(WORDS).find(sentence("MRN-48213-B/NNP", "12kg/NN"))
    assert [one.text_in(cut) for one in found] == ["MRN-48213-B", "12kg"]


def test_a_number_written_apart_is_denied_in_every_form_it_may_be_written_in() -> None:
    words = ("MRN/NN", ":/:", "12345/CD", "-/HYPH", "678/CD")
    assert "12345" in " ".join(forms(*words))
    assert forms("IBAN/NN", "DE89/NN", "3704/CD", "0044/CD", "0532/CD", "0130/CD", "00/CD") == (
        "IBAN",
        "DE89 3704 0044 0532 0130 00",
        "DE89370400440532013000",
    )


def test_words_of_dates_and_of_firms_are_not_denied_elsewhere() -> None:
    assert forms("on/IN", "3/CD", "Sept/NNP", "for/IN", "Zorgle/NNP", "Ltd/NNP") == ("Zorgle",)


def test_an_ordinary_word_alone_on_a_line_is_neither_a_name_nor_denied() -> None:
    assert forms("Agreement/NNP/PER") == ()


def test_a_denied_form_is_found_in_any_case_but_an_ordinary_word_only_with_its_capital() -> None:
    deny_list = DenyList()
    for form in ("Zorgle", "Brown"):
        deny_list.add(form)
    finder = IdentifierFinder(WORDS)
    cut, found = finder.find(sentence("zorgle/NN", "brown/JJ", "dog/NN"), deny_list)
    assert [one.text_in(cut) for one in found] == ["zorgle"]


class BeyondTheTokens(Detector):
    """A detector that is wrong about where texts end."""

    def find(self, text: str) -> Iterator[Detection]:
        span = Span(0, len(text) + 1, "NUMBER", Kind.NUMBER)
        yield Detection(span.start, span.end, "NUMBER", Strength.CHECKED, (span,))


def test_an_identifier_that_no_tokens_make_up_is_never_passed_over() -> None:
    finder = IdentifierFinder(WORDS, extra=[BeyondTheTokens()])
    with pytest.raises(ValueError, match="whole tokens"):
        finder.find(sentence("12/CD", "dogs/NNS"))


TERMS = dictionary(entry("business"), entry("day"), entry("rose"), entry("goods", "NNS"))


def denied(*texts: str) -> tuple[IdentifierFinder, DenyList]:
    finder, deny_list = IdentifierFinder(TERMS, ["Listed Goods"]), DenyList()
    for text in texts:
        words = [f"{word}/NNP" for word in text.split()]
        for form in finder.collect_denied_forms(sentence(*words)):
            deny_list.add(form)
    return finder, deny_list


@pytest.mark.parametrize(
    ("defined", "words", "names"),
    [
        ("“Business Day” means", "the/DT Business/NNP Day/NNP", []),
        ("“Business Day” means", "two/CD Business/NNP Days/NNPS", []),
        ("“Business Day” means", "Mr/NNP Day/NNP", ["Day"]),
        ("“Business Day” means", "the/DT Business/NNP Day/NNP Zorgle/NNP", ["Business", "Day"]),
        ("“Rose Day” means", "the/DT Rose/NNP/PER Day/NNP/PER", ["Rose", "Day"]),
        ("“Zorgle Day” means", "the/DT Zorgle/NNP Day/NNP", ["Zorgle", "Day"]),
        ("“Listed Goods” means", "the/DT Listed/NNP Goods/NNP", ["Listed", "Goods"]),
        ("“Will Business” means", "the/DT Will/NNP Business/NNP", ["Will"]),
        ("“Business Days”", "the/DT Business/NNP/PER Day/NNP/PER", ["Day"]),
    ],
)
def test_a_term_that_the_archive_defines_in_ordinary_words_names_nobody(
    defined, words, names
) -> None:
    finder, deny_list = denied(defined)
    cut, found = finder.find(sentence(*words.split()), deny_list)
    shown = [one.text_in(cut) for one in found if one.kind is Kind.NAME]
    assert [name for name in shown if name != "Zorgle" or "Zorgle" in names] == names
