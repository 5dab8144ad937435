"""Downloaded files of orders, and sales. Does no requests."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from .errors import APIConnectionError, BeatMarketError, ChecksumError

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from .models import OrderFile, OrderFiles
    from .response import Response

_MOST_BYTES = 200
"""Of a name in UTF-8: file systems take 255, and a download has `.part` behind it while it runs."""
# Separators, what Windows refuses, control characters, and what changes the direction of text.
_UNSAFE = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]')
_DEVICE_OF_WINDOWS = re.compile(r"(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)", re.IGNORECASE)
_EXTENSION = re.compile(r"\.[^.]{1,10}$")


@dataclass(frozen=True)
class DownloadProgress:
    """How far a download is."""

    kind: str
    """mp3, wav, stems or license."""
    received: int
    """Bytes that are there."""
    bytes: int
    """Of the whole file."""


OnProgress = Callable[[DownloadProgress], object]


@dataclass(frozen=True)
class DownloadedFile:
    """A file of an order that is on the disk, as the service lists it."""

    kind: str
    """mp3, wav, stems or license."""
    filename: str
    bytes: int
    sha256: str
    path: str


DownloadedFiles = list[DownloadedFile]


@dataclass(frozen=True)
class SalesExport:
    """A downloaded month of sales."""

    path: str | os.PathLike[str]
    response: Response = field(repr=False, compare=False)


class SalesDownload:
    """Takes a month of sales. It is made while it is sent, so an attempt that breaks is begun anew."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def headers(self) -> dict[str, str]:
        """Asks for CSV."""
        return {"accept": "text/csv"}

    def begin(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether this response has a body for the file."""
        self._file.seek(0)
        self._file.truncate()
        return status == 200

    def write(self, chunk: bytes) -> None:
        """Writes what has come."""
        self._file.write(chunk)

    def has_advanced(self) -> bool:
        """An attempt that breaks has brought nothing."""
        return False


class PartFile:
    """Takes a file of an order over several attempts.

    The bytes of an order never change: the checksum decides about what was put together.
    """

    def __init__(self, path: Path, file: OrderFile, keeps: bool, progress: OnProgress | None) -> None:
        """Opens the file, with the bytes that are there if it `keeps` them."""
        self._path = path
        self._listed = file
        self._progress = progress
        try:
            # Neither emptied nor appended to.
            self._file = open(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")  # noqa: SIM115
            size = os.fstat(self._file.fileno()).st_size
        except OSError as error:
            raise unwritable(path, error) from error
        self.bytes = size if keeps and size <= file.bytes else 0
        self._bytes_before = self.bytes
        if self.bytes == 0:
            self._file.truncate(0)

    def __enter__(self) -> Self:
        self._report()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with self._file:
                self._file.flush()
                os.fsync(self._file.fileno())
        except OSError as cause:
            if error is None:
                raise unwritable(self._path, cause) from cause

    def headers(self) -> dict[str, str]:
        """Asks for the rest."""
        return {"accept-encoding": "identity", **({"range": f"bytes={self.bytes}-"} if self.bytes else {})}

    def begin(self, status: int, headers: Mapping[str, str]) -> bool:
        """Whether this response has a body for the file."""
        if status not in (200, 206):
            return False
        start = self.bytes if status == 206 else 0
        given = headers.get("content-range", "")
        if status == 206 and not given.startswith(f"bytes {start}-"):
            raise APIConnectionError(f"The response has the bytes {given}, not those from {start}.")
        self.bytes = start
        self._file.seek(start)
        self._file.truncate()
        return True

    def write(self, chunk: bytes) -> None:
        """Writes what has come. Raises ChecksumError if it is more than the file has."""
        # One byte too many is enough to be another file.
        fitting = chunk[: self._listed.bytes + 1 - self.bytes]
        try:
            self._file.write(fitting)
        except OSError as error:
            raise unwritable(self._path, error) from error
        self.bytes += len(fitting)
        if self.bytes > self._listed.bytes:
            raise ChecksumError(f"There are more than {self._listed.bytes} bytes.")
        self._report()

    def has_advanced(self) -> bool:
        """Whether something came since the last call: then the attempts are counted anew."""
        has_advanced = self.bytes > self._bytes_before
        self._bytes_before = self.bytes
        return has_advanced

    def check_end(self) -> None:
        """Raises APIConnectionError if the file is not complete."""
        if self.bytes < self._listed.bytes:
            raise APIConnectionError(f"The file ended after {self.bytes} of {self._listed.bytes} bytes.")

    def _report(self) -> None:
        report(self._listed, self.bytes, self._progress)


def report(file: OrderFile, received: int, progress: OnProgress | None) -> None:
    """Tells how far a download is."""
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


def move(path: Path, destination: Path) -> None:
    """Gives a complete file its name. Raises BeatMarketError if it cannot."""
    try:
        path.replace(destination)
    except OSError as error:
        raise unwritable(destination, error) from error


def made_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder, which is made if there is none. Raises BeatMarketError if it cannot be."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BeatMarketError(f"The folder {path} cannot be made: {error}.") from error
    return path


def file_of(listed: OrderFiles, kind: str, order_id: int | str) -> OrderFile:
    """The file of this kind. Raises BeatMarketError, which says what there is, if there is none."""
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
    """The error for a file with another checksum than is listed."""
    return ChecksumError(
        f"The file {file.kind} of order {order_id} came with other bytes than the service lists "
        f"(SHA-256 {digest}, not {file.sha256}) and was deleted; download it again."
    )


def unwritable(path: Path, error: OSError) -> BeatMarketError:
    """The error for a file that cannot be written."""
    return BeatMarketError(f"The file {path} cannot be written: {error}.")


def safe_filename(filename: str, kind: str, taken: Set[str]) -> str:
    """A name for a file of this kind that stays in its folder on every file system, and differs from those `taken`."""
    cleaned = _clean(filename) or _clean(kind) or "file"
    name = _clipped(f"_{cleaned}" if _DEVICE_OF_WINDOWS.match(cleaned) else cleaned)
    # File systems of Windows and macOS do not tell upper from lower case.
    while name.lower() in taken:
        name = f"{_clean(kind)} {name}"
    return name


def _clean(text: str) -> str:
    return _UNSAFE.sub("_", text).strip(" .")


def _clipped(name: str) -> str:
    """Its first bytes, at the end of a character, and its extension."""
    encoded = name.encode()
    if len(encoded) <= _MOST_BYTES:
        return name
    found = _EXTENSION.search(name)
    extension = found[0] if found else ""
    return encoded[: _MOST_BYTES - len(extension.encode())].decode(errors="ignore") + extension
