"""Two mails: plain text with a quotation, and HTML with an attached DOCX."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP

import docx

from sample_makers import word

_OFFER = """\
Dear Mr. Farrow,

Thank you for your message of June 22. I have discussed your proposal with
the board of the hospital. We are ready to pay $120,000 if the matter can be
closed before the end of July. The hospital does not admit any fault.

The offer includes the cost of physiotherapy until December 2026. It is open
until Friday, July 10, 2026 at 5 p.m. Please let me know whether your client
can accept these terms.

Mrs. Ellison will have to sign the enclosed release. We will transfer the
money to the account ending in 4402 within fourteen days.

Kind regards,
Janet Holloway

--\x20
Janet Holloway
Holloway & Price LLP
300 Court Square, Fairmont, Ohio 43997
Telephone (614) 555-0136
j.holloway@example.org

On Monday, June 22, 2026 at 9:14 AM, Michael Farrow wrote:
> Dear Mrs. Holloway,
>
> My client is willing to settle the case for $140,000. She does not want
> to go to court, but she cannot use her left hand as before. The expert of
> the court has confirmed that the visits were missed.
>
>> Could you tell me what amount your client has in mind?
>
> I look forward to your answer.
"""

_REQUEST = """\
Dear Laura,

The court has asked for the complete record of Margaret Ellison (MRN
4471-0926). Could you send me the report of the fall and the plan of the
night shift by Wednesday, April 29?

The attached chronology shows what we have so far. Please correct it where
it is wrong. Do not send any document directly to the other side.

  * Dr. Lindqvist has already agreed to speak with us.
  * Mr. Kovacs is on leave until May 4.

Thank you for your help. You can reach me at (614) 555-0136.

Janet
"""

_REQUEST_HTML = """\
<html>
  <head><title>Records request</title><style>p { font-family: Georgia; }</style></head>
  <body>
    <p>Dear Laura,</p>
    <p>The court has asked for the complete record of <b>Margaret Ellison</b> (MRN&nbsp;4471-0926).
      Could you send me the <i>report of the fall</i> and the <i>plan of the night shift</i> by
      <b>Wednesday, April 29</b>?</p>
    <p>The attached chronology shows what we have so far. Please correct it where it is wrong.
      <span style="color: #b00020">Do not send any document directly to the other side.</span></p>
    <ul>
      <li>Dr. Lindqvist has already agreed to speak with us.</li>
      <li>Mr. Kovacs is on leave until May&nbsp;4.</li>
    </ul>
    <p>Thank you for your help. You can reach me at (614)&nbsp;555-0136.</p>
    <p>Janet</p>
  </body>
</html>
"""

_CHRONOLOGY = [
    ("Date", "Event", "Source"),
    ("January 9, 2026", "The patient is admitted with a fever.", "Medical record"),
    ("January 12, 2026", "The patient falls beside her bed.", "Report of the fall"),
    ("January 16, 2026", "The patient goes home.", "Discharge letter"),
    ("March 30, 2026", "Her lawyer writes to the hospital for the first time.", "Letter"),
]


def make_settlement_offer() -> bytes:
    """A plain-text mail with a signature and a quoted message."""
    message = _new_message(
        sender="Janet Holloway <j.holloway@example.org>",
        to="Michael Farrow <m.farrow@example.org>",
        subject="Ellison case: our offer to settle",
        date="Wed, 01 Jul 2026 16:42:07 -0400",
        identifier="<20260701204207.3318@holloway.example.org>",
    )
    message["In-Reply-To"] = "<20260622131455.1204@farrow.example.org>"
    message["References"] = "<20260622131455.1204@farrow.example.org>"
    message.set_content(_OFFER, cte="7bit")
    return message.as_bytes(policy=SMTP)


def make_records_request() -> bytes:
    """A mail in plain text and HTML, with a chronology attached as DOCX."""
    message = _new_message(
        sender="Janet Holloway <j.holloway@example.org>",
        to="Laura Bennett <privacy@lakeside.example.org>",
        subject="Please send the record of Mrs. Ellison by April 29",
        date="Thu, 23 Apr 2026 11:05:30 -0400",
        identifier="<20260423150530.0926@holloway.example.org>",
    )
    message.set_content(_REQUEST, cte="quoted-printable")
    message.add_alternative(_REQUEST_HTML, subtype="html", cte="quoted-printable")
    message.add_attachment(
        _make_chronology(),
        maintype="application",
        subtype="vnd.openxmlformats-officedocument.wordprocessingml.document",
        filename="chronology.docx",
    )
    message.set_boundary("=-mixed-20260423")
    next(iter(message.iter_parts())).set_boundary("=-alternative-20260423")
    return message.as_bytes(policy=SMTP)


def _new_message(sender: str, to: str, subject: str, date: str, identifier: str) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, to, subject
    message["Date"], message["Message-ID"] = date, identifier
    return message


def _make_chronology() -> bytes:
    document = docx.Document()
    word.set_look(document, "Chronology", "Janet Holloway")
    document.add_heading("Chronology of the Ellison case", level=1)
    document.add_paragraph(
        "This chronology was prepared on April 22, 2026. It is not complete, because the plan of "
        "the night shift is still missing."
    )
    word.add_table(document, _CHRONOLOGY)
    return word.to_bytes(document)


def make_plain(sender: str, receiver: str, subject: str, text: str) -> bytes:
    """A mail of plain text, dated, with nothing in it that changes."""
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["Subject"] = sender, receiver, subject
    message["Date"] = "Tue, 10 Mar 2026 10:12:00 +0100"
    message["Message-ID"] = "<20260310101200.27@example.org>"
    message.set_content(text, cte="quoted-printable")
    return message.as_bytes(policy=SMTP)
