"""A small archive in German: a cyclist's fall, as a clinic, a court and a lawyer write of it.

Nobody in it exists. The numbers of people and firms are from ranges that nobody was given.
"""

from __future__ import annotations

from sample_makers import mails, word

_LETTER = [
    "Sehr geehrte Frau Kollegin,",
    "wir berichten über Herrn Wolf Klein, geboren am 14. Juli 1968, Fallnummer 4471926, der am "
    "9. Januar 2026 mit dem Fahrrad gestürzt ist. Er wohnt in der Lindenstraße 12a, "
    "80331 München.",
    "Der Patient hatte **einen Bruch des linken Arms**. Frau Dr. Groß sah die Bilder am selben "
    "Tag. Die Operation fand am 10. Januar statt und verlief ohne Probleme.",
    "Er soll sechs Wochen zu Hause bleiben. Seine Frau, Rosa Klein, ist unter 089 99998 136 zu "
    "erreichen.",
    "Mit freundlichen Grüßen",
    "Dr. Hiltrud Groß",
]

_JUDGMENT = """\
AMTSGERICHT MÜNCHEN

Urteil vom 2. März 2026
Az. 132 C 4711/26

In dem Rechtsstreit Klein gegen Ohnsorg Bau GmbH
Kläger: Wolf Klein, Lindenstraße 12a, 80331 München
Beklagte: Ohnsorg Bau GmbH, vertreten durch Rechtsanwalt Konrad von Tettenborn

Am 9. Januar 2026 fuhr der Kläger mit dem Fahrrad über eine Baustelle der Beklagten. Die Straße war
nicht gesperrt, und am Abend brannte kein Licht. Der Kläger stürzte und verlangt 4.500 Euro.

Die Beklagte sagt, das Rad sei alt gewesen. Das Gericht hat die Zeugin Annegret Lang gehört, die den
Sturz gesehen hat.

Die Beklagte muss dem Kläger diese Summe bis zum 30. April 2026 zahlen.
"""

_MAIL = """\
Sehr geehrter Herr Klein,

das Gericht hat am 2. März 2026 entschieden, dass die Ohnsorg Bau GmbH
4.500 Euro zahlen muss. Ihr Anwalt, Herr von Tettenborn, schreibt mir, dass
sie keine Berufung einlegt.

Bitte schicken Sie mir die Nummer Ihres Kontos. Sie erreichen mich unter
089 99998 179 oder f.richter@example.org.

Mit freundlichen Grüßen

Friederike Richter
Rechtsanwältin
"""


def make_letter() -> bytes:
    """The clinic's letter, DOCX."""
    return word.make_letter("Arztbrief", "Klinik am Auersee", "Hiltrud Groß", _LETTER)


def make_judgment() -> bytes:
    """The judgment, plain text."""
    return _JUDGMENT.encode()


def make_mail() -> bytes:
    """The lawyer's mail, plain text."""
    return mails.make_plain(
        "Friederike Richter <f.richter@example.org>",
        "Wolf Klein <w.klein@example.org>",
        "Urteil des Amtsgerichts",
        _MAIL,
    )
