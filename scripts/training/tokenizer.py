"""How the shipped pipelines cut words: spaCy's rules, mended where the treebanks disagree.

Only training needs this module: a trained pipeline carries its tokenizer's patterns on disk.
A rule is here because it mends more tokens of the training sets than it breaks.
"""

from __future__ import annotations

import re
from typing import Any

from spacy.lang.char_classes import ALPHA, HYPHENS
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

# The treebanks keep "non-profit" and "e-mail" whole and split "search-engine".
_BOUND_PREFIXES = (
    "anti co counter cross e ex inter mid mini mis multi non over post pre pro re semi sub"
).split()

# Forms that end in a full stop wherever they stand, and that spaCy would split.
_ABBREVIATIONS = (
    "Arrv. Attn. Blvd. Capt. Col. Conf. Drs. Esp. Fri. Ft. Lt. Ltd. Maj. Mlle. Mon. No. Nos. Pp. "
    "Prof. Reps. Sat. Sec. Sen. Sr. Thu. Thur. Thurs. Tue. Tues. Vol. Wed. approx. arrv. al. "
    "ca. cf. div. dom. eg. esp. et. ext. fig. figs. nos. pp. rec. sec. viz. vol. vols. "
    "Arts. Fig. Figs. Op. Cir. Supp. App. Dist. Eds. eds."
).split()

# spaCy reads these ordinary words as contractions without their apostrophe ("I'd", "we'd").
_NOT_CONTRACTIONS = ("id", "Id", "wed", "Wed", "and/or")

# Runs of one sign are one token: "!!!", "____", ">>".
_RUNS = (r"[!?]{2,}", "<<+", ">>+", r"\*\*+", "__+", "==+", "~~+", r"\)\)+", r"\(\(+")

# Whole when nothing but affixes surrounds them: runs of signs, phone and record numbers.
_WHOLE = re.compile(r"(?:([!?=_*<>~#+-])\1+|[!?]{2,}|\d+(?:-\d+)+)$")

# A French verb and the pronouns at its end: "a-t-il", "donne-le-moi".
_PRONOUNS = "je|tu|ils?|elles?|on|nous|vous|ce|l[ae]|les|lui|leur|moi|toi|en|y"
_FRENCH = (
    "rendez-vous week-end c'est-à-dire quelqu'un quelqu'une aujourd'hui prud'homme prud'hommes "
    "prud'homal prud'homale prud'homaux prud'homie presqu'île"
).split()

_GERMAN = (
    "ca. Ca. Std. std. Hr. Hrn. Fr. Frl. Prof. Str. str. Abs. Abschn. Art. Nr. Nrn. Rn. Rdnr. Rz. "
    "Ziff. Kap. Bd. Bde. Bl. Anl. Anm. Abb. Tab. Az. Gz. Tel. Urt. Beschl. geb. gest. gez. verh. "
    "gem. lt. ggf. Ggf. evtl. Evtl. inkl. exkl. zzgl. abzgl. sog. bspw. insb. insbes. einschl. "
    "ggü. stellv. vgl. Vgl. bzw. Mio. Mrd. Tsd. z.B. Z.B. d.h. u.a. i.d.R. i.V. i.A. i.S.d. "
    "i.V.m. o.ä. "
    "u.U. v.a. z.T. z.Zt. a.a.O. m.E. e.V. e.K. Dipl.-Ing. Dr.-Ing. bds. Z.n. St.p. V.a. o.B."
).split()


def adjust_tokenizer(nlp: Language) -> Language:
    """Give ``nlp`` the rules of this module, in place; the same pipeline is returned.

    spaCy's for Spanish stay as they are: they find 99.8 % of the tokens of its treebank.
    """
    if nlp.lang == "en":
        _adjust_english(nlp)
    elif nlp.lang == "fr":
        _adjust_french(nlp)
    elif nlp.lang == "de":
        _adjust_german(nlp)
    return nlp


def _adjust_german(nlp: Language) -> None:
    """A compound with a hyphen is its parts (*EU-Staaten*), but for one letter (*E-Mail*)."""
    tokenizer: Any = nlp.tokenizer
    within = rf"(?<=[{ALPHA}][{ALPHA}])(?:{HYPHENS})(?=[{ALPHA}])"
    rules = [*map(str, nlp.Defaults.infixes or ()), within]
    tokenizer.infix_finditer = compile_infix_regex(rules).finditer
    suffixes = [*_RUNS, *map(str, nlp.Defaults.suffixes or ())]
    ends = (rf"(?<=[{ALPHA}][{ALPHA}])-", rf"(?<=[{ALPHA}])['’]s")
    tokenizer.suffix_search = compile_suffix_regex([*suffixes, *ends]).search
    tokenizer.token_match = _WHOLE.match
    forms = {form: [{ORTH: form}] for form in _GERMAN if form not in tokenizer.rules}
    kept = {form: parts for form, parts in tokenizer.rules.items() if len(parts) == 1}
    tokenizer.rules = kept | forms


def _adjust_french(nlp: Language) -> None:
    """Words with a hyphen are one, but for the pronouns of a verb."""
    tokenizer: Any = nlp.tokenizer
    pronouns = rf"(?<=[{ALPHA}])-(?:t-)?(?i:{_PRONOUNS})"
    suffixes = [rule for rule in map(str, nlp.Defaults.suffixes or ()) if "vous" not in rule]
    tokenizer.suffix_search = compile_suffix_regex([*_RUNS, *suffixes, pronouns]).search
    infixes = [
        rule
        for rule in map(str, nlp.Defaults.infixes or ())
        if f"(?:{HYPHENS})(?=[{ALPHA}]" not in rule
    ]
    tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    tokenizer.token_match = _WHOLE.match
    forms = [*_FRENCH, *(form.capitalize() for form in _FRENCH)]
    kept = {form: parts for form, parts in tokenizer.rules.items() if "-" not in form}
    tokenizer.rules = kept | {form: [{ORTH: form}] for form in forms}


def _adjust_english(nlp: Language) -> None:
    tokenizer: Any = nlp.tokenizer
    tokenizer.prefix_search = compile_prefix_regex(_prefixes(nlp)).search
    tokenizer.suffix_search = compile_suffix_regex(_suffixes(nlp)).search
    tokenizer.infix_finditer = compile_infix_regex(_infixes(nlp)).finditer
    tokenizer.token_match = _WHOLE.match
    rules = {
        form: parts for form, parts in tokenizer.rules.items() if form not in _NOT_CONTRACTIONS
    }
    rules.update({form: [{ORTH: form}] for form in _ABBREVIATIONS})
    tokenizer.rules = rules


def _prefixes(nlp: Language) -> list[str]:
    return [*_RUNS, *map(str, nlp.Defaults.prefixes or ())]


def _suffixes(nlp: Language) -> list[str]:
    return [*_RUNS, *map(str, nlp.Defaults.suffixes or ()), r"(?<=[0-9])(?:[AaPp][Mm]|[ap]\.m\.)"]


def _infixes(nlp: Language) -> list[str]:
    hyphen = rf"(?<=[{ALPHA}0-9])(?:{HYPHENS})(?=[{ALPHA}])"
    between_digits = r"(?<=[0-9])[+\-\*^](?=[0-9-])"
    kept = [
        str(rule) for rule in nlp.Defaults.infixes or () if rule not in (hyphen, between_digits)
    ]
    unbound = "".join(rf"(?<!\b(?i:{prefix}))" for prefix in _BOUND_PREFIXES)
    plural = rf"(?<=[{ALPHA}])\((?=[A-Za-z]+$)"
    return [*kept, unbound + hyphen, r"(?<=[0-9])[+\*^](?=[0-9-])", plural]
