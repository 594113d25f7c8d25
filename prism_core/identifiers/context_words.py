"""The words beside a number that tell its class: what is printed on forms and letterheads."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    "NATIONAL_ID": (
        "ssn|social security|ni|ni number|social insurance|national insurance|nino|nhs|bsn|pesel|"
        "nif|nie|dni|codice fiscale|steuer id|steuernummer|steueridentifikationsnummer|tax id|"
        "tax identification|tin|personnummer|cpr|hetu|pps|ppsn|sin|sozialversicherungsnummer|"
        "national id|identity card|id card|personalausweis|aadhaar|insee|nir|ahv|taxpayer|"
        "national identity|national identification|identity"
    ),
    "RECORD": (
        "mrn|emr|ehr|medical record|patient record|health record|hospital|chart|accession|"
        "specimen|patient id|patient|aktenzeichen|az|docket|geschäftszeichen|our ref|"
        "your ref|file ref|case|file|record|lab|sample|encounter|matter|admission|"
        "proceedings|incident|complaint|dossier|expediente|protocol|investigation|fir|"
        "crime ref|crime reference|pathology|study|fallnummer|patientennummer|record locator"
    ),
    "PLAN": (
        "policy|member|membership|subscriber|beneficiary|insurance|medicare|medicaid|"
        "health plan|plan|hicn|mbi|insured|versichertennummer|krankenversichertennummer|"
        "krankenkasse|ehic|hmo|group|claim|coverage|payer|enrollee|kvnr|versicherungsnummer|"
        "mutuelle"
    ),
    "ACCOUNT": (
        "account|acct|a/c|iban|konto|kontonummer|card|credit card|debit card|sort code|"
        "routing|aba|swift|bic|bank account|cuenta|compte|loan|mortgage|blz|"
        "customer account|savings|checking|clabe|securities account|wallet"
    ),
    "LICENCE": (
        "license|licence|driver's license|driving licence|driving license|driver license|dl|"
        "dea|npi|certificate|cert|passport|permit|vat|registration certificate|bar|gmc|nmc|"
        "company|ein|fein|siren|siret|hrb|hra|handelsregister|commercial register|ust id|"
        "ust idnr|ustid|uid|partita iva|diploma|accreditation|visa|reisepass|führerschein|"
        "pilot|medical license|practitioner|crn|notary commission|commission|"
        "registered number|tva|btw|residence permit|cif"
    ),
    "VEHICLE": (
        "plate|plates|licence plate|license plate|number plate|registration|"
        "vehicle registration|reg|kennzeichen|matrícula|immatriculation|vin|chassis|vehicle|"
        "vehicle identification|hull|tail|registration mark|fin|targa|kenteken"
    ),
    "DEVICE": (
        "serial|s/n|sn|device|imei|imsi|udi|implant|pacemaker|icd|lot|asset|meter|model|"
        "generator|lead|prosthesis|pump|device identifier|seriennummer|stent|valve|iccid|"
        "meid|handset|android|mac|mac address|hearing aid|machine|instrument|batch|"
        "ventilator|unit serial|equipment"
    ),
    "BIOMETRIC": (
        "fingerprint|fingerprints|biometric|retina|retinal|iris|voiceprint|voice print|dna|"
        "dna sample|palm print|face template|facial template|face|genetic|gait|voice|"
        "handprint|thumbprint|iris scan|retinal scan|retina scan|dna profile|"
        "biometric template|voice sample|faceprint|palm"
    ),
    "PHOTO": (
        "photo|photograph|picture|image|img|portrait|headshot|mugshot|exhibit photo|"
        "x-ray image|scan image|snapshot|still|frame|figure photo|photos|images|photographs|"
        "photo id|negative"
    ),
    "IP": "ip|ip address",
    "POSTCODE": "zip|zip code|postcode|postal code|plz|post code|cap|código postal|code postal",
    "PHONE": (
        "tel|telephone|phone|mobile|cell|landline|pager|extension|ext|telefon|handy|whatsapp|"
        "phones|cellphone|hotline|switchboard|call|ring|móvil|dial|reach|text|beeper|direct line|"
        "voicemail"
    ),
    "FAX": "fax|telefax|facsimile",
}
PHRASES: Mapping[str, str] = {
    phrase: label for label, phrases in _WORDS.items() for phrase in phrases.split("|")
}
"""Words, in lower case, and the label of the number that follows them."""
ANNOUNCING = frozenset(
    """
    a/c aadhaar acct ahv aktenzeichen az bic bsn cpr crn dea dni docket ehic ehr ein emr
    fallnummer fein geschäftszeichen gmc hetu hicn hrb iban iccid imei imsi insee
    kennzeichen kontonummer kvnr mbi mrn nhs nie nif nino nir nmc npi patientennummer
    personnummer pesel pps ppsn s/n siren siret ssn steuernummer swift
    versichertennummer vin
    """.split()
)
"""Words that are followed by their number, however short, without *No.* between."""
NUMBER_WORDS = frozenset(
    """
    no nos nr number numbers num n id ids identifier code ref reference # : ending with nº
    n° º serial nummer número numéro numero card
    """.split()
)
"""Words between which and what they number nothing else stands."""
FILLERS = NUMBER_WORDS | frozenset(
    """
    is was the of a an under as are and his her its their our your my on at in reads shows
    me him us for to via be found given new old current ( ) [ ] - = file / bears bearing
    marked
    """.split()
)
"""Words that may stand between a word and its number without parting them."""
