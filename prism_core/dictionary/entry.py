"""The words of a dictionary: an entry, its target forms, and what they agree with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One target form of a source word.

    ``text`` is in lower case unless the target language writes it otherwise, and may be a phrase.
    ``score`` is p(w, s, v) = Pr[v in R_w] / Pr[v in R] (eq. 14). ``features`` names the frames the
    form was read off (``she``, ``they`` …): two words of one tag inflect alike where they share a
    feature. Forms seen in running text alone have none.
    """

    text: str
    score: float
    features: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A source word under one tag.

    ``forms`` is L(w, s) in decreasing score. ``confidence``, in [0, 1], is the share of running
    sentences in which a form of the word came back when the word was put in (the probability
    that decoding finds it), ``agreement`` the class g: what the translator wrote around the word.
    An empty ``agreement`` means the class is not known. ``calls`` is what the entry cost.
    """

    word: str
    tag: str
    forms: tuple[Form, ...]
    agreement: str
    confidence: float
    calls: float

    @property
    def score(self) -> float:
        """c(w, s) = max_v p(w, s, v), eq. 15."""
        return self.forms[0].score

    def inflect(self, features: tuple[str, ...]) -> str:
        """The form that shares most of ``features``; the best form when none does."""
        shared = [len(set(form.features).intersection(features)) for form in self.forms]
        return self.forms[shared.index(max(shared))].text
