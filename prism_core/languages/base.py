"""Reference of a source language's data file: its words, forms and ways of writing.

Entry: ``Language``; its parts are ``Words``, ``Dates``, ``Numbers``, ``NumberLabels``, ``Places``,
``Boundaries``, ``LineEnds``, ``Frames`` and ``Grammar``. A source language is one data file that
fills their fields.

All words are in lower case unless their field says otherwise. A *pattern* is a piece of a regular
expression, to be put into a larger one, without capturing groups unless its field says so.
Part-of-speech tags are those of the Penn Treebank in every language. Where words agree in more
features, the tag continues after a hyphen: ``NN-F`` is a feminine noun.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from prism_core.languages.fields import STRICT, DataFile, Pattern, WordSet, WordTuple
from prism_core.languages.grammar import Frames, Grammar
from prism_core.languages.numbers import Numbers as Numbers

_OPENING_MARKS = "\"'“‘«([{$£€#+-–~"
"""Marks that may precede a word or a number and are not spoken."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Words:
    """Words of grammar, and words that stand beside names."""

    __pydantic_config__ = STRICT

    function_words: WordSet
    """Words of the closed classes as the tokenizer splits them (*the*, *'s*). They are kept,
    because they name nobody. A word that is neither here nor in the dictionary never leaves the
    machine, whatever its tag; so the list is fixed, public and short."""
    clitics: WordSet
    """Tokens that are no words of their own and stay attached to the word before (*n't*)."""
    contractions: WordSet
    """Words that the tokenizer splits but readers see as one (*cannot*), with straight
    apostrophes."""
    contraction: Pattern
    """Pattern of a contraction that looks like a word without its apostrophe (*we'll*)."""
    always_capital: WordSet
    """Words that are always capitalised, as they are written (*I*)."""
    indefinite_articles: WordTuple
    """The two forms of the article that depend on the next sound (*a*, *an*), if it has two."""
    takes_other_article: Pattern
    """Pattern of the beginnings that take the second article, or an elided form of ``elided`` or
    ``agreeing``: vowels, but also *8* and *11*."""
    negative_prefixes: WordTuple = ()
    """Beginnings that negate an adjective, adverb or participle: *un-*."""
    function_phrases: WordTuple = ()
    """Multi-word expressions that are grammar as a whole and kept: *in accordance with*."""
    abbreviations: Pattern = ""
    """Pattern of phrases abbreviated to letters and kept, with or without blanks: *z. B.*"""
    written_out: tuple[tuple[str, str], ...] = ()
    """Patterns of abbreviations that models misread, each with what to write, groups included."""
    conjunctions: tuple[tuple[str, str, str], ...] = ()
    """Conjunctions whose form depends on the next sound, as (form, other form, pattern of it)."""
    elided: Mapping[str, Pattern] = field(default_factory=dict)
    """Words that lose their vowel before another vowel, with the elided form: *de*, *d'*."""
    agreeing: tuple[tuple[str, str, str, str], ...] = ()
    """Words that agree with a noun and its sound, as (masculine, feminine, the same two before a
    vowel): *ce, cette, cet, cette*. The first row is the definite article."""
    elides_at_nouns_alone: bool = False
    """True if only a noun's first sound changes the word before: *la alta torre*."""
    contracted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Contractions, with the preposition and the masculine article in them: *du* is *de*, *le*."""
    by_sound: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Words with another form before some sounds: the form, and the pattern of the beginnings that
    take it (*padre e hijo*)."""
    linked: Mapping[str, Pattern] = field(default_factory=dict)
    """Pronouns after a verb, with their form where the verb ends in neither ``d`` nor ``t``: *-il*,
    *-t-il*."""
    possessives: WordTuple = ()
    """Possessive markers behind a plural in -s, and elsewhere, with straight apostrophes (*'*,
    *'s*); empty if none attaches to the word before."""
    titles: WordSet
    """Forms of address that are kept, because translators inflect the next words by them: *Mrs*."""
    honorifics: WordSet
    """Words that precede a name, titles included, without full stop (*dr*, *captain*)."""
    sure_titles: WordSet
    """Titles that only a name follows, in any letter case (*mr*)."""
    before_noun: WordSet
    """Words that make a following lower-case title a noun (*the* in *the dr is in*)."""
    saints: WordTuple
    """Short words that begin a name, as they are written: *St.*"""
    means: Pattern
    """Pattern of the words between a defined term and its definition, after a blank: *means*."""
    called: Pattern
    """Pattern of the words before a term where it is defined: *hereinafter*."""
    heads: WordSet
    """Nouns that begin a name continued by a word of ``of`` and another name: *Bank of Holm*."""
    of: WordSet
    """Words between a noun of ``heads`` and the name that follows (*of*)."""
    foreign_particles: WordSet
    """Particles within foreign names that are no function words here (*von*, *bin*)."""
    name_fields: WordSet
    """Labels of form fields, before a colon, that hold a name (*surname*)."""
    name_labels: WordSet
    """Words that a name may follow, with or without a colon, but other words too: *re*, *dear*."""
    before_names: WordSet = frozenset()
    """Words that no auxiliary verb follows, so that the next word is a name: *to Will*, *State v
    May*."""
    salutations: WordSet
    """Function words after ``name_labels`` that address any reader: *Dear all*."""
    name_endings: WordTuple
    """Inflectional endings of names (*'s*)."""
    person_fields: WordSet = frozenset()
    """Labels of form fields that name who did something (*tenant*); the capitalised words after the
    colon are a name, even if they are ordinary words."""
    before_phrase: WordSet = frozenset()
    """Function words that no finite verb follows at the beginning of a sentence, so that a verb
    makes them a name: *Over phoned*, *Haya vino*."""
    before_copula: WordSet = frozenset()
    """Function words whose only verb is one of grammar: *Such was*, but *Such signed* has a
    name."""
    before_negation: WordSet = frozenset()
    """Adverbs that a finite verb follows only with a negation before it: *jamais*."""
    before_no_name: WordSet = frozenset()
    """Function words that no name follows at the beginning of a statement, so that they are part of
    the name themselves: *Do Kwon*, *He Xiangyu*."""
    alone: WordSet = frozenset()
    """Function words that may be a line or a cell by themselves without being a name: *Yes*,
    *Other*."""
    closings: WordSet = frozenset()
    """Closing words of letters, before a comma and the writer's name: *Yours, An*."""
    list_labels: WordSet = frozenset()
    """Labels, before a colon, of a list that contains only names: *present*."""
    greetings: WordSet = frozenset()
    """Words of letters that a name follows, with or without a comma: *hola*, *atentamente*."""
    capital_in_names: WordSet = frozenset()
    """Function words that are capitalised within a sentence only where they are names."""
    may_have_capital: WordSet = frozenset()
    """Function words that may be capitalised within a sentence but be no name: *Sie*, *Recht*."""
    bare_subject_is_name: bool = False
    """True if a noun without article before its verb must be a name (*Rosa llegó*, but *la rosa*),
    as where common nouns take an article and no capital. Names then continue over several
    particles."""
    nouns_have_capitals: bool = False
    """True if every noun is capitalised (German), so that a capital does not mark a name."""
    between_equals: WordSet = frozenset()
    """Words between two things of which neither is a part of the other: *and*, *or*."""
    compound_links: WordTuple = ()
    """Letters between two parts of a word (*Regierung-s-krise*), if compounds are one word."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Dates:
    """Calendar words, and how dates are written in words."""

    __pydantic_config__ = STRICT

    months: WordTuple
    """Names of the months, in order."""
    short_months: WordTuple
    """Abbreviations of months in dates, without full stop; none of them is a full name."""
    weekdays: WordTuple
    """Names of the weekdays, from Monday."""
    plural_ending: str = ""
    """Plural ending of a weekday (*Mondays*); empty if the plural takes more than an ending."""
    ambiguous: WordSet
    """Months that are ordinary words too (*may*)."""
    small_months: bool = False
    """True if months are written in lower case, so that a date needs no year to be one."""
    of: Pattern
    """Pattern of the word between day and month, or month and year (*of*)."""
    of_month: Pattern
    """Pattern of all words that may stand between day and month (*day of*)."""
    between_days: Pattern
    """Pattern of the words between two days before their month (*3 and 4 May*)."""
    between_days_of: Pattern
    """Pattern of the words between two days after their month (*May 3 to 4*)."""
    born: Pattern
    """Pattern of the words before a date of eight digits (*dob*)."""
    expires: Pattern
    """Pattern of the words before a month without a day, as on cards (*valid thru*)."""
    over_89: Pattern
    """Pattern of ages over 89. The part to replace is a named group: ``worded`` if in words."""
    over_89_sign: Pattern
    """Pattern that matches in every such age; a quick test."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class NumberLabels:
    """Words that distinguish the number of a policy from the dose of a medicine."""

    __pydantic_config__ = STRICT

    phrases: DataFile
    """Phrases that name a number (*policy no.*), by class; the file describes its format."""
    word: Pattern
    """Pattern of words with a blank or hyphen in them that count as one (*bar code*)."""
    units: Pattern
    """Pattern of units after a quantity, in any letter case (*mg*)."""
    after_letter: Pattern
    """Pattern of the words that show that the letter before them ends a code (*is*)."""
    listed: Pattern
    """Pattern of the words between two numbers of a list (*and*)."""
    before_listed: Pattern
    """Pattern of the words that may follow those: *as well as the*."""
    reached: WordSet
    """Words before a telephone number rather than the number of a policy (*reached at*)."""
    within: WordSet
    """Words before a year (*in*)."""
    copulas: WordSet
    """Words that may stand between a common noun and its code (*is*, *with*)."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Places:
    """Words of addresses and of telephone numbers."""

    __pydantic_config__ = STRICT

    streets: Pattern
    """Pattern of the last word of a street's name, as it is written (*Road*)."""
    rooms: Pattern
    """Pattern of the words before the number of a room or a flat, after a street (*Suite*)."""
    flats: Pattern
    """Pattern of the words before the number of a flat, before a house (*Flat*)."""
    fax: WordSet
    """Words that announce a fax number."""
    phone: WordSet
    """Words that announce a telephone number."""
    another_line: Pattern
    """Pattern of the words between two numbers of one person (*or on*)."""
    before_streets: WordSet = frozenset()
    """Words before the capitalised name of a street (*calle*); empty if ``streets`` suffices."""
    before_institutions: WordSet = frozenset()
    """Words before the name of a hospital, a school or a foundation (*clínica*)."""
    kinds_of_institution: WordSet = frozenset()
    """Words in names of institutions that name nobody although capitalised: *universitario*."""
    of_several_words: WordSet = frozenset()
    """Towns and countries whose words are ordinary ones: *buenos aires*."""
    before_cases: WordSet = frozenset()
    """Words before the title of a court case (*affaire*)."""
    versus: Pattern = ""
    """Pattern of the words between the parties of a case (*contre*)."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Boundaries:
    """Exceptions to the sentence splitter: positions where no sentence ends or begins."""

    __pydantic_config__ = STRICT

    never_last: WordSet
    """Abbreviations with full stop that a name or a number follows (*dr.*)."""
    never_first: WordSet
    """Words that begin no sentence (*inc.*)."""
    counting: WordSet
    """Words, with or without full stop, before a number or a code (*no.*)."""
    announcing: WordSet
    """All words that announce a number: those of ``counting``, others, and short months."""
    clause_first: WordSet
    """Words that, after a comma, begin a clause that can be translated by itself (*because*)."""
    clause_within: WordSet
    """Words that begin such a clause without a comma before them (*when*)."""
    says_which: WordSet
    """Words between the label of a number and the number (*is*)."""
    enclitic: Pattern
    """Pattern of tokens that are attached to the word before (*'s*)."""
    street_ending: str
    """Pattern of the endings of words before a house number, whose full stop ends no sentence."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LineEnds:
    """Words that show that a printed line continues on the next."""

    __pydantic_config__ = STRICT

    leads_on: WordSet
    """Words that end no line of an address or a title, so that the next continues it (*of*)."""
    keeps_hyphen: WordSet
    """First parts of words that are always hyphenated: *self-*."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Language:
    """A source language of PRISM."""

    __pydantic_config__ = STRICT

    code: str
    """Code of the language in ISO 639-1."""
    name: str
    """Name of the language in English."""
    other_script: Pattern
    """Pattern of a letter of a script other than the language's own."""
    probe: str
    """Two sentences for trying out a language model."""
    words: Words
    dates: Dates
    numbers: Numbers
    labels: NumberLabels
    places: Places
    boundaries: Boundaries
    line_ends: LineEnds
    frames: Frames
    grammar: Grammar
    model: DataFile
    """Folder of the shipped language model."""
    role_words: DataFile
    """Nouns of courts, contracts and clinics that name nobody, one a line."""
    names_that_are_words: DataFile
    """Names that are ordinary words too, one a line."""
    plain: DataFile
    """Words that are hardly ever a name, one a line, gzipped."""
    never_drawn: DataFile
    """Offensive words that are never used as a substitute, one a line."""
    telling: DataFile
    """Words that reveal something of a person (illness, drugs, crime, belief, sex, origin,
    kinship), gzipped, with the parts of speech in which they do; see ``read_telling``."""
    seldom: DataFile
    """Words with a tag that dictionaries list but the tagger seldom gives, gzipped. They do not
    count for a pool of substitutes; see ``scripts/make-seldom-tags``."""
    near_words: Mapping[str, WordSet] = field(default_factory=dict)
    """Function words, by code, of languages that share half of theirs; shared ones are left out."""
    peoples: DataFile | None = None
    """Words for peoples, faiths and languages, which are names wherever they are capitalised."""
    experimental: bool = False
    """True if too little is measured for documents that are not public."""

    def is_function_word(self, token: str) -> bool:
        """Return True if ``token`` (any case) is kept for its grammar."""
        return token.lower() in self.words.function_words

    def is_indefinite_article(self, token: str) -> bool:
        """Return True if ``token`` (any case) is an article that depends on the next sound."""
        return token.lower() in self.words.indefinite_articles

    def fitting_article(self, text: str) -> str:
        """Return the indefinite article for ``text`` by its sound, or "" without two of them."""
        return "".join(self.words.indefinite_articles[self.elides(text) :][:1])

    def elides(self, text: str) -> bool:
        """Return True if ``text`` begins with a sound that elides the word before it."""
        return re.match(self.words.takes_other_article, text.lstrip(_OPENING_MARKS)) is not None

    def neutral_form(self, word: str) -> str:
        """Return the form of ``word`` for all variants by sound: one of *el*, *la*, *al*, *del*."""
        return self.neutral_forms.get(word.replace("’", "'"), word)

    @property
    def neutral_forms(self) -> Mapping[str, str]:
        """Words that ``neutral_form`` changes, with straight apostrophes, and their forms."""
        return _neutral_forms(self.words)

    def calendar_tag(self, word: str) -> str:
        """Return ``MONTH`` or ``WEEKDAY`` for a calendar word (any case), else an empty string."""
        lower = word.lower()
        if lower in self.dates.months:
            return "MONTH"
        return "WEEKDAY" if lower in self.dates.weekdays else ""


@cache
def _neutral_forms(words: Words) -> Mapping[str, str]:
    """Map each word that its neighbour's sound may change to the form that stands for all."""
    groups = (
        words.indefinite_articles,
        words.possessives[::-1],
        *words.agreeing,
        *words.elided.items(),
        *words.linked.items(),
        *((plain, other) for plain, (other, _) in words.by_sound.items()),
    )
    neutral_forms: dict[str, str] = {}
    for neutral, *others in filter(None, groups):
        neutral_forms |= {form: neutral_forms.get(neutral, neutral) for form in (neutral, *others)}
    return neutral_forms | {
        form: neutral_forms.get(article, article) for form, (_, article) in words.contracted.items()
    }
