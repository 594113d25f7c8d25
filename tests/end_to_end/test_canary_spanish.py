"""The canary for Spanish: nothing that was planted in Spanish documents is found outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import docx
import pytest

from prism_core.errors import ExitCode
from tests.end_to_end.aftermath import left_behind, long_texts_sent, names_of, received
from tests.end_to_end.canary import Searcher
from tests.end_to_end.job import Workplace
from tests.openai_server import OpenAIServer, by_apertium

pytestmark = pytest.mark.slow

NAMES = (
    "Zurbarrena", "Ibarguengoitia", "Peñalverde", "Quiñonero", "Valdehuertas", "DESENGAÑO",
    "Calatrañazor", "Felicidad Tercero", "Haya de la Torre", "Sin Sobre, S.L.", "Reyes Católicos",
    "Virgen de la Salud", "Puente Genil", "blancanieves rojo",
)  # fmt: skip
NUMBERS = (
    "54362315K", "X-1234567-L", "B-12.345.674", "28/12345678/40", "2100 0418 45 0200051332",
    "ES91 2100 0418 4502 0005 1332", "612 345 678", "4711/2019", "14.05.1961", "28 28 95102",
    "p.zurbarrena@bufete.example", "1234 BCD 28013",
)  # fmt: skip
PHRASES = (
    "el elefante morado compró un piano de madera", "siete cabras congeladas tragaron la trompeta",
)  # fmt: skip
SECRETS = Searcher([*NAMES, *NUMBERS, *PHRASES])
LETTER = """\
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
"""
NOTE = (
    "Ingresó en el Hospital Virgen de la Salud con NSS 28/12345678/40.",
    "El doctor Ibarguengoitia, tel. 612 345 678, atiende en Reyes Católicos, 19. 41013 Peñalverde.",
    "La furgoneta lleva la matrícula 1234 BCD 28013.",
    "Aquel día siete cabras congeladas tragaron la trompeta.",
)


@pytest.fixture(scope="module")
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(by_apertium("es", "en")) as server:
        yield server


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory, server: OpenAIServer) -> Workplace:
    workplace = Workplace(tmp_path_factory.mktemp("spanish"))
    workplace.input.mkdir()
    (workplace.input / "escrito.txt").write_text(LETTER, encoding="utf-8")
    note = docx.Document()
    for line in NOTE:
        note.add_paragraph(line)
    note.save(str(workplace.input / "nota.docx"))
    workplace.use(server)
    flags = ("--from", "es", "--to", "en", "--experimental", "--accept-losses")
    code = workplace.run(*flags)
    assert code == ExitCode.OK, workplace.printed()
    return workplace


def test_everything_planted_in_spanish_is_found_in_the_input(done: Workplace) -> None:
    assert names_of(SECRETS.in_folder(done.input)) == {*NAMES, *NUMBERS, *PHRASES}


def test_nothing_planted_in_spanish_is_sent_or_left_behind(
    done: Workplace, server: OpenAIServer
) -> None:
    assert len(long_texts_sent(server)) > 5
    assert received(server, SECRETS) == set()
    assert left_behind(done, SECRETS) == set()


def test_names_and_numbers_planted_in_spanish_come_back(done: Workplace) -> None:
    places: Iterator[Path] = (done.output / name for name in done.documents())
    found = names_of(set().union(*map(SECRETS.in_file, places)))
    assert {*NAMES, *NUMBERS} - found == set()
    assert found.isdisjoint(PHRASES), "these are translated"
