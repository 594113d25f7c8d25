"""A real Chromium without windows, driven over its DevTools protocol."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

_START_SECONDS = 60


class Page:
    """One page: what it does, and what it complains of.

    ``requests`` are the addresses it asked for by the number of the request, those left out that
    its own policy stopped.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._calls = 0
        self.complaints: list[str] = []
        self.requests: dict[str, str] = {}
        self.events: list[str] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol; events that come meanwhile are noted."""
        self._calls += 1
        self._socket.send(json.dumps({"id": self._calls, "method": method, "params": parameters}))
        while True:
            said = json.loads(self._socket.recv(timeout=30))
            if said.get("id") == self._calls:
                assert "error" not in said, said
                return dict(said["result"])
            self._note(said)

    def open(self, file: Path, fragment: str = "") -> float:
        """Open a file and wait until it is loaded; gives the seconds that took the browser."""
        self.visit(file.as_uri() + fragment)
        timing = "performance.getEntriesByType('navigation')[0].loadEventEnd / 1000"
        while not (seconds := self.value(timing)):
            time.sleep(0.02)
        return float(seconds)

    def visit(self, address: str) -> None:
        """Go to an address and wait until it is there."""
        self.requests.clear()
        self.call("Page.navigate", url=address)
        self.wait(f"location.href == {json.dumps(address)} && document.readyState == 'complete'")

    def wait(self, expression: str) -> None:
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + _START_SECONDS
        while not self.value(expression):
            assert time.monotonic() < deadline, expression
            time.sleep(0.02)

    def open_without_scripts(self, file: Path) -> None:
        """Open a file whose scripts may not run."""
        self.call("Emulation.setScriptExecutionDisabled", value=True)
        self.events.clear()
        self.call("Page.navigate", url=file.as_uri())
        while "Page.loadEventFired" not in self.events:
            self._note(json.loads(self._socket.recv(timeout=30)))
        self.call("Emulation.setScriptExecutionDisabled", value=False)

    def value(self, expression: str) -> Any:
        """What a JavaScript expression is."""
        said = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in said, said
        return said["result"].get("value")

    def type(self, text: str) -> None:
        """Write into what has the focus."""
        self.call("Input.insertText", text=text)

    def press(self, key: str, *, control: bool = False, alt: bool = False) -> None:
        """Press and release a key."""
        text = {"Enter": "\r", "Space": " "}.get(key, "")
        name = {"Space": " "}.get(key, key)
        code = {"Enter": 13, "Space": 32, "Tab": 9, "ArrowUp": 38, "ArrowDown": 40, "s": 83}[key]
        common = {"key": name, "code": key, "windowsVirtualKeyCode": code}
        common["modifiers"] = alt + 2 * control
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def look(self, *, width: int = 1180, dark: bool = False) -> None:
        """Show the page in another width, or in the dark."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )

    def picture(self) -> bytes:
        """The whole page as PNG."""
        said = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(said["data"])

    def printed(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def _note(self, said: dict[str, Any]) -> None:
        method, found = said.get("method", ""), said.get("params", {})
        self.events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests[found["requestId"]] = found["request"]["url"]
        elif method == "Network.loadingFailed" and found.get("blockedReason") == "csp":
            self.requests.pop(found["requestId"], None)
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(found["exceptionDetails"].get("text")))
        elif method == "Log.entryAdded":
            self.complaints.append(str(found["entry"]["text"]))
        elif method == "Runtime.consoleAPICalled" and found["type"] in ("error", "warning"):
            self.complaints.append(str(found["args"]))


@contextmanager
def browser() -> Iterator[Page]:
    """A page of a Chromium of its own; fails with the reason when the program is missing."""
    program = shutil.which("chromium")
    assert program, "chromium is missing: scripts/ensure-programs browser"
    # what Chromium starts may still write into its profile while that is deleted
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-port=0",
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with connect(_address(Path(profile), process), max_size=None) as socket:
                yield Page(socket)
        finally:
            process.terminate()
            process.wait(20)


def _address(profile: Path, process: subprocess.Popen[bytes]) -> str:
    """Where the first page listens; Chromium writes its port into its profile."""
    from urllib.request import urlopen

    file, deadline = profile / "DevToolsActivePort", time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "chromium ended at its start"
        if file.exists() and (lines := file.read_text().splitlines()):
            with urlopen(f"http://127.0.0.1:{lines[0]}/json/list") as answer:
                pages = [one for one in json.load(answer) if one["type"] == "page"]
            if pages:
                return str(pages[0]["webSocketDebuggerUrl"])
        time.sleep(0.05)
    raise AssertionError("chromium does not answer")
