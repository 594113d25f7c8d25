"""spaCy imported without its command line, which brings 350 modules that nothing here needs.

Entry: ``import_spacy``, before anything else imports spaCy.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


def import_spacy() -> None:
    """Import spaCy, unless it is there already.

    ``spacy.cli`` can be imported afterwards as ever; ``spacy.info`` does so when it is called.
    """
    if "spacy" in sys.modules or "spacy.cli" in sys.modules:
        return
    package, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    package.__path__ = []
    vars(info)["info"] = lambda *given, **named: import_module("spacy.cli").info(*given, **named)
    stand_ins = {module.__name__: module for module in (package, info)}
    sys.modules.update(stand_ins)
    try:
        import_module("spacy")
    finally:
        for name in stand_ins:
            del sys.modules[name]
