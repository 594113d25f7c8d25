"""Closed classes of Spanish, the words that stand beside names and numbers, and abbreviations.

Entry: what the package puts into its ``Language``: ``Words``, ``Places``, ``Boundaries`` and
``LineEnds``, made of the lists above them.
"""

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

_STRESSED_A = r"(?i:h?á\w+|h?a[ui]?[^\W\daeiouáéíóúü]+[iu]?[aeo][sn]?(?!\w))"
"""How feminine nouns are written that *el* stands before: with an *a* that is stressed."""

WORDS = Words(
    function_words=_FUNCTION_WORDS,
    clitics=frozenset("me te se nos os le les lo la los las".split()),
    contractions=frozenset(),
    contraction="(?!)",
    always_capital=frozenset(),
    conjunctions=(("y", "e", r"h?[ií](?!e)"), ("o", "u", r"h?[oó]")),
    indefinite_articles=(),
    takes_other_article=_STRESSED_A,
    elides_at_nouns_alone=True,
    agreeing=(
        ("el", "la", "el", "el"),
        ("un", "una", "un", "un"),
        ("algún", "alguna", "algún", "algún"),
        ("ningún", "ninguna", "ningún", "ningún"),
    ),
    contracted={"del": ("de", "el"), "al": ("a", "el")},
    by_sound={
        "y": ("e", r"(?i:h?[ií](?![aeoáéó]))"),
        "o": ("u", r"(?i:h?[oó]|8|11(?!\d\d?(?!\d)))"),
    },
    titles=_TITLES,
    honorifics=_TITLES
    | frozenset(
        "señor señora señorita doctor doctora profesor profesora juez jueza magistrado magistrada "
        "letrado letrada abogado abogada procurador procuradora notario notaria capitán sargento "
        "agente ldo lda excmo excma ilmo ilma fray sor padre hermana".split()
    ),
    sure_titles=frozenset(
        "sr sra srta sres sras dr dra don doña dña dª excmo excma ilmo ilma ldo".split()
    ),
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
        "nombre nombres apellido apellidos cónyuge alias titular firmante".split()
    ),
    name_labels=frozenset(
        "cc cco ref estimado estimada querido querida paciente atn fdo señor señora señorita don "
        "doña caso asunto contra".split()
    ),
    salutations=frozenset("todos todas señor señora señores señoras".split()),
    name_endings=(),
    person_fields=frozenset(
        "paciente;médico;médica;médico responsable;responsable;responsable clínico;remitido por;"
        "firmado por;realizado por;redactado por;elaborado por;derivado por;atendido por;"
        "informado por;doctor;doctora;enfermero;enfermera;facultativo;firmado;firma;fdo;contacto;"
        "abogado;abogada;letrado;letrada;procurador;procuradora;juez;jueza;magistrado;magistrada;"
        "ponente;secretario;secretaria;fiscal;notario;perito;testigo;demandante;demandado;"
        "demandada;denunciante;denunciado;denunciada;acusado;acusada;recurrente;recurrido;"
        "solicitante;representante;apoderado;apoderada;arrendador;arrendadora;arrendatario;"
        "arrendataria;vendedor;vendedora;comprador;compradora;recurrida;perita;"
        "trabajador;trabajadora;empleado;empleada;tutor;tutora;de;para;cc;cco;remitente;"
        "destinatario;asistentes;autor;autora".split(";")
    ),
    list_labels=frozenset(
        "presentes asistentes participantes ausentes firmantes autores cc cco".split()
    ),
    greetings=frozenset(
        "hola querido querida queridos queridas estimado estimada atentamente atte saludos saludo "
        "cordiales cordial cordialmente abrazo abrazos besos beso gracias afectuosamente "
        "fdo firmado".split()
    ),
    may_have_capital=frozenset("el la los las usted ustedes su sus estado estados".split()),
    capital_in_names=_FUNCTION_WORDS
    - _TITLES
    - frozenset(
        "el la los las lo al del de a y e o u ni no en con por para sin san gran primer tercer "
        "usted ustedes su sus nuestro nuestra vuestro vuestra mi mis tu tus yo nos él ella "
        "estado estados contra entre que se es son fue era ha han había".split()
    ),
    bare_subject_is_name=True,
    before_phrase=frozenset(
        "a ante bajo cabe con contra de durante en entre hacia mediante para por sin so sobre tras "
        "excepto salvo pro vía un unos unas mi mis tu tus sus nuestro nuestra nuestros nuestras "
        "cada alrededor muy tan más mas haya hayan hubiera ser estar haber sea sean son es era "
        "eran fue fueron ti mí conmigo contigo encima debajo buen mal gran primer tercer san cien "
        "porque pues".split()
    ),
    before_copula=frozenset({"tal"}),
    before_no_name=frozenset(
        "él ella ello yo tú nos me te les se os mí ti ser estar haber poder deber haya hayan sean "
        "hubiera mas muy tan cada cuyo cuya algo nada".split()
    ),
    alone=frozenset(
        "sí no ninguno ninguna nada todo todos todas ambos ambas otro otra otros otras mismo "
        "misma varios varias cada a de del al para por con sin desde hasta sobre entre y o "
        "menos mucho poco antes después siempre nunca aquí allí dentro quién qué cuándo dónde "
        "cómo cuál cuánto usted ustedes yo etc también estado".split()
    ),
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
    before_streets=frozenset(
        "calle avenida avda. avda av. plaza pza. plza. paseo carretera ctra. camino ronda travesía "
        "glorieta callejón pasaje urbanización urb. polígono barrio cuesta paraje colonia c/ c/. "
        "rúa carrer barriada alameda rambla".split()
    ),
    before_institutions=frozenset(
        "hospital;hospitales;clínica;sanatorio;policlínica;policlínico;residencia;ambulatorio;"
        "centro de salud;complejo hospitalario;área hospitalaria;centro médico;colegio;instituto;"
        "escuela;universidad;fundación;parroquia;convento;monasterio;ermita;hotel;hostal;"
        "restaurante;cafetería;edificio;farmacia;asociación;hermandad;cofradía;peña;bufete;"
        "ies;i.e.s.;ceip;bar;pub;discoteca;taller;gimnasio;academia;guardería;finca;iglesia;"
        "juzgado de paz de;notaría de;audiencia provincial de;comisaría de;ayuntamiento de;"
        "prisión de;centro penitenciario;centro penitenciario de;partido".split(";")
    ),
    kinds_of_institution=frozenset(
        "general universitario universitaria clínico clínica provincial comarcal regional nacional "
        "central materno infantil maternoinfantil militar civil público pública privado privada "
        "médico médica quirúrgico oncológico psiquiátrico geriátrico veterinario docente oficial "
        "superior hospital hospitalario internacional europeo europea español española municipal "
        "autónoma politécnica complutense pontificia técnica primaria secundaria educación "
        "bachillerato servicio departamento unidad sección área urgencias pediatría cirugía "
        "medicina ciencias derecho investigación estudios para por en con".split()
    ),
    of_several_words=frozenset(
        "buenos aires;costa rica;puerto rico;el salvador;ciudad real;dos hermanas;las palmas;"
        "gran canaria;la mancha;tres cantos;estados unidos;reino unido;países bajos;el cairo;"
        "corea del norte;corea del sur;arabia saudí;arabia saudita;costa de marfil;sierra leona;"
        "nueva york;nueva zelanda;nueva delhi;nueva guinea;cabo verde;islas baleares;"
        "islas canarias;país vasco;santo domingo;guinea ecuatorial;república checa;"
        "república dominicana;la haya;la habana;la paz;la coruña;a coruña;la rioja;la línea;"
        "la palma;la gomera;el hierro;el ejido;los ángeles;castilla la mancha;castilla y león;"
        "santa cruz;puerto real;puerto santa maría;villa real;cuatro caminos;"
        "ciudad rodrigo;ciudad de méxico;ciudad juárez;monte carlo;río de janeiro;"
        "rio de janeiro;el puerto de santa maría;sierra nevada;bosnia y herzegovina;"
        "emiratos árabes unidos;san fernando;santa fe;tierra del fuego;trinidad y tobago;"
        "antigua y barbuda;burkina faso;papúa nueva guinea;medina del campo;"
        "d.f.;talavera de la reina;arcos de la frontera;jerez de la frontera;mar del plata;"
        "puente genil;fuente obejuna;torre del mar;casas viejas".split(";")
    ),
    before_cases=frozenset({"caso", "asunto"}),
    versus=r"c\.|C\.|contra|CONTRA|vs?\.|c/",
)
