"""Review by a person: sentences beside their translations, in files of translators' tools."""

from typing import TYPE_CHECKING

from prism_core.cat.review.causes import find_causes
from prism_core.cat.review.inline_tags import fit_correction
from prism_core.cat.review.review_files import (
    SUFFIXES,
    check_review_file,
    read_review,
    write_review,
)
from prism_core.cat.review.review_units import NO_CAUSES, Causes, Correction, ReviewUnit
from prism_core.cat.review.term_proposals import (
    ProposedTerm,
    check_terms_file,
    propose_term,
    write_terms,
)
from prism_core.record import Reason

if TYPE_CHECKING:
    from prism_core.cat.review import web_server

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
    "find_causes",
    "fit_correction",
    "propose_term",
    "read_review",
    "web_server",
    "write_review",
    "write_terms",
]
