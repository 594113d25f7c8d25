"""Closed classes of German, the words that stand beside names and numbers, and abbreviations.

A contraction (*im*, *zum*) is one word, and kept; so is what stands apart from its verb (*kommt …
an*). Nouns have a capital, so that a capital tells nothing of names.
"""

from __future__ import annotations

from prism_core.languages.base import Boundaries, LineEnds, Places, Words
from prism_core.languages.de.numbers import DATES

_TITLES = frozenset(
    "herr herrn hr hr. hrn hrn. frau fr fr. dr dr. prof prof. herren frauen".split()
)
_TITLES |= {"fräulein", "frl", "frl.", "dipl.-ing.", "mag."}


def _decline(stems: str, endings: str) -> frozenset[str]:
    """Each stem with each ending; ``-`` is none."""
    return frozenset(
        stem + ending.replace("-", "") for stem in stems.split() for ending in endings.split()
    )


_DETERMINERS = """
    der die das den dem des ein eine einen einem einer eines derselbe dieselbe dasselbe denselben
    demselben desselben derselben dieselben derjenige diejenige dasjenige denjenigen demjenigen
    desjenigen derjenigen diejenigen viel wenig mehr weniger etwas nichts ein paar genug allerlei
    solch welch manch all beide beiden beider beides irgendein irgendeine irgendeinen irgendeinem
    irgendeiner irgendwelche irgendwelchen mehrere mehreren mehrerer einige einigen einiger einigem
    einiges sämtliche sämtlichen sämtlicher
"""
_DECLINED = (
    _decline("dies jed jen manch solch welch all viel wenig ander folgend letzt", "e en er es em")
    | _decline("kein mein dein sein ihr unser", "- e en er es em")
    | _decline("eur", "e en er es em")
    | {"euer", "keins", "unsre", "unsrer", "unseren", "unsern"}
)
_PRONOUNS = """
    ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen meiner deiner seiner man
    wer wen wem wessen was wo woher wohin wann warum weshalb weswegen wieso wie dessen deren denen
    einander jemand jemanden jemandem niemand niemanden niemandem jedermann selbst selber jeweils
    jeweilig irgendwer irgendwas irgendwo irgendwie irgendwann hiervon hierfür hierzu hiermit
    hierbei
    hieran hierauf hieraus hierin hierüber hierunter davon dafür dazu damit dabei daran darauf
    daraus
    darin darüber darunter dagegen dahinter danach daneben davor dazwischen dadurch daher dahin
    wovon
    wofür wozu womit wobei woran worauf woraus worin worüber worunter wogegen wonach wodurch
"""
_VERBS = """
    sein bin bist ist sind seid war warst waren wart sei seist seien seiet wäre wärst wären wärt
    gewesen haben habe hast hat habt hatte hattest hatten hattet hätte hättest hätten hättet gehabt
    werden werde wirst wird werdet wurde wurdest wurden wurdet würde würdest würden würdet geworden
    worden können kann kannst könnt konnte konntest konnten könnte könntest könnten könntet gekonnt
    könne müssen muss muß musst müsst musste mussten müsste müssten gemusst müsse sollen soll sollst
    sollt sollte solltest sollten solltet gesollt solle wollen will willst wollt wollte wolltest
    wollten wolltet gewollt wolle dürfen darf darfst dürft durfte durften dürfte dürften gedurft
    dürfe mögen mag magst mögt mochte mochten möchte möchtest möchten möchtet möge
"""
_SMALL_WORDS = """
    ab an am ans auf aufs aus außer außerhalb bei beim bis binnen durch durchs entgegen entlang für
    fürs gegen gegenüber gemäß hinter hinterm hinters in im ins innerhalb laut mit mittels nach
    neben
    nebst ob oberhalb ohne per pro samt seit statt anstatt trotz über überm übers um ums unter
    unterm
    unters unterhalb von vom vor vorm vors während wegen wider zu zum zur zufolge zuliebe zwischen
    aufgrund anhand anstelle infolge hinsichtlich bezüglich mithilfe seitens zugunsten angesichts
    und oder aber sondern denn doch sowie sowohl als auch weder noch entweder je desto umso dass daß
    weil wenn falls sofern soweit solange sobald sooft obwohl obgleich obschon während nachdem bevor
    ehe indem insofern sodass damit zwar jedoch allerdings dennoch trotzdem deshalb deswegen darum
    daher also folglich somit mithin nämlich außerdem zudem ferner ebenfalls ebenso gleichfalls
    nicht kein nie niemals nur bloß schon erst noch nun jetzt dann dort hier da heute gestern morgen
    vorgestern übermorgen immer oft manchmal selten bald einmal zweimal wieder sehr ganz gar fast
    etwa
    ungefähr circa ca ca. zirka so zu sogar eben gerade ja nein vielleicht wohl ziemlich kaum recht
    überhaupt bereits inzwischen zuvor vorher nachher danach seitdem seither damals zunächst zuerst
    zuletzt schließlich endlich dadurch dafür hin her heraus hinaus herein hinein herauf hinauf
    herab
    hinab herum umher hervor herbei hinzu herunter hinunter herüber hinüber voran voraus vorbei
    vorüber
    zurück zusammen weg fort los fest frei statt teil ein bereit dar empor entzwei nieder inne wach
    davon weiter etc usw usw. bzw bzw. z.b. d.h. u.a. ggf ggf. vgl vgl. evtl
    evtl.
    inkl inkl. sog sog. sogenannte sogenannten sogenannter sogenanntes möglichst mindestens
    höchstens
    wenigstens insbesondere beispielsweise gegebenenfalls beziehungsweise erster erste ersten erstes
    oben unten links rechts vorn vorne hinten innen außen drinnen draußen nirgends überall woanders
"""
_ABBREVIATIONS = tuple(
    "z.B.;d.h.;u.a.;u.U.;u.ä.;u.Ä.;u.v.m.;u.a.m.;z.T.;z.Zt.;i.d.R.;i.S.d.;i.S.v.;i.V.m.;i.V.;i.A.;"
    "v.a.;v.Chr.;n.Chr.;o.ä.;o.Ä.;o.g.;o.a.;o.B.;m.E.;m.a.W.;s.o.;s.u.;s.a.;a.a.O.;z.Hd.;"
    "Z.n.".split(";")
)
"""In these letters alone: *Z. B.* may be somebody's."""
_BLANKS = ("", " ", "\u00a0", "\u202f")
_FUNCTION_WORDS = (
    frozenset(
        one.lower().replace(".", f".{blank}").rstrip()
        for one in _ABBREVIATIONS
        for blank in _BLANKS
    )
    | _TITLES
    | _DECLINED
    | frozenset(f"{_DETERMINERS} {_PRONOUNS} {_VERBS} {_SMALL_WORDS}".split())
)

WORDS = Words(
    function_words=_FUNCTION_WORDS,
    clitics=frozenset({"'s", "’s"}),
    contractions=frozenset(),
    contraction="(?!)",
    abbreviations=r"(?<![\w.])(?:"
    + "|".join(one[:-1].replace(".", rf"\.[{''.join(_BLANKS)}]?") for one in _ABBREVIATIONS)
    + r")\.",
    always_capital=frozenset(),
    indefinite_articles=(),
    takes_other_article="(?!)",
    titles=_TITLES,
    honorifics=frozenset(title.rstrip(".") for title in _TITLES)
    | frozenset(
        "doktor professor professorin rechtsanwalt rechtsanwältin ra rain richter richterin notar "
        "notarin staatsanwalt staatsanwältin oberarzt oberärztin chefarzt chefärztin arzt ärztin "
        "schwester pfleger pfarrer pastor bischof kardinal papst könig königin kaiser kaiserin "
        "prinz prinzessin fürst fürstin herzog herzogin graf gräfin freiherr baron baronin general "
        "oberst major hauptmann leutnant kommissar kommissarin präsident präsidentin kanzler "
        "kanzlerin minister ministerin bürgermeister bürgermeisterin senator senatorin direktor "
        "direktorin familie eheleute witwe onkel tante oma opa ingenieur magister zeuge zeugin "
        "beklagter kläger klägerin beklagte".split()
    ),
    sure_titles=frozenset("herr herrn frau hrn hr frl fräulein dr prof doktor familie".split()),
    before_noun=frozenset(
        "ein eine einen einem einer eines der die das den dem des diese dieser dieses diesen "
        "diesem "
        "am ins ans aufs fürs durchs ums jede jeder jedes jeden keine kein keinen keiner meine "
        "mein meinem meiner meinen seine "
        "sein "
        "seiner seinem ihre ihr ihrer ihrem unsere unser unserer zum zur im beim vom".split()
    ),
    saints=("Sankt", "St.", "St"),
    means="(?:bedeutet|bezeichnet|meint|heißt|ist|sind)",
    called=(
        "(?:nachfolgend|nachstehend|im Folgenden|im folgenden|fortan|künftig|genannt|kurz)"
        "(?: (?:auch|der|die|das|kurz|als|genannt|bezeichnet))?,?"
    ),
    heads=frozenset(
        "universität bank stadt gemeinde land kreis landkreis bistum bezirk hochschule hotel haus "
        "schloss burg kloster stift insel bad bundesland königreich republik provinz".split()
    ),
    of=frozenset("von vom zu zum zur der des und".split()),
    foreign_particles=frozenset(
        "van de del della di da dos ten ter bin ibn al el la le du mac von vom zu zur zum".split()
    )
    - _FUNCTION_WORDS,
    name_fields=frozenset(
        "name namen vorname vornamen nachname nachnamen familienname geburtsname mädchenname "
        "rufname "
        "patient patientin ehegatte ehefrau ehemann alias inhaber kontoinhaber unterzeichner "
        "ansprechpartner ansprechpartnerin".split()
    ),
    before_phrase=frozenset(
        "denn sondern dass daß ob obwohl nachdem bevor sehr ganz fast etwa ungefähr gar circa "
        "möglichst ab an aus außer auf bei beim binnen durch für gegen gemäß im in ins laut mit "
        "mittels nach neben nebst ohne per pro samt seit statt trotz um unter vom von vor wegen "
        "wider zu zum zur zwischen aufgrund anhand infolge bezüglich kein keine mein meine seine "
        "seiner unser unsere ein einen bin ist war kann wird haben darf mag bis".split()
    ),
    before_no_name=frozenset(
        "ich du er wir man sich mich dich mir dir ihm ihn uns euch wen wem sehr kann darf "
        "mag sein".split()
    ),
    alone=frozenset(
        "ja nein kein keine keiner alle alles andere anderes beide beides einige mehrere selbst "
        "von bis für mit ohne an ab aus auf nach vor in zu über unter zwischen seit und oder "
        "mehr weniger viel wenig heute gestern morgen immer nie nicht hier oben unten links "
        "rechts innen außen vorn hinten wer was wann wo wie warum welche sie ich etc usw usw. "
        "ca ca. erste erster erstes letzte teil".split()
    ),
    before_names=frozenset("gegen von mit an bei für".split()),
    name_labels=frozenset(
        "cc bcc betreff betr hallo hi liebe lieber geehrte geehrter sehr patient patientin pat "
        "pat.".split()
    ),
    salutations=frozenset(
        "alle herr frau damen herren kollege kollegin zusammen du ihr an ja nein".split()
    ),
    name_endings=("s", "'s", "’s"),
    person_fields=frozenset(
        "patient;patientin;arzt;ärztin;hausarzt;hausärztin;behandelnder arzt;behandelnde ärztin;"
        "oberarzt;oberärztin;chefarzt;chefärztin;unterzeichnet;gezeichnet;gez;unterschrift;"
        "verfasser;"
        "verfasserin;bearbeiter;bearbeiterin;sachbearbeiter;sachbearbeiterin;ansprechpartner;"
        "ansprechpartnerin;kontakt;rechtsanwalt;rechtsanwältin;richter;richterin;staatsanwalt;"
        "staatsanwältin;notar;notarin;zeuge;zeugin;zeugen;sachverständiger;sachverständige;kläger;"
        "klägerin;beklagter;beklagte;antragsteller;antragstellerin;antragsgegner;antragsgegnerin;"
        "angeklagter;angeklagte;beschuldigter;beschuldigte;geschädigter;geschädigte;vertreter;"
        "vertreterin;prozessbevollmächtigter;prozessbevollmächtigte;vermieter;vermieterin;mieter;"
        "mieterin;verkäufer;verkäuferin;käufer;käuferin;arbeitgeber;arbeitgeberin;arbeitnehmer;"
        "arbeitnehmerin;auftraggeber;auftragnehmer;vormund;betreuer;betreuerin;von;an;cc;bcc;"
        "absender;empfänger;teilnehmer;teilnehmerin;autor;autorin;versicherungsnehmer;versicherter;"
        "versicherte;bevollmächtigter;geschäftsführer;geschäftsführerin".split(";")
    ),
    list_labels=frozenset(
        "anwesend anwesende teilnehmer teilnehmende abwesend entschuldigt unterzeichner cc".split()
    ),
    greetings=frozenset(
        "hallo hi guten liebe lieber moin servus grüße grüßen gruß gruss dank danke "
        "hochachtungsvoll herzlichst mfg lg vg gez gezeichnet".split()
    ),
    may_have_capital=_DECLINED
    | frozenset(
        "sie ihnen du dir dich euch recht teil ehe weg morgen heute würde ende los wohl sein statt "
        "all laut macht wer ja nein erster erste erstes ersten".split()
    ),
    capital_in_names=_FUNCTION_WORDS
    - _TITLES
    - _DECLINED
    - frozenset(_DETERMINERS.split())
    - frozenset(_PRONOUNS.split())
    - frozenset(  # nouns too: *das Recht*, *am Morgen*; and what names of firms have
        "sein bin ist sind war waren sei wäre haben hat hatte werden wird wurde können müssen "
        "wollen sollen dürfen mögen soll muss würde worden recht teil ehe weg morgen heute gestern "
        "laut statt wohl los ja nein fest frei wach erster erste ersten erstes und oder an am im "
        "in von vom zu zum zur bei beim auf aus für mit nach um über unter vor gegen ohne per "
        "außen innen links rechts oben unten nichts etwas sogenannte zusammen ende".split()
    ),
    nouns_have_capitals=True,
)

_COUNTING = frozenset("nr nr. nrn. no no. num. ziff. ziffer nummer az az. tel tel. gz gz.".split())

BOUNDARIES = Boundaries(
    never_last=frozenset(
        "./. hr. hrn. fr. frl. dr. prof. dipl. ing. mag. st. str. art. abs. abschn. bd. bde. bl. "
        "kap. "
        "nr. nrn. rn. rdnr. rz. s. ss. vgl. bzw. z. z.b. d. d.h. u. u.a. i. i.d.r. i.v. i.a. o. "
        "o.ä. v. vs. ca. evtl. ggf. inkl. exkl. zzgl. abzgl. sog. geb. gest. gez. verh. gem. lt. "
        "tel. fax. mio. mrd. tsd. max. min. mind. jan. feb. mrz. apr. jun. jul. aug. sep. sept. "
        "okt. nov. dez. mo. di. mi. do. sa. so. abb. tab. anl. anm. ziff. lit. hrsg. verf. rspr. "
        "az. gz. urt. beschl. i.s.d. i.s.v. i.v.m. z.t. z.zt. m.e. a.a.o. u.u. v.a. bspw. insb. "
        "insbes. entspr. bes. ehem. einschl. zus. jh. jhdt. th. allg. betr. pat. st.p. z.n. re. "
        "li. bds. b. e. ev. kath. verst. stv. stellv. ra. rae. ggü. vgl.".split()
    )
    | {one.lower() for one in _ABBREVIATIONS},
    never_first=frozenset("gmbh ag kg ohg gbr ug e.v. e.k. e.g. se kgaa mbh co. ltd. inc.".split()),
    counting=_COUNTING,
    announcing=_COUNTING
    | frozenset("nummern aktenzeichen kennzeichen code kennung artikel absatz paragraph".split())
    | frozenset("art abs abschn kap abb tab s rn rdnr bd bl anl § §§".split())
    | frozenset(DATES.short_months),
    clause_first=frozenset(
        "und aber oder sondern denn dass daß weil wenn falls ob obwohl während nachdem bevor damit "
        "sodass wobei wo als die der das".split()
    ),
    clause_within=frozenset("dass daß weil wenn falls obwohl nachdem bevor sodass".split()),
    says_which=frozenset("ist war lautet".split()),
    enclitic="(?!)",
    street_ending=r"(?:str\.|straße|strasse)",
)

LINE_ENDS = LineEnds(
    leads_on=frozenset(
        "ein eine einen einem einer eines und an am auf aus bei beim bis der die das den dem des "
        "für "
        "im in mit nach oder per um über unter von vom vor zu zum zur ohne sein seine ihr ihre "
        "dass "
        "&".split()
    ),
    keeps_hyphen=frozenset(
        "anti ex nicht pro pseudo quasi semi vize co deutsch euro us eu online e".split()
    ),
)

PLACES = Places(
    streets="Straße|Strasse|Str|Weg|Platz|Allee|Gasse|Ring|Ufer|Damm|Chaussee|Promenade|Markt|"
    "Steig|Pfad|Stieg|Hof",
    rooms="Zimmer|Zi|Raum|Wohnung|Whg|Station|Etage|Stock|Stockwerk|Geschoss|OG|EG|UG|Top|Büro|"
    "Gebäude|Haus",
    flats=r"Wohnung|Whg\.?|App\.?|Apartment|Top|Haus",
    fax=frozenset("fax telefax faxnummer".split()),
    phone=frozenset(
        "tel telefon telefonnummer fon phone mobil mobiltelefon handy handynummer festnetz "
        "rufnummer "
        "durchwahl dw anrufen erreichbar kontakt whatsapp zentrale".split()
    ),
    another_line="oder (?:unter|an)",
    before_streets=frozenset(),
    before_institutions=frozenset(
        "klinik;klinikum;krankenhaus;universitätsklinikum;praxis;gemeinschaftspraxis;"
        "universität;hochschule;schule;grundschule;gymnasium;realschule;gesamtschule;kita;"
        "kindergarten;stiftung;pfarrei;kirche;kloster;hotel;gasthof;gasthaus;restaurant;café;"
        "apotheke;verein;kanzlei;verlag;firma;brauerei;weingut;seniorenheim;altenheim;pflegeheim;"
        "amtsgericht;landgericht;oberlandesgericht;verwaltungsgericht;sozialgericht;arbeitsgericht;"
        "finanzamt;jva;justizvollzugsanstalt;polizeiinspektion;polizeirevier;stadtverwaltung;"
        "landratsamt;jugendamt;sparkasse;volksbank".split(";")
    ),
    kinds_of_institution=frozenset(
        "allgemeine allgemeines städtische städtisches evangelische evangelisches katholische "
        "katholisches deutsche deutsches staatliche staatliches öffentliche private privates "
        "internationale nationale medizinische medizinisches chirurgische psychiatrische "
        "technische freie abteilung zentrum institut fakultät medizin recht forschung "
        "innere".split()
    ),
    of_several_words=frozenset(
        "frankfurt am main;frankfurt an der oder;frankfurt (oder);neustadt an der weinstraße;"
        "ludwigshafen am rhein;offenbach am main;freiburg im breisgau;rothenburg ob der tauber;"
        "garmisch-partenkirchen;castrop-rauxel;wanne-eickel;rheda-wiedenbrück;clausthal-zellerfeld;"
        "mülheim an der ruhr;neustadt am rübenberge;limburg an der lahn;landau in der pfalz;"
        "weiden in der oberpfalz;neuburg an der donau;halle an der saale;halle (saale);"
        "villingen-schwenningen;bad oeynhausen;bad kreuznach;bad salzuflen;bad hersfeld;"
        "bad nauheim;bad reichenhall;bad tölz;sankt augustin;st. pölten;sankt pölten;sankt ingbert;"
        "königs wusterhausen;marburg an der lahn;lauf an der pegnitz;esslingen am neckar;"
        "rottenburg am neckar;linz am rhein;singen am hohentwiel;wiener neustadt;"
        "klagenfurt am wörthersee;bruck an der mur;zell am see;"
        "vereinigte staaten;vereinigtes königreich;sri lanka;hong kong;saudi-arabien;südafrika;"
        "costa rica;new york;los angeles;buenos aires;bad homburg;baden-baden;sankt gallen;"
        "st. gallen;den haag;rio de janeiro;el salvador;sierra leone;kap verde;bosnien und "
        "herzegowina;trinidad und tobago".split(";")
    ),
    before_cases=frozenset({"sache", "rechtssache", "verfahren", "rechtsstreit"}),
    versus=r"gegen|GEGEN|\./\.|vs?\.|J\. ?/\. ",
)
