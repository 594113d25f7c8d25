"""Drafts: translations of original text by a model on this machine, and what is wrong with them.

Nothing of a draft, nor of the text it translates, leaves the machine.

Entry: ``translate_checked`` translates sentences, ``find_faults`` checks one translation,
``find_changes`` its negations and modal verbs, and ``ForcedAligner`` aligns a sentence with a
translation by anybody. ``Drafter`` and ``fuse`` put the words of drafts into the translations of
others; ``prefers_local`` chooses between the two, and ``estimate_quality`` rates a translation.
"""

from typing import TYPE_CHECKING

from prism_core.drafts.checked import draft_sentences, find_drafting_model, translate_checked
from prism_core.drafts.faults import Draft, Fault, check_numbers, find_faults
from prism_core.drafts.lost_numbers import lacks_amount
from prism_core.drafts.polarity import Change, find_changes, load_polarity
from prism_core.drafts.wrong_senses import find_wrong_senses
from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.drafts.aligner import ForcedAligner, Links
    from prism_core.drafts.doubtful_words import find_unlisted
    from prism_core.drafts.fusion import (
        LOSS,
        AlignedDraft,
        Drafter,
        Rating,
        count_left,
        estimate_quality,
        fuse,
        measure_agreement,
        peak_entropy,
        prefers_local,
        rewrite,
    )
    from prism_core.drafts.marian_model import read_marian_items

__all__ = [
    "LOSS",
    "AlignedDraft",
    "Change",
    "Draft",
    "Drafter",
    "Fault",
    "ForcedAligner",
    "Links",
    "Rating",
    "check_numbers",
    "count_left",
    "draft_sentences",
    "estimate_quality",
    "find_changes",
    "find_drafting_model",
    "find_faults",
    "find_unlisted",
    "find_wrong_senses",
    "fuse",
    "lacks_amount",
    "load_polarity",
    "measure_agreement",
    "peak_entropy",
    "prefers_local",
    "read_marian_items",
    "rewrite",
    "translate_checked",
]

__getattr__ = lazy_door(__name__)  # NumPy takes time
