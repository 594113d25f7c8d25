"""Short English sentences with one open place, which a translator fills in by inflecting."""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.languages.frames import Frame, Frames, Grammar, make_frames

_ADJECTIVE = make_frames(
    house="The {} house was there.",
    book="The {} book was there.",
    houses="The {} houses were there.",
    books="The {} books were there.",
)
_FINITE = make_frames(
    they="They {} there.", i="I {} there.", we="We {} there.", you="You {} there."
)

_OF_TAGS: Mapping[str, tuple[Frame, ...]] = {
    "NN": make_frames(noun="The red {} was there."),
    "NNS": make_frames(noun="The red {} were there."),
    "MONTH": make_frames(month="They met on 14 {} 2019."),
    "WEEKDAY": make_frames(weekday="It was there on {}."),
    "JJ": _ADJECTIVE,
    "JJR": _ADJECTIVE,
    "JJS": _ADJECTIVE,
    "RB": make_frames(adverb="She ran there {}."),
    "RBR": make_frames(adverb="She ran there {}."),
    "CD": make_frames(count="They saw {} houses."),
    "VBZ": make_frames(she="She {} there.", house="The house {} there."),
    "VBP": _FINITE,
    "VBD": (*make_frames(she="She {} there."), *_FINITE),
    "VBG": make_frames(
        progressive="She is {} there.",
        was="She was {} there.",
        were="They were {} there.",
        are="They are {} there.",
        who="The men {} there left.",
        subject="{} there is good.",
        after="She left after {} there.",
    ),
    "VBN": make_frames(
        house="The house was {} there.",
        book="The book was {} there.",
        houses="The houses were {} there.",
        books="The books were {} there.",
        perfect="She has {} there.",
    ),
    "VB": make_frames(
        infinitive="She wants to {} there.",
        will_she="She will {} there.",
        will_they="They will {} there.",
        would_she="She would {} there.",
        would_they="They would {} there.",
        did_she="She did not {} there.",
        did_they="They did not {} there.",
        does_she="She does not {} there.",
        do_they="They do not {} there.",
    ),
}

_BEHAVIOUR: Mapping[str, tuple[Frame, ...]] = {
    "NN": make_frames(and_="They saw salt and {} there.", to="They had the {} to go there."),
    "NNS": make_frames(and_="They saw salt and {} there.", to="They had the {} to go there."),
    "JJ": make_frames(and_="The house was big and {} there."),
    "VBN": make_frames(to="She has {} to go there."),
    "VBG": make_frames(to="She is {} to go there."),
    "VB": make_frames(to="She will {} to go there.", that="She will {} it was there."),
    "VBP": make_frames(to="They {} to go there.", that="They {} it was there."),
    "VBZ": make_frames(to="She {} to go there.", that="She {} it was there."),
    "VBD": make_frames(to="She {} to go there.", that="She {} it was there."),
}


FRAMES = Frames(
    of_tags=_OF_TAGS,
    behaviour=_BEHAVIOUR,
    name=Frame("name", "They spoke of {} there."),
    name_contexts=(
        "Yesterday {} spoke with the doctor.",
        "They gave the book to {} on Monday.",
        "The letter was written by {} and sent.",
    ),
    alike=(
        ("{}'s house was there.", "The house of {} was there."),
        ("{} was there.", "They said that {} was there."),
    ),
    numerals=tuple(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty "
        "ninety hundred thousand million billion".split()
    ),
    tags_by_ending={
        "ing": ("VBG", "NN", "JJ"),
        "ed": ("VBD", "VBN", "JJ"),
        "ly": ("RB", "JJ"),
        "s": ("NNS", "VBZ"),
        "": ("NN", "VB", "JJ"),
    },
    of_time=frozenset("every all each this that next last one".split()),
)

_PERSONS = {"i": "i", "we": "we", "you": "you", "they": "they", "he": "she", "she": "she"}
_PERSONS |= {"it": "she", "this": "she", "that": "she", "these": "they", "those": "they"}
_MODALS = {"to": "infinitive", "will": "will", "'ll": "will", "’ll": "will", "wo": "will"}
_MODALS |= {"would": "would", "'d": "would", "’d": "would", "did": "did", "does": "does"}
_MODALS |= {"do": "do"} | dict.fromkeys("can could may might must should ca".split(), "can")

_SUBJECTS = {
    "i": ("Number=Sing", "Person=1"),
    "we": ("Number=Plur", "Person=1"),
    "you": ("Person=2",),
    "she": ("Number=Sing", "Person=3"),
    "they": ("Number=Plur", "Person=3"),
}

GRAMMAR = Grammar(
    persons=_PERSONS,
    subjects=_SUBJECTS,
    modals=_MODALS,
    be=frozenset("be am is are was were been being 's 're 'm ’s ’re ’m".split()),
    have=frozenset("have has had having 've ’ve 'd ’d".split()),
    relative=frozenset("who which that".split()),
    outside_phrases=frozenset(
        "of by that if whether because although though while since unless until "
        "not also still very too just only n't".split()
    ),
)
