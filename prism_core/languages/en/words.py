"""Closed classes of English, the words that stand beside names and numbers, and abbreviations.

Entry: what the package puts into its ``Language``: ``Words``, ``Places``, ``Boundaries`` and
``LineEnds``, made of the lists above them.
"""

from __future__ import annotations

from prism_core.languages.base import Boundaries, LineEnds, Places, Words
from prism_core.languages.en.numbers import DATES

_TITLES = frozenset("mr mrs ms miss dr prof sir".split())
_FUNCTION_WORDS = _TITLES | frozenset(
    """
    a an the this that these those each every either neither some any no none all both half such
    another other others same own several many much more most few fewer less least enough
    next last today tomorrow yesterday tonight hi hello
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself
    it its itself we us our ours ourselves they them their theirs themselves one oneself
    who whom whose which what whoever whatever whichever someone somebody something anyone anybody
    anything everyone everybody everything nobody nothing there here
    be am is are was were been being 's 're 'm ’s ’re ’m have has had having 've 'd ’ve ’d
    do does did doing done will would shall should can could may might must ought 'll ’ll wo ca sha
    need dare used let not n't n’t never non nor to
    about above across after against along amid among around as at before behind below beneath
    beside besides between beyond but by concerning despite down during except for from in inside
    into like liked likes near of off on onto out outside over past per regarding since than
    through throughout till toward towards under underneath unlike until up upon versus via with
    within without
    and or so yet if unless because although though while whereas whether once when whenever where
    wherever why how however therefore thus hence otherwise moreover furthermore nevertheless
    also too very just only even still already again ever then now rather quite almost perhaps
    maybe indeed instead yes please o'clock etc
    """.split()
)
_PREPOSITIONS = frozenset(
    "about across after against along amid among around at before beside between beyond by despite "
    "down during except for from in into near of off on onto out over past per regarding since "
    "through throughout till to toward towards under until upon up via with within "
    "without".split()
)
"""Those that nothing but a noun follows, and no verb."""
_READ_AS_ONE = frozenset(
    """
    cannot can't couldn't won't wouldn't shan't shouldn't don't doesn't didn't isn't aren't wasn't
    weren't hasn't haven't hadn't mustn't mightn't needn't daren't oughtn't ain't
    """.split()
)

_FUNCTION_PHRASES = tuple(
    """
    a lot|a lot of|according to|ahead of|along with|apart from|as a consequence of
    as a matter of|as a result of|as far as|as long as|as opposed to|as regards|as soon as
    as soon as possible|as well|as well as|at a rate of|at the beginning of|at the bottom of
    at the end of|at the expense of|at the same time|at the time of|because of|by means of
    by reason of|by virtue of|by way of|depending on|due to|for example|for instance
    for the purpose of|for the purposes of|for the sake of|for the time being|from time to time
    going to|good morning|in accordance with|in addition|in addition to|in case|in case of
    in compliance with|in conjunction with|in connection with|in favor of|in favour of
    in front of|in general|in lieu of|in line with|in order for|in order of|in order to
    in other words|in particular|in place of|in pursuance of|in regard to|in relation to
    in respect of|in spite of|in terms of|in that case|in the absence of|in the course of
    in the event of|in the event that|in the middle of|in the order of|in the region of
    in view of|instead of|kind regards|lots of|no later than|no longer|not later than|of course
    on account of|on behalf of|on the basis of|on the one hand|on the other hand|on the part of
    on top of|owing to|prior to|pursuant to|rather than|regardless of|right across
    right in front of|so far|so long as|straight across|subject to|such as|suitable for
    thank you|thanks to|to the extent that|together with|tried to|tries to|try to|trying to
    typical of|up to|waiting for|want to|wanted to|wants to|with a view to|with effect from
    with reference to|with regard to|with regards to|with respect to|yours faithfully
    yours sincerely|yours truly
    """.replace("\n", "|").split("|")
)
"""Prepositions, conjunctions and connecting adverbs of several words, what takes a preposition as
one (*waiting for*), verbs that lead to another and what says how many, like *need* and *many*, and
words of courtesy."""

_LETTERS = "AEFHILMNORSX"
"""Letters whose names begin with a vowel."""
_SPOKEN_WITH_VOWEL = (
    r"8|1[18](?:\d{3}|,\d{3})*(?!\d)|1[18]\d\d(?!\d)"  # eight, eighty; eleven thousand; 1845
    rf"|(?i:[{_LETTERS}])(?![^\W_])"  # F-16, x-ray
    rf"|[{_LETTERS}](?:[A-Z0-9]{{1,2}}|[B-DF-HJ-NP-TV-Z0-9]+)(?![^\W_])"  # MRI, HTTP
    r"|(?!U[A-Z0-9]{0,2}(?![^\W_]))"  # but US, U-turn
    r"(?i:hono|hones|hour|heir|[aiàáâãäåæìíîï]|[òóôõöøœ]|o(?!n(?:e|ce|es|eself)(?![^\W_]))"
    r"|[èéêë]|e(?!u|we)|[ùúûü]"
    r"|u(?!ni(?!d|m|n)|nanim|s[aeu]|t[aeio]|r(?:a|e[at]|i|og|ol|u)|bi|k[eru]|gand|vul))"
)
"""What *an* stands before. Right for 99.7 % of 38,000 articles of news, by first letters 98.6 %."""

WORDS = Words(
    function_words=_FUNCTION_WORDS,
    clitics=frozenset({"n't", "n’t"}),
    contractions=_READ_AS_ONE,
    contraction=r"n['’]t\b|(?<=\w)['’](?:re|ll|ve|s|t|d|m)\b",
    always_capital=frozenset({"I"}),
    function_phrases=tuple(filter(None, map(str.strip, _FUNCTION_PHRASES))),
    indefinite_articles=("a", "an"),
    takes_other_article=_SPOKEN_WITH_VOWEL,
    titles=_TITLES,
    honorifics=_TITLES
    | frozenset(
        "lady lord judge justice captain sergeant officer nurse st rev reverend professor "
        "councillor alderman lieutenant colonel commander corporal detective inspector "
        "superintendent coroner uncle aunt".split()
    ),
    sure_titles=frozenset("mr mrs ms mx messrs dr prof".split()),
    before_noun=frozenset(
        "a an the this that each every either neither any no some my your his her its our their "
        "which what another".split()
    ),
    saints=("St", "St.", "Ste", "Ste."),
    means=(
        "(?:shall |will )?(?:means?|refers? to|be defined as)|(?:is|are) defined as|"
        "(?:(?:shall|will) have|has|have) the (?:same )?meanings?"
    ),
    called=(
        "(?:here(?:in)?after|referred to(?: as)?|called|known as|defined as|together|each|"
        "collectively)(?: as)?,?"
    ),
    heads=frozenset(
        "university bank college institute museum church cathedral ministry city port isle bay "
        "mount abbey hospital school court county town academy".split()
    ),
    of=frozenset({"of"}),
    foreign_particles=frozenset("van von bin ibn della di du ten ter del".split()),
    name_fields=frozenset(
        "name names surname surnames forename forenames patient pt spouse alias".split()
    ),
    name_labels=frozenset(
        "re dear hi hello hey thanks cheers regards wishes sincerely faithfully "
        "patient pt attn".split()
    ),
    before_names=frozenset("to with by from for about of v vs".split()),
    salutations=frozenset(
        "all both sir sirs everyone everybody anyone someone there again you too to so yes "
        "no".split()
    ),
    list_labels=frozenset(
        "present attendees attending participants apologies absent signed signatory witnessed "
        "between author authors from to cc bcc".split()
    ),
    greetings=frozenset("hi hello hey".split()),
    may_have_capital=frozenset("i a the you may".split()),
    capital_in_names=_FUNCTION_WORDS
    - _TITLES
    - frozenset(
        "i a the of and or in on at to for by from with no not one it we you this that these our "
        "what who which us be am as may all everyone everybody anyone someone there again too so "
        "yes none any etc please".split()
    ),
    before_phrase=_PREPOSITIONS
    | frozenset(
        "a an my your our their every very almost rather quite do does be being been am is are was "
        "were have has had can could shall should may might must ought because although though "
        "whether unless while whereas me him us them her his than nor so "
        "or yet".split()
    ),
    before_copula=frozenset({"such"}),
    before_no_name=frozenset(
        "you he she it they we me him us them be been being than less least ever do does did can "
        "could will would shall should may might must have has had is are was were am".split()
    ),
    alone=frozenset(
        "yes no none not all other others both any each either neither same last today tomorrow "
        "yesterday tonight here there to from by for before after above below up down off on in "
        "out inside outside with without and or more less within you your we who what when "
        "where why how which this that again never always only maybe please now instead hello "
        "hi per via until since several many half one another some".split()
    ),
    closings=frozenset(
        "yours love best thanks cheers regards sincerely faithfully wishes respectfully".split()
    ),
    possessives=("'", "'s"),
    name_endings=("'s", "’s", "s", "es", "'", "’"),
)

_COUNTING = frozenset(
    "no nr num serial ref tel reg cert acct lic no. nr. num. ref. tel. reg. cert. acct. "
    "lic.".split()
)

BOUNDARIES = Boundaries(
    never_last=frozenset(
        "mr. mrs. ms. mlle. mme. dr. drs. prof. st. gen. lt. col. capt. maj. sgt. cpl. rev. hon. "
        "gov. sen. reps. messrs. v. vs. nos. arts. figs. fig. pp. e.g. i.e. cf. ca. approx. vol. "
        "vols. attn. ft. mt.".split()
    ),
    never_first=frozenset("ltd ltd. inc inc. llc plc gmbh sarl".split()),
    counting=_COUNTING,
    announcing=_COUNTING
    | frozenset("number numbers reference id ids code identifier may".split())
    | frozenset("art arts ch cl fig figs p para paras pp pt r s sch sec secs ss vol vols".split())
    | frozenset(DATES.short_months),
    clause_first=frozenset(
        "and but or nor yet so which who whom whose where when while although though because "
        "whereas since if unless until after before as".split()
    ),
    clause_within=frozenset(
        "but who which where when while although though because whereas since if unless until "
        "after before that whether".split()
    ),
    says_which=frozenset("is was reads".split()),
    enclitic="'s|n't",
    street_ending="str",
)

LINE_ENDS = LineEnds(
    leads_on=frozenset(
        "a an and as at by de for from in into la of on or our over per than that the to under "
        "with your &".split()
    ),
    keeps_hyphen=frozenset(
        "all anti co cross ex half high long low mid multi non off post pre pro pseudo quasi self "
        "semi short sub two three under up vice well".split()
    ),
)

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
