from prism_core.building.frame_queries import (
    FrameReading,
    Proposal,
    make_proposed_entry,
    select_known_proposals,
)
from prism_core.building.word_candidates import WordCandidate


def proposal(word: str, tag: str, *forms: str, residue: str = "la _ estaba") -> Proposal:
    filled = [
        FrameReading(f"f{i}", form, residue) if form else None for i, form in enumerate(forms)
    ]
    return Proposal(WordCandidate(word, tag, 2), tuple(filled))


def words(proposals) -> list[str]:
    return [one.word.word for one in proposals]


def test_a_cognate_is_known_by_the_company_it_keeps() -> None:
    nouns = [proposal(f"w{i}", "NN", f"v{i}") for i in range(5)]
    strange = [proposal(f"x{i}", "NN", f"x{i}", residue="_ estaba") for i in range(5)]
    assert words(
        select_known_proposals([*nouns, proposal("hospital", "NN", "hospital"), *strange])
    ) == [
        *words(nouns),
        "hospital",
    ]


def test_an_adjective_or_verb_that_never_changes_is_unknown_whatever_its_company() -> None:
    legal = proposal("legal", "JJ", "legal", "legal", "legales")
    nubby = proposal("nubby", "JJ", "nubby", "nubby", "nubby")
    red = [proposal(f"w{i}", "JJ", "rojo", "roja", "rojos") for i in range(5)]
    assert "nubby" not in words(select_known_proposals([*red, legal, nubby]))
    assert "legal" in words(select_known_proposals([*red, legal, nubby]))


def test_the_class_goes_from_what_stands_around_a_word_to_what_follows_it() -> None:
    one = Proposal(
        WordCandidate("think", "VBP", 2),
        (FrameReading("they", "piensan", "_ allí"), FrameReading("i", "pienso", "_ allí")),
        (None, FrameReading("that", "piensan", "_ que era")),
    )
    made = make_proposed_entry(one, "NN VBP", 0.125)
    assert made.agreement_parts == ("_ allí 01", "? / _ que era", "NN VBP")
    assert made.calls == 0.5
