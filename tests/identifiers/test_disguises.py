"""The leak check against terms in disguise: whatever is drawn, it fires; on ordinary text it does
not."""

from __future__ import annotations

import random
import unicodedata

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from prism_core.building import read_word_list
from prism_core.identifiers.leak_check import LeakCheck
from prism_core.identifiers.lists import DenyList
from prism_core.resources import shipped_words
from tests.examples import examples
from tests.words import ENGLISH

HOMOGLYPHS = {
    "a": "аαɑａ𝐚ⓐᴀ", "b": "ЬΒｂ𝒃ʙ", "c": "сϲｃ𝓬ᴄ", "d": "ԁｄ𝔡ᴅđ", "e": "ееｅ𝕖ᴇë", "f": "ｆ𝖋ꜰ",
    "g": "ɡｇ𝗀ɢ", "h": "һՀｈ𝘩ʜħ", "i": "іιｉ𝙞ıɪ", "j": "јյｊ𝚓ᴊ", "k": "κкｋ𝐤ᴋ", "l": "ӏｌ𝑙ʟł",
    "m": "Мｍ𝒎ᴍΜ", "n": "ոηｎ𝓷ɴ", "o": "оοօｏ𝔬ᴏø", "p": "рρｐ𝕡ᴘ", "q": "ԛզｑ𝖖", "r": "ｒ𝗋ʀ",
    "s": "ѕｓ𝘴ꜱ", "t": "тτｔ𝙩ᴛ", "u": "υսｕ𝚞ᴜ", "v": "νｖ𝐯ᴠ", "w": "ԝωｗ𝑤ᴡ", "x": "хχｘ𝒙",
    "y": "уүｙ𝓎ʏ", "z": "ｚ𝔷ᴢΖ",
}  # fmt: skip
"""For each letter others that look like it, chosen here and not read from the product's table."""
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u202a\u2066\u180e\ufe0f\u0301\u0336\u034f"
DIGITS = (
    "٠١٢٣٤٥٦٧٨٩",
    "०१२३४५६७८९",
    "０１２３４５６７８９",
    "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
    "⁰¹²³⁴⁵⁶⁷⁸⁹",
    "⓪①②③④⑤⑥⑦⑧⑨",
)
WORDS = "zero one two three four five six seven eight nine".split()
BETWEEN = (" ", ".", "-", "_", " - ", "\u00a0", "·", "/", ", ")


def look_alike(term: str, rng: random.Random) -> str:
    return "".join(rng.choice(HOMOGLYPHS.get(c.lower(), c) + c) for c in term)


def with_invisible(term: str, rng: random.Random) -> str:
    return "".join(c + rng.choice(INVISIBLE) * rng.randrange(3) for c in term)


def apart(term: str, rng: random.Random) -> str:
    return rng.choice(BETWEEN).join(term)


def hyphenated(term: str, rng: random.Random) -> str:
    place = rng.randrange(1, len(term))
    return term[:place] + rng.choice(("-", "- ", "\u2010", "\u2011", "-\n", "_")) + term[place:]


def other_case(term: str, rng: random.Random) -> str:
    return "".join(rng.choice((c.upper(), c.lower())) for c in term)


def turned(term: str, rng: random.Random) -> str:
    return "\u202e" + term[::-1] + "\u202c"


def in_tags(term: str, rng: random.Random) -> str:
    return "x" + "".join(chr(0xE0000 + ord(c)) for c in term)


def styled(term: str, rng: random.Random) -> str:
    start = rng.choice((0x1D400, 0x1D468, 0x1D4D0, 0x1D56C, 0x1D5A0, 0x1D670))
    return "".join(
        chr(start + ord(c.upper()) - 65 + 26 * c.islower()) if c.isalpha() else c for c in term
    )


NAME_DISGUISES = (
    look_alike, with_invisible, apart, hyphenated, other_case, turned, in_tags, styled,
)  # fmt: skip


def other_digits(number: str, rng: random.Random) -> str:
    return "".join(rng.choice(DIGITS)[int(c)] if c.isdigit() else c for c in number)


def digit_by_digit(number: str, rng: random.Random) -> str:
    said = [rng.choice((WORDS[int(c)], c)) for c in number if c.isdigit()]
    zero = rng.choice(("oh", "zero", "nought"))
    return rng.choice((" ", ", ", "-")).join(said).replace("zero", zero)


def in_pairs(number: str, rng: random.Random) -> str:
    digits = [c for c in number if c.isdigit()]
    return rng.choice((" ", "-", ".", "/")).join(
        "".join(digits[i : i + 2]) for i in range(0, len(digits), 2)
    )


def letters_for_digits(number: str, rng: random.Random) -> str:
    return number.replace("0", rng.choice("oO")).replace("1", rng.choice("lI"))


NUMBER_DISGUISES = (
    other_digits, digit_by_digit, in_pairs, letters_for_digits, apart, with_invisible,
)  # fmt: skip

names = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=10).map(str.title)
numbers = st.text("0123456789", min_size=6, max_size=12).filter(lambda one: one.strip("0"))
seeds = st.integers(0, 2**32)
plain = st.lists(
    st.sampled_from(sorted(word for word in ENGLISH.words.function_words if word.isalpha()))
)


def nothing(word: str) -> bool:
    return False


def shown(term: str, disguised: str, before: list[str], after: list[str]) -> list[str]:
    """Which of the three lists of ``LeakCheck`` do not see ``term`` in the text."""
    text = " ".join([*before, disguised, *after])
    deny_list = DenyList()
    deny_list.add(term)
    return [
        which
        for which, seen in (
            ("never", LeakCheck(ENGLISH, [term]).shows_never_sent(text)),
            ("own", LeakCheck(ENGLISH).find_leaks(text, [term], DenyList(), nothing)),
            ("archive", LeakCheck(ENGLISH).find_leaks(text, [], deny_list, nothing)),
        )
        if not seen
    ]


@pytest.mark.parametrize("disguise", NAME_DISGUISES)
@given(names, seeds, plain, plain)
@settings(max_examples=examples(60), deadline=None)
def test_a_name_is_seen_in_every_disguise(disguise, name, seed, before, after) -> None:
    assume(not ENGLISH.is_function_word(name))
    disguised = disguise(name, random.Random(seed))
    assert shown(name, disguised, before, after) == [], unicodedata.normalize("NFC", disguised)


@pytest.mark.parametrize("one", NAME_DISGUISES[:2])
@pytest.mark.parametrize("other", NAME_DISGUISES[2:5])
@given(names, seeds)
@settings(max_examples=30, deadline=None)
def test_two_disguises_hide_a_name_no_better_than_one(one, other, name, seed) -> None:
    assume(not ENGLISH.is_function_word(name))
    rng = random.Random(seed)
    assert shown(name, one(other(name, rng), rng), [], []) == []


@pytest.mark.parametrize("disguise", NUMBER_DISGUISES)
@given(numbers, seeds, plain, plain)
@settings(max_examples=examples(60), deadline=None)
def test_a_number_is_seen_in_every_disguise(disguise, number, seed, before, after) -> None:
    disguised = disguise(number, random.Random(seed))
    assume(any(map(str.isdigit, disguised)) or disguise is digit_by_digit)
    missed = shown(number, disguised, before, after)
    if disguise is letters_for_digits:
        missed = [which for which in missed if which == "own"]
    assert missed == []


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("1987", "born in nineteen eighty-seven"),
        ("1987", "born in nineteen hundred and eighty seven"),
        ("1987", "MCMLXXXVII"),
        ("2019", "since two thousand and nineteen"),
        ("555-0188", "five five five, oh one eight eight"),
        ("555-0188", "triple five dash oh one double eight"),
        ("555-0188", "call 555 zero 188 now"),
        ("555-0188", "call 555 dash 0188 now"),
        ("0000001", "oh-oh-0-oh-oh-oh-1"),
        ("2300412", "two million three hundred thousand four hundred and twelve"),
        ("five five five oh one", "code 555-01"),
        ("Dr Wu", "see Dr. Wu"),
        ("Wu", "see W.u today"),
        ("Anne-Marie", "for annemarie"),
        ("Annemarie", "for Anne-Marie"),
        ("Müller", "for Ｍｕｌｌｅｒ"),
        ("Łukasz", "for Lukasz"),
        ("office", "the oﬃce"),
        ("Sørensen", "by S\u00f8rensen and Sorensen"),
        ("Иванов", "ИВАНОВ"),
        ("Παπαδόπουλος", "ΠΑΠΑΔΟΠΟΥΛΟΣ"),
    ],
)
def test_what_is_never_sent_is_seen_however_it_is_written(term, text) -> None:
    assert LeakCheck(ENGLISH, [term]).shows_never_sent(text)
    assert not LeakCheck(ENGLISH, [term]).shows_never_sent("the quick brown fox has 3 legs")


@pytest.mark.parametrize(
    "glued", ["TheKovacs", "Kovacs2024", "x_Kovacs_y", "Kovacs/Smith", "Ko vacs"]
)
def test_a_denied_name_is_seen_where_no_blank_parts_it_from_another_word(glued) -> None:
    deny_list = DenyList()
    deny_list.add("Kovacs")
    assert LeakCheck(ENGLISH).find_leaks(
        f"to {glued} now", [], deny_list, {"the", "to", "now"}.__contains__
    )


def test_a_denied_number_is_seen_between_other_numbers() -> None:
    deny_list = DenyList()
    deny_list.add("555-0188")
    check = LeakCheck(ENGLISH)
    assert check.find_leaks("in 2019 call (555) 01 88 or 17", [], deny_list, nothing)
    assert not check.find_leaks("in 2019 call (555) 02 88 or 17", [], deny_list, nothing)


def test_ordinary_words_beside_each_other_are_no_denied_name() -> None:
    deny_list = DenyList()
    for name in ("Herman", "William", "Don", "Andre"):
        deny_list.add(name)
    ordinary = {"her", "man", "will", "I", "am", "do", "n", "and", "re"}.__contains__
    for text in ("her man", "will I am", "and re-elected"):
        assert not LeakCheck(ENGLISH).find_leaks(text, [], deny_list, ordinary)


@st.deferred
def ordinary_words() -> st.SearchStrategy[str]:
    """Read when they are first drawn, not by every process that only looks for tests."""
    words = {one.word for one in read_word_list(shipped_words(), ENGLISH) if one.word.isalpha()}
    return st.sampled_from(sorted(words))


@given(st.lists(ordinary_words, min_size=4, max_size=20), names, numbers)
@settings(max_examples=examples(300), deadline=None)
def test_ordinary_text_is_no_leak(words, name, number) -> None:
    text = " ".join(words)
    assume(name.lower() not in text.replace(" ", ""))
    assert shown(name, text, [], []) == ["never", "own", "archive"]
    assert shown(number, f"{text}, 12 of 1,500.", [], []) == ["never", "own", "archive"]
