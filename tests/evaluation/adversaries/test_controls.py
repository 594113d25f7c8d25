"""Chance by controls: draws that go by what is seen are not accused, draws by the word are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries import ADVERSARIES, Case, attack_case
from prism_core.evaluation.adversaries.cases import (
    Sending,
    make_case,
    observe_encoder,
    public_knowledge,
)
from prism_core.evaluation.findings import Finding, share
from prism_core.evaluation.further_mechanisms.prism_star_ratio import PrismStarRatio
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.mechanisms import Mechanism, Selection
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.mechanisms.plausibility import Plausibility, load_plausibility
from scripts.word_counts import count_words
from tests.words import ENGLISH, dictionary, entry, nouns, sentence

SURE = 1 - 1e-5
NOUNS = nouns(40)
WORDS = [noun.word for noun in NOUNS]
DICTIONARY = dictionary(*NOUNS)
FRAMES = ("the", "of", "with", "from", "that", "this", "and", "when", "where", "if")
BY_SUBSTITUTES = [name for name, adversary in ADVERSARIES.items() if adversary.by_substitutes]
NIGHTS = 8
FREQUENCY = [1 / (1 + i) for i in range(len(WORDS))]


def written(rng: Random) -> list[str]:
    """Words that keep company: each with a function word of its own, and a word that follows it."""
    found = []
    for _ in range(2):
        at = rng.choices(range(len(WORDS)), FREQUENCY)[0]
        own = FRAMES[at % len(FRAMES)] if rng.random() < 0.8 else rng.choice(FRAMES)
        found += [own, WORDS[at], WORDS[(at * 7 + 3) % len(WORDS)]]
    return [*found, "if"]


def archive(seed: int, documents: int = 30) -> list[list[Sentence]]:
    rng = Random(seed)
    return [
        [
            sentence(*(f"{word}/{'NN' if word in WORDS else 'IN'}" for word in written(rng)), "./.")
            for _ in range(8)
        ]
        for _ in range(documents)
    ]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Plausibility:
    """Which words stand together in text that is written as the archives are."""
    path: Path = tmp_path_factory.mktemp("ngrams") / "xx.npz"
    rng = Random(99)
    count_words([written(rng) for _ in range(800)], path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prism_core.mechanisms.plausibility.shipped_ngrams", lambda _: path)
        found = load_plausibility(ENGLISH)
    assert found is not None
    return found


def case_of(mechanism: Mechanism, seed: int, nights: int = 1) -> Case:
    rng = Random(seed)
    documents = archive(seed)
    public = public_knowledge(DICTIONARY, [written(rng) for _ in range(800)])
    seen = observe_encoder(make_encoder(DICTIONARY, mechanism), public.prior, DenyList(), rng)
    sent, controls = list(seen.observe(documents)), seen.observe_controls(documents, 10)
    return make_case(sent, documents, (), public, Sending(), rng, (), seen, controls, nights)


def findings(case: Case, among: list[str]) -> dict[str, Finding]:
    return {found.attack: found for found in attack_case(case, Random(3), among)}


def accused(case: Case, among: list[str] = BY_SUBSTITUTES) -> set[str]:
    found = findings(case, among).values()
    return {one.attack for one in found if one.differs_from_chance(SURE)}


def threshold(plausibility: Plausibility, kind: type[PrismStarThreshold]) -> PrismStarThreshold:
    return kind(DICTIONARY, 0.7, 2, "source", plausibility=plausibility)


class Leaky(PrismStarThreshold):
    """Gives a word in ``SHARE`` of the cases a substitute that hangs on what is hidden."""

    share = 0.1
    given: Callable[[list[str], int], str]

    def choose(self, sentence, identifiers, forbidden, rng):
        record = super().choose(sentence, identifiers, forbidden, rng).record
        words = [replacement.word for replacement in record]
        return Selection(
            tuple(
                replacement._replace(substitute=type(self).given(words, at))
                if rng.random() < self.share
                else replacement
                for at, replacement in enumerate(record)
            )
        )


class OwnLikelier(Leaky):
    given = staticmethod(lambda words, at: words[at])


class ByTable(Leaky):
    share = 0.3
    given = staticmethod(lambda words, at: WORDS[WORDS.index(words[at]) - 11])


class BesideTheHidden(Leaky):
    """What public text has after the word that is hidden before, not after its substitute."""

    share = 0.5
    given = staticmethod(lambda words, at: WORDS[(WORDS.index(words[at - 1]) * 7 + 3) % 40])


@pytest.fixture(scope="module")
def plausible(known: Plausibility) -> list[Case]:
    return [case_of(threshold(known, PrismStarThreshold), seed, NIGHTS) for seed in range(3)]


def test_plausible_draws_are_at_chance_by_every_attack_on_substitutes(plausible) -> None:
    assert [accused(case) for case in plausible] == [set()] * 3


def test_the_chance_of_uniform_draws_would_accuse_plausible_ones(plausible) -> None:
    """They prefer what fits its place, and so does who wrote the text: no draw knows the word."""
    (itself,) = (
        found
        for found in ADVERSARIES["originals"].attack(plausible[1], Random(3))
        if found.attack == "who-itself"
    )
    assert itself.chance == pytest.approx(1 / len(WORDS))
    assert itself.value > 2 * itself.chance
    assert itself.differs_from_chance(SURE)


@pytest.mark.parametrize(
    ("kind", "among", "attacks"),
    [
        (OwnLikelier, ["originals", "repeating"], {"who-itself", "repeat-stored"}),
        (ByTable, ["originals"], {"who-learned", "linkage-substitute"}),
        (BesideTheHidden, ["beside"], {"who-beside"}),
    ],
)
@pytest.mark.parametrize("draws", ["plausible", "uniform"])
def test_a_draw_that_hangs_on_what_is_hidden_is_found_out(
    known, kind, among, attacks, draws
) -> None:
    case = case_of(threshold(known if draws == "plausible" else None, kind), 1)
    assert attacks <= accused(case, among)


def test_controls_stand_in_the_same_places_and_are_judged_by_the_same_words(plausible) -> None:
    case = plausible[1]
    own = sorted((word.draw, word.place, word.word) for word in case.hidden)
    assert len(case.controls) == 10
    for control in case.controls:
        assert sorted((word.draw, word.place, word.word) for word in control.hidden) == own
        kept = zip(
            *(sorted(c.sent, key=lambda s: s.original) for c in (case, control)), strict=True
        )
        for sent, other in kept:
            assert sent.replaced == other.replaced
            shown = [
                token for at, token in enumerate(sent.request.tokens) if at not in sent.replaced
            ]
            assert shown == [
                token for at, token in enumerate(other.request.tokens) if at not in other.replaced
            ]


def test_a_word_that_holds_a_number_can_stand_in_a_control() -> None:
    words = dictionary(*NOUNS[:3], *(entry(f"kit-48{at}13") for at in range(40)))
    encoder = make_encoder(words, PrismStarThreshold(words, 0.7, 2, "source"))
    seen = observe_encoder(encoder, {}, DenyList(), Random(1))
    own = sentence("the/DT", f"{WORDS[0]}/NN", "and/CC", "zorgle/NN")
    controls = seen.observe_controls([[own]], 10)
    assert [[len(sent.hidden) for sent in control] for control in controls] == [[2]] * 10


def test_a_mechanism_that_treats_other_words_otherwise_has_no_controls() -> None:
    assert case_of(PrismStarRatio(DICTIONARY, 0.5, 2, "source"), 1).controls == ()


def test_a_chance_by_controls_widens_the_interval() -> None:
    own = Finding("who-itself", 0.2, 0.5, 1000, 1000)
    against = own.against([Finding("who-itself", value, 0.5, 1000, 1000) for value in (0.1, 0.3)])
    assert against.chance == pytest.approx(0.2, rel=1e-2)
    assert against.trials < own.trials
    assert own.against([]) == own


def test_a_hit_that_few_controls_had_not_is_no_finding_and_many_are() -> None:
    controls = [share("who-learned", 0, 0.0, 40)] * 2
    one, nine = (share("who-learned", hits, 0.0, 40).against(controls) for hits in (1, 9))
    assert not one.differs_from_chance()
    assert nine.differs_from_chance(SURE)
