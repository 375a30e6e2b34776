# SPDX-License-Identifier: Apache-2.0
"""The pip wheel, for machines whose Python comes without pip: from an index (PEP 503), checked by
its hash.

Honours pip's own settings (files and PIP_* variables), proxies and certificates.
"""

from __future__ import annotations

import configparser
import hashlib
import html.parser
import os
import re
import ssl
import urllib.parse
import urllib.request
from pathlib import Path

from bootstrap_console import Console, SetupError

PIP_WHEEL = "pip-26.3-py3-none-any.whl"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
PUBLIC_INDEX = "https://pypi.org/simple"


def pip_wheel(console: Console) -> bytes:
    """The wheel file, from the folder ISOBATH_OFFLINE or the network; refused unless its SHA-256 is
    PIP_SHA256.
    """
    offline = os.environ.get("ISOBATH_OFFLINE")
    content = _read_offline(Path(offline)) if offline else _download_pip(console)
    actual = hashlib.sha256(content).hexdigest()
    if actual != PIP_SHA256:
        raise SetupError(
            f"{PIP_WHEEL} has SHA-256 {actual} instead of {PIP_SHA256}",
            "the index or something on the way changes files: try another network or PIP_INDEX_URL",
        )
    return content


def _read_offline(folder: Path) -> bytes:
    path = folder / PIP_WHEEL
    if not path.is_file():
        raise SetupError(
            f"{folder} has no {PIP_WHEEL}",
            "fill it on a machine with a network: see docs/how-to/install.md",
        )
    return path.read_bytes()


def _download_pip(console: Console) -> bytes:
    """The pip wheel from the first index or link page that has it (Simple API, PEP 503)."""
    settings = pip_settings()
    tried: list[str] = []
    for page in _pages_with_pip(settings):
        console.record(f"looking for {PIP_WHEEL} in {page}")
        try:
            url = (
                page
                if page.endswith(".whl")
                else find_link(page, _fetch(page, settings).decode(), PIP_WHEEL)
            )
            if url:
                return _fetch(url, settings)
            tried.append(f"{page} does not list it")
        except (OSError, ValueError) as error:
            tried.append(f"{page}: {error}")
    raise SetupError(
        f"cannot get {PIP_WHEEL}: {'; '.join(tried)}",
        "check the network, PIP_INDEX_URL, https_proxy and SSL_CERT_FILE; "
        "without a network: ./isobath setup --offline DIR",
    )


def _pages_with_pip(settings: dict[str, str]) -> list[str]:
    pages: list[str] = []
    if "no-index" not in settings:
        for index in [
            settings.get("index-url", PUBLIC_INDEX),
            *settings.get("extra-index-url", "").split(),
        ]:
            pages.append(index.rstrip("/") + "/pip/")
    for place in settings.get("find-links", "").split():
        if (Path(place) / PIP_WHEEL).is_file():
            pages.insert(0, (Path(place) / PIP_WHEEL).absolute().as_uri())
        elif "://" in place:
            pages.append(place)
    return pages


class _Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get("href")
        if tag == "a" and target:
            self.targets.append(target)


def find_link(page: str, text: str, file_name: str) -> str | None:
    """Absolute address of ``file_name`` in an index page; relative links are relative to the
    page.
    """
    links = _Links()
    links.feed(text)
    for target in links.targets:
        path = urllib.parse.urlsplit(target).path
        if urllib.parse.unquote(path.rsplit("/", 1)[-1]) == file_name:
            return urllib.parse.urldefrag(urllib.parse.urljoin(page, target)).url
    return None


def _fetch(url: str, settings: dict[str, str]) -> bytes:
    certificates = (
        settings.get("cert")
        or os.environ.get("SSL_CERT_FILE")
        or os.environ.get("REQUESTS_CA_BUNDLE")
    )
    context = ssl.create_default_context(cafile=certificates)
    if urllib.parse.urlsplit(url).hostname in settings.get("trusted-host", "").split():
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPSHandler(context=context)]
    if settings.get("proxy"):
        handlers.append(
            urllib.request.ProxyHandler({"http": settings["proxy"], "https": settings["proxy"]})
        )
    parts = urllib.parse.urlsplit(url)
    headers = {"Accept": "text/html"} if url.endswith("/") else {}
    if parts.username:  # index addresses may carry credentials, which urllib does not understand
        handlers.append(_basic_authentication(url, parts))
        url = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.build_opener(*handlers).open(request, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def _basic_authentication(url: str, parts: urllib.parse.SplitResult) -> urllib.request.BaseHandler:
    passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
    host = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"
    user = urllib.parse.unquote(parts.username or "")
    passwords.add_password(
        None, host, user, urllib.parse.unquote(parts.password or ""), is_authenticated=True
    )
    return urllib.request.HTTPBasicAuthHandler(passwords)


def pip_settings() -> dict[str, str]:
    """pip's own settings that matter for a download: configuration files first, PIP_* variables
    over them.
    """
    wanted = (
        "index-url",
        "extra-index-url",
        "find-links",
        "no-index",
        "cert",
        "proxy",
        "trusted-host",
    )
    config = configparser.RawConfigParser()
    home = Path.home()
    user = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    files = [
        Path("/etc/pip.conf"),
        Path("/etc/xdg/pip/pip.conf"),
        home / ".pip" / "pip.conf",
        user / "pip" / "pip.conf",
    ]
    named = os.environ.get("PIP_CONFIG_FILE")
    files += [Path(named)] if named else []
    for file in [] if named == os.devnull else files:
        try:
            config.read(file, encoding="utf-8")
        except (configparser.Error, UnicodeDecodeError) as error:
            raise SetupError(
                f"cannot read pip's settings in {file}: {error}", "correct or remove that file"
            ) from error
    settings: dict[str, str] = {}
    for name in wanted:
        for section in ("global", "install"):
            if config.has_option(section, name):
                settings[name] = config.get(section, name).strip()
        value = os.environ.get("PIP_" + name.upper().replace("-", "_"))
        if value:
            settings[name] = value
    if re.fullmatch(r"(0|no|false|off)?", settings.get("no-index", ""), re.IGNORECASE):
        settings.pop("no-index", None)
    return settings
