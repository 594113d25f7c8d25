"""A hospital discharge letter, and the same letter cut short by a failed download."""

from __future__ import annotations

import docx

from sample_makers import word

_ADDRESS = [
    "Dr. Samuel Ortega",
    "Riverside Family Practice",
    "27 Willow Court",
    "Fairmont, Ohio 43998",
]

_PATIENT = [
    ("Patient", "Record number", "Date of birth", "Admitted", "Discharged"),
    ("Margaret Ellison", "MRN 4471-0926", "July 14, 1958", "January 9, 2026", "January 16, 2026"),
]

_SECTIONS = [
    ("", [
        "Dear Dr. Ortega,",
        "Thank you for referring **Mrs. Margaret Ellison** to our clinic. She was treated in our "
        "department of internal medicine for one week and went home yesterday in good condition.",
    ]),
    ("Diagnosis", [
        "**Pneumonia of the right lower lobe** with mild dehydration. The patient also has high "
        "blood pressure and type 2 diabetes, both known since 2014.",
    ]),
    ("History", [
        "Mrs. Ellison came to the emergency room on January 9, 2026 with fever, a dry cough and "
        "chest pain. The symptoms had begun four days earlier, after a visit to her daughter in "
        "Cleveland. She had already taken antibiotics for two days, but she did not feel better. "
        "She does not smoke and drinks very little alcohol.",
    ]),
    ("Findings", [
        "On arrival her temperature was 39.1 °C and her blood pressure was 152/94. Her breathing "
        "was fast, and the oxygen level in her blood was low. The chest X-ray showed a shadow in "
        "the right lower lobe. The blood tests showed clear signs of an infection.",
    ]),
    ("Treatment and course", [
        "We gave the patient intravenous fluids, oxygen and a different antibiotic. The fever "
        "went down on the third day. On January 13 she was able to walk without help. A second "
        "X-ray on January 15 showed that the shadow was much smaller.",
        "During the night of January 12 she **fell beside her bed**. She hurt her left wrist, but "
        "the bone was not broken. The nurse, Daniel Kovacs, informed the family on the same "
        "evening, and a report was written.",
    ]),
]  # fmt: skip

_MEDICATION = [
    ("Medicine", "Dose", "How to take it"),
    ("Amoxicillin", "500 mg", "Three times a day until January 22, 2026"),
    ("Lisinopril", "10 mg", "Once a day in the morning"),
    ("Metformin", "850 mg", "Twice a day with meals"),
    ("Paracetamol", "500 mg", "Only if needed for pain in the wrist"),
]

_CLOSING = [
    "Please check her blood pressure and her blood sugar within two weeks. She should not lift "
    "anything heavy with her left hand until the swelling has gone. We have arranged another "
    "X-ray at our clinic on February 27, 2026 at 10:30 a.m.",
    "Mrs. Ellison lives alone. Her daughter, Rachel Ellison, will stay with her for the first "
    "week and can be reached at (216) 555-0188. If the fever returns, the patient should come "
    "back to the emergency room at once.",
    "If you have any questions, please call me at (614) 555-0125 or write to "
    "p.lindqvist@lakeside.example.org.",
    "Yours sincerely,",
    "Dr. Peter Lindqvist",
]


def make() -> bytes:
    """The letter as DOCX."""
    document = docx.Document()
    word.set_look(document, "Discharge Letter", "Peter Lindqvist")
    section = document.sections[0]
    section.header.paragraphs[
        0
    ].text = "Lakeside Memorial Hospital, Department of Internal Medicine"
    section.footer.paragraphs[0].text = "This letter contains confidential medical information."
    document.add_paragraph("\n".join(_ADDRESS))
    document.add_paragraph("Fairmont, January 17, 2026")
    document.add_heading("Discharge letter", level=1)
    word.add_table(document, _PATIENT)
    for title, paragraphs in _SECTIONS:
        _add_section(document, title, paragraphs)
    document.add_heading("Medication at home", level=2)
    word.add_table(document, _MEDICATION)
    document.add_heading("Further care", level=2)
    for paragraph in _CLOSING:
        document.add_paragraph(paragraph)
    return word.to_bytes(document)


def make_damaged() -> bytes:
    """The first part of the letter's file, as a broken download leaves it."""
    whole = make()
    return whole[: len(whole) * 3 // 5]


def _add_section(document: docx.document.Document, title: str, paragraphs: list[str]) -> None:
    if title:
        document.add_heading(title, level=2)
    for paragraph in paragraphs:
        word.add_marked(document.add_paragraph(), paragraph)
