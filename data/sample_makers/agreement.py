"""A services agreement: headings, numbered clauses, tables, header, footer, a footnote."""

from __future__ import annotations

import docx
from docx.enum.text import WD_ALIGN_PARAGRAPH

from sample_makers import word

_PARTIES = [
    ("Party", "Represented by", "Address", "Telephone"),
    ("Lakeside Memorial Hospital", "Dr. Helen Whitaker, Medical Director",
     "410 Orchard Lane, Fairmont, Ohio 43999", "(614) 555-0142"),
    ("Brightwater Records LLC", "Thomas Adeyemi, Managing Partner",
     "88 Mill Street, Suite 300, Dayton, Ohio 45499", "(937) 555-0117"),
]  # fmt: skip

_FEES = [
    ("Service", "Unit", "Fee"),
    ("Scanning of paper records", "per page", "$0.14"),
    ("Entry of missing data", "per hour", "$38.50"),
    ("Storage of the paper archive", "per month", "$2,400.00"),
    ("Delivery of an urgent record", "per request", "$65.00"),
]

_RECITALS = [
    "This agreement is made on March 2, 2026 between **Lakeside Memorial Hospital** (the "
    "“**Hospital**”) and **Brightwater Records LLC** (the “**Provider**”).",
    "The Hospital keeps about 1,200,000 pages of patient records on paper. It wishes to have these "
    "records scanned, indexed and stored in a safe place. The Provider has the staff, the "
    "equipment and the experience to do this work.",
]

_ARTICLES = [
    ("Services", [
        "The Provider will collect the paper records from the Hospital every Monday and Thursday.",
        "Each record will be scanned, checked by a second person and returned within ten working "
        "days.",
        "The Provider will not use **subcontractors** without the written consent of the Hospital.",
        "If a page cannot be read, the Provider will report it to Dr. Whitaker on the same day.",
    ]),
    ("Fees and payment", [
        "The Hospital will pay the fees listed in the table below.",
        "The Provider will send one invoice at the end of each month. Invoices are due within "
        "thirty days.",
        "The total amount for the first year may not exceed $185,000.",
        "Late payments bear interest at a rate of four percent per year.",
    ]),
    ("Confidentiality", [
        "The records contain **confidential information** about patients and their families.",
        "The Provider will keep this information secret during the agreement and for ten years "
        "after it ends.",
        "Only employees who have signed a confidentiality statement may open a record.",
        "The Provider will inform the Hospital of any loss or theft within twenty-four hours. It "
        "will call Laura Bennett, the privacy officer, at (614) 555-0163 and confirm the call by "
        "e-mail to privacy@lakeside.example.org.",
    ]),
    ("Liability", [
        "The Provider is liable for every record that is lost or damaged while it is in its care.",
        "Its liability is limited to $500,000 per event. This limit does not apply to **gross "
        "negligence**.",
        "The Provider holds insurance policy LM-2026-00871 for this purpose.",
    ]),
    ("Term and termination", [
        "This agreement begins on April 1, 2026 and ends on March 31, 2029.",
        "Either party may end it with a notice of ninety days.",
        "The Hospital may end it at once if the Provider breaks its duty of confidentiality.",
        "When the agreement ends, the Provider will return all records and destroy every copy.",
    ]),
    ("General provisions", [
        "This agreement is governed by the laws of the State of Ohio.",
        "Any change to this agreement must be made in writing and signed by both parties.",
        "If one clause is not valid, the other clauses remain in force.",
    ]),
]  # fmt: skip

_FOOTNOTE = (
    "The rate is fixed for the first twelve months. After that, it follows the consumer price "
    "index that is published in January."
)


def make() -> bytes:
    """The agreement as DOCX."""
    document = docx.Document()
    word.set_look(document, "Services Agreement", "Laura Bennett")
    _add_running_lines(document)
    document.add_heading("Services Agreement", level=0)
    for recital in _RECITALS:
        word.add_marked(document.add_paragraph(), recital)
    word.add_table(document, _PARTIES)
    word.add_numbering(document)
    for title, clauses in _ARTICLES:
        word.number(document.add_heading(title, level=1), level=0)
        for clause in clauses:
            word.number(word.add_marked(document.add_paragraph(), clause), level=1)
        if title == "Fees and payment":
            word.add_table(document, _FEES)
    _add_signatures(document)
    limit = next(p for p in document.paragraphs if "four percent" in p.text)
    word.add_footnotes(document, [(limit, _FOOTNOTE)])
    return word.to_bytes(document)


def _add_running_lines(document: docx.document.Document) -> None:
    section = document.sections[0]
    header, footer = section.header.paragraphs[0], section.footer.paragraphs[0]
    header.text = "Lakeside Memorial Hospital — Confidential"
    header.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    footer.text = "Contract number 2026-0417, page "
    word.add_page_number(footer)


def _add_signatures(document: docx.document.Document) -> None:
    word.add_marked(
        document.add_paragraph(),
        "Signed in Fairmont on March 2, 2026. Each party has received one original.",
    )
    word.add_table(
        document,
        [
            ("For the Hospital", "For the Provider"),
            ("Dr. Helen Whitaker", "Thomas Adeyemi"),
        ],
    )
