"""Streets, flats and telephones in English."""

from __future__ import annotations

from prism_core.languages.base import Places

PLACES = Places(
    streets="Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|"
    "Terrace|Way|Close|Crescent|Gardens|Square|Sq|Parkway|Pkwy|Highway|Hwy|Circle|Cir|Row|Mews|"
    "Hill|Grove|Walk|Quay|Trail|Alley|Loop|Plaza|Park|Green|Rise|View|Wharf|Broadway",
    rooms="Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Room|Rm",
    flats=r"Flat|Apt\.?|Apartment|Unit|Suite",
    fax=frozenset("fax telefax facsimile fx telecopy telecopier telefaks efax".split()),
    phone=frozenset(
        "tel telephone phone mobile cell call landline pager telefon handy teléfono telefono tél "
        "móvil whatsapp ring sms text voicemail ph telf mob bleep dial hotline helpline".split()
    ),
    another_line="or (?:on|at)",
)
