"""The shipped model, loaded once for all tests of the language package."""

import pytest

from prism_core.language.language_model import LanguageModel


@pytest.fixture(scope="session")
def model() -> LanguageModel:
    return LanguageModel.load("en")
