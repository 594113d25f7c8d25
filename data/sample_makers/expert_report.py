"""An expert's report to a court, two pages of PDF."""

from __future__ import annotations

import io

from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.pagesizes import LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import inch
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

_BODY = ParagraphStyle("body", fontName="Times-Roman", fontSize=11.5, leading=15.5, spaceAfter=9)
_HEADING = ParagraphStyle(
    "heading", fontName="Times-Bold", fontSize=13, leading=17, spaceBefore=9, spaceAfter=6
)
_TITLE = ParagraphStyle(
    "title", fontName="Times-Bold", fontSize=17, leading=22, alignment=TA_CENTER, spaceAfter=14
)
_CELL = ParagraphStyle("cell", fontName="Times-Roman", fontSize=10.5, leading=13)
_CELL_HEADING = ParagraphStyle("cell heading", parent=_CELL, fontName="Times-Bold")

_COURT = [
    "Court of Common Pleas, Fairmont County, Ohio",
    "Margaret Ellison, plaintiff, against Lakeside Memorial Hospital, defendant",
    "Case number 2026-CV-03318",
]

_SECTIONS = [
    ("1. Assignment", [
        "On April 20, 2026 the court asked me to examine the fall of Mrs. Margaret Ellison at "
        "Lakeside Memorial Hospital. I am a nurse with twenty-two years of experience, and I "
        "teach patient safety at the University of Kenton. I have no personal or financial "
        "relationship with either party.",
        "The court put two questions to me. Was the patient watched as closely as her condition "
        "required? Did the fall cause the pain that she still feels in her left wrist?",
    ]),
    ("2. Documents", [
        "I have read the medical record MRN 4471-0926, the report of the fall and the statements "
        "of three witnesses. I visited the ward on May 6, 2026 and measured the distance between "
        "the bed and the door. I also spoke with the nurse on duty, Mr. Daniel Kovacs, for one "
        "hour.",
    ]),
    ("3. Facts", [
        "Mrs. Ellison was sixty-seven years old and had a high fever. On the evening of January "
        "12, 2026 she received a medicine that can cause dizziness. The rules of the hospital say "
        "that a patient in this situation must be visited every hour.",
        "The record shows a visit at 9:05 p.m. and another visit at 11:50 p.m. There is no entry "
        "between these two visits. The patient fell at about 11:40 p.m. when she tried to reach "
        "the bathroom. The rail of the bed was down, and the lamp beside the bed did not work.",
        "The following table shows what was planned and what was done during that night.",
    ]),
    ("4. Opinion", [
        "In my opinion, the hospital did not follow its own rules. Two visits were missed, and "
        "nobody checked the rail of the bed. One nurse was responsible for eighteen patients, "
        "although the plan required two nurses. A visit at ten or at eleven would probably have "
        "prevented the fall.",
        "The second question is more difficult. The X-ray of January 13 shows no fracture. "
        "However, the patient had no pain in her wrist before the fall, and the physiotherapist "
        "found a limited movement of the hand in March. I therefore consider it likely that the "
        "fall caused the injury.",
        "I cannot say whether the pain will disappear. Most patients of this age recover within "
        "six months if they receive regular treatment.",
    ]),
    ("5. Declaration", [
        "I have prepared this report to the best of my knowledge. I understand that my duty is to "
        "help the court, and that this duty is more important than any duty to the party that "
        "pays me. My fee for this report is $3,250.",
        "Columbus, May 18, 2026",
        "Catherine Muller, RN, PhD<br/>19 Chestnut Avenue, Columbus, Ohio 43299<br/>"
        "c.muller@example.org, (614) 555-0179",
    ]),
]  # fmt: skip

_VISITS = [
    ("Time", "Planned", "Done", "Remark"),
    ("9:00 p.m.", "Visit by the nurse", "9:05 p.m.", "The patient was awake."),
    ("10:00 p.m.", "Visit by the nurse", "None", "There is no entry in the record."),
    ("11:00 p.m.", "Visit by the nurse", "None", "The nurse was with another patient."),
    ("Midnight", "Visit by the nurse", "11:50 p.m.", "The patient was found on the floor."),
]


def make() -> bytes:
    """The report as PDF, without dates of production and with a fixed identifier."""
    target = io.BytesIO()
    template = SimpleDocTemplate(
        target,
        pagesize=LETTER,
        leftMargin=1.1 * inch,
        rightMargin=1.1 * inch,
        topMargin=1 * inch,
        bottomMargin=0.9 * inch,
        title="Expert Report",
        author="Catherine Muller",
        subject="Patient safety",
        invariant=1,
    )
    template.build(_story(), onFirstPage=_draw_footer, onLaterPages=_draw_footer)
    return target.getvalue()


def _story() -> list[Flowable]:
    story: list[Flowable] = [Paragraph(line, _centred()) for line in _COURT]
    story += [Spacer(1, 14), Paragraph("Expert Report on Patient Safety", _TITLE)]
    for title, paragraphs in _SECTIONS:
        story.append(Paragraph(title, _HEADING))
        story += [Paragraph(text, _BODY) for text in paragraphs]
        if title == "3. Facts":
            story += [_visit_table(), Spacer(1, 10)]
    return story


def _centred() -> ParagraphStyle:
    return ParagraphStyle("court", parent=_BODY, alignment=TA_CENTER, spaceAfter=2)


def _visit_table() -> Table:
    rows = [
        [Paragraph(text, _CELL if number else _CELL_HEADING) for text in row]
        for number, row in enumerate(_VISITS)
    ]
    style = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.5, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ]
    )
    return Table(rows, colWidths=[0.9 * inch, 1.5 * inch, 1.1 * inch, 2.8 * inch], style=style)


def _draw_footer(canvas: Canvas, template: SimpleDocTemplate) -> None:
    canvas.setFont("Times-Roman", 9)
    canvas.drawString(1.1 * inch, 0.6 * inch, "Expert report, case number 2026-CV-03318")
    canvas.drawRightString(LETTER[0] - 1.1 * inch, 0.6 * inch, f"Page {template.page}")
