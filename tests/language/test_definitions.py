import pytest

from prism_core.identifiers import defined_terms
from tests.words import ENGLISH


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("“Business Day” means any day other than a Sunday.", {"Business Day"}),
        ('"Term" shall have the meaning given in section 2.', {"Term"}),
        ("This sale agreement (the “Agreement”) is made today.", {"Agreement"}),
        ("Holm and Vane (together the “Parties” and each a “Party”) agree.", {"Parties", "Party"}),
        ("The owner is hereinafter called the ‘Landlord’.", {"Landlord"}),
        ("Goods means the goods that are sold.", {"Goods"}),
        ("The Date of Change means a day in May.", {"Date of Change"}),
        ("She said “Hello there” and left.", set()),
        ("It was called “nothing”.", set()),
        ("A day means twelve hours.", set()),
        ("He knows what this means.", set()),
    ],
)
def test_a_defined_term_is_found_where_it_is_said_what_it_means(text, terms) -> None:
    assert defined_terms([text], ENGLISH) == terms
