"""Measures the client against bare httpx2 in one run. clients/conformance/README.md explains the numbers."""

from __future__ import annotations

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
    call_ms, bare_ms = measured_calls()
    numbers = {"import_ms": import_ms(), "call_ms": call_ms, "bare_ms": bare_ms, "growth_kb": growth_kb()}
    print(json.dumps({name: round(value, 3) for name, value in numbers.items()}))


def import_ms() -> float:
    """The import time of the client: a process with the import minus one without."""

    def process_ms(program: str) -> float:
        return statistics.median(
            milliseconds(lambda: subprocess.run([sys.executable, "-c", program], check=True)) for _ in range(7)
        )

    source = str(Path(sys.modules["beatmarket"].__file__ or "").parent.parent)
    reach = f"import sys; sys.path.insert(0, {source!r})"
    return process_ms(f"{reach}; from beatmarket import BeatMarket") - process_ms(reach)


def measured_calls() -> tuple[float, float]:
    """Median milliseconds of one call, and of the same call through bare httpx2, alternating."""
    base_url = os.environ["BEATMARKET_BASE_URL"]
    headers = {"Authorization": f"Bearer {os.environ['BEATMARKET_API_KEY']}", "Accept": "application/json"}
    trusted = ssl.create_default_context(cafile=os.environ["BEATMARKET_CA_FILE"])
    ours: list[float] = []
    bare: list[float] = []
    with BeatMarket() as client, httpx2.Client(verify=trusted) as http:
        for _ in range(WARM_UP + CALLS):
            ours.append(milliseconds(lambda: client.beats.get(1)))
            bare.append(milliseconds(lambda: http.get(f"{base_url}/beats/1", headers=headers).json()))
    return statistics.median(ours[WARM_UP:]), statistics.median(bare[WARM_UP:])


def growth_kb() -> float:
    """Memory growth of a long iteration, from its first tenth to its end."""
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


def milliseconds(call: Callable[[], object]) -> float:
    """Run time in milliseconds."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
