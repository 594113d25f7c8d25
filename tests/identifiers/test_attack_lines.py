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
        "Perhaps was the first witness, and Quite the second.",
        "Never signed; Mostly did.",
        "Can Yilmaz sold the shop to May Be and her brother.",
        "The Old Post Office, Great Snoring, Norfolk NR21 0AH",
        "An Na Lee told A Li to wait.",
        "Never signed the lease and Ever refused to.",
        "LORD AND LADY OUGHT DECLINED TO GIVE EVIDENCE",
        "DEAN MANY V THE CITY OF LAMBOURN",
        "nurse may saw him at 3, dr no at 4",
        "Hers was the first name on the list, then Mine.",
        "The letter was sent to Mr. Aloysius\nAny in March.",
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
        "Nunca firmó el contrato y Jamás se fue.",
        "Entregado a D. Bienvenido\nNinguno en marzo.",
        "Aún dijo que Ya se había ido.",
    },
    "fr": {
        "TOUT N'A PAS SIGNÉ",
        "Tout a signé le bail le 3 mai 2019.",
        "Son Heung-min Signe à Lyon",
        "La police a arrêté le Blond au bar Les Amis de Tulle.",
        "Peut-être fut le premier témoin et Assez le second.",
        "La vente porte sur le lieu dit « Les Quatre Vents », appartenant aux consorts Du Bois.",
        "Jamais a signé ; Presque aussi.",
        "Car Yilmaz a vendu la boutique à Pour Toujours et à son frère.",
        "Le navire Ainsi Soit-Elle a accosté à midi.",
        "SAUF DURAND CONTRE LES AUTRES SARL",
        "sa fille aurore veut que le dr selon rappelle",
        "Ta Van Y a dit à Le Thi d'attendre.",
        "Remis à M. Bienvenu\nAucun en mars.",
        "dr personne l'a vu à 3 h, l'infirmière seule à 4 h",
    },
    "de": {
        "Recht hat den Hof an Becker verkauft.",
        "Patientin Viel Sonne, Fallnummer 448812.",
        "Außen GmbH schuldet Innen 300 Euro.",
        "Zustelladresse: Am Alten Weg 3, 29410 Salzwedel.",
        "Vielleicht war der erste Zeuge und Genug der zweite.",
        "Denn Yilmaz verkaufte den Laden an Für Immer und dessen Bruder.",
        "1. Unter; 2. Über; 3. Nach",
        "Der Minderjährige Wer wurde per Video gehört.",
        "Der Kutter Immer Treu sank vor Baltrum.",
        "ES ERSCHEINT HERR ENGELBERT WANN MIT ANWALT",
        "Übergeben an Hrn. Gottlieb\nKein im März.",
        "BGH VI ZR 447/19, Berichterstatter Uns.",
        "Noch sagte, dass Schon gegangen sei.",
        "Anschrift: Weg zu den Anderen 3 b, Ortsteil Hinten, 24576 Hitzhusen.",
    },
}
"""What ``docs/identifiers.md`` says is sent as the word it looks like."""


@pytest.mark.parametrize("language", KNOWN)
def test_of_the_lines_written_to_attack_those_known_are_in_clear(language: str) -> None:
    encoder, model = load(language)
    cases = [
        case
        for group in ("first", "second", "third", "fourth")
        for half in ("looked-at", "aside")
        for case in read_lines(language, group, half)
    ]
    assert len(cases) > 250
    in_clear = {case.text for case in cases if any(words_in_clear(encoder, model, case))}
    assert in_clear == KNOWN[language]


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "We met near The Old Rectory today.", "The"),
        ("en", "NOTE: MAY WELL CALLED AGAIN", "MAY"),
        ("en", "| Will May |", "Will"),
        ("en", "Then Ho", "Then"),
        ("en", "1. Can; 2. Might; 3. Must", "Might"),
        ("en", "Ho and The are brothers.", "The"),
        ("en", "To: Over, Sheila; Cc: Holm", "Over"),
        ("en", "My wife (Whereas) disagrees.", "Whereas"),
        ("en", "No, 71,", "No"),
        ("es", "Vive en Los Altos.", "Los"),
        ("es", "Presentes: Mucho, Poco y Nada.", "Mucho"),
        ("es", "COMPARECE DON ÁNGEL CUANDO ASISTIDO", "CUANDO"),
        ("es", "Al y El son hermanos.", "Al"),
        ("es", "Recurrente: De los Santos", "De"),
        ("es", "Fue Que quien lo escondió.", "Que"),
        ("fr", "Jamais a signé le contrat.", "Jamais"),
        ("fr", "Chaste Avant", "Avant"),
        ("fr", "Le mineur Qui a été entendu.", "Qui"),
        ("de", "Die Zeugin Diese verließ den Saal.", "Diese"),
        ("de", "Keusch Vor", "Vor"),
        ("de", "Nie hat unterschrieben, Holm ging weg.", "Nie"),
    ],
)
def test_grammar_that_opens_a_name_or_fills_a_cell_is_hidden(
    language: str, text: str, name: str
) -> None:
    encoder, model = load(language)
    start = text.index(name)
    case = Case(text, [(start, start + len(name), "")])
    assert words_in_clear(encoder, model, case) == [[]]


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
        ("fr", "Jamais n'a signé le bailleur.", "Jamais"),
        ("de", "Das Buch wurde zu Ihrem Lesezeichen.", "Ihrem"),
        ("de", "Noch wird gearbeitet.", "Noch"),
        ("fr", "Encore faut-il le dire.", "Encore"),
        ("en", "The lecture was called No Place to Hide.", "No"),
    ],
)
def test_a_capital_of_courtesy_makes_no_name(language: str, text: str, kept: str) -> None:
    encoder, model = load(language)
    start = text.index(kept)
    case = Case(text, [(start, start + len(kept), "")])
    assert words_in_clear(encoder, model, case) == [[kept]]
