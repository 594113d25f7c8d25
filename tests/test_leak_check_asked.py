"""The leak check is asked before anything is sent, by every caller.

Finders and mechanisms here are broken on purpose: one finds nothing, one keeps every word, one
draws a word that it was told not to draw. So only the leak check stands between it and the
translator.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom

import pyarrow.parquet as pq
import pytest

from prism_core import NothingToSend, Prism
from prism_core.alignment import Translation
from prism_core.encoding import make_encoder
from prism_core.encoding.pool_encoder import ATTEMPTS, PoolEncoder
from prism_core.evaluation.methods import send_encoded
from prism_core.identifiers import DenyList, Identifier, Leaks, Scope
from prism_core.jobs import translate
from prism_core.language import LanguageModel, Sentence, join_letters
from prism_core.mechanisms import PoolMechanism, TokenMechanism
from prism_core.mechanisms.base import Forbidden, PublicRules, Selection
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.record import Encoded, Kind, Replacement
from prism_core.settings import Job
from prism_core.settings.sections import IdentifierSettings
from prism_core.stages.encode import encode_sentence
from prism_core.translation_memory import SingleWordTranslations
from tests.end_to_end.canary import Searcher
from tests.end_to_end.planted import NAMES, NUMBERS, PHRASES
from tests.evaluation.corpus import corpus
from tests.stages.archive import (
    Backwards,
    install,
    make_job,
    texts_received,
    write_archive,
)
from tests.words import dictionary, nouns, sentence

pytestmark = pytest.mark.flaky(condition=False)  # a leak is one, though the next run has none

OWN = sentence("Kovacs/NNP/PERSON", "saw/VBD", "the/DT", "baak/NN", "./.")
DENIED = sentence("we/PRP", "saw/VBD", "Zorgle/NN", "and/CC", "the/DT", "baak/NN", "./.")


class BlindEncoder(PoolEncoder):
    """An encoder that sees no identifier, of its own or of the archive's."""

    def _cut_at_identifiers(
        self,
        sentence: Sentence,
        deny_list: DenyList,  # noqa: ARG002
    ) -> tuple[Sentence, list[Identifier]]:
        return join_letters(sentence, self.dictionary.language), []


class Stubborn(PoolMechanism):
    """A mechanism that draws ``word`` for *baak*, forbidden or not, and keeps all other words.

    From attempt ``until`` on it draws a word that is allowed.
    """

    name = "stubborn"
    guarantee = ""

    def __init__(self, word: str, until: int = 1_000) -> None:
        self.word, self.until, self.asked = word, until, 0

    @property
    def public_rules(self) -> PublicRules:
        return PublicRules()

    def choose(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],  # noqa: ARG002
        forbidden: Forbidden,  # noqa: ARG002
        rng: Random,  # noqa: ARG002
    ) -> Selection:
        self.asked += 1
        drawn = self.word if self.asked < self.until else "bbak"
        place = sentence.words.index("baak")
        return Selection((Replacement(place, 1, "baak", drawn, Kind.WORD, "NN", 9),))

    def redraw(self, sentence, identifiers, _record, _position, forbidden, rng) -> Replacement:
        (drawn,) = self.choose(sentence, identifiers, forbidden, rng).record
        return drawn


def stubborn(word: str, kind: type[PoolEncoder] = PoolEncoder, never=(), **options) -> PoolEncoder:
    return kind(dictionary(*nouns(40)), Stubborn(word, **options), never=never)


def denying(*forms: str) -> DenyList:
    deny_list = DenyList()
    for form in forms:
        deny_list.add(form)
    return deny_list


@pytest.mark.parametrize("denied", [[], ["Zorgle"]])
@pytest.mark.parametrize("shown", ["Kovacs", "kovacs", "KO-VACS", "Ｋｏｖａｃｓ"])
def test_a_sentence_that_shows_its_own_name_in_a_substitute_is_withheld(shown, denied) -> None:
    encoded = stubborn(shown).encode(OWN, denying(*denied), SystemRandom())
    assert (encoded.text, encoded.record, encoded.withheld) == ("", (), "leak")


def test_a_sentence_that_shows_what_the_archive_denies_is_withheld() -> None:
    ours = stubborn("bbak", BlindEncoder)
    assert "Zorgle" in ours.encode(DENIED, DenyList(), SystemRandom()).text
    encoded = ours.encode(DENIED, denying("Zorgle"), SystemRandom())
    assert (encoded.text, encoded.record, encoded.withheld) == ("", (), "leak")


@pytest.mark.parametrize("denied", [[], ["Zorgle"]])
def test_a_sentence_that_shows_a_never_send_term_in_a_substitute_is_withheld(denied) -> None:
    ours = stubborn("moonraker", never=["Moon Raker"])
    encoded = ours.encode(OWN, denying(*denied), SystemRandom())
    assert (encoded.text, encoded.record, encoded.withheld) == ("", (), "never-send")


def test_an_encoding_that_leaks_is_made_again_before_it_is_withheld() -> None:
    assert stubborn("Kovacs", until=ATTEMPTS).encode(OWN, DenyList(), SystemRandom()).text
    late = stubborn("Kovacs", until=ATTEMPTS + 1)
    assert late.encode(OWN, DenyList(), SystemRandom()).withheld == "leak"


def sent_before(source: Sentence, kind: type[PoolEncoder] = PoolEncoder) -> Encoded:
    encoded = stubborn("bcak", kind).encode(source, DenyList(), SystemRandom())
    assert encoded.text
    return encoded


def place_of(source: Sentence) -> set[int]:
    return {source.words.index("baak")}


@pytest.mark.parametrize("denied", [[], ["Zorgle"]])
def test_nothing_is_drawn_anew_that_shows_a_name_of_the_sentence(denied) -> None:
    first, lost, rng = sent_before(OWN), place_of(OWN), SystemRandom()
    assert stubborn("bbak").redraw(OWN, first, lost, denying(*denied), rng) is not None
    assert stubborn("Kovacs").redraw(OWN, first, lost, denying(*denied), rng) is None


def test_nothing_is_drawn_anew_of_what_shows_a_name_that_is_known_by_now() -> None:
    first, lost, rng = sent_before(DENIED, BlindEncoder), place_of(DENIED), SystemRandom()
    ours = stubborn("bbak", BlindEncoder)
    assert ours.redraw(DENIED, first, lost, DenyList(), rng) is not None
    assert ours.redraw(DENIED, first, lost, denying("Zorgle"), rng) is None


class Unchecked(PoolEncoder):
    """An encoder without a leak check."""

    def _find_leaks(self, *_: object) -> Leaks:
        return Leaks()


def test_what_is_drawn_blindly_may_stand_in_no_kept_word_when_encoded_nor_when_drawn_anew() -> None:
    """A surrogate may be the number itself by chance; words beside it that spell it may not."""
    words = ("see/VB", "482/CD", "or/CC", "four/NN", "eight/NN", "two/NN", "baak/NN")
    shown, rng = sentence(*words), SystemRandom()
    unchecked, ours = stubborn("bbak", Unchecked), stubborn("bbak")
    first = stubborn("bcak", Unchecked).encode(shown, DenyList(), rng)
    assert first.text
    assert ours.encode(shown, DenyList(), rng).withheld == "leak"
    assert unchecked.redraw(shown, first, place_of(shown), DenyList(), rng) is not None
    assert ours.redraw(shown, first, place_of(shown), DenyList(), rng) is None


@pytest.mark.parametrize("denied", [[], ["Zorgle"]])
def test_nothing_is_drawn_anew_that_shows_a_never_send_term(denied) -> None:
    first, lost, rng = sent_before(OWN), place_of(OWN), SystemRandom()
    ours = stubborn("moonraker", never=["Moon Raker"])
    assert ours.redraw(OWN, first, lost, denying(*denied), rng) is None


class KeepsTokens(TokenMechanism):
    """A mechanism that reads tokens alone, and replaces none."""

    name = "keeps-tokens"
    guarantee = ""
    epsilon_word = 0.0
    vocabulary = None

    @property
    def public_rules(self) -> PublicRules:
        return PublicRules()

    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Selection:  # noqa: ARG002
        return Selection(())


def test_a_mechanism_that_reads_tokens_alone_sends_no_term_that_is_never_sent() -> None:
    ours = make_encoder(dictionary(*nouns(40)), KeepsTokens(), never=["of the"])
    shown = sentence("of/IN", "the/DT", "baak/NN")
    encoded = ours.encode(shown, DenyList(), SystemRandom())
    assert (encoded.text, encoded.withheld) == ("", "never-send")
    assert ours.encode(sentence("the/DT", "baak/NN"), DenyList(), SystemRandom()).text


def test_a_word_of_the_archive_that_a_blind_encoder_keeps_is_counted_as_remaining() -> None:
    ours = stubborn("bbak", BlindEncoder)
    encoded = ours.encode(DENIED, DenyList(), SystemRandom())
    assert not ours.remaining(encoded, DenyList())
    assert ours.remaining(encoded, denying("Zorgle"))


def encode_in_stage(
    encoder: PoolEncoder,
    source: Sentence,
    denied: DenyList,
    earlier: Sequence[tuple[Encoded, Translation]] = (),
    *,
    stays: str = "",
) -> Encoded:
    """What the stage makes of ``source``, which is no sentence for a machine at home."""
    alone, rng = SingleWordTranslations("en", "es"), SystemRandom()
    made = encode_sentence(encoder, alone, source, earlier, denied, rng, Scope(), stays=stays)
    assert isinstance(made, Encoded)
    return made


def test_the_stage_withholds_what_the_check_objects_to_and_what_breaks_the_encoder() -> None:
    assert encode_in_stage(stubborn("Kovacs"), OWN, DenyList()).withheld == "leak"
    blind = stubborn("bbak", BlindEncoder)
    assert encode_in_stage(blind, DENIED, denying("Zorgle")).withheld == "leak"
    kept = encode_in_stage(stubborn("bbak"), OWN, DenyList(), stays="policy")
    assert (kept.text, kept.record, kept.withheld) == ("", (), "policy")
    broken = encode_in_stage(stubborn("bbak"), sentence("no/DT", "noun/NN"), DenyList())
    assert (broken.text, broken.withheld) == ("", "encoder-fault")


def test_the_stage_sends_no_further_encoding_that_the_check_objects_to() -> None:
    first = sent_before(DENIED, BlindEncoder)
    lost = [(first, Translation(first.text.replace("bcak", "")))]
    blind = stubborn("bbak", BlindEncoder)
    assert encode_in_stage(blind, DENIED, DenyList(), lost).text
    again = encode_in_stage(blind, DENIED, denying("Zorgle"), lost)
    assert (again.text, again.withheld) == ("", "unrestored")


LISTS = {"names_file": NAMES, "never_send_file": (*NAMES, *NUMBERS, *PHRASES)}
"""What is planted, by the list of the user that has it."""


@pytest.fixture
def keeping_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let runs encode with a finder that finds nothing and a mechanism that keeps every word, and
    give the log of their translator."""
    monkeypatch.setattr(PoolEncoder, "_cut_at_identifiers", BlindEncoder._cut_at_identifiers)
    monkeypatch.setattr(PrismStarThreshold, "choose", lambda *_: Selection(()))
    monkeypatch.setattr(PoolEncoder, "needs_translator", lambda *_: True)
    install(Backwards(tmp_path / "log"))
    return tmp_path / "log"


def job_over(folder: Path, list_of: str) -> Job:
    """A job over every canary of a list in a sentence, each with one that is on no list."""
    terms = LISTS[list_of]
    tale = {
        f"{number}.txt": f"Later {term} was there. The farmer cleaned the table {number} times."
        for number, term in enumerate(terms)
    }
    write_archive(folder / "in", tale)
    (folder / "terms.txt").write_text("\n".join(terms) + "\n", encoding="utf-8")
    lists = IdentifierSettings.model_validate({list_of: folder / "terms.txt"})
    return make_job(folder, identifiers=lists)


def reasons(job: Job) -> dict[str, int]:
    """How many sentences were withheld for which reason."""
    path = job.report_folder / f"run={job.run_id}" / "sentences.parquet"
    rows = pq.ParquetFile(path).read(["reason"]).column("reason").to_pylist()
    return {reason: rows.count(reason) for reason in set(rows)}


@pytest.mark.parametrize(
    ("list_of", "reason"), [("names_file", "leak"), ("never_send_file", "never-send")]
)
def test_with_blind_detectors_no_canary_is_sent_that_is_on_a_list(
    tmp_path: Path, keeping_all: Path, list_of: str, reason: str
) -> None:
    job = job_over(tmp_path, list_of)
    translate(job)
    sent = texts_received(keeping_all)
    assert "The farmer cleaned the table 7 times." in sent, "what is on no list is sent in clear"
    found = Searcher(LISTS[list_of]).in_bytes("\n".join(sent).encode(), "sent")
    assert {finding.canary for finding in found} == set()
    assert reasons(job)[reason] >= len(LISTS[list_of])


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en")


def test_the_library_sends_nothing_that_the_check_objects_to(model: LanguageModel) -> None:
    prism, received = Prism(model, stubborn("bbak", BlindEncoder)), list[str]()

    def translator(texts: list[str]) -> list[str]:
        received.extend(texts)
        return texts

    text, denied = "We saw the zorgle and the baak.", denying("zorgle")
    assert "zorgle" in prism.encode(text).text
    with pytest.raises(NothingToSend, match="leak"):
        prism.encode(text, denied)
    (withheld,) = prism.encode_all([text], denied)
    assert (withheld.text, withheld.withheld) == ("", "leak")
    with pytest.raises(NothingToSend, match="leak"):
        list(prism.protect([text], translator, denied))
    assert list(prism.protect([text], translator, denied, leave=True)) == [text]
    assert received == []


def test_the_library_hides_in_all_texts_what_names_somebody_in_one(model: LanguageModel) -> None:
    prism, received = Prism(model, stubborn("bbak", BlindEncoder)), list[str]()

    def translator(texts: list[str]) -> list[str]:
        received.extend(texts)
        return texts

    texts = [
        "Dear Mr. Zorgle, here is the baak.",
        "We saw Zorgle and the baak.",
        "They saw the baak.",
    ]
    list(prism.protect(texts, translator, leave=True))
    assert len(received) == 1
    assert "Zorgle" not in received[0]


def test_a_measurement_sends_nothing_that_the_check_objects_to() -> None:
    archive = corpus(
        [sentence("Mr./NNP", "Zorgle/NNP/PERSON", "saw/VBD", "the/DT", "baak/NN", "./.")],
        [sentence("they/PRP", "saw/VBD", "the/DT", "baak/NN", "./.")],
    )
    received = list[str]()

    def translator(texts: list[str]) -> list[str]:
        received.extend(texts)
        return texts

    outcomes = send_encoded(stubborn("bbak", BlindEncoder), archive, translator, Random(1))
    assert [outcome.withheld for outcome in outcomes] == [True, False]
    assert received
    assert not any("Zorgle" in text for text in received)
