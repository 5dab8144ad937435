"""Downloaded files of orders, and sales. Sends no requests."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Generator, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .body import Target, unwritable
from .errors import BeatMarketError, ChecksumError

if TYPE_CHECKING:
    from ._generated.models import OrderFile, OrderFiles
    from .response import Response

_MOST_BYTES = 200
"""The longest file name in UTF-8. File systems accept 255 bytes; a running download needs some for `.part`."""
# Separators, characters that Windows refuses, control characters, and characters that change the direction of text.
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]')
_DEVICE_OF_WINDOWS = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[^.]{1,10}$")


@dataclass(frozen=True)
class DownloadProgress:
    """The progress of a download."""

    kind: str
    """mp3, wav, stems or license."""
    received: int
    """The number of received bytes."""
    bytes: int
    """The size of the whole file."""


OnProgress = Callable[[DownloadProgress], object]


@dataclass(frozen=True)
class DownloadedFile:
    """A file of an order on the disk, with the data of the service's list."""

    kind: str
    """mp3, wav, stems or license."""
    filename: str
    bytes: int
    sha256: str
    path: str


DownloadedFiles = list[DownloadedFile]
"""For annotations in classes that have a method `list`."""


@dataclass(frozen=True)
class OrderArchive:
    """A downloaded ZIP of all files of an order."""

    path: str | os.PathLike[str]
    response: Response = field(repr=False, compare=False)


@dataclass(frozen=True)
class SalesExport:
    """A downloaded month of sales."""

    path: str | os.PathLike[str]
    response: Response = field(repr=False, compare=False)


def report(file: OrderFile, received: int, progress: OnProgress | None) -> None:
    """Reports the progress of a download."""
    if progress is not None:
        progress(DownloadProgress(file.kind, received, file.bytes))


def is_there(file: OrderFile, destination: Path) -> bool:
    """Whether the destination has the file already. Raises BeatMarketError if it is a folder."""
    if destination.is_dir():
        raise BeatMarketError(f"The destination {destination} is a folder; it takes the path of a file.")
    return destination.is_file() and destination.stat().st_size == file.bytes and sha256_of(destination) == file.sha256


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


@contextmanager
def saved(path: str | os.PathLike[str]) -> Generator[Target, None, None]:
    """The target for a whole body, which becomes the file `path`. Raises BeatMarketError if it cannot be written.

    Writes to `<path>.part`, and renames that file at the end. If the call fails, deletes that file; `path` is
    unchanged. A device or a pipe is written directly.
    """
    try:
        destination = Path(path)
        # A device or a pipe cannot be replaced.
        if destination.exists() and not destination.is_file():
            with Target(path) as target:
                yield target
            return
        part = destination.with_name(f"{destination.name}.part")
        part.unlink(missing_ok=True)
    except (OSError, TypeError) as error:
        raise unwritable(path, error) from error
    try:
        with Target(part) as target:
            yield target
        move(part, destination)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def move(path: Path, destination: Path) -> None:
    """Renames a complete file to its final name. Raises BeatMarketError if that fails."""
    try:
        path.replace(destination)
    except OSError as error:
        raise unwritable(destination, error) from error


def create_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder, which is created if it is absent. Raises BeatMarketError if that fails."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BeatMarketError(f"The folder {path} cannot be created: {error}.") from error
    return path


def file_of(listed: OrderFiles, kind: str, order_id: int | str) -> OrderFile:
    """The file of this kind. If the order has no such file, raises a BeatMarketError that lists its files."""
    for file in listed.files:
        if file.kind == kind:
            return file
    if not listed.files:
        raise without_files(order_id)
    kinds = ", ".join(file.kind for file in listed.files)
    raise BeatMarketError(f"The order {order_id} has no {kind}; it has {kinds}.")


def without_files(order_id: int | str) -> BeatMarketError:
    """The error for an order without files."""
    return BeatMarketError(f"The order {order_id} has no files: its license is refunded.")


def failed_check(file: OrderFile, order_id: int | str, digest: str) -> ChecksumError:
    """The error for a file whose checksum differs from the listed one."""
    return ChecksumError(
        f"The file {file.kind} of order {order_id} came with other bytes than the service lists "
        f"(SHA-256 {digest}, not {file.sha256}) and was deleted; download it again."
    )


def safe_filename(filename: str, kind: str, taken: Set[str]) -> str:
    """A name that stays in its folder on every file system.

    It differs from the names in `taken`, which are in lower case, by more than upper and lower case.
    """
    cleaned = _clean(filename) or _clean(kind) or "file"
    name = _clipped(f"_{cleaned}" if _DEVICE_OF_WINDOWS.match(cleaned) else cleaned)
    # File systems of Windows and macOS do not distinguish upper case from lower case.
    while name.lower() in taken:
        name = f"{_clean(kind)} {name}"
    return name


def _clean(text: str) -> str:
    return _UNSAFE.sub("_", text).strip(" .")


def _clipped(name: str) -> str:
    """The name, shortened to whole characters, with its extension."""
    encoded = name.encode()
    if len(encoded) <= _MOST_BYTES:
        return name
    found = _EXTENSION.search(name)
    extension = found[0] if found else ""
    return encoded[: _MOST_BYTES - len(extension.encode())].decode(errors="ignore") + extension
