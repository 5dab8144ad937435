"""A virtual environment with the client, for programs that run from a checkout."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
VENV = PACKAGE / ".venv"
PYTHON = VENV / "bin/python"
SUPPORTED = ("3.10", "3.11", "3.12", "3.13", "3.14")


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


def interpreters() -> dict[str, str]:
    """Every other supported Python of this machine, by version, on the PATH or of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: dict[str, str] = {}
    for version in SUPPORTED:
        for python in (shutil.which(f"python{version}"), *sorted(pyenv.glob(f"{version}.*/bin/python"))):
            # A shim of pyenv is there also for versions that are not active.
            if python and subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0:
                found.setdefault(version, str(python))
    found.pop(f"{sys.version_info.major}.{sys.version_info.minor}", None)
    return found


def install(venv: Path, packages: list[str], interpreter: str = sys.executable) -> None:
    """Creates a virtual environment with these packages; pip's output goes to standard error."""
    python = venv / "bin/python"
    for command in (
        [interpreter, "-m", "venv", "--clear", str(venv)],
        [str(python), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check", *packages],
    ):
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
