"""Builder of a dictionary from a translator and non-sensitive text, and from nothing else.

Frames propose the forms of a word and its agreement class. Carriers test them in running text, as
long as the result is in doubt. Everything that is sent is public text with dictionary words put in.
See docs/dictionary.md.

Entry: ``DictionaryBuilder.build``: ``_make_proposals`` for each tag, ``_make_drafts`` of words that
the translator (T) knows, then ``_try_out`` until each word is settled, and ``try_phrases``.
``estimate_entries`` states beforehand the number of texts, the time and the price.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.building.carrier_sentences import Carriers, choose_carriers
from prism_core.building.corpus_entries import build_corpus_entries
from prism_core.building.evidence import BaseRate, Evidence, is_settled, record_answer
from prism_core.building.frame_queries import (
    PACKED,
    FrameReader,
    FrameReading,
    Proposal,
    Translate,
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
"""Word and its tag."""


PADDING_WORDS = 400
"""Maximum number of known words of a tag that are put into its frames beside phrases."""
USUAL_RESIDUE_SHARE = 0.05
"""Share of a tag's words above which a residue is a usual one."""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Limits on the cost of a build.

    ``packed`` frame sentences make a text, or ``packed_carriers`` carriers. A word is tested in at
    least ``least_probes`` of ``carriers`` sentences and, where these disagree, in up to
    ``most_probes``. ``seed`` determines the choice of carriers and of words.
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
    translate: Translate,
    language: Language,
    plan: BuildPlan | PaperPlan,
) -> list[Entry]:
    """Build the entries of ``words`` as ``plan`` says, tested in ``sentences``."""
    if isinstance(plan, PaperPlan):
        return PaperBuilder(translate, plan).build(words, sentences)
    return DictionaryBuilder(translate, language, plan).build(words, sentences)


def build_additional_entries(
    wanted: Sequence[Candidate],
    known: Mapping[Key, Entry],
    sentences: Sequence[Sentence],
    translate: Translate,
    language: Language,
) -> list[Entry]:
    """Build entries of ``wanted`` beside ``known``: see ``DictionaryBuilder``."""
    return DictionaryBuilder(translate, language).build_additional_entries(wanted, known, sentences)


class DictionaryBuilder:
    """Builder for one build; ``calls`` counts the texts that were translated."""

    def __init__(
        self, translate: Translate, language: Language, plan: BuildPlan | None = None
    ) -> None:
        self._language, self._frames = language, language.frames
        self._translate = translate
        self._plan = plan or BuildPlan()
        self.calls = 0

    def build(self, words: Sequence[Candidate], sentences: Iterable[Sentence]) -> list[Entry]:
        """Build an entry for every word of ``words`` that T translates, and for function words.

        Words that T leaves unchanged become entries of their own tags (``LEFT_PREFIX``); the others
        have none.
        """
        rng, sentences = Random(self._plan.seed), list(sentences)
        proposals = [
            proposal
            for tag, group in _group_by_tag(words).items()
            for proposal in self._make_proposals(tag, group)
        ]
        accepted = select_known_proposals(proposals)
        known = self._make_drafts(accepted)
        drafts = {key: draft for key, draft in known.items() if " " not in key[0]}
        carriers = choose_carriers(sentences, rng, most=self._plan.carriers)
        texts = [sentence.text.strip() for sentence in carriers]
        baseline = translate_packed(self._send, texts, self._plan.packed_carriers)
        evidence = self._try_out(drafts, Carriers(carriers, drafts, self._language), baseline, rng)
        base = BaseRate(baseline)
        entries = {
            key: evidence[key].make_entry(drafts[key], base) for key in drafts if key in evidence
        }
        phrases = [draft for key, draft in known.items() if " " in key[0]]
        families = {(word.word, word.tag): word.family for word in words if word.family}
        size = self._plan.packed_carriers
        return [
            *entries.values(),
            *try_phrases(phrases, entries, sentences, self._send, size, rng, families),
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
        """Build entries of ``wanted`` beside those of the ``known`` single words.

        Phrases that ``sentences`` contain are tested there as in ``try_phrases``. The others stand
        in for words of their class, as words do, and need a confidence of ``LEAST_CONFIDENT``.
        """
        rng = Random(self._plan.seed)
        proposals = []
        for tag, group in _group_by_tag(wanted).items():
            words = [Candidate(*key, 0) for key in sorted(known) if key[1] == tag]
            padding = rng.sample(words, min(PADDING_WORDS, len(words)))  # frames are read off many
            proposals += self._make_proposals(tag, [*group, *padding])
        wanted_keys = {(word.word, word.tag) for word in wanted}
        found = self._make_drafts(select_known_proposals(proposals))
        drafts = {key: draft for key, draft in found.items() if key in wanted_keys}
        families = {(word.word, word.tag): word.family for word in wanted if word.family}
        size = self._plan.packed_carriers
        phrases = [draft for draft in drafts.values() if draft.is_phrase]
        tried = try_phrases(phrases, known, sentences, self._send, size, rng, families)
        tested = {families.get(key, "") for key in find_testable_phrases(phrases, sentences)}
        unseen = {key: draft for key, draft in drafts.items() if families.get(key) not in tested}
        carriers = choose_carriers(sentences, rng, most=self._plan.carriers)
        texts = [sentence.text.strip() for sentence in carriers]
        baseline = translate_packed(self._send, texts, size)
        evidence = self._try_out(unseen, Carriers(carriers, known, self._language), baseline, rng)
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
                else found.make_entry(draft, base)
                for draft, found in stood_in
            ),
        ]

    def _send(self, texts: Sequence[str]) -> list[str]:
        self.calls += len(texts)
        return self._translate(texts)

    def _make_proposals(self, tag: str, words: Sequence[Candidate]) -> list[Proposal]:
        """Query two frames of ``tag`` for ``words``, and the others for words that change."""
        first, *others = self._frames.of_tags[tag]
        shown = {frame: self._query_frame(frame, words) for frame in (first, *others[-1:])}
        rest = words
        if not may_stay_unchanged(tag):
            rest = [
                word
                for word in words
                if any(
                    word in reading and reading[word].form != word.word
                    for reading in shown.values()
                )
            ]
        shown |= {frame: self._query_frame(frame, rest) for frame in others[:-1]}
        after = [self._query_frame(frame, rest) for frame in self._frames.behaviour.get(tag, ())]
        return [
            Proposal(
                word,
                tuple(shown[frame].get(word) for frame in self._frames.of_tags[tag]),
                tuple(reading.get(word) for reading in after),
            )
            for word in words
        ]

    def _make_drafts(self, accepted: Sequence[Proposal]) -> dict[Key, Entry]:
        """Make entries from the frames, without confidence."""
        senses = self._find_senses(accepted)
        share = 1 / self._plan.packed
        return {
            (proposal.word.word, proposal.word.tag): make_proposed_entry(
                proposal, senses[proposal.word.word], share
            )
            for proposal in accepted
        }

    def _query_frame(
        self, frame: Frame, words: Sequence[Candidate]
    ) -> Mapping[Candidate, FrameReading]:
        """Translate ``frame`` filled with each word; words without a readable form are missing."""
        sentences = [capitalise(frame.text.format(word.surface)) for word in words]
        answers = translate_packed(self._send, sentences, self._plan.packed)
        pairs = zip(words, FrameReader(frame, answers).read_all(), strict=True)
        return {word: reading for word, reading in pairs if reading is not None}

    def _find_senses(self, proposals: Sequence[Proposal]) -> Mapping[str, str]:
        """Find for each word the tags under which T knows it, of those that its ending allows."""
        residues: dict[str, list[str]] = defaultdict(list)
        seen: dict[str, set[str]] = defaultdict(set)
        for proposal in proposals:
            residues[proposal.word.tag].append(proposal.residue)
            seen[proposal.word.word].add(proposal.word.tag)
        by_ending = self._frames.tags_by_ending.items()
        unseen = [
            Candidate(word, tag, 0)
            for word, tags in seen.items()
            # The tags that the ending of a word allows.
            for tag in next(tags for end, tags in by_ending if word.endswith(end))
            if tag not in tags and " " not in word
        ]
        for tag, group in _group_by_tag(unseen).items():
            least = USUAL_RESIDUE_SHARE * len(residues[tag])
            usual = {text for text, count in Counter(residues[tag]).items() if count > least}
            for word, reading in self._query_frame(self._frames.of_tags[tag][0], group).items():
                if reading.form != word.word and reading.residue in usual:
                    seen[word.word].add(tag)
        return {word: " ".join(sorted(tags)) for word, tags in seen.items()}

    def _try_out(
        self,
        drafts: Mapping[Key, Entry],
        carriers: Carriers,
        baseline: Sequence[str],
        rng: Random,
    ) -> dict[Key, Evidence]:
        """Put words into carriers until each is settled."""
        evidence: dict[Key, Evidence] = defaultdict(Evidence)
        waiting = list(drafts.values())
        for _ in range(self._plan.most_probes):
            probes = carriers.make_probes(waiting, rng)
            texts = [probe.text for probe in probes]
            answers = translate_packed(self._send, texts, self._plan.packed_carriers)
            for probe, answer in zip(probes, answers, strict=True):
                cost = 1 / self._plan.packed_carriers / len(probe.swaps)
                record_answer(probe, answer, baseline[probe.carrier], evidence, cost)
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
"""Share of the queried words that T knows, which carriers test; as all four, seen in a build."""
PROBES = 4.5
"""Mean number of carriers in which a known word is tested, if the plan allows."""
WORDS_OF_CARRIER = 2.5
"""Mean number of words tested in one carrier."""
PHRASE_PROBES = 3.0
"""Number of sentences in which a phrase is tested."""


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """Volume that a build for ``words`` words is expected to send.

    ``seconds`` is the shortest time that the configured rates allow, None when no rate is set.
    ``cost`` follows the translator's list price, None when it states none.
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
    """Estimate a build of ``words`` by ``plan`` with a translator of these limits and this price.

    ``names`` are the public names that are queried as well, each in every context.
    """
    if isinstance(plan, PaperPlan):
        texts, characters = _count_paper_volume(words, sentences, plan)
    else:
        texts, characters = _estimate_packed_volume(words, sentences, language, plan)
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


def _estimate_packed_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], language: Language, plan: BuildPlan
) -> tuple[int, int]:
    """Estimate texts and characters: all frames, the carriers, and the known words tested in them.

    The number of known words, and the probes until each is settled, show in the build alone.
    """
    queries = language.frames
    frames = [
        frame.text.format(word.surface)
        for word in words
        for frame in (*queries.of_tags[word.tag], *queries.behaviour.get(word.tag, ()))
    ]
    carriers = min(plan.carriers, len(sentences))
    phrases = sum(" " in word.word for word in words)
    known = KNOWN_SHARE * (len(words) - phrases)
    probes = min(PROBES, plan.most_probes) * known / WORDS_OF_CARRIER + PHRASE_PROBES * phrases
    full_texts = math.ceil(len(frames) / plan.packed + (carriers + probes) / plan.packed_carriers)
    texts = full_texts + plan.most_probes // 2  # rounds of trials end with texts that are not full
    mean = _compute_mean_length(sentences)
    return texts, math.ceil(sum(map(len, frames)) + (carriers + probes) * mean)


def _count_paper_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], plan: PaperPlan
) -> tuple[int, int]:
    """Count texts and characters: N sentences of each tag, untouched and once for each word."""
    tags = ({token.tag for token in sentence.tokens} for sentence in sentences)
    tag_counts = Counter(tag for of_sentence in tags for tag in of_sentence)
    sizes = {tag: min(plan.calls, tag_counts[tag]) for tag in {word.tag for word in words}}
    texts = sum(sizes.values()) + sum(sizes[word.tag] for word in words)
    return texts, math.ceil(texts * _compute_mean_length(sentences))


def _compute_mean_length(sentences: Sequence[Sentence]) -> float:
    return sum(len(sentence.text) for sentence in sentences) / max(1, len(sentences))
