"""Of lines that were written to get a name through, no more are in clear than are known to be."""

from __future__ import annotations

import pytest

from benchmarks.attacks import load, read_lines, words_in_clear

KNOWN = {
    "en": {
        "My Nguyen called again about the lease.",
        "Ashok Over Down",
        "Re: Both / Over – completion on 12/07/2023",
        "Kim Both Freed After Nairobi Hearing",
        "WILL LEFT THE HOUSE",
        "Whose: 12 shares. Mine: 30 shares.",
        "Never signed the lease in the presence of Only.",
        "We inspected 22 The Close and 7 Both Road.",
        "Only phoned twice about the boiler.",
        "Constable Why arrested Who at the door.",
        "President Ho met Minister An and Secretary To.",
    },
    "es": {
        "Casi firmó el contrato el 3 de mayo de 2019.",
        "Atendida por la Dra. Cerca en Hospital La Fe.",
        "Son Ficha por el Betis",
        "La policía detuvo a el Rubio en el bar Los Amigos de Tomelloso.",
    },
    "fr": {
        "TOUT N'A PAS SIGNÉ",
        "Tout a signé le bail le 3 mai 2019.",
        "Son Heung-min Signe à Lyon",
        "La police a arrêté le Blond au bar Les Amis de Tulle.",
        "La cave Le Beau Séjour a vendu sa récolte à Lacroix.",
    },
    "de": {
        "EBEN HAT NICHT UNTERSCHRIEBEN",
        "Mehr, Ohne und Spät",
        "wohnhaft Am Hang in Weiden",
        "Recht hat den Hof an Becker verkauft.",
        "Patientin Viel Sonne, Fallnummer 448812.",
        "Unterschrieben von Selbst vor Bevor.",
        "Außen GmbH schuldet Innen 300 Euro.",
        "Zustelladresse: Am Alten Weg 3, 29410 Salzwedel.",
        "Seine Kanzlei ist Unter den Eichen 143, D-65195 Wiesbaden.",
    },
}
"""What ``docs/identifiers.md`` says is sent as the word it looks like."""


@pytest.mark.parametrize("language", sorted(KNOWN))
def test_no_more_of_the_lines_written_to_attack_is_in_clear(language: str) -> None:
    encoder, model = load(language)
    cases = [
        case
        for group in ("first", "second")
        for half in ("looked-at", "aside")
        for case in read_lines(language, group, half)
    ]
    assert len(cases) > 99
    in_clear = {case.text for case in cases if any(words_in_clear(encoder, model, case))}
    assert in_clear - KNOWN[language] == set()
