"""German texts through the shipped model and dictionary, to a fake translator and back."""

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
    "source": "de", "target": "en", "translator.name": "fake", "language.experimental": True,
}  # fmt: skip
LETTER = (
    "Herr Dr. Klaus Brzoska traf am 3. März 1998 den Anwalt der Firma Wermelskirch in Lüdenscheid.",
    "Seine Tochter Friederike Brzoska wohnt in Quedlinburg und rief unter 0391 5551234 an.",
    "Das Krankenhaus hat den hohen Betrag nicht bezahlt, z. B. die Kosten der Behandlung.",
)
PRIVATE = (
    "Klaus", "Brzoska", "Wermelskirch", "Lüdenscheid", "Friederike", "Quedlinburg", "5551234",
    "1998",
)  # fmt: skip


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("de")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings(flags=FLAGS))


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Müller kam z. B. am 3. März 1998 mit der Nr. 5 bzw. S. 12 an.",
        "„Geht's?“, fragte sie —\tEU-Recht…\n\n§ 5 Abs. 2 BGB\u00a0: Umwelt- und  E-Mail-Daten.",
    ],
)
def test_the_sentences_of_a_text_give_it_back_byte_for_byte(
    model: LanguageModel, text: str
) -> None:
    assert "".join(one.text for one in model.sentences(text)) == text


def test_the_tag_of_a_word_tells_what_agrees_with_it(model: LanguageModel) -> None:
    (sentence,) = model.sentences("Die hohe Mauer des alten Hauses stand neben den grünen Bäumen.")
    tags = {token.text: token.tag for token in sentence.tokens}
    assert tags["Mauer"] == "NN-F"
    assert tags["Hauses"] == "NN-G"
    assert tags["Bäumen"] == "NNS-D"
    assert (tags["hohe"], tags["alten"], tags["grünen"]) == ("JJ-E", "JJ-EN", "JJ-EN")
    assert tags["stand"] == "VBD-S"


def test_sentences_end_where_they_do(model: LanguageModel) -> None:
    found = model.sentences(
        "Am 3. März kam Dr. Weber, z. B. mit Nr. 5 bzw. Akten. Hat er Fieber? Der Arzt weiß es."
    )
    assert [one.text.strip() for one in found] == [
        "Am 3. März kam Dr. Weber, z. B. mit Nr. 5 bzw. Akten.", "Hat er Fieber?",
        "Der Arzt weiß es.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Herr Koch unterschrieb.",
        "Frau Dr. Vogel rief an.",
        "Sehr geehrter Herr Sommer,",
        "gez. Will",
        "Kläger: Herr",
        "hallo will, ich komme.",
        "Will gegen Koch",
        "- Will",
        "Müller-Will kam.",
        "Hans Herr unterschrieb.",
        "Herrn Herr geht es gut.",
        "Zeugin: Frau",
        "Denn gegen Koch",
        "Die Zeugin Frau sagte nichts.",
        "Anwesend: Koch, Denn, Frau, Sommer",
    ],
)
def test_a_name_that_is_a_word_elsewhere_is_not_sent(
    model: LanguageModel, text: str, encoder: Encoder
) -> None:
    sent = [encoder.encode(one, DenyList(), Random(1)).text for one in model.sentences(text)]
    words = {*re.findall(r"\w+", re.sub("^(Sehr .+ )?(Herr|Frau) ", "", " ".join(sent)))}
    assert not {"Koch", "Vogel", "Sommer", "Will", "will", "Herr", "Frau", "Denn"} & words


def test_a_noun_goes_as_one_of_its_gender_and_an_adjective_with_its_ending(
    model: LanguageModel,
    encoder: Encoder,
) -> None:
    (sentence,) = model.sentences("Sie sah das alte Haus und einen hohen Baum.")
    for seed in range(20):
        words = encoder.encode(sentence, DenyList(), Random(seed)).text.rstrip(".").split()
        assert (words[2], words[6]) == ("das", "einen")
        assert words[3].endswith("e")
        assert words[4][0].isupper()
        assert words[7].endswith("en")


def test_nothing_private_of_a_letter_is_sent_and_its_names_are_put_back() -> None:
    settings = load_settings(flags=FLAGS)
    translator = make_translator(settings.translator, "de", "en")
    sent: list[str] = []

    def translate(texts: Sequence[str]) -> list[str]:
        sent.extend(texts)
        return asyncio.run(translator.translate(texts, "de", "en"))

    letter = list(Prism.load("de-en", settings).protect(LETTER, translate, leave=True))
    asyncio.run(translator.close())
    seen, back = " ".join(sent), " ".join(letter)
    assert sent
    assert not [text for text in PRIVATE if text in seen]
    assert all(word in back for word in ("Brzoska", "Wermelskirch", "Quedlinburg"))
