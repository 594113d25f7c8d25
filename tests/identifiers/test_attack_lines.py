"""Of lines that were written to get a name through, no more are in clear than are known to be."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks import attacks
from benchmarks.attacks import read_lines, words_in_clear
from benchmarks.foreign_names import Case

load = cache(attacks.load)
KNOWN = {
    "en": {
        "My Nguyen called again about the lease.",
        "Ashok Over Down",
        "Re: Both / Over – completion on 12/07/2023",
        "Kim Both Freed After Nairobi Hearing",
        "WILL LEFT THE HOUSE",
        "Whose: 12 shares. Mine: 30 shares.",
        "Never signed the lease in the presence of Only.",
        "Only phoned twice about the boiler.",
        "President Ho met Minister An and Secretary To.",
        "Send it to The Old Forge, Nether Wallop, SO20 8ET.",
        "Perhaps was the first witness, and Quite the second.",
        "Never signed; Mostly did.",
        "Can Yilmaz sold the shop to May Be and her brother.",
    },
    "es": {
        "Casi firmó el contrato el 3 de mayo de 2019.",
        "Atendida por la Dra. Cerca en Hospital La Fe.",
        "Son Ficha por el Betis",
        "La policía detuvo a el Rubio en el bar Los Amigos de Tomelloso.",
        "Quizá fue el primer testigo y Bastante el segundo.",
        "Es objeto de compraventa la finca «Los Cuatro Vientos», inscrita a nombre de los hermanos "
        "Del Río.",
        "SE REQUIERE A DÑA. GRACIA DE DIOS LEAL Y A D. ROMÁN CASTILLO.",
        "Nunca firmó; Apenas sí.",
    },
    "fr": {
        "TOUT N'A PAS SIGNÉ",
        "Tout a signé le bail le 3 mai 2019.",
        "Son Heung-min Signe à Lyon",
        "La police a arrêté le Blond au bar Les Amis de Tulle.",
        "La cave Le Beau Séjour a vendu sa récolte à Lacroix.",
        "Peut-être fut le premier témoin et Assez le second.",
        "La vente porte sur le lieu dit « Les Quatre Vents », appartenant aux consorts Du Bois.",
        "Jamais a signé ; Presque aussi.",
        "Car Yilmaz a vendu la boutique à Pour Toujours et à son frère.",
    },
    "de": {
        "EBEN HAT NICHT UNTERSCHRIEBEN",
        "wohnhaft Am Hang in Weiden",
        "Recht hat den Hof an Becker verkauft.",
        "Patientin Viel Sonne, Fallnummer 448812.",
        "Außen GmbH schuldet Innen 300 Euro.",
        "Zustelladresse: Am Alten Weg 3, 29410 Salzwedel.",
        "Vielleicht war der erste Zeuge und Genug der zweite.",
        "Nie unterschrieb; Beinahe auch.",
        "Denn Yilmaz verkaufte den Laden an Für Immer und dessen Bruder.",
    },
}
"""What ``docs/identifiers.md`` says is sent as the word it looks like."""


@pytest.mark.parametrize("language", sorted(KNOWN))
def test_no_more_of_the_lines_written_to_attack_is_in_clear(language: str) -> None:
    encoder, model = load(language)
    cases = [
        case
        for group in ("first", "second", "third")
        for half in ("looked-at", "aside")
        for case in read_lines(language, group, half)
    ]
    assert len(cases) > 170
    in_clear = {case.text for case in cases if any(words_in_clear(encoder, model, case))}
    assert in_clear - KNOWN[language] == set()


PLACES = {
    "en": "{}, 71, lives alone.|12 {} Road|{}-Smith left.|He spoke to {} today.|Over signed.",
    "es": "{}, de 71 años, vive solo.|calle {} 12|Hablé con {} hoy.|cc {}",
    "fr": "{}, 71 ans, vit seul.|12 rue {}|parlé avec {} ce jour|cc {}",
    "de": "{}, 71 Jahre, lebt allein.|Das Auto von {} ist grau.|Ich sah {} am Bahnhof.|cc {}",
}
NAMES = {"en": "Still Both Down", "es": "Nada Otro Algo", "fr": "Tout Rien Sauf", "de": "Eben Mehr"}


@pytest.mark.parametrize("language", sorted(PLACES))
def test_grammar_is_hidden_where_none_can_stand(language: str) -> None:
    encoder, model = load(language)
    for place in PLACES[language].split("|"):
        for name in NAMES[language].split():
            start = place.find("{}")
            span = (start, start + len(name), "") if start >= 0 else (0, 4, "")
            case = Case(place.format(name), [span])
            assert words_in_clear(encoder, model, case) == [[]], case.text


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("en", "The Company shall pay. May we add, Then 25 years later it failed?", "shall"),
        ("de", "Der Zeuge dankte Ihnen und Sie gingen im Jahr 2008.", "Ihnen"),
        ("es", "Escribo a Usted hoy por su carta.", "Usted"),
        ("fr", "Je remercie Vous et votre État.", "Vous"),
    ],
)
def test_a_capital_of_courtesy_makes_no_name(language: str, text: str, kept: str) -> None:
    encoder, model = load(language)
    start = text.index(kept)
    case = Case(text, [(start, start + len(kept), "")])
    assert words_in_clear(encoder, model, case) == [[kept]]
