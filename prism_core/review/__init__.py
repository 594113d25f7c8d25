"""Review by a person: sentences beside their translations, in files of translators' tools."""

from typing import TYPE_CHECKING

from prism_core.record import Reason
from prism_core.review.inline_tags import fit_correction
from prism_core.review.review_files import SUFFIXES, check_review_file, read_review, write_review
from prism_core.review.review_units import NO_CAUSES, Causes, Correction, ReviewUnit
from prism_core.review.term_proposals import (
    ProposedTerm,
    check_terms_file,
    propose_term,
    write_terms,
)

if TYPE_CHECKING:
    from prism_core.review import web_server

__all__ = [
    "NO_CAUSES",
    "SUFFIXES",
    "Causes",
    "Correction",
    "ProposedTerm",
    "Reason",
    "ReviewUnit",
    "check_review_file",
    "check_terms_file",
    "fit_correction",
    "propose_term",
    "read_review",
    "web_server",
    "write_review",
    "write_terms",
]
