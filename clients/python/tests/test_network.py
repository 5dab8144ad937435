"""Stalls, TLS and concurrency over real connections. Each fault has its own local server."""

from __future__ import annotations

import asyncio
import logging
import pprint
import socket
import ssl
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from beatmarket import (
    APIConnectionError,
    APITimeoutError,
    AsyncBeatMarket,
    BeatMarket,
    BeatMarketError,
    SignatureVerificationError,
    webhooks,
)

from .conftest import KEY, RealServer, free_port

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
Handler = Callable[[socket.socket, threading.Event], None]


@contextmanager
def serving(handler: Handler) -> Iterator[str]:
    """Starts a server that handles each connection this way; returns its base URL."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []

    def handle(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(65536)
                handler(connection, over)
            except OSError:
                pass

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=handle, args=(connection,)))
            threads[-1].start()

    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        over.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for thread in [accepting, *threads]:
            thread.join(10)


def stall_before_headers(_: socket.socket, over: threading.Event) -> None:
    over.wait(10)


def stall_in_body(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(HEAD + b"{")
    over.wait(10)


def drip_body(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(HEAD)
    while not over.wait(0.05):
        connection.sendall(b" ")


def drop(_: socket.socket, _over: threading.Event) -> None:
    pass


def cut_body(connection: socket.socket, _over: threading.Event) -> None:
    connection.sendall(HEAD + b"{")


@pytest.fixture(params=["sync", "async"])
def genres(request: pytest.FixtureRequest) -> Callable[..., object]:
    """Requests the genres with a new client."""

    def ask(base_url: str, **options: Any) -> object:
        options = {"api_key": KEY, "base_url": base_url, "max_retries": 0, **options}
        if request.param == "sync":
            with BeatMarket(**options) as client:
                return client.genres.list()

        async def ask_async() -> object:
            async with AsyncBeatMarket(**options) as client:
                return await client.genres.list()

        return asyncio.run(ask_async())

    return ask


@pytest.mark.parametrize("handler", [stall_before_headers, stall_in_body, drip_body])
def test_the_timeout_covers_the_whole_attempt(genres: Callable[..., object], handler: Handler) -> None:
    with serving(handler) as base_url, pytest.raises(APITimeoutError, match=r"within 0\.3 s"):
        genres(base_url, timeout=0.3)


@pytest.mark.parametrize(("idle_s", "connections"), [(55, 1), (65, 2)])
def test_an_idle_connection_is_kept_for_a_minute(
    monkeypatch: pytest.MonkeyPatch, idle_s: float, connections: int
) -> None:
    body = b'{"status": "success", "data": {"genres": []}}'
    response = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    opened: list[socket.socket] = []

    def answer(connection: socket.socket, over: threading.Event) -> None:
        opened.append(connection)
        connection.sendall(response)
        while connection.recv(65536):
            connection.sendall(response)

    now = time.monotonic
    with serving(answer) as base_url, BeatMarket(KEY, base_url=base_url, max_retries=0) as client:
        client.genres.list()
        monkeypatch.setattr(time, "monotonic", lambda: now() + idle_s)
        client.genres.list()
    assert len(opened) == connections


def test_a_second_event_loop_is_refused() -> None:
    with serving(drop) as base_url:
        client = AsyncBeatMarket(KEY, base_url=base_url, max_retries=0)

        async def ask() -> object:
            return await client.with_options(timeout=5).genres.list()

        async def ask_twice() -> None:
            for _ in range(2):
                with pytest.raises(APIConnectionError):
                    await ask()

        asyncio.run(ask_twice())
        with pytest.raises(BeatMarketError, match="another event loop"):
            asyncio.run(ask())


@pytest.mark.parametrize("handler", [drop, cut_body])
def test_a_connection_that_breaks_is_a_connection_error(genres: Callable[..., object], handler: Handler) -> None:
    with serving(handler) as base_url, pytest.raises(APIConnectionError) as raised:
        genres(base_url)
    assert raised.value.__cause__ is not None


def test_a_refused_connection_is_a_connection_error(genres: Callable[..., object]) -> None:
    with pytest.raises(APIConnectionError, match="refused|attempts failed"):
        genres(f"https://127.0.0.1:{free_port()}/v1")


def test_a_certificate_of_an_unknown_authority_is_refused(
    genres: Callable[..., object], real_server: RealServer, waits: list[float]
) -> None:
    with pytest.raises(APIConnectionError, match="certificate .*CERTIFICATE_VERIFY_FAILED.* ca_file") as raised:
        genres(real_server.base_url, max_retries=2)
    assert raised.value.__cause__ is not None
    assert waits == []
    assert genres(real_server.base_url, ca_file=real_server.ca_file, api_key=real_server.api_key)


def test_concurrent_threads_get_their_own_responses(real_server: RealServer) -> None:
    with (
        BeatMarket(real_server.api_key, base_url=real_server.base_url, ca_file=real_server.ca_file) as client,
        ThreadPoolExecutor(4) as pool,
    ):
        assert list(pool.map(lambda beat_id: client.beats.get(beat_id).id, range(1, 9))) == list(range(1, 9))


def test_key_and_secret_are_never_shown(real_server: RealServer, caplog: pytest.LogCaptureFixture) -> None:
    key, secret = real_server.api_key, "whsec_TheSecretThatNobodyMaySee"
    seen: list[str] = []
    with (
        caplog.at_level(logging.DEBUG),
        BeatMarket(key, base_url=real_server.base_url, ca_file=real_server.ca_file, max_retries=0) as client,
    ):
        beat = client.beats.get(1)
        for part in (client, *vars(client).values(), beat, beat.response):
            seen += [pprint.pformat(part), repr(getattr(part, "__dict__", None))]
        for failing in (
            lambda: client.beats.get(999_999_999),
            lambda: client.request("GET", "/none"),
            lambda: BeatMarket(key, base_url=f"https://127.0.0.1:{free_port()}/v1", max_retries=0).genres.list(),
            lambda: BeatMarket(f"{key} x"),
            lambda: webhooks.verify(b"{}", "0" * 64, secret),
        ):
            with pytest.raises((BeatMarketError, SignatureVerificationError)) as raised:
                failing()
            seen.append("".join(traceback.format_exception(raised.value)))
    seen += [record.getMessage() for record in caplog.records]
    assert any("GET" in text and "/beats/1: 200 in" in text for text in seen)
    assert not [text for text in seen if key in text or secret in text]


def test_settings_with_a_key_cannot_be_pickled() -> None:
    import pickle

    with BeatMarket(KEY) as client, pytest.raises(TypeError):
        pickle.dumps(client._settings)


def test_tls_with_a_ca_file_verifies_certificate_and_host(real_server: RealServer) -> None:
    from beatmarket.settings import tls_context

    context = tls_context(real_server.ca_file)
    assert context is not None
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
