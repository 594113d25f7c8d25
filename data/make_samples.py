"""Make the sample archive ``data/samples/``, byte for byte the same each time.

Run ``python data/make_samples.py``. Everything in it is invented: the people, the hospital, the
court case, the telephone numbers (555-01xx) and the addresses (example.org).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sample_makers import agreement, deposition, discharge, expert_report, mails

SAMPLES = Path(__file__).parent / "samples"

MAKERS: dict[str, Callable[[], bytes]] = {
    "contracts/services-agreement.docx": agreement.make,
    "hospital/discharge-letter.docx": discharge.make,
    "hospital/damaged.docx": discharge.make_damaged,
    "litigation/expert-report.pdf": expert_report.make,
    "litigation/deposition-note.txt": deposition.make,
    "litigation/settlement-offer.eml": mails.make_settlement_offer,
    "hospital/records-request.eml": mails.make_records_request,
}


def main() -> None:
    """Write every sample below ``SAMPLES``."""
    for name, make in MAKERS.items():
        path = SAMPLES / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make())


if __name__ == "__main__":
    main()
