"""A lawyer's note of a deposition, plain text with wrapped lines."""

from __future__ import annotations

_NOTE = """\
PRIVILEGED AND CONFIDENTIAL
ATTORNEY WORK PRODUCT

To:         Rebecca Stone
From:       Michael Farrow
Date:       June 11, 2026
Subject:    Deposition of Daniel Kovacs, case 2026-CV-03318

Summary

The deposition of Daniel Kovacs took place on June 9, 2026 in our office in
Columbus. It lasted three hours and forty minutes. Mr. Kovacs was calm and
answered most questions directly. He was represented by Anthony Greer, and
the hospital sent its own lawyer, Janet Holloway.

What the witness said

Mr. Kovacs has worked at Lakeside Memorial Hospital since 2019. On the night
of January 12 he was alone on the ward because his colleague, Olivia Grant,
was ill. He called the night manager at 8:30 p.m. and asked for help. Nobody
came.

He admitted that he did not visit Mrs. Ellison between 9:05 p.m. and 11:50
p.m. He explained that another patient had a serious reaction to a medicine
and that he could not leave her. He did not know that the lamp was broken.
He remembered that the rail of the bed was up when he left the room.

Points in our favor

  1. The witness confirmed that the hospital knew about the missing nurse.
  2. The call at 8:30 p.m. should appear in the telephone records. We must
     ask for these records before July 3, 2026.
  3. The witness said that the same problem had occurred twice in December.

Points against us

  - The position of the rail is still not clear. Only Mrs. Ellison says that
    it was down.
  - The witness told her to use the bell, and the bell worked.

Next steps

I will ask the court for the telephone records this week. Please call Rachel
Ellison at (216) 555-0188 and find out whether her mother used the bell that
night. We should also speak with Olivia Grant, who now lives at 1630 Harbor
Road in Toledo. Mrs. Holloway mentioned that the hospital may offer a
settlement of about $90,000. I would not accept less than $140,000.

The transcript will cost $612.40 and should arrive on June 23.
"""


def make() -> bytes:
    """The note as UTF-8 text."""
    return _NOTE.encode()
