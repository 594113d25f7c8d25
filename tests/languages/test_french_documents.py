"""French texts through the shipped model and dictionary, to a fake translator and back."""

import asyncio
import re
from collections.abc import Sequence
from random import Random

import pytest

from prism_core import Prism
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.settings import load_settings
from prism_core.translators import make_translator

FLAGS = {
    "source": "fr", "target": "en", "translator.name": "fake", "language.experimental": True,
}  # fmt: skip
LETTER = (
    "Me Claire Peyrolles a rencontré l'avocat de la société Brunel, le 3 mars 1998, à Limoges.",
    "Il habite au 12 bis, rue des Mésanges, 87000 Limoges, et a le passeport 12AB34567.",
    "La société (SIRET 552 100 554 00021) n'a-t-elle pas payé l'hôpital ?",
)
PRIVATE = (
    "Claire", "Peyrolles", "Brunel", "Limoges", "Mésanges", "87000", "12AB34567",
    "552 100 554 00021", "1998",
)  # fmt: skip


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("fr")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings(flags=FLAGS))


@pytest.mark.parametrize(
    "text",
    [
        "Me Claire de La Fontaine a-t-elle vu l’avocat, le 1er mars 1998 ?",
        "« Donne-le-moi ! », dit-il —\taujourd'hui…\n\nArt. L. 123-4\u00a0: d'après l'ONU,  oui.",
    ],
)
def test_the_sentences_of_a_text_give_it_back_byte_for_byte(
    model: LanguageModel, text: str
) -> None:
    assert "".join(one.text for one in model.sentences(text)) == text


def test_the_tag_of_a_word_tells_what_agrees_with_it(model: LanguageModel) -> None:
    (sentence,) = model.sentences("La maison blanche et les jardins verts étaient à l'avocat.")
    tags = {token.text: token.tag for token in sentence.tokens}
    assert tags["maison"] == "NN-F"
    assert tags["blanche"] == "JJ-FS"
    assert tags["jardins"] == "NNS-M"
    assert tags["verts"] == "JJ-MP"
    assert tags["l'"] == "DT"


def test_sentences_end_where_they_do(model: LanguageModel) -> None:
    found = model.sentences("M. Dupont ne mange pas. A-t-il de la fièvre ? Le médecin l'ignore.")
    assert [one.text.strip() for one in found] == [
        "M. Dupont ne mange pas.", "A-t-il de la fièvre ?", "Le médecin l'ignore.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Petit a frappé {Grand} devant le juge Blanc.",
        "Madame {Grand} est venue.",
        "MONSIEUR {GRAND} ET MADAME {BEL} ONT MENTI.",
        "Maître {Leur} plaide.",
        "Mme Martin née {Grand}",
    ],
)
def test_a_name_that_is_grammar_elsewhere_is_not_sent(
    model: LanguageModel, text: str, encoder: Encoder
) -> None:
    sentences = model.sentences(text.replace("{", "").replace("}", ""))
    sent = [encoder.encode(one, DenyList(), Random(1)).text for one in sentences]
    assert not set(re.findall(r"\{(\w+)\}", text)) & set(" ".join(sent).split())


def test_a_title_before_an_article_asks_for_no_name(model: LanguageModel, encoder: Encoder) -> None:
    sentence = model.sentences("Monsieur le président a parlé.")[0]
    assert encoder.encode(sentence, DenyList(), Random(1)).text.startswith("Monsieur le ")


def test_a_title_of_one_letter_is_no_initial_though_an_initial_may_look_like_it(
    model: LanguageModel,
    encoder: Encoder,
) -> None:
    texts = (
        "M. Karim a vu le médecin.",
        "vu par M. Karim",
        "Karim M. a parlé.",
        "J. M. Petit",
        "M. M. Petit",
    )
    sentences = [one for text in texts for one in model.sentences(text)]
    known = encoder.add_identifiers(DenyList(), sentences)
    sent = [encoder.encode(one, known, Random(1)).text.split() for one in sentences]
    assert ["M." in words for words in sent] == [True, True, False, False, False]


def test_nothing_private_of_a_letter_is_sent_and_its_names_are_put_back() -> None:
    settings = load_settings(flags=FLAGS)
    translator = make_translator(settings.translator, "fr", "en")
    sent: list[str] = []

    def translate(texts: Sequence[str]) -> list[str]:
        sent.extend(texts)
        return asyncio.run(translator.translate(texts, "fr", "en"))

    letter = list(Prism.load("fr-en", settings).protect(LETTER, translate, leave=True))
    asyncio.run(translator.close())
    seen, back = " ".join(sent), " ".join(letter)
    assert sent
    assert not [text for text in PRIVATE if text in seen]
    assert all(word in back for word in ("Peyrolles", "12AB34567", "552 100 554 00021"))
