import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers import checksums

RIGHT = [
    (checksums.luhn, "4111 1111 1111 1111"),
    (checksums.iban, "DE89 3704 0044 0532 0130 00"),
    (checksums.iban, "GB82WEST12345698765432"),
    (checksums.ean, "756.9217.0769.85"),
    (checksums.us_social_security, "536-90-4399"),
    (checksums.us_routing, "111000025"),
    (checksums.us_provider, "1234567893"),
    (checksums.us_dea, "AB1234563"),
    (checksums.uk_nhs, "943 476 5870"),
    (checksums.german_tax, "36 574 261 809"),
    (checksums.german_health, "A123456780"),
    (checksums.german_vat, "DE 136 695 976"),
    (checksums.german_insurance, "65 170839 J 003"),
    (checksums.german_document, "T22000129 3"),
    (checksums.french_social_security, "2 95 10 99 126 111 93"),
    (checksums.french_company, "552 008 443"),
    (checksums.indian_person, "2341 2341 2346"),
    (checksums.spanish_id, "54362315-K"),
    (checksums.spanish_id, "X-2482300W"),
    (checksums.italian_fiscal, "RCCMNL83S18D969H"),
    (checksums.dutch_citizen, "1112.22.333"),
    (checksums.belgian_national, "85.07.30-033.28"),
    (checksums.polish_national, "44051401359"),
    (checksums.portuguese_tax, "501964843"),
    (checksums.swedish_personal, "880320-0016"),
    (checksums.finnish_personal, "131052-308T"),
    (checksums.irish_personal, "6433435F"),
    (checksums.vehicle, "1HGCM82633A004352"),
]


@pytest.mark.parametrize(("check", "number"), RIGHT)
def test_a_published_example_is_right(check, number) -> None:
    assert check(number)


@pytest.mark.parametrize(("check", "number"), RIGHT)
def test_one_digit_changed_is_wrong(check, number) -> None:
    if check is checksums.us_social_security:
        assert not check("000" + number[3:])
        return
    place = max(i for i, c in enumerate(number[:-1]) if c.isdigit())
    changed = str((int(number[place]) + 1) % 10)
    assert not check(number[:place] + changed + number[place + 1 :])


@pytest.mark.parametrize("check", sorted({check for check, _ in RIGHT}, key=lambda c: c.__name__))
@given(text=st.text(max_size=25))
def test_no_text_breaks_a_check(check, text) -> None:
    assert check(text) in (True, False)
