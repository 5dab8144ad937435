"""Measures the client against bare httpx2 in one run. clients/conformance/README.md explains the numbers."""

from __future__ import annotations

import compileall
import gc
import json
import os
import ssl
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "tools"))

from environment import ensure_client

ensure_client()

import httpx2

from beatmarket import BeatMarket

CALLS = 400
WARM_UP = 50
ITEMS = 100_000


def main() -> None:
    """Prints one line of JSON."""
    numbers = {**measured_calls(), **measured_import(), "growth_kb": growth_kb()}
    print(json.dumps({name: round(value, 3) for name, value in numbers.items()}))


def measured_import() -> dict[str, float]:
    """Median times of new processes: without imports, and the additional time of httpx2 and the client, alternating.

    The client imports httpx2 with its first call, so it counts for both.
    """

    def process_ms(program: str) -> float:
        return milliseconds(lambda: subprocess.run([sys.executable, "-c", program], check=True))

    source = str(Path(sys.modules["beatmarket"].__file__ or "").parent.parent)
    compileall.compile_dir(source, quiet=1)  # Like pip when it installs a package.
    path_line = f"import sys; sys.path.insert(0, {source!r})"
    programs = [
        path_line,
        f"{path_line}; import httpx2",
        f"{path_line}; from beatmarket import BeatMarket; import httpx2",
    ]
    rounds = [[process_ms(program) for program in programs] for _ in range(7)]
    idle, http, client = (statistics.median(durations) for durations in zip(*rounds, strict=True))
    return {"import_ms": client - idle, "http_import_ms": http - idle, "idle_ms": idle}


def measured_calls() -> dict[str, float]:
    """Median milliseconds, and mean CPU time, of one call and of the same call through bare httpx2, alternating."""
    base_url = os.environ["BEATMARKET_BASE_URL"]
    headers = {"Authorization": f"Bearer {os.environ['BEATMARKET_API_KEY']}", "Accept": "application/json"}
    trusted = ssl.create_default_context(cafile=os.environ["BEATMARKET_CA_FILE"])
    ours: list[tuple[float, float]] = []
    bare: list[tuple[float, float]] = []
    with BeatMarket() as client, httpx2.Client(verify=trusted, timeout=30) as http:

        def bare_call() -> object:
            return http.get(f"{base_url}/beats/1", headers=headers).raise_for_status().json()

        for _ in range(WARM_UP + CALLS):
            ours.append(with_cpu(lambda: client.beats.get(1)))
            bare.append(with_cpu(bare_call))
    return {
        "call_ms": statistics.median(elapsed for elapsed, _ in ours[WARM_UP:]),
        "bare_ms": statistics.median(elapsed for elapsed, _ in bare[WARM_UP:]),
        "call_cpu_ms": statistics.mean(cpu for _, cpu in ours[WARM_UP:]),
        "bare_cpu_ms": statistics.mean(cpu for _, cpu in bare[WARM_UP:]),
    }


def growth_kb() -> float:
    """Memory growth of a long iteration, from a tenth of its items to its end, in KiB."""
    tracemalloc.start()
    early = 0
    with BeatMarket() as client:
        for count, _ in enumerate(client.beats.list(limit=100, max_items=ITEMS), 1):
            if count == ITEMS // 10:
                early = used_bytes()
        if count < ITEMS:
            sys.exit(f"There are {count} beats; {ITEMS} are needed.")
        return (used_bytes() - early) / 1024


def used_bytes() -> int:
    """Memory in use after a garbage collection."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def with_cpu(call: Callable[[], object]) -> tuple[float, float]:
    """The run time of a call, and the CPU time that this process used during the call, in milliseconds."""
    began = time.process_time()
    elapsed = milliseconds(call)
    return elapsed, (time.process_time() - began) * 1000


def milliseconds(call: Callable[[], object]) -> float:
    """Run time in milliseconds."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
