"""The words beside a number that tell its class: what is printed on forms and letterheads."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    "NATIONAL_ID": (
        "ssn|social security|ni|ni number|social insurance|national insurance|nino|nhs|bsn|"
        "pesel|nif|nie|dni|codice fiscale|steuer id|steuernummer|steueridentifikationsnummer|"
        "tax id|tax identification|tin|personnummer|cpr|hetu|pps|ppsn|sin|"
        "sozialversicherungsnummer|national id|identity card|id card|personalausweis|aadhaar|"
        "insee|nir|ahv|taxpayer|national identity|national identification|identity|tax no|"
        "tax number|tax file|tfn|nric|curp|cpf|soc sec|ss no|fiscal code|personal id|"
        "personal number|personal identity|citizen service|citizen|birth number|"
        "sécurité sociale|seguridad social|carte d'identité|carta d'identità|cni|cnp|oib|idnr|"
        "steuerliche identifikationsnummer"
    ),
    "RECORD": (
        "mrn|emr|ehr|medical record|patient record|health record|hospital|chart|accession|"
        "specimen|patient id|patient|aktenzeichen|az|docket|geschäftszeichen|our ref|your ref|"
        "file ref|case|file|record|lab|sample|encounter|matter|admission|proceedings|incident|"
        "complaint|dossier|expediente|protocol|investigation|fir|crime ref|crime reference|"
        "pathology|study|fallnummer|patientennummer|record locator|donor|participant|"
        "research subject|inmate|prisoner|detainee|booking|requisition|referral|episode|"
        "medical file|hospital id|health id|index|citation|warrant|petition|appeal|"
        "writ|cause|civil action|police report|occurrence|enquiry|notice|filing|ticket|"
        "dossiernummer|zaaknummer|rolnummer|parketnummer|procedimiento|historia clínica|nhc|"
        "cartella clinica|procedimento|ruolo|rg|sygn akt|sygnatura akt|vorgangsnummer|"
        "tagebuchnummer|krankenakte|hosp|pt|registered under|kept under|filed under|"
        "recorded under|listed under|application"
    ),
    "PLAN": (
        "policy|member|membership|subscriber|beneficiary|insurance|medicare|medicaid|"
        "health plan|plan|hicn|mbi|insured|versichertennummer|krankenversichertennummer|"
        "krankenkasse|ehic|hmo|group|claim|coverage|payer|enrollee|kvnr|versicherungsnummer|"
        "mutuelle|policyholder|authorization|preauthorization|prior authorization|tricare|"
        "scheme|police d'assurance|póliza|polizza|polisnummer|mitgliedsnummer|"
        "tarjeta sanitaria|tessera sanitaria|payor|benefit|benefits|ins|pol"
    ),
    "ACCOUNT": (
        "account|acct|a/c|iban|konto|kontonummer|card|credit card|debit card|sort code|routing|"
        "aba|swift|bic|bank account|cuenta|compte|loan|mortgage|blz|customer account|savings|"
        "checking|clabe|securities account|wallet|acc|payment card|giro|bankgiro|plusgiro|"
        "pension|deposit|escrow|brokerage|portfolio|bsb|ifsc|transit|c/c|conto|rekening|"
        "rekeningnummer|customer|direct debit|mandate|ledger|paypal|mastercard|amex"
    ),
    "LICENCE": (
        "license|licence|driver's license|driving licence|driving license|driver license|dl|"
        "dea|npi|certificate|cert|passport|permit|vat|registration certificate|bar|gmc|nmc|"
        "company|ein|fein|siren|siret|hrb|hra|handelsregister|commercial register|ust id|"
        "ust idnr|ustid|uid|partita iva|diploma|accreditation|visa|reisepass|führerschein|"
        "pilot|medical license|practitioner|crn|notary commission|commission|registered number|"
        "tva|btw|residence permit|cif|gdc|hcpc|sra|firearms certificate|firearm|"
        "permis de conduire|permis|permiso de conducir|patente|rijbewijs|pasaporte|passeport|"
        "passaporto|paspoort|aufenthaltstitel|carte de séjour|rpps|lanr|colegiado|krs|regon|"
        "kvk|cvr|rcs|abn|acn|company registration|charity|charity registration|work permit|"
        "green card|alien registration|travel document|pharmacist|nursing license|"
        "contractor license|credential|accredited|ust-idnr|vat reg|"
        "vat registration|tax registration|business registration|trade register|lic"
    ),
    "VEHICLE": (
        "plate|plates|licence plate|license plate|number plate|registration|"
        "vehicle registration|reg|kennzeichen|matrícula|immatriculation|vin|chassis|vehicle|"
        "vehicle identification|hull|tail|registration mark|fin|targa|kenteken|car|truck|"
        "lorry|van|cab|coach|minibus|scooter|moped|pickup|caravan|tractor|motorcycle|motorbike|trailer|taxi|tag|rego|nummernschild|plaque|placa|vessel|"
        "boat|aircraft|engine|chassis no|truck plate"
    ),
    "DEVICE": (
        "serial|s/n|sn|device|imei|imsi|udi|implant|pacemaker|icd|lot|asset|meter|model|"
        "generator|lead|prosthesis|pump|device identifier|seriennummer|stent|valve|iccid|meid|"
        "handset|android|mac|mac address|hearing aid|machine|instrument|batch|ventilator|"
        "unit serial|equipment|ser|probe|monitor|defibrillator|transmitter|electrode|"
        "insulin pump|sensor|laptop|tablet|computer|notebook|router|modem|printer|scanner|"
        "analyser|analyzer|asset tag|service tag|esn|eid|sim|graft|screw|gerätenummer|"
        "numéro de série|número de serie|numero di serie|serienummer|part|inventory|telemetry|"
        "telemetry unit"
    ),
    "BIOMETRIC": (
        "fingerprint|fingerprints|biometric|retina|retinal|iris|voiceprint|voice print|dna|"
        "dna sample|palm print|face template|facial template|face|genetic|gait|voice|handprint|"
        "thumbprint|iris scan|retinal scan|retina scan|dna profile|biometric template|"
        "voice sample|faceprint|palm|finger print|finger|thumb print|thumb|footprint|"
        "hand geometry|latent print|latent|afis|buccal swab|genotype|genome|iris code|"
        "iris template|face scan|facial recognition|facial scan|biometrics|template|"
        "fingerprint card|fingerabdruck|empreinte|huella|voice template|speech sample|"
        "dental chart|dna reference sample|reference sample"
    ),
    "PHOTO": (
        "photo|photograph|picture|image|img|portrait|headshot|mugshot|exhibit photo|"
        "x-ray image|scan image|snapshot|still|frame|figure photo|photos|images|photographs|"
        "photo id|negative|film|films|cctv|mug shot|id photo|passport photo|foto|fotografía|"
        "lichtbild|imagen|photo file|radiograph|still image|picture file"
    ),
    "IP": "ip|ip address",
    "POSTCODE": ("zip|zip code|postcode|postal code|plz|post code|cap|código postal|code postal"),
    "PHONE": (
        "tel|telephone|phone|mobile|cell|landline|pager|extension|ext|telefon|handy|whatsapp|"
        "phones|cellphone|hotline|switchboard|call|ring|móvil|dial|reach|text|beeper|"
        "direct line|voicemail|mob|tél|tlf|tfno|teléfono|telefono|telephone line|"
        "emergency line|office line|helpline|callback|pager no|fon|telefoon"
    ),
    "FAX": "fax|telefax|facsimile|faks|fax line|fax machine",
}
PHRASES: Mapping[str, str] = {
    phrase: label for label, phrases in _WORDS.items() for phrase in phrases.split("|")
}
"""Words, in lower case, and the label of the number that follows them."""
ORDINARY = frozenset(
    """
    index cause notice filing writ appeal petition warrant citation ticket occurrence enquiry
    episode referral booking prisoner detainee inmate donor participant scheme authorization
    benefit benefits customer deposit ledger mandate pension portfolio transit credential charity
    firearm tag car truck lorry taxi vessel boat aircraft engine trailer plaque part inventory
    finger thumb template footprint latent film films printer scanner monitor sensor tablet
    computer notebook router modem graft screw electrode probe patente permis
    application telemetry ins pol pt van cab coach minibus scooter moped pickup caravan tractor
    """.split()
)
"""Words of these that are so common that only *No.*, *ID* or a colon makes them name a number."""
PLATED = frozenset(
    """
    car truck lorry taxi trailer motorcycle motorbike vehicle van cab coach minibus scooter moped
    pickup caravan tractor
    """.split()
)
"""Vehicles on the road: what looks like a plate beside one is its plate."""
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
    no nos nr number numbers num n id ids identifier code ref reference # : ending ends nº
    n° º serial nummer número numéro numero card
    """.split()
)
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
