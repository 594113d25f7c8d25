"""Builder of a dictionary from a translator and non-sensitive text, and from nothing else.

Frames propose the forms of a word and its agreement class. Carriers test them in running text, as
long as the result is in doubt. Everything that is sent is public text with dictionary words put in.
See docs/dictionary.md.

Entry: ``DictionaryBuilder.build``: ``_make_proposals`` of all words, ``_make_drafts`` of words that
the translator (T) knows, then ``_try_out`` until each word is settled, and ``try_phrases``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random

from prism_core.building.carrier_sentences import Carriers, choose_carriers
from prism_core.building.corpus_entries import build_corpus_entries
from prism_core.building.evidence import BaseRate, Evidence, is_settled, record_answer
from prism_core.building.form_checks import USUAL_SHARE, check_forms
from prism_core.building.frame_agreement import add_agreement, ask_preceding_words
from prism_core.building.frame_queries import (
    FrameReader,
    FrameReading,
    Proposal,
    Translate,
    make_proposed_entry,
    make_untranslated_entries,
    may_stay_unchanged,
    select_known_proposals,
    translate_packed,
)
from prism_core.building.paper import PaperBuilder, PaperPlan
from prism_core.building.paradigms import complete_paradigms
from prism_core.building.phrase_trials import (
    LEAST_CONFIDENT,
    find_testable_phrases,
    score_whole_phrase,
    try_phrases,
)
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import FUNCTION_TAG, Entry, WordKey, target_tokens
from prism_core.language import Sentence
from prism_core.languages import Frame, Language
from prism_core.mechanisms import capitalise

PADDING_WORDS = 400
"""Maximum number of known words of a tag that are put into its frames beside phrases."""


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
    words: Sequence[WordCandidate],
    sentences: Iterable[Sentence],
    translate: Translate,
    language: Language,
    plan: BuildPlan | PaperPlan,
) -> list[Entry]:
    """Build the entries of ``words`` as ``plan`` says, tested in ``sentences``."""
    if isinstance(plan, PaperPlan):
        return PaperBuilder(translate, plan).build(words, sentences)
    return DictionaryBuilder(translate, language, plan).build(words, sentences)


class DictionaryBuilder:
    """Builder for one build."""

    def __init__(
        self, translate: Translate, language: Language, plan: BuildPlan | None = None
    ) -> None:
        self._language, self._frames = language, language.frames
        self._translate = translate
        self._plan = plan or BuildPlan()

    def build(self, words: Sequence[WordCandidate], sentences: Iterable[Sentence]) -> list[Entry]:
        """Build an entry for every word of ``words`` that T translates, and for function words.

        Words that T leaves unchanged become entries of their own tags (``LEFT_PREFIX``). The others
        have none, and neither have words that fit into no carrier.
        """
        made, carriers, translations = self.ask_words(words, sentences)
        # How T renders function words is read off the carriers, which it translated anyway.
        in_carriers = build_corpus_entries(carriers, {"": translations}, self._language)
        made += [entry for entry in in_carriers if entry.tag == FUNCTION_TAG]
        attested = {word for answer in translations for word in target_tokens(answer)}
        described = [*complete_paradigms(add_agreement(made, self._language), attested)]
        ask = partial(translate_packed, self._translate, size=self._plan.packed)
        return [*described, *ask_preceding_words(described, self._language, ask)]

    def ask_words(
        self, words: Sequence[WordCandidate], sentences: Iterable[Sentence]
    ) -> tuple[list[Entry], list[Sentence], list[str]]:
        """Ask T for ``words``, and return their entries, the carriers and their translations."""
        rng, sentences = Random(self._plan.seed), list(sentences)
        carriers = choose_carriers(sentences, rng, most=self._plan.carriers)
        translations, baseline = self._translate_carriers(carriers)
        base = BaseRate(baseline)
        proposals = self._make_proposals(words, base.frequent_words())
        accepted = select_known_proposals(proposals)
        known = self._make_drafts(accepted)
        drafts = {key: draft for key, draft in known.items() if " " not in key[0]}
        evidence = self._try_out(drafts, Carriers(carriers, drafts, self._language), baseline, rng)
        entries = {
            key: evidence[key].make_entry(drafts[key], base) for key in drafts if key in evidence
        }
        phrases = [draft for key, draft in known.items() if " " in key[0]]
        families = {word.key: word.family for word in words if word.family}
        size = self._plan.packed_carriers
        made = [
            *entries.values(),
            *try_phrases(phrases, entries, sentences, self._translate, size, rng, families),
            *make_untranslated_entries(proposals, accepted, 1 / self._plan.packed),
        ]
        return made, carriers, translations

    def build_additional_entries(
        self,
        wanted: Sequence[WordCandidate],
        known: Mapping[WordKey, Entry],
        sentences: Sequence[Sentence],
    ) -> list[Entry]:
        """Build entries of ``wanted`` beside those of the ``known`` single words.

        Phrases that ``sentences`` contain are tested there as in ``try_phrases``. The others stand
        in for words of their class, as words do, and need a confidence of ``LEAST_CONFIDENT``.
        """
        rng = Random(self._plan.seed)
        carriers = choose_carriers(sentences, rng, most=self._plan.carriers)
        _, baseline = self._translate_carriers(carriers)
        base = BaseRate(baseline)
        padded = list(wanted)
        for tag in dict.fromkeys(word.tag for word in wanted):
            words = [WordCandidate(*key, 0) for key in sorted(known) if key[1] == tag]
            padded += rng.sample(words, min(PADDING_WORDS, len(words)))  # frames are read off many
        proposals = self._make_proposals(padded, base.frequent_words())
        wanted_keys = {word.key for word in wanted}
        known_drafts = self._make_drafts(select_known_proposals(proposals))
        drafts = {key: draft for key, draft in known_drafts.items() if key in wanted_keys}
        families = {word.key: word.family for word in wanted if word.family}
        size = self._plan.packed_carriers
        phrases = [draft for draft in drafts.values() if draft.is_phrase]
        tried = try_phrases(phrases, known, sentences, self._translate, size, rng, families)
        tested = {families.get(key, "") for key in find_testable_phrases(phrases, sentences)}
        unseen = {key: draft for key, draft in drafts.items() if families.get(key) not in tested}
        evidence = self._try_out(unseen, Carriers(carriers, known, self._language), baseline, rng)
        made = [
            found.make_entry(unseen[key], base) for key, found in evidence.items() if key in unseen
        ]
        return [
            *tried,
            *(
                score_whole_phrase(unseen[entry.key], entry.confidence, entry.calls)
                if entry.is_phrase
                else entry
                for entry in made
                if entry.confidence >= LEAST_CONFIDENT
            ),
        ]

    def _translate_carriers(
        self, carriers: Sequence[Sentence]
    ) -> tuple[list[str], list[list[str]]]:
        """Return the translations of untouched carriers, and their target tokens."""
        texts = [sentence.text.strip() for sentence in carriers]
        translations = translate_packed(self._translate, texts, self._plan.packed_carriers)
        return translations, list(map(target_tokens, translations))

    def _make_proposals(self, words: Sequence[WordCandidate], frequent: set[str]) -> list[Proposal]:
        """Query each word alone and in the first and last frame of its tag, then in the others.

        The others, and those of behaviour, are for words that changed there, or need not change.

        ``frequent`` are the commonest words of the target language: see ``check_forms``. All words
        are queried at once, so that as many requests as are allowed are under way.
        """
        groups, frames = _group_by_tag(words), self._frames
        ends = {
            tag: dict.fromkeys((frames.of_tags[tag][0], frames.of_tags[tag][-1])) for tag in groups
        }
        readings, frame_words = self._query_frames(
            [
                (frame, group)
                for tag, group in groups.items()
                for frame in (frames.alone, *ends[tag])
            ]
        )

        def may_be_known(word: WordCandidate) -> bool:
            return may_stay_unchanged(word.tag) or any(
                (reading := readings.get((frame, word))) and reading.form != word.word
                for frame in ends[word.tag]
            )

        rest, words_of_rest = self._query_frames(
            [
                (frame, list(filter(may_be_known, group)))
                for tag, group in groups.items()
                for frame in (*frames.of_tags[tag][1:-1], *frames.behaviour.get(tag, ()))
            ]
        )
        readings |= rest
        proposals = [
            Proposal(
                word,
                tuple(readings.get((frame, word)) for frame in frames.of_tags[tag]),
                tuple(readings.get((frame, word)) for frame in frames.behaviour.get(tag, ())),
                readings.get((frames.alone, word)),
            )
            for tag, group in groups.items()
            for word in group
        ]
        return check_forms(proposals, frame_words | words_of_rest | frequent)

    def _make_drafts(self, accepted: Sequence[Proposal]) -> dict[WordKey, Entry]:
        """Make entries from the frames, without confidence."""
        senses = self._find_senses(accepted)
        share = 1 / self._plan.packed
        return {
            proposal.word.key: make_proposed_entry(proposal, senses[proposal.word.word], share)
            for proposal in accepted
        }

    def _query_frames(
        self, queries: Sequence[tuple[Frame, Sequence[WordCandidate]]]
    ) -> tuple[dict[tuple[Frame, WordCandidate], FrameReading], set[str]]:
        """Translate frames filled with words; words without a readable form are missing.

        Returns the readings, and the target words that belong to the frames.
        """
        sentences = [
            capitalise(frame.text.format(word.surface))
            for frame, words in queries
            for word in words
        ]
        answers = iter(translate_packed(self._translate, sentences, self._plan.packed))
        found: dict[tuple[Frame, WordCandidate], FrameReading] = {}
        frame_words: set[str] = set()
        for frame, words in queries:
            reader = FrameReader(frame, list(islice(answers, len(words))))
            frame_words |= reader.common
            frame_words.update(target_tokens(frame.text))  # a translator may leave them unchanged
            for word, reading in zip(words, reader.read_all(), strict=True):
                if reading is not None:
                    found[frame, word] = reading
        return found, frame_words

    def _find_senses(self, proposals: Sequence[Proposal]) -> Mapping[str, str]:
        """Find for each word the tags under which T knows it, of those that its ending allows."""
        residues: dict[str, list[str]] = defaultdict(list)
        seen: dict[str, set[str]] = defaultdict(set)
        for proposal in proposals:
            residues[proposal.word.tag].append(proposal.residue)
            seen[proposal.word.word].add(proposal.word.tag)
        by_ending = self._frames.tags_by_ending.items()
        unseen = [
            WordCandidate(word, tag, 0)
            for word, tags in seen.items()
            # The tags that the ending of a word allows.
            for tag in next(tags for end, tags in by_ending if word.endswith(end))
            if tag not in tags and " " not in word
        ]
        usual = {
            tag: {text for text, n in Counter(of_tag).items() if n > USUAL_SHARE * len(of_tag)}
            for tag, of_tag in residues.items()
        }
        queries = [
            (self._frames.of_tags[tag][0], group) for tag, group in _group_by_tag(unseen).items()
        ]
        readings, _ = self._query_frames(queries)
        for (_, word), reading in readings.items():
            if reading.form != word.word and reading.residue in usual.get(word.tag, ()):
                seen[word.word].add(word.tag)
        return {word: " ".join(sorted(tags)) for word, tags in seen.items()}

    def _try_out(
        self,
        drafts: Mapping[WordKey, Entry],
        carriers: Carriers,
        baseline: Sequence[list[str]],
        rng: Random,
    ) -> dict[WordKey, Evidence]:
        """Put words into carriers until each is settled; ``baseline`` are untouched carriers."""
        evidence: dict[WordKey, Evidence] = defaultdict(Evidence)
        for index, entry in carriers.list_originals():
            evidence[entry.key].record_original(baseline[index])
        waiting = list(drafts.values())
        for _ in range(self._plan.most_probes):
            probes = carriers.make_probes(waiting, rng)
            texts = [probe.text for probe in probes]
            answers = translate_packed(self._translate, texts, self._plan.packed_carriers)
            for probe, answer in zip(probes, answers, strict=True):
                cost = 1 / self._plan.packed_carriers / len(probe.swaps)
                record_answer(probe, answer, baseline[probe.carrier], evidence, cost)
            waiting = [
                entry
                for entry in waiting
                if not is_settled(evidence[entry.key], self._plan.least_probes)
            ]
        return {key: found for key, found in evidence.items() if found.answers}


def _group_by_tag(words: Iterable[WordCandidate]) -> dict[str, list[WordCandidate]]:
    groups: dict[str, list[WordCandidate]] = defaultdict(list)
    for word in words:
        groups[word.tag].append(word)
    return groups
