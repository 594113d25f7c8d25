"""The report of a run: its tables, the pages over them, and their verification and export.

Entry: ``ReportFolder(path)`` writes and verifies reports, and gives each as a ``RunReport``.
"""

from prism_core.report.chain import Link, Signer
from prism_core.report.csv_export import export_csv
from prism_core.report.notices import COPIED, PICTURE, count_places
from prism_core.report.page_data import REASONS
from prism_core.report.rendering import write_pieces
from prism_core.report.report_folder import ReportCopy, ReportFolder, RunReport
from prism_core.report.rows import (
    ABSENT,
    NOT_REACHED,
    STAGES,
    DocumentRow,
    IdentifierRow,
    Outcome,
    RequestRow,
    Row,
    RunFacts,
    SentenceRow,
)
from prism_core.report.verifying import Signed, Verdict
from prism_core.report.writing import WrittenReport

__all__ = [
    "ABSENT",
    "COPIED",
    "NOT_REACHED",
    "PICTURE",
    "REASONS",
    "STAGES",
    "DocumentRow",
    "IdentifierRow",
    "Link",
    "Outcome",
    "ReportCopy",
    "ReportFolder",
    "RequestRow",
    "Row",
    "RunFacts",
    "RunReport",
    "SentenceRow",
    "Signed",
    "Signer",
    "Verdict",
    "WrittenReport",
    "count_places",
    "export_csv",
    "write_pieces",
]
