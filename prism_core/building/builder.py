"""Builds a dictionary from a translator and non-sensitive text, and from nothing else.

Frames propose the forms of a word and its agreement class; carriers try them out in running text,
as long as the result is in doubt. Everything that is sent is public text with dictionary words put
in. See docs/dictionary.md.

Entry: ``DictionaryBuilder.build``: ``_proposals`` for each tag, ``_drafts`` of what T knows, then
``_try_out`` until each word is settled, and ``try_phrases``. ``estimate_entries`` says beforehand
how many texts that is, how long it takes and at what price.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.building.carrier_sentences import CarrierSentences, choose_carriers
from prism_core.building.corpus_entries import build_corpus_entries
from prism_core.building.evidence import BaseRate, Evidence, is_settled, weigh
from prism_core.building.frame_queries import (
    PACKED,
    Ask,
    FrameReader,
    FrameReading,
    Proposal,
    list_name_contexts,
    make_proposed_entry,
    make_untranslated_entries,
    may_stay_unchanged,
    select_known_proposals,
    translate_packed,
)
from prism_core.building.paper import PaperBuilder, PaperPlan
from prism_core.building.phrase_trials import (
    LEAST_CONFIDENT,
    find_testable_phrases,
    score_whole_phrase,
    try_phrases,
)
from prism_core.building.word_candidates import Candidate
from prism_core.dictionary import FUNCTION_TAG, Entry
from prism_core.language import Sentence
from prism_core.languages import Frame, Language
from prism_core.mechanisms import capitalise
from prism_core.translators import Limits, Price, Sent

Key = tuple[str, str]
"""A word and its tag."""


COMPANY = 400
"""Known words of a tag that are put into its frames beside phrases, at most."""
USUAL_SHARE = 0.05
"""A residue of more than this share of a tag's words is a usual one."""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """How much a build may cost.

    ``packed`` frame sentences make a text, or ``packed_carriers`` carriers. A word is tried out in
    at least ``least_probes`` of ``carriers`` sentences and, where these disagree, in up to
    ``most_probes``. ``seed`` is for the choice of both.
    """

    packed: int = 16
    packed_carriers: int = 8
    least_probes: int = 3
    most_probes: int = 8
    carriers: int = 6000
    seed: int = 20240717


def build_entries(
    words: Sequence[Candidate],
    sentences: Iterable[Sentence],
    translate: Ask,
    language: Language,
    plan: BuildPlan | PaperPlan,
) -> list[Entry]:
    """The entries of ``words`` in the way of ``plan``, tried out in ``sentences``."""
    if isinstance(plan, PaperPlan):
        return PaperBuilder(translate, plan).build(words, sentences)
    return DictionaryBuilder(translate, language, plan).build(words, sentences)


def build_additional_entries(
    wanted: Sequence[Candidate],
    known: Mapping[Key, Entry],
    sentences: Sequence[Sentence],
    translate: Ask,
    language: Language,
) -> list[Entry]:
    """Entries of ``wanted`` beside ``known``: see ``DictionaryBuilder.build_additional_entries``."""
    return DictionaryBuilder(translate, language).build_additional_entries(wanted, known, sentences)


class DictionaryBuilder:
    """One build; ``calls`` counts the texts that were translated."""

    def __init__(self, translate: Ask, language: Language, plan: BuildPlan | None = None) -> None:
        self._language, self._frames = language, language.frames
        self._translate = translate
        self._plan = plan or BuildPlan()
        self.calls = 0

    def build(self, words: Sequence[Candidate], sentences: Iterable[Sentence]) -> list[Entry]:
        """An entry for every word of ``words`` that T translates, and for function words.

        Words that T leaves as they are come as entries of their own tags (``LEFT_PREFIX``); the
        rest has none.
        """
        rng, sentences = Random(self._plan.seed), list(sentences)
        proposals = [
            proposal
            for tag, group in _group_by_tag(words).items()
            for proposal in self._proposals(tag, group)
        ]
        accepted = select_known_proposals(proposals)
        known = self._drafts(accepted)
        drafts = {key: draft for key, draft in known.items() if " " not in key[0]}
        carriers = choose_carriers(sentences, rng, most=self._plan.carriers)
        texts = [sentence.text.strip() for sentence in carriers]
        baseline = translate_packed(self._ask, texts, self._plan.packed_carriers)
        evidence = self._try_out(
            drafts, CarrierSentences(carriers, drafts, self._language), baseline, rng
        )
        base = BaseRate(baseline)
        entries = {key: evidence[key].entry(drafts[key], base) for key in drafts if key in evidence}
        phrases = [draft for key, draft in known.items() if " " in key[0]]
        families = {(word.word, word.tag): word.family for word in words if word.family}
        size = self._plan.packed_carriers
        return [
            *entries.values(),
            *try_phrases(phrases, entries, sentences, self._ask, size, rng, families),
            *make_untranslated_entries(proposals, accepted, 1 / self._plan.packed),
            # How T renders function words is read off the carriers, which it translated anyway.
            *(
                entry
                for entry in build_corpus_entries(carriers, {"": baseline}, self._language)
                if entry.tag == FUNCTION_TAG
            ),
        ]

    def build_additional_entries(
        self,
        wanted: Sequence[Candidate],
        known: Mapping[Key, Entry],
        sentences: Sequence[Sentence],
    ) -> list[Entry]:
        """Entries of ``wanted`` beside those of the ``known`` single words.

        Phrases that ``sentences`` have are tried there as ``try_phrases`` does. The others stand
        in for words of their class, as words do, and need a confidence of ``LEAST_CONFIDENT``.
        """
        rng = Random(self._plan.seed)
        proposals = []
        for tag, group in _group_by_tag(wanted).items():
            words = [Candidate(word, of, 0) for word, of in sorted(known) if of == tag]
            company = rng.sample(words, min(COMPANY, len(words)))  # frames are read off many
            proposals += self._proposals(tag, [*group, *company])
        asked = {(one.word, one.tag) for one in wanted}
        found = self._drafts(select_known_proposals(proposals))
        drafts = {key: draft for key, draft in found.items() if key in asked}
        families = {(one.word, one.tag): one.family for one in wanted if one.family}
        size = self._plan.packed_carriers
        seen = [draft for draft in drafts.values() if draft.is_phrase]
        tried = try_phrases(seen, known, sentences, self._ask, size, rng, families)
        shown = {families.get(key, "") for key in find_testable_phrases(seen, sentences)}
        unseen = {key: one for key, one in drafts.items() if families.get(key) not in shown}
        carriers = choose_carriers(sentences, rng, most=self._plan.carriers)
        texts = [sentence.text.strip() for sentence in carriers]
        baseline = translate_packed(self._ask, texts, size)
        evidence = self._try_out(
            unseen, CarrierSentences(carriers, known, self._language), baseline, rng
        )
        base = BaseRate(baseline)
        stood_in = [
            (unseen[key], found)
            for key, found in evidence.items()
            if key in unseen and found.confidence >= LEAST_CONFIDENT
        ]
        return [
            *tried,
            *(
                score_whole_phrase(draft, found.confidence, draft.calls + found.calls)
                if draft.is_phrase
                else found.entry(draft, base)
                for draft, found in stood_in
            ),
        ]

    def _ask(self, texts: Sequence[str]) -> list[str]:
        self.calls += len(texts)
        return self._translate(texts)

    def _proposals(self, tag: str, words: Sequence[Candidate]) -> list[Proposal]:
        """``words``, all of ``tag``, in its frames: those that two leave unchanged in no more."""
        first, *others = self._frames.of_tags[tag]
        shown = {frame: self._fill_frame(frame, words) for frame in (first, *others[-1:])}
        rest = words
        if not may_stay_unchanged(tag):
            rest = [
                word
                for word in words
                if any(
                    word in filled and filled[word].form != word.word for filled in shown.values()
                )
            ]
        shown |= {frame: self._fill_frame(frame, rest) for frame in others[:-1]}
        after = [self._fill_frame(frame, rest) for frame in self._frames.behaviour.get(tag, ())]
        return [
            Proposal(
                word,
                tuple(shown[frame].get(word) for frame in self._frames.of_tags[tag]),
                tuple(filled.get(word) for filled in after),
            )
            for word in words
        ]

    def _drafts(self, accepted: Sequence[Proposal]) -> dict[Key, Entry]:
        """Entries as the frames show them, without confidence."""
        senses = self._senses(accepted)
        share = 1 / self._plan.packed
        return {
            (proposal.word.word, proposal.word.tag): make_proposed_entry(
                proposal, senses[proposal.word.word], share
            )
            for proposal in accepted
        }

    def _fill_frame(
        self, frame: Frame, words: Sequence[Candidate]
    ) -> Mapping[Candidate, FrameReading]:
        """What ``frame`` shows of each word; those it shows nothing of are missing."""
        sentences = [capitalise(frame.text.format(word.surface)) for word in words]
        answers = translate_packed(self._ask, sentences, self._plan.packed)
        found = zip(words, FrameReader(frame, answers).filled(), strict=True)
        return {word: filled for word, filled in found if filled is not None}

    def _senses(self, proposals: Sequence[Proposal]) -> Mapping[str, str]:
        """For each word, the tags under which T knows it, of those its ending allows."""
        residues: dict[str, list[str]] = defaultdict(list)
        seen: dict[str, set[str]] = defaultdict(set)
        for proposal in proposals:
            residues[proposal.word.tag].append(proposal.residue)
            seen[proposal.word.word].add(proposal.word.tag)
        by_ending = self._frames.tags_by_ending.items()
        asked = [
            Candidate(word, tag, 0)
            for word, tags in seen.items()
            # The tags that the ending of a word allows.
            for tag in next(tags for end, tags in by_ending if word.endswith(end))
            if tag not in tags and " " not in word
        ]
        for tag, group in _group_by_tag(asked).items():
            least = USUAL_SHARE * len(residues[tag])
            usual = {text for text, count in Counter(residues[tag]).items() if count > least}
            for word, filled in self._fill_frame(self._frames.of_tags[tag][0], group).items():
                if filled.form != word.word and filled.residue in usual:
                    seen[word.word].add(tag)
        return {word: " ".join(sorted(tags)) for word, tags in seen.items()}

    def _try_out(
        self,
        drafts: Mapping[Key, Entry],
        carriers: CarrierSentences,
        baseline: Sequence[str],
        rng: Random,
    ) -> dict[Key, Evidence]:
        """Put words into carriers until each is settled."""
        evidence: dict[Key, Evidence] = defaultdict(Evidence)
        waiting = list(drafts.values())
        for _ in range(self._plan.most_probes):
            probes = carriers.probes(waiting, rng)
            texts = [probe.text for probe in probes]
            answers = translate_packed(self._ask, texts, self._plan.packed_carriers)
            for probe, answer in zip(probes, answers, strict=True):
                cost = 1 / self._plan.packed_carriers / len(probe.swaps)
                weigh(probe, answer, baseline[probe.carrier], evidence, cost)
            waiting = [
                entry
                for entry in waiting
                if not is_settled(evidence[entry.word, entry.tag], self._plan.least_probes)
            ]
        return {key: found for key, found in evidence.items() if found.as_substitute.tried}


def _group_by_tag(words: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for word in words:
        groups[word.tag].append(word)
    return groups


KNOWN_SHARE = 0.6
"""Of the words asked for, those that a translator knows and that are tried out in carriers,"""
PROBES = 4.5
"""as often as this on average, the plan allowing,"""
WORDS_OF_CARRIER = 2.5
"""so many words to a carrier;"""
PHRASE_PROBES = 3.0
"""and the sentences in which a phrase is tried. All as seen when the shipped one was built."""


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """What a build for ``words`` words is expected to send.

    ``seconds`` is the shortest time that the configured rates allow, None when no rate is set;
    ``cost`` is by the translator's list price, None when it states none.
    """

    words: int
    texts: int
    characters: int
    requests: int
    seconds: float | None
    cost: float | None
    currency: str = ""


def estimate_entries(
    words: Sequence[Candidate],
    sentences: Sequence[Sentence],
    language: Language,
    plan: BuildPlan | PaperPlan,
    limits: Limits,
    price: Price | None,
    names: Sequence[tuple[str, str]] = (),
) -> BuildEstimate:
    """What a build of ``words`` by ``plan`` comes to with a translator of those terms.

    ``names`` are the public names that are asked for as well, each in every context.
    """
    if isinstance(plan, PaperPlan):
        texts, characters = _paper_volume(words, sentences, plan)
    else:
        texts, characters = _packed_volume(words, sentences, language, plan)
    shown = [context.format(name) for name, _ in names for context in list_name_contexts(language)]
    texts += math.ceil(len(shown) / PACKED)
    characters += sum(map(len, shown))
    requests = max(
        math.ceil(texts / limits.texts_per_request),
        math.ceil(characters / limits.characters_per_request),
    )
    rates = ((requests, limits.requests_per_minute), (characters, limits.characters_per_minute))
    return BuildEstimate(
        words=len(words),
        texts=texts,
        characters=characters,
        requests=requests,
        seconds=max((60.0 * amount / rate for amount, rate in rates if rate), default=None),
        cost=None if price is None else Sent(requests, texts, characters).cost(price, limits),
        currency="" if price is None else price.currency,
    )


def _packed_volume(
    words: Sequence[Candidate],
    sentences: Sequence[Sentence],
    language: Language,
    plan: BuildPlan,
) -> tuple[int, int]:
    """Texts and characters: frames of every word, the carriers, the known words tried out in them.

    An estimate: how many words are known, and how soon each is settled, shows as they are asked.
    """
    asked = language.frames
    frames = [
        frame.text.format(word.surface)
        for word in words
        for frame in (*asked.of_tags[word.tag], *asked.behaviour.get(word.tag, ()))
    ]
    carriers = min(plan.carriers, len(sentences))
    phrases = sum(" " in word.word for word in words)
    known = KNOWN_SHARE * (len(words) - phrases)
    probes = min(PROBES, plan.most_probes) * known / WORDS_OF_CARRIER + PHRASE_PROBES * phrases
    full = math.ceil(len(frames) / plan.packed + (carriers + probes) / plan.packed_carriers)
    texts = full + plan.most_probes // 2  # rounds of trials end with texts that are not full
    mean = _mean_length(sentences)
    return texts, math.ceil(sum(map(len, frames)) + (carriers + probes) * mean)


def _paper_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], plan: PaperPlan
) -> tuple[int, int]:
    """Texts and characters: N sentences of each tag, as they are and once for each word of it."""
    offering = Counter(tag for s in sentences for tag in {t.tag for t in s.tokens})
    sizes = {tag: min(plan.calls, offering[tag]) for tag in {word.tag for word in words}}
    texts = sum(sizes.values()) + sum(sizes[word.tag] for word in words)
    return texts, math.ceil(texts * _mean_length(sentences))


def _mean_length(sentences: Sequence[Sentence]) -> float:
    return sum(len(s.text) for s in sentences) / max(1, len(sentences))
