"""Drafts: translations of original text by a model on this machine, and what is wrong with them.

Nothing of a draft, nor of the text it translates, leaves the machine.

Entry: ``translate_checked`` translates sentences, ``find_faults`` checks one translation, and
``ForcedAligner`` aligns a sentence with a translation by anybody.
"""

from typing import TYPE_CHECKING

from prism_core.drafts.checked import Draft, translate_checked
from prism_core.drafts.faults import Fault, find_faults
from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.drafts.aligner import ForcedAligner, Links

__all__ = ["Draft", "Fault", "ForcedAligner", "Links", "find_faults", "translate_checked"]

__getattr__ = lazy_door(__name__, {"aligner": "ForcedAligner Links"})  # NumPy takes time
