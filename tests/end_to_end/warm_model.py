"""Loads the model once for every ``WarmCommand``; imported by what they are forked from alone."""

import gc
from functools import cache

from prism_core.language import LanguageModel

LanguageModel.load = staticmethod(cache(LanguageModel.load))
LanguageModel.load("en", None, lemmas=False)
gc.freeze()
