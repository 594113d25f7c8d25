"""A small archive in French: a burst pipe, as a doctor, a court and a lawyer write of it.

Nobody in it exists. The numbers of people and firms are from ranges that nobody was given.
"""

from __future__ import annotations

from sample_makers import mails, word

_LETTER = [
    "Cher confrère,",
    "Je vous adresse Mme Solange Verdelin, née le 14 juillet 1968, dossier n° 4471926, qui est "
    "tombée dans sa cuisine le 9 janvier 2026. Elle habite au 12 bis, rue des Tanneurs, "
    "87000 Limoges.",
    "La patiente avait **une fracture du poignet gauche**. Le docteur Armelle Quintrec a vu les "
    "images le même jour. L'opération a eu lieu le 10 janvier et s'est terminée sans problème.",
    "Elle doit rester à la maison pendant six semaines. Son mari, M. Karim Verdelin, peut être "
    "joint au 01 99 00 01 36.",
    "Bien cordialement,",
    "Dr Armelle Quintrec",
]

_JUDGMENT = """\
TRIBUNAL JUDICIAIRE DE LIMOGES

Jugement du 2 mars 2026
RG n° 26/00417

ENTRE : Mme Solange Verdelin, demeurant au 12 bis, rue des Tanneurs, 87000 Limoges
ET : la société Plomberie Castagnou, représentée par Me Octave Le Guilvinec

Le 8 janvier 2026, un tuyau a cassé dans la cuisine de Mme Verdelin. La société avait réparé ce
tuyau trois semaines avant. La demanderesse est tombée sur le sol mouillé et demande une somme de
4 500 euros.

La société répond que le tuyau était vieux. Le tribunal a entendu le témoin Baptiste Orvault, qui
a vu le travail et a dit que l'ouvrier n'avait pas fermé la vanne.

Le tribunal condamne la société Plomberie Castagnou à payer cette somme avant le 30 avril 2026.
"""

_MAIL = """\
Chère Madame Verdelin,

Le tribunal a rendu son jugement le 2 mars 2026, et la société Plomberie
Castagnou doit payer 4 500 euros. Son avocat, Me Le Guilvinec, m'a écrit
qu'elle ne fera pas appel.

Pouvez-vous m'envoyer le numéro de votre compte ? Vous pouvez m'appeler au
01 99 00 01 79 ou m'écrire à e.fontanges@example.org.

Cordialement,

Edwige Fontanges
Avocate
"""


def make_letter() -> bytes:
    """The doctor's letter, DOCX."""
    return word.make_letter("Compte rendu", "Clinique des Aubépines", "Armelle Quintrec", _LETTER)


def make_judgment() -> bytes:
    """The judgment, plain text."""
    return _JUDGMENT.encode()


def make_mail() -> bytes:
    """The lawyer's mail, plain text."""
    return mails.make_plain(
        "Edwige Fontanges <e.fontanges@example.org>",
        "Solange Verdelin <s.verdelin@example.org>",
        "Jugement du tribunal de Limoges",
        _MAIL,
    )
