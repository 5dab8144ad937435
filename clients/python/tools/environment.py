"""A virtual environment with the client, for programs that run from a checkout."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
VENV = PACKAGE / ".venv"
PYTHON = VENV / "bin/python"


def ensure_client() -> None:
    """Makes the client importable. If needed, restarts this program in a virtual environment."""
    sys.path.insert(0, str(PACKAGE / "src"))
    if importlib.util.find_spec("httpx2") is not None:
        return
    if Path(sys.prefix) == VENV:
        sys.exit(f"{VENV} lacks what the client needs: remove it, and it is made anew.")
    if not PYTHON.exists():
        install(VENV, ["--editable", str(PACKAGE)])
    os.execv(PYTHON, [str(PYTHON), *sys.argv])  # noqa: S606 - the same program again


def install(venv: Path, packages: list[str]) -> None:
    """Creates a virtual environment with these packages; pip's output goes to standard error."""
    python = venv / "bin/python"
    for command in (
        [sys.executable, "-m", "venv", "--clear", str(venv)],
        [str(python), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", *packages],
    ):
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
