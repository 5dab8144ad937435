"""A client of each kind over canned responses, and a real server."""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import os
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from beatmarket import AsyncBeatMarket, BeatMarket

REPOSITORY = Path(__file__).resolve().parents[3]
BASE_URL = "https://api.example.com/v1"
KEY = "bm_TheKeyThatNobodyMaySee"

Canned = httpx2.Response | Exception


@dataclass
class Service:
    """Returns the canned responses in order, then repeats the last one; records the requests."""

    responses: list[Canned]
    requests: list[httpx2.Request] = field(default_factory=list[httpx2.Request])

    def handle(self, request: httpx2.Request) -> httpx2.Response:
        request.read()
        response = self.responses[min(len(self.requests), len(self.responses) - 1)]
        self.requests.append(request)
        if isinstance(response, Exception):
            raise response
        if not response.is_closed:
            return response  # a stream, which can be read once
        return httpx2.Response(response.status_code, headers=response.headers, content=response.content)

    async def handle_async(self, request: httpx2.Request) -> httpx2.Response:
        return self.handle(request)

    @property
    def urls(self) -> list[str]:
        """The requested URLs below the base URL."""
        return [str(request.url).removeprefix(BASE_URL) for request in self.requests]


class Api:
    """A synchronous or asynchronous client with the same interface."""

    def __init__(self, kind: str, service: Service, **options: Any) -> None:
        self.service = service
        settings = {"api_key": KEY, "base_url": BASE_URL, **options}
        self.loop: asyncio.AbstractEventLoop | None = None
        if kind == "sync":
            transport = httpx2.MockTransport(service.handle)
            self.client: Any = BeatMarket(http_client=httpx2.Client(transport=transport), **settings)
        else:
            async_transport = httpx2.MockTransport(service.handle_async)
            self.client = AsyncBeatMarket(http_client=httpx2.AsyncClient(transport=async_transport), **settings)
            self.loop = asyncio.new_event_loop()

    def get(self, result: Any) -> Any:
        """The result of the call; for an asynchronous list, its first page."""
        if self.loop is None:
            return result

        async def wait() -> Any:
            return await cast("Awaitable[Any]", result)

        return self.loop.run_until_complete(wait())

    def each(self, listing: Any) -> Iterator[Any]:
        """An iterator over all items."""
        if self.loop is None:
            return iter(listing)
        return _Blocking(self.loop, listing.__aiter__())


class _Blocking:
    def __init__(self, loop: asyncio.AbstractEventLoop, items: Any) -> None:
        self._loop = loop
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self._loop.run_until_complete(self._items.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None


MakeApi = Callable[..., Api]


@pytest.fixture(params=["sync", "async"])
def make_api(request: pytest.FixtureRequest) -> Iterator[MakeApi]:
    made: list[Api] = []

    def make(*responses: Canned, **options: Any) -> Api:
        made.append(Api(request.param, Service(list(responses)), **options))
        return made[-1]

    yield make
    for api in made:
        if api.loop is not None:
            api.loop.run_until_complete(api.loop.shutdown_asyncgens())
            api.loop.close()


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds of each wait, recorded instead of slept."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(BeatMarket, "_sleep", staticmethod(slept.append))
    monkeypatch.setattr(AsyncBeatMarket, "_sleep", staticmethod(sleep))
    return slept


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "BASE_URL", "CA_FILE", "LOG"):
        monkeypatch.delenv(f"BEATMARKET_{name}", raising=False)


def success(data: dict[str, Any], headers: dict[str, str] | None = None) -> httpx2.Response:
    """A response of the reference form."""
    return httpx2.Response(200, json={"status": "success", "data": data}, headers=headers)


def refusal(status: int, code: str, headers: dict[str, str] | httpx2.Headers | None = None) -> httpx2.Response:
    """An error response."""
    error = {"code": code, "message": "Short text", "details": "What exactly."}
    return httpx2.Response(status, json={"status": "error", "error": error}, headers=headers)


BEAT = success({"beat": {"id": 1, "title": "One", "genre": {"id": 3, "name": "Ambient"}}})


@dataclass(frozen=True)
class RealServer:
    """A running service with the demo catalogue."""

    base_url: str
    api_key: str
    ca_file: str

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that select the service."""
        return {
            **os.environ,
            "BEATMARKET_BASE_URL": self.base_url,
            "BEATMARKET_API_KEY": self.api_key,
            "BEATMARKET_CA_FILE": self.ca_file,
        }


@pytest.fixture(scope="session")
def real_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """The service at BEATMARKET_TEST_BASE_URL, or else one started here."""
    given = os.environ.get("BEATMARKET_TEST_BASE_URL")
    if given:
        yield RealServer(given, os.environ["BEATMARKET_TEST_API_KEY"], os.environ["BEATMARKET_TEST_CA_FILE"])
        return
    folder = tmp_path_factory.mktemp("service")
    port = free_port()
    node = REPOSITORY / "node_modules/.bin/node"
    main = [node, REPOSITORY / "server/src/main.ts"]
    environment = {**os.environ, "PORT": str(port), "DATA_DIR": str(folder / ".data"), "LOG_LEVEL": "warn"}
    server = subprocess.Popen([*main, "serve"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if line.startswith("ready: "):
                # The demo key has the limits of its plan.
                words = ["keys", "create", "--email", "clients@example.com", "--plan", "internal", "--json"]
                made = subprocess.run([*main, *words], cwd=folder, env=environment, capture_output=True, check=True)
                key = json.loads(made.stdout)["key"]
                yield RealServer(f"https://localhost:{port}/v1", key, str(folder / ".data/tls/ca.pem"))
                return
        raise AssertionError("The service did not start.")
    finally:
        server.terminate()
        server.communicate(timeout=30)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


SECRET = "whsec_dGVzdA=="


def signed(body: bytes, event_id: str = "evt_1", age_s: int = 0) -> dict[str, str]:
    """The headers of a delivery."""
    at = int(time.time()) - age_s
    key = base64.b64decode(SECRET.removeprefix("whsec_"))
    signature = hmac.digest(key, f"{event_id}.{at}.".encode() + body, "sha256")
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def examples() -> dict[str, Any]:
    """The example responses of each operation."""
    text = (REPOSITORY / "contract/examples.json").read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text)["operations"])
