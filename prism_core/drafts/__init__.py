"""Drafts: translations of original text by a model on this machine, and what is wrong with them.

Nothing of a draft, nor of the text it translates, leaves the machine.

Entry: ``translate_checked`` translates sentences, ``find_faults`` checks one translation.
"""

from prism_core.drafts.checked import Draft, translate_checked
from prism_core.drafts.faults import Fault, find_faults

__all__ = ["Draft", "Fault", "find_faults", "translate_checked"]
