"""The installed package: its contents and metadata, and the same methods on both clients."""

from __future__ import annotations

import importlib.metadata
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import beatmarket
from beatmarket import AsyncBeatMarket, BeatMarket
from beatmarket._generated.operations import OPERATIONS
from beatmarket.lazy_property import lazy_property

PACKAGE = Path(__file__).resolve().parents[1]
CLIENTS = (BeatMarket("bm_key"), AsyncBeatMarket("bm_key"))
RESOURCES = [name for name, part in vars(BeatMarket).items() if isinstance(part, lazy_property)]
PUBLIC = [(name, getattr(beatmarket, name)) for name in beatmarket.__all__]


def methods(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(method)
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def test_the_tests_import_the_installed_package() -> None:
    assert "site-packages" in beatmarket.__file__
    assert (Path(beatmarket.__file__).parent / "py.typed").exists()
    assert importlib.metadata.version("beatmarket") == beatmarket.__version__


def test_the_changelog_has_this_version() -> None:
    changes = (PACKAGE / "CHANGELOG.md").read_text("utf-8")
    assert "\n## [Unreleased]\n" in changes
    assert f"version, {beatmarket.__version__}." in changes


def test_the_metadata_have_links_license_and_author() -> None:
    metadata = importlib.metadata.metadata("beatmarket")
    urls = dict(entry.split(", ") for entry in metadata.get_all("Project-URL") or [])
    assert set(urls) == {"Homepage", "Documentation", "Repository", "Issues", "Changelog"}
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Author"]


def test_both_clients_have_the_same_methods_with_the_same_arguments() -> None:
    pairs: list[tuple[type, type]] = [(BeatMarket, AsyncBeatMarket)]
    pairs += [(type(getattr(CLIENTS[0], name)), type(getattr(CLIENTS[1], name))) for name in RESOURCES]
    for one, other in pairs:
        assert [(name, list(signature.parameters)) for name, signature in methods(one).items()] == [
            (name, list(signature.parameters)) for name, signature in methods(other).items()
        ]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_the_readme_lists_each_method_with_all_its_arguments(operation: Any) -> None:
    resource, _, name = operation.call.rpartition(".")
    kind = type(getattr(CLIENTS[0], resource)) if resource else BeatMarket
    arguments = [argument for argument in methods(kind)[name].parameters if argument != "self"]
    shown = f"`client.{operation.call}({', '.join(arguments)})`"
    assert shown in (PACKAGE / "README.md").read_text("utf-8")


def test_the_readme_names_each_error() -> None:
    text = (PACKAGE / "README.md").read_text("utf-8")
    errors = [name for name, item in PUBLIC if isinstance(item, type) and issubclass(item, Exception)]
    assert [name for name in errors if f"`{name}`" not in text] == []


def test_everything_public_is_documented() -> None:
    silent: list[str] = []
    for name, item in PUBLIC:
        if not inspect.isclass(item):
            continue
        described: list[tuple[str, Any]] = [(name, item)]
        described += [(f"{name}.{part}", method) for part, method in inspect.getmembers(item, inspect.isfunction)]
        silent += [
            part
            for part, thing in described
            if thing.__doc__ is None and not re.search(r"\._", part) and thing.__module__.startswith("beatmarket")
        ]
    assert silent == []


def test_a_program_loads_neither_the_http_library_nor_what_it_does_not_use() -> None:
    unused = ("httpx2", "anyio", "ssl", "asyncio", "beatmarket._async", "beatmarket.downloads", "beatmarket.transfer")
    program = f"import sys, beatmarket; beatmarket.BeatMarket('bm_key').beats; print({set(unused)} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert loaded.stdout.strip() == "set()"


def test_lazily_imported_names_are_listed_from_the_start() -> None:
    program = (
        "import beatmarket; assert set(beatmarket.__all__) <= set(dir(beatmarket)); from beatmarket import *; "
        "print([AsyncBeatMarket.__name__, beatmarket.AsyncClient is AsyncBeatMarket, hasattr(beatmarket, 'Nothing')])"
    )
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert loaded.stdout.strip() == "['AsyncBeatMarket', True, False]"


def test_a_client_creates_each_of_its_17_resources_once() -> None:
    assert len(RESOURCES) == 17
    assert all(getattr(CLIENTS[0], name) is getattr(CLIENTS[0], name) for name in RESOURCES)
