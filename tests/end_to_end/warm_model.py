"""Loads the model and the dictionary once for every ``WarmCommand``; imported by what they are
forked from alone, before the command."""

from functools import cache

from prism_core import dictionary
from prism_core.language import LanguageModel
from prism_core.resources import shipped_dictionary
from tests.shipped import freeze, read_dictionaries_once

read_dictionaries_once()
dictionary.load_dictionary(shipped_dictionary("en", "es"), "openai")
LanguageModel.load = staticmethod(cache(LanguageModel.load))
LanguageModel.load("en", None, lemmas=False)
freeze()
