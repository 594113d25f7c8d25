"""What PRISM must know of a language to translate from it: its words, forms and ways of writing.

entry: ``Language``; its parts are ``Words``, ``Dates``, ``Numbers``, ``NumberLabels``, ``Places``,
``Boundaries``, ``LineEnds``, ``Frames`` and ``Grammar``. A source language is one package of data
for them.

All words are in lower case unless their field says otherwise. A *pattern* is a piece of a regular
expression, to be put into a larger one, and has no group that captures unless its field says so.
Part-of-speech tags are those of the Penn Treebank in every language, as its model gives them; where
words agree in more than these tell, a hyphen and that follow: ``NN-F``, a noun that is feminine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from prism_core.languages.fields import STRICT, DataFile, Pattern, WordSet, WordTuple
from prism_core.languages.frames import Frames, Grammar
from prism_core.languages.numbers import Numbers as Numbers

_OPENING_MARKS = "\"'“‘«([{$£€#+-–~"
"""What may stand before a word or a number, and is not spoken first."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Words:
    """Words that carry grammar, and those that stand beside names."""

    __pydantic_config__ = STRICT

    function_words: WordSet
    """The closed classes, as the tokenizer splits them: kept, since they name nobody.

    A word that is neither here nor in the dictionary never leaves the machine, whatever the tagger
    makes of it; so the list is fixed, public and short, and no tag can widen it.
    """
    clitics: WordSet
    """Tokens that are no words of their own, and stay apart from the word they run into."""
    contractions: WordSet
    """What the tokenizer cuts in two and everyone reads as one, with straight apostrophes."""
    contraction: Pattern
    """Pattern of grammar that looks like a word once its apostrophe is gone."""
    always_capital: WordSet
    """Words, as they are written, that have a capital everywhere."""
    indefinite_articles: WordTuple
    """The two forms of the article that hang on the sound of what follows; empty where none do."""
    takes_other_article: Pattern
    """Pattern of how words, numbers and codes begin that ask for the second of them, or for the
    elided forms of ``elided`` and ``agreeing``."""
    function_phrases: WordTuple = ()
    """Runs of words, in lower case, that are grammar as a whole (*in accordance with*) and are
    kept: they tell no more than a function word does."""
    abbreviations: Pattern = ""
    """Pattern of what is cut short to letters, perhaps with blanks between, and kept: *z. B.*"""
    conjunctions: tuple[tuple[str, str, str], ...] = ()
    """A conjunction, its form before some sounds, the pattern of how words begin that ask for it:
    *y*, *e* before *i*."""
    elided: Mapping[str, Pattern] = field(default_factory=dict)
    """What loses its vowel before another: *de*, *d'*."""
    agreeing: tuple[tuple[str, str, str, str], ...] = ()
    """What agrees with a noun and its sound: masculine, feminine, both before a vowel (*ce, cette,
    cet, cette*); first of all the definite article."""
    elides_at_nouns_alone: bool = False
    """Whether an adjective or a verb that begins so changes nothing: *la alta torre*."""
    contracted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """A preposition and the first form of that article, in one word: *du*."""
    by_sound: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What is another word before some sounds: that word, and the pattern of how they are written
    (*padre e hijo*)."""
    linked: Mapping[str, Pattern] = field(default_factory=dict)
    """What stands after a verb, and how it does where that ends with no ``d`` or ``t``."""
    possessives: WordTuple = ()
    """The mark of possession behind a plural in -s, and behind all else, with straight apostrophes;
    empty where none hangs on the word before it."""
    titles: WordSet
    """Forms of address that are kept: a translator inflects what follows by them."""
    honorifics: WordSet
    """What stands before a name, titles included, without a full stop."""
    sure_titles: WordSet
    """Those titles that nothing but a name follows, in any case."""
    before_noun: WordSet
    """Words after which a title in small letters is a noun: *the dr is in*."""
    saints: WordTuple
    """Short words that begin a name, as they are written: *St.*"""
    means: Pattern
    """Pattern of what follows a term where it is defined, a blank before it: *means*."""
    called: Pattern
    """Pattern of what stands before one: *hereinafter*."""
    heads: WordSet
    """What begins a name that goes on with one of ``of`` and a name: *Bank of Holm*."""
    of: WordSet
    foreign_particles: WordSet
    """Small words within names that are no grammar here, so that no name need stand before them."""
    name_fields: WordSet
    """What stands before the colon where a form asks for a name."""
    name_labels: WordSet
    """What a name may follow, with a colon or without, but other words as well: *re*, *dear*."""
    before_names: WordSet = frozenset()
    """After these no auxiliary stands: *to Will*, *State v May*."""
    salutations: WordSet
    """Function words that stand after ``name_labels`` for whoever reads: *Dear all*."""
    name_endings: WordTuple
    """What grammar puts at the end of a name."""
    person_fields: WordSet = frozenset()
    """What stands before the colon where a form tells who did something: the words with a capital
    that follow are a name, ordinary or not."""
    before_phrase: WordSet = frozenset()
    """Function words that no finite verb follows where a sentence begins with them: conjunctions
    and prepositions (*Denn hat es gesehen*, *Over phoned*), and verbs (*Haya vino*)."""
    before_copula: WordSet = frozenset()
    """Function words of which none but those of grammar can be the verb: *Such was*, *Tal era*, but
    *Such signed*."""
    before_negation: WordSet = frozenset()
    """Adverbs that no finite verb follows without a word of negation before it: *jamais*."""
    before_no_name: WordSet = frozenset()
    """Function words that no name follows where a sentence begins with them, unless it asks: *Do
    Kwon*, *He Xiangyu*."""
    alone: WordSet = frozenset()
    """Function words that are a line or a cell by themselves and name nobody: *Yes*, *Other*."""
    closings: WordSet = frozenset()
    """Words of letters that whoever wrote them signs after, with a comma: *Yours, An*."""
    list_labels: WordSet = frozenset()
    """What a list of names alone stands behind, with a colon: *present*."""
    greetings: WordSet = frozenset()
    """Words of letters that a name follows, with a comma or without: *hola*, *atentamente*."""
    capital_in_names: WordSet = frozenset()
    """Function words that have a capital within a sentence where they are names alone."""
    may_have_capital: WordSet = frozenset()
    """Function words that may have a capital within a sentence and name nobody: out of courtesy, in
    titles, as nouns: *Sie*, *Recht*, *Usted*."""
    bare_subject_is_name: bool = False
    """Whether a noun alone before its verb must be a name: *Rosa llegó*, but *la rosa*. So it is
    where common nouns have an article and no capital; names are told by both there (see ``names``),
    and are followed over several small words: *Haya de la Torre*."""
    nouns_have_capitals: bool = False
    """Whether every noun has a capital, so that it tells nothing of names: no word that is hardly
    ever one is a name for it, nor a compound that ends in such a noun."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Dates:
    """The calendar, and how days are written in words."""

    __pydantic_config__ = STRICT

    months: WordTuple
    short_months: WordTuple
    """As they are cut short in dates, without a full stop; none that is a whole month."""
    weekdays: WordTuple
    plural_ending: str = ""
    """What makes several of a weekday (*Mondays*); empty where that takes more than an ending."""
    ambiguous: WordSet
    """Months that are ordinary words too."""
    small_months: bool = False
    """Whether months are written in small letters, so that they need no year to be a date."""
    of: Pattern
    """Pattern of the word between a day and its month, or a month and its year."""
    of_month: Pattern
    """Pattern of all the words that may stand between a day and its month."""
    between_days: Pattern
    """Pattern of the words between two days that a month follows."""
    between_days_of: Pattern
    """Pattern of the words between two days that a month stands before."""
    joiners: WordSet
    """Words between the parts of one date."""
    born: Pattern
    """Pattern of what is said before a date of eight digits."""
    expires: Pattern
    """Pattern of what is said before a month without its day, as on cards."""
    over_89: Pattern
    """Pattern of ages over 89. What is to be replaced is in a named group: ``worded`` if it is
    written in words, and any other name if in digits."""
    over_89_sign: Pattern
    """Pattern of what is in every such age."""

    def month_number(self, word: str) -> int | None:
        """The number of the month that ``word`` names, in full or cut short."""
        word = word.lower().rstrip(".")
        for number, name in enumerate(self.months, start=1):
            if word in (name, name[:3]) or (word in self.short_months and name.startswith(word)):
                return number
        return None

    def month_like(self, like: str, month: int) -> str:
        """The name of ``month`` (from 1), cut short and in the letters that ``like`` is in."""
        name = self.months[month - 1]
        name = name if self.small_months and like.islower() else name.capitalize()
        if len(like) < len(self.months[(self.month_number(like) or 1) - 1]):
            name = name[:3]
        return name.upper() if like.isupper() else name


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class NumberLabels:
    """What tells the number of a policy from the dose of a medicine."""

    __pydantic_config__ = STRICT

    phrases: DataFile
    """The phrases that name a number, by class; the file says how it is written."""
    word: Pattern
    """Pattern of words that are one although a blank or hyphen is in them."""
    units: Pattern
    """Pattern of words that follow a quantity, in any case."""
    after_letter: Pattern
    """Pattern of words that tell that the letter before them ends a code."""
    listed: Pattern
    """Pattern of the words between two numbers of a list."""
    before_listed: Pattern
    """Pattern of the words after those: *as well as the*."""
    reached: WordSet
    """Words before a number under which somebody is reached: it is none of a policy."""
    within: WordSet
    """Words before a year."""
    copulas: WordSet
    """What may stand between a common word and its code."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Places:
    """Where somebody lives, and how to reach them."""

    __pydantic_config__ = STRICT

    streets: Pattern
    """Pattern of what a street's name ends in, as it is written."""
    rooms: Pattern
    """Pattern of what stands before the number of a room or a flat, after a street."""
    flats: Pattern
    """Pattern of what stands before the number of a flat, before a house."""
    fax: WordSet
    phone: WordSet
    another_line: Pattern
    """Pattern of the words between one number and another of the same person."""
    before_streets: WordSet = frozenset()
    """What stands before the name of a street, a capital after it: *calle*; empty where such names
    are told by what follows."""
    before_institutions: WordSet = frozenset()
    """What stands before the name of a hospital, a school, a foundation."""
    kinds_of_institution: WordSet = frozenset()
    """Words with a capital in names of institutions that name nobody: *universitario*."""
    of_several_words: WordSet = frozenset()
    """Towns and countries whose words are ordinary ones by themselves: *buenos aires*."""
    before_cases: WordSet = frozenset()
    """What stands before the title of a case."""
    versus: Pattern = ""
    """Pattern of what stands between its sides."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Boundaries:
    """Where no sentence ends or begins, whatever a splitter thinks."""

    __pydantic_config__ = STRICT

    never_last: WordSet
    """Abbreviations with their full stops that a name or a number follows."""
    never_first: WordSet
    counting: WordSet
    """Words, with full stops or without, that count what follows if that is a number or a code."""
    announcing: WordSet
    """These, and all other words that announce a number, short months included."""
    clause_first: WordSet
    """Words that begin a clause after a comma; it can be translated by itself."""
    clause_within: WordSet
    """Words that begin one after a word."""
    says_which: WordSet
    """Words between a number's name and the number."""
    enclitic: Pattern
    """Pattern of tokens that run on from the word before."""
    street_ending: str
    """How words end that a house number follows; they end a sentence by accident."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LineEnds:
    """Words by which lines of print that go on with each other are told."""

    __pydantic_config__ = STRICT

    leads_on: WordSet
    """Words that no line of an address or a title ends with: the next one goes on."""
    keeps_hyphen: WordSet
    """First parts of words that have a hyphen wherever they stand: *self-*."""


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class Language:
    """A language that PRISM translates from."""

    __pydantic_config__ = STRICT

    code: str
    """ISO 639-1."""
    name: str
    other_script: Pattern
    """Pattern of a letter of another script than the language is written in."""
    probe: str
    """Two sentences, by which a language model is tried out."""
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
    """The folder of the language model that ships."""
    role_words: DataFile
    """Nouns of courts, contracts and clinics that name nobody, one a line."""
    names_that_are_words: DataFile
    """Names that are ordinary words too, one a line."""
    plain: DataFile
    """Words that are hardly ever a name, one a line, gzipped."""
    never_drawn: DataFile
    """Words that are never sent in the place of another, since they offend, one a line."""
    kept: DataFile
    """Common words that tell nothing of a person, one a line: these alone are kept below τ."""
    telling: DataFile
    """Words that tell something of a person (illness, drugs, crime, belief, sex, origin, kinship,
    persons), gzipped: each with the parts of speech that it does so as, see ``read_telling``."""
    seldom: DataFile
    """Words, each with a tag that dictionaries have and the tagger seldom gives it, gzipped: they
    count for no pool. See ``scripts/make-seldom-tags``."""
    peoples: DataFile | None = None
    """Words for peoples, faiths and languages, which are names wherever they have a capital."""
    experimental: bool = False
    """Whether too little of it is measured for documents that are not public."""

    def is_function_word(self, token: str) -> bool:
        """Whether ``token`` (any case) is kept for its grammar."""
        return token.lower() in self.words.function_words

    def is_indefinite_article(self, token: str) -> bool:
        """Whether ``token`` (any case) is an article that hangs on the sound of what follows."""
        return token.lower() in self.words.indefinite_articles

    def fitting_article(self, text: str) -> str:
        """The indefinite article that stands before ``text``, by how that is spoken; empty in a
        language that has not two."""
        return "".join(self.words.indefinite_articles[self.elides(text) :][:1])

    def elides(self, text: str) -> bool:
        """Whether ``text`` begins with a sound that what stands before it is elided at."""
        return re.match(self.words.takes_other_article, text.lstrip(_OPENING_MARKS)) is not None

    def neutral_form(self, word: str) -> str:
        """``word``, in lower case and kept, as it is told from others before what stands beside it
        is drawn: *el*, *la*, *al* and *del* are one where the sound of that decides."""
        return self.neutral_forms.get(word.replace("’", "'"), word)

    @property
    def neutral_forms(self) -> Mapping[str, str]:
        """All words that ``neutral_form`` changes, with ' in them, and what it makes of each."""
        return _neutral_forms(self.words)

    def calendar_tag(self, word: str) -> str:
        """``MONTH`` or ``WEEKDAY`` for a word (any case) of the calendar, empty for any other."""
        lower = word.lower()
        if lower in self.dates.months:
            return "MONTH"
        return "WEEKDAY" if lower in self.dates.weekdays else ""


@cache
def _neutral_forms(words: Words) -> Mapping[str, str]:
    """Every word that a word beside it may change, with the one that stands for all it may be."""
    groups = (
        words.indefinite_articles,
        words.possessives[::-1],
        *words.agreeing,
        *words.elided.items(),
        *words.linked.items(),
        *((plain, other) for plain, (other, _) in words.by_sound.items()),
    )
    alike: dict[str, str] = {}
    for first, *others in filter(None, groups):
        alike |= {form: alike.get(first, first) for form in (first, *others)}
    return alike | {
        form: alike.get(article, article) for form, (_, article) in words.contracted.items()
    }
