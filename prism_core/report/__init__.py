"""The report of a run: its tables, the pages over them, and their verification and export.

Entry: ``ReportFolder(path)`` writes and verifies reports, and gives each as a ``RunReport``.
"""

from prism_core.report.answer import OfficerAnswers
from prism_core.report.chain import Link, Signer
from prism_core.report.csv_export import export_csv
from prism_core.report.notices import COPIED, PICTURE, count_places, say_notice
from prism_core.report.page_data import REASONS
from prism_core.report.parquet_schema import PROOF
from prism_core.report.rendering import write_pieces
from prism_core.report.report_folder import ReportCopy, ReportFolder, RunReport
from prism_core.report.rows import (
    ABSENT,
    NOT_REACHED,
    STAGES,
    STRATEGIES,
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
    "PROOF",
    "REASONS",
    "STAGES",
    "STRATEGIES",
    "DocumentRow",
    "IdentifierRow",
    "Link",
    "OfficerAnswers",
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
    "say_notice",
    "write_pieces",
]
