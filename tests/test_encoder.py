from functools import partial
from random import Random, SystemRandom

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from prism_core.decoding import AnsweredDraw
from prism_core.dictionary import Dictionary, Entry, Form, load_dictionary
from prism_core.encoding import UNRESTORED, Encoder, make_encoder
from prism_core.identifiers import DenyList, Scope
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.record import Encoded, Fate, Kind
from prism_core.resources import shipped_dictionary
from prism_core.settings import MechanismSettings
from prism_core.state.sealed_columns import pack, unpack
from tests.examples import examples
from tests.words import dictionary, entry, nouns, sentence, with_one_article


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en")


@pytest.fixture(scope="module")
def shipped() -> Dictionary:
    return load_dictionary(shipped_dictionary("en", "es"))


@pytest.fixture(scope="module")
def identity(shipped) -> Encoder:
    """An encoder for a translator that changes nothing: every word translates to itself."""
    entries = [
        Entry(e.word, e.tag, (Form(e.word, 9.0, ("same",)),), e.agreement, e.confidence, 0)
        for e in shipped
    ]
    names = [
        Entry(name, tag, (Form(name, 1.0),), "", 1.0, 0)
        for tag, group in shipped.names.items()
        for name in group
    ]
    same = Dictionary([*entries, *names], {}, "identity")
    return make_encoder(same, make_mechanism(MechanismSettings.choose(), same))


def as_one(model: LanguageModel, text: str) -> Sentence:
    return Sentence(tuple(token for one in model.sentences(text) for token in one.tokens))


def encoder(*entries: Entry, never=(), names=(), **mechanism) -> Encoder:
    words = dictionary(*entries, *nouns(40))
    chosen = make_mechanism(MechanismSettings.choose(minimum_pool=5, **mechanism), words)
    return make_encoder(words, chosen, names, never)


WORDS = st.sampled_from(
    """the a an of in not house report doctor patients examined quickly red Kovacs O'Neill Dr.
    Hartwell MRN-48213-B 1,234.50 14 March 2024 10:30 jo@firm.com (a) "quoted" don't it's — naïve
    zorgle iPhone USA U.S. 5mg 21st re-elected and/or three hundred Agreement €5 ½ 患者""".split()
)


TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)


@given(TEXTS, st.integers(0, 2**32))
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_decoding_what_an_identity_translator_gives_back_is_the_source(
    identity, model, text, seed
) -> None:
    encoded = identity.encode(as_one(model, text), DenyList(), Random(seed))
    assume(not encoded.withheld)
    decoded = identity.decode(encoded, encoded.text)
    assert (with_one_article(decoded.text), decoded.unrestored) == (with_one_article(text), 0)


@given(st.text(max_size=80), st.integers(0, 2**32))
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_either_given_back_withheld_or_known_to_be_unrestored(
    identity, model, text, seed
) -> None:
    encoded = identity.encode(as_one(model, text), DenyList(), Random(seed))
    assume(not encoded.withheld)
    decoded = identity.decode(encoded, encoded.text)
    assert decoded.unrestored or with_one_article(decoded.text) == with_one_article(text.strip())


@given(TEXTS, st.integers(0, 2**32))
@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_name_number_or_code_is_sent(identity, model, text, seed) -> None:
    encoded = identity.encode(as_one(model, text), DenyList(), Random(seed))
    private = "Kovacs O'Neill Hartwell MRN-48213-B 1,234.50 jo@firm.com iPhone"
    assert not set(private.split()) & set(encoded.text.split())
    drawn = set(encoded.text.split()) - {one.substitute for one in encoded.record}
    assert not set("14 March 2024 10:30".split()) & drawn, "these come by chance alone"


def test_fates_count_every_token() -> None:
    words = sentence("the/DT", "baak/NN", "of/IN", "Kovacs/NNP", "zorgle/NN", "12/CD", "./.")
    encoded = encoder().encode(words, DenyList(), SystemRandom())
    assert encoded.fates == (
        Fate.GRAMMAR,
        Fate.REPLACED,
        Fate.GRAMMAR,
        Fate.IDENTIFIER,
        Fate.UNKNOWN,
        Fate.IDENTIFIER,
        Fate.MARK,
    )


def test_what_is_denied_elsewhere_in_the_archive_is_an_identifier_here() -> None:
    deny_list = DenyList()
    deny_list.add("Zorgle")
    for _ in range(20):
        encoded = encoder().encode(sentence("see/VB", "zorgle/NN"), deny_list, SystemRandom())
        assert encoded.fates[1] is Fate.IDENTIFIER
        assert "zorgle" not in encoded.text.lower()


@pytest.mark.parametrize("scope", [Scope(), Scope(b"one secret for a whole archive")])
def test_draws_are_the_same_whatever_the_archive_denies(scope) -> None:
    sent = sentence("Edith/NNP/PER", "Kovacs/NNP/PER", "and/CC", "baak/NN", "left/VBD", "Rome/NNP")
    drawn = []
    for names in ([], ["Baxter", "Oscar", "Denver", "Bbak"], ["Talbot", "Hugo", "Leeds", "Back"]):
        ours, deny_list = encoder(), DenyList()
        for name in names:
            deny_list.add(name)
        texts = [ours.encode(sent, deny_list, Random(seed), scope).text for seed in range(100)]
        drawn.append(texts)
        shown = {name.lower() for name in names} & set(" ".join(texts).lower().split())
        assert bool(shown) == bool(names), "what is denied elsewhere is drawn here"
    assert drawn[0] == drawn[1] == drawn[2]


def test_a_surrogate_never_shows_another_identifier_of_its_own_sentence() -> None:
    sent = sentence("Talbot/NNP", "met/VBD", "Quinn/NNP", "and/CC", "Vickers/NNP", "too/RB")
    for seed in range(50):
        encoded = encoder().encode(sent, DenyList(), Random(seed))
        assert encoded.withheld or not {"Talbot", "Quinn", "Vickers"} & {*encoded.text.split()}


def test_what_the_archive_denies_stands_in_nothing_that_was_kept() -> None:
    deny_list, kept = DenyList(), encoder(entry("thing"), hidden_words="none")
    sent = sentence("the/DT", "baak/NN", "of/IN", "Thing/NN")
    assert "Thing" in kept.encode(sent, DenyList(), Random(1)).text
    deny_list.add("Thing")
    assert "Thing" not in kept.encode(sent, deny_list, Random(1)).text, "it is an identifier now"


def test_identifiers_add_names_and_long_codes_to_the_deny_list() -> None:
    words = sentence("Kovacs/NNP", "owes/VBZ", "12/CD", "on/IN", "48213/CD", "in/IN", "it/PRP")
    assert encoder().identifiers(words) == ("Kovacs", "48213")


@given(st.lists(WORDS, min_size=1, max_size=25), st.integers())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_identifiers_found_before_are_those_that_would_be_found(
    identity, model, words, seed
) -> None:
    read = as_one(model, " ".join(words))
    known = unpack(Sentence, pack(identity.look(read)))
    assert known == read
    assert known.found == unpack(Sentence, pack(known)).found is not None
    assert identity.identifiers(known) == identity.identifiers(read)
    denied = DenyList()
    denied.add("doctor")
    for deny_list in (DenyList(), denied):
        encode = partial(identity.encode, deny_list=deny_list)
        assert encode(known, rng=Random(seed)) == encode(read, rng=Random(seed))


def test_what_another_list_of_names_found_is_not_relied_on() -> None:
    by = sentence("by/IN", "grace/NN")
    encoded = encoder(entry("grace"), names=["Grace"]).encode(
        encoder(entry("grace")).look(by), DenyList(), SystemRandom()
    )
    assert encoded.fates[1] is Fate.IDENTIFIER


def test_a_sentence_that_shows_a_never_send_term_is_withheld() -> None:
    made = encoder(never=["of the"])
    encoded = made.encode(sentence("of/IN", "the/DT", "baak/NN"), DenyList(), SystemRandom())
    assert (encoded.text, encoded.record, encoded.withheld) == ("", (), "never-send")


def test_a_name_on_the_users_list_is_replaced_though_it_is_an_ordinary_word() -> None:
    made = encoder(entry("grace"), names=["Grace"])
    encoded = made.encode(sentence("by/IN", "grace/NN"), DenyList(), SystemRandom())
    assert encoded.fates[1] is Fate.IDENTIFIER


def test_a_substitute_is_never_glued_to_a_kept_piece() -> None:
    glued = sentence("its/PRP$", "baak/NN")
    it, s = glued.tokens[0], glued.tokens[1]
    parts = (it._replace(text="wo", whitespace=""), it._replace(text="rkz"), s)
    encoded = encoder().encode(Sentence(parts), DenyList(), SystemRandom())
    assert [one.word for one in encoded.record] == ["workz", "baak"]


def test_the_version_changes_with_the_dictionary() -> None:
    one = dictionary(entry("a"))
    other = Dictionary(list(one), {}, "other")
    mechanism = make_mechanism(MechanismSettings.choose(), one)
    assert make_encoder(one, mechanism).version != make_encoder(other, mechanism).version


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["Kovacs/NNP", ",/,", "48213/CD"], False),
        (["jo@firm.com/NN", ":/:", "12.50/CD"], False),
        (["Kovacs/NNP", "left/VBD"], True),
        (["Kovacs/NNP", "of/IN", "Zorgle/NNP"], True),
        (["Baak/NN"], True),
    ],
)
def test_names_and_numbers_alone_need_no_translator(words, needed) -> None:
    assert encoder().needs_translator(sentence(*words), DenyList()) is needed


def lose(encoded: Encoded, *positions: int) -> AnsweredDraw:
    """``encoded`` with an answer that lost the substitutes at ``positions`` alone."""
    shown = [
        "quorx" if one.position in positions else f"{one.substitute}{'o' * (one.kind is Kind.WORD)}"
        for one in encoded.record
    ]
    return AnsweredDraw(encoded, " ".join(shown))


def redrawn(first: Encoded, again: Encoded) -> list[int]:
    """Where both have different substitutes."""
    pairs = zip(first.record, again.record, strict=True)
    return [one.position for one, other in pairs if one.substitute != other.substitute]


FIVE = sentence("Edith/NNP/PERSON", *(f"{word.word}/NN" for word in nouns(5)), "482913/CD")


@pytest.mark.parametrize("lost", [[2], [1, 4], [0], [6], [0, 3]])
def test_only_what_was_lost_is_drawn_anew_and_all_that_came_back_stays(lost: list[int]) -> None:
    ours, rng = encoder(), SystemRandom()
    first = ours.encode(FIVE, DenyList(), rng)
    again = ours.encode_again(FIVE, [lose(first, *lost)], DenyList(), rng)
    assert redrawn(first, again) == lost
    assert (again.fates, again.labels) == (first.fates, first.labels)
    assert again.text != first.text


def test_a_surrogate_that_was_lost_is_never_drawn_again_for_its_name() -> None:
    ours, sent = encoder(), sentence("Edith/NNP/PERSON", "saw/VBD", "the/DT", "baak/NN")
    for seed in range(40):
        first = ours.encode(sent, DenyList(), Random(seed))
        again = ours.redraw(sent, first, {0}, DenyList(), Random(seed + 1000))
        assert again is not None
        assert redrawn(first, again) == [0]


def test_an_identifier_that_was_lost_once_is_drawn_anew_wherever_it_stands() -> None:
    ours, rng = encoder(), SystemRandom()
    name = "Edith/NNP/PERSON"
    sent = sentence(name, "baak/NN", "bbak/NN", "bcak/NN", "and/CC", name)
    first = ours.encode(sent, DenyList(), rng)
    again = ours.encode_again(sent, [lose(first, 5)], DenyList(), rng)
    assert redrawn(first, again) == [0, 5]
    assert again.record[0].substitute == again.record[-1].substitute


@pytest.mark.parametrize("lost", [[1, 2, 3], [0, 1, 2, 3, 4, 5, 6]])
def test_who_gives_back_less_than_three_in_four_is_sent_no_other_encoding(lost: list[int]) -> None:
    ours, rng = encoder(), SystemRandom()
    first = ours.encode(FIVE, DenyList(), rng)
    again = ours.encode_again(FIVE, [lose(first, *lost)], DenyList(), rng)
    assert (again.text, again.withheld) == ("", UNRESTORED)


def test_what_was_drawn_anew_before_counts_too() -> None:
    ours, rng = encoder(), SystemRandom()
    first = ours.encode(FIVE, DenyList(), rng)
    draws = [lose(first, 1, 2)]
    draws.append(lose(ours.encode_again(FIVE, draws, DenyList(), rng), 3))
    assert ours.encode_again(FIVE, draws, DenyList(), rng).withheld == UNRESTORED
    draws[1] = lose(draws[1].encoded, 2)
    assert redrawn(draws[1].encoded, ours.encode_again(FIVE, draws, DenyList(), rng)) == [2]


def test_what_is_drawn_anew_shows_nothing_that_is_known_to_be_a_name_by_now() -> None:
    ours, rng = encoder(), SystemRandom()
    sent = sentence("the/DT", "baak/NN", "or/CC", "quorx/NN")
    first = ours.encode(sent, DenyList(), rng)
    deny_list = DenyList()
    deny_list.add("quorx")
    assert ours.redraw(sent, first, {1}, DenyList(), rng) is not None
    grown = ours.redraw(sent, first, {1}, deny_list, rng)
    assert grown is None or "quorx" not in grown.text, "it is somebody's name by now"


def test_a_mechanism_that_sends_once_draws_nothing_anew() -> None:
    words = dictionary(*nouns(40))
    chosen = make_mechanism(MechanismSettings.choose(name="prism-r", minimum_pool=5), words)
    ours, rng = make_encoder(words, chosen), SystemRandom()
    sent = sentence("the/DT", "baak/NN")
    encoded = ours.encode(sent, DenyList(), rng)
    assert ours.most_draws == 1
    assert ours.redraw(sent, encoded, {1}, DenyList(), rng) is None


def test_a_phrase_of_three_tokens_is_hidden_as_one_word_and_put_back_as_one() -> None:
    adverbs = [entry(f"b{letter}dly", "RB") for letter in "aeiouy"]
    phrase = entry("as a result", "RB", ["en consecuencia"])
    made = encoder(*adverbs, phrase)
    source = sentence("As/IN", "a/DT", "result/NN", "he/PRP", "did/VBD", "./.")
    for seed in range(20):
        encoded = made.encode(source, DenyList(), Random(seed))
        (hidden,) = encoded.record
        assert (hidden.position, hidden.length, hidden.word) == (0, 3, "As a result")
        assert hidden.substitute.lower() in {adverb.word for adverb in adverbs}
        assert list(encoded.fates[:3]) == [Fate.REPLACED] * 3
        answer = encoded.text.replace(hidden.substitute, f"{hidden.substitute}o")
        assert made.decode(encoded, answer).text.startswith("En consecuencia he")


def test_the_words_of_a_phrase_that_is_not_confident_are_hidden_one_by_one() -> None:
    unsure = entry("old house", confidence=0.01)
    made = encoder(
        entry("house"), unsure, *(entry(f"b{v}d", "JJ") for v in "aeiouy"), entry("old", "JJ")
    )
    encoded = made.encode(sentence("old/JJ", "house/NN"), DenyList(), Random(1))
    assert [(one.position, one.length) for one in encoded.record] == [(0, 1), (1, 1)]


def test_the_letter_of_a_public_word_is_hidden_with_it(shipped, model) -> None:
    """*X-ray* is one word, and its capital none of a sentence; *X-avier* is a name."""
    encoder = make_encoder(shipped, make_mechanism(MechanismSettings.choose(), shipped))
    encoded = encoder.encode(as_one(model, "The X-ray was normal."), DenyList(), Random(3))
    (x_ray, _) = encoded.record
    assert (x_ray.word, x_ray.kind, x_ray.length) == ("X-ray", Kind.WORD, 3)
    assert x_ray.substitute.islower()
    named = encoder.encode(as_one(model, "Mr X-avier was normal."), DenyList(), Random(3))
    assert Kind.NAME in {one.kind for one in named.record}
    assert "X-" not in named.text
