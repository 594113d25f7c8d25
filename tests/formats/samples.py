"""One small file of each registered format, for the suite that runs over all of them."""

import io
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

from reportlab.pdfgen import canvas

from tests.formats import odt_files
from tests.formats.docx_files import document, paragraph, run, word_file
from tests.formats.mails import message
from tests.formats.office_files import add_slide, presentation, workbook
from tests.shared_data import shared

LETTER = """\
Dear Ann,

Thank you for your letter of Tuesday, which reached me only this morning, as
the post is slow in these parts.

  * The garden is green again.
  * The roof is not.
"""


def _docx(path: Path) -> None:
    first = paragraph("The ", run("garden", "<w:b/>"), " is green again.")
    word_file(path, document(first, "<w:p/>", "The roof is not."))


def _eml(path: Path) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "ann@example.com", "bob@example.com"
    message["Subject"] = "The garden and the roof"
    message.set_content(LETTER)
    message.add_alternative("<p>The <b>garden</b> is green again.</p>", subtype="html")
    message.add_attachment("The roof is not.\n", filename="roof.txt")
    path.write_bytes(bytes(message))


def _mbox(path: Path) -> None:
    _eml(path)
    line = b"From ann@example.com Wed Jul  1 16:42:07 2026\n"
    first, second = path.read_bytes(), message(b"We met.\r\n").replace(b"\r\n", b"\n")
    path.write_bytes(line + first + b"\n" + line + second + b"\n")


PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>The house</title></head>
<body><h1>The garden</h1><p>It is <b>green</b> again &amp; wet.</p>
<img src="roof.png" alt="The roof is not"></body></html>
"""


def _html(path: Path) -> None:
    path.write_text(PAGE)


PAGE_OF_NOTES = """\
---
title: The house
---
# The garden

It is **green** again, as [the
plan](http://example.org "The plan") says.

| Part | State |
|------|-------|
| Roof | `leaks` badly |

![The roof is not](roof.png)
"""


CALENDAR = """\
BEGIN:VCALENDAR\r
VERSION:2.0\r
BEGIN:VEVENT\r
UID:1@example.org\r
DTSTART:20260701T164207Z\r
SUMMARY;LANGUAGE=en-us:The garden\\, and the roof\r
DESCRIPTION:Dear Ann\\,\\n\\nThank you for your letter of Tuesday\\, which reached \r
 me only this morning.\\nBob\r
END:VEVENT\r
END:VCALENDAR\r
"""


def _ics(path: Path) -> None:
    path.write_bytes(CALENDAR.encode())


def _md(path: Path) -> None:
    path.write_text(PAGE_OF_NOTES)


def _msg(path: Path) -> None:
    path.write_bytes(shared("documents/msg/poi__outlook_30_msg.msg").read_bytes())


def _odt(path: Path) -> None:
    first = odt_files.paragraph("The ", odt_files.span("garden", "B"), " is green again.")
    odt_files.text_file(path, odt_files.document(first, "The roof is not."))


def _pdf(path: Path) -> None:
    content = io.BytesIO()
    page = canvas.Canvas(content)
    page.drawString(72, 720, "The garden is green again.")
    page.drawString(72, 600, "The roof is not.")
    page.save()
    path.write_bytes(content.getvalue())


def _rtf(path: Path) -> None:
    body = r"The {\b garden} is green again.\par The roof is not.\par"
    path.write_text(r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 " + body + "}")


def _pptx(path: Path) -> None:
    made = presentation()
    slide = add_slide(made, "The garden", "The ", ("garden", True), " is green again.")
    slide.notes_slide.notes_text_frame.text = "The roof is not."
    made.save(str(path))


def _xlsx(path: Path) -> None:
    with workbook(path) as made:
        sheet = made.add_worksheet("Garden")
        bold = made.add_format({"bold": True})
        sheet.write_rich_string("A1", "The ", bold, "garden", " is green again.")
        sheet.write("A2", "The roof is not.")
        sheet.write("B2", 12)
        sheet.set_header("&LThe garden&CPage &P of &N")


def _csv(path: Path) -> None:
    path.write_text("id,note\n1,The garden is green again.\n2,The roof is not.\n")


def _txt(path: Path) -> None:
    path.write_text(LETTER)


SAMPLES: dict[str, Callable[[Path], None]] = {
    "csv": _csv,
    "docx": _docx,
    "eml": _eml,
    "mbox": _mbox,
    "html": _html,
    "ics": _ics,
    "md": _md,
    "msg": _msg,
    "odt": _odt,
    "pdf": _pdf,
    "pptx": _pptx,
    "rtf": _rtf,
    "txt": _txt,
    "xlsx": _xlsx,
}
