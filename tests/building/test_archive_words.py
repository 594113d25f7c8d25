"""What is asked tells of a group of public words that one is the archive's, and not which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from prism_core.building import ArchiveWords, PublicWords, group_words, withhold_never_sent
from prism_core.building.word_candidates import WordCandidate
from prism_core.identifiers import DenyList, Identifier, IdentifierFinder, LeakCheck
from prism_core.language import Sentence
from tests.words import ENGLISH, dictionary, entry, sentence

PUBLIC = [
    *(WordCandidate(f"{a}{b}ite", "NN", n % 5) for n, a in enumerate("bdfgklmn") for b in "aeiou"),
    *(WordCandidate(f"{a}{b}xing", "VBG", 0) for a in "bdfgk" for b in "aeiou"),
    WordCandidate("alone", "RB", 3),
    WordCandidate("known", "NN", 9),
]
DICTIONARY = dictionary(entry("known"))
SIZE = 4
HIDING = PublicWords(PUBLIC, DICTIONARY, lambda _word: False, SIZE)


def asked_for(*own: str, tag: str = "NN") -> frozenset[tuple[str, str]]:
    words = [WordCandidate(word, tag, 1) for word in own]
    return frozenset((one.word, one.tag) for one in HIDING.choose_groups(words).asked)


def test_whichever_word_of_a_group_is_the_archives_the_same_is_asked() -> None:
    lacking = [one for one in PUBLIC if one.word != "known"]
    for group in group_words(lacking, SIZE):
        assert len(group) >= SIZE
        each = {asked_for(one.word, tag=one.tag) for one in group}
        assert len(each) == 1
        assert {(one.word, one.tag) for one in group} <= each.pop()


def test_groups_part_all_words_by_tag_and_follow_from_the_words_alone() -> None:
    groups = group_words(PUBLIC, SIZE)
    members = Counter((one.word, one.tag) for group in groups for one in group)
    assert set(members.values()) == {1}
    assert {(one.word, one.tag) for one in PUBLIC} - set(members) == {("alone", "RB")}
    assert all(len({one.tag for one in group}) == 1 for group in groups)
    shuffled = Random(1).sample(PUBLIC, len(PUBLIC))
    assert group_words(shuffled, SIZE) == groups


def test_a_word_without_like_words_in_public_is_not_asked_for() -> None:
    own = [WordCandidate(word, "NN", 1) for word in ("baite", "snorkelpuff", "alone")]
    found = HIDING.choose_groups(own)
    assert [one.word for one in found.unlisted] == ["snorkelpuff", "alone"]
    assert [one.word for one in found.own] == ["baite"]
    assert not {"snorkelpuff", "alone"} & {one.word for one in found.asked}


def test_a_word_of_the_archive_is_asked_for_as_public_words_are() -> None:
    """Under another tag it would stand out among them."""
    assert asked_for("baxing", tag="NN") == asked_for("baxing", tag="VBG")


class BlindFinder(IdentifierFinder):
    """Finds no identifier, so that what else keeps names at home is seen."""

    def find(
        self,
        sentence: Sentence,
        deny_list: DenyList | None = None,  # noqa: ARG002
    ) -> tuple[Sentence, list[Identifier]]:
        return sentence, []


def own_words(*denied: str, never: Sequence[str] = (), names: Sequence[str] = ()) -> list[str]:
    deny_list = DenyList()
    for form in denied:
        deny_list.add(form)
    finder = BlindFinder(DICTIONARY)
    words = ArchiveWords(DICTIONARY, finder, deny_list, names=names, never=never)
    words.add(sentence("we/PRP", "saw/VBD", "zorgle/NN", "and/CC", "pebble/NN"))
    return [found.word for found in words.select_words(least=1)]


def test_no_word_is_asked_for_that_may_name_somebody_though_no_detector_finds_it() -> None:
    assert own_words() == ["pebble", "saw", "zorgle"]
    assert own_words("Zorgle") == ["pebble", "saw"]
    assert own_words(never=["zor gle"]) == ["pebble", "saw"]
    assert own_words(names=["Zorgle"]) == ["pebble", "saw"]


def test_a_text_with_a_never_send_term_is_not_asked_for_and_has_no_answer() -> None:
    asked: list[str] = []

    def ask(texts: Sequence[str]) -> list[str]:
        asked.extend(texts)
        return [text.upper() for text in texts]

    ask_allowed = withhold_never_sent(ask, LeakCheck(ENGLISH, ["moon raker"]))
    assert ask_allowed(["a pebble", "a moonraker", "a plan"]) == ["A PEBBLE", "", "A PLAN"]
    assert asked == ["a pebble", "a plan"]
