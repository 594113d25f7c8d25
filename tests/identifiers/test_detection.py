"""Every class has texts that hold it and texts that look like it."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers.base import Detection, Detector, Strength, resolve
from prism_core.identifiers.leak_check import class_of
from prism_core.identifiers.spans import SpanFinder, find_spans
from prism_core.settings import IdentifierClass
from tests.timing import processor_limit
from tests.words import ENGLISH

SPANS = SpanFinder(ENGLISH)
HOLDING = [
    ("date", "born on 12/03/1987 here", "12/03/1987"),
    ("date", "on the 3rd of March, 2020 at noon", "3rd|2020"),
    ("date", "it ended on 11 july 1968 here", "11|july|1968"),
    ("phone", "call (+34) 655 611303 now", "(+34) 655 611303"),
    ("phone", "mobile +447700900497 please", "+447700900497"),
    ("url", "it is at HTTPS://WWW.EXAMPLE.COM/PAY now", "HTTPS://WWW.EXAMPLE.COM/PAY"),
    ("date", "since 14. 2. 1999 only", "14. 2. 1999"),
    ("date", "on 9. November it never came", "9"),
    ("date", "it was 01-Feb-02 then", "01-Feb-02"),
    ("date", "on Sept. 5, 2019 again", "Sept|5|2019"),
    ("date", "a 94-year-old woman", "94"),
    ("date", "she turned 101 today", "101"),
    ("date", "ninety-four years old", "ninety-four"),
    ("date", "DOB: 19700412", "19700412"),
    ("phone", "call (555) 013-2297 now", "(555) 013-2297"),
    ("phone", "on +49 30 1234567.", "+49 30 1234567"),
    ("phone", "on +44 (0)1632 960150 again", "+44 (0)1632 960150"),
    ("phone", "at 020 7946 0958, or", "020 7946 0958"),
    ("phone", "ring me on 612 345 678", "612 345 678"),
    ("phone", "you phone Holm Insurance at 01 45 67 73 08", "01 45 67 73 08"),
    ("fax", "Fax: +1 555 010 2299", "+1 555 010 2299"),
    ("fax", "Tel. 020 7946 0958, telefax 020 7946 0959", "020 7946 0959"),
    ("phone", "fax to 01 45 67 21 71 or on 07700 900394", "07700 900394"),
    ("fax", "F: 020 7946 0959", "020 7946 0959"),
    ("email", "to jo.smith@example.org now", "jo.smith@example.org"),
    ("national-id", "SSN 536-90-4399", "536-90-4399"),
    ("national-id", "has you under 092-22-1120", "092-22-1120"),
    ("national-id", "NHS number is 943 476 5870", "943 476 5870"),
    ("national-id", "with JK 12 34 56 B only", "JK 12 34 56 B"),
    ("national-id", "tax ID 36 574 261 809", "36 574 261 809"),
    ("national-id", "with 2 95 10 99 126 111 93 only", "2 95 10 99 126 111 93"),
    ("national-id", "with 54362315K only", "54362315K"),
    ("record-number", "MRN: 48213", "48213"),
    ("record-number", "tenancy reference K 201 902", "K 201 902"),
    ("record-number", "MRN-48213-B here", "MRN-48213-B"),
    ("record-number", "Case No. 3:19-cv-01234-ABC", "3:19-cv-01234-ABC"),
    ("record-number", "Aktenzeichen 4 K 123/19", "4 K 123/19"),
    ("record-number", "chart no. 12 345 678", "12 345 678"),
    ("record-number", "Donor ID: 731 277 264", "731 277 264"),
    ("record-number", "warrant no. 2021-4471", "2021-4471"),
    ("plan-number", "Policy No. AB 1234 5678", "AB 1234 5678"),
    ("plan-number", "member ID W123456789", "W123456789"),
    ("account-number", "IBAN DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00"),
    ("account-number", "to DE89370400440532013000 now", "DE89370400440532013000"),
    ("account-number", "card 4111-1111-1111-1111", "4111-1111-1111-1111"),
    ("account-number", "account number 30-43-61 14724109", "30-43-61 14724109"),
    ("licence", "driving licence no. H2939734", "H2939734"),
    ("licence", "VAT DE123456789 only", "DE123456789"),
    ("licence", "passport number C01X00990", "C01X00990"),
    ("vehicle", "the plate AB-C 1234 was", "AB-C 1234"),
    ("vehicle", "registration no. XY12 ABC", "XY12 ABC"),
    ("vehicle", "a van with plates E194 WPR.", "E194 WPR"),
    ("vehicle", "the registration mark XD 996 P", "XD 996 P"),
    ("vehicle", "VIN 1HGCM82633A004352", "1HGCM82633A004352"),
    ("device", "serial no. SN-44321-X", "SN-44321-X"),
    ("device", "at 00:1a:2b:3c:4d:5e again", "00:1a:2b:3c:4d:5e"),
    ("device", "Freezer probe serial: 14779614K", "14779614K"),
    ("device", "IMEI 353366555169786", "353366555169786"),
    ("url", "see https://example.org/a?b=1.", "https://example.org/a?b=1"),
    ("ip", "from 192.168.0.17 and", "192.168.0.17"),
    ("ip", "from 2001:db8::1 and", "2001:db8::1"),
    ("biometric", "fingerprint ID FP-2231-88", "FP-2231-88"),
    ("biometric", "the DNA sample, number 21258051, is", "21258051"),
    ("photo", "see portrait_smith.jpg there", "portrait_smith.jpg"),
    ("biometric", "biometric ID NL/5331/11.", "NL/5331/11"),
    ("photo", "photo no. 4451", "4451"),
    ("photo", "see scan 41.tiff there", "scan 41.tiff"),
    ("geography", "at 14 Baker Street today", "14|Baker|Street"),
    ("geography", "in Hauptstraße 12 now", "Hauptstraße|12"),
    ("geography", "at 14 rue de la Paix now", "14|rue|de|la|Paix"),
    ("geography", "in London NW1 6XE now", "NW1 6XE"),
    ("geography", "Springfield, IL 62704", "IL 62704"),
    ("geography", "at P.O. Box 123", "P.O. Box 123"),
    ("geography", "at 48.8566° N, 2.3522° E there", "48.8566° N, 2.3522° E"),
    ("other", "order 48-2213 of 7 items", "48-2213|7"),
    ("plan-number", "the policy held with Holm PLC is YPNT156825", "YPNT156825"),
    ("plan-number", "insured under number W33 474 1967 with", "W33 474 1967"),
    ("plan-number", "claims numbered 4471123, 4471124 and 4471125", "4471123|4471124|4471125"),
    ("plan-number", "policy 44711 was lent", "44711"),
    ("licence", "the number of his passport is 44711238", "44711238"),
    ("licence", "a passport (we noted AZ834008X)", "AZ834008X"),
    ("licence", "passport A1234567, the policy number W1234567", "A1234567"),
    ("national-id", "SSN 536-90-4399, and hers is 536-90-4398", "536-90-4399|536-90-4398"),
    ("account-number", "to account no. 269 2006 0783.", "269 2006 0783"),
    ("account-number", "account 44711238 for savings and 44711239 for gas", "44711238|44711239"),
    ("account-number", "a card ending in 4417", "4417"),
    ("account-number", "my card ends with 2017", "2017"),
    ("record-number", "Re: application K 556 532, again", "K 556 532"),
    ("biometric", "iris scans, recorded as NU/6482/57 and MM/1941/50", "NU/6482/57|MM/1941/50"),
    ("biometric", "the fingerprints taken in Bath (template T-207897)", "T-207897"),
    ("vehicle", "Our car (BZ 984 N) has to be", "BZ 984 N"),
    ("vehicle", "our van, HDY 993, was", "HDY 993"),
    ("vehicle", "a van with plates 15-MAY-8, gone", "15-MAY-8"),
    ("photo", "photo nos. 4451, 4452 and 4453", "4451|4452|4453"),
]
LOOKING_LIKE_IT = [
    ("date", "paid 1,234.50 in 2019"),
    ("date", "version 45.99.2020"),
    ("date", "aged 45, weighing 94 kg"),
    ("date", "they may 3 times"),
    ("phone", "from 1914 to 1918"),
    ("phone", "12 345 678 euros"),
    ("fax", "call +49 30 1234567"),
    ("national-id", "000-12-3456 items"),
    ("record-number", "in that case 12 patients"),
    ("record-number", "the file had 250 pages"),
    ("record-number", "THE FILE HAD 25 PAGES"),
    ("record-number", "for that cause 4711A left"),
    ("record-number", "call the hospital on 563.555.0104"),
    ("plan-number", "the policy of 2019"),
    ("account-number", "the account was opened in 2019 with 25000 dollars"),
    ("account-number", "DE88 3704 0044 0532 0130 00 only"),
    ("licence", "the licence costs 50 euros"),
    ("vehicle", "the vehicle did 120 km"),
    ("device", "the device weighs 300 g"),
    ("ip", "version 1.2.300.4"),
    ("biometric", "the face of 3 men"),
    ("photo", "a photo of 12 people"),
    ("plan-number", "clause 4.2 of the policy and Section 12 apply to 25000 shares"),
    ("plan-number", "the policy covers 25000 and 30000"),
    ("plan-number", "the policy limit is 1234567"),
    ("plan-number", "Policy limits 1000000/3000000"),
    ("plan-number", "the policy ending in 2019"),
    ("plan-number", "passport A1234567, the licence number A1234568"),
    ("plan-number", "the group with 16 shops"),
    ("licence", "the company sold 1500000 shares"),
    ("licence", "the company has 25123 employees"),
    ("account-number", "the loan of 250000 at 4.25 for 360 months"),
    ("account-number", "account balance: 125000.50"),
    ("account-number", "the account shows 12500 and 4200"),
    ("record-number", "patients with COVID-19 in town"),
    ("record-number", "on hospital day #3, 7, and 8"),
    ("vehicle", "a car (BMW 320) was"),
    ("vehicle", "an engine with 96 kW/130 horsepower"),
    ("vehicle", "a factory for cars about 50 KM off"),
    ("device", "a printer LJ4200N and 12345 cables"),
    ("date", "plates 57-FEB-9 and"),
    ("geography", "In 2019 Berlin grew"),
    ("geography", "Patient ID 44812"),
    ("geography", "took 3 Tablets of it"),
]


def classes(text: str) -> list[tuple[str, str]]:
    return [(class_of(span.label), text[span.start : span.end]) for span in SPANS.find(text)]


@pytest.mark.parametrize(("of_class", "text", "parts"), HOLDING)
def test_an_identifier_is_found_whole_in_its_class(of_class, text, parts) -> None:
    assert [part for one, part in classes(text) if one == of_class] == parts.split("|")


@pytest.mark.parametrize(("of_class", "text"), LOOKING_LIKE_IT)
def test_what_only_looks_like_it_is_left_to_the_other_numbers(of_class, text) -> None:
    assert of_class not in [one for one, _ in classes(text)]


def test_every_class_has_texts_that_hold_it() -> None:
    tested = {of_class for of_class, _, _ in HOLDING}
    assert tested | {IdentifierClass.NAME} == set(IdentifierClass)


@pytest.mark.parametrize(
    "text",
    [
        "DE89 3704\u00a00044 0532 0130 00",
        "DE89 3704 0044 05\u00ad32 0130 00",
        "ＤＥ89370400440532013000",
    ],
)
def test_blanks_hyphens_and_digits_that_only_look_different_hide_nothing(text) -> None:
    assert classes(f"to {text} now") == [("account-number", text)]


def test_a_small_may_in_a_date_is_no_verb() -> None:
    assert [part for one, part in classes("On 30 may 2019 he may come.") if one == "date"] == [
        "30",
        "may",
        "2019",
    ]


def test_the_month_of_a_date_in_words_is_left_to_be_translated() -> None:
    assert "March" not in [part for _, part in classes("on the 3rd of March, 2020")]


@given(st.text(alphabet="AB12 -./:@#,()ab\u00ad\u00a0é", max_size=60))
def test_what_shapes_cover_stays_covered(text) -> None:
    covered = {i for span in SPANS.find(text) for i in range(span.start, span.end)}
    plain = {
        i for span in find_spans(text, ENGLISH.numbers.ordinal) for i in range(span.start, span.end)
    }
    assert all(i in covered for i in plain if text[i].isdecimal())


@given(st.text(max_size=60) | st.text(alphabet="AB12 -./:@#,()ab\u00ad\u00a0é", max_size=60))
def test_spans_are_in_order_and_never_overlap_nor_begin_or_end_blank(text) -> None:
    spans = SPANS.find(text)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    assert all(
        text[one.start : one.end].strip() == text[one.start : one.end] != "" for one in spans
    )


@given(st.text(max_size=40))
def test_no_digit_is_outside_a_span(text) -> None:
    covered = {i for span in SPANS.find(text) for i in range(span.start, span.end)}
    assert all(i in covered for i, c in enumerate(text) if c.isdecimal())


@pytest.mark.parametrize(
    "text",
    [
        "jane.roe." + "x." * 200 + "y@corp.example",
        "acme.secret.a.b.c.d.e.f.g.h.i.j.example.com",
        "a" * 70 + ".client.com",
    ],
)
def test_an_address_is_covered_from_its_beginning_however_long_it_is(text) -> None:
    assert [(span.start, span.end) for span in SPANS.find(text)] == [(0, len(text))]


@pytest.mark.parametrize(
    "run",
    [
        "1_",
        "A-",
        "a-",
        "1.1.",
        "a1:",
        "12 ",
        "AB12 ",
        "1",
        "A1",
        "+49 1 ",
        "1-",
        "delle",
        "Rue de la ",
        "a_",
        "plates AB-123, ",
        "1234567, the claim number ",
        "claim with a a a is 1234567 ",
        "pacemaker 1234567 swapped for ",
        "no. of the a a (1234567 ",
        "exp 10/25 ",
        "plates AB 12 CD 3456 ",
        "iris a a a a AB12345 ",
        "1 - ",
        "3 x ",
        "a) ",
        "(a)",
        "x² + ",
        "_",
        "+1",
        "1A",
        "a@b.",
        "a1\u0301",
    ],
)
def test_hostile_text_takes_no_time_out_of_proportion(run) -> None:
    text = ("MRN via +1" + run * 20000)[:20000] + "@ x.jp"
    with processor_limit(2):
        SPANS.find(text)


def match(start: int, end: int, label: str, strength: Strength) -> Detection:
    return Detection(start, end, label, strength)


def test_of_two_that_overlap_the_stronger_wins_then_the_longer_then_the_first() -> None:
    checked = match(2, 6, "CARD", Strength.CHECKED)
    longer = match(0, 6, "PHONE", Strength.SHAPED)
    assert resolve([longer, checked]) == [checked]
    shorter = match(3, 6, "IP", Strength.SHAPED)
    assert resolve([shorter, longer]) == [longer]
    alike = match(0, 6, "CASE", Strength.SHAPED)
    assert resolve([alike, longer]) == [alike]


def test_a_word_beside_a_shape_names_all_of_it() -> None:
    part = match(4, 8, "RECORD", Strength.NAMED)
    whole = match(0, 12, "CASE", Strength.SHAPED)
    assert resolve([part, whole]) == [match(0, 12, "RECORD", Strength.NAMED)]


def test_further_detectors_are_asked_about_texts_without_any_sign() -> None:
    class Words(Detector):
        def find(self, text: str) -> Iterator[Detection]:
            yield match(0, text.index(" "), "CODE", Strength.SHAPED)

    assert [one.label for one in SpanFinder(ENGLISH, [Words()]).find("secret words")] == ["CODE"]
    assert SPANS.find("secret words") == []
