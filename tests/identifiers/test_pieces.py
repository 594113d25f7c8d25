"""Pieces that no translator is to read as words: found and hidden whole, put back as they were."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from benchmarks.dictionary import translated
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.spans import SpanFinder
from prism_core.language import LanguageModel, Sentence
from prism_core.record import Encoded
from prism_core.settings import load_settings
from tests.words import ENGLISH

SPANS = SpanFinder(ENGLISH)
FOUND = {  # text, and between bars what is a piece of it
    "section 704(a)(7) of it": "704(a)(7)",
    "§ 704(a)(7) and s 12(3)(b)": "§ 704(a)(7)|s 12(3)(b)",
    "Art. 6(1)(f), Rule 26(b)(3)(A)": "Art. 6(1)(f)|26(b)(3)(A)",
    "ss 3(a)-(c), 12A(2)(b) or 1.10(a)(2)(iv)": "ss 3(a)-(c)|12A(2)(b)|1.10(a)(2)(iv)",
    "para. 5, paras 6-7, pp. 5-9": "para. 5|paras 6-7|pp. 5-9",
    "Article 6 § 3 (c) of it": "c",
    "(a) the (iv) one in (a)(ii)": "a|iv|a)(ii",
    "1) one a) two b) three": "a|b",
    "iv. The court": "iv",
    "II. The law": "II",
    "at 7 a.m. and 10:30 p.m. or 8 AM": "7 a.m.|10:30 p.m.|8 AM",
    "from 7-9 a.m. till 7:30 – 9 pm": "7-9 a.m.|7:30 – 9 pm",
    "Come at 9 a.m.": "9 a.m",
    "5 mg/kg, 10 µg, 120/80 mmHg": "5 mg/kg|10 µg|120/80 mmHg",
    "3 × 10⁹/L or 4.5 x 10^9/L, 38.5°C": "3 × 10⁹/L|4.5 x 10^9/L|38.5°C",
    "30 mL/min/1.73 m², 3 x 4 cm, a 5-cm cut": "30 mL/min/1.73 m²|3 x 4 cm|5-cm",
    "5 mg/day": "5 mg",
    "x² + y², pH 7.4 (p < 0.05, n = 25)": "x² + y²|pH 7.4|p < 0.05|n = 25",
}
NONE = (
    "a(n) apple",
    "the person(s) named (ill) (sic) (USA)",
    "the case (see a) was his",
    "A. The facts",
    "Baxter's 1922 work and 5 children",
    "10 U.S.C. 5 and $5 m",
    "i.e. the others",
    "it is < 5",
)


def pieces(text: str) -> str:
    """The pieces of ``text`` between bars."""
    found = [span for span in SPANS.find(text) if span.label in ("CLOCK", "PIECE")]
    return "|".join(text[span.start : span.end] for span in found)


@pytest.mark.parametrize("text", FOUND)
def test_a_piece_is_found_whole(text) -> None:
    assert pieces(text) == FOUND[text]


@pytest.mark.parametrize("text", NONE)
def test_what_only_looks_like_a_piece_is_left(text) -> None:
    assert not pieces(text)


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en", lemmas=False)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings(flags={"source": "en", "target": "es"}))


SENTENCES = {
    "The debtor relied on section 704(a)(7) of the Code.": ("704(a)(7)",),
    "The claim was made under s 12(3)(b) and Art. 6(1)(f).": ("s 12(3)(b)", "Art. 6(1)(f)"),
    "He cited Rule 26(b)(3)(A) in (a)(i) of the case.": ("26(b)(3)(A)", "(a)(i)"),
    "(a) the court shall decide the case;": ("(a) la corte",),
    "a) the court shall decide the case;": ("a) la corte",),
    "iv. The court shall decide the case.": ("iv. La corte",),
    "The meeting ran from 7 a.m. to 10:30 p.m. there.": ("7 a.m. a 10:30 p.m.",),
    "He came home at 8 am.": ("8 am.",),
    "She was given 5 mg/kg of it and 10 µg of morphine.": ("5 mg/kg de", "10 µg de morfina"),
    "His pressure was 120/80 mmHg and the count 3 × 10⁹/L.": ("120/80 mmHg", "3 × 10⁹/L."),
    "The sum of x² + y² was large (p < 0.05) at pH 7.4.": ("x² + y²", "(p < 0.05)", "pH 7.4."),
}


def encode(model: LanguageModel, encoder: Encoder, text: str, seed: int) -> Encoded:
    tokens = (token for sentence in model.sentences(text) for token in sentence.tokens)
    return encoder.encode(Sentence(tuple(tokens)), DenyList(), Random(seed))


def test_every_piece_comes_back_from_apertium_as_it_was(model, encoder) -> None:
    encoded = {text: encode(model, encoder, text, 1) for text in SENTENCES}
    answers = asyncio.run(translated([one.text for one in encoded.values()]))
    for (text, one), answer in zip(encoded.items(), answers, strict=True):
        decoded = encoder.decode(one, answer).text
        assert all(piece in decoded for piece in SENTENCES[text]), decoded


def test_a_clock_comes_back_from_a_translator_that_writes_it_its_own_way(model, encoder) -> None:
    one = encode(model, encoder, "Come at 7 a.m. to (b) of it.", 1)
    (clock,) = (part.substitute for part in one.record if part.tag == "CLOCK")
    for written in (
        clock,
        clock.replace(":", "."),
        clock.replace(":", " h "),
        clock.replace(":", "h"),
    ):
        decoded = encoder.decode(one, one.text.replace(clock, written))
        assert "at 7 a.m. to (b) of" in decoded.text


def test_what_stands_for_a_piece_follows_from_nothing_of_it(model, encoder) -> None:
    """Not even where the piece holds many of the numbers that may be drawn."""
    sent = {
        piece: [encode(model, encoder, f"It was of him {piece}.", seed).text for seed in range(30)]
        for piece in ("(b)", "(iv)(7)", "223(b)", f"{7**120}(1)(A)")
    }
    in_brackets = {text.replace("(", "").replace(")", "") for text in sent["(b)"]}
    assert all(
        {t.replace("(", "").replace(")", "") for t in texts} == in_brackets
        for texts in sent.values()
    )


def test_a_measure_names_nobody_elsewhere_but_a_long_number_does(model, encoder) -> None:
    (sentence,) = model.sentences("He got 5 mmol/kg under 2518194(a) and § 12345(b).")
    assert set(encoder.identifiers(sentence)) >= {"2518194(a)"}
    assert not any("mmol" in form for form in encoder.identifiers(sentence))
