"""Each family of attacks: it finds what is there to be found, and accuses nobody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest

from prism_core.evaluation.adversaries import ADVERSARIES, Case, attack_case
from prism_core.evaluation.adversaries.base import (
    DECOY,
    CandidatePool,
    Hidden,
    NGrams,
    Original,
    Repeated,
    Request,
    SentRequest,
    Words,
)
from prism_core.evaluation.adversaries.cases import public_knowledge
from prism_core.evaluation.findings import Finding, read_explanations
from prism_core.record import Kind
from tests.words import dictionary, nouns

WORDS = [one.word for one in nouns(40)]
DICTIONARY = dictionary(*nouns(40))
WEIGHTS = [1 / (1 + i) for i in range(len(WORDS))]
FRAMES = ("the", "a", "of", "with", "from", "that", "this", "and", "when", "where", "if", "they")
POOL = CandidatePool(
    dict.fromkeys(WORDS, 0.9), prior={word: 80 - 2 * i for i, word in enumerate(WORDS)}
)
PUBLIC = public_knowledge(
    DICTIONARY,
    [(FRAMES[i % 12], word, FRAMES[(5 * i) % 12], ".") for i, word in enumerate(WORDS)] * 5,
)


def sentence_of(rng: Random) -> tuple[Words, int]:
    """A sentence in which a word often stands after the function word that is its own."""
    at = rng.choices(range(len(WORDS)), WEIGHTS)[0]
    around = [rng.choice(FRAMES) for _ in range(rng.randrange(3, 9))]
    return (*around, FRAMES[at % 12], WORDS[at], FRAMES[(5 * at) % 12], "."), len(around) + 1


def archive(code, *, ordered: bool = False, seed: int = 1, documents: int = 60) -> Case:
    """Documents of five sentences with one replaced word each, by ``code(word, rng)``."""
    rng = Random(seed)
    sent: list[SentRequest] = []
    originals: list[Original] = []
    for document in range(documents):
        for _ in range(5):
            words, place = sentence_of(rng)
            substitute = code(words[place], rng)
            tokens = (*words[:place], substitute, *words[place + 1 :])
            at = len(originals)
            hidden = Hidden(document, at, words[place], substitute, POOL, (), place)
            request = Request(tokens, frozenset({place}))
            sent.append(SentRequest(request, document, at, frozenset({place}), (hidden,)))
            originals.append(Original(document, words))
    if not ordered:
        rng.shuffle(sent)
    outside = tuple(tuple(sentence_of(rng)[0] for _ in range(5)) for _ in range(60))
    return Case(tuple(sent), tuple(originals), outside, PUBLIC, ordered)


def honest(_word: str, rng: Random) -> str:
    return rng.choice(WORDS)


def by_table(word: str, _rng: Random) -> str:
    return WORDS[(WORDS.index(word) * 7 + 3) % len(WORDS)]


def found(case: Case, *names: str) -> dict[str, Finding]:
    return {one.attack: one for one in attack_case(case, Random(3), names)}


def test_a_code_book_is_broken_by_frequency_and_by_company() -> None:
    broken = found(archive(by_table, documents=300), "matching")
    assert broken["match-frequency"].value > 0.2
    assert broken["match-company"].value > 0.5
    assert all(one.differs_from_chance(0.999) for one in broken.values())


def test_fresh_draws_leave_no_code_to_break() -> None:
    for seed in range(4):
        for one in found(archive(honest, seed=seed), "matching").values():
            assert not one.differs_from_chance(1 - 1e-5), one


def test_context_tells_more_of_a_word_than_its_frequency() -> None:
    rebuilt = found(archive(honest), "rebuilding")
    assert rebuilt["rebuild-masked@1"].value > rebuilt["rebuild-unigram@1"].value + 0.2
    assert rebuilt["rebuild-masked@1"].chance == rebuilt["rebuild-unigram@1"].value
    assert rebuilt["rebuild-unigram@10"].chance == 10 / len(WORDS)
    assert rebuilt["rebuild-masked@10"].value >= rebuilt["rebuild-masked@1"].value


def test_a_masked_neighbour_is_not_read() -> None:
    rng, cases = Random(5), archive(honest)
    masked = [
        SentRequest(
            Request(one.request.tokens, frozenset(range(len(one.request.tokens)))),
            one.document, one.original, one.replaced, one.hidden,
        )
        for one in cases.sent
    ]  # fmt: skip
    case = Case(tuple(masked), cases.originals, (), PUBLIC, ordered=False)
    rebuilt = {one.attack: one for one in ADVERSARIES["rebuilding"].attack(case, rng)}
    assert rebuilt["rebuild-masked@1"].value <= rebuilt["rebuild-unigram@1"].value + 0.05
    assert rebuilt["rebuild-ngram@1"].value > rebuilt["rebuild-unigram@1"].value + 0.2


def test_structure_links_what_was_sent_to_its_original() -> None:
    linked = found(archive(honest), "linking")
    assert linked["link@10"].value > 0.9
    assert linked["link@100"].value > 0.5
    assert "link@1000" not in linked


def test_sentences_of_one_structure_cannot_be_linked() -> None:
    cases = archive(honest)
    words = tuple(("the", word, ".") for word in WORDS)
    same = tuple(
        SentRequest(Request(("the", WORDS[i % 40], "."), frozenset({1})), 0, i) for i in range(40)
    )
    case = Case(same, tuple(Original(0, one) for one in words), (), PUBLIC, cases.ordered)
    assert found(case, "linking")["link@10"].value == pytest.approx(0.1)


def test_a_document_is_known_for_a_member_by_its_structure() -> None:
    assert found(archive(honest), "membership")["membership"].differs_from_chance(0.999)


def test_documents_that_were_not_sent_are_no_members() -> None:
    cases = archive(honest)
    rng = Random(9)
    others = tuple(Original(i // 5, sentence_of(rng)[0]) for i in range(300))
    stranger = Case(cases.sent, others, cases.outsiders, PUBLIC, ordered=False)
    assert not found(stranger, "membership")["membership"].differs_from_chance(0.999)


def test_order_of_sending_tells_what_belongs_together_until_it_is_mixed() -> None:
    in_order = found(archive(honest, ordered=True), "neighbours")["neighbours"]
    assert in_order.value == pytest.approx(240 / 299)
    mixed = found(archive(honest), "neighbours")["neighbours"]
    assert not mixed.differs_from_chance(0.999)


def told(case: Case, label) -> Case:
    """``case`` with a label for each of its documents."""
    documents = sorted({sent.document for sent in case.real})
    return replace(case, topics={"kind": {document: label(document) for document in documents}})


def court_or_mail(*, tells: bool, seed: int = 2) -> Case:
    """Documents of two kinds, that differ in one function word where it ``tells``."""
    rng, sent = Random(seed), []
    for document in range(60):
        for _ in range(4):
            own = (("whereas", "thanks")[document % 2],) if tells else ()
            tokens = (*rng.choices(FRAMES, k=4), rng.choice(WORDS), *own, ".")
            sent.append(SentRequest(Request(tokens, frozenset({4})), document, len(sent)))
    rng.shuffle(sent)
    originals = tuple(Original(one.document, one.request.tokens) for one in sent)
    return told(Case(tuple(sent), originals, (), PUBLIC, ordered=False), lambda at: "ab"[at % 2])


def test_a_word_that_only_one_kind_of_document_has_tells_its_topic() -> None:
    named = found(court_or_mail(tells=True), "topic", "topic of a request")
    assert named["topic@kind"].value > 0.95
    assert named["topic-mixed@kind"].value > 0.95
    assert named["topic@kind"].chance == named["topic-mixed@kind"].chance == 0.5


def test_documents_of_one_structure_tell_no_topic_nor_does_their_own_label() -> None:
    asked = "topic", "topic of a request"
    cases = [court_or_mail(tells=False, seed=seed) for seed in range(8)]
    named = [one.value for case in cases for one in found(case, *asked).values()]
    assert 0.4 < fmean(named) < 0.56


def test_decoys_of_another_genre_are_told_without_their_list_and_others_are_not() -> None:
    own, others = archive(honest, documents=30), archive(honest, documents=30, seed=9)

    def told(*genre: str) -> float:
        """The share named right, where every decoy has the words of ``genre`` too."""
        decoys = []
        for one in others.sent:
            request = replace(one.request, tokens=(*one.request.tokens, *genre))
            decoys.append(replace(one, request=request, document=DECOY, original=None))
        mixed = replace(own, sent=(*own.sent, *decoys))
        return found(mixed, "unmasking by content")["decoys-content"].value

    assert told("whereas") > 0.95
    assert 0.4 < told() < 0.6


def test_texts_of_one_document_are_found_by_what_is_in_them() -> None:
    def own_words(*, shared: bool) -> Finding:
        rng, sent = Random(4), []
        for document in range(30):
            mark = FRAMES[document % 12], FRAMES[document // 12], ";"
            for _ in range(4):
                own = mark if shared else rng.sample(FRAMES, 3)
                tokens = (*rng.choices(FRAMES, k=3), *own, ".")
                sent.append(SentRequest(Request(tokens, frozenset()), document, len(sent)))
        rng.shuffle(sent)
        case = Case(tuple(sent), (), (), PUBLIC, ordered=False)
        return found(case, "neighbours by content")["neighbours-content"]

    assert own_words(shared=True).value > 10 * own_words(shared=True).chance
    assert not own_words(shared=False).differs_from_chance(0.999)


def test_decoys_are_known_by_who_knows_their_list() -> None:
    cases = archive(honest)
    rng = Random(11)
    listed = tuple(sentence_of(rng)[0] for _ in range(60))
    decoys = tuple(
        SentRequest(Request(one, frozenset({len(one) - 3})), DECOY, None) for one in listed
    )
    public = public_knowledge(DICTIONARY, [("a", "b")])
    known = type(public)(DICTIONARY, public.model, {}, decoys=listed)
    case = Case((*cases.sent, *decoys), cases.originals, (), known, ordered=False)
    assert found(case, "unmasking")["decoys-known"].value > 0.8
    assert found(cases, "unmasking") == {}


def repeated(kind: Kind, word: str, draws: Sequence[str], choices: int) -> Case:
    nights = Repeated(word, kind, tuple(draws), choices)
    return Case((), (), (), PUBLIC, ordered=False, repeated=(nights,) * 40)


def test_what_comes_most_often_in_fresh_draws_is_the_word() -> None:
    nights = repeated(Kind.WORD, "left", ["a", "left", "b", "Left", "c"], 100)
    attacked = found(nights, "repeating")
    assert attacked["repeat-fresh"].value == 1.0
    assert attacked["repeat-stored"].value == 0.0
    assert attacked["repeat-stored"].chance == pytest.approx(0.01)


def test_the_short_number_that_never_comes_is_the_number() -> None:
    nights = repeated(Kind.NUMBER, "7", list("0123456898"), 10)
    attacked = found(nights, "repeating numbers")
    assert attacked["repeat-number-fresh"].value == 1.0
    assert attacked["repeat-number-stored"].value == pytest.approx(1 / 9)


@pytest.mark.parametrize(
    ("shown", "exact"),
    [
        ("Zorbanquist", True),
        ("ZORBANQUIST", False),
        ("zorbanquist", False),
        ("Zor-banquist", False),
        ("Z\u00f6rbanquist", False),
        ("tsiuqnabroz", False),
    ],
)
def test_a_name_is_read_through_its_disguise(shown: str, exact: bool) -> None:
    private = ("then", "Zorbanquist", "paid", "12,345")
    sent = SentRequest(Request(("then", shown, "paid", "12.345"), frozenset()), 0, 0)
    other = SentRequest(Request(("they", "Baxter", "paid", "99"), frozenset()), 0, 1)
    originals = (Original(0, private), Original(0, ("they", "paid")))
    case = Case((sent, other), originals, (), PUBLIC, ordered=False)
    attacked = found(case, "identifiers")
    assert attacked["surviving-names-exact"].value == float(exact)
    assert attacked["surviving-names-disguised"].value == 1.0
    assert attacked["surviving-numbers-exact"].value == 0.0
    assert attacked["surviving-numbers-disguised"].value == 1.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_chance_is_what_others_show_and_never_the_request_itself(count: int) -> None:
    names = ("Zorbanquist", "Quellimore", "Vantrissel")[:count]
    texts = [("Then", name, "left", ".") for name in names]
    sent = tuple(SentRequest(Request(text, frozenset()), 0, i) for i, text in enumerate(texts))
    case = Case(sent, tuple(Original(0, text) for text in texts), (), PUBLIC, ordered=False)
    for seed in range(5):
        for one in attack_case(case, Random(seed), ["identifiers"]):
            assert one.chance == 0, one
            assert one.value == (1.0 if "names" in one.attack else 0.0)


def test_the_model_is_a_distribution_over_its_words() -> None:
    model = NGrams([("the", "dog", "barks"), ("the", "cat", "sleeps"), ("a", "dog", "sleeps")])
    the, dog = model.number("The"), model.number("dog")
    assert model.words.sum() == pytest.approx(1)
    assert model.follow(None, the).sum() == pytest.approx(1)
    assert model.follow(the, dog).sum() == pytest.approx(1)
    follower = model.number("barks")
    of_dog = model.precede(follower)[dog]
    assert of_dog == pytest.approx(model.follow(None, dog)[follower])
    assert of_dog > model.precede(follower)[model.number("cat")]


def test_everything_that_is_found_is_explained() -> None:
    nights = repeated(Kind.NUMBER, "7", ["1"], 10).repeated
    cases = archive(honest, ordered=True, documents=20)
    case = Case(cases.sent, cases.originals, cases.outsiders, PUBLIC, ordered=True, repeated=nights)
    attacks = list(attack_case(case, Random(1)))
    assert {one.attack.partition("@")[0] for one in attacks} <= read_explanations().keys()
    assert all(one.explanation for one in attacks)


def test_a_verdict_needs_cases() -> None:
    assert Finding("who-itself", 1.0, 0.1, 5, 5).verdict == "too few"
    assert Finding("who-itself", 0.1, 0.1, 100, 100).verdict == "at chance"
    assert Finding("who-itself", 0.9, 0.1, 100, 100).verdict == "above chance"
    assert Finding("who-itself", 0.0, 0.3, 100, 100).verdict == "below chance"
