"""Make the sample archives ``data/samples`` and those in other languages, the same bytes each time.

Run ``python data/make_samples.py``. Everything in them is invented: the people, the hospitals, the
cases, the telephone numbers (555-01xx; 91 000;
01 99 00; 089 99998) and the addresses (example.org).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sample_makers import (
    agreement,
    deposition,
    discharge,
    expert_report,
    french,
    german,
    mails,
    spanish,
)

DATA = Path(__file__).parent

MAKERS: dict[str, Callable[[], bytes]] = {
    "samples/contracts/services-agreement.docx": agreement.make,
    "samples/hospital/discharge-letter.docx": discharge.make,
    "samples/hospital/damaged.docx": discharge.make_damaged,
    "samples/litigation/expert-report.pdf": expert_report.make,
    "samples/litigation/deposition-note.txt": deposition.make,
    "samples/litigation/settlement-offer.eml": mails.make_settlement_offer,
    "samples/hospital/records-request.eml": mails.make_records_request,
    "samples-es/clinica/informe-clinico.docx": spanish.make_report,
    "samples-es/contratos/arrendamiento.pdf": spanish.make_contract,
    "samples-es/correo/propuesta-de-acuerdo.eml": spanish.make_proposal,
    "samples-es/correo/gastos.xlsx": spanish.make_costs,
    "samples-fr/clinique/compte-rendu.docx": french.make_letter,
    "samples-fr/tribunal/jugement.txt": french.make_judgment,
    "samples-fr/courrier/jugement.eml": french.make_mail,
    "samples-de/klinik/arztbrief.docx": german.make_letter,
    "samples-de/gericht/urteil.txt": german.make_judgment,
    "samples-de/post/urteil.eml": german.make_mail,
}


def main() -> None:
    """Write every sample below ``DATA``."""
    for name, make in MAKERS.items():
        path = DATA / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(make())


if __name__ == "__main__":
    main()
