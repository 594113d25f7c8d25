"""Entries read off parallel text: right forms, learned classes, slots, and an honest confidence."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from prism_core.building.corpus_entries import build_corpus_entries
from prism_core.building.corpus_occurrences import collect_occurrences, read_translation
from prism_core.dictionary import Entry
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import load_language
from tests.words import ENGLISH

# fmt: off
MASCULINE = {
    "dog": "zon", "cat": "mar", "boat": "lin", "tree": "pof", "road": "dur", "coat": "rak",
    "field": "tes", "knife": "gol", "horse": "vam", "bread": "sul", "stone": "pek",
}
FEMININE = {
    "house": "zona", "door": "mira", "lamp": "lina", "leaf": "pofa", "book": "dura",
    "shirt": "raka", "river": "tesa", "spoon": "gola", "mouse": "vama", "soup": "sula",
    "apple": "peka",
}
RARE = {"ladder": "brona"}
ADJECTIVES = {
    "red": ("rod", "roda"), "old": ("vek", "veka"), "calm": ("paze", "paze"),
    "wise": ("sabe", "sabe"), "tall": ("alt", "alta"), "kind": ("gute", "gute"),
    "big": ("gran", "grana"), "new": ("nov", "nova"), "safe": ("sure", "sure"),
}
# fmt: on
VERBS = {"falls": ("VBZ", "kade"), "shines": ("VBZ", "brile"), "burns": ("VBZ", "arde")}


def _tokens(words: str, tags: str) -> Sentence:
    pairs = zip(words.split(), tags.split(), strict=True)
    return Sentence(tuple(Token(word, " ", tag, lemma=word) for word, tag in pairs))


def _text(seed: int, count: int) -> tuple[list[Sentence], list[str]]:
    """*The red dog falls .* and *la zona roda kade .*: articles and endings by gender."""
    rng = Random(seed)
    nouns = {**MASCULINE, **FEMININE}
    sentences, lines = [], []
    for number in range(count):
        noun = rng.choice(sorted(nouns)) if number % 200 != 7 else "ladder"
        feminine = noun in FEMININE or noun in RARE
        adjective, verb = rng.choice(sorted(ADJECTIVES)), rng.choice(sorted(VERBS))
        article, of_gender = rng.choice((("the", ("el", "la")), ("a", ("un", "una"))))
        sentences.append(_tokens(f"{article} {adjective} {noun} {verb} .", "DT JJ NN VBZ ."))
        form = {**nouns, **RARE}[noun]
        words = [of_gender[feminine], form, ADJECTIVES[adjective][feminine], VERBS[verb][1], "."]
        lines.append(" ".join(words))
    return sentences, lines


@pytest.fixture(scope="module")
def entries() -> Mapping[tuple[str, str, str], Entry]:
    sentences, lines = _text(3, 1200)
    other = [line.replace("kade", "falle") for line in lines]
    made = build_corpus_entries(
        sentences, {"one": lines, "two": other}, ENGLISH, built="2026-01-01"
    )
    return {(entry.word, entry.tag, entry.translator): entry for entry in made}


def test_every_word_has_its_form_first_and_is_confident(entries) -> None:
    for word, form in {**MASCULINE, **FEMININE}.items():
        entry = entries[word, "NN", "one"]
        assert entry.forms[0].text == form
        assert entry.confidence > 0.9


def test_each_translator_has_its_own_forms(entries) -> None:
    assert entries["falls", "VBZ", "one"].forms[0].text == "kade"
    assert entries["falls", "VBZ", "two"].forms[0].text == "falle"
    assert {entry.method for entry in entries.values()} == {"corpus"}
    assert {entry.built for entry in entries.values()} == {"2026-01-01"}


def test_nouns_that_take_the_same_articles_are_one_class_and_no_others(entries) -> None:
    masculine = {entries[word, "NN", "one"].agreement for word in MASCULINE}
    feminine = {entries[word, "NN", "one"].agreement for word in FEMININE}
    assert len(masculine) == len(feminine) == 1
    assert masculine != feminine


def test_a_rare_noun_takes_the_class_of_those_that_stand_and_end_alike(entries) -> None:
    assert entries["ladder", "NN", "one"].agreement == entries["house", "NN", "one"].agreement
    assert entries["ladder", "NN", "one"].confidence < entries["house", "NN", "one"].confidence


def test_an_adjective_takes_the_form_that_goes_with_the_noun(entries) -> None:
    red, old = entries["red", "JJ", "one"], entries["old", "JJ", "one"]
    by_text = {form.text: form for form in old.forms}
    assert red.inflect("vek", by_text["vek"].features) == "rod"
    assert red.inflect("veka", by_text["veka"].features) == "roda"


def test_adjectives_that_do_not_vary_are_a_class_of_their_own(entries) -> None:
    varying = {entries[word, "JJ", "one"].agreement for word in ("red", "old", "tall", "new")}
    fixed = {entries[word, "JJ", "one"].agreement for word in ("calm", "wise", "kind", "safe")}
    assert len(varying) == len(fixed) == 1
    assert varying != fixed
    assert all(agreement.startswith("> | ") for agreement in varying | fixed)  # after the noun


def test_function_words_have_entries_of_their_own_tag(entries) -> None:
    forms = {form.text for form in entries["the", "FUNCTION", "one"].forms}
    assert forms == {"el", "la"}


def test_a_word_translated_differently_each_time_gets_no_confidence() -> None:
    sentences, lines = _text(4, 400)
    rng = Random(9)
    scattered = [line.replace("kade", f"x{'abcdefghij'[rng.randrange(10)]}q{n}z".translate(
        str.maketrans("0123456789", "klmnoprstu"))) for n, line in enumerate(lines)]  # fmt: skip
    made = build_corpus_entries(sentences, {"one": scattered}, ENGLISH)
    confidence = {(entry.word, entry.tag): entry.confidence for entry in made}
    assert confidence.get(("falls", "VBZ"), 0.0) < 0.3
    assert confidence["shines", "VBZ"] > 0.9


def test_the_same_text_gives_the_same_entries() -> None:
    sentences, lines = _text(5, 150)
    once = build_corpus_entries(sentences, {"one": lines}, ENGLISH)
    assert once == build_corpus_entries(sentences, {"one": lines}, ENGLISH)


def test_scores_decrease_and_confidence_is_a_probability(entries) -> None:
    for entry in entries.values():
        scores = [form.score for form in entry.forms]
        assert scores == sorted(scores, reverse=True)
        assert 0 <= entry.confidence <= 1


SLOTS = {"NN": "-M", "JJ": "-MS", "VBZ": "-3S"}


def test_tags_that_tell_what_their_words_agree_in_are_read_as_the_same_parts_of_speech() -> None:
    """As *NN-F* or *VBP-3S*: forms, classes and slots are those of *NN* and *VBP*."""
    sentences, lines = _text(3, 600)
    slotted = [
        Sentence(tuple(t._replace(tag=t.tag + SLOTS.get(t.tag, "")) for t in sentence.tokens))
        for sentence in sentences
    ]
    of_tags = {f"{tag}{slot}": ENGLISH.frames.of_tags[tag][:1] for tag, slot in SLOTS.items()}
    language = replace(ENGLISH, frames=replace(ENGLISH.frames, of_tags=of_tags))
    plain = build_corpus_entries(sentences, {"one": lines}, ENGLISH)
    told = build_corpus_entries(slotted, {"one": lines}, language)
    words = [entry for entry in told if entry.tag != penn_tag(entry.tag)]
    assert len(words) > 30
    assert [one._replace(tag=penn_tag(one.tag)) for one in told] == plain


def test_a_month_in_small_letters_is_read_as_the_month_and_as_the_noun_it_is_tagged_as() -> None:
    text = [_tokens("en avril", "IN NN-M")]
    links = [[(0, 0), (1, 1)]]
    found = collect_occurrences(
        text, read_translation("one", ["in April"]), links, {("avril", "NN-M")}, load_language("fr")
    )
    assert {tag: one[0].head for (word, tag), one in found.items() if word == "avril"} == {
        "NN-M": "april",
        "MONTH": "april",
    }
