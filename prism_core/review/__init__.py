"""What a person reviews: sentences beside their translations, in files of translators' tools."""

from typing import TYPE_CHECKING

from prism_core.record import Reason
from prism_core.review.files import SUFFIXES, check_review_file, read_review, write_review
from prism_core.review.marks import fit_correction
from prism_core.review.terms import Term, check_terms_file, propose_term, write_terms
from prism_core.review.units import Correction, ReviewUnit

if TYPE_CHECKING:
    from prism_core.review import server

__all__ = [
    "SUFFIXES",
    "Correction",
    "Reason",
    "ReviewUnit",
    "Term",
    "check_review_file",
    "check_terms_file",
    "fit_correction",
    "propose_term",
    "read_review",
    "server",
    "write_review",
    "write_terms",
]
