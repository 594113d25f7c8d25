"""A miniature source language of a few words of Esperanto: no more than a package needs."""

from pathlib import Path

from prism_core.languages import (
    Boundaries,
    Dates,
    Frame,
    Frames,
    Grammar,
    Language,
    LineEnds,
    NumberLabels,
    Numbers,
    Places,
    Words,
)

_HERE = Path(__file__).parent
_TITLES = frozenset({"sro", "sino"})
_DIGITS = {
    word: value for value, word in enumerate("unu du tri kvar kvin ses sep ok naŭ".split(), start=1)
}

LANGUAGE = Language(
    code="xx",
    name="Miniature",
    other_script="[\u0400-\u04ff]",
    probe="Jen unua frazo. Jen alia.",
    words=Words(
        function_words=_TITLES | frozenset("la kaj de en estas li ŝi ni kun por al".split()),
        clitics=frozenset(),
        contractions=frozenset(),
        contraction="(?!)",
        always_capital=frozenset(),
        indefinite_articles=(),
        vowels=frozenset(),
        titles=_TITLES,
        honorifics=_TITLES | {"doktoro"},
        saints=(),
        heads=frozenset({"banko"}),
        of=frozenset({"de"}),
        foreign_particles=frozenset({"van"}),
        name_fields=frozenset({"nomo"}),
        name_endings=("n",),
    ),
    dates=Dates(
        months=tuple(
            "januaro februaro marto aprilo majo junio julio aŭgusto septembro oktobro novembro "
            "decembro".split()
        ),
        short_months=("jan", "feb", "mar", "apr", "okt", "nov", "dec"),
        weekdays=tuple("lundo mardo merkredo ĵaŭdo vendredo sabato dimanĉo".split()),
        ambiguous=frozenset(),
        of="de",
        of_month="de",
        between_days="(?:kaj|ĝis)",
        between_days_of="(?:kaj|ĝis)",
        joiners=frozenset({"de", "la"}),
        born=r"\bnaskita\b",
        expires=r"\bvalida ĝis\b",
        over_89=r"\b(?P<before>9\d)(?=-jara\b)",
        over_89_sign=r"9\d-jara",
    ),
    numbers=Numbers(
        ordinal_endings=("-a",),
        usual_ordinal_ending="-a",
        ordinal_ending_of={},
        usual_ordinals=frozenset(),
        up_to_9=_DIGITS,
        from_10={"dek": 10},
        by_ten={"dudek": 20},
        hundred="cent",
        hundredth="centa",
        magnitudes={"mil": 1000},
        noughts=frozenset({"nul"}),
        noughts_among_digits=frozenset(),
        times={"duoble": 2},
        marks=frozenset({"streko"}),
        one=(),
        plus=(),
    ),
    labels=NumberLabels(
        phrases=_HERE / "numbers.txt",
        word="(?!)",
        units="eŭroj|jaroj",
        after_letter="estas|kaj",
        listed="kaj",
        before_listed="la",
        reached=frozenset({"ĉe"}),
        within=frozenset({"en"}),
        copulas=frozenset({"estas"}),
    ),
    places=Places(
        streets="Strato|Placo",
        rooms="Ĉambro",
        flats="Apartamento",
        fax=frozenset({"fakso"}),
        phone=frozenset({"telefono"}),
        another_line="aŭ",
    ),
    boundaries=Boundaries(
        never_last=frozenset({"d-ro."}),
        never_first=frozenset(),
        counting=frozenset({"n-ro"}),
        announcing=frozenset({"n-ro", "numero"}),
        says_which=frozenset({"estas"}),
        enclitic="(?!)",
        street_ending="strato",
    ),
    line_ends=LineEnds(leads_on=frozenset({"la", "de"}), keeps_hyphen=frozenset({"mem"})),
    frames=Frames(
        of_tags={"NN": (Frame("noun", "La ruĝa {} estis tie."),)},
        behaviour={},
        name=Frame("name", "Ili parolis pri {} tie."),
        name_contexts=(),
        alike=(("La domo de {} estis tie.",) * 2, ("{} estis tie.", "Li diris: {} estis tie.")),
        numerals=("du", "tri"),
        tags_by_ending={"": ("NN",)},
        of_time=frozenset({"ĉiu"}),
        term_contexts=("{}",),
    ),
    grammar=Grammar(
        persons={"li": "she"},
        modals={},
        be=frozenset({"estas"}),
        have=frozenset(),
        relative=frozenset({"kiu"}),
    ),
    model=_HERE,
    role_words=_HERE / "roles.txt",
    names_that_are_words=_HERE / "also_words.txt",
)
