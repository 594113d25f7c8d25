import logging
import sys

import pytest

from prism_core.errors import ConfigurationError
from prism_core.identifiers.base import Strength
from prism_core.identifiers.presidio import PresidioDetector, load_optional_detectors
from prism_core.identifiers.spans import SpanFinder
from tests.words import ENGLISH


@pytest.fixture(scope="module")
def presidio() -> PresidioDetector:
    """Presidio without the libraries of models, which it loads for recognisers we never ask."""
    with pytest.MonkeyPatch.context() as patching:
        for library in ("torch", "transformers"):
            patching.setitem(sys.modules, library, None)
        return PresidioDetector.load()


def test_presidio_is_one_more_detector_of_numbers_we_do_not_know(presidio) -> None:
    text = "the wallet 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa and 2345 6789 0124"
    assert [(text[m.start : m.end], m.label, m.strength) for m in presidio.find(text)] == [
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "ACCOUNT", Strength.CHECKED),
        ("2345 6789 0124", "NATIONAL_ID", Strength.CHECKED),
    ]
    found = SpanFinder(ENGLISH, [presidio]).find(text)
    assert [text[one.start : one.end] for one in found][-1] == "2345 6789 0124"


def test_presidio_takes_no_quantity_for_an_identifier(presidio) -> None:
    assert list(presidio.find("She takes 5 mg twice a day, since 2019.")) == []


def test_presidio_logs_nothing_of_a_text(presidio, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    list(presidio.find("card 4111 1111 1111 1111 of Zorgle"))
    assert "4111" not in caplog.text
    assert "Zorgle" not in caplog.text


def test_without_presidio_the_message_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    assert load_optional_detectors(presidio=False) == ()
    with pytest.raises(ConfigurationError, match=r"pip install 'prism-translate\[presidio\]'"):
        load_optional_detectors(presidio=True)
