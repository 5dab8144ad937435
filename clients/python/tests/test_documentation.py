"""Runs the programs in the README and the examples."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import respx

from beatmarket import BeatMarket

from .conftest import BEAT, SECRET, RealServer, free_port, signed

PACKAGE = Path(__file__).resolve().parents[1]
README = (PACKAGE / "README.md").read_text("utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
PROGRAMS = [code for language, code in BLOCKS if language == "python"]
RECEIVER = next(code for code in PROGRAMS if "flask" in code)


def run(program: list[str], folder: Path, environment: dict[str, str]) -> str:
    made = subprocess.run(
        program, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout


def write_tone(path: Path, seconds: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(22_050)
        file.writeframes(bytes(int(128 + 60 * math.sin(at / 16)) for at in range(22_050 * seconds)))


def test_every_code_block_has_a_tested_language() -> None:
    assert {language for language, _ in BLOCKS} == {"sh", "python"}


def test_the_lines_for_a_clone_run_in_an_empty_project(real_server: RealServer, tmp_path: Path) -> None:
    (tmp_path / ".data/tls").mkdir(parents=True)
    (tmp_path / ".data/demo-key").write_text(real_server.api_key + "\n")
    (tmp_path / ".data/tls/ca.pem").write_bytes(Path(real_server.ca_file).read_bytes())
    (tmp_path / "first.py").write_text(PROGRAMS[0])
    (tmp_path / "clients").symlink_to(PACKAGE.parent)
    shown = next(code for language, code in BLOCKS if language == "sh" and "pip install ./clients/python" in code)
    environment = {
        name: value
        for name, value in real_server.environment.items()
        if name not in ("BEATMARKET_API_KEY", "BEATMARKET_CA_FILE")
    }
    # The requirements of the package and of its build are installed already, so pip needs no index.
    here = str(Path(httpx2.__file__).parents[1])
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1", "PYTHONPATH": here}
    assert len(run(["sh", "-euc", f"{shown}python first.py"], tmp_path, {**environment, **offline}).splitlines()) == 5
    [installed] = tmp_path.glob(".venv/lib/python*/site-packages/beatmarket/py.typed")
    assert installed.exists()


def test_all_programs_run_in_order(real_server: RealServer, tmp_path: Path) -> None:
    """Later programs use the client of earlier ones."""
    (tmp_path / "page.py").write_text("\n".join(PROGRAMS))
    write_tone(tmp_path / "beat.wav", seconds=3)
    shown = run([sys.executable, "page.py"], tmp_path, real_server.environment)
    for expected in (
        "Telephone & Shadow",
        "beats, of which the first is",
        "Velvet Compass",
        "('exclusive', 359.9)",
        "completed 34.9 USD None",
        "valid https://localhost",
        "404 not_found Beat 999999 does not exist.",
        "Harbour Lights processing",
        "200 application/vnd.beatmarket.console+json",
    ):
        assert expected in shown


def test_all_programs_are_typed(tmp_path: Path) -> None:
    """Checks each program by itself, since programs reuse names. The import before a program may be unused."""
    for number, code in enumerate(PROGRAMS):
        begin = "" if "import BeatMarket\n" in code else "from beatmarket import BeatMarket\n"
        begin += "" if "BeatMarket(" in code else "client = BeatMarket()\n"
        (tmp_path / f"program_{number}.py").write_text((begin if "client" in code else "") + code)
    programs = sorted(path.name for path in tmp_path.iterdir())
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "reportUnusedImport": false}')
    strictly = ["-m", "mypy", "--strict"]
    run([sys.executable, *strictly, *programs], tmp_path, dict(os.environ))
    run([sys.executable, "-m", "pyright", "--project", ".", "--pythonpath", sys.executable], tmp_path, dict(os.environ))


def test_the_receiver_in_the_readme_is_the_example() -> None:
    example = (PACKAGE / "examples/receiver.py").read_text("utf-8")
    assert example.split('"""\n\n', 1)[1] == RECEIVER


def test_the_event_handler_in_the_readme_works() -> None:
    scope: dict[str, object] = {}
    exec(PROGRAMS[-1], scope)
    from beatmarket import BeatPurchasedEvent, Purchase, UnknownEvent

    purchase = Purchase(
        beat_id=1,
        title="One",
        producer_id=2,
        producer_name="Two",
        license_type="basic",
        amount=29.9,
        currency="USD",
        purchaser_id=3,
    )
    handle = scope["handle"]
    assert callable(handle)
    assert handle(BeatPurchasedEvent(id="evt_1", created=1, type="beat.purchased", data=purchase)) == "One: 29.9 USD"
    newer: Any = "x.y"
    assert handle(UnknownEvent(id="evt_2", created=1, type=newer, data={})) == "nothing to do for x.y"


def test_the_tests_in_the_readme_pass_and_are_typed(tmp_path: Path) -> None:
    tests = dict(re.findall(r"```python (test_\w+\.py)\n(.*?)```", README, re.DOTALL))
    assert sorted(tests) == ["test_beats.py", "test_with_respx.py"]
    for name, source in tests.items():
        (tmp_path / name).write_text(source)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    shown = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], tmp_path, dict(os.environ))
    assert "4 passed" in shown
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    strictly = ["-m", "mypy", "--strict"]
    run([sys.executable, *strictly, *tests], tmp_path, dict(os.environ))
    run([sys.executable, "-m", "pyright", "--project", ".", "--pythonpath", sys.executable], tmp_path, dict(os.environ))


def test_respx_alone_does_not_see_the_client() -> None:
    def service(_: httpx2.Request) -> httpx2.Response:
        return BEAT

    with respx.mock(assert_all_called=False) as router:
        router.route().respond(500)
        http_client = httpx2.Client(transport=httpx2.MockTransport(service))
        with BeatMarket("bm_test", base_url="https://beats.test/v1", http_client=http_client) as client:
            assert client.beats.get(1).id == 1
        assert router.calls.call_count == 0


@pytest.fixture
def receiver(real_server: RealServer, tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    port = free_port()
    program = subprocess.Popen(
        [sys.executable, "-m", "flask", "--app", str(PACKAGE / "examples/receiver.py"), "run", "--port", str(port)],
        env={**real_server.environment, "WEBHOOK_SECRET": SECRET, "EVENTS_FILE": str(tmp_path / "events.db")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert program.stderr is not None
        for line in program.stderr:
            if "Running on" in line:
                break
        yield f"http://127.0.0.1:{port}/", program
    finally:
        program.terminate()
        program.communicate(timeout=10)


def test_the_receiver_accepts_only_valid_signatures_and_prints_each_event_once(
    receiver: tuple[str, subprocess.Popen[str]],
) -> None:
    url, program = receiver
    body = '{"id":"evt_1","created":1,"type":"beat.purchased","data":{"title":"Café 🎵"}}'.encode()
    genuine = signed(body)

    def deliver(sent: bytes, headers: dict[str, str]) -> int:
        request = urllib.request.Request(url, sent, {"Content-Type": "application/json", **headers}, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code

    assert deliver(body, {}) == 401
    assert deliver(body + b" ", genuine) == 401
    assert deliver(body, signed(body, age_s=400)) == 401
    assert [deliver(body, genuine), deliver(body, signed(body))] == [200, 200]
    other = body.replace(b"evt_1", b"evt_2")
    assert deliver(other, signed(other, "evt_2")) == 200
    assert program.stdout is not None
    printed = (line for line in program.stdout if "*" not in line and "Debug mode" not in line)
    assert [next(printed), next(printed)] == ["beat.purchased evt_1\n", "beat.purchased evt_2\n"]
