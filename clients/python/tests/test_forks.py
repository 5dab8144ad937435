"""Processes that inherit a client have their own connections, so no process reads the response of another."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx2
import pytest

from beatmarket import BeatMarket, BeatMarketError

from .conftest import BASE_URL, BEAT, KEY, RealServer, Service

CHILDREN = 4
CALLS = 5

START = """
import json, os, sys
{client}
def in_children(work):
    reading = []
    for number in range(2, 2 + {children}):
        pipe, writing = os.pipe()
        if os.fork() == 0:
            os.write(writing, json.dumps(work(number)).encode())
            sys.exit()  # a normal end: finalizers run
        os.close(writing)
        reading.append(pipe)
    values = [json.loads(open(pipe, "rb").read()) for pipe in reading]
    for _ in reading:
        os.wait()
    return values
"""
SYNC = """
import time
from beatmarket import BeatMarket, ServerError
client = BeatMarket(max_retries=0)  # a broken connection is an error
def get_one(number):
    while True:
        try:
            return client.beats.get(number).id
        except ServerError as error:
            if error.status != 503:  # a busy machine's service may shed a request
                raise
            time.sleep(0.2)
def get(*ids):
    return [get_one(number) for number in ids]
"""
ASYNC = """
import asyncio
from beatmarket import AsyncBeatMarket
client = AsyncBeatMarket(max_retries=0)
loop = asyncio.new_event_loop()
def get(*ids):
    async def all():
        return [(await client.beats.get(number)).id for number in ids]
    return loop.run_until_complete(all())
"""
# A forked process has its own loop, because it has its own connections.
ASYNC_CHILD = """
def child(number):
    global loop
    loop = asyncio.new_event_loop()
    return get(*[number] * {calls})
"""
SYNC_CHILD = """
def child(number):
    return get(*[number] * {calls})
"""
THREADED_CHILD = """
from concurrent.futures import ThreadPoolExecutor
def child(number):
    with ThreadPoolExecutor({calls}) as pool:
        return [id for ids in pool.map(get, [number] * {calls}) for id in ids]
"""
END = """
print(json.dumps([get(1), in_children(child), get(1)]))
"""
CELERY = """
import json, multiprocessing, os, traceback
from billiard.pool import Pool
{client}
# Without this, a quick process would also take the call of a process that has not begun yet.
all_begun = multiprocessing.Barrier({children})
def child(number):
    all_begun.wait(50)
    return get(*[number] * {calls})
first = get(1)
pool = Pool({children})  # the pool of Celery's prefork workers
try:
    values = pool.map(child, range(2, 2 + {children}), 1)
except BaseException:
    traceback.print_exc()
    os._exit(1)  # sys.exit would wait for the pool without end
pool.close()
pool.join()
print(json.dumps([first, values, get(1)]))
"""


@dataclass
class Relay:
    """Passes connections on to the service, and counts them."""

    port: int
    connections: list[socket.socket] = field(default_factory=list[socket.socket])


@pytest.fixture
def relay(real_server: RealServer) -> Iterator[Relay]:
    listener = socket.create_server(("127.0.0.1", 0))
    made = Relay(int(listener.getsockname()[1]))
    target = urlsplit(real_server.base_url).port or 443
    threads: list[threading.Thread] = []

    def run(work: object, *args: object) -> None:
        threads.append(threading.Thread(target=work, args=args))  # type: ignore[arg-type]
        threads[-1].start()

    def pump(one: socket.socket, other: socket.socket) -> None:
        try:
            while chunk := one.recv(65536):
                other.sendall(chunk)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            beyond = socket.create_connection(("localhost", target))
            made.connections.append(connection)
            ends.extend([connection, beyond])
            run(pump, connection, beyond)
            run(pump, beyond, connection)

    ends: list[socket.socket] = []
    run(accept)
    try:
        yield made
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        threads[0].join(10)
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(10)
        for end in ends:
            end.close()


def run(program: str, relay: Relay, real_server: RealServer) -> object:
    environment = {**real_server.environment, "BEATMARKET_BASE_URL": f"https://localhost:{relay.port}/v1"}
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    try:
        done = subprocess.run(command, check=False, capture_output=True, env=environment, timeout=60)
    except subprocess.TimeoutExpired as error:
        pytest.fail(f"The program did not end. It said: {(error.stderr or b'').decode()}")
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "program",
    [
        START.replace("{client}", SYNC) + SYNC_CHILD + END,
        START.replace("{client}", ASYNC) + ASYNC_CHILD + END,
        START.replace("{client}", SYNC) + THREADED_CHILD + END,
        CELERY.replace("{client}", SYNC),
    ],
    ids=["sync", "async", "threads", "celery"],
)
def test_each_process_has_its_own_connections_and_its_own_responses(
    relay: Relay, real_server: RealServer, program: str
) -> None:
    shown = run(program.replace("{children}", str(CHILDREN)).replace("{calls}", str(CALLS)), relay, real_server)
    assert shown == [[1], [[number] * CALLS for number in range(2, 2 + CHILDREN)], [1]]
    # A process has a second connection only if its first one was idle for too long.
    assert len(relay.connections) >= 1 + CHILDREN


def test_a_client_with_an_http_client_of_the_caller_raises_in_a_forked_process(monkeypatch: pytest.MonkeyPatch) -> None:
    http_client = httpx2.Client(transport=httpx2.MockTransport(Service([BEAT]).handle))
    client = BeatMarket(KEY, base_url=BASE_URL, http_client=http_client)
    assert client.beats.get(1).id == 1
    monkeypatch.setattr("os.getpid", lambda: -1)
    with pytest.raises(BeatMarketError, match="forked.*make a client of its own"):
        client.beats.get(1)
