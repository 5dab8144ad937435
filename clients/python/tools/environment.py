"""Virtual environments: with the client, for programs that run from a checkout, and with the tools of its tests."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
VENV = PACKAGE / ".venv"
PYTHON = VENV / "bin/python"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "beatmarket"
SUPPORTED = ("3.10", "3.11", "3.12", "3.13", "3.14")


def ensure_client() -> None:
    """Makes the client importable. If needed, restarts this program in a virtual environment."""
    sys.path.insert(0, str(PACKAGE / "src"))
    if importlib.util.find_spec("httpx2") is not None:
        return
    if Path(sys.prefix) == VENV:
        sys.exit(f"{VENV} lacks packages that the client needs: delete it, and it is created again.")
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
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages],
    ):
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def install_once(packages: list[str], interpreter: str = sys.executable) -> Path:
    """Returns a virtual environment with pip and these packages, in the cache of this account. Creates it once."""
    folder = CACHE / f"python-{digest(interpreter, *packages)}"
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix="draft-", dir=CACHE))
        try:
            install(draft, packages, interpreter)
            draft.rename(folder)
        except OSError:
            if not folder.exists():  # else another process was first
                raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def layer(venv: Path, base: Path) -> Path:
    """Creates a virtual environment that also has the packages of `base`, and returns its interpreter."""
    command = [str(base / "bin/python"), "-m", "venv", "--without-pip", str(venv)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    [packages] = base.glob("lib/python*/site-packages")
    [own] = venv.glob("lib/python*/site-packages")
    (own / "base.pth").write_text(f"{packages}\n")
    return venv / "bin/python"


def digest(*texts: str) -> str:
    """A short name for these texts."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
