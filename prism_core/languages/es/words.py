"""Closed classes of Spanish, the words that stand beside names and numbers, and abbreviations."""

from __future__ import annotations

from prism_core.languages.base import Boundaries, LineEnds, Places, Words
from prism_core.languages.es.numbers import DATES

_TITLES = frozenset("sr sra srta sres sras dr dra don doña d dª dña prof".split())
_DETERMINERS = """
    el la los las lo un una unos unas al del este esta estos estas ese esa esos esas aquel aquella
    aquellos aquellas esto eso aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras
    vuestro vuestra vuestros vuestras mío mía míos mías tuyo tuya suyo suya suyos suyas cada todo
    toda todos todas ambos ambas otro otra otros otras mismo misma mismos mismas tal tales algún
    alguno alguna algunos algunas ningún ninguno ninguna cualquier cualquiera cualesquiera mucho
    mucha muchos muchas poco poca pocos pocas varios varias bastante bastantes demasiado demasiada
    tanto tanta tantos tantas más menos medio media
"""
_PRONOUNS = """
    yo tú vos usted ustedes él ella ello nosotros nosotras vosotros vosotras ellos ellas me te se
    nos os le les lo mí ti sí conmigo contigo consigo que qué quien quién quienes quiénes cual cuál
    cuales cuáles cuyo cuya cuyos cuyas cuanto cuánto cuanta cuántos cuántas alguien nadie algo
    nada uno una
"""
_VERBS = """
    ser soy eres es somos sois son era eras éramos eran fui fue fuimos fueron será serán sería
    serían sea sean fuera fueran fuese fuesen siendo sido estar estoy estás está estamos están
    estaba estaban estuvo estuvieron estará estarán estaría estarían esté estén estuviera
    estuvieran estando estado haber he has ha hemos habéis han había habíamos habían hubo hubieron
    habrá habrán habría habrían haya hayan hubiera hubieran hubiese hubiesen habiendo habido hay
    poder puedo puede podemos pueden podía podían pudo pudieron podrá podrán podría podrían pueda
    puedan deber debo debe debemos deben debía debían debió deberá deberán debería deberían deba
    deban
"""
_SMALL_WORDS = """
    a ante bajo cabe con contra de desde durante en entre hacia hasta mediante para por pro salvo
    según sin so sobre tras excepto incluso vía y e ni o u pero sino mas aunque porque pues si
    como cómo cuando cuándo donde dónde adonde mientras conforme luego así entonces además también
    tampoco no nunca jamás siempre ya aún aun todavía muy tan casi solo sólo apenas quizá quizás
    acaso aquí ahí allí allá acá ahora antes después tarde temprano dentro fuera cerca lejos
    encima debajo delante detrás alrededor embargo obstante etc primer buen mal gran san tercer
    cien
"""
_FUNCTION_WORDS = _TITLES | frozenset(f"{_DETERMINERS} {_PRONOUNS} {_VERBS} {_SMALL_WORDS}".split())

WORDS = Words(
    function_words=_FUNCTION_WORDS,
    clitics=frozenset(),
    contractions=frozenset(),
    contraction="(?!)",
    always_capital=frozenset(),
    indefinite_articles=(),
    takes_other_article="(?!)",
    titles=_TITLES,
    honorifics=_TITLES
    | frozenset(
        "señor señora señorita doctor doctora profesor profesora juez jueza magistrado magistrada "
        "letrado letrada abogado abogada procurador procuradora notario notaria capitán sargento "
        "agente ldo lda excmo excma ilmo ilma fray sor padre hermana".split()
    ),
    sure_titles=frozenset("sr sra srta sres sras dr dra dña dª excmo excma ilmo ilma ldo".split()),
    before_noun=frozenset(
        "un una el la los las este esta ese esa aquel cada otro ningún algún mi tu su".split()
    ),
    saints=("San", "Santa", "Santo", "Sta.", "Sto.", "S."),
    means="(?:significa(?:rá)?|se refiere a|designa|tendrá el (?:mismo )?significado)",
    called=(
        "(?:en adelante|en lo sucesivo|denominad[oa]s?|llamad[oa]s?|conocid[oa]s? como|"
        "conjuntamente)(?: como)?,?"
    ),
    heads=frozenset(
        "universidad banco colegio instituto museo iglesia catedral ministerio ciudad puerto isla "
        "bahía hospital clínica escuela juzgado audiencia tribunal ayuntamiento academia".split()
    ),
    of=frozenset({"de", "del"}),
    foreign_particles=frozenset("van von der bin ibn della di du ten ter da dos mac".split()),
    name_fields=frozenset(
        "nombre nombres apellido apellidos paciente cónyuge alias titular firmante".split()
    ),
    name_labels=frozenset("ref estimado estimada querido querida paciente atn fdo".split()),
    salutations=frozenset("todos todas señor señora señores señoras".split()),
    name_endings=(),
)

_COUNTING = frozenset(
    "nº n.º n° núm núm. num num. número ref ref. tel tel. tfno tfno. reg reg. cta cta. exp "
    "exp.".split()
)

BOUNDARIES = Boundaries(
    never_last=frozenset(
        "sr. sra. srta. sres. sras. dr. dra. d. dña. prof. ldo. lda. excmo. excma. ilmo. ilma. "
        "sta. sto. s. c. v. vs. art. arts. fig. figs. pág. págs. p. pp. núm. núms. cap. vol. "
        "vols. aprox. p.ej. ej. cf. avda. av. pza. plza. tel. tfno. ref. ud. uds. dpto. fdo. "
        "gral. izda. dcha.".split()
    ),
    never_first=frozenset("s.a. s.l. sa sl s.a s.l sau slu s.l.u. s.a.u. s.c. ltd. gmbh".split()),
    counting=_COUNTING,
    announcing=_COUNTING
    | frozenset("números referencia código identificador expediente".split())
    | frozenset("art arts cap fig figs pág págs p pp sec secs vol vols párr ap".split())
    | frozenset(DATES.short_months),
    clause_first=frozenset(
        "y e pero o ni que quien quienes cual donde cuando mientras aunque porque pues si "
        "como".split()
    ),
    clause_within=frozenset("pero que quien donde cuando mientras aunque porque si".split()),
    says_which=frozenset("es era".split()),
    enclitic="(?!)",
    street_ending="avda",
)

LINE_ENDS = LineEnds(
    leads_on=frozenset(
        "un una y e a al con de del en el la los las lo o u por para que sin sobre su sus se "
        "según &".split()
    ),
    keeps_hyphen=frozenset(
        "anti auto co ex franco hispano pre pro pseudo semi socio sub vice".split()
    ),
)

PLACES = Places(
    streets="Calle|Avenida|Avda|Av|Plaza|Pza|Plza|Paseo|Carretera|Ctra|Camino|Ronda|Travesía|"
    "Glorieta|Callejón|Pasaje|Urbanización|Urb|Polígono|Barrio|Cuesta|Vía",
    rooms="Piso|Puerta|Pta|Portal|Escalera|Esc|Planta|Local|Despacho|Oficina|Bajo",
    flats=r"Piso|Apto\.?|Apartamento|Portal|Bloque",
    fax=frozenset("fax telefax telefacsímil".split()),
    phone=frozenset(
        "tel teléfono telefono teléfonos tfno tfnos telf tlf tlfno móvil movil móviles celular "
        "fijo whatsapp llamar llamada contacto centralita extensión".split()
    ),
    another_line="o (?:al|en el)",
)
