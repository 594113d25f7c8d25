"""Drafts: translations of original text by a model on this machine, and what is wrong with them.

Nothing of a draft, nor of the text it translates, leaves the machine.

Entry: ``draft_sentences`` translates and checks sentences, and ``find_changes`` compares negations
and modal verbs. ``Drafter`` and ``fuse`` put the words of drafts into the translations of others;
``prefers_local`` chooses between the two.
"""

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.drafts.checked import draft_sentences, find_drafting_model
    from prism_core.drafts.doubtful_words import find_unlisted
    from prism_core.drafts.faults import Draft, Fault, check_numbers
    from prism_core.drafts.fusion import (
        AlignedDraft,
        Drafter,
        Rating,
        count_left,
        fuse,
        prefers_local,
        rewrite,
    )
    from prism_core.drafts.marian_model import read_marian_items
    from prism_core.drafts.polarity import Change, find_changes, load_polarity
    from prism_core.drafts.wrong_senses import find_wrong_senses

__all__ = [
    "AlignedDraft",
    "Change",
    "Draft",
    "Drafter",
    "Fault",
    "Rating",
    "check_numbers",
    "count_left",
    "draft_sentences",
    "find_changes",
    "find_drafting_model",
    "find_unlisted",
    "find_wrong_senses",
    "fuse",
    "load_polarity",
    "prefers_local",
    "read_marian_items",
    "rewrite",
]

__getattr__ = lazy_door(__name__)  # NumPy takes time
