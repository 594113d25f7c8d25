"""Closed classes of French, the words that stand beside names and numbers, and abbreviations.

Entry: what the package puts into its ``Language``: ``Words``, ``Places``, ``Boundaries`` and
``LineEnds``, made of the lists above them.
"""

from __future__ import annotations

from prism_core.languages.base import Boundaries, LineEnds, Places, Words
from prism_core.languages.fr.numbers import DATES

_TITLES = frozenset("m. mm. mr mme mmes mlle mlles dr pr me monsieur madame mademoiselle".split())
_TITLES |= {"messieurs", "mesdames", "mesdemoiselles"}
_ELIDED = "l d j m t s n c qu jusqu lorsqu puisqu quoiqu presqu quelqu"
_DETERMINERS = """
    le la les un une des du au aux de ce cet cette ces mon ma mes ton ta tes son sa ses notre nos
    votre vos leur leurs chaque tout toute tous toutes autre autres même mêmes tel telle tels telles
    quelque quelques plusieurs aucun aucune nul nulle certain certaine certains certaines quel
    quelle quels quelles mien mienne miens miennes tien tienne sien sienne siens siennes nôtre
    nôtres vôtre vôtres plus moins peu beaucoup trop assez tant autant maint maints divers diverses
"""
_PRONOUNS = """
    je tu il elle on nous vous ils elles me te se moi toi lui eux soi y en qui que quoi dont où
    lequel laquelle lesquels lesquelles duquel desquels desquelles auquel auxquels auxquelles
    celui celle ceux celles celui-ci celle-ci ceux-ci celles-ci celui-là celle-là ceux-là celles-là
    ceci cela ça quelqu'un quelqu'une quelqu’un quelques-uns quelques-unes chacun chacune personne
    rien lui-même elle-même eux-mêmes elles-mêmes soi-même moi-même nous-mêmes vous-même vous-mêmes
    -je -tu -il -elle -on -nous -vous -ils -elles -ce -le -la -les -lui -leur -moi -toi -en -y
    -t-il -t-elle -t-on -t-ils -t-elles
"""
_VERBS = """
    être suis es est sommes êtes sont étais était étions étiez étaient fus fut fûmes furent serai
    seras sera serons serez seront serais serait serions seriez seraient sois soit soyons soyez
    soient fût fussent étant été avoir ai as a avons avez ont avais avait avions aviez avaient eus
    eut eûmes eurent aurai auras aura aurons aurez auront aurais aurait aurions auriez auraient aie
    aies ait ayons ayez aient eût eussent ayant eu eue eues pouvoir peux peut pouvons pouvez peuvent
    pouvais pouvait pouvions pouviez pouvaient put purent pourrai pourra pourrons pourrez pourront
    pourrais pourrait pourrions pourriez pourraient puisse puissent pu pouvant devoir dois doit
    devons devez doivent devais devait devaient dut durent devra devrons devrez devront devrais
    devrait devrions devraient doive doivent dû due dues faut fallait faudra faudrait fallu
"""
_SMALL_WORDS = """
    à après avant avec chez contre dans depuis derrière dès devant durant entre envers hors jusque
    malgré outre par parmi pendant pour sans sauf selon sous sur vers via voici voilà afin cependant
    et ou ni mais or donc car si comme quand lorsque puisque quoique pourquoi comment combien ainsi
    alors aussi encore déjà toujours jamais souvent parfois très bien mal ici là là-bas ailleurs
    hier aujourd'hui aujourd’hui demain maintenant ensuite puis enfin tard tôt loin près dessus
    dessous dedans dehors autour au-dessus au-dessous au-delà ci-dessus ci-dessous ci-après lors
    ne pas point guère non oui peut-être presque quasi plutôt surtout seulement notamment d'abord
    tandis néanmoins toutefois pourtant quant environ etc c'est-à-dire c’est-à-dire premier première
"""
_FUNCTION_WORDS = (
    _TITLES
    | frozenset(f"{_DETERMINERS} {_PRONOUNS} {_VERBS} {_SMALL_WORDS}".split())
    | {f"{form}{mark}" for form in _ELIDED.split() for mark in "'’"}
    | {"de l'", "de la", "à l'", "à la"}  # in the place of *du* and *au*
)

_ASPIRED = (
    "hach|hagard|haie|haillon|haine|haineu|haï[rst]|hai[rst]|hal[eè]t|hall[es]?(?![^\\W_])|hâl|halo(?!g)|"
    "halte(?!r)|hamac|hamburger|hameau|hamster|hanch|hand|hangar|hanneton|hant|happ|harangu|harass|"
    "harc[eè]l|hard|harem|hareng|hargn|haricot|harnach|harnais|harp|hasard|hâ|hauban|hauss|haut|"
    "havane|havre|hayon|heaume|henni|héraut|hère|hériss|herni|héron|héros(?![^\\W_])|hers|hêtre|heurt|"
    "hibou|hic|hideu|hiérarch|hip-|hippie|hiss|hit|hobby|hoch|hockey|hold|holland|homard|hongr|honni|"
    "hont|hoquet|horde|hors|hotte|hou|hublot|huche|hu[eé]e|huguenot|huit|hulul|hurl|hussard|hutt|"
    "onz|oui|ouistiti|uhlan|un(?:ième)?(?![^\\W_])|y(?!eu|[b-df-hj-np-tv-z]|ves)"
)
_ELIDES_AT = rf"(?i:(?!{_ASPIRED})[aàâäæeéèêëiîïoôöœuùûüyh])(?!\.)"
"""How words begin that *l'* stands before: with a vowel, or an h that is not aspired."""

WORDS = Words(
    function_words=_FUNCTION_WORDS,
    clitics=frozenset(),
    contractions=frozenset(),
    contraction=rf"\b(?:{'|'.join(_ELIDED.split())})['’](?=\w)",
    always_capital=frozenset(),
    indefinite_articles=(),
    takes_other_article=_ELIDES_AT,
    elided={
        full: f"{full[:-1]}'"
        for full in "de je me te se ne que jusque lorsque puisque quoique".split()
    },
    agreeing=(
        ("le", "la", "l'", "l'"),
        ("ce", "cette", "cet", "cette"),
        ("mon", "ma", "mon", "mon"),
        ("ton", "ta", "ton", "ton"),
        ("son", "sa", "son", "son"),
        ("beau", "belle", "bel", "belle"),
        ("nouveau", "nouvelle", "nouvel", "nouvelle"),
        ("vieux", "vieille", "vieil", "vieille"),
    ),
    contracted={"du": ("de", "le"), "au": ("à", "le")},
    linked={"-il": "-t-il", "-elle": "-t-elle", "-on": "-t-on"},
    titles=_TITLES,
    honorifics=frozenset(title.rstrip(".") for title in _TITLES)
    | frozenset(
        "docteur docteure professeur professeure maître maîtres juge président présidente avocat "
        "avocate procureur procureure greffier greffière huissier notaire capitaine sergent "
        "lieutenant commandant colonel général adjudant brigadier gardien inspecteur commissaire "
        "veuve époux épouse consorts sieur dame père sœur frère abbé mgr".split()
    ),
    sure_titles=frozenset(
        "mme mmes mlle mlles monsieur madame mademoiselle maître docteur".split()
    ),
    before_noun=frozenset(
        "un une le la les l' l’ ce cet cette ces chaque quelque aucun aucune mon ma ton ta son sa "
        "notre votre leur du au des".split()
    ),
    saints=("Saint", "Sainte", "St", "Ste", "St.", "Ste."),
    means="(?:signifie(?:ra)?|désigne(?:nt)?|s['’]entend(?:ent)? (?:de|comme|par))",
    called=(
        "(?:ci-après|dénommée?s?|désignée?s?|appelée?s?|dit|dite|ensemble)"
        "(?: (?:dénommée?s?|désignée?s?|appelée?s?|le|la|les|comme))?,?"
    ),
    heads=frozenset(
        "université banque collège lycée institut musée église cathédrale ministère ville port île "
        "baie hôpital clinique école tribunal cour mairie commune académie préfecture".split()
    ),
    of=frozenset("de du des d' d’".split()),
    foreign_particles=frozenset("van von der bin ibn della di ten ter da dos del mac".split()),
    name_fields=frozenset(
        "nom noms prénom prénoms patronyme patient patiente conjoint conjointe alias titulaire "
        "signataire".split()
    ),
    name_labels=frozenset("cc cci réf objet cher chère chers chères patient patiente attn".split()),
    salutations=frozenset("tous toutes monsieur madame messieurs mesdames confrère".split()),
    name_endings=(),
    person_fields=frozenset(
        "patient;patiente;médecin;médecin traitant;praticien;signé;signé par;rédigé par;"
        "réalisé par;adressé par;suivi par;docteur;infirmier;infirmière;contact;avocat;avocate;"
        "maître;procureur;juge;magistrat;président;présidente;greffier;greffière;rapporteur;"
        "conseiller;expert;témoin;demandeur;demanderesse;défendeur;défenderesse;requérant;"
        "requérante;plaignant;plaignante;appelant;appelante;intimé;intimée;prévenu;prévenue;"
        "accusé;accusée;représentant;représentante;mandataire;bailleur;bailleresse;locataire;vendeur;"
        "vendeuse;acheteuse;experte;avouée;"
        "acheteur;acquéreur;salarié;salariée;employeur;tuteur;tutrice;de;à;cc;cci;expéditeur;"
        "destinataire;participants;auteur;autrice".split(";")
    ),
    list_labels=frozenset(
        "présents participants absents excusés signataires auteurs cc cci".split()
    ),
    greetings=frozenset(
        "bonjour bonsoir cher chère chers chères salut cordialement amicalement bisous merci "
        "salutations respectueusement sincèrement".split()
    ),
    may_have_capital=frozenset("le la les vous votre vos état cour premier première m. m".split()),
    capital_in_names=_FUNCTION_WORDS
    - _TITLES
    - frozenset(
        "le la les l' l’ un une des du au aux de d' d’ à et ou ni ne n' n’ en dans pour par sans "
        "sur sous son sa ses notre nos votre vos mon ma mes ton ta tes leur leurs je j' j’ il elle "
        "on nous vous ils elles se s' s’ me m’ m' te lui premier première saint sainte même "
        "haut haute état cour qu' qu’ que qui c' c’ ce contre entre est sont a ont était "
        "avait".split()
    ),
    bare_subject_is_name=True,
    before_phrase=frozenset(
        "à après avant avec chez contre dans depuis dès durant entre envers hors jusque malgré "
        "outre par parmi pendant pour sans sauf selon sous sur vers via afin du au aux des cette "
        "ces mon mes ses son sa ton tes nos notre votre vos leur leurs chaque moi toi soi très "
        "moins presque quasi être avoir car or dont doit peut sera serait fut était sont "
        "ont".split()
    ),
    before_negation=frozenset("jamais guère encore déjà presque".split()),
    before_copula=frozenset("tel telle".split()),
    before_no_name=frozenset(
        "être avoir sont ont moi toi soi lui il elle ils elles je j' j’ tu on me te se ne n' n’ "
        "très trop moins dont ceci cela doit peut sera fut était".split()
    ),
    alone=frozenset(
        "oui non aucun aucune néant rien tout tous toute toutes autre autres même plusieurs "
        "chaque à de du au pour par avec sans depuis sur sous entre et ou plus moins beaucoup "
        "peu aujourd'hui aujourd’hui hier demain avant après toujours jamais ici ci-dessus "
        "ci-dessous ci-après qui que quoi quand où comment pourquoi combien quel quelle vous je "
        "etc bien mal premier première environ".split()
    ),
)

_COUNTING = frozenset("n° no nº n no. num num. numéro réf réf. tél tél. rg dossier".split())

BOUNDARIES = Boundaries(
    never_last=frozenset(
        "m. mm. mr. mme. mmes. mlle. dr. pr. me. prof. st. ste. c. v. vs. art. arts. al. fig. "
        "figs. p. pp. chap. vol. env. cf. av. bd. bld. boul. pl. tél. réf. dépt. resp. ex. p.ex. "
        "ibid. op. l. r. d. civ. crim. soc. com. cass. bull. obs. req.".split()
    ),
    never_first=frozenset("s.a. s.a.r.l. sa sarl sas sasu eurl sci snc scp ltd. gmbh".split()),
    counting=_COUNTING,
    announcing=_COUNTING
    | frozenset("numéros référence code identifiant dossier".split())
    | frozenset("art arts chap fig figs p pp sect vol vols par al".split())
    | frozenset(DATES.short_months),
    clause_first=frozenset(
        "et mais ou ni qui dont où quand lorsque tandis bien quoique parce car puisque si "
        "comme".split()
    ),
    clause_within=frozenset("mais qui dont où quand lorsque car parce puisque si".split()),
    says_which=frozenset("est était".split()),
    enclitic="-(?:t-)?(?:je|tu|ils?|elles?|on|nous|vous|ce|l[ae]s?|lui|leur|moi|toi|en|y)",
    street_ending="(?!)",
)

LINE_ENDS = LineEnds(
    leads_on=frozenset(
        "un une et à au aux avec de du des d' d’ en le la les l' l’ ou par pour que qui sans sur "
        "son sa ses se selon dans chez &".split()
    ),
    keeps_hyphen=frozenset(
        "anti auto co demi ex franco mi non post pré pro pseudo quasi semi sous sus vice".split()
    ),
)

PLACES = Places(
    streets="Rue|Avenue|Av|Boulevard|Bd|Bld|Boul|Place|Pl|Impasse|Imp|Chemin|Ch|Route|Rte|Allée|"
    "Allées|Quai|Cours|Square|Sq|Passage|Villa|Cité|Résidence|Rés|Lotissement|Faubourg|Fg|Sentier|"
    "Esplanade|Promenade|Rond-point|Voie|Venelle|Hameau|Lieu-dit|ZA|ZI|ZAC",
    rooms="Apt|Appt|Appartement|Étage|Etage|Porte|Bureau|Bât|Bat|Bâtiment|Escalier|Esc|Entrée|Hall",
    flats=r"Appartement|Appt?\.?|Apt\.?|Bâtiment|Bât\.?",
    fax=frozenset("fax télécopie télécopieur".split()),
    phone=frozenset(
        "tel tél téléphone téléphones telephone mobile portable fixe gsm port appeler joindre "
        "contact standard poste whatsapp".split()
    ),
    another_line="ou (?:au|le)",
    before_streets=frozenset(
        "rue avenue boulevard place impasse chemin route allée quai square passage faubourg "
        "sentier esplanade promenade rond-point venelle bd. av. pl.".split()
    ),
    before_institutions=frozenset(
        "hôpital;hôpitaux;clinique;polyclinique;chu;chr;ehpad;centre hospitalier;"
        "maison de retraite;collège;lycée;école;institut;université;fondation;paroisse;couvent;"
        "monastère;abbaye;hôtel;restaurant;café;résidence;pharmacie;association;cabinet;étude;"
        "maison d'arrêt de;centre de détention de;centre pénitentiaire de;prison de;"
        "tribunal de;cour d'appel de;commissariat de;mairie de;préfecture de;parti".split(";")
    ),
    kinds_of_institution=frozenset(
        "général générale universitaire régional régionale départemental départementale "
        "national nationale central centrale intercommunal militaire civil civile public "
        "publique privé privée médical médicale chirurgical psychiatrique gériatrique "
        "vétérinaire supérieur supérieure international internationale européen européenne "
        "français française municipal municipale technique primaire maternelle secondaire "
        "professionnel professionnelle service unité section urgences pédiatrie chirurgie "
        "médecine sciences droit recherche études judiciaire administratif".split()
    ),
    of_several_words=frozenset(
        "pays-bas;royaume-uni;états-unis;côte d'ivoire;sierra leone;cap-vert;sri lanka;hong kong;"
        "arabie saoudite;afrique du sud;corée du nord;corée du sud;république tchèque;"
        "république dominicaine;nouvelle-zélande;nouvelle-calédonie;la haye;la havane;le caire;"
        "le cap;le havre;le mans;la rochelle;la réunion;la baule;le creusot;pays basque;new york;"
        "los angeles;buenos aires;costa rica".split(";")
    ),
    before_cases=frozenset({"affaire", "arrêt"}),
    versus=r"c\.|C\.|contre|CONTRE|vs?\.|c/",
)
