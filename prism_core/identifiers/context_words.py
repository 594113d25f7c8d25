"""How the words beside a number are read: which name it, and which may stand between."""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.identifiers.class_words import ORDINARY_WORDS, WORDS

PHRASES: Mapping[str, str] = {
    phrase: label
    for words in (WORDS, ORDINARY_WORDS)
    for label, phrases in words.items()
    for phrase in phrases.split("|")
}
"""Words, in lower case, and the label of the number that follows them."""
ORDINARY = frozenset("|".join(ORDINARY_WORDS.values()).split("|"))
"""Words of these that are so common that only *No.*, *ID* or a colon makes them name a number."""
PLATED = frozenset(phrase for phrase, label in PHRASES.items() if label == "VEHICLE")
"""Words of vehicles: what looks like a plate beside one is its plate."""
OF_AMOUNTS = frozenset(
    """
    amount amounts balance balances cost costs deductible excess fee fees limit limits premium
    premiums price prices salary sum sums total totals value values
    """.split()
)
"""Words after which an amount stands, whatever stands before them: *account balance: 25000*."""
UNSAID = frozenset("registered under|kept under|filed under|recorded under|listed under".split("|"))
"""Phrases that name a number only where no noun before them does."""
ANNOUNCING = frozenset(
    """
    a/c aadhaar aadhar acct ahv aktenzeichen az bic bsb bsn cpr crn dea dni docket ehic ehr ein
    emr ext exten extension extn fallnummer fein frn geschäftszeichen ghic gmc hcpc hetu hicn
    hrb iban iccid imei imsi insee kennzeichen kontonummer kvnr mbi mcrn mrn ndnad nhi nhs nie
    nif nino nir nmc npi nric nuban patientennummer personnummer pesel pps ppsn s/n siren siret
    ssn steuernummer swift tfn uhid umrn upn versichertennummer vin vrm
    """.split()
)
"""Words that are followed by their number, however short, without *No.* between."""
NUMBER_WORDS = frozenset(
    """
    no nos nr number numbers num nbr n id ids identifier identification code codes ref refs
    reference references # : ending ends nº n° º serial nummer número numéro numero card exhibit
    exhibits barcode qr pin
    """.split()
) | {"bar code"}
"""Words between which and what they number nothing else stands."""
FILLERS = NUMBER_WORDS | frozenset(
    """
    is was were been being now the of a an under as are and his her its their our your my on at in
    reads shows me him us for to with via be found given new old current ( ) [ ] - = file / bears
    bearing marked recorded registered stored kept filed listed held numbered labelled labeled
    tagged coded known assigned issued stamped engraved quoted carrying carries
    """.split()
)
"""Words that may stand between a word and its number without parting them."""
LOOSE = frozenset(
    """
    has have had says said states stated that which who whose this these both he she it they we you
    i by from if please quote quoting use using then still also only one ours mine yours hers
    theirs same being namely viz i.e eg e.g sent entered used printed shown showing visible called
    told gave gives holds holder & + * -> was/is , latest present correct full last first second
    """.split()
)
"""Words that may stand so too before a code, which is hardly a quantity."""
REFERENCES = frozenset("reference ref refs references".split())
"""What names a number of a file where nothing says what it refers to."""
