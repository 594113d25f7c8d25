"""Identifiers of every class through the real Apertium."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from benchmarks.dictionary import translated
from prism_core.encoding import load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.settings import load_settings

SENTENCES = {  # what is to be found, in any case; "a|b" is one or the other
    "It was paid on 3 March 2020 by Kovacs.": ("3", "marzo", "2020", "Kovacs"),
    "The letter of 14 july 1968 was lost.": ("14", "julio", "1968"),
    "It was signed on 2020-03-03 and on 03/03/20.": ("2020-03-03", "03/03/20"),
    "The lease runs from May 3rd, 2020 to Tuesday.": ("mayo", "2020", "martes"),
    "It was filed on 12 Aug 2021 and 01-Feb-02.": ("12", "Aug|agosto", "2021", "01-Feb-02"),
    "The house costs 1,234.50 and the dog 77,100.": ("1.234,50", "77.100"),
    "Call +44 20 7946 0958 or (555) 010-0188 now.": ("+44 20 7946 0958", "(555) 010-0188"),
    "Pay it to ES91 2100 0418 4502 0005 1332 today.": ("ES91 2100 0418 4502 0005 1332",),
    "The card 4111 1111 1111 1111 was lost.": ("4111 1111 1111 1111",),
    "Her number is 219-09-9999 and his is 12345678Z.": ("219-09-9999", "12345678Z"),
    "Write to jo@firm.com about MRN-48213-B.": ("jo@firm.com", "MRN-48213-B"),
    "The server 192.168.17.4 has 00:1A:2B:3C:4D:5E.": ("192.168.17.4", "00:1A:2B:3C:4D:5E"),
}


@pytest.mark.parametrize("seed", range(3))
def test_apertium_gives_back_every_identifier(seed) -> None:
    model = LanguageModel.load("en", lemmas=False)
    encoder = load_encoder(load_settings())
    encoded = {}
    for text in SENTENCES:
        (sentence,) = model.sentences(text)
        encoded[text] = encoder.encode(sentence, DenyList(), Random(seed))
    for text, one in encoded.items():
        assert not one.withheld
        assert text != one.text
    answers = asyncio.run(translated([one.text for one in encoded.values()]))
    lost = {}
    for (text, one), answer in zip(encoded.items(), answers, strict=True):
        found = encoder.decode(one, answer).text.lower()
        missing = [
            identifier
            for identifier in SENTENCES[text]
            if not any(written in found for written in identifier.lower().split("|"))
        ]
        if missing:
            lost[text] = missing
    assert lost == {}
