"""Abbreviations of English, and words that a number follows."""

from __future__ import annotations

from prism_core.languages.base import Boundaries
from prism_core.languages.en.dates import DATES

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
    | frozenset(DATES.short_months),
    says_which=frozenset("is was reads".split()),
    enclitic="'s|n't",
    street_ending="str",
)
