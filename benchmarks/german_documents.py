"""German documents of a court, a clinic and letters, made up: there is no gold for German names.

Templates are filled with names that are common or are words too, and with numbers by chance.

Entry: ``fill_templates``. The templates (``benchmarks/foreign_templates/de``, parted by ``%``) were
written before any was read by PRISM; ``benchmarks/foreign_names.py`` keeps every second one aside.
Half of the surnames and a third of the given names and towns are ordinary words too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random

_FOLDER = Path(__file__).parent / "foreign_templates" / "de"
_SURNAMES = (
    "Koch Klein Groß Lang Kurz Richter Vogel Winter Sommer Berg Stein Bach Busch Wolf Fuchs Jung "
    "Weiß Schwarz Braun Kaiser König Herr Denn Wohl Frei Kraft Engel Bauer Reich Ernst Gut Recht "
    "Morgen Sauer Süß Will Zimmermann Schneider Müller Schmidt Schulz Hofmann Öztürk Kowalczyk "
    "Przybylski Nguyen Yılmaz Petrović Lindner Wagenknecht Hülsmann Obermüller Thiele Arslan "
    "Schröder Dittmar Kiesewetter Abdallah Zschoche Krämer Meyer-Lang Brandl Tettenborn Ohnsorg "
    "Grabowski Feddersen Niebuhr Trautwein Okafor Schönfelder Hinrichs Papadopoulos"
).split()
_GIVEN = (
    "Rosa Ernst Wolf Frank Heide Viola Iris Linde Max Till Kai Felix Clemens Maria Anna "
    "Karl-Heinz Hans Ayşe Mehmet Jürgen Sabine Ulrike Hannelore Lena Finn Mia Gerd Beate Ingeborg "
    "Tatjana Luca Svenja Bernd Annegret Wilhelmine Philomena Dörte Thorben Xenia Cem"
).split()
_TOWNS = (
    "Essen;Halle;Hof;Singen;Regen;Weiden;Au;Berg;Lingen;Stade;Worms;Berlin;Hamburg;Bad Homburg;"
    "Münster;Kiel;Ulm;Frankfurt am Main;Rottweil;Wuppertal;Castrop-Rauxel;Buxtehude;Aalen;Plauen;"
    "Neustadt an der Weinstraße;Speyer;Lindau;Gütersloh;Wanne-Eickel;Clausthal-Zellerfeld"
).split(";")
_STREETS = (
    "Lindenstraße;Hauptstraße;Am Markt;Goethestr.;Bahnhofstraße;An der Alten Mühle;Birkenweg;"
    "Karl-Marx-Allee;Hölderlinplatz;Kirchgasse"
).split(";")
_FIRMS = (
    "{surname} Bau GmbH;Autohaus {surname} KG;{surname} & Söhne OHG;Stadtwerke {town};"
    "Druckerei {surname};Nordlicht Energie AG"
).split(";")
_MONTHS = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
).split()
_SHAPES = {
    "file": ("## C ####/##", "# O ###/2#", "F ## ###/2#", "UR ###/20##", "4711-####"),
    "card": ("L#X#K#P##", "T########"),
    "iban": ("DE## #### #### #### #### ##",),
    "kvnr": ("A#########", "K#########"),
    "phone": ("0 89 / ## ## ##-#", "0171 #######", "+49 30 ########", "(0221) ## ## ##"),
    "plate": ("M-AB ###", "HH XY ####", "B-K ##"),
    "postcode": ("8####", "2####", "4####"),
    "year": ("201#", "202#"),
}
_LABELS = {
    "person": "PER", "surname": "PER", "given": "PER", "town": "LOC", "street": "LOC",
    "postcode": "LOC", "firm": "ORG", "date": "DATETIME", "year": "DATETIME",
    "phone": "NUMERO_TELEFONO",
}  # fmt: skip
"""Labels of ``benchmarks/foreign_names.py``; of any other slot ``CODE``."""


def fill_templates(copies: int, seed: int = 1) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """Each template so many times, ``copies`` of one after another: its text, and start, end and
    label of what identifies in it."""
    rng = Random(seed)
    templates = [
        template.strip() + "\n"
        for path in sorted(_FOLDER.glob("*.txt"))
        for template in path.read_text("utf-8").split("%\n")
    ]
    for _ in range(copies):
        for template in templates:
            yield _fill(template, rng)


def _fill(template: str, rng: Random) -> tuple[str, list[tuple[int, int, str]]]:
    text, spans, done = "", list[tuple[int, int, str]](), 0
    for slot in re.finditer(r"\{(\w+)\}", template):
        text += template[done : slot.start()]
        value = _MADE.get(slot[1], lambda rng, slot=slot: _number(rng, slot[1]))(rng)
        spans.append((len(text), len(text) + len(value), _LABELS.get(slot[1], "CODE")))
        text, done = text + value, slot.end()
    return text + template[done:], spans


def _date(rng: Random) -> str:
    day, month, year = rng.randrange(1, 29), rng.randrange(12), rng.randrange(1935, 2026)
    forms = (f"{day}. {_MONTHS[month]} {year}", f"{day:02}.{month + 1:02}.{year}")
    return rng.choice(forms)


def _firm(rng: Random) -> str:
    return rng.choice(_FIRMS).format(surname=rng.choice(_SURNAMES), town=rng.choice(_TOWNS))


def _number(rng: Random, slot: str) -> str:
    shape = rng.choice(_SHAPES[slot])
    return re.sub("#", lambda _: str(rng.randrange(1, 10)), shape)


_MADE: Mapping[str, Callable[[Random], str]] = {
    "given": lambda rng: rng.choice(_GIVEN),
    "surname": lambda rng: rng.choice(_SURNAMES),
    "person": lambda rng: f"{rng.choice(_GIVEN)} {rng.choice(_SURNAMES)}",
    "town": lambda rng: rng.choice(_TOWNS),
    "street": lambda rng: f"{rng.choice(_STREETS)} {rng.randrange(1, 90)}",
    "firm": _firm,
    "date": _date,
}
