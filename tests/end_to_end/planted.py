"""Documents of every type with planted names, numbers and phrases that stand nowhere else."""

from __future__ import annotations

import base64
from email.message import EmailMessage
from io import BytesIO
from pathlib import Path

import docx
import pptx
import xlsxwriter
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from tests.formats.legacy_files import as_legacy
from tests.formats.odt_files import NAMESPACES, document, paragraph, span, text_file
from tests.shared_data import shared

NAMES = (
    "Zorbanquist",
    "Vantorelli",
    "Oluwaferandu",
    "Müller-Bräkling",
    "Szczepańczyk",
    "Al-Khwarizmani",
    "O'Shaughravan",
    "Nguyễn Phượng",
    "Вишневецкая",
    "KREUZWALDINGER",
    "Brandywineska",
    "quillonbert",
    "Hawthornemba",
    "Farrowdelle",
    "Quennivar",
    "Tessaltine",
    "Mirovandra",
    "Obrecastle",
    "Ysoldegard",
    "Pemberwick Holdings",
    "Calderwyth",
    "Immerfeldt",
    "Ostrandevi",
    "Pellingrow",
    "Ravensholtz",
    "Silverqueth",
)
NUMBERS = (
    "+44 7700 900873",
    "MRN-8841-22097",
    "1,284,556.17",
    "17 October 1968",
    "1973-08-29",
    "GB29 NWBK 6016 1331 9268 19",
    "078-05-1120",
    "004417239988",
    "4556 7375 8689 9855",
    "X4RTBBPFJ49",
    "q.harrowgate@vexlanta.example",
    "https://intranet.bryndolph.example/case/77120983",
)
SHORT_NUMBERS = ("61,407", "93-117", "70613")
"""Too short to be searched for among random bytes: looked for as words in what was sent."""
PHRASES = (
    "the purple elephant bought a wooden piano",
    "seven frozen goats swallowed the golden trumpet",
    "a secret merger with the bicycle factory",
    "the drunken surgeon removed the wrong kidney",
)
CANARIES = (*NAMES, *NUMBERS, *PHRASES)
BROKEN_CANARIES = (
    "Wendelgrathe",
    "Ixtlamora",
    "55-0199-338271",
    "the bishop hid the stolen diamonds",
)
"""These stand in documents that cannot be handled."""
MSG_CANARIES = ("Irradiant", "Ellis Williams", "Amanda Bloomfield", "7559 Fax", "oasys@arup.com")
"""These stand in the Outlook message, which nobody here wrote."""
ALL = (*CANARIES, *BROKEN_CANARIES, *MSG_CANARIES)

_LETTER = """CONFIDENTIAL: {KREUZ} VERSUS PEMBERWICK HOLDINGS

Zorbanquist met the lawyer on 17 October 1968. The doctor told Al-Khwarizmani that the purple \
elephant bought a wooden piano. We paid 1,284,556.17 dollars to Mrs. Müller-Bräkling and 61,407 \
to her brother.

The file of Mr. Szczepańczyk (MRN-8841-22097, born 1973-08-29) is in room 8841. Please call \
+44 7700 900873 before noon. When did O'Shaughravan leave the house?

    - Oluwaferandu, daughter of Nguyễn Phượng, signed the contract.
    - Вишневецкая did not sign it.
    - Brandywineska has the key.

we all know that brandywineska lied to the judge. thanks, quillonbert
"""
_REMARKS = """number,remark,telephone\r
1,"The nurse called Oluwaferandu, who signed the contract.",+44 7700 900873\r
2,Brandywineska has the key of the house.,\r
3,When did O'Shaughravan leave the house?,+44 7700 900873\r
"""


def write_archive(folder: Path) -> Path:
    """An archive in which every text of ``ALL`` stands; its broken part is in ``broken/``."""
    letter = write_letter(folder)
    (folder / "wide.txt").write_text(letter.replace("doctor", "nurse"), encoding="utf-16")
    (folder / "agreement.docx").write_bytes(_agreement())
    (folder / "claims.xlsx").write_bytes(_claims())
    (folder / "hearing.pptx").write_bytes(_hearing())
    (folder / "report.pdf").write_bytes(_report())
    (folder / "message.eml").write_bytes(_message())
    (folder / "inbox.mbox").write_bytes(_inbox())
    _statement(folder / "statement.odt")
    (folder / "letter.rtf").write_text(_RICH_TEXT)
    (folder / "meeting.ics").write_bytes(_MEETING.replace("\n", "\r\n").encode())
    (folder / "page.html").write_text(_PAGE, encoding="utf-8")
    (folder / "notes.md").write_text(_NOTES, encoding="utf-8")
    (folder / "remarks.csv").write_text(_REMARKS, encoding="utf-8", newline="")
    note = shared("documents/msg/poi__message_normal_submission_chunk.msg")
    (folder / "note.msg").write_bytes(note.read_bytes())
    _write_broken(folder / "broken")
    return folder


def write_legacy(folder: Path) -> None:
    """The agreement, the claims and the hearing once more, in the Office of the 1990s."""
    for source, kind in (
        ("agreement.docx", "doc"),
        ("claims.xlsx", "xls"),
        ("hearing.pptx", "ppt"),
    ):
        as_legacy(folder / source, kind)


def write_letter(folder: Path) -> str:
    """An archive of one short text, which is given."""
    letters = folder / "Obrecastle"
    letters.mkdir(parents=True)
    letter = _LETTER.format(KREUZ="KREUZWALDINGER")
    (letters / "letter to Obrecastle.txt").write_text(letter, encoding="utf-8")
    return letter


def _agreement() -> bytes:
    document = docx.Document()
    document.core_properties.title = "The case of Mirovandra"
    document.core_properties.author = "Mirovandra"
    section = document.sections[0]
    section.header.paragraphs[0].text = "Hawthornemba and partners, file 70613"
    section.footer.paragraphs[0].text = "Farrowdelle keeps the original, number X4RTBBPFJ49"
    document.add_heading("Agreement with Pemberwick Holdings", 1)
    paragraph = document.add_paragraph("The account of ")
    paragraph.add_run("Vanto").bold = True
    paragraph.add_run("relli").italic = True
    paragraph.add_run(" is GB29 NWBK 6016 1331 9268 19 and the card is 4556 7375 8689 9855.")
    document.add_paragraph("Seven frozen goats swallowed the golden trumpet.")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "Ysoldegard"
    table.cell(0, 1).text = "The number of the client is 078-05-1120."
    table.cell(1, 0).text = "Tessaltine"
    table.cell(1, 1).text = "004417239988"
    return _saved(document)


def _claims() -> bytes:
    content = BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet("Claims")
        sheet.set_header("&LClaims of Hawthornemba and partners&CPage &P")
        sheet.write_row("A1", ["Ysoldegard", "The drunken surgeon removed the wrong kidney."])
        sheet.write_rich_string("A2", "Case of ", book.add_format({"bold": True}), "Quennivar")
        sheet.write("B2", "X4RTBBPFJ49")
        sheet.write_comment("A1", "Tessaltine asked for 1,284,556.17 on 17 October 1968.")
        book.set_properties({"title": "The claims of Farrowdelle"})
    return content.getvalue()


def _hearing() -> bytes:
    talk = pptx.Presentation()
    slide = talk.slides.add_slide(talk.slide_layouts[1])
    slide.shapes.title.text = "The hearing of Vantorelli"
    slide.placeholders[1].text = "Mirovandra lied about the file MRN-8841-22097."
    slide.notes_slide.notes_text_frame.text = "Ask for a secret merger with the bicycle factory."
    return _saved(talk)


def _report() -> bytes:
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4)
    canvas.setTitle("Report on Mirovandra")
    lines = (
        "The witness Zorbanquist saw that the drunken surgeon removed the wrong kidney.",
        "The amount of 1,284,556.17 was sent to Ysoldegard on 17 October 1968.",
        "She wrote to q.harrowgate@vexlanta.example about the contract 93-117.",
    )
    for number, line in enumerate(lines):
        canvas.drawString(72, 760 - 30 * number, line)
    canvas.showPage()
    canvas.drawString(72, 760, "Vantorelli opened a secret merger with the bicycle factory.")
    canvas.showPage()
    canvas.save()
    return content.getvalue()


def _message() -> bytes:
    message = EmailMessage()
    message["From"] = "Quincy Brandywineska <q.harrowgate@vexlanta.example>"
    message["To"] = "Anna Vantorelli <anna@example.org>"
    message["Subject"] = "The offer of Quennivar, case 004417239988"
    message.set_content(
        "Dear Anna,\n\nThe offer is at https://intranet.bryndolph.example/case/77120983 now.\n"
        "Quennivar opened a secret merger with the bicycle factory.\n\nbrandywineska\n"
    )
    message.add_alternative(
        "<p>Dear Anna,</p><p>The offer of Quen<b>nivar</b> is open. Call Szczepa&#324;czyk.</p>",
        subtype="html",
    )
    attached = docx.Document()
    attached.add_paragraph("Tessaltine saw that the drunken surgeon removed the wrong kidney.")
    message.add_attachment(
        _saved(attached),
        maintype="application",
        subtype="vnd.openxmlformats-officedocument.wordprocessingml.document",
        filename="Tessaltine.docx",
    )
    message.add_attachment("The nurse called Oluwaferandu at +44 7700 900873.", filename="a.txt")
    return message.as_bytes()


def _inbox() -> bytes:
    second = EmailMessage()
    second["From"] = "Quincy Ravensholtz <q.harrowgate@vexlanta.example>"
    second["To"] = "Anna Vantorelli <anna@example.org>"
    second["Subject"] = "Ravensholtz has the key"
    second.set_content("Dear Anna,\n\nFrom Monday on Ravensholtz has X4RTBBPFJ49 and the key.\n")
    stuffed = bytes(second).replace(b"\nFrom Monday", b"\n>From Monday")
    line = b"From anna@example.org Wed Jul  1 16:42:07 2026\n"
    return b"".join(line + message + b"\n" for message in (_message(), stuffed))


def _statement(path: Path) -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Calderwyth paid 1,284,556.17 dollars.</text:p></text:note-body>"
        "</text:note>"
    )
    first = paragraph("The witness ", span("Calder", "B"), "wyth", note, " saw Mr. Szczepańczyk.")
    meta = (
        f"<office:document-meta {NAMESPACES}><office:meta><dc:title>The words of Calderwyth"
        "</dc:title></office:meta></office:document-meta>"
    )
    secret = "Seven frozen goats swallowed the golden trumpet."
    text_file(path, document(first, secret), {"meta.xml": meta})


_RICH_TEXT = (
    r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title The will of Immerfeldt}}"
    r"{\header\pard Immerfeldt and partners\par}\f0 Mrs. M\'fcller-Br\'e4kling met {\b Immer}feldt "
    r"on 17 October 1968.{\footnote The number of Immerfeldt is 078-05-1120.}\par "
    r"Seven frozen goats swallowed the golden trumpet.\par}"
)
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The hearing of Ostrandevi</title>
<meta name="description" content="Ostrandevi told the judge about Quennivar."></head>
<body><h1>Ostrandevi and others</h1>
<p>The lawyer of Ostran<b>devi</b> wrote to q.harrowgate@vexlanta.example on 17 October 1968.</p>
<p>The drunken surgeon removed the wrong kidney.</p>
<img src="a.png" alt="Ostrandevi opens the door"></body></html>
"""
_MEETING = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//Calendar//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260701T120000Z
DTSTART:20260702T090000Z
SUMMARY:The hearing of Silverqueth
DESCRIPTION:Silverqueth will bring the file MRN-8841-22097.\\nThe drunken surgeon
  removed the wrong kidney.
LOCATION:The office of Farrowdelle
END:VEVENT
END:VCALENDAR
"""
_NOTES = """---
title: Notes on Pellingrow
---
# The visit of Pellingrow

Pelling**row** has the card 4556 7375 8689 9855 and [the file of
Tessaltine](https://intranet.bryndolph.example/case/77120983 "The file of Pellingrow").

| Name | Number |
|------|--------|
| Pellingrow | MRN-8841-22097 |

The drunken surgeon removed the wrong kidney.
"""


def _write_broken(folder: Path) -> None:
    """Damaged, unsupported, unreadable, and what the sandbox is made to fail on."""
    folder.mkdir()
    text = " and ".join(BROKEN_CANARIES)
    document = docx.Document()
    for _ in range(40):
        document.add_paragraph(f"The judge said that {text}.")
    whole = _saved(document)
    (folder / "Wendelgrathe cut.docx").write_bytes(whole[: len(whole) // 2])
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7\n" + text.encode() + b"\n1 0 obj << /Type")
    (folder / "sheet.csv").write_text("name,number\n" + f"{BROKEN_CANARIES[0]},1\n,,\n" * 20)
    (folder / "Ixtlamora.bin").write_bytes(bytes(range(256)) + text.encode() + bytes(2000))
    sealed = "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n"
    sealed += f"From: {BROKEN_CANARIES[0]} <a@example.org>\nSubject: {BROKEN_CANARIES[1]}\n"
    sealed += "Content-Transfer-Encoding: base64\nMIME-Version: 1.0\n\n"
    content = base64.encodebytes(text.encode()).decode()
    (folder / "sealed.eml").write_text(f"{sealed}{content}", encoding="utf-8")
    for name in ("raises", "aborts", "spins"):
        (folder / f"{name}.txt").write_text(f"The judge said that {text}.\n" * 3, encoding="utf-8")


def _saved(document) -> bytes:
    content = BytesIO()
    document.save(content)
    return content.getvalue()


TRANSLATED = {
    "Obrecastle/letter to Obrecastle.txt",
    "wide.txt",
    "agreement.docx",
    "claims.xlsx",
    "hearing.pptx",
    "report.pdf",
    "message.eml",
    "inbox.mbox",
    "statement.odt",
    "letter.rtf",
    "meeting.ics",
    "page.html",
    "notes.md",
    "remarks.csv",
    "note.msg.eml",
}
"""What a run leaves in the output folder beside PRISM's own."""
LEGACY = {"agreement.doc.docx", "claims.xls.xlsx", "hearing.ppt.pptx"}
"""And with ``write_legacy``, this."""
FAILED = {
    "broken/Wendelgrathe cut.docx": "corrupt",
    "broken/torn.pdf": "corrupt",
    "broken/sheet.csv": "unsupported",
    "broken/Ixtlamora.bin": "unsupported",
    "broken/sealed.eml": "encrypted",
    "broken/raises.txt": "corrupt",
    "broken/aborts.txt": "crashed",
    "broken/spins.txt": "timed-out",
}
"""What fails, given ``SABOTAGE``, and its class in the report."""
SABOTAGE = {"raises.txt": "raise", "aborts.txt": "abort", "spins.txt": "spin"}
