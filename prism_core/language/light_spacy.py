"""spaCy imported without what nothing here needs: its command line, which brings 350 modules, and
PyTorch, which it would load wherever that is installed.

Entry: ``spacy_alone``, around the first import of spaCy.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

_NEED_TORCH = ("spacy_transformers", "spacy_curated_transformers", "spacy_experimental")
"""Extensions of spaCy whose pipelines are models of PyTorch."""


@contextmanager
def spacy_alone() -> Iterator[None]:
    """Import spaCy, and let what is imported within come without PyTorch too.

    ``spacy.cli`` can be imported afterwards as ever; ``spacy.info`` does so when it is called.
    PyTorch is there afterwards, and within where an extension of spaCy needs it.
    """
    stand_ins = {} if {"spacy", "spacy.cli"} & sys.modules.keys() else _stand_ins()
    if "torch" not in sys.modules and not any(map(find_spec, _NEED_TORCH)):
        stand_ins["torch"] = None
    sys.modules.update(stand_ins)  # type: ignore[arg-type]  # None: it cannot be imported
    try:
        import_module("spacy")
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


def _stand_ins() -> dict[str, ModuleType | None]:
    """For the command line of spaCy, which it imports for the sake of ``spacy.info`` alone."""
    package, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    package.__path__ = []
    vars(info)["info"] = lambda *given, **named: import_module("spacy.cli").info(*given, **named)
    return {module.__name__: module for module in (package, info)}
