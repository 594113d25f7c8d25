"""What PRISM-R may and may not depend on, read off its exact distribution through the encoder."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from prism_core.encoding import Encoder
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.record import Fate, Kind, Replacement
from tests.mechanisms.public_words import INSIDE, OUTSIDE, encoder, prism_r
from tests.mechanisms.walking import distribution, loss
from tests.words import sentence

WORDS = (*INSIDE, *OUTSIDE)


def sent(of: Encoder, *words: str, tags: str = "NN", deny_list=None) -> dict[str, Fraction]:
    """Every x_pub that can be sent, with its probability."""
    one = sentence(*(f"{word}/{tags}" for word in words))
    return distribution(lambda rng: of.encode(one, deny_list or DenyList(), rng).text)


def at(position: int, texts: dict[str, Fraction]) -> Counter[str]:
    marginal: Counter[str] = Counter()
    for text, probability in texts.items():
        marginal[text.split()[position]] += probability
    return marginal


@pytest.mark.parametrize("r", [0.25, 0.5, 1.0])
def test_epsilon_is_the_largest_loss_over_all_pairs_of_words(r) -> None:
    mechanism = prism_r(r)
    known = [sent(encoder(mechanism), word) for word in WORDS]
    largest = max(loss(one, other) for one, other in product(known, repeat=2))
    assert largest == pytest.approx(mechanism.epsilon_word, abs=1e-12)
    assert mechanism.vocabulary == len(INSIDE)


def test_epsilon_of_two_changed_words_is_twice_that_of_one() -> None:
    mechanism = prism_r(0.5)
    known = [sent(encoder(mechanism), *pair) for pair in [("cat", "the"), ("dog", "The")]]
    assert loss(*known) == pytest.approx(2 * mechanism.epsilon_word, abs=1e-12)


@pytest.mark.parametrize("edited", WORDS)
def test_editing_one_word_never_changes_what_becomes_of_another(edited) -> None:
    made = encoder(prism_r(0.5), names=["dog"])
    before, after = sent(made, "cat", "the", "Kovacs"), sent(made, "cat", edited, "Kovacs")
    assert at(0, before) == at(0, after)
    assert at(2, before) == at(2, after)


@pytest.mark.parametrize("tags", ["NNP", "CD", "DT", "."])
def test_no_tag_and_no_entity_changes_what_is_sent(tags) -> None:
    made = encoder(prism_r(0.5))
    plain = sent(made, "cat", "Kovacs")
    assert sent(made, "cat", "Kovacs", tags=tags) == plain
    one = sentence("cat/NN/PER", "Kovacs/NNP/PER")
    assert distribution(lambda rng: made.encode(one, DenyList(), rng).text) == plain


def test_what_the_archive_denies_changes_nothing() -> None:
    made, deny_list = encoder(prism_r(0.5)), DenyList()
    for form in ("cat", "The", "Kovacs"):
        deny_list.add(form)
    assert sent(made, "cat", "dog", deny_list=deny_list) == sent(made, "cat", "dog")
    assert made.identifiers(sentence("Kovacs/NNP", "48213/CD")) == ()


@pytest.mark.parametrize("word", OUTSIDE)
def test_a_token_outside_v_is_always_replaced_by_a_uniform_draw(word) -> None:
    assert sent(encoder(prism_r(0.25)), word) == dict.fromkeys(INSIDE, Fraction(1, len(INSIDE)))


def test_a_word_of_v_is_kept_with_one_less_r_and_drawn_like_any_other() -> None:
    texts = sent(encoder(prism_r(0.25)), "cat")
    share = Fraction(1, 4) / len(INSIDE)
    assert texts == dict.fromkeys(INSIDE, share) | {"cat": Fraction(3, 4) + share}


def test_a_name_on_the_users_list_is_always_replaced() -> None:
    uniform = dict.fromkeys(INSIDE, Fraction(1, len(INSIDE)))
    assert sent(encoder(prism_r(0.25), names=["The Cat"]), "cat") == uniform


def test_what_is_never_sent_is_withheld_and_never_drawn_again() -> None:
    texts = sent(encoder(prism_r(0.5), never=["dog"]), "cat")
    share = Fraction(1, 2) / len(INSIDE)
    assert texts == {"": share, "cat": Fraction(1, 2) + share, "the": share, "The": share}


def test_every_sentence_with_a_token_is_sent() -> None:
    made = encoder(prism_r(0.5))
    assert made.needs_translator(sentence("Kovacs/NNP", "48213/CD"), DenyList())
    assert not made.needs_translator(sentence(" /_SP"), DenyList())


def test_white_space_is_structure() -> None:
    one = sentence("cat/NN", "\u00a0/_SP", "dog/NN")
    texts = distribution(lambda rng: encoder(prism_r(1.0)).encode(one, DenyList(), rng).text)
    assert all(len(text.split(" \u00a0 ")) == 2 for text in texts)


def record(made: Encoder, one: Sentence, choices: list[int]) -> tuple[Replacement, ...]:
    """H when the draws from V go as ``choices`` say and every coin says: replace."""

    class Scripted:
        def random(self) -> float:
            return 0.0

        def randrange(self, _count: int) -> int:
            return choices.pop(0)

    return made.encode(one, DenyList(), Scripted()).record


def test_originals_come_back_by_their_own_entry_or_as_they_are() -> None:
    one = sentence("Cat/NN", "the/DT", "zorgle/NN", ",/,")
    made = record(encoder(prism_r(1.0)), one, [0, 0, 0, 0])
    assert [(r.word, r.kind, r.tag) for r in made] == [
        ("Cat", Kind.WORD, "NN"),
        ("the", Kind.WORD, "FUNCTION"),
        ("zorgle", Kind.UNKNOWN, "NN"),
        (",", Kind.WORD, ","),
    ]
    assert all(r.surface is not None and not r.surface.tag for r in made)


def test_a_blank_keeps_substitutes_from_running_together_and_goes_when_they_do() -> None:
    made = encoder(prism_r(1.0))
    whole = sentence("dog/NN", "5/CD", "zorgle/NN", "!/.").tokens
    one = Sentence(tuple(token._replace(whitespace="") for token in whole))
    encoded = made.encode(one, DenyList(), _First())
    assert encoded.text == "The The The The"
    assert made.decode(encoded, "El el el el").text == "perro5zorgle!"


class _First:
    """Replaces every token by the first word of V."""

    def random(self) -> float:
        return 0.0

    def randrange(self, _count: int) -> int:
        return 0


def test_a_kept_word_is_not_taken_for_a_substitute_that_looks_like_it() -> None:
    made = encoder(prism_r(0.5))
    one = sentence("the/DT", "dog/NN")

    class Second:
        """Keeps the first token, replaces the second."""

        def __init__(self) -> None:
            self.coins = [0.9, 0.1]

        def random(self) -> float:
            return self.coins.pop(0)

        def randrange(self, _count: int) -> int:
            return INSIDE_SORTED.index("the")

    encoded = made.encode(one, DenyList(), Second())
    assert encoded.text == "the the"
    assert encoded.fates == (Fate.GRAMMAR, Fate.REPLACED)
    assert encoded.to_restore == 1
    decoded = made.decode(encoded, "el el")
    assert (decoded.text, decoded.restored) == ("el perro", 1)


INSIDE_SORTED = sorted(INSIDE)
