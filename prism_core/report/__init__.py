"""The report of a run: its tables, the pages over them, and what verifies and exports them."""

from prism_core.report import reading
from prism_core.report.chain import BEGINNING, PREFIX, Link, Signer, run_folders
from prism_core.report.columns import WAYS
from prism_core.report.export import Coarsening, export_csv
from prism_core.report.reading import RunReport, read_report
from prism_core.report.rendering import write_whole
from prism_core.report.rows import (
    NOT_REACHED,
    DocumentRow,
    IdentifierRow,
    Outcome,
    RequestRow,
    Row,
    RunFacts,
    SentenceRow,
)
from prism_core.report.verifying import Signed, Verdict, verify_report, verify_run
from prism_core.report.writing import write_report

__all__ = [
    "BEGINNING",
    "NOT_REACHED",
    "PREFIX",
    "WAYS",
    "Coarsening",
    "DocumentRow",
    "IdentifierRow",
    "Link",
    "Outcome",
    "RequestRow",
    "Row",
    "RunFacts",
    "RunReport",
    "SentenceRow",
    "Signed",
    "Signer",
    "Verdict",
    "export_csv",
    "read_report",
    "reading",
    "run_folders",
    "verify_report",
    "verify_run",
    "write_report",
    "write_whole",
]
