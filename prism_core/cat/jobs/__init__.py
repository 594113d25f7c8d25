"""Jobs of the distribution: export and import of reviews, and candidate terms of an archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.cat.jobs import reviewing
    from prism_core.cat.jobs.term_candidates import write_candidate_terms

__all__ = ["reviewing", "write_candidate_terms"]

__getattr__ = lazy_door(__name__)
