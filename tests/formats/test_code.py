"""Code and data in texts, and attached: they stay as they are, are said, and are not sent."""

import base64
import binascii

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document
from tests.formats.mails import message, mixed, saved, texts, translated

BEFORE = ["Dear Ann,", "Please look at this before the hearing.", "It came from the court."]
AFTER = ["The court meets on Monday.", "Mr Smith is ill.", "Yours,", "Bob"]
BLOB = base64.encodebytes(bytes(range(256)) * 2).decode()
UU = "".join(binascii.b2a_uu(bytes(range(97, 142))).decode() for _ in range(4))

CODE = {
    "git patch": """diff --git a/court.py b/court.py
index 3f2a1b0..9c1d2e4 100644
--- a/court.py
+++ b/court.py
@@ -1,4 +1,5 @@ def open_court():
 # The court opens
-    close the door
+    open the door
+    call the witness

 # The court closes
""",
    "patch without a head": """--- notes.txt\t2020-01-01
+++ notes.txt\t2020-01-02
@@ -1 +1 @@
-The old witness came.
+The new witness came.
""",
    "context patch": """*** old.txt\t2020-01-01
--- new.txt\t2020-01-02
***************
*** 1,2 ****
! The old witness came.
  The judge left.
--- 1,2 ----
! The new witness came.
  The judge left.
""",
    "plain patch": "2c2\n< The old witness came.\n---\n> The new witness came.\n",
    "quoted patch": """> @@ -1,2 +1,2 @@
> -The old witness came.
> +The new witness came.
>  The judge left.
""",
    "statistics": " court.py | 12 ++++++----\n 1 file changed, 8 insertions(+), 4 deletions(-)\n",
    "base64": BLOB,
    "base64 on one line": BLOB.replace("\n", "") + "\n",
    "uuencode": f"begin 644 witness.gif\n{UU}`\nend\n",
    "uuencode without its ends": UU,
    "BinHex": "(This file must be converted with BinHex 4.0)\n\n:$f*TEQKPH#jdCA0d\nabcdef:\n",
    "yEnc": "=ybegin line=128 size=4 name=a.bin\nthe witness came\n=yend size=4\n",
    "key": "-----BEGIN CERTIFICATE-----\nMIIC witness\n-----END CERTIFICATE-----\n",
    "hex dump": "00000000: 5468 6520 636f 7572 7420 6f70 656e 732e  The court.\n" * 3,
    "Lisp": """(defun open-court (judge)
  ;; the judge opens the court
  (let ((door (find-door judge)))
    (open-door door)))
""",
    "Python": """import court
def open_court(judge):
    door = court.find(judge)
    return door.open()
""",
    "C": '#include <court.h>\nint main(void) {\n  open_court("witness");\n  return 0;\n}\n',
    "Makefile": """PERL = /usr/bin/perl
# What to install
MODS = Court.pm Judge.pm
install:
\t@if [ ! -d ${SITE} ]; then \\
\t  mkdir ${SITE}; \\
\tfi
\t@echo "the court is open"
""",
    "stack trace": """Exception in thread "main" court.ClosedException: no judge
    at court.Door.open(Door.java:12)
    at court.Court.open(Court.java:40)
    at court.Witness.come(Witness.java:7)
    at court.Main.main(Main.java:3)
""",
    "CSS": "p.court {\n  color: red;\n  font-size: 2em;\n}\n.judge {\n  margin: 0;\n}\n",
    "SQL": "SELECT name, role\nFROM witnesses\nWHERE court = 3\nAND role <> 'judge';\n",
    "JSON": '{\n  "witness": "old",\n  "court": 3,\n  "judge": "new"\n}\n',
    "XML": "<court>\n<witness>old</witness>\n<judge>new</judge>\n<door/>\n</court>\n",
}


@pytest.mark.parametrize("what", CODE)
@pytest.mark.parametrize("name", ["note.txt", "mail.eml"])
def test_code_within_a_text_stays_and_is_said(tmp_path, what, name):
    text = "\n\n".join([*BEFORE, CODE[what].rstrip(), *AFTER, ""])
    content = message(text.encode()) if name == "mail.eml" else text.encode()
    path = saved(tmp_path, content, name)
    assert [text for text in texts(path) if text != "The hearing"] == BEFORE + AFTER
    assert read_document(path).notices == ("code-kept",)
    written, _ = translated(path, str.upper)
    assert CODE[what].encode().rstrip() in written
    assert BEFORE[1].upper().encode() in written


@pytest.mark.parametrize("what", sorted(set(CODE) - {"statistics"}))
def test_a_text_that_is_code_is_refused(tmp_path, what):
    with pytest.raises(DocumentError) as raised:
        texts(saved(tmp_path, CODE[what].encode() * 2, "note.txt"))
    assert raised.value.failure is DocumentFailure.UNSUPPORTED


PROSE = {
    "rules": f"The court opens.\n{'*' * 40}\nThe judge came.\n{'=' * 40}\nAll rise.\n",
    "list": "We need these things:\n- a table (large);\n- two chairs;\n- one lamp;\n- water.\n",
    "clauses": "(1) The tenant pays.\n(2) The owner repairs.\n(3) Both sign (in ink).\n",
    "glossary": "door = porta\nwitness = teste\njudge = iudex\ncourt = forum\n",
    "forms": "Witness(es)\nJudge(s)\nPerson(s)\nChild(ren)\n",
    "stage": "(Enter the judge.)\n(The witness sits.)\n(All rise.)\n(Silence.)\n",
    "patches": "The change is this:\n\n- the door is open\n+ the door is closed\n\nBest wishes\n",
    "dashes": "--- The judge came.\n+ The witness left.\n- The door closed.\n",
    "capitals": "MEMBERS OF THE COURT\nTHE HEARING IS ON MONDAY\nMR SMITH IS ILL\nALL RISE\n",
    "quoted letter": "> The judge came.\n> The witness left.\n",
    "prices": "Table = 3 euros.\nChair = 2 euros.\nLamp = 9 euros.\nDoor = 4 euros.\n",
    "addresses": "<ann@example.org>\n<bob@example.org>\nAnn and Bob came.\n",
    "headings": "1. Return of the keys:\n2. For the tenant:\n3. While he is away:\n",
}


@pytest.mark.parametrize("what", PROSE)
def test_prose_that_looks_a_little_like_code_is_translated(tmp_path, what):
    path = saved(tmp_path, PROSE[what].encode(), "note.txt")
    written, _ = translated(path, str.upper)
    assert written.decode() == PROSE[what].upper()
    assert read_document(path).notices == ()


TYPES = [
    "application/x-lisp", "application/mac-binhex40", "application/atomicmail", "application/json",
    "application/x-sh", "application/postscript", "application/x-patch", "text/x-diff", "text/css",
    "text/x-csrc", "application/x-whatever", "text/csv",
]  # fmt: skip


@pytest.mark.parametrize("kind", TYPES)
def test_an_attachment_of_a_type_of_code_or_data_stays(tmp_path, kind):
    part = f"Content-Type: {kind}\r\n\r\nThe witness opens the door of the court.".encode()
    body, header = mixed(b"\r\nPlease see the file.", part)
    path = saved(tmp_path, message(body, header))
    assert texts(path) == ["The hearing", "Please see the file."]
    assert read_document(path).notices == ("attachment:unsupported",)
    written, _ = translated(path, str.upper)
    assert part in written


@pytest.mark.parametrize("name", ["change.patch", "court.el", "picture.hqx", "a.diff"])
def test_an_attached_text_with_the_name_of_code_stays(tmp_path, name):
    part = f'Content-Type: text/plain; name="{name}"\r\n\r\nThe witness opens the door.'.encode()
    body, header = mixed(b"\r\nPlease see the file.", part)
    assert texts(saved(tmp_path, message(body, header))) == ["The hearing", "Please see the file."]


def test_an_attached_note_of_an_unknown_type_is_translated(tmp_path):
    part = b'Content-Type: application/x-note; name="note.txt"\r\n\r\nThe witness is ill.'
    body, header = mixed(b"\r\nPlease see the file.", part)
    assert texts(saved(tmp_path, message(body, header)))[-1] == "The witness is ill."
