"""Negations, modal verbs and sides that a translation lost, gained or weakened, in all pairs."""

from __future__ import annotations

import pytest

from prism_core.drafts import Change, find_changes

KEPT = [
    ("en", "pt", "He has no fever and does not smoke.", "Ele não tem febre e não fuma."),
    ("en", "es", "He saw nobody.", "No vio a nadie."),
    ("en", "es", "No fever, cough or chills.", "Sin fiebre, tos ni escalofríos."),
    ("en", "es", "She was unable to walk.", "No podía caminar."),
    ("en", "es", "It is not only late.", "No es solo tarde."),
    ("en", "es", "However, Law No. 12 applies.", "Sin embargo, se aplica la Ley n.º 12."),
    ("en", "fr", "Nobody has signed it.", "Personne ne l'a signé."),
    ("en", "fr", "He doesn’t have any allergies.", "Il n’a aucune allergie."),
    ("en", "fr", "There is only one copy.", "Il n'y a qu'un exemplaire."),
    ("en", "de", "The tenant must not sublet the flat.", "Der Mieter darf nicht untervermieten."),
    ("en", "de", "You need not pay.", "Sie müssen nicht zahlen."),
    ("en", "es", "The tenant shall pay the rent.", "El inquilino pagará la renta."),
    ("en", "pt", "The dose may not exceed 5 mg.", "A dose não pode exceder 5 mg."),
    ("en", "pt", "He may not know it.", "Ele pode não saber."),
    ("en", "pt", "They met in May.", "Eles se encontraram em maio."),
    ("de", "en", "Sie muss das nicht unterschreiben.", "She does not have to sign it."),
    ("es", "en", "No se debe masticar.", "It must not be chewed."),
    ("en", "es", "You don't have to stay.", "No te tienes que quedar."),
    ("en", "es", "He is under no obligation.", "Está bajo ninguna obligación."),
    ("en", "pt", "It is void unless signed.", "É nulo se não for assinado."),
    ("es", "en", "Es nulo salvo que se firme.", "It is void except if signed."),
    ("pt", "en", "Ele não precisa assinar.", "He need not sign."),
    ("fr", "es", "Il ne doit pas fumer.", "No debe fumar."),
    ("en", "pt", "An effusion in the left lung.", "Um derrame no pulmão esquerdo."),
    ("en", "pt", "He left the house and the right door.", "Ele saiu de casa e da porta direita."),
    ("en", "es", "It was the right decision.", "Fue la decisión correcta."),
    ("en", "fr", "The tenant has the right to appeal.", "Le locataire peut faire appel."),
    ("es", "en", "Le duele la rodilla izquierda.", "Her left knee hurts."),
]
CHANGED = [
    ("en", "pt", "He has no allergies.", "Ele tem alergias.", Change.NEGATION),
    (
        "en",
        "es",
        "He did not sign; he was unable to read.",
        "Firmó; era incapaz de leer.",
        Change.NEGATION,
    ),
    ("es", "en", "Nadie firmó el acuerdo.", "Anybody signed the agreement.", Change.NEGATION),
    ("pt", "en", "Ela tomou o remédio.", "She did not take the drug.", Change.NEGATION),
    ("fr", "en", "Il n'a pas payé.", "He has paid.", Change.NEGATION),
    ("de", "en", "Kein Hinweis auf Metastasen.", "Signs of metastases.", Change.NEGATION),
    ("en", "de", "You must not take it.", "Sie müssen es nicht einnehmen.", Change.MODALITY),
    ("de", "en", "Sie müssen nicht zahlen.", "You must not pay.", Change.MODALITY),
    ("en", "es", "The tenant must pay.", "El inquilino puede pagar.", Change.MODALITY),
    ("en", "pt", "The tenant must pay.", "O inquilino pode pagar.", Change.MODALITY),
    ("en", "pt", "The dose may not exceed 5 mg.", "A dose pode não exceder 5 mg.", Change.MODALITY),
    ("en", "es", "You may not leave until six.", "Puede no irse hasta las seis.", Change.MODALITY),
    ("en", "fr", "It may not be used.", "Cela peut ne pas être utilisé.", Change.MODALITY),
    ("en", "fr", "The tenant may pay.", "Le locataire doit payer.", Change.MODALITY),
    ("en", "es", "You must not drive.", "No tiene que conducir.", Change.MODALITY),
    ("es", "en", "Debe pagar.", "He may pay.", Change.MODALITY),
    ("en", "es", "Unless stated, all apply.", "Unless declaró, todos valen.", Change.MODALITY),
    ("en", "de", "It is void unless signed.", "Es ist ungültig.", Change.MODALITY),
    ("en", "pt", "It may cause death.", "Causa a morte.", Change.MODALITY),
    ("en", "pt", "A right pleural effusion.", "Um derrame pleural certo.", Change.SIDE),
    ("en", "pt", "It showed left basal scars.", "Deixou cicatrizes basais.", Change.SIDE),
    ("en", "es", "His right knee hurts.", "Le duele la rodilla correcta.", Change.SIDE),
    ("en", "fr", "A cyst in the left lung.", "Un kyste dans le poumon droit.", Change.SIDE),
    ("de", "en", "Das linke Knie schmerzt.", "The knee hurts.", Change.SIDE),
]


@pytest.mark.parametrize(("source", "target", "text", "translation"), KEPT)
def test_a_faithful_translation_is_not_marked(
    source: str, target: str, text: str, translation: str
) -> None:
    assert find_changes(text, translation, source, target) == set()


@pytest.mark.parametrize(("source", "target", "text", "translation", "change"), CHANGED)
def test_a_changed_negation_modal_verb_or_side_is_found(
    source: str, target: str, text: str, translation: str, change: Change
) -> None:
    assert change in find_changes(text, translation, source, target)


def test_nothing_is_said_of_a_language_without_data() -> None:
    assert find_changes("He does not smoke.", "Fuma.", "en", "it") == set()
