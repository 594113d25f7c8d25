"""What a person reviews: sentences beside their translations, in files of translators' tools."""

from typing import TYPE_CHECKING

from prism_core.review.files import SUFFIXES, check_review_file, read_review, write_review
from prism_core.review.marks import fit_correction
from prism_core.review.units import Correction, Reason, ReviewUnit

if TYPE_CHECKING:
    from prism_core.review import server

__all__ = [
    "SUFFIXES",
    "Correction",
    "Reason",
    "ReviewUnit",
    "check_review_file",
    "fit_correction",
    "read_review",
    "server",
    "write_review",
]
