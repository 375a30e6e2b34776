# SPDX-License-Identifier: Apache-2.0
"""The pip wheel for a Python without pip: found and fetched as pip would, and checked."""

import hashlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import bootstrap_download as download
from bootstrap_console import Console, SetupError

WHEEL = b"not really a wheel"


class Index(http.server.BaseHTTPRequestHandler):
    """An index behind a prefix, with relative links; as a proxy it is asked for whole addresses."""

    asked: list[str]
    passwords: list[str]
    content = WHEEL

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.passwords.append(self.headers.get("Authorization", ""))
        path = self.path.removeprefix("http://index.invalid")
        if path == "/mirror/simple/pip/":
            links = [f"../../files/pip-1.0.tar.gz#sha256={'0' * 64}"]
            links += [f"../../files/{download.PIP_WHEEL}#sha256={'1' * 64}"]
            body = "".join(f'<a href="{link}">a file</a>' for link in links).encode()
        elif path == f"/mirror/files/{download.PIP_WHEEL}":
            body = self.content
        else:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def index() -> Iterator[tuple[str, type[Index]]]:
    """Address and handler class of a server that runs for one test."""
    handler = type("OwnIndex", (Index,), {"asked": [], "passwords": []})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def clean_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import os

    for name in list(os.environ):
        if name.startswith(("PIP_", "ISOBATH_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setattr(download, "PIP_SHA256", hashlib.sha256(WHEEL).hexdigest())


def test_relative_links_of_an_index_are_followed(
    index: tuple[str, type[Index]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    console: Console,
) -> None:
    address, handler = index
    monkeypatch.setenv("PIP_INDEX_URL", f"http://{address}/mirror/simple/")

    assert download.pip_wheel(console) == WHEEL
    assert handler.asked == ["/mirror/simple/pip/", f"/mirror/files/{download.PIP_WHEEL}"]


def test_a_wheel_with_another_hash_is_refused(
    index: tuple[str, type[Index]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    console: Console,
) -> None:
    address, handler = index
    handler.content = b"something else"
    monkeypatch.setenv("PIP_INDEX_URL", f"http://{address}/mirror/simple")

    with pytest.raises(SetupError, match="has SHA-256") as caught:
        download.pip_wheel(console)

    assert "another network" in caught.value.remedy


def test_an_index_in_a_settings_file_is_used(
    index: tuple[str, type[Index]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    console: Console,
) -> None:
    settings = tmp_path / "pip.conf"
    settings.write_text(f"[global]\nindex-url = http://{index[0]}/mirror/simple\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))

    assert download.pip_wheel(console) == WHEEL


def test_credentials_in_the_address_are_sent_and_nowhere_else(
    index: tuple[str, type[Index]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    console: Console,
) -> None:
    address, handler = index
    monkeypatch.setenv("PIP_INDEX_URL", f"http://user:secret@{address}/mirror/simple")

    assert download.pip_wheel(console) == WHEEL
    assert handler.passwords[0] == "Basic dXNlcjpzZWNyZXQ="


@pytest.mark.parametrize("variable", ["http_proxy", "PIP_PROXY"])
def test_proxies_are_used(
    index: tuple[str, type[Index]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    variable: str,
    console: Console,
) -> None:
    address, handler = index
    monkeypatch.setenv(variable, f"http://{address}")
    monkeypatch.setenv("PIP_INDEX_URL", "http://index.invalid/mirror/simple")

    assert download.pip_wheel(console) == WHEEL
    assert handler.asked[0] == "http://index.invalid/mirror/simple/pip/"


def test_a_folder_of_links_comes_before_the_index(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, console: Console
) -> None:
    (tmp_path / download.PIP_WHEEL).write_bytes(WHEEL)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_INDEX_URL", "http://index.invalid/simple")

    assert download.pip_wheel(console) == WHEEL


def test_without_any_index_the_places_tried_are_named(
    index: tuple[str, type[Index]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    console: Console,
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"http://{index[0]}/wrong")

    with pytest.raises(SetupError, match="cannot get pip-") as caught:
        download.pip_wheel(console)

    assert f"http://{index[0]}/wrong/pip/" in caught.value.cause
    assert "--offline" in caught.value.remedy


def test_an_offline_folder_without_the_wheel_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, console: Console
) -> None:
    monkeypatch.setenv("ISOBATH_OFFLINE", str(tmp_path))

    with pytest.raises(SetupError, match="has no pip-"):
        download.pip_wheel(console)
