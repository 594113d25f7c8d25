"""Numbers get the class that somebody would say they are of, however the text says it."""

import pytest

from prism_core.identifiers.leak_check import class_of
from prism_core.identifiers.spans import SpanFinder
from tests.words import ENGLISH

SPANS = SpanFinder(ENGLISH)
ABBREVIATED = [
    ("record-number", "Hosp no A4471123, bay 3", "A4471123"),
    ("record-number", "UHID: AAH.0000471123", "AAH.0000471123"),
    ("record-number", "crime ref 42/44711/23", "42/44711/23"),
    ("record-number", "Our sign: 24.117-LD", "24.117-LD"),
    ("record-number", "student no. C22471123", "C22471123"),
    ("plan-number", "Vers.-Nr. A447112388", "A447112388"),
    ("plan-number", "OHIP 4471 228 119", "4471 228 119"),
    ("account-number", "s/code 20 18 63 for the rent", "20 18 63"),
    ("account-number", "BSB 062-000 please", "062-000"),
    ("account-number", "cust ref 7718820134", "7718820134"),
    ("licence", "MCRN 044127", "044127"),
    ("licence", "firearms cert. no 44/12887", "44/12887"),
    ("licence", "Company No. SC441287", "SC441287"),
    ("licence", "the EORI GB295214337000", "GB295214337000"),
    ("vehicle", "Tenant's reg: BD51SMR", "BD51SMR"),
    ("vehicle", "rego 1AB-2CD", "1AB-2CD"),
    ("vehicle", "HIN US-ABC12345D404", "US-ABC12345D404"),
    ("device", "card says S/N 5462000", "5462000"),
    ("device", "Sr. No. of the stent: BLC447112S", "BLC447112S"),
    ("device", "asset tag LT-04471", "LT-04471"),
    ("biometric", "lift nos. FP/23/0889", "FP/23/0889"),
    ("biometric", "palm vein ID TPL-44711", "TPL-44711"),
    ("photo", "negative nos. 4471-2", "4471-2"),
    ("national-id", "Nat Ins pw698645d", "pw698645d"),
    ("national-id", "my PAN is ABCPE1234F", "ABCPE1234F"),
    ("phone", "Ph: 98200 93498", "98200 93498"),
    ("phone", "ext 6636", "6636"),
    ("fax", "D 01632 960324 | F 01632 960543", "01632 960543"),
]
GOING_ON = [
    ("device", "sensor, ID 44-8812-K -> 44-9017-K", "44-8812-K|44-9017-K"),
    ("photo", "photos 4471-23 to 4471-29", "4471-23|4471-29"),
]
OWNED = [
    ("biometric", "Fingerprint record no. TPL-68986", "TPL-68986"),
    ("plan-number", "health insurance card 80372356354", "80372356354"),
    ("photo", "photo file no. 44711", "44711"),
    ("plan-number", "benefit card 6102 2287 4410", "6102 2287 4410"),
    ("biometric", "buccal swab kit 5588127", "5588127"),
    ("account-number", "charged to my Visa ending in 4417", "4417"),
]
BY_FORM = [
    ("licence", "has the number MUNMF808136MR1XD now", "MUNMF808136MR1XD"),
    ("licence", "Reg. No. 44711 of the doctor", "44711"),
    ("licence", "a copy of KA05 2016 0061870 is here", "KA05 2016 0061870"),
    ("vehicle", "Reg. No. BJ23WFH was seen", "BJ23WFH"),
    ("vehicle", "in my van, index SC98EWT, outside", "SC98EWT"),
    ("vehicle", "serial number in the type VF1DN290297113652", "VF1DN290297113652"),
    ("vehicle", "RC book of TN 09 BB 8658", "TN 09 BB 8658"),
    ("vehicle", "registration 12 MH 494, hired", "12 MH 494"),
    ("vehicle", "it was 191-D-66869 again", "191-D-66869"),
    ("photo", "the footage, frame M357G8716", "M357G8716"),
    ("photo", "see DSC_9153 and DSC_9154.NEF there", "DSC_9153|DSC_9154.NEF"),
    (
        "photo",
        "sent as Screenshot 2024-09-11 at 13.24.36.png now",
        "Screenshot 2024-09-11 at 13.24.36.png",
    ),
    ("national-id", "with 2341 2341 2346 only", "2341 2341 2346"),
    ("plan-number", "under 80372356354470818191 now", "80372356354470818191"),
    ("device", "the 8944 1234 5678 9012 345 in it", "8944 1234 5678 9012 345"),
    ("account-number", "to 20-45-91 / 33817264 please", "20-45-91 / 33817264"),
]
DAYS = [
    ("date", "before the 22Sep1955 only", "22Sep1955"),
    ("date", "ends on 6 VII 1962 here", "6 VII 1962"),
    ("date", "on the 09 / 10 / 1974 at noon", "09 / 10 / 1974"),
    ("date", "card, exp 10/25, is lost", "10/25"),
    ("date", "a mortgage dated the 18-10-50 was", "18-10-50"),
]
NUMBERS_OF_NO_CLASS = [
    "by Faster Payment, ref DJT93271",
    "the policy, order no. 44711238",
    "my policy came by courier, tracking no. RR672374271IE",
    "the flat has door code C4471X",
    "staff id E004471 for the record",
    "the booking for my car is M6UN2G",
    "orders 44711238 and 44711239",
    "MPRN 10 5284 9753 of the meter",
]


@pytest.mark.parametrize(
    ("of_class", "text", "parts"),
    ABBREVIATED + GOING_ON + OWNED + BY_FORM + DAYS,
)
def test_a_number_has_the_class_that_the_text_says(of_class, text, parts) -> None:
    found = [
        text[one.start : one.end] for one in SPANS.find(text) if class_of(one.label) == of_class
    ]
    assert found == parts.split("|")


@pytest.mark.parametrize("text", NUMBERS_OF_NO_CLASS)
def test_a_number_that_is_called_something_else_gets_no_class_from_words_further_off(text) -> None:
    assert {class_of(one.label) for one in SPANS.find(text)} == {"other"}


def test_an_address_of_a_computer_is_no_number_of_the_device() -> None:
    found = SPANS.find("the server 10.59.49.153 and the router 2001:db8::1")
    assert [one.label for one in found] == ["IP", "IP"]
