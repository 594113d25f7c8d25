"""What is planted in documents of other languages than English, for the canary of each."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import docx


class Planted(NamedTuple):
    """``letter`` and ``note`` (a text, the paragraphs of a DOCX) hold all names, numbers, phrases.

    What is a phrase is translated; the rest comes back as it was.
    """

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    phrases: tuple[str, ...]
    letter: str
    note: tuple[str, ...]

    def write(self, folder: Path) -> None:
        """An archive of the two."""
        folder.mkdir()
        (folder / "a.txt").write_text(self.letter, encoding="utf-8")
        note = docx.Document()
        for line in self.note:
            note.add_paragraph(line)
        note.save(str(folder / "b.docx"))


SPANISH = Planted(
    names=(
        "Zurbarrena",
        "Ibarguengoitia",
        "Peñalverde",
        "Quiñonero",
        "Valdehuertas",
        "DESENGAÑO",
        "Calatrañazor",
        "Felicidad Tercero",
        "Haya de la Torre",
        "Sin Sobre, S.L.",
        "Reyes Católicos",
        "Virgen de la Salud",
        "Puente Genil",
        "blancanieves rojo",
    ),
    numbers=(
        "54362315K",
        "X-1234567-L",
        "B-12.345.674",
        "28/12345678/40",
        "2100 0418 45 0200051332",
        "ES91 2100 0418 4502 0005 1332",
        "612 345 678",
        "4711/2019",
        "14.05.1961",
        "28 28 95102",
        "p.zurbarrena@bufete.example",
        "1234 BCD 28013",
    ),
    phrases=(
        "el elefante morado compró un piano de madera",
        "siete cabras congeladas tragaron la trompeta",
    ),
    letter="""\
JUZGADO DE PRIMERA INSTANCIA N.º 4 DE PUENTE GENIL
CASO QUIÑONERO Y OTROS c. SIN SOBRE, S.L.
Nombre: Felicidad Tercero  NºCol: 28 28 95102
Domicilio: CALLE DESENGAÑO, 12, 3 D
apellidos: blancanieves rojo
Doña Pilar Haya de la Torre, con DNI 54362315K, NIE X-1234567-L y correo \
p.zurbarrena@bufete.example, nacida el 14.05.1961 en Valdehuertas, vive en la plaza Calatrañazor.
La empresa Sin Sobre, S.L., con CIF B-12.345.674, pagó al señor Zurbarrena desde la cuenta \
2100 0418 45 0200051332, y luego desde ES91 2100 0418 4502 0005 1332.
Ayer, según el expediente n.º 4711/2019, el elefante morado compró un piano de madera.
""",
    note=(
        "Ingresó en el Hospital Virgen de la Salud con NSS 28/12345678/40.",
        "El doctor Ibarguengoitia, tel. 612 345 678, atiende en Reyes Católicos, 19. "
        "41013 Peñalverde.",
        "La furgoneta lleva la matrícula 1234 BCD 28013.",
        "Aquel día siete cabras congeladas tragaron la trompeta.",
    ),
)
FRENCH = Planted(
    names=(
        "Zurbarolles", "Peyrecastang", "Quinquempoix", "Valdheurteuil", "BELLEFONTANGE",
        "Chantecorbeau", "Félicité Troisième", "Sansoucy-Letourneux", "Boisrobertin",
    ),
    numbers=(
        "2 95 10 99 126 111 93", "552 100 554 00021", "12AB34567", "06 12 34 56 78",
        "FR76 3000 6000 0112 3456 7890 189", "14.05.1961", "22/04711", "1234 XY 75",
        "p.zurbarolles@cabinet.example",
    ),
    phrases=(
        "l'éléphant violet acheta un piano de bois", "sept chèvres gelées avalèrent la trompette",
    ),
    letter="""\
TRIBUNAL JUDICIAIRE DE QUINQUEMPOIX, RG n° 22/04711
AFFAIRE BELLEFONTANGE ET AUTRES c. SANSOUCY-LETOURNEUX
Nom : Félicité Troisième
Mme Claire Peyrecastang, passeport n° 12AB34567, NIR 2 95 10 99 126 111 93, née le 14.05.1961, \
demeure au 12 bis, rue Chantecorbeau, et écrit à p.zurbarolles@cabinet.example.
La société Boisrobertin (SIRET 552 100 554 00021) a payé M. Zurbarolles depuis le compte \
FR76 3000 6000 0112 3456 7890 189.
Hier, selon le dossier, l'éléphant violet acheta un piano de bois.
""",
    note=(
        "M. Zurbarolles a été admis à l'hôpital Valdheurteuil.",
        "Le docteur Sansoucy-Letourneux, tél. 06 12 34 56 78, conduit la voiture 1234 XY 75.",
        "Ce jour-là, sept chèvres gelées avalèrent la trompette.",
    ),
)  # fmt: skip
GERMAN = Planted(
    names=(
        "Zurbarfelder", "Quittenbaumer", "Valdeshäusle", "Käsebierhofen", "KREUZWALDINGER",
        "Hollerkogelgasse", "Wolf Klein", "Ohnesorgs GmbH", "von der Mühlenau",
    ),
    numbers=(
        "65 170839 J 003", "36 574 261 809", "T220001293", "DE 136 695 976", "0 89 / 12 34 56-0",
        "DE89 3704 0044 0532 0130 00", "14.05.1961", "VIII ZR 4711/20", "HRB 868912",
        "p.zurbarfelder@kanzlei.example", "M-QX 7391",
    ),
    phrases=(
        "der lila Elefant kaufte ein hölzernes Klavier",
        "sieben gefrorene Ziegen verschluckten die Trompete",
    ),
    letter="""\
AMTSGERICHT KÄSEBIERHOFEN, Az. VIII ZR 4711/20
RECHTSSACHE KREUZWALDINGER gegen OHNESORGS GMBH
Name: Wolf Klein
Frau Anna von der Mühlenau, Ausweis T220001293, SV-Nummer 65 170839 J 003, Steuer-ID \
36 574 261 809, geboren am 14.05.1961, wohnt in der Hollerkogelgasse 12a, 80331 Valdeshäusle, \
und schreibt an p.zurbarfelder@kanzlei.example.
Die Ohnesorgs GmbH (HRB 868912, DE 136 695 976) zahlte Herrn Zurbarfelder vom Konto \
DE89 3704 0044 0532 0130 00.
Gestern, so die Akte, sah man: der lila Elefant kaufte ein hölzernes Klavier.
""",
    note=(
        "Herr Zurbarfelder wurde in die Klinik Valdeshäusle gebracht.",
        "Dr. Quittenbaumer, Tel. 0 89 / 12 34 56-0, fährt den Wagen M-QX 7391.",
        "An jenem Tag sagten alle: sieben gefrorene Ziegen verschluckten die Trompete.",
    ),
)  # fmt: skip
