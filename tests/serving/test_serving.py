"""Programs ask PRISM with the plug-ins that they have for other services."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import deepl
import httpx2
import openai
import pytest

from prism_core.cat.serving import DIALECTS, Desk, make_app, read_token
from prism_core.errors import ConfigurationError
from prism_core.jobs import Stages, translate
from prism_core.report import ReportFolder
from prism_core.settings import Job, Settings, TranslatorSettings
from prism_core.stages import Run, StageResult, write
from prism_core.state import Chunk
from scripts.loopback_provider import LoopbackProvider
from tests.browser import browser
from tests.served import served

TOKEN = "a-token-of-the-user"
NAME = "Ludmilla Quistgaard"


class Provider(LoopbackProvider):
    """Translator elsewhere that keeps what it saw."""

    def __init__(self) -> None:
        super().__init__("en", "pt")
        self.seen: list[str] = []

    def answer(self, texts: list[str]) -> list[str]:
        self.seen += texts
        return super().answer(texts)


@contextmanager
def desk_of(output: Path, **settings: object) -> Iterator[Desk]:
    job = Job(input=output, output=output, settings=Settings(target="pt", **settings))
    with Desk.open(job) as desk:
        yield desk


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk whose model on this machine sees the texts as they are."""
    firefox = TranslatorSettings.choose(name="firefox", sees="clear")
    with desk_of(tmp_path_factory.mktemp("here") / "desk", translator=firefox) as desk:
        yield desk


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Callable[..., tuple[Desk, Provider]]]:
    """Opens a desk that sends encodings to a provider."""
    with ExitStack() as opened:

        def open_desk(output: Path, **settings: object) -> tuple[Desk, Provider]:
            provider = opened.enter_context(Provider())
            threading.Thread(target=provider.serve_forever, daemon=True).start()
            opened.callback(provider.shutdown)
            translator = TranslatorSettings.choose(
                name="libretranslate",
                base_url=f"http://127.0.0.1:{provider.server_port}",
                sees="encoded",
                accept_losses=True,
            )
            desk = desk_of(output, translator=translator, send="always", **settings)
            return opened.enter_context(desk), provider

        yield open_desk


def test_the_client_of_deepl_gets_translations_with_all_their_tags(here: Desk) -> None:
    with served(make_app(here, DIALECTS["deepl"], TOKEN)) as address:
        client = deepl.Translator(TOKEN, server_url=address)
        plain = client.translate_text(
            ["The door is open.\n  Press %s to close it."], source_lang="EN", target_lang="PT-BR"
        )
        assert isinstance(plain, list)
        assert re.fullmatch(r"A porta está aberta\.\n  .*%s.*fech\w+.*", plain[0].text)
        tagged = client.translate_text(
            'Read <b>the red book</b> of AT&amp;T or <x id="7"></x>.<br/>',
            target_lang="PT-PT",
            tag_handling="xml",
            ignore_tags=["x"],
        )
        assert not isinstance(tagged, list)
        assert re.search(r"<b>.*livro .*</b>.*<x id=\"7\"></x>", tagged.text)
        assert tagged.text.count("<br/>") == 1
        assert "AT&amp;T" in tagged.text
        page = client.translate_text(
            "<ul><li>One <i>red</i> apple</li></ul>", target_lang="PT-PT", tag_handling="html"
        )
        assert not isinstance(page, list)
        assert re.fullmatch("<ul><li>.*<i>.+</i>.*</li></ul>", page.text)
        assert "maçã" in page.text
        assert client.get_usage().character.count == 0
        assert [language.code for language in client.get_target_languages()] == ["PT"]
        with pytest.raises(deepl.DeepLException, match="from en to pt"):
            client.translate_text("The door is open.", target_lang="DE")
        with pytest.raises(deepl.AuthorizationException, match="key"):
            deepl.Translator("another-key", server_url=address).get_usage()


def test_the_client_of_openai_gets_the_translation_of_the_last_message(here: Desk) -> None:
    with served(make_app(here, DIALECTS["openai"], TOKEN)) as address:
        client = openai.OpenAI(api_key=TOKEN, base_url=f"{address}/v1", max_retries=0)
        answer = client.chat.completions.create(
            model=client.models.list().data[0].id,
            messages=[
                {"role": "system", "content": "You translate."},
                {"role": "user", "content": "The door is open."},
            ],
        )
        assert answer.choices[0].message.content == "A porta está aberta."
        client.api_key = "another-key"
        with pytest.raises(openai.PermissionDeniedError):
            client.models.list()


def test_libretranslate_and_the_server_of_apertium_answer_as_those_do(here: Desk) -> None:
    asked = {"q": "The door is open.", "source": "en", "target": "pt", "api_key": TOKEN}
    with served(make_app(here, DIALECTS["libretranslate"], TOKEN)) as address:
        assert httpx2.get(f"{address}/languages").json()[0]["targets"] == ["pt"]
        for form in ({"data": asked}, {"json": asked}):
            answer = httpx2.post(f"{address}/translate", **form)
            assert answer.json() == {"translatedText": "A porta está aberta."}
        several = httpx2.post(f"{address}/translate", json=asked | {"q": ["Yes.", "The door."]})
        assert len(several.json()["translatedText"]) == 2
        refused = httpx2.post(f"{address}/translate", json=asked | {"api_key": ""})
        assert refused.status_code == 403
        assert "key" in refused.json()["error"]
        assert httpx2.post(f"{address}/translate", content=b"{").status_code == 400
    with served(make_app(here, DIALECTS["apertium"], TOKEN)) as address:
        query = {"q": "The <f0>door</f0> is open.", "langpair": "en_US|pt_BR", "key": TOKEN}
        answer = httpx2.get(f"{address}/translate", params=query)
        text = "A <f0>porta</f0> está aberta."
        assert answer.json()["responseData"] == {"translatedText": text}
        refused = httpx2.get(f"{address}/translate", params=query | {"langpair": "en|de"})
        assert refused.status_code == 200  # OmegaT shows no message with another
        assert refused.json()["responseStatus"] == 400


def test_weblate_and_omegat_get_answers_to_the_very_requests_of_their_plugins(here: Desk) -> None:
    """The requests are those of Weblate 5 (machinery/deepl.py, libretranslate.py) and OmegaT 6."""
    text = 'Open <x id="5"></x> the door.'
    with served(make_app(here, DIALECTS["deepl"], TOKEN)) as address:
        key = {"Authorization": f"DeepL-Auth-Key {TOKEN}"}
        with httpx2.Client(base_url=f"{address}/v2/", headers=key, timeout=60) as weblate:
            for kind, code in (("source", "EN"), ("target", "PT")):
                languages = weblate.get("languages", params={"type": kind}).json()
                assert [language["language"] for language in languages] == [code]
            assert weblate.get("glossary-language-pairs").json()["supported_languages"] == []
            asked = {
                "text": ["The door is open.", text],
                "source_lang": "EN",
                "target_lang": "PT",
                "formality": "default",
                "tag_handling": "xml",
                "ignore_tags": ["x"],
                "context": "",
                "model_type": "prefer_quality_optimized",
            }
            plain, marked = weblate.post("translate", json=asked).json()["translations"]
        assert plain["text"] == "A porta está aberta."
        assert marked["text"].count('<x id="5"></x>') == 1
    with served(make_app(here, DIALECTS["libretranslate"], TOKEN)) as address:
        assert {one["code"] for one in httpx2.get(f"{address}/languages").json()} == {"en", "pt"}
        asked = {"api_key": TOKEN, "q": ["The door is open."], "source": "en", "target": "pt"}
        answer = httpx2.post(f"{address}/translate", json=asked, timeout=60).json()
        assert answer == {"translatedText": ["A porta está aberta."]}
    with served(make_app(here, DIALECTS["apertium"], TOKEN)) as address:
        query = f"q=The+door+is+open.&markUnknown=no&langpair=en_GB|pt_PT&key={TOKEN}"
        answer = httpx2.get(f"{address}/translate?{query}", timeout=60).json()
        assert answer["responseStatus"] == 200
        assert answer["responseData"]["translatedText"] == "A porta está aberta."


def test_only_encodings_leave_and_the_ledger_counts_them(
    elsewhere: Callable[..., tuple[Desk, Provider]],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level(0)
    desk, provider = elsewhere(tmp_path / "desk", on_withheld="leave")
    text = f"{NAME} sold the old house near the river."
    with served(make_app(desk, DIALECTS["deepl"], TOKEN)) as address:
        headers = {"Authorization": f"DeepL-Auth-Key {TOKEN}"}
        asked = {"text": text, "target_lang": "PT"}

        def ask() -> str:
            answer = httpx2.post(f"{address}/v2/translate", json=asked, headers=headers, timeout=60)
            return str(answer.json()["translations"][0]["text"])

        first, sent = ask(), list(provider.seen)
        assert sent
        assert NAME in first
        assert "casa" in first
        assert ask() == first
        assert provider.seen == sent
        usage = httpx2.get(f"{address}/v2/usage", headers=headers).json()
        assert usage["character_count"] == sum(map(len, sent))
    assert not any("Quistgaard" in seen or " house " in seen for seen in sent)
    told = caplog.text + "".join(capfd.readouterr())
    assert not any(word in told for word in ("Quistgaard", "river", "casa"))
    kept = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"Quistgaard" not in kept
    assert b"river" not in kept


def test_what_may_not_be_sent_is_refused_and_stays_here(
    elsewhere: Callable[..., tuple[Desk, Provider]], tmp_path: Path
) -> None:
    never = {"withhold": ["name"]}
    text = {"text": ["The door is open.", f"{NAME} is here."], "target_lang": "PT"}
    headers = {"Authorization": f"DeepL-Auth-Key {TOKEN}"}
    for place, on_withheld in ("leave", 400), ("local", 200):
        desk, provider = elsewhere(tmp_path / place, identifiers=never, on_withheld=place)
        with served(make_app(desk, DIALECTS["deepl"], TOKEN)) as address:
            answer = httpx2.post(f"{address}/v2/translate", json=text, headers=headers, timeout=60)
        assert answer.status_code == on_withheld
        assert not any(seen.endswith("is here.") for seen in provider.seen)
        if place == "leave":
            assert answer.json()["message"].startswith("text 2 of 2 was not translated")
        else:
            assert NAME in answer.json()["translations"][1]["text"]
            assert answer.headers["X-Prism-To-Look-At"] == "1"


def test_a_preview_shows_what_is_then_sent(
    elsewhere: Callable[..., tuple[Desk, Provider]], tmp_path: Path
) -> None:
    desk, provider = elsewhere(tmp_path / "desk", on_withheld="leave")
    text = b"The old doctor opened the window.\n\nThe teacher sold the red car.\n"
    preview = desk.preview("letter.txt", text)
    shown = {sentence.text: sentence.sent for sentence in preview}
    assert list(shown) == ["The old doctor opened the window.", "The teacher sold the red car."]
    assert provider.seen == []
    desk.translate({"other.txt": b"The small child found an apple.\n"})
    assert not set(shown.values()) & set(provider.seen)
    outcome = desk.translate({"letter.txt": text})["letter.txt"]
    assert outcome.content.startswith(b"O ")
    assert set(shown.values()) <= set(provider.seen)


def test_the_page_translates_a_document(here: Desk, tmp_path: Path) -> None:
    (tmp_path / "note ção.txt").write_text("The door is open.\n", encoding="utf-8")
    with served(make_app(here, None, TOKEN)) as address, browser() as page:
        page.visit(f"{address}/{TOKEN}/")
        document = page.call("DOM.getDocument")["root"]["nodeId"]
        field = page.call("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
        files = [str(tmp_path / "note ção.txt")]
        page.call("DOM.setFileInputFiles", nodeId=field, files=files)
        page.wait("!document.getElementById('plan').hidden")
        assert page.value("leaves.textContent") == "Nothing would leave this machine"
        page.value("document.getElementById('translate').click()")
        page.wait("!save.hidden")
        assert page.value("save.download") == "note ção.txt"
        saved = tmp_path / "saved"
        page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(saved))
        page.value("save.click()")
        deadline = time.monotonic() + 30
        while not (saved / "note ção.txt").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert (saved / "note ção.txt").read_text("utf-8") == "A porta está aberta.\n"
        assert page.complaints == []
        assert all(asked.startswith((address, "blob:")) for asked in page.requests.values())


def test_nobody_else_reaches_the_server(here: Desk) -> None:
    with served(make_app(here, DIALECTS["openai"], TOKEN)) as address:
        headers = {"Authorization": f"Bearer {TOKEN}", "Host": "evil.example"}
        assert httpx2.get(f"{address}/v1/models", headers=headers).status_code == 400
        assert httpx2.get(f"{address}/another-token/").status_code == 404
        kind = {"Content-Type": "application/octet-stream", "X-File-Name": "a.txt"}
        for origin, status in ("http://evil.example", 403), (address, 200):
            answer = httpx2.post(
                f"{address}/{TOKEN}/preview", content=b"Yes.", headers=kind | {"Origin": origin}
            )
            assert answer.status_code == status
        outside = kind | {"Origin": address, "X-File-Name": "..%2Fa.txt"}
        assert (
            httpx2.post(f"{address}/{TOKEN}/preview", content=b"Yes.", headers=outside).status_code
            == 400
        )


def test_a_token_file_is_made_once_and_is_the_users_alone(tmp_path: Path) -> None:
    file = tmp_path / "key"
    token = read_token(file)
    assert read_token(file) == token
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        read_token(file)


def test_the_end_leaves_a_report_and_no_document(tmp_path: Path) -> None:
    firefox = TranslatorSettings.choose(name="firefox", sees="clear")
    with desk_of(tmp_path / "desk", translator=firefox) as desk:
        desk.translate({"a.txt": b"The door is open.\n"})
        job, inbox = desk.job, Path(str(desk.job.input))
        assert list(inbox.iterdir()) == []
    assert not inbox.exists()
    assert not list((tmp_path / "desk").glob("*.txt"))
    report = ReportFolder(job.report_folder).find(job.run_id)
    assert report is not None
    assert report.totals.documents_translated == 1


def test_other_users_cannot_read_a_translation_that_is_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = list[int]()

    def look(run: Run, chunk: Chunk) -> StageResult:
        done = write(run, chunk)
        modes.extend(file.stat().st_mode & 0o777 for file in (tmp_path / "desk").glob("*.txt"))
        return done

    monkeypatch.setattr("prism_core.cat.serving.desk.Stages", lambda: Stages(write=look))
    firefox = TranslatorSettings.choose(name="firefox", sees="clear")
    with desk_of(tmp_path / "desk", translator=firefox) as desk:
        desk.translate({"a.txt": b"The door is open.\n"})
    assert modes == [0o600]
    assert (tmp_path / "desk").stat().st_mode & 0o777 == 0o700


def test_the_folder_of_an_archive_is_no_desk(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.txt").write_text("The door is open.\n", encoding="utf-8")
    firefox = TranslatorSettings.choose(name="firefox", sees="clear")
    settings = Settings(target="pt", translator=firefox)
    translate(Job(input=tmp_path / "in", output=tmp_path / "out", settings=settings))
    with pytest.raises(ConfigurationError, match="folder of its own"), desk_of(tmp_path / "out"):
        pass


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "flows.command", "serve", str(tmp_path / "desk")]
    options = ["--to", "pt", "--as", "openai", "--token-file", str(tmp_path / "key")]
    with subprocess.Popen(
        [*command, *options, "--translator", "firefox"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(4)]
        address, token = said[0].split()[1], (tmp_path / "key").read_text("ascii")
        headers = {"Authorization": f"Bearer {token}"}
        models = httpx2.get(f"{address}/v1/models", headers=headers, timeout=30).json()
        assert [model["id"] for model in models["data"]] == ["prism-en-pt"]
        assert token not in "".join(said)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
