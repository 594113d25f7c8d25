"""The French and German samples through the shipped models: nothing private of them is sent."""

import re
from random import Random

import pytest

from prism_core.encoding import load_encoder
from prism_core.formats import read_document
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.resources import SHIPPED
from prism_core.settings import load_settings

PRIVATE = {
    "fr": "Solange Verdelin Tanneurs 87000 Limoges 4471926 Armelle Quintrec Karim Castagnou Octave "
    "Guilvinec Baptiste Orvault Edwige Fontanges 00417",
    "de": "Wolf Klein Lindenstraße 12a 80331 München 4471926 Groß Hiltrud Ohnsorg Konrad "
    "Tettenborn Annegret Lang Friederike Richter 4711",
}


@pytest.mark.parametrize("code", PRIVATE)
def test_nothing_private_of_the_samples_is_sent(code: str) -> None:
    flags = {
        "source": code, "target": "en", "translator.name": "fake", "language.experimental": True,
    }  # fmt: skip
    encoder, model = load_encoder(load_settings(flags=flags)), LanguageModel.load(code)
    files = sorted((SHIPPED / "data" / f"samples-{code}").rglob("*.*"))
    texts = [segment.text for file in files for segment in read_document(file).segments]
    sentences = [one for text in texts for one in model.sentences(text)]
    known = encoder.add_identifiers(DenyList(), sentences)
    encoded = [encoder.encode(one, known, Random(1)) for one in sentences]
    sent = [one.text for one in encoded if not one.withheld]
    assert len(sent) > 25
    assert set(PRIVATE[code].split()).isdisjoint(re.findall(r"\w+", " ".join(sent)))
